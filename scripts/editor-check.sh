#!/usr/bin/env bash
# rust-analyzer runs this on saving (.vscode/settings.json): clippy for server and browser code, as JSON, in its own
# target folder, so that it never waits for the lock of `make dev`.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
check=(cargo clippy --quiet --locked --message-format=json --target-dir target/rust-analyzer)
"${check[@]}" --workspace --all-targets
server=$?
"${check[@]}" --package vincula-front --target wasm32-unknown-unknown
exit $((server | $?))
