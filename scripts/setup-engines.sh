# setup.sh sources this: the part `engines`, which installs what the tests in WebKit and Firefox need, if it is missing.
# If that fails, the tests in that engine are left out, with a notice; with CI set it is an error.

# From crates.io: Debian has no package for it.
GECKODRIVER=${GECKODRIVER:-0.37.1}

setup_engines() {
  local packages package minutes="some minutes"
  packages=$(engine_packages)
  if [ -n "$packages" ] && ! type -P apt-get >/dev/null; then
    engine_left_out "there is no apt to install what is missing:" $packages
  else
    # One by one: if a system has no package for one engine, the tests of the other still run.
    for package in $packages; do
      apt_install "$package for the tests in WebKit and Firefox" "$package" || engine_left_out "not installed: $package"
    done
  fi
  # Firefox's driver is useless without Firefox.
  if engine_firefox && ! type -P geckodriver >/dev/null; then
    cargo_tool geckodriver "$GECKODRIVER" geckodriver geckodriver --version "$GECKODRIVER"
  fi
}

# The apt packages of the missing programs. openssl creates the tests' certificate.
engine_packages() {
  { type -P WebKitWebDriver >/dev/null && engine_minibrowser; } || echo webkit2gtk-driver
  type -P Xvfb >/dev/null || echo xvfb
  engine_firefox || echo firefox-esr
  type -P openssl >/dev/null || echo openssl
}

# On Debian its folder is named after the architecture.
engine_minibrowser() { compgen -G '/usr/lib*/*/webkit2gtk-4.1/MiniBrowser' >/dev/null || compgen -G '/usr/lib*/webkit2gtk-4.1/MiniBrowser' >/dev/null; }

engine_firefox() { type -P firefox-esr >/dev/null || type -P firefox >/dev/null; }

engine_left_out() {
  [ -z "${CI:-}" ] || { echo "✗ the tests in WebKit and Firefox cannot run: $*" >&2; exit 1; }
  echo "! tests in WebKit or Firefox are left out: $*"
}
