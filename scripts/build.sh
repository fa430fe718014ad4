#!/usr/bin/env bash
# Builds the product for `make run` into target/run/, as `cargo leptos build` does, but without cargo-leptos, which takes
# eight minutes to install.
set -euo pipefail
cd "$(dirname "$0")/.."
run=target/run
wasm=target/wasm32-unknown-unknown/debug/vincula_front.wasm

# The explicit target makes Cargo share proc macros with the wasm module and the tests.
scripts/say.sh "building the server (the first time takes some minutes)" cargo build --locked --bin vincula --target host-tuple
# cargo-leptos sets the same flag, which makes the build much faster.
RUSTFLAGS="--cfg erase_components" scripts/say.sh "building the wasm module" \
  cargo build --locked --package vincula-front --target wasm32-unknown-unknown

rm -rf $run
mkdir -p $run/site/pkg
cp -r public/. $run/site/
wasm-bindgen --target web --no-typescript --out-dir $run/site/pkg --out-name vincula $wasm
mv $run/site/pkg/vincula_bg.wasm $run/site/pkg/vincula.wasm
scripts/say.sh "building React's islands and the style sheet" node islands-react/build.mjs $run/react
cp "target/$(rustc --print host-tuple)/debug/vincula" $run/
