#!/usr/bin/env bash
# How sure the answer of the stock-returns study is: its tests against chance and its decisions, results/inference/stock-returns/.
#
#   scripts/inference_tables.sh           run the study and write them
#   scripts/inference_tables.sh --check   compare with the committed files instead; ends with 1 if any byte differs
#
# TAILRANK names a program that is built already; the run goes to a folder that is removed afterwards, or to RUN if set.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${TAILRANK:-}" ]; then
    cargo build --release --workspace --bin tailrank
    TAILRANK=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release/tailrank
fi
if [ -z "${RUN:-}" ]; then
    RUN=$(mktemp -d)
    trap 'rm -rf "$RUN"' EXIT
fi
"$TAILRANK" run experiments/stock-returns.toml --no-report --quiet --out "$RUN" >/dev/null

found=results/inference/stock-returns
if [ "${1:-}" = --check ]; then
    for table in chance decisions alarms; do cmp "$RUN/results/$table.csv" "$found/$table.csv"; done
else
    mkdir -p "$found"
    for table in chance decisions alarms; do cp "$RUN/results/$table.csv" "$found/"; done
fi
