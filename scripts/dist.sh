#!/usr/bin/env bash
# Builds dist/: the program, the site, example settings and third-party licences.
set -euo pipefail
cd "$(dirname "$0")/.."
new=target/dist
rm -rf $new
mkdir -p $new
# A copy without Git may have it in the environment.
if VINCULA_COMMIT=${VINCULA_COMMIT:-$(git describe --always --dirty --exclude '*' 2>/dev/null)}; then
	export VINCULA_COMMIT
fi
LEPTOS_HASH_FILES=true LEPTOS_SITE_ROOT=$new/site scripts/say.sh "building the release" cargo leptos build --release
cp target/release/vincula target/release/hash.txt deploy/vincula.env.example $new/
node scripts/compress.mjs $new/site $new/react
node scripts/notices.mjs $new/THIRD_PARTY_LICENSES.txt
# Whatever the umask, so that another user can run it.
chmod -R a+rX $new
rm -rf dist
mv $new dist
echo "✓ dist/vincula ($(du -sh dist | cut -f1) in all)"
