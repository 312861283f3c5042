#!/usr/bin/env bash
# Builds the program for Windows, runs an experiment with it under wine, and compares what it stores and computes with a run of the program
# for this machine:
#
#   scripts/check/windows.sh [EXPERIMENT]     experiments/abalone.toml by default
#
# Predictions, scores and most tables are the same bytes. p-values and the ends of intervals go through the exponentials and logarithms of
# the system's C library, whose last bits differ: the tables that hold them have the same words, and numbers that agree in 12 digits. A tail
# as small as e⁻¹⁴³ carries 143 times the error of its exponent.
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
# Nobody debugs this program, and it runs once: what crunches no numbers is not optimised.
unoptimised=()
for crate in tailrank-score tailrank-report tailrank; do unoptimised+=(--config "profile.dev.package.$crate.opt-level=0"); done
CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 cargo build --locked --quiet "${unoptimised[@]}" -p tailrank --bin tailrank --target "$target"

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
diff -r here/cells there/cells
# files.json holds the checksums of the others, a Parquet file what its CSV does.
through_c="decisions intervals pairwise"
leave_out=(--exclude=files.json)
for table in $through_c; do leave_out+=(--exclude="$table.csv" --exclude="$table.parquet"); done
diff -r "${leave_out[@]}" here/results there/results
cmp here/results/scores.csv there/results/scores.csv
python3 - $through_c << 'PYTHON'
import csv, sys

for table in sys.argv[1:]:
    here, there = ([row for row in csv.reader(open(f"{run}/results/{table}.csv"))] for run in ("here", "there"))
    assert [len(row) for row in here] == [len(row) for row in there], f"{table}: other rows"
    worst = 0.0
    for ours, theirs in zip(sum(here, []), sum(there, [])):
        if ours != theirs:
            worst = max(worst, abs(float(theirs) / float(ours) - 1))
    assert worst < 1e-12, f"{table}: {worst:e}"
    print(f"{table}: numbers differ by {worst:.0e} at most")
PYTHON
test -s there/report/index.html
# Nothing temporary is left.
diff <(cd here && find . -type d | sort) <(cd there && find . -type d | sort)
echo "the other $(($(find there/cells there/results -type f | wc -l) - 7)) files of fits and tables of $name are the same, byte for byte"
