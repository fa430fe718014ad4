#!/usr/bin/env bash
# tests.sh NAME COMMAND…: runs a test suite and keeps its output for the summary.
set -euo pipefail
cd "$(dirname "$0")/.."
name=$1; shift
mkdir -p target/tests
FORCE_COLOR=0 NO_COLOR=1 scripts/say.sh "tests: $name" "$@" 2>&1 | tee "target/tests/$name.log"
