#!/usr/bin/env bash
# Builds dist/: the program, the site, example settings and third-party licences.
set -euo pipefail
cd "$(dirname "$0")/.."
new=target/dist
node scripts/build/quick.mjs release "$new"
cp deploy/vincula.env.example "$new/"
node scripts/notices.mjs "$new/THIRD_PARTY_LICENSES.txt"
rm -rf dist
mv "$new" dist
echo "✓ dist/vincula ($(du -sh dist | cut -f1) in all)"
