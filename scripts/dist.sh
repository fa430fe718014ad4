#!/usr/bin/env bash
# Builds dist/: the program, the site, an SBOM and the licences.
set -euo pipefail
cd "$(dirname "$0")/.."
new=target/dist
node scripts/build/assemble.mjs release "$new"
scripts/say.sh "looking for paths of the build machine" node scripts/build/check-paths.mjs "$new"
scripts/say.sh "writing the SBOM" node scripts/sbom.mjs "$new/sbom"
cp deploy/vincula.env.example "$new/"
node scripts/notices.mjs "$new/THIRD_PARTY_LICENSES.txt"
rm -rf dist
mv "$new" dist
echo "✓ dist/vincula ($(du -sh dist | cut -f1) in all)"
