#!/usr/bin/env bash
# end2end.sh ARG…: tests in Chromium the product that cargo-leptos has built, and installs what the tests need. `cargo leptos end-to-end`
# runs it (`end2end-cmd` in Cargo.toml). ARG… are passed to Playwright.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh node end2end example chromium
VINCULA_BIN=$PWD/target/vincula npm --prefix end2end test -- "$@"
