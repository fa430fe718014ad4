#!/usr/bin/env bash
# Format, lints and documentation of Rust; types and lints of TypeScript.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/say.sh "format of Rust" cargo fmt --all --check
# With an explicit host target, as in scripts/build, so that both share build artifacts.
scripts/say.sh "clippy" cargo clippy --quiet --locked --workspace --all-targets --target host-tuple -- -D warnings
scripts/say.sh "clippy: browser" cargo clippy --quiet --locked --package vincula-front --package vincula-bridge --target wasm32-unknown-unknown -- -D warnings
RUSTDOCFLAGS="-D warnings" scripts/say.sh "documentation" cargo doc --quiet --locked --no-deps --workspace --target host-tuple --document-private-items
scripts/say.sh "types and lints of islands-react" npm --prefix islands-react run --silent check
scripts/say.sh "types of end2end" npm --prefix end2end run --silent check
