#!/usr/bin/env bash
# Does inference keep its promises? Simulated worlds whose truth is known: results/calibration/README.md and calibration.csv.
#
#   scripts/calibration.sh           1000 replications a world (about 50 CPU minutes)
#   scripts/calibration.sh 100       a tenth of them
#   scripts/calibration.sh --join    puts the tables together that stand in target/calibration
set -euo pipefail
cd "$(dirname "$0")/.."

tables="${CARGO_TARGET_DIR:-target}/calibration"
replications=${1:-1000}
mkdir -p "$tables" results/calibration
if [ "$replications" != --join ]; then
    cargo build --quiet --locked --workspace --example inference_calibration
    # One thread: replications are independent, and results do not depend on threads.
    RAYON_NUM_THREADS=1 "${CARGO_TARGET_DIR:-target}/debug/examples/inference_calibration" "$tables" "$replications"
fi
{
    echo part,world,what,measure,replications,answered,share,standard_error,promise,kept
    for part in size power equal folds tasks effects episodes; do [ ! -e "$tables/$part.csv" ] || cat "$tables/$part.csv"; done
} > results/calibration/calibration.csv
{
    cat <<'TEXT'
# Does inference keep its promises?

Written by `scripts/calibration.sh`. Each figure is a share of replications in per cent, with its Monte Carlo standard error. Every world goes
through the function that a run calls. The rules were adjusted on other worlds, which the first lines of `inference_calibration/main.rs` list; nothing was adjusted on these.

- **Promised**: size of a test at 5 %: at most 7, for exact tests 3 to 7. Coverage of a 95 % interval: 92 to 97; over folds at least 90.
- **open**: outside, but by less than two standard errors. **no**: outside by more. **wide**: an interval that holds the truth too often.
- **(of n %)**: the share of replications with an answer, where it is not all of them. **withheld**: almost never an answer.
- **marked**: a run says beside the interval that it rests on few cases, groups, events, hits or blocks.

TEXT
    for part in size power equal folds tasks effects episodes; do [ ! -e "$tables/$part.md" ] || cat "$tables/$part.md"; done
} > results/calibration/README.md
