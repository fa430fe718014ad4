#!/usr/bin/env bash
# unchanged.sh FOLDER: fails where what was generated differs from what is committed.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -z "$(git status --porcelain -- "$1")" ] || { git --no-pager diff -- "$1"; echo "✗ $1 is not what the code generates: run 'make types' and commit" >&2; exit 1; }
