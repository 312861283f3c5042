#!/usr/bin/env python3
"""SmoteR in tailrank beside Python, and what case weights cost a fit: CPU seconds of one thread each.

    cargo build --release --workspace --example steps_speed
    python3 scripts/bench_smote.py                      prints the tables of results/benchmarks/smote.md

Needs numpy and scikit-learn; STEPS_SPEED names another build of the example. 20 inputs, a twentieth of the rows rare at either end,
k = 5, bumps of equal size. `loop` is the way of the packages smogn and ImbalancedLearningRegression: distances of a seed to its bump
and new rows one after another, in NumPy. `neighbours` takes scikit-learn's NearestNeighbors (brute force) and makes all new rows in
one NumPy expression. R's UBL is timed nowhere here: no package of Debian's has it.
"""

import argparse
import os
import subprocess
import time
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
import sklearn
from sklearn.neighbors import NearestNeighbors

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
STEPS_SPEED = Path(os.environ.get("STEPS_SPEED", TARGET / "release/examples/steps_speed"))


def bumps(y):
    low, high = np.sort(y)[len(y) // 20], np.sort(y)[len(y) - 1 - len(y) // 20]
    return [np.where(y <= low)[0], np.where(y >= high)[0]], np.where((y > low) & (y < high))[0]


def seeds_of(rng, m, goal):
    c = goal / m
    whole = int(c - 1)
    return np.concatenate([np.tile(np.arange(m), whole), rng.choice(m, int(m * (c - 1 - whole)), replace=False)]).astype(int)


def smote(x, y, rng, k, new_rows):
    rare, normal = bumps(y)
    goal = round(len(y) / 3)
    z = x / x.std(axis=0, ddof=1)
    kept = rng.choice(normal, goal, replace=False)
    xs, ys = [x[kept]], [y[kept]]
    for rows in rare:
        seeds = seeds_of(rng, len(rows), goal)
        a, b = new_rows(z[rows], x[rows], y[rows], seeds, rng, k)
        xs += [x[rows], a]
        ys += [y[rows], b]
    return np.vstack(xs), np.concatenate(ys)


def loop(z, x, y, seeds, rng, k):
    out_x, out_y, near = np.empty((len(seeds), x.shape[1])), np.empty(len(seeds)), {}
    for at, i in enumerate(seeds):
        if i not in near:
            d = ((z - z[i]) ** 2).sum(axis=1)
            d[i] = np.inf
            near[i] = np.argpartition(d, k)[:k]
        j, r = rng.choice(near[i]), rng.random()
        out_x[at] = x[i] + r * (x[j] - x[i])
        out_y[at] = y[i] + r * (y[j] - y[i])
    return out_x, out_y


def neighbours(z, x, y, seeds, rng, k):
    found = NearestNeighbors(n_neighbors=k + 1, algorithm="brute").fit(z).kneighbors(z, return_distance=False)[:, 1:]
    j, r = found[seeds, rng.integers(0, k, len(seeds))], rng.random(len(seeds))
    return x[seeds] + r[:, None] * (x[j] - x[seeds]), y[seeds] + r * (y[j] - y[seeds])


def cpu_seconds(run):
    """The mean of runs until a second has gone by, after one to warm up."""
    run()
    start, runs = time.process_time(), 0
    while runs < 3 or time.process_time() - start < 1.0:
        run()
        runs += 1
    return (time.process_time() - start) / runs


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    blocks = subprocess.run([STEPS_SPEED], check=True, capture_output=True, text=True).stdout.split("\n\n")
    steps, weights = ([line.split() for line in block.splitlines()[1:]] for block in blocks)
    ours = {(int(rows), step): float(seconds) for rows, step, _, seconds in steps}
    print(f"numpy {np.__version__}, scikit-learn {sklearn.__version__}\n")
    print("| rows | Python | Python, s | tailrank, s | ratio |\n|--:|---|--:|--:|--:|")
    for rows in (5_000, 100_000):
        rng = np.random.default_rng(1)
        x = rng.random((rows, 20))
        y = x.sum(axis=1) + rng.random(rows)
        for new_rows in (loop, neighbours):
            theirs = cpu_seconds(lambda: smote(x, y, rng, 5, new_rows))
            print(f"| {rows} | {new_rows.__name__} | {theirs:.5f} | {ours[rows, 'smote']:.5f} | {theirs / ours[rows, 'smote']:.1f} |", flush=True)
    print("\n| rows | step | tailrank, s |\n|--:|---|--:|")
    for (rows, step), seconds in ours.items():
        print(f"| {rows} | {step} | {seconds:.5f} |")
    print("\n| family | weighted / plain |\n|---|--:|")
    for family, _, _, ratio in weights:
        print(f"| {family} | {ratio} |")


main()
