#!/usr/bin/env bash
# leptos-cargo.sh ARG…: cargo-leptos runs this in place of `cargo ARG…` for the server (`bin-cargo-command` in
# Cargo.toml). Before a build, it builds what esbuild builds, next to the site of cargo-leptos, which
# empties its own folder at each change of public/.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = build ]; then
  scripts/setup.sh node islands-react
  node islands-react/build.mjs "$(dirname "${LEPTOS_SITE_ROOT:-target/site}")/react" ${LEPTOS_WATCH:+--watched}
fi
exec cargo "$@"
