#!/usr/bin/env bash
# check.sh PART…: runs lints, test suites and other checks in order, until one fails. Each prints its time; the last line sums up
# all tests.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
export FORCE_COLOR=0 NO_COLOR=1
passed=0 failed=0

check_lint() {
  scripts/say.sh "format of Rust" cargo fmt --all --check &&
    # With an explicit host target, as in scripts/build.sh, so that both share build artifacts.
    scripts/say.sh "clippy" cargo clippy --quiet --locked --workspace --all-targets --target host-tuple -- -D warnings &&
    scripts/say.sh "clippy: browser" cargo clippy --quiet --locked --package vincula-front --target wasm32-unknown-unknown -- -D warnings &&
    scripts/say.sh "unused dependencies of Rust" cargo machete &&
    RUSTDOCFLAGS="-D warnings" scripts/say.sh "documentation" cargo doc --quiet --locked --no-deps --workspace --target host-tuple --document-private-items &&
    scripts/say.sh "format and lints of TypeScript and CSS" biome check --error-on-warnings &&
    scripts/say.sh "types of islands-react" npm --prefix islands-react run --silent check &&
    scripts/say.sh "types of end2end" npm --prefix end2end run --silent check &&
    scripts/say.sh "unused code of islands-react" knip --directory islands-react &&
    scripts/say.sh "unused code of end2end" knip --directory end2end &&
    check_scripts &&
    scripts/say.sh "types of the example" npm --prefix examples/widget-api run --silent check
}
# SC2015 and SC2016 warn of `a && b || c` and of `$` in single quotes, which are meant here. Left out if ShellCheck is not installed.
check_scripts() {
  if ! type -P shellcheck >/dev/null; then
    echo "! shell scripts are not checked: ShellCheck is not installed"
    [ -z "${CI:-}" ]
    return
  fi
  git ls-files -z '*.sh' .ci/run | xargs -0 scripts/say.sh "lints of shell scripts" shellcheck --external-sources --exclude=SC2015,SC2016
}
check_rust() { suite rust cargo test --locked --workspace --target host-tuple; }
check_react() { suite react npm --prefix islands-react test; }
check_example() { suite example npm --prefix examples/widget-api test; }
# The tests of Rust have written them.
check_generated() {
  scripts/say.sh "generated types are committed" \
    bash -c 'changes=$(git status --porcelain -- islands-react/src/generated); [ -z "$changes" ] || { echo "$changes"; exit 1; }'
}
check_dist() { scripts/dist.sh; }
check_browser() { suite browser npm --prefix end2end test; }
check_engines() { suite engines npm --prefix end2end run engines; }
check_watch() { scripts/say.sh "cargo leptos watch in a clean clone" node scripts/watch.mjs; }
check_budgets() { scripts/say.sh "size budgets" node scripts/budgets.mjs; }

# suite NAME COMMAND…: runs a test suite and adds up the summaries of cargo, Vitest, Playwright or Node. It fails if the command or a
# test fails, if a test is flaky (passes only on a retry), or if there is no result.
suite() {
  local name=$1 log=target/tests/$1.log code well bad flaky
  shift
  mkdir -p target/tests
  scripts/say.sh "tests: $name" "$@" 2>&1 | tee "$log"
  code=$?
  read -r well bad flaky < <(sed -E 's/^ℹ pass ([0-9]+)$/\1 passed/; s/^ℹ (fail|cancelled) ([0-9]+)$/\2 failed/' "$log" |
    grep -E '^test result: |^ *Tests  |^ *[0-9]+ (passed|failed|flaky|interrupted|did not run)( \(.*\))?$' |
    grep -oE '[0-9]+ (passed|failed|flaky|interrupted|did not run)' |
    awk '/passed/ { well += $1; next } /flaky/ { flaky += $1 } { bad += $1 } END { print well + 0, bad + 0, flaky + 0 }')
  # Without CI, engines that are not installed are skipped with this notice (end2end/engines.config.ts).
  if ((well + bad == 0)) && ! grep -q '^No tests in ' "$log"; then code=1; fi
  if ((code != 0 && bad == 0)); then bad=1; fi
  echo "$name: $well passed, $bad failed"
  if ((flaky > 0)); then echo "$name: $flaky of the failed tests passed when they were retried (flaky)"; fi
  passed=$((passed + well)) failed=$((failed + bad))
  ((bad == 0))
}

for part in "$@"; do
  "check_$part" || { failed=$((failed > 0 ? failed : 1)); break; }
done
case "$*" in lint | watch) ;; *) echo "$passed passed, $failed failed" ;; esac
((failed == 0))
