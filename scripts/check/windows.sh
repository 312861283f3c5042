#!/usr/bin/env bash
# Builds the program for Windows, runs an experiment with it under wine, and compares everything it stores and computes with a run of the
# program for this machine, byte by byte:
#
#   scripts/check/windows.sh [EXPERIMENT]     experiments/abalone.toml by default
#
# TAILRANK_BIN names the program to compare with; target/debug/tailrank by default. The build has the profile of the tests, whose build
# scripts and macros it shares. It needs mingw's compiler and wine (Debian: gcc-mingw-w64-x86-64 wine wine64).
set -euo pipefail
cd "$(dirname "$0")/../.."
experiment=$(realpath "${1:-experiments/abalone.toml}")
name=$(basename "$experiment" .toml)
here=$(realpath "${TAILRANK_BIN:-${CARGO_TARGET_DIR:-target}/debug/tailrank}")
target=x86_64-pc-windows-gnu

rustup target add "$target" > /dev/null 2>&1 || { echo "the target $target could not be installed" >&2; exit 1; }
# Without debug info, which nobody reads here, the program is linked in seconds.
CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 cargo build --locked --quiet -p tailrank --bin tailrank --target "$target"

top=$(mktemp -d)
stop() {
  code=$?
  WINEPREFIX=$top/wine WINEDEBUG=-all wineserver -k 2> /dev/null || true
  rm -rf "$top"
  exit "$code"
}
trap stop EXIT
cp "${CARGO_TARGET_DIR:-target}/$target/debug/tailrank.exe" "$top/"
# Wine before 9 lacks this library, from which the standard library takes random numbers.
cat > "$top/prng.c" << 'C'
#include <windows.h>
BOOLEAN WINAPI SystemFunction036(PVOID bytes, ULONG count);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) { return SystemFunction036(bytes, count); }
C
x86_64-w64-mingw32-gcc -shared -o "$top/bcryptprimitives.dll" "$top/prng.c" -ladvapi32

# No window, no sound, nothing of the user's own settings.
export WINEPREFIX=$top/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml,winemenubuilder.exe=d"
unset DISPLAY
windows() { wine "$top/tailrank.exe" "$@"; }

cp "$experiment" "$top/$name.toml"
cd "$top"
echo "$(windows --version | tr -d '\r') under $(wine --version)"
windows check "$name.toml" 2>&1 > /dev/null | grep -q "note: on Windows" || { echo "check does not say what Windows lacks" >&2; exit 1; }
"$here" run "$name.toml" --out here --quiet > here.txt
windows run "$name.toml" --out there --quiet > there.txt
for part in cells results; do
  diff -r "here/$part" "there/$part" || { echo "$part on Windows differ" >&2; exit 1; }
done
test -s there/report/index.html
echo "$(find there/cells there/results -type f | wc -l) files of $name are the same on Windows, byte for byte"
