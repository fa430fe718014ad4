#!/usr/bin/env bash
# Runs ExecReload of deploy/vincula.service on dist/vincula as systemd does, with MAINPID and the unit's environment: it
# reads the brands anew, and without brands fails and leaves the process alone.
set -euo pipefail
cd "$(dirname "$0")/.."
reload=$(sed -n 's/^ExecReload=//p' deploy/vincula.service)
log=$(mktemp)
MAINPID=
finish() { kill "$MAINPID" 2>/dev/null || true; rm -f "$log"; }
trap finish EXIT
export MAINPID EMBEDDED_SANDBOX=true LISTEN_ADDR=127.0.0.1:0

# logged TEXT: waits until the log has it.
logged() {
  for _ in $(seq 100); do grep -q "$1" "$log" && return; sleep 0.1; done
  echo "the log lacks \"$1\":" >&2
  cat "$log" >&2
  exit 1
}

export BRANDS_DIR=deploy/brands-example
dist/vincula >"$log" 2>&1 & MAINPID=$!
logged "Open one of these"
sh -c "$reload"
logged "brands read"
kill "$MAINPID"
wait "$MAINPID" || true

unset BRANDS_DIR
dist/vincula >"$log" 2>&1 & MAINPID=$!
logged "Open one of these"
if sh -c "$reload"; then echo "a reload without brands succeeded" >&2; exit 1; fi
sleep 0.5
kill -0 "$MAINPID" || { echo "a reload without brands ended the process" >&2; exit 1; }
