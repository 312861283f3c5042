#!/bin/sh
# Predictions of every family on emulated processors: a plain one (SSE2 only: no AVX, no FMA) and the largest that
# QEMU knows (AVX2 and FMA). Both must give the bytes of crates/tailrank-models/tests/fingerprints.csv
# for every native engine. (Those of linfa call the C library's exp, which differs without FMA.)
#
# Needs qemu-x86_64 (Debian: qemu-user) on an x86-64 Linux; elsewhere it says so and does nothing.
set -eu
cd "$(dirname "$0")/../.."
[ "$(uname -sm)" = "Linux x86_64" ] || { echo "skipped: emulation is for x86-64 Linux"; exit 0; }
command -v qemu-x86_64 >/dev/null || { echo "qemu-x86_64 is missing: apt install qemu-user" >&2; exit 2; }
binary=${1:-$(cargo test --locked --workspace --test fingerprints --no-run 2>&1 |
  sed -n 's|.*Executable .*fingerprints.*(\(.*\)).*|\1|p')}
[ -x "$binary" ] || { echo "no test binary '$binary'" >&2; exit 2; }
binary=$(realpath "$binary")
cd crates/tailrank-models
failed=0
"$binary" --quiet || failed=1
for cpu in qemu64 max; do
  echo "-cpu $cpu"
  TAILRANK_NATIVE_ONLY=1 qemu-x86_64 -cpu "$cpu" "$binary" --quiet --test-threads 1 || failed=1
done
exit $failed
