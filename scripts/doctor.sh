#!/usr/bin/env bash
# Checks this machine for what the build, the tests and the further checks need, and prints the command that installs
# what is missing. Changes nothing. Exits with 1 if the build itself would fail.
set -uo pipefail
cd "$(dirname "$0")/.."
broken=0

well() { echo "✓ $1"; }
# lacks WHAT COMMAND: the build needs it.
lacks() { broken=1; printf '✗ %s\n    %s\n' "$1" "$2"; }
# wants WHAT COMMAND: something else needs it, or make installs it.
wants() { printf '! %s\n    %s\n' "$1" "$2"; }
has() { type -P "$1" >/dev/null; }

echo "For make run, dev, dist:"
if has cargo && cargo --version >/dev/null 2>&1; then well "$(cargo --version)"; else lacks "Rust (cargo)" "curl https://sh.rustup.rs -sSf | sh   # then open a new shell"; fi
target=$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null)
if [ -d "${target:-/nowhere}" ]; then well "Rust target wasm32-unknown-unknown"; else wants "Rust target wasm32-unknown-unknown (make adds it with rustup)" "rustup target add wasm32-unknown-unknown"; fi
if has cc; then well "C compiler and linker ($(cc -dumpmachine))"; else lacks "C compiler and linker" "apt-get install build-essential   # or your system's like"; fi
version=$(type -P node >/dev/null && command node --version)
if [[ ${version:-} =~ ^v([0-9]+)\.([0-9]+) ]] && ((BASH_REMATCH[1] > 20 || (BASH_REMATCH[1] == 20 && BASH_REMATCH[2] >= 19))) && has npm; then
  well "Node.js $version and npm"
else
  lacks "Node.js 20.19 or newer with npm (found ${version:-none})" "https://nodejs.org, or: npm install -g n && n 22"
fi
for tool in "wasm-bindgen-$WASM_BINDGEN/bin/wasm-bindgen" "cargo-leptos-$CARGO_LEPTOS/bin/cargo-leptos"; do
  if [ -x "$VINCULA_TOOLS/$tool" ]; then well "${tool%%/*}"; else wants "${tool%%/*} (make installs it when it is needed)" "make setup setup-dev"; fi
done
for folder in islands-react end2end; do
  if cmp -s $folder/package-lock.json $folder/node_modules/.installed-lock; then well "packages of $folder"; else wants "packages of $folder are not those of its lock file" "make setup-tests"; fi
done
free=$(df -Pk . | awk 'NR == 2 { print int($4 / 1048576) }')
if ((free >= 12)); then well "$free GB of disk are free"; else lacks "12 GB of free disk (there are $free)" "make clean   # frees what was built here"; fi
memory=$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo 2>/dev/null || echo 99)
if ((memory >= 3)); then well "$memory GB of memory are free"; else wants "3 GB of free memory (there are $memory): linking may be killed" "CARGO_BUILD_JOBS=1 make build"; fi
for port in 3000 3001; do
  if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
    wants "port $port is taken (make run and dev listen there)" "LISTEN_ADDR=127.0.0.1:3100 make run   # or stop the listener: ss -ltnp 'sport = :$port'"
  else
    well "port $port is free"
  fi
done

echo "For make test, check:"
browser=$(node end2end/chromium.mjs 2>/dev/null)
if [ -n "$browser" ]; then well "Chromium ($browser)"; else wants "Chromium (make installs it)" "apt-get install chromium   # or set CHROMIUM to its path"; fi
if has WebKitWebDriver && has Xvfb; then well "WebKit"; else wants "WebKit and Xvfb (make installs them where there is apt)" "apt-get install webkit2gtk-driver xvfb"; fi
if has firefox-esr || has firefox; then well "Firefox"; else wants "Firefox (make installs it where there is apt)" "apt-get install firefox-esr"; fi

echo "For make contract, replicas, standalone, deploy-check:"
if python3 -c 'import ensurepip' 2>/dev/null; then well "Python 3 with venv"; else wants "Python 3 with venv (contract, deploy-check)" "apt-get install python3-venv"; fi
if has haproxy; then well "HAProxy"; else wants "HAProxy (replicas)" "apt-get install haproxy"; fi
if has promtool; then well "promtool"; else wants "promtool (deploy-check)" "apt-get install prometheus"; fi
if has systemd-analyze; then well "systemd-analyze"; else wants "systemd-analyze (deploy-check)" "apt-get install systemd"; fi
if has unshare && has chroot; then well "unshare and chroot"; else wants "unshare and chroot (standalone)" "apt-get install util-linux coreutils"; fi

if ((broken)); then echo "Fix what is marked with ✗. What is marked with ! is optional, or make installs it when needed."; else echo "Ready: make run"; fi
exit "$broken"
