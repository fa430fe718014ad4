#!/usr/bin/env bash
# Watches React and, through cargo-leptos, Rust and CSS; stops both together.
set -euo pipefail
cd "$(dirname "$0")/.."
# Reset the trap first: kill 0 also signals this script, which would trap its own signal until the stack overflows.
trap 'trap - INT TERM EXIT; kill 0' INT TERM EXIT
# Unhashed names, so that they do not change while pages are open.
export LEPTOS_HASH_FILES=false
rm -f target/react/islands/manifest.json
npm --prefix islands-react run --silent dev &
until [ -f target/react/islands/manifest.json ]; do sleep 0.1; done
cargo leptos watch
