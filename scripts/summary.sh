#!/usr/bin/env bash
# summary.sh [SUITE…]: adds up the results of the suites from the logs that tests.sh keeps. Fails if a test failed, or if
# the log of a named suite has no result. Without names: every suite that has a log.
set -euo pipefail
cd "$(dirname "$0")/.."
logs=${TEST_LOGS:-target/tests}
known=(scripts rust react browser engines)
suites=("$@")
if [ $# = 0 ]; then
  for suite in "${known[@]}"; do [ ! -e "$logs/$suite.log" ] || suites+=("$suite"); done
fi
[ ${#suites[@]} -gt 0 ] || { echo "no suite has left a log" >&2; exit 1; }

# Prints "passed failed skipped", added up from the closing lines of node, cargo, vitest or Playwright; nothing without one.
count() {
  local lines
  case $1 in
    scripts)
      awk '/^# (pass|fail|cancelled|skipped|todo) [0-9]+$/ { n[$2] = $3 } END { if ("pass" in n) print n["pass"], n["fail"] + n["cancelled"], n["skipped"] + n["todo"] }' "$2"
      return
      ;;
    rust) lines='^test result: ' ;;
    react) lines='^ *Tests  ' ;;
    # Each outcome has its own line; tests that did not run because of a failure count as failed.
    *) lines='^ *[0-9]+ (passed|failed|flaky|skipped|interrupted|did not run|errors? (was|were) not a part of any test.*)( \(.*\))?$' ;;
  esac
  grep -E "$lines" "$2" | grep -oE '[0-9]+ (passed|failed|flaky|skipped|ignored|todo|interrupted|did not run|errors? )' | awk '
    $2 == "passed" || $2 == "flaky" { passed += $1; next }
    $2 == "skipped" || $2 == "ignored" || $2 == "todo" { skipped += $1; next }
    { failed += $1 }
    END { if (NR) print passed + 0, failed + 0, skipped + 0 }'
}

passed=0 failed=0 missing=0
for suite in "${suites[@]}"; do
  counted=
  [ ! -e "$logs/$suite.log" ] || counted=$(count "$suite" "$logs/$suite.log" || true)
  if [ -z "$counted" ]; then
    echo "$suite: nothing was counted" >&2
    missing=1
    continue
  fi
  read -r p f s <<<"$counted"
  echo "$suite: $p passed, $f failed, $s skipped"
  passed=$((passed + p)) failed=$((failed + f))
  # Tests that passed on the retry, as Playwright lists them.
  grep -A20 -E '^ *[0-9]+ flaky' "$logs/$suite.log" || true
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$missing" = 0 ]
