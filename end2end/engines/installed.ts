/** Finds the installed engines besides Chromium; `make setup-tests` installs them. */
import { accessSync, constants, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The programs that an engine needs, by absolute path. */
export type WebKit = { driver: string; browser: string; display: string };
type Firefox = { driver: string; browser: string };
export type Missing = { missing: string };

/** Safari's engine as WebKitGTK, in the MiniBrowser that comes with it, on a virtual display. */
export function findWebKit(): WebKit | Missing {
  const driver = onPath('WebKitWebDriver');
  if (driver === undefined) return { missing: 'WebKitWebDriver' };
  // Debian's folder is named after the architecture.
  const folders = ['/usr/lib', '/usr/libexec', ...foldersIn('/usr/lib'), ...foldersIn('/usr/lib64')];
  const browser = folders.map((folder) => join(folder, 'webkit2gtk-4.1/MiniBrowser')).find(isProgram);
  if (browser === undefined) return { missing: 'WebKitGTK’s MiniBrowser' };
  const display = onPath('Xvfb');
  return display === undefined ? { missing: 'Xvfb' } : { driver, browser, display };
}

export function findFirefox(): Firefox | Missing {
  const tools = process.env.VINCULA_TOOLS ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'vincula/tools');
  const own = foldersIn(tools).filter((folder) => folder.includes('/geckodriver-'));
  const driver = own.map((folder) => join(folder, 'bin/geckodriver')).find(isProgram) ?? onPath('geckodriver');
  if (driver === undefined) return { missing: 'geckodriver' };
  const browser = onPath('firefox-esr') ?? onPath('firefox');
  return browser === undefined ? { missing: 'Firefox' } : { driver, browser };
}

function onPath(name: string): string | undefined {
  return (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)).find(isProgram);
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
