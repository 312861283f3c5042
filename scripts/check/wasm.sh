#!/usr/bin/env bash
# Builds crates/tailrank-wasm, the measures that the report's page runs, into the report's assets.
#
#   scripts/check/wasm.sh           build and replace the committed file
#   scripts/check/wasm.sh --check   build and compare: exit 1 if the committed file is not what the source gives
#
# It needs the target wasm32-unknown-unknown (rustup adds it) and the compiler that built the committed file: 1.95.0.
set -euo pipefail
cd "$(dirname "$0")/../.."
asset=crates/tailrank-report/assets/scoring.wasm
# The bytes depend on where the sources lie, so they are always built from the same place.
place=/tmp/tailrank-wasm-build

rustup target add wasm32-unknown-unknown > /dev/null 2>&1 || true
mkdir -p "$place/crates"
cp Cargo.toml "$place/"
for crate in tailrank-metrics tailrank-stats tailrank-wasm; do
  rm -rf "${place:?}/crates/$crate"
  cp -r "crates/$crate" "$place/crates/"
done
(cd crates/tailrank-wasm && cargo fetch --locked --quiet)
remap="--remap-path-prefix=$place=/tailrank"
for registry in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*; do remap="$remap --remap-path-prefix=$registry=/crates"; done
# Vectors of two doubles, which every browser has had since 2023: the same bits, two to three times as fast.
export RUSTFLAGS="-C target-feature=+simd128 $remap"
(cd "$place/crates/tailrank-wasm" && CARGO_TARGET_DIR=$place/target cargo build --locked --quiet --release --target wasm32-unknown-unknown)
built=$place/target/wasm32-unknown-unknown/release/tailrank_wasm.wasm

if [ "${1:-}" = --check ]; then
  if cmp -s "$built" "$asset"; then
    echo "scoring.wasm is what the source gives ($(stat -c %s "$asset") bytes)"
  else
    echo "scoring.wasm is not what the source gives: run scripts/check/wasm.sh ($(rustc --version))" >&2
    exit 1
  fi
else
  cp "$built" "$asset"
  echo "$asset: $(stat -c %s "$asset") bytes, $(rustc --version)"
fi
