// Bundles the style sheet for the browsers of the baseline.
import { join } from "node:path";
import { BASELINE } from "../../islands-react/baseline.mjs";
import { ROOT } from "./cargo.mjs";
import { esbuild } from "./wasm.mjs";

/** @returns style/main.css with all that it imports */
export async function buildStyles({ minify }) {
	const { outputFiles } = await esbuild.build({
		entryPoints: [join(ROOT, "style/main.css")],
		bundle: true,
		minify,
		target: BASELINE,
		// The server serves these files under their own URLs.
		external: ["/fonts/*", "/illustrations/*"],
		write: false,
	});
	return outputFiles[0].text;
}
