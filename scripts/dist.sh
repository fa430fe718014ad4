#!/usr/bin/env bash
# Builds dist/: the program, and beside it the site with hashed, compressed files.
set -euo pipefail
cd "$(dirname "$0")/.."
# In place of the flags in .cargo/config.toml: each view a type of its own, which the optimiser makes small.
export RUSTFLAGS=""
scripts/say.sh "building React's islands" npm --prefix islands-react run --silent build
scripts/say.sh "building the release (the first time takes some minutes)" cargo leptos build --release --cargo-locked
rm -rf dist.new
mkdir dist.new
cp target/release/vincula target/release/hash.txt dist.new/
cp -r target/site dist.new/site
find dist.new/site \( -name '*.d.ts*' -o -name '*.d.*.ts*' -o -name '*.br' -o -name '*.gz' \) -delete
node scripts/short-names.mjs dist.new/site dist.new/hash.txt
node scripts/compress.mjs dist.new/site
scripts/say.sh "listing what it is made of" node scripts/sbom.mjs dist.new/sbom
cp deploy/vincula.env.example dist.new/
node scripts/notices.mjs dist.new/THIRD_PARTY_LICENSES.txt
rm -rf dist
mv dist.new dist
echo "✓ dist/vincula ($(du -sh dist | cut -f1) in all)"
