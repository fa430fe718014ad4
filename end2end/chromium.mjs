/**
 * Finds the browser of the tests: a Chromium or Chrome of this machine, else the one that Playwright has downloaded.
 *
 *   node chromium.mjs   prints its path; ends with 1 where there is none
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Names on the PATH, the free ones first. */
const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

/** Where macOS keeps programs. */
const APPLICATIONS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** @returns {Promise<string | undefined>} its path; `CHROMIUM` in the environment decides where it is set. */
export async function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const installed = COMMANDS.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...installed, ...APPLICATIONS, ...(await downloaded())].find(isProgram);
}

/** Playwright's own, where it says it would be: there is none before its packages are installed. */
async function downloaded() {
  try {
    const { chromium } = await import('@playwright/test');
    return [chromium.executablePath()];
  } catch {
    return [];
  }
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
