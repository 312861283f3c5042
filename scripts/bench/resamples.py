#!/usr/bin/env python3
"""Times the bootstrap of many scores in tailrank-stats against NumPy, alternating in one run, and prints ratios of CPU time.

    pip install numpy && python3 scripts/bench/resamples.py [--rounds 5]

One task of the stock-returns study: 4668 cases, 1000 draws, 57 variants of 10 terms each, stationary blocks of 5. NumPy twice:
plain (rows of each draw are taken and summed, draw by draw) and as one matrix product of counts and terms (its BLAS on one thread).
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import statistics
import subprocess
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
CASES, DRAWS, VARIANTS, TERMS, BLOCK = 4668, 1000, 57, 10, 5


def stationary_rows(rng):
    starts = rng.random(CASES) < 1 / BLOCK
    starts[0] = True
    first = np.where(starts, rng.integers(0, CASES, CASES), 0)
    at = np.maximum.accumulate(np.where(starts, np.arange(CASES), 0))
    return (first[at] + np.arange(CASES) - at) % CASES


def plain(terms, rng):
    return np.array([terms[stationary_rows(rng)].sum(0) for _ in range(DRAWS)])


def product(terms, rng):
    counts = np.array([np.bincount(stationary_rows(rng), minlength=CASES) for _ in range(DRAWS)], dtype=float)
    return counts @ terms


def cpu(function, *arguments):
    start = time.process_time()
    function(*arguments)
    return time.process_time() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="alternating rounds (default 5)")
    rounds = parser.parse_args().rounds
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "tailrank-stats", "--example", "resample_timings"], cwd=ROOT, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    command = [str(target / "release/examples/resample_timings")] + [str(v) for v in (CASES, DRAWS, VARIANTS, TERMS, BLOCK)]
    rng = np.random.default_rng(1)
    terms = rng.random((CASES, VARIANTS * TERMS))
    times = {"tailrank": [], "plain": [], "product": []}
    for _ in range(rounds):
        times["tailrank"].append(float(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
        times["plain"].append(cpu(plain, terms, rng))
        times["product"].append(cpu(product, terms, rng))
    middle = {name: statistics.median(values) for name, values in times.items()}
    print(f"NumPy {np.__version__}, {rounds} rounds, CPU seconds: tailrank {middle['tailrank']:.3f}")
    for name in ("plain", "product"):
        ratios = [other / own for own, other in zip(times["tailrank"], times[name])]
        print(f"NumPy {name}: {middle[name]:.3f} s, ratio {statistics.median(ratios):.1f} (from {min(ratios):.1f} to {max(ratios):.1f})")


if __name__ == "__main__":
    main()
