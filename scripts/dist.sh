#!/usr/bin/env bash
# Builds dist/: the program, beside it the site, and what a release has to name.
set -euo pipefail
cd "$(dirname "$0")/.."
new=target/dist
node scripts/build/assemble.mjs release "$new"
scripts/say.sh "looking for the builder's folders" node scripts/build/no-builder.mjs "$new"
scripts/say.sh "listing what it is made of" node scripts/sbom.mjs "$new/sbom"
cp deploy/vincula.env.example "$new/"
node scripts/notices.mjs "$new/THIRD_PARTY_LICENSES.txt"
rm -rf dist
mv "$new" dist
echo "✓ dist/vincula ($(du -sh dist | cut -f1) in all)"
