#!/usr/bin/env bash
# What rust-analyzer runs on saving (.vscode/settings.json): clippy of the server and of the browser's part, as JSON, in
# a folder of its own so that it never waits for `make dev`.
set -uo pipefail
cd "$(dirname "$0")/.."
check=(cargo clippy --quiet --locked --message-format=json --target-dir target/rust-analyzer)
"${check[@]}" --workspace --all-targets
server=$?
"${check[@]}" --package vincula-front --package vincula-bridge --target wasm32-unknown-unknown
exit $((server | $?))
