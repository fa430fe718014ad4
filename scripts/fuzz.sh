#!/usr/bin/env bash
# fuzz.sh SECONDS: runs each fuzz target for so long. Inputs are kept in fuzz/corpus, crashes in fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
cargo +nightly fuzz --version >/dev/null 2>&1 || {
  echo "✗ cargo-fuzz is missing. Run: rustup toolchain install nightly && cargo install cargo-fuzz --locked" >&2
  exit 1
}
# The product's versions of crates, to which Cargo adds the fuzzer's.
cp Cargo.lock fuzz/Cargo.lock
# Without sanitizers: the product has no unsafe code of its own, and this way it is twice as fast.
for target in token session_cookie cookies forwarded_for envelope tax_id query; do
  mkdir -p "fuzz/corpus/$target"
  seeds=("fuzz/seeds/$target")
  [ "$target" = envelope ] && seeds=(crates/upstream/src/samples)
  scripts/say.sh "fuzzing: $target" cargo +nightly fuzz run --sanitizer none "$target" "fuzz/corpus/$target" "${seeds[@]}" -- \
    -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1
done
