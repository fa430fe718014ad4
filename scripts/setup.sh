#!/usr/bin/env bash
# setup.sh PART…: installs only what is missing. Parts: rust node wasm-bindgen cargo-leptos islands-react end2end example
# chromium engines oldest-chromium shellcheck schemathesis listen. Functions are named setup_PART, so that none hides a command of the same name.
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

# For `make dev` and `make check`. `no_downloads`: it uses the wasm-bindgen and wasm-opt of this script.
setup_cargo-leptos() { cargo_tool cargo-leptos "$CARGO_LEPTOS" 8 cargo-leptos --version "$CARGO_LEPTOS" --features no_downloads; }

# npm_folder FOLDER: installs the packages of its lock file. A copy of that file marks a completed installation.
npm_folder() {
  cmp -s "$1/package-lock.json" "$1/node_modules/.installed-lock" && return
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 scripts/say.sh "installing the packages of $1" \
    npm ci --prefix "$1" --no-audit --no-fund --loglevel=error
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
  # It creates the tests' certificate.
  has openssl || packages+=(openssl)
  for package in "${packages[@]}"; do
    apt_install "$package for the tests in WebKit and Firefox" "$package" && continue
    [ -z "${CI:-}" ] || missing "$package" "The tests in WebKit and Firefox need it."
    echo "! tests in WebKit or Firefox are left out: $package is not installed"
  done
  # Debian has no package for it.
  if has firefox-esr || has firefox; then has geckodriver || cargo_tool geckodriver "$GECKODRIVER" 2 geckodriver --version "$GECKODRIVER"; fi
}

# Chromium 102 for the tests, from QtWebEngine. Like the other engines, it is skipped if it cannot be installed.
setup_oldest-chromium() {
  local root=$VINCULA_TOOLS/qtwebengine-$PYSIDE
  [ -d "$root" ] && return
  rm -rf "$root.new"
  if install_qtwebengine "$root.new"; then
    mv "$root.new" "$root"
    return
  fi
  rm -rf "$root.new"
  [ -z "${CI:-}" ] || missing "QtWebEngine $PYSIDE" "The tests in Chromium 102 need it, and a Python from 3.7 to 3.11 with venv."
  echo "! tests in Chromium 102 are left out: QtWebEngine $PYSIDE is not installed"
}

install_qtwebengine() {
  local what="the tests in Chromium 102" python
  python=$(old_python) || { apt_install "Python for $what" python3-venv && python=$(old_python); } || return 1
  scripts/say.sh "installing QtWebEngine $PYSIDE (once)" sh -c \
    '"$1" -m venv "$2" && "$2/bin/pip" install --quiet --disable-pip-version-check "PySide6-Addons==$3"' sh "$python" "$1" "$PYSIDE" || return 1
  qtwebengine_loads "$1" || {
    apt_install "libraries for $what" libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libglib2.0-0 libnss3 \
      libxcomposite1 libxdamage1 libxrandr2 libxtst6 libasound2 libxkbfile1 && qtwebengine_loads "$1"
  }
}

qtwebengine_loads() { "$1/bin/python" -c 'import PySide6.QtWebEngineWidgets' 2>/dev/null; }

# Prints the command of a Python version that the package supports.
old_python() {
  local python
  for python in python3 python3.11 python3.10 python3.9; do
    "$python" -c 'import ensurepip, sys; sys.exit(not (3, 7) <= sys.version_info < (3, 12))' 2>/dev/null || continue
    echo "$python"
    return
  done
  return 1
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

# For `make contract` only.
setup_schemathesis() {
  local root=$VINCULA_TOOLS/schemathesis-$SCHEMATHESIS
  [ -x "$root/bin/schemathesis" ] && return
  python3 -c 'import ensurepip' 2>/dev/null || missing "Python 3 with venv" "Install it (on Debian: apt-get install python3-venv)."
  scripts/say.sh "installing schemathesis $SCHEMATHESIS into $root (once)" sh -c \
    'python3 -m venv "$1" && "$1/bin/pip" install --quiet --disable-pip-version-check "$2"' sh "$root" "schemathesis==$SCHEMATHESIS"
}

# The programs for the walks with a screen reader. With CI set it is an error if one cannot be installed.
setup_listen() {
  local package packages=()
  has orca || packages+=(orca)
  [ "${IN:-}" != chromium ] || has chromium || packages+=(chromium)
  has firefox-esr || packages+=(firefox-esr)
  [ -n "$(find /usr/lib/firefox-esr -name 'langpack-pt-BR@*' -print -quit 2>/dev/null)" ] || packages+=(firefox-esr-l10n-pt-br)
  has Xvfb || packages+=(xvfb)
  has dbus-daemon && has dbus-send || packages+=(dbus)
  [ -x /usr/libexec/at-spi-bus-launcher ] || packages+=(at-spi2-core)
  has openbox || packages+=(openbox)
  has xdotool || packages+=(xdotool)
  [ -e /usr/share/i18n/locales/pt_BR ] || packages+=(locales)
  for package in "${packages[@]}"; do
    apt_install "$package for the walks with a screen reader" "$package" && continue
    [ -z "${CI:-}" ] || missing "$package" "The walks with a screen reader need it."
    echo "! the walks with a screen reader are left out: $package is not installed"
  done
}

for part in "$@"; do "setup_$part"; done
