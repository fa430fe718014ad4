#!/usr/bin/env bash
# Watches React and, through cargo-leptos, Rust and CSS; stops both together.
set -euo pipefail
cd "$(dirname "$0")/.."
# Once: the script is in the group that it ends, and would trap its own signal until the stack is full.
trap 'trap - INT TERM EXIT; kill 0' INT TERM EXIT
# Unhashed names: they must not change while pages are open.
export LEPTOS_HASH_FILES=false
rm -f target/react/islands/manifest.json
npm --prefix islands-react run --silent dev &
until [ -f target/react/islands/manifest.json ]; do sleep 0.1; done
cargo leptos watch
