#!/usr/bin/env bash
# Does inference keep its promises? Simulated worlds whose truth is known: results/calibration/inference.txt.
#
#   scripts/calibration.sh           1000 worlds (about 10 CPU minutes)
#   scripts/calibration.sh 100       a tenth of them, printed and not kept
set -euo pipefail
cd "$(dirname "$0")/.."

worlds=${1:-1000}
calibrate() {
    printf 'scripts/calibration.sh; in brackets two standard errors of a figure\n\n'
    "${CARGO_TARGET_DIR:-target}/debug/examples/inference_calibration" "$worlds"
}
cargo build --quiet --locked --workspace --example inference_calibration
mkdir -p results/calibration
if [ "$worlds" = 1000 ]; then calibrate | tee results/calibration/inference.txt; else calibrate; fi
