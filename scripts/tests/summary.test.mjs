// scripts/summary.sh reads the last lines of the test runners.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SUMMARY = fileURLToPath(new URL('../summary.sh', import.meta.url));

/** The runners' last lines without a terminal. */
const LOGS = {
  scripts: '# tests 3\n# pass 3\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n',
  rust: 'test result: ok. 7 passed; 0 failed; 1 ignored; 0 measured\ntest result: ok. 2 passed; 0 failed; 0 ignored\n',
  react: ' Test Files  2 passed (2)\n      Tests  5 passed (5)\n',
  browser: '[3/5] › 40 passed through\n  1 flaky\n    [phone] › a.spec.ts:1:1 › sometimes\n  2 skipped\n  4 passed (2.0m)\n',
  engines: '  6 passed (1.0m)\n',
};

function summary(logs, names = Object.keys(LOGS)) {
  const folder = mkdtempSync(join(tmpdir(), 'vincula-summary-'));
  for (const [name, text] of Object.entries(logs)) writeFileSync(join(folder, `${name}.log`), text);
  const { status, stdout } = spawnSync(SUMMARY, names, { env: { ...process.env, TEST_LOGS: folder }, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return { status, stdout, last: stdout.trim().split('\n').at(-1) };
}

test('what passed in all suites is added up', () => {
  const { status, stdout, last } = summary(LOGS);
  assert.deepEqual({ status, last }, { status: 0, last: '28 passed, 0 failed' });
  assert.match(stdout, /^rust: 9 passed, 0 failed, 1 skipped$/m);
  // Lists the tests that passed on the retry.
  assert.match(stdout, /^browser: 5 passed, 0 failed, 2 skipped\n  1 flaky\n.*sometimes$/m);
});

for (const [name, text] of Object.entries({
  scripts: '# pass 2\n# fail 1\n# cancelled 0\n',
  rust: 'test result: FAILED. 6 passed; 1 failed; 0 ignored\n',
  react: '      Tests  1 failed | 4 passed (5)\n',
  browser: '  1 failed\n    [phone] › a.spec.ts:1:1 › never\n  4 passed (2.0m)\n',
  engines: '  1 did not run\n  6 passed (1.0m)\n',
})) {
  test(`what failed in ${name} is counted, and fails`, () => {
    const { status, last } = summary({ ...LOGS, [name]: text });
    assert.equal(status, 1);
    assert.match(last, /passed, 1 failed$/);
  });
}

test('a suite without a count fails', () => {
  const { engines: _, ...rest } = LOGS;
  assert.equal(summary(rest).status, 1);
  assert.equal(summary({ ...LOGS, rust: 'error: could not compile\n' }).status, 1);
});

test('without names a suite may be absent, but not all of them', () => {
  const { browser } = LOGS;
  assert.deepEqual(summary({ browser }, []).last, '5 passed, 0 failed');
  assert.equal(summary({}, []).status, 1);
});
