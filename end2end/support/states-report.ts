/** A reporter for `make states`: one page with the pictures that `tests/states.spec.ts` has taken, and what failed. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import type {
	FullConfig,
	Reporter,
	Suite,
	TestCase,
} from "@playwright/test/reporter";

/** Whether the tests take pictures. */
export const PICTURES = process.env.PICTURES !== undefined;

/** A phone, a tablet, a desktop. */
export const SIZES = [
	{ width: 360, height: 740 },
	{ width: 768, height: 1024 },
	{ width: 1440, height: 900 },
] as const;

export const THEMES = ["light", "dark"] as const;

const FOLDER = fileURLToPath(new URL("../../target/states/", import.meta.url));

/** The path of a picture. */
export function pictureOf(state: string, width: number, theme: string): string {
	return join(FOLDER, fileNameOf(state, width, theme));
}

function fileNameOf(state: string, width: number, theme: string): string {
	return `${state.replace(/\W+/g, "-")}-${width}-${theme}.png`;
}

class StatesReport implements Reporter {
	#tests: TestCase[] = [];

	onBegin(_: FullConfig, suite: Suite): void {
		this.#tests = suite.allTests();
		rmSync(FOLDER, { recursive: true, force: true });
		mkdirSync(FOLDER, { recursive: true });
	}

	onEnd(): void {
		const path = join(FOLDER, "index.html");
		writeFileSync(path, documentOf(this.#tests));
		console.log(`\nThe states in pictures: ${pathToFileURL(path)}`);
	}
}

function documentOf(tests: readonly TestCase[]): string {
	const states = tests.map((test) => sectionOf(test)).join("\n");
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Vincula: states of the screens</title>
<style>
body { font: 16px sans-serif; background: #ddd }
div { display: flex; gap: 12px; align-items: flex-start; overflow-x: auto }
img { height: 480px; border: 1px solid #888 }
pre { color: #b00; white-space: pre-wrap }
</style>
<h1>States of the screens</h1>
${states}
</html>
`;
}

function sectionOf(test: TestCase): string {
	const state = test.title;
	const pictures = THEMES.flatMap((theme) =>
		SIZES.map(({ width }) => {
			const file = fileNameOf(state, width, theme);
			const name = `${state}, ${width} px, ${theme}`;
			return `<a href="${file}"><img src="${file}" alt="${escaped(name)}" loading="lazy"></a>`;
		}),
	);
	const errors = test.results
		.flatMap(({ errors }) => errors)
		.map(
			({ message = "" }) =>
				`<pre>${escaped(stripVTControlCharacters(message))}</pre>`,
		);
	return `<h2>${escaped(state)}</h2>
${errors.join("\n")}
<div>${pictures.join("\n")}</div>`;
}

function escaped(text: string): string {
	return text
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll('"', "&quot;");
}

// Playwright loads a reporter by its default export.
// biome-ignore lint/style/noDefaultExport: see above
export default StatesReport;
