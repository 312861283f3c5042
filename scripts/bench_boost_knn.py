#!/usr/bin/env python3
"""`boost` and `knn` beside LightGBM, XGBoost, scikit-learn, its Intel extension and faiss: quality and CPU time, one core each.

    python3 scripts/bench_boost_knn.py                      all tables, about ten minutes
    python3 scripts/bench_boost_knn.py quality|single|grid|knn …

Needs numpy, scikit-learn, lightgbm and xgboost; scikit-learn-intelex and faiss-cpu are skipped with a word if missing. Times are CPU
seconds of the fit and its predictions, without reading files or starting programs. Every peer's run stands between two of
tailrank's; a ratio above 1 says that tailrank is ahead.
"""

import gzip
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[name] = "1"

import lightgbm
import numpy as np
import sklearn
import xgboost
from sklearn.datasets import make_friedman1
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.neighbors import KNeighborsRegressor

from bench_peers import ROOT, embed, read_prices

warnings.filterwarnings("ignore")
DATA = ROOT / "crates/tailrank-data/data"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
TIME_FIT = Path(os.environ.get("TIME_FIT", TARGET / "release/examples/time_fit"))
ROUNDS = 5


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


def tailrank(work, family, x, y, z, variants, times=1):
    """CPU seconds of every repetition, and one column of predictions per variant."""
    train, test, out = work / "train.csv", work / "test.csv", work / "out.csv"
    key = (id(x), id(z))
    if getattr(tailrank, "written", None) != key:
        np.savetxt(train, np.column_stack([x, y]), delimiter=",", fmt="%.17g")
        np.savetxt(test, np.column_stack([z, np.zeros(len(z))]), delimiter=",", fmt="%.17g")
        tailrank.written = key
    run = subprocess.run([TIME_FIT, family, train, test, out, str(times), *variants], check=True, capture_output=True, text=True)
    return [float(v) for v in run.stdout.split()], np.loadtxt(out, delimiter=",", ndmin=2).T


def peers(trees, depth, rate):
    """The same trees as `boost` grows: all leaves of a depth, twenty rows each, no penalty, 255 bins."""
    return {
        "LightGBM": lambda: lightgbm.LGBMRegressor(n_estimators=trees, max_depth=depth, num_leaves=2**depth, learning_rate=rate,
                                                   min_child_samples=20, n_jobs=1, verbose=-1),
        "XGBoost": lambda: xgboost.XGBRegressor(n_estimators=trees, max_depth=depth, learning_rate=rate, min_child_weight=20,
                                                reg_lambda=0, max_bin=255, tree_method="hist", n_jobs=1),
        "hist-GB": lambda: HistGradientBoostingRegressor(max_iter=trees, max_depth=depth, max_leaf_nodes=None, learning_rate=rate,
                                                         min_samples_leaf=20, early_stopping=False),
    }


