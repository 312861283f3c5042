#!/usr/bin/env python3
"""Quality of `boost` beside LightGBM, XGBoost and scikit-learn: RMSE over random splits. (Speed: scripts/bench_peers.py --fits boost.)

    python3 scripts/bench_boost_quality.py

Needs numpy, scikit-learn, lightgbm and xgboost.
"""

import gzip
import os
import subprocess
import tempfile
import warnings
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[name] = "1"

import lightgbm
import numpy as np
import sklearn
import xgboost
from sklearn.datasets import make_friedman1

from bench_fits_python import boosting
from bench_peers import ROOT, embed, read_prices

warnings.filterwarnings("ignore")
DATA = ROOT / "crates/tailrank-data/data"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PEERS = ("LightGBM", "XGBoost", "scikit-learn")
TIME_FIT = Path(os.environ.get("TIME_FIT", TARGET / "release/examples/time_fit"))


def coca_cola():
    rows = np.array([x + [y] for _, x, y in embed(read_prices(DATA / "KO.csv.gz"))])
    return rows[:, :-1], rows[:, -1]


def table(name, target):
    with gzip.open(DATA / f"{name}.csv.gz", "rt") as f:
        names, *rows = [line.strip().split(",") for line in f]
    columns = []
    for j, column in enumerate(names):
        values = [r[j] for r in rows]
        if column == target:
            y = np.array(values, float)
        elif column == "sex":
            columns += [[float(v == kind) for v in values] for kind in ("M", "F")]
        else:
            columns.append([float(v) for v in values])
    return np.array(columns).T, y


def tailrank(work, x, y, z, variant):
    """The predictions of `boost`."""
    train, test, out = work / "train.csv", work / "test.csv", work / "out.csv"
    np.savetxt(train, np.column_stack([x, y]), delimiter=",", fmt="%.17g")
    np.savetxt(test, np.column_stack([z, np.zeros(len(z))]), delimiter=",", fmt="%.17g")
    subprocess.run([TIME_FIT, "boost", train, test, out, "1", variant], check=True, capture_output=True)
    return np.loadtxt(out, delimiter=",")


def quality(work):
    print("\nRMSE over 8 random splits (more for few rows), two thirds to train: 200 trees of depth 4, rate 0.1; mean, and ratio to the best peer")
    sets = {"KO": coca_cola(), "abalone": table("abalone", "rings"), "boston": table("boston", "medv"),
            "compactiv": table("compactiv", "usr"), "Friedman 10k": make_friedman1(10_000, noise=1.0, random_state=1)}
    print("| data | rows | splits | tailrank | LightGBM | XGBoost | scikit-learn's hist-GB | tailrank / best |\n|---|---|---|---|---|---|---|---|")
    for name, (x, y) in sets.items():
        errors = {}
        splits = max(8, 20_000 // len(y))
        for split in range(splits):
            order = np.random.default_rng(split).permutation(len(y))
            train, test = order[: 2 * len(y) // 3], order[2 * len(y) // 3 :]
            a, b, z = x[train], y[train], x[test]
            found = {"tailrank": tailrank(work, a, b, z, "trees=200,max_depth=4")}
            for peer, model in ((peer, lambda peer=peer: boosting(peer, 200, 4)) for peer in PEERS):
                found[peer] = model().fit(a, b).predict(z)
            for peer, p in found.items():
                errors.setdefault(peer, []).append(np.sqrt(np.mean((p - y[test]) ** 2)))
        means = {peer: np.mean(e) for peer, e in errors.items()}
        best = min(m for peer, m in means.items() if peer != "tailrank")
        print(f"| {name} | {len(y)} | {splits} | " + " | ".join(f"{m:.5g}" for m in means.values()) + f" | {means['tailrank'] / best:.4f} |", flush=True)


def main():
    if "TIME_FIT" not in os.environ:
        subprocess.run(["cargo", "build", "--release", "-p", "tailrank-models", "--example", "time_fit"], cwd=ROOT, check=True)
    print(f"numpy {np.__version__}, scikit-learn {sklearn.__version__}, LightGBM {lightgbm.__version__}, XGBoost {xgboost.__version__}")
    with tempfile.TemporaryDirectory() as work:
        quality(Path(work))


if __name__ == "__main__":
    main()
