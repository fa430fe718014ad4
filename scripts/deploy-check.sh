#!/usr/bin/env bash
# Checks deploy/ with the tools that use it.
set -euo pipefail
cd "$(dirname "$0")/.."

# The unit with dist/ instead of /opt/vincula; its exposure may be at most 1.5 of 10.
unit=$(mktemp -d)/vincula.service
trap 'rm -rf "$(dirname "$unit")"' EXIT
sed "s#/opt/vincula#$PWD/dist#" deploy/vincula.service >"$unit"
scripts/say.sh "systemd: the unit is valid" systemd-analyze verify --man=no "$unit"
scripts/say.sh "systemd: the unit is sandboxed" sh -c 'systemd-analyze security --offline=true --threshold=15 "$1" | tail -1' sh "$unit"

scripts/say.sh "Kubernetes: every resource fits its schema" \
  "$VINCULA_TOOLS/kubernetes-validate-$KUBERNETES_VALIDATE/bin/kubernetes-validate" --strict deploy/kubernetes/*.yaml
scripts/say.sh "Prometheus: the alerts are valid, and fire when they should" \
  sh -c 'promtool check rules deploy/prometheus/alerts.yaml && promtool test rules deploy/prometheus/alerts.test.yaml'
scripts/say.sh "Grafana: every panel has a number" node scripts/dashboard.mjs

# The program knows every setting of the example, and accepts its value.
scripts/say.sh "the example of the environment is valid" sh -c '
  set -a; . deploy/vincula.env.example; SESSION_KEYS=$(seq -f "%02.0f" 10 73 | tr -d "\n"); WIDGET_API_URL=http://127.0.0.1:9; set +a
  said=$(dist/vincula --check-config || true)
  echo "$said" | grep -q "SESSION_KEYS: 1" || { echo "$said"; exit 1; }
  known=$(dist/vincula --help | tr -s "[:space:]" " ")
  for name in $(grep -oE "^#?[A-Z_]+=" deploy/vincula.env.example | tr -d "#="); do
    echo "$known" | grep -qE "\[env: $name[]=]" || { echo "$name is not a setting"; exit 1; }
  done'
