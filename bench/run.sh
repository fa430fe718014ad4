#!/usr/bin/env bash
# Compares the product with a static page and two SPAs over an emulated slow link, and writes docs/performance.md.
# Needs root for the network namespaces; ends all processes that it starts.
#   RUNS=5 RTT=150 DOWN=1600 UP=750 CPU=4 bench/run.sh
set -euo pipefail
cd "$(dirname "$0")/.."
bench=$PWD/bench; lab=$PWD/target/bench; product=${PRODUCT:-$PWD/dist}
export RUNS=${RUNS:-5} RTT=${RTT:-150} DOWN=${DOWN:-1600} UP=${UP:-750} CPU=${CPU:-4} API_MS=50 DELAY_MS=50
[ "$(id -u)" = 0 ] || { echo "✗ network namespaces need root: run this as root" >&2; exit 1; }
[ -x "$product/vincula" ] || { echo "✗ $product/vincula is missing: run make dist" >&2; exit 1; }
mkdir -p "$lab"
started=()
finish() { for one in "${started[@]}"; do kill "$one" 2>/dev/null || true; done; }
trap finish EXIT

for peer in usual-spa lean-spa; do
  [ -d "$lab/$peer/dist" ] && continue
  rm -rf "${lab:?}/$peer"
  cp -r "$bench/peers/$peer" "$lab/$peer"
  (cd "$lab/$peer" && scripts=$bench/../scripts && "$scripts/say.sh" "building $peer" sh -c 'npm ci --loglevel=error --no-audit --no-fund && npx vite build --logLevel error')
done
[ -f "$lab/key.pem" ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 -subj /CN=bench \
  -addext subjectAltName=IP:10.77.0.1 -keyout "$lab/key.pem" -out "$lab/cert.pem" 2>/dev/null
SPKI=$(openssl x509 -in "$lab/cert.pem" -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64)
export SPKI KEY=$lab/key.pem CERT=$lab/cert.pem HOST=10.77.0.1 WIRE=https://10.77.0.1:8441/__wire

scripts/say.sh "measuring the start" node "$bench/startup.mjs" "$product/vincula" "$lab/startup.json"
python3 "$bench/link.py" --rtt "$RTT" --down "$DOWN" --up "$UP" >"$lab/link.log" 2>&1 & started+=($!)
for _ in $(seq 100); do grep -q ready "$lab/link.log" && break; sleep 0.1; done
PORT=7400 ip netns exec vsrv node "$bench/upstream.mjs" >"$lab/upstream.log" 2>&1 & started+=($!)
WIDGET_API_URL=http://127.0.0.1:7400 LISTEN_ADDR=127.0.0.1:7480 SESSION_KEYS=$(openssl rand -hex 64) TRUSTED_PROXIES=none RUST_LOG=warn \
  ip netns exec vsrv "$product/vincula" >"$lab/product.log" 2>&1 & started+=($!)
ip netns exec vsrv node "$bench/front.mjs" "[
  {\"name\":\"static\",\"port\":8441,\"dir\":\"$bench/peers/static\"},
  {\"name\":\"lean-spa\",\"port\":8442,\"dir\":\"$lab/lean-spa/dist\"},
  {\"name\":\"usual-spa\",\"port\":8443,\"dir\":\"$lab/usual-spa/dist\"},
  {\"name\":\"product\",\"port\":8444,\"proxy\":\"http://127.0.0.1:7480\"}]" >"$lab/front.log" 2>&1 & started+=($!)
for _ in $(seq 100); do [ "$(grep -c ready "$lab/front.log")" = 4 ] && break; sleep 0.1; done
scripts/say.sh "measuring in the browser ($RUNS runs)" ip netns exec vcli env HOME="$lab" node "$bench/measure.mjs" '[
  {"name":"static","url":"https://10.77.0.1:8441/"},
  {"name":"lean-spa","url":"https://10.77.0.1:8442/?token=x"},
  {"name":"usual-spa","url":"https://10.77.0.1:8443/?token=x"},
  {"name":"product","url":"https://10.77.0.1:8444/?token=x"}]' "$RUNS" "$lab/results.json"
node "$bench/report.mjs" "$lab/results.json" "$lab/startup.json" "$product" docs/performance.md
