#!/usr/bin/env bash
# The program for Windows, cross-built, runs experiments/abalone.toml under wine with the scores of the program for Linux.
#
#   scripts/check/windows.sh target/release/tailrank
#
# It needs mingw-w64 and wine of Debian, and rustup's target x86_64-pc-windows-gnu. Nothing is optimised that is not ours: it is built once.
set -euo pipefail
here=$(realpath "$1")
cd "$(dirname "$0")/../.."
build=${CARGO_TARGET_DIR:-target}/windows
plain=(--config 'profile.dev.package."*".opt-level=0')
for crate in polars-arrow polars-compute polars-io polars-parquet polars-utils; do
  plain+=(--config "profile.dev.package.$crate.opt-level=0")
done
CARGO_TARGET_DIR=$build cargo build --locked --quiet -p tailrank --target x86_64-pc-windows-gnu "${plain[@]}"

runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
cp "$build/x86_64-pc-windows-gnu/debug/tailrank.exe" experiments/abalone.toml "$runs"
# Debian's wine 8 lacks this library, from which Rust's standard library takes its random numbers.
cat > "$runs/shim.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
  return SystemFunction036(data, size);
}
C
x86_64-w64-mingw32-gcc -shared -o "$runs/bcryptprimitives.dll" "$runs/shim.c" -ladvapi32

cd "$runs"
"$here" run abalone.toml --out linux --quiet > /dev/null
export WINEPREFIX=$runs/wine WINEDEBUG=-all WINEDLLOVERRIDES="bcryptprimitives=n;mscoree=;mshtml="
wine tailrank.exe run abalone.toml --out windows --quiet > /dev/null
cmp linux/results/scores.csv windows/results/scores.csv
echo "the program for Windows: $(wc -l < windows/results/scores.csv) lines of scores.csv, byte for byte those of Linux"
