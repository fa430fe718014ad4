#!/usr/bin/env bash
# Format, lints and documentation, of Rust and of TypeScript.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/say.sh "format of Rust" cargo fmt --all --check
# For the host by name, as scripts/build does: what is built for one is not built again for the other.
scripts/say.sh "clippy" cargo clippy --quiet --locked --workspace --all-targets --target host-tuple -- -D warnings
scripts/say.sh "clippy: browser" cargo clippy --quiet --locked --package vincula-front --package vincula-bridge --target wasm32-unknown-unknown -- -D warnings
RUSTDOCFLAGS="-D warnings" scripts/say.sh "documentation" cargo doc --quiet --locked --no-deps --workspace --target host-tuple --document-private-items
scripts/say.sh "types and rules of islands-react" npm --prefix islands-react run --silent check
scripts/say.sh "types of end2end" npm --prefix end2end run --silent check
