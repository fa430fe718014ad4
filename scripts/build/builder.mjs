// The builder's machine in a release: rustc writes the paths of sources into programs, for panics. They say who built it and
// where, and two machines would never build the same.
import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Folders of this machine, and what stands for each of them in a release. Of two that fit, rustc takes the later. */
export function builder() {
  const { CARGO_HOME, CARGO_TARGET_DIR, CARGO_BUILD_BUILD_DIR, CARGO_BUILD_TARGET_DIR } = process.env;
  const toolchain = execFileSync('rustc', ['--print', 'sysroot'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const places = [
    [homedir(), '/home'],
    [CARGO_HOME ?? join(homedir(), '.cargo'), '/cargo'],
    [toolchain, '/rust'],
    [ROOT, '/vincula'],
    [CARGO_TARGET_DIR ?? CARGO_BUILD_TARGET_DIR, '/target'],
    [CARGO_BUILD_BUILD_DIR, '/target'],
  ];
  return places.filter(([folder]) => folder !== undefined && folder.length > 1);
}

/** Cargo's flags by which rustc writes those instead; by 0x1f, because folders may have spaces in their names. */
export function rustFlags() {
  return builder().map(([folder, name]) => `--remap-path-prefix=${folder}=${name}`).join('\x1f');
}
