#!/bin/sh
# Alternates this project with R on the MARS and nnet variants of the stock-returns study and prints CPU ratios.
#   scripts/bench_mars_nnet.sh quotes.csv [rounds]      (column 2: closing prices, at least 5030 days)
set -eu
cd "$(dirname "$0")/.."
rounds=${2:-3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
Rscript scripts/bench_mars_nnet.R data "$1" "$folder/train.csv" "$folder/test.csv"
cargo build --quiet --release -p tailrank-models --example mars_nnet_grid
ours=${CARGO_TARGET_DIR:-target}/release/examples/mars_nnet_grid
for family in mars nnet; do
  for round in $(seq "$rounds"); do
    a=$("$ours" "$family" "$folder/train.csv" "$folder/test.csv" | awk '/cpu_seconds/ { print $2 }')
    b=$(Rscript scripts/bench_mars_nnet.R "$family" "$folder/train.csv" "$folder/test.csv" | awk '{ print $2 }')
    echo "$family $a $b" | awk '{ printf "%s: %.3f s, R %.3f s, ratio %.1f\n", $1, $2, $3, $3 / $2 }'
  done
done
