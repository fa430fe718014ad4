// scripts/setup.sh on simulated machines: a PATH of stubs that record their calls, and do as much of their work as the
// next step checks for.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The commands of a bare system that the scripts may use. */
const SYSTEM = ['bash', 'sh', 'cat', 'chmod', 'cmp', 'cp', 'dirname', 'env', 'mkdir', 'sed', 'sleep'];

/** What README's two commands set up. */
const ALL = ['rust', 'node', 'wasm-bindgen', 'islands-react', 'end2end', 'chromium'];

/** What each stub does after recording its call. `$home` is the machine. */
const STUBS = {
  // So that no test depends on the user that runs it.
  id: 'echo 0',
  cargo: `
    [ "$1" = install ] || exit 0
    while [ $# -gt 0 ]; do [ "$1" = --root ] && root=$2; case $1 in scripts/wasm-bindgen) name=wasm-bindgen;; cargo-leptos) name=cargo-leptos;; esac; shift; done
    mkdir -p "$root/bin" && echo "#!$home/bin/sh" >"$root/bin/$name" && chmod +x "$root/bin/$name"`,
  rustc: 'echo "$home/wasm-target"',
  rustup: 'mkdir "$home/wasm-target"',
  npm: `
    case $1 in
    ci) mkdir -p "$3/node_modules" ;;
    exec) echo "#!$home/bin/sh" >"$home/bin/chromium"; chmod +x "$home/bin/chromium" ;;
    esac`,
  'apt-get': `
    [ "$1" = install ] || exit 0
    for package; do :; done
    echo "#!$home/bin/sh" >"$home/bin/$package"; chmod +x "$home/bin/$package"`,
};

let home;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vincula-setup-'));
  mkdirSync(join(home, 'bin'));
  for (const name of SYSTEM) symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(home, 'bin', name));
  symlinkSync(process.execPath, join(home, 'bin/node'));
  for (const name of Object.keys(STUBS)) stub(name, STUBS[name]);
  cpSync(join(ROOT, 'scripts'), join(home, 'project/scripts'), { recursive: true, filter: (path) => !path.includes('/target') });
  for (const file of ['islands-react/package-lock.json', 'end2end/package-lock.json', 'end2end/chromium.mjs']) {
    mkdirSync(join(home, 'project', file, '..'), { recursive: true });
    cpSync(join(ROOT, file), join(home, 'project', file));
  }
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

test('a bare machine gets everything that run and test need', () => {
  const { calls } = setUp(ALL);
  for (const expected of [
    /^rustup target add wasm32-unknown-unknown$/,
    /^cargo install .*--path scripts\/wasm-bindgen$/,
    /^npm ci --prefix islands-react /,
    /^npm ci --prefix end2end /,
    /^apt-get update/,
    /^apt-get install .* chromium$/,
  ]) {
    assert.equal(calls.filter((call) => expected.test(call)).length, 1, `${expected} in\n${calls.join('\n')}`);
  }
  assert.ok(!calls.some((call) => call.includes('cargo-leptos')), 'only make dev needs cargo-leptos');
});

test('a machine that has everything gets nothing', () => {
  setUp([...ALL, 'cargo-leptos']);
  const { calls } = setUp([...ALL, 'cargo-leptos']);
  assert.deepEqual(calls.filter((call) => !/^(rustc|id) /.test(`${call} `)), []);
});

test('make dev gets cargo-leptos', () => {
  const { calls } = setUp(['cargo-leptos']);
  assert.match(calls.join('\n'), /^cargo install .* cargo-leptos --version 9\.9\.9 --features no_downloads$/m);
});

test('a tool of another version is built again', () => {
  setUp(['wasm-bindgen']);
  const { calls } = setUp(['wasm-bindgen'], { WASM_BINDGEN: '9.9.8' });
  assert.equal(calls.filter((call) => call.startsWith('cargo install')).length, 1);
});

test('packages are installed again where the lock file is another', () => {
  setUp(['islands-react']);
  writeFileSync(join(home, 'project/islands-react/package-lock.json'), '{}');
  assert.equal(setUp(['islands-react']).calls.length, 1);
});

for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
  test(`a machine with ${name} gets no other browser`, () => {
    stub(name, '');
    assert.deepEqual(setUp(['chromium']).calls, []);
  });
}

test('a browser named by CHROMIUM is enough', () => {
  assert.deepEqual(setUp(['chromium'], { CHROMIUM: '/somewhere/chrome' }).calls, []);
});

test('without apt the browser is downloaded with Playwright', () => {
  rmSync(join(home, 'bin/apt-get'));
  assert.match(setUp(['chromium']).calls.join('\n'), /^npm exec --prefix end2end -- playwright install .*chromium$/m);
});

test('where apt fails the browser is downloaded with Playwright', () => {
  stub('apt-get', 'exit 100');
  assert.match(setUp(['chromium']).calls.join('\n'), /^npm exec /m);
});

test('who is not root installs with sudo', () => {
  stub('id', 'echo 1000');
  stub('sudo', 'exec "$@"');
  assert.match(setUp(['chromium']).calls.join('\n'), /^sudo sh -c /m);
});

test('who is neither root nor has sudo downloads the browser with Playwright', () => {
  stub('id', 'echo 1000');
  const { calls } = setUp(['chromium']);
  assert.ok(!calls.some((call) => call.startsWith('apt-get')) && calls.some((call) => call.startsWith('npm exec')));
});

