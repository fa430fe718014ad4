#!/usr/bin/env bash
# setup.sh PART…: installs only what is missing. Parts: rust node wasm-bindgen cargo-leptos cargo-machete islands-react end2end
# example chromium engines shellcheck. Functions are named setup_PART, so that none hides a command of the same name.
set -euo pipefail
cd "$(dirname "$0")/.."

missing() {
  echo "✗ $1 is missing. $2" >&2
  exit 1
}
has() { type -P "$1" >/dev/null; }

setup_rust() {
  has cargo || missing "Rust (cargo)" "Install it from https://rustup.rs, then open a new shell."
  has cc || missing "A C compiler (cc)" "Install it (on Debian: apt-get install build-essential)."
  [ -d "$(rustc --print target-libdir --target wasm32-unknown-unknown)" ] && return
  has rustup || missing "The Rust target wasm32-unknown-unknown" "Install it with your system's Rust packages."
  scripts/say.sh "adding the Rust target wasm32-unknown-unknown" rustup target add wasm32-unknown-unknown
}

setup_node() {
  has node && has npm || missing "Node.js (node, npm)" "Install version 20.19 or newer from https://nodejs.org."
  node -e 'const [major, minor] = process.versions.node.split("."); process.exit(major > 20 || (major == 20 && minor >= 19) ? 0 : 1)' ||
    missing "Node.js 20.19 or newer (found $(node --version))" "Install it from https://nodejs.org."
}

# cargo_tool NAME VERSION MINUTES ARGS…: builds a command by `cargo install ARGS…` into a folder per version, which all clones
# share. The profile settings make the build fast and the tool slow, which is sufficient.
cargo_tool() {
  local root=$VINCULA_TOOLS/$1-$2
  [ -x "$root/bin/$1" ] && return
  CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=0 \
    scripts/say.sh "building $1 $2 into $root (once; about $3 min)" cargo install --locked --quiet --root "$root" "${@:4}"
}

setup_wasm-bindgen() { cargo_tool wasm-bindgen "$WASM_BINDGEN" 1 --path scripts/small-wasm-bindgen; }

# `no_downloads`: it uses the wasm-bindgen and wasm-opt of this script.
setup_cargo-leptos() { cargo_tool cargo-leptos "$CARGO_LEPTOS" 8 cargo-leptos --version "$CARGO_LEPTOS" --features no_downloads; }

setup_cargo-machete() { cargo_tool cargo-machete "$CARGO_MACHETE" 1 cargo-machete --version "$CARGO_MACHETE"; }

# npm_folder FOLDER: installs the packages of its lock file. A copy of that file marks a completed installation.
npm_folder() {
  cmp -s "$1/package-lock.json" "$1/node_modules/.installed-lock" && return
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 scripts/say.sh "installing the packages of $1" \
    npm ci --prefix "$1" --include=dev --no-audit --no-fund --loglevel=error
  cp "$1/package-lock.json" "$1/node_modules/.installed-lock"
}

setup_islands-react() { npm_folder islands-react; }
setup_end2end() { npm_folder end2end; }
setup_example() { npm_folder examples/widget-api; }

# Needs the part end2end, whose Playwright finds its own download.
setup_chromium() {
  install_font
  node end2end/chromium.mjs >/dev/null && return
  apt_install "Chromium for the browser tests" chromium && node end2end/chromium.mjs >/dev/null && return
  scripts/say.sh "downloading Chromium with Playwright" npm exec --prefix end2end -- playwright install chromium-headless-shell chromium || true
  node end2end/chromium.mjs >/dev/null || missing "Chromium" "Install Chromium or Chrome, or set CHROMIUM to its path."
}

# The fallback font until the product's own has loaded (style/fonts.css). With the same font on every system, the tests of layout
# shifts have the same result.
install_font() {
  [ -n "$(find /usr/share/fonts -name 'LiberationSans-Regular.*' -print -quit 2>/dev/null)" ] && return
  apt_install "a font for the browser tests" fonts-liberation && return
  echo "! Liberation Sans is not installed: the browser tests use another font of this system"
}

# The browsers and tools of the tests in WebKit and Firefox. They are installed one by one: if a system has no package for one
# engine, its tests are skipped, and those of the other run. With CI set that is an error.
setup_engines() {
  local package packages=()
  # On Debian MiniBrowser's folder is named after the architecture.
  { has WebKitWebDriver && compgen -G '/usr/lib*/*/webkit2gtk-4.1/MiniBrowser' || compgen -G '/usr/lib*/webkit2gtk-4.1/MiniBrowser'; } >/dev/null ||
    packages+=(webkit2gtk-driver)
  has Xvfb || packages+=(xvfb)
  has firefox-esr || has firefox || packages+=(firefox-esr)
  for package in "${packages[@]}"; do
    apt_install "$package for the tests in WebKit and Firefox" "$package" && continue
    [ -z "${CI:-}" ] || missing "$package" "The tests in WebKit and Firefox need it."
    echo "! tests in WebKit or Firefox are left out: $package is not installed"
  done
  # Debian has no package for it.
  if has firefox-esr || has firefox; then has geckodriver || cargo_tool geckodriver "$GECKODRIVER" 2 geckodriver --version "$GECKODRIVER"; fi
}

# apt_install WHAT PACKAGE…: fails if there is no apt, or the user is neither root nor has sudo.
apt_install() {
  local as_root=()
  has apt-get || return 1
  [ "$(id -u)" = 0 ] || { has sudo && as_root=(sudo); } || return 1
  scripts/say.sh "installing $1" "${as_root[@]}" sh -c \
    'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null' sh "${@:2}"
}

# For `make lint`. With CI set it is an error if it cannot be installed.
setup_shellcheck() {
  has shellcheck && return
  apt_install "ShellCheck" shellcheck && return
  [ -z "${CI:-}" ] || missing "ShellCheck" "Install it (on Debian: apt-get install shellcheck)."
  echo "! shell scripts are not checked: ShellCheck is not installed"
}

for part in "$@"; do "setup_$part"; done
