// Keeps paths of the build machine out of a release. rustc embeds the paths of sources for panic messages: they
// disclose who built it and where, and two machines would never build identical files.
import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Folders of the build machine with their replacements in a release. If several match, rustc uses the last one. */
export function buildPaths() {
  const { CARGO_HOME, CARGO_TARGET_DIR, CARGO_BUILD_BUILD_DIR, CARGO_BUILD_TARGET_DIR } = process.env;
  const toolchain = execFileSync('rustc', ['--print', 'sysroot'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const paths = [
    [homedir(), '/home'],
    [CARGO_HOME ?? join(homedir(), '.cargo'), '/cargo'],
    [toolchain, '/rust'],
    [ROOT, '/vincula'],
    [CARGO_TARGET_DIR ?? CARGO_BUILD_TARGET_DIR, '/target'],
    [CARGO_BUILD_BUILD_DIR, '/target'],
  ];
  return paths.filter(([folder]) => folder !== undefined && folder.length > 1);
}

/** Flags for `CARGO_ENCODED_RUSTFLAGS`, separated by 0x1f, since the names of folders may contain spaces. */
export function rustFlags() {
  return buildPaths().map(([folder, name]) => `--remap-path-prefix=${folder}=${name}`).join('\x1f');
}
