#!/usr/bin/env bash
# Compares the product with a static page and an SPA over an emulated slow link, and prints the results. Needs root for
# the network namespaces. RTT is in ms, DOWN and UP in kbit/s; CPU is the factor that slows the processor down.
#   RUNS=5 RTT=150 DOWN=1600 UP=750 CPU=4 bench/run.sh
set -euo pipefail
cd "$(dirname "$0")/.."
bench=$PWD/bench
lab=$PWD/target/bench
product=${PRODUCT:-$PWD/dist}
export RUNS=${RUNS:-5} CPU=${CPU:-4} API_MS=50
[ "$(id -u)" = 0 ] || { echo "✗ network namespaces need root: run this as root" >&2; exit 1; }
mkdir -p "$lab"
started=()
finish() { for one in "${started[@]}"; do kill "$one" 2>/dev/null || true; done; }
trap finish EXIT

if [ ! -d "$lab/lean-spa/dist" ]; then
  rm -rf "$lab/lean-spa"
  cp -r "$bench/peers/lean-spa" "$lab/lean-spa"
  scripts/say.sh "building lean-spa" sh -c 'cd "$1" && npm ci --loglevel=error --no-audit --no-fund && npx vite build --logLevel error' sh "$lab/lean-spa"
fi
[ -f "$lab/key.pem" ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 -subj /CN=bench \
  -addext subjectAltName=IP:10.77.0.1 -keyout "$lab/key.pem" -out "$lab/cert.pem" 2>/dev/null
SPKI=$(openssl x509 -in "$lab/cert.pem" -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64)
export SPKI KEY=$lab/key.pem CERT=$lab/cert.pem HOST=10.77.0.1

python3 "$bench/link.py" --rtt "${RTT:-150}" --down "${DOWN:-1600}" --up "${UP:-750}" >"$lab/link.log" 2>&1 & started+=($!)
for _ in $(seq 100); do grep -q ready "$lab/link.log" && break; sleep 0.1; done
# With --slow-ms, every call of the link `demo-lento` takes as long as the API of the SPA.
ip netns exec vsrv "$product/vincula" sandbox --addr 127.0.0.1:7400 --slow-ms "$API_MS" >"$lab/sandbox.log" 2>&1 & started+=($!)
WIDGET_API_URL=http://127.0.0.1:7400/widget-api LISTEN_ADDR=127.0.0.1:7480 SESSION_KEYS=$(openssl rand -hex 64) TRUSTED_PROXIES=none RUST_LOG=warn \
  ip netns exec vsrv "$product/vincula" >"$lab/product.log" 2>&1 & started+=($!)
ip netns exec vsrv node "$bench/front.mjs" "[
  {\"name\":\"static\",\"port\":8441,\"dir\":\"$bench/peers/static\"},
  {\"name\":\"lean-spa\",\"port\":8442,\"dir\":\"$lab/lean-spa/dist\"},
  {\"name\":\"product\",\"port\":8443,\"proxy\":\"http://127.0.0.1:7480\"}]" >"$lab/front.log" 2>&1 & started+=($!)
for _ in $(seq 100); do [ "$(grep -c ready "$lab/front.log")" = 3 ] && break; sleep 0.1; done
scripts/say.sh "measuring in the browser ($RUNS runs)" ip netns exec vcli env HOME="$lab" node "$bench/measure.mjs" '[
  {"name":"static page, the floor","url":"https://10.77.0.1:8441/"},
  {"name":"lean SPA","url":"https://10.77.0.1:8442/?token=x"},
  {"name":"Vincula","url":"https://10.77.0.1:8443/?token=demo-lento"}]' "$RUNS"
