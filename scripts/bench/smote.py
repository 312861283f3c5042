#!/usr/bin/env python3
"""SmoteR in tailrank beside Python, and what case weights cost a fit: CPU seconds of one thread each.

    cargo build --release -p tailrank-models --example steps_speed
    python3 scripts/bench/smote.py                      prints the tables of results/benchmarks/smote.md
    python3 scripts/bench/smote.py --install            first installs the packages smogn and ImbalancedLearningRegression

Needs numpy and scikit-learn; STEPS_SPEED names another build of the example. 20 inputs, a twentieth of the rows rare at either end,
k = 5, bumps of equal size; every peer's run stands between two of tailrank's.

`loop` is the way of the packages smogn and ImbalancedLearningRegression: distances of a seed to its bump and new rows one after
another, in NumPy. `neighbours` takes scikit-learn's NearestNeighbors (brute force) and makes all new rows in one NumPy expression. The
packages themselves need a NumPy and a pandas of 2022, in a Python environment of their own (target/smote-venv), and are run on 5,000 rows
with the relevance they choose themselves; where they cannot be installed or fail, that is said. R's UBL is timed nowhere here: no
package of Debian's has it.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
import sklearn
from sklearn.neighbors import NearestNeighbors

from peers import machine

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
VENV = TARGET / "smote-venv"
PACKAGES = {"smogn": "smogn.smoter", "ImbalancedLearningRegression": "ImbalancedLearningRegression.smote"}
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
    """The median of runs until a second has gone by, after one to warm up."""
    run()
    times = []
    while len(times) < 3 or sum(times) < 1.0:
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return statistics.median(times)


def package(name, x, y):
    """CPU seconds of a package's own function, in its own environment."""
    code = ("import sys, time, pandas, importlib; table = pandas.read_csv(sys.argv[1]); module, _, function = sys.argv[2].rpartition('.');"
            "run = getattr(importlib.import_module(module), function); start = time.process_time(); run(data=table, y='y', k=5);"
            "print('seconds', time.process_time() - start)")
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as f:
        names = [f"x{j}" for j in range(x.shape[1])] + ["y"]
        np.savetxt(f, np.column_stack([x, y]), delimiter=",", header=",".join(names), comments="")
        f.flush()
        found = subprocess.run([VENV / "bin/python", "-c", code, f.name, PACKAGES[name]], capture_output=True, text=True, timeout=900)
    if found.returncode != 0:
        raise RuntimeError(found.stderr.strip().splitlines()[-1][:150])
    return float(found.stdout.rpartition("seconds ")[2])


def steps_speed(*names):
    """The example's two tables, as lists of fields."""
    text = subprocess.run([STEPS_SPEED, *names], check=True, capture_output=True, text=True).stdout
    return [[line.split() for line in block.splitlines()[1:]] for block in text.split("\n\n")]


def install():
    subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    for package in ("numpy==1.23.5 pandas==1.5.3 scikit-learn==1.2.2 tqdm", *PACKAGES):
        if subprocess.run([VENV / "bin/python", "-m", "pip", "install", "--prefer-binary", *package.split()]).returncode != 0:
            print(f"failed: {package}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", action="store_true")
    if parser.parse_args().install:
        install()
    smote_alone = lambda: {int(rows): float(seconds) for rows, _, _, seconds in steps_speed("smote")[0]}
    print(f"Machine: {machine()}. numpy {np.__version__}, scikit-learn {sklearn.__version__}.\n")
    print("| rows | Python | Python, s | tailrank, s | Python ÷ tailrank |\n|--:|---|--:|--:|--:|")
    before = smote_alone()
    for rows in (5_000, 100_000):
        rng = np.random.default_rng(1)
        x = rng.random((rows, 20))
        y = x.sum(axis=1) + rng.random(rows)
        runs = {f.__name__: lambda f=f: cpu_seconds(lambda: smote(x, y, rng, 5, f)) for f in (loop, neighbours)}
        if rows == 5_000 and VENV.exists():
            runs |= {f"{name} itself": lambda name=name: package(name, x, y) for name in PACKAGES}
        for name, run in runs.items():
            try:
                theirs = run()
            except (RuntimeError, subprocess.TimeoutExpired) as e:
                print(f"| {rows} | {name} | fails: {e} | | |", flush=True)
                continue
            after = smote_alone()
            ours = (before[rows] + after[rows]) / 2
            before = after
            print(f"| {rows} | {name} | {theirs:.5f} | {ours:.5f} | {theirs / ours:.1f} |", flush=True)
    steps, weights = steps_speed()
    print("\n| rows | step | tailrank, s |\n|--:|---|--:|")
    for rows, step, _, seconds in steps:
        print(f"| {rows} | {step} | {float(seconds):.5f} |")
    print("\n| family | plain fit, s | weights .5 to 1.5 ÷ plain | weights within 1e-6 of 1 ÷ plain |\n|---|--:|--:|--:|")
    for fields in weights:
        print(f"| {' | '.join(fields)} |")


if __name__ == "__main__":
    main()
