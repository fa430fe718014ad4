#!/usr/bin/env bash
# setup.sh PART…: installs only what is missing. Parts: rust node wasm-bindgen cargo-leptos islands-react end2end
# chromium engines schemathesis kubernetes-validate.
#
# Functions are named setup_PART, so that none hides a command of the same name.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup-engines.sh

missing() {
  echo "✗ $1 is missing. $2" >&2
  exit 1
}

setup_rust() {
  type -P cargo >/dev/null || missing "Rust (cargo)" "Install it from https://rustup.rs, then open a new shell."
  [ -d "$(rustc --print target-libdir --target wasm32-unknown-unknown)" ] && return
  type -P rustup >/dev/null || missing "the Rust target wasm32-unknown-unknown" "Install it with your system's Rust packages."
  scripts/say.sh "adding the Rust target wasm32-unknown-unknown" rustup target add wasm32-unknown-unknown
}

setup_node() {
  type -P node >/dev/null && type -P npm >/dev/null || missing "Node.js (node, npm)" "Install version 20.19 or newer from https://nodejs.org."
  local version
  version=$(node --version)
  [[ $version =~ ^v([0-9]+)\.([0-9]+) ]] && ((BASH_REMATCH[1] > 20 || (BASH_REMATCH[1] == 20 && BASH_REMATCH[2] >= 19))) ||
    missing "Node.js 20.19 or newer (found $version)" "Install it from https://nodejs.org."
}

# cargo_tool NAME VERSION PREBUILT ARGS…: installs a command into a folder per version, which all clones share.
# cargo-binstall, if installed, downloads the package PREBUILT; otherwise `cargo install ARGS…` builds it. The tool need
# not be fast: these settings save most of its build time.
cargo_tool() {
  local name=$1 version=$2 prebuilt=$3 root=$VINCULA_TOOLS/$1-$2
  shift 3
  [ -x "$root/bin/$name" ] && return
  if type -P cargo-binstall >/dev/null &&
    scripts/say.sh "downloading $prebuilt $version into $root (once)" \
      cargo binstall --no-confirm --root "$root" "$prebuilt@$version" && [ -x "$root/bin/$name" ]; then
    return
  fi
  CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=${OPT_LEVEL:-0} \
    scripts/say.sh "building $name $version into $root (once; $minutes)" cargo install --locked --quiet --root "$root" "$@"
}

setup_wasm-bindgen() {
  local minutes="about a minute"
  cargo_tool wasm-bindgen "$WASM_BINDGEN" wasm-bindgen-cli --path scripts/wasm-bindgen
}

# For `make dev` only.
setup_cargo-leptos() {
  local minutes="about eight minutes"
  cargo_tool cargo-leptos "$CARGO_LEPTOS" cargo-leptos cargo-leptos --version "$CARGO_LEPTOS" --features no_downloads
}

# npm_folder FOLDER: installs the packages of its lock file, unless they are installed.
npm_folder() {
  cmp -s "$1/package-lock.json" "$1/node_modules/.installed-lock" && return
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 scripts/say.sh "installing the packages of $1" \
    npm ci --prefix "$1" --no-audit --no-fund --loglevel=error
  cp "$1/package-lock.json" "$1/node_modules/.installed-lock"
}

setup_islands-react() { npm_folder islands-react; }
setup_end2end() { npm_folder end2end; }

# Needs the part end2end, whose Playwright knows the path of its own download.
setup_chromium() {
  node end2end/chromium.mjs >/dev/null && return
  apt_install "Chromium for the browser tests" chromium && node end2end/chromium.mjs >/dev/null && return
  scripts/say.sh "downloading Chromium with Playwright" npm exec --prefix end2end -- playwright install chromium-headless-shell chromium || true
  node end2end/chromium.mjs >/dev/null || missing "Chromium" "Install Chromium or Chrome, or set CHROMIUM to its path."
}

# apt_install WHAT PACKAGE…: fails if there is no apt, or the user is neither root nor has sudo.
apt_install() {
  local what=$1 as_root=()
  shift
  type -P apt-get >/dev/null || return 1
  [ "$(id -u)" = 0 ] || { type -P sudo >/dev/null && as_root=(sudo); } || return 1
  scripts/say.sh "installing $what" "${as_root[@]}" sh -c \
    'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null' sh "$@"
}

# python_tool NAME VERSION BINARY: installs it into a virtual environment per version.
python_tool() {
  local root=$VINCULA_TOOLS/$1-$2
  [ -x "$root/bin/$3" ] && return
  python3 -c 'import ensurepip' 2>/dev/null || missing "Python 3 with venv" "Install it (on Debian: apt-get install python3-venv)."
  scripts/say.sh "installing $1 $2 into $root (once)" sh -c \
    'python3 -m venv "$1" && "$1/bin/pip" install --quiet --disable-pip-version-check "$2"' sh "$root" "$1==$2"
}

setup_schemathesis() { python_tool schemathesis "$SCHEMATHESIS" schemathesis; }
setup_kubernetes-validate() { python_tool kubernetes-validate "$KUBERNETES_VALIDATE" kubernetes-validate; }

for part in "$@"; do "setup_$part"; done
