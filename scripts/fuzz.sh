#!/usr/bin/env bash
# Fuzzes what is read from files:
#
#   scripts/fuzz.sh [seconds] [series|parquet|cell|manifest]       300 seconds of CSV series by default
#
# What it finds is kept in the crate's fuzz/artifacts; the corpus grows from run to run.
set -euo pipefail
seconds=${1:-300}
target=${2:-series}
case $target in
    series | parquet) crate=tailrank-data ;;
    cell | manifest) crate=tailrank-engine ;;
    *) echo "fuzz.sh: no target '$target'; choose series, parquet, cell or manifest" >&2; exit 2 ;;
esac
cd "$(dirname "$0")/../crates/$crate"

if ! cargo +nightly --version >/dev/null 2>&1; then
    echo "fuzz.sh: the nightly toolchain is missing; install it with: rustup toolchain install nightly" >&2
    exit 1
fi
if ! cargo +nightly fuzz --version >/dev/null 2>&1; then
    echo "fuzz.sh: cargo-fuzz is missing; install it with: cargo install cargo-fuzz" >&2
    exit 1
fi

mkdir -p "fuzz/corpus/$target"
for file in fuzz/seeds/* tests/malformed/*; do
    case $file in
        *.message) ;;
        *) [ -f "$file" ] && cp "$file" "fuzz/corpus/$target/" ;;
    esac
done
# The crates have no unsafe code of their own, so memory needs no sanitizer; without one the build is much shorter.
exec cargo +nightly fuzz run --sanitizer none ${CARGO_TARGET_DIR:+--target-dir "$CARGO_TARGET_DIR"} "$target" -- -max_total_time="$seconds" -timeout=60 -rss_limit_mb=4096
