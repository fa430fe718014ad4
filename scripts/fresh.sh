#!/usr/bin/env bash
# fresh.sh TARGET…: runs a new developer's commands in a bare Debian root, which has only git, make, a C compiler, Rust
# and Node.js. Clones HEAD there, runs `make TARGET` for each target, and prints the time of each. The target `run` ends
# when it has served its first page; the target `ci` runs .ci/run. The target `watch` installs cargo-leptos with the command in
# README.md, and then runs scripts/watch.mjs; it should be the only one, because other targets install what it needs.
# Needs root and debootstrap. KEEP=1 keeps the root in target/fresh.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD/target/fresh
[ "$(id -u)" = 0 ] || { echo "✗ chroot needs root: run this as root" >&2; exit 1; }
type -P debootstrap >/dev/null || { echo "✗ debootstrap is missing: apt-get install debootstrap" >&2; exit 1; }
mounted() { awk -v root="$root/" 'index($2, root) == 1 { print $2 }' /proc/mounts | sort -r; }
unmount() { mounted | while read -r one; do umount "$one"; done; }
server=
finish() {
  [ -z "$server" ] || kill -- -"$server" 2>/dev/null || true
  unmount
  # Keeps the root while folders of this machine are mounted in it, because deleting it would delete them.
  [ -n "${KEEP:-}" ] || [ -n "$(mounted)" ] || rm -rf "$root"
}
trap finish EXIT

unmount
rm -rf "$root"
mkdir -p "$root"
scripts/say.sh "making a bare Debian" sh -c 'debootstrap --variant=minbase "$@" >/dev/null' sh \
  --include=git,make,gcc,libc6-dev,ca-certificates,curl bookworm "$root" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}"

# Copies this machine's Rust and Node.js to where their installers put them, and its certificates and host names, which the
# package registries need.
toolchain=$(rustc --print sysroot)
mkdir -p "$root/opt/rust" "$root/root/.cargo/bin" "$root/usr/local/lib/node_modules"
cp -r "$toolchain/." "$root/opt/rust/"
cp "$(type -P node)" "$root/usr/local/bin/"
cp -r "$(npm root --global)/npm" "$root/usr/local/lib/node_modules/"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
for file in .npmrc .cargo/config.toml; do [ ! -f ~/$file ] || cp ~/$file "$root/root/$file"; done
if type -P rustup >/dev/null; then
  cp "$(type -P rustup)" "$root/root/.cargo/bin/rustup"
  for name in cargo rustc rustdoc cargo-clippy clippy-driver cargo-fmt rustfmt; do ln -s rustup "$root/root/.cargo/bin/$name"; done
fi
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount -t tmpfs tmpfs "$root/tmp"

# inside COMMAND: runs it in the root, with a clean environment.
inside() {
  env -i HOME=/root PATH=/root/.cargo/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8 \
    NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt RUSTUP_AUTO_INSTALL=0 ${CI:+CI=$CI} \
    chroot "$root" sh -c "$1"
}
version=$(rustc --version | cut -d' ' -f2)
if type -P rustup >/dev/null; then
  host=$(rustc --print host-tuple)
  inside "mkdir -p /root/.rustup/toolchains && mv /opt/rust /root/.rustup/toolchains/$version-$host &&
    rustup --quiet default $version-$host &&
    if rustup target list --installed | grep -q wasm32; then rustup --quiet target remove wasm32-unknown-unknown; fi"
fi
! inside 'test -d "$(rustc --print target-libdir --target wasm32-unknown-unknown)"' || { echo "✗ the root is not bare: Rust builds wasm there" >&2; exit 1; }
for tool in chromium firefox-esr WebKitWebDriver cargo-leptos wasm-bindgen; do
  ! inside "command -v $tool" >/dev/null || { echo "✗ the root is not bare: it has $tool" >&2; exit 1; }
done

echo "▸ a bare system, $(nproc) cores, Rust $version, Node.js $(node --version)"
started=$SECONDS
since() { printf '%d min %02d s' $(((SECONDS - started) / 60)) $(((SECONDS - started) % 60)); }
mkdir "$root/root/origin"
mount --bind "$(git rev-parse --path-format=absolute --git-common-dir)" "$root/root/origin"
inside "git config --global --add safe.directory '*' && git clone --quiet /root/origin /root/vincula && cd /root/vincula && git checkout --quiet $(git rev-parse HEAD)"
for target in "$@"; do
  case $target in
  run)
    set -m
    inside "cd /root/vincula && exec make run" &
    server=$!
    set +m
    until curl --silent --fail --output /dev/null "http://127.0.0.1:3000/sandbox"; do
      kill -0 "$server" 2>/dev/null || { echo "✗ make run ended" >&2; exit 1; }
      sleep 1
    done
    echo "✓ make run: the first page after $(since)"
    kill -- -"$server"
    wait "$server" || true
    server=
    ;;
  watch)
    install=$(grep -om1 'cargo install --locked cargo-leptos@[0-9.]*' README.md)
    inside "$install"
    # cargo-leptos downloads it from there.
    inside "curl --silent --head --output /dev/null https://github.com" || {
      echo "! github.com cannot be reached: installing wasm-bindgen from crates.io"
      inside "cargo install --locked wasm-bindgen-cli@$WASM_BINDGEN"
    }
    echo "✓ $install: after $(since)"
    inside "cd /root/vincula && unset RUSTUP_AUTO_INSTALL && node scripts/watch.mjs cold"
    echo "✓ cargo leptos watch: after $(since)"
    ;;
  ci) inside "cd /root/vincula && CI=true bash .ci/run" && echo "✓ .ci/run: after $(since)" ;;
  *) inside "cd /root/vincula && make $target" && echo "✓ make $target: after $(since)" ;;
  esac
done
