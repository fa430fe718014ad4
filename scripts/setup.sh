#!/usr/bin/env bash
# setup.sh PART…: installs what is missing, and only that. Parts: rust node tools islands-react end2end chromium
# schemathesis kubernetes-validate.
set -euo pipefail
cd "$(dirname "$0")/.."

missing() {
  echo "✗ $1 is missing. $2" >&2
  exit 1
}

rust() {
  command -v cargo >/dev/null || missing "Rust (cargo)" "Install it from https://rustup.rs, then open a new shell."
  rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null | xargs -r test -d && return
  command -v rustup >/dev/null || missing "the Rust target wasm32-unknown-unknown" "Install it with your system's Rust packages."
  scripts/say.sh "adding the Rust target wasm32-unknown-unknown" rustup target add wasm32-unknown-unknown
}

node() {
  type -P node >/dev/null && type -P npm >/dev/null || missing "Node.js (node, npm)" "Install version 20.19 or newer from https://nodejs.org."
  local version
  version=$(command node --version)
  [[ $version =~ ^v([0-9]+)\.([0-9]+) ]] && ((BASH_REMATCH[1] > 20 || (BASH_REMATCH[1] == 20 && BASH_REMATCH[2] >= 19))) ||
    missing "Node.js 20.19 or newer (found $version)" "Install it from https://nodejs.org."
}

# cargo_tool NAME VERSION BINARY ARGS…: into a folder of its own by version, so that a second clone finds it.
cargo_tool() {
  local name=$1 version=$2 binary=$3 root=$VINCULA_TOOLS/$1-$2
  shift 3
  [ -x "$root/bin/$binary" ] && return
  scripts/say.sh "installing $name $version into $root (once; some minutes)" \
    cargo install --locked --quiet "$name" --version "$version" --root "$root" "$@"
}

# Build tools need not be fast: these settings save most of the time of their own build. wasm-bindgen reads the whole
# module at every edit, so some of its speed is worth the wait.
tools() (
  export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=1
  cargo_tool wasm-bindgen-cli "$WASM_BINDGEN" wasm-bindgen --bin wasm-bindgen
  export CARGO_PROFILE_RELEASE_OPT_LEVEL=0
  cargo_tool cargo-leptos "$CARGO_LEPTOS" cargo-leptos --features no_downloads
)

# npm_folder FOLDER: packages as its lock file says, unless they already are.
npm_folder() {
  cmp -s "$1/package-lock.json" "$1/node_modules/.installed-lock" && return
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 scripts/say.sh "installing the packages of $1" \
    npm ci --prefix "$1" --silent --no-audit --no-fund
  cp "$1/package-lock.json" "$1/node_modules/.installed-lock"
}

# python_tool NAME VERSION BINARY: into a virtual environment of its own by version.
python_tool() {
  local root=$VINCULA_TOOLS/$1-$2
  [ -x "$root/bin/$3" ] && return
  python3 -c 'import ensurepip' 2>/dev/null || missing "Python 3 with venv" "Install it (on Debian: apt-get install python3-venv)."
  scripts/say.sh "installing $1 $2 into $root (once)" sh -c \
    'python3 -m venv "$1" && "$1/bin/pip" install --quiet --disable-pip-version-check "$2"' sh "$root" "$1==$2"
}

schemathesis() { python_tool schemathesis "$SCHEMATHESIS" schemathesis; }
kubernetes-validate() { python_tool kubernetes-validate "$KUBERNETES_VALIDATE" kubernetes-validate; }

chromium() {
  [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || [ -x /usr/bin/chromium ] || install_chromium
}

install_chromium() {
  local how="Install it (on Debian: apt-get install chromium), or set CHROMIUM to its path."
  command -v apt-get >/dev/null || missing "Chromium" "$how"
  local as_root=()
  [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && as_root=(sudo); } || missing "Chromium" "$how"
  scripts/say.sh "installing Chromium for the browser tests" \
    "${as_root[@]}" sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null'
}

for part in "$@"; do
  case $part in
    islands-react | end2end) npm_folder "$part" ;;
    *) "$part" ;;
  esac
done
