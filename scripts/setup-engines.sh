#!/usr/bin/env bash
# setup-engines.sh: installs what the tests in WebKit and Firefox need, and only what is missing. Can be sourced, too:
# then nothing happens until `engines` is called. Where an engine cannot be installed its tests are left out, which is
# said; with CI set it is a failure.

# geckodriver from crates.io: Debian has no package of it.
GECKODRIVER=${GECKODRIVER:-0.37.1}
VINCULA_TOOLS=${VINCULA_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/vincula/tools}

engines() {
  local package
  if ! type -P apt-get >/dev/null && [ -n "$(engine_packages)" ]; then
    engine_left_out "without apt nothing is installed here ($(engine_packages | xargs) missing)" || return
  else
    for package in $(engine_packages); do
      engine_apt "$package" || engine_left_out "$package cannot be installed" || return
    done
  fi
  engine_geckodriver
}

# What apt calls the missing programs. openssl makes the certificate of the tests.
engine_packages() {
  { type -P WebKitWebDriver && engine_minibrowser; } >/dev/null || echo webkit2gtk-driver
  type -P Xvfb >/dev/null || echo xvfb
  engine_firefox >/dev/null || echo firefox-esr
  type -P openssl >/dev/null || echo openssl
}

# Debian's folder is named after the architecture.
engine_minibrowser() { compgen -G '/usr/lib*/*/webkit2gtk-4.1/MiniBrowser' || compgen -G '/usr/lib*/webkit2gtk-4.1/MiniBrowser'; }

engine_firefox() { type -P firefox-esr || type -P firefox; }

engine_apt() {
  local as_root=()
  [ "$(id -u)" = 0 ] || { type -P sudo >/dev/null && as_root=(sudo); } || return
  # shellcheck disable=SC2016
  scripts/say.sh "installing $1 for the tests in WebKit and Firefox" "${as_root[@]}" sh -c \
    'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null' sh "$1"
}

engine_left_out() {
  if [ -n "${CI:-}" ]; then
    echo "✗ the tests in WebKit and Firefox cannot run: $1" >&2
    return 1
  fi
  echo "! tests in WebKit or Firefox are left out: $1"
}

# Into a folder of its own by version, so that a second clone finds it. A driver need not be fast: without optimisation
# it is built in two minutes.
engine_geckodriver() {
  local root=$VINCULA_TOOLS/geckodriver-$GECKODRIVER
  [ ! -x "$root/bin/geckodriver" ] && ! type -P geckodriver >/dev/null || return 0
  # No driver without its browser.
  engine_firefox >/dev/null || return 0
  CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=0 \
    scripts/say.sh "installing geckodriver $GECKODRIVER into $root (once; some minutes)" \
    cargo install --locked --quiet geckodriver --version "$GECKODRIVER" --root "$root"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  set -euo pipefail
  cd "$(dirname "$0")/.."
  engines
fi