test('no browser at all is said', () => {
  rmSync(join(home, 'bin/apt-get'));
  stub('npm', 'exit 1');
  const { code, said } = setUp(['chromium'], {}, false);
  assert.equal(code, 1);
  assert.match(said, /Chromium is missing/);
});

test('cargo-binstall brings the tools prebuilt', () => {
  stub('cargo-binstall', '');
  stub('cargo', `mkdir -p "$4/bin" && echo "#!$home/bin/sh" >"$4/bin/wasm-bindgen" && chmod +x "$4/bin/wasm-bindgen"`);
  assert.deepEqual(setUp(['wasm-bindgen']).calls, [
    `cargo binstall --no-confirm --root ${home}/tools/wasm-bindgen-9.9.9 wasm-bindgen-cli@9.9.9`,
  ]);
});

test('where cargo-binstall has none the tool is built', () => {
  stub('cargo-binstall', '');
  stub('cargo', `[ "$1" = binstall ] && exit 1\n${STUBS.cargo}`);
  assert.match(setUp(['wasm-bindgen']).calls.join('\n'), /^cargo install /m);
});

test('what npm complains of is seen, and nothing counts as installed', () => {
  stub('npm', 'echo "SELF_SIGNED_CERT_IN_CHAIN" >&2; exit 1');
  const { code, said } = setUp(['islands-react'], {}, false);
  assert.equal(code, 1);
  assert.match(said, /SELF_SIGNED_CERT_IN_CHAIN/);
  assert.ok(!existsSync(join(home, 'project/islands-react/node_modules/.installed-lock')));
});

test('npm is not told to be silent', () => {
  const { calls } = setUp(['islands-react']);
  assert.doesNotMatch(calls.join('\n'), /--silent|--quiet|loglevel=silent/);
});

test('what cargo complains of is seen', () => {
  stub('cargo', 'echo "error: failed to compile" >&2; exit 101');
  const { code, said } = setUp(['wasm-bindgen'], {}, false);
  assert.equal(code, 101);
  assert.match(said, /failed to compile/);
});

for (const [command, part, words] of [['cargo', 'rust', /Rust \(cargo\) is missing/], ['npm', 'node', /Node\.js .* is missing/]]) {
  test(`without ${command} it says what to install`, () => {
    rmSync(join(home, 'bin', command));
    const { code, said } = setUp([part], {}, false);
    assert.equal(code, 1);
    assert.match(said, words);
  });
}

test('an older Node.js is refused by its version', () => {
  rmSync(join(home, 'bin/node'));
  stub('node', 'echo v18.20.4');
  const { code, said } = setUp(['node'], {}, false);
  assert.equal(code, 1);
  assert.match(said, /found v18\.20\.4/);
});

test("README's two commands set up what they need before they use it", () => {
  const steps = (target) => execFileSync('make', ['--dry-run', '--no-print-directory', target], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  const at = (lines, pattern) => lines.findIndex((line) => pattern.test(line));
  const run = steps('run');
  assert.ok(at(run, /setup\.sh rust node wasm-bindgen islands-react/) === 0 && at(run, /assemble\.mjs debug/) > 0);
  const parts = steps('test');
  const tools = at(parts, /setup\.sh end2end chromium/);
  assert.ok(tools >= 0 && tools < at(parts, /dist\.sh/) && tools < at(parts, /--prefix end2end/));
});

test('run, dist and dev build into folders of their own', () => {
  const folders = ['Makefile', 'scripts/dist.sh', 'scripts/dev.sh', 'islands-react/package.json', 'Cargo.toml'].map((file) => readFileSync(join(ROOT, file), 'utf8'));
  const [makefile, dist, , react, cargo] = folders;
  assert.match(makefile, /assemble\.mjs debug target\/run$/m);
  assert.match(dist, /^new=target\/dist$/m);
  assert.match(react, /"dev": "node build\.mjs \.\.\/target\/react --watch"/);
  assert.match(cargo, /^site-root = "target\/site"$/m);
});

/** Puts a command on the machine's PATH that records its calls. */
function stub(name, body) {
  const path = join(home, 'bin', name);
  rmSync(path, { force: true });
  writeFileSync(path, `#!${join(home, 'bin/sh')}\nhome=${home}\necho "${name} $*" >>"$home/calls"\n${body}\n`);
  chmodSync(path, 0o755);
}

/** Runs setup.sh there. */
function setUp(parts, settings = {}, works = true) {
  rmSync(join(home, 'calls'), { force: true });
  const env = { PATH: join(home, 'bin'), HOME: home, VINCULA_TOOLS: join(home, 'tools'), WASM_BINDGEN: '9.9.9', CARGO_LEPTOS: '9.9.9', ...settings };
  const { status, stdout, stderr } = spawnSync('bash', ['scripts/setup.sh', ...parts], { cwd: join(home, 'project'), env, encoding: 'utf8' });
  const said = `${stdout}${stderr}`;
  if (works) assert.equal(status, 0, said);
  const calls = existsSync(join(home, 'calls')) ? readFileSync(join(home, 'calls'), 'utf8').trim().split('\n') : [];
  // `id` calls are not installations.
  return { code: status, said, calls: calls.filter((call) => !call.startsWith('id ')) };
}
