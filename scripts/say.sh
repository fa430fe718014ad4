#!/usr/bin/env bash
# say.sh WHAT COMMAND…: prints WHAT, runs the command, and prints how long it took.
set -euo pipefail
what=$1; shift
started=$SECONDS
echo "▸ $what"
"$@" || { code=$?; echo "✗ $what: failed ($((SECONDS - started)) s)" >&2; exit "$code"; }
echo "✓ $what ($((SECONDS - started)) s)"
