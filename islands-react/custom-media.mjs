/**
 * An esbuild plugin for `@custom-media`, which esbuild does not support: in media queries it replaces the
 * names that style/breakpoints.css defines.
 */
import { readFile } from "node:fs/promises";

const BREAKPOINTS = new URL("../style/breakpoints.css", import.meta.url);

export const customMedia = {
	name: "custom-media",
	async setup({ onLoad }) {
		const source = await readFile(BREAKPOINTS, "utf8");
		const definitions = [...source.matchAll(/@custom-media (\S+) (.+);/g)];
		onLoad({ filter: /\.css$/ }, async ({ path }) => {
			let contents = await readFile(path, "utf8");
			for (const [, name, condition] of definitions)
				contents = contents.replaceAll(` (${name})`, ` ${condition}`);
			if (/@media [^{]*\(--/.test(contents))
				throw new Error("a media query has an unknown name");
			return { contents, loader: "css" };
		});
	},
};