def quality(work):
    print("\nRMSE over 8 random splits (more for few rows), two thirds to train: 200 trees of depth 4, rate 0.1; mean, and ratio to the best peer")
    sets = {"KO": coca_cola(), "abalone": table("abalone", "rings"), "boston": table("boston", "medv"),
            "compactiv": table("compactiv", "usr"), "Friedman 10k": make_friedman1(10_000, noise=1.0, random_state=1)}
    print("| data | rows | splits | tailrank | LightGBM | XGBoost | hist-GB | tailrank / best |\n|---|---|---|---|---|---|---|---|")
    for name, (x, y) in sets.items():
        errors = {}
        splits = max(8, 20_000 // len(y))
        for split in range(splits):
            order = np.random.default_rng(split).permutation(len(y))
            train, test = order[: 2 * len(y) // 3], order[2 * len(y) // 3 :]
            a, b, z = x[train], y[train], x[test]
            found = {"tailrank": tailrank(work, "boost", a, b, z, ["trees=200,max_depth=4"])[1][0]}
            for peer, model in peers(200, 4, 0.1).items():
                found[peer] = model().fit(a, b).predict(z)
            for peer, p in found.items():
                errors.setdefault(peer, []).append(np.sqrt(np.mean((p - y[test]) ** 2)))
        means = {peer: np.mean(e) for peer, e in errors.items()}
        best = min(m for peer, m in means.items() if peer != "tailrank")
        print(f"| {name} | {len(y)} | {splits} | " + " | ".join(f"{m:.5g}" for m in means.values()) + f" | {means['tailrank'] / best:.4f} |", flush=True)


def race(what, ours, peers, rounds=ROUNDS):
    """Alternates; `ours` returns CPU seconds, each peer is a function whose CPU time is taken."""
    for peer, run in peers.items():
        times, ratios = [], []
        before = ours()
        for _ in range(rounds):
            begin = time.process_time()
            run()
            times.append(time.process_time() - begin)
            after = ours()
            ratios.append(times[-1] / ((before + after) / 2))
            before = after
        spread = f"{min(ratios):.2f}–{max(ratios):.2f}"
        print(f"| {what} | {peer} | {statistics.median(times):.4f} | {statistics.median(times) / statistics.median(ratios):.4f} | "
              f"{statistics.median(ratios):.2f} ({spread}) |", flush=True)


def header(title):
    print(f"\n{title}\n| fit | peer | peer s | tailrank s | ratio |\n|---|---|---|---|---|")


def coca_cola_split():
    x, y = coca_cola()
    return x[:5028].copy(), y[:5028].copy(), x[5028:9696].copy()


def single(work):
    header("Single fits, 5028 × 24, 4668 test rows")
    x, y, z = coca_cola_split()
    for trees, depth in ((100, 3), (500, 6)):
        variant = [f"trees={trees},max_depth={depth}"]
        runs = {peer: (lambda model=model: model().fit(x, y).predict(z)) for peer, model in peers(trees, depth, 0.1).items()}
        race(f"{trees} trees, depth {depth}", lambda: statistics.median(tailrank(work, "boost", x, y, z, variant, 3)[0]), runs)


def grid(work):
    header("Grid: depths 3, 4, 6 × rates 0.03, 0.1, 0.3 × 100, 200, 300, 400, 500 trees")
    x, y, z = coca_cola_split()
    depths, rates, sizes = (3, 4, 6), (0.03, 0.1, 0.3), (100, 200, 300, 400, 500)
    variants = [f"trees={t},max_depth={d},learning_rate={r}" for d in depths for r in rates for t in sizes]

    def anew():
        for d in depths:
            for r in rates:
                for t in sizes:
                    peers(t, d, r)["LightGBM"]().fit(x, y).predict(z)

    def by_prefixes():
        for d in depths:
            for r in rates:
                model = peers(500, d, r)["LightGBM"]().fit(x, y)
                for t in sizes:
                    model.predict(z, num_iteration=t)

    ours = lambda: tailrank(work, "boost", x, y, z, variants)[0][0]
    race("45 variants", ours, {"LightGBM, each anew": anew, "LightGBM, prefixes of nine": by_prefixes}, rounds=2)


def knn(work):
    header("k = 5")
    generator = np.random.default_rng(1)
    a = generator.normal(size=(125_000, 20))
    b = a[:, 0] + np.sin(3 * a[:, 1])
    for what, (x, y, z), rounds in (("5028 × 24, 4668 queries", coca_cola_split(), ROUNDS),
                                    ("100,000 × 20, 25,000 queries", (a[:100_000].copy(), b[:100_000], a[100_000:].copy()), 2)):
        runs = {"scikit-learn brute": lambda: KNeighborsRegressor(5, algorithm="brute", n_jobs=1).fit(x, y).predict(z)}
        try:
            from sklearnex.neighbors import KNeighborsRegressor as Extension
            runs["scikit-learn-intelex brute"] = lambda: Extension(5, algorithm="brute", n_jobs=1).fit(x, y).predict(z)
        except ImportError:
            print("scikit-learn-intelex is missing", file=sys.stderr)
        try:
            import faiss
            faiss.omp_set_num_threads(1)

            def flat():
                index = faiss.IndexFlatL2(x.shape[1])
                index.add(x.astype("f4"))
                return y[index.search(z.astype("f4"), 5)[1]].mean(axis=1)
            runs["faiss flat, f32"] = flat
        except ImportError:
            print("faiss is missing", file=sys.stderr)
        race(what, lambda: statistics.median(tailrank(work, "knn", x, y, z, ["k=5"], 3 if rounds > 2 else 1)[0]), runs, rounds)


def main():
    if "TIME_FIT" not in os.environ:
        subprocess.run(["cargo", "build", "--release", "-p", "tailrank-models", "--example", "time_fit"], cwd=ROOT, check=True)
    wanted = sys.argv[1:] or ["quality", "single", "grid", "knn"]
    print(f"numpy {np.__version__}, scikit-learn {sklearn.__version__}, LightGBM {lightgbm.__version__}, XGBoost {xgboost.__version__}")
    with tempfile.TemporaryDirectory() as work:
        for part in wanted:
            {"quality": quality, "single": single, "grid": grid, "knn": knn}[part](Path(work))


if __name__ == "__main__":
    main()
