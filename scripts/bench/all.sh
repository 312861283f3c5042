#!/usr/bin/env bash
# Every table of results/benchmarks/ in one go, with the release build: about two hours on two cores, most of them the peers'.
#
#   scripts/bench/all.sh                     everything
#   scripts/bench/all.sh growth overhead     these steps only: peers, fits, smote, four-tasks, growth, cells, scale, overhead, load, table
#
# The peers are installed by `scripts/bench/peers.py --install`; what is missing is skipped and said so.
# Readers (load, table) are held against polars and pandas if TAILRANK_PYTHON names a Python that has polars, pandas and pyarrow.
set -euo pipefail
cd "$(dirname "$0")/../.."
steps=${*:-peers fits smote four-tasks growth cells scale overhead load table}
tables=results/benchmarks
cargo build --release --quiet -p tailrank
tailrank=${CARGO_TARGET_DIR:-target}/release/tailrank

# A benchmark of the crates, as a page with the machine it ran on.
page() { # NAME TITLE
  local found
  found=$(cargo bench --quiet --workspace --bench "$1" | sed '/^$/d')
  {
    printf '# %s\n\nMachine: ' "$2"
    python3 -c "import sys; sys.path.insert(0, 'scripts/bench'); from peers import *; print(machine() + '. ' + this_version('$tailrank') + ' (release build).')"
    printf '\n```text\n%s\n```\n\nMade by `%scargo bench --workspace --bench %s`.\n' "$found" "${TAILRANK_PYTHON:+TAILRANK_PYTHON=… }" "$1"
  } > "$tables/$1.md"
  cat "$tables/$1.md"
}

for step in $steps; do
  printf '\n== %s\n' "$step"
  case $step in
    peers) python3 scripts/bench/peers.py --binary "$tailrank" --save grid ;;
    # Its page has sections written by hand: keep them.
    fits) python3 scripts/bench/peers.py --fits --save peers ;;
    smote) python3 scripts/bench/smote.py ;;
    four-tasks) python3 scripts/bench/peers.py --binary "$tailrank" --series IBM,KO,BA,GM --cores 2 --no-single --rounds 2 --budget 45 --save grid-four-tasks ;;
    growth) python3 scripts/bench/growth.py --binary "$tailrank" --save growth ;;
    # On a RAM disk where there is one: the cost of the engine itself is asked for.
    cells) TAILRANK_BIN=$tailrank python3 scripts/bench/cells.py --save cells $([ -d /dev/shm ] && echo --folder /dev/shm) ;;
    scale) TAILRANK_BIN=$tailrank python3 scripts/bench/scale.py --save scale $([ -d /dev/shm ] && echo --folder /dev/shm) ;;
    overhead) page overhead "What the engine itself costs" ;;
    load) page load "Loading and embedding" ;;
    table) page table "Reading a table of numbers" ;;
    *) echo "no such step: $step" >&2; exit 2 ;;
  esac
done
