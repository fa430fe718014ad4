#!/usr/bin/env bash
# unchanged.sh FOLDER: fails if the generated files differ from the committed ones.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -z "$(git status --porcelain -- "$1")" ] || { git --no-pager diff -- "$1"; echo "✗ $1 is not what the code generates: run 'make types' and commit" >&2; exit 1; }
