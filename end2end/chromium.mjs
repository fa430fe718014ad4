/**
 * Finds the browser for the tests: an installed Chromium or Chrome, else Playwright's download.
 *
 *   node chromium.mjs   prints its path; exits with 1 if there is none
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Commands on the PATH, the free ones first. */
const COMMANDS = [
	"chromium",
	"chromium-browser",
	"google-chrome-stable",
	"google-chrome",
	"chrome",
];

/** Paths on macOS. */
const APPLICATIONS = [
	"/Applications/Chromium.app/Contents/MacOS/Chromium",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The folders with commands. */
export const PATH = (process.env.PATH ?? "").split(delimiter).filter(Boolean);

/** @returns {Promise<string | undefined>} its path; the environment variable `CHROMIUM` overrides the search. */
export async function findChromium() {
	if (process.env.CHROMIUM) return process.env.CHROMIUM;
	return (
		pathsOf(COMMANDS, PATH).find(runs) ??
		[...APPLICATIONS, ...(await downloaded())].find(runs)
	);
}

/**
 * The first of these programs that is in one of these folders.
 * @param {string[]} names
 * @param {string[]} folders
 */
export function findProgram(names, folders) {
	return pathsOf(names, folders).find(isProgram);
}

/**
 * @param {string[]} names
 * @param {string[]} folders
 */
function pathsOf(names, folders) {
	return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** The path of Playwright's download, or none if its packages are not installed. */
async function downloaded() {
	try {
		const { chromium } = await import("@playwright/test");
		return [chromium.executablePath()];
	} catch {
		return [];
	}
}

/**
 * Whether it is a browser. Ubuntu's `chromium-browser` may only print how to install one.
 * @param {string} path
 */
function runs(path) {
	const { status } = spawnSync(path, ["--version"], { stdio: "ignore" });
	return status === 0;
}

/** @param {string} path */
function isProgram(path) {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const path = await findChromium();
	if (path === undefined) process.exit(1);
	console.log(path);
}
