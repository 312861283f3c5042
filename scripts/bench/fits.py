"""In-process fits of scripts/bench/peers.py --fits: CPU seconds of fit and predictions alone, one thread, without the start of a program.

Every peer's turn stands between two of tailrank's; a ratio above 1 says that tailrank is ahead. A turn repeats a short fit and takes the
median. Data: Coca-Cola's three-day returns (5028 rows to learn from, 4668 to predict, 24 inputs) and, as `100k`, Friedman's first function
with 20 inputs (100,000 rows to learn from, 25,000 to predict).
"""

import json
import os
import statistics
import subprocess
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
SIZES = (100, 200, 300, 400, 500)
SVM = [f"cost={c},gamma={g}" for c in (400, 500, 600, 700) for g in (0.01, 0.005, 0.001, 0.0005)]
NNET = [f"size={s},decay={d}" for s in (5, 10, 15, 20, 30) for d in (0.01, 0.05, 0.1)]
MARS = [f"penalty={p},threshold={t}" for p in (1, 2, 3, 4) for t in (0.01, 0.005, 0.001, 0.0005)]
BOOST = [f"trees={t},max_depth={d},learning_rate={r}" for d in (3, 4, 6) for r in (0.03, 0.1, 0.3) for t in SIZES]
SKLEARNS = ["scikit-learn", "sklearnex"]
BOOSTERS = ["LightGBM", "XGBoost", "CatBoost", "SnapML", "scikit-learn"]
FORESTS = ["sklearnex", "ranger", "SnapML", "LightGBM", "XGBoost", "scikit-learn"]
# Peers that take minutes and are far behind: with --long only.
LONG = {("boost, grid of 45", "XGBoost"), ("forest, 100 trees", "LightGBM"), ("forest, 500 trees", "ranger"), ("forest, grid of 10", "SnapML"),
        ("SVR, C 400, γ .01", "scikit-learn"), ("forest, 100 trees, 100k", "XGBoost"), ("forest, 100 trees, 100k", "ranger")}
R_PEERS = {"ranger", "earth", "glmnet", "rpart", "R"}
# name, what the peers' scripts call it, data, tailrank's family and variants, peers
FITS = [
    ("OLS", "ols", "KO", "linear", ["penalty=none"], [*SKLEARNS, "NumPy", "R"]),
    ("ridge, 5 penalties", "ridge", "KO", "linear", [f"penalty=ridge,lambda={v}" for v in (0.0001, 0.001, 0.01, 0.1, 1.0)], [*SKLEARNS, "glmnet"]),
    ("lasso, 5 penalties", "lasso", "KO", "linear", [f"penalty=lasso,lambda={v}" for v in ("0.000001", "0.000003", "0.00001", "0.00003", "0.0001")],
     [*SKLEARNS, "scikit-learn-path", "glmnet"]),
    ("CART, cp .001", "cart=0.001", "KO", "cart", ["cp=0.001"], ["rpart", "scikit-learn"]),
    ("kNN, k 5", "knn=5", "KO", "knn", ["k=5"], [*SKLEARNS, "faiss"]),
    ("MARS", "mars=2,0.001", "KO", "mars", ["penalty=2,threshold=0.001"], ["earth", "R"]),
    ("MARS, grid of 16", "mars-grid", "KO", "mars", MARS, ["earth"]),
    ("boost, 100 × depth 3", "boost=100,3", "KO", "boost", ["trees=100,max_depth=3"], BOOSTERS),
    ("boost, 500 × depth 6", "boost=500,6", "KO", "boost", ["trees=500,max_depth=6"], BOOSTERS),
    ("boost, grid of 45", "boost-grid", "KO", "boost", BOOST, ["LightGBM", "XGBoost"]),
    ("forest, 100 trees", "forest=100", "KO", "forest", ["trees=100"], FORESTS),
    ("forest, 500 trees", "forest=500", "KO", "forest", ["trees=500"], ["sklearnex", "ranger"]),
    ("forest, grid of 10", "forest-grid", "KO", "forest", [f"trees={t}" for t in range(50, 501, 50)], ["sklearnex", "SnapML"]),
    ("extra-trees, 100", "extra=100", "KO", "forest", ["trees=100,extra_trees=true"], [*SKLEARNS, "ranger"]),
    ("SVR, C 400, γ .0005", "svm=400,0.0005", "KO", "svm", ["cost=400,gamma=0.0005"], [*SKLEARNS, "R"]),
    ("SVR, C 400, γ .01", "svm=400,0.01", "KO", "svm", ["cost=400,gamma=0.01"], [*SKLEARNS]),
    ("SVR, grid of 16", "svm-grid", "KO", "svm", SVM, ["sklearnex"]),
    ("nnet, 10 units", "nnet=10,0.05", "KO", "nnet", ["size=10,decay=0.05"], ["scikit-learn", "R"]),
    ("nnet, grid of 15", "nnet-grid", "KO", "nnet", NNET, ["scikit-learn"]),
    ("OLS, 100k", "ols", "100k", "linear", ["penalty=none"], [*SKLEARNS, "NumPy", "R"]),
    ("ridge, 5 penalties, 100k", "ridge", "100k", "linear", [f"penalty=ridge,lambda={v}" for v in (0.0001, 0.001, 0.01, 0.1, 1.0)], [*SKLEARNS, "glmnet"]),
    ("lasso, 5 penalties, 100k", "lasso=1000", "100k", "linear", [f"penalty=lasso,lambda={v}" for v in (0.001, 0.003, 0.01, 0.03, 0.1)],
     [*SKLEARNS, "scikit-learn-path", "glmnet"]),
    ("CART, cp .001, 100k", "cart=0.001", "100k", "cart", ["cp=0.001"], ["rpart", "scikit-learn"]),
    ("kNN, k 5, 100k", "knn=5", "100k", "knn", ["k=5"], [*SKLEARNS, "faiss"]),
    ("MARS degree 2, 100k", "mars2", "100k", "mars", ["degree=2"], ["earth"]),
    ("boost, 100 × depth 3, 100k", "boost=100,3", "100k", "boost", ["trees=100,max_depth=3"], BOOSTERS),
    ("nnet, 10 units, 100k", "nnet=10,0.05", "100k", "nnet", ["size=10,decay=0.05"], ["scikit-learn"]),
    ("forest, 100 trees, 100k", "forest=100", "100k", "forest", ["trees=100"], ["sklearnex", "ranger", "XGBoost"]),
]


class Worker:
    """A program that answers lines: started once, so that neither its start nor its reading of files is timed."""

    def __init__(self, command):
        alone = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=alone)

    def ask(self, *fields):
        self.process.stdin.write("\t".join(str(f) for f in fields) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("answer "):
                return json.loads(line[7:])
        return {"skipped": f"its program ended with code {self.process.wait()}"}

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def write_data(folder, rows, train, python):
    """The two data sets as CSV files, target last, without header."""
    for part, chosen in (("train", rows[:train]), ("test", rows[train:])):
        (folder / f"KO-{part}.csv").write_text("".join(",".join(repr(v) for v in [*x, y]) + "\n" for _, x, y in chosen))
    made = ("import sys, numpy as np; rng = np.random.default_rng(1); x = rng.random((125_000, 20));"
            "y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - .5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4] + rng.normal(size=125_000);"
            "t = np.column_stack([x, y]); [np.savetxt(f'{sys.argv[1]}/100k-{n}.csv', p, delimiter=',', fmt='%.17g') for n, p in (('train', t[:100_000]), ('test', t[100_000:]))]")
    subprocess.run([python, "-c", made, str(folder)], check=True)


class Tailrank:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def fit(self, family, data, variants, times):
        """The median CPU seconds of `times` repetitions, and the last variant's RMSE."""
        train, test, out = (self.folder / f for f in (f"{data}-train.csv", f"{data}-test.csv", "out.csv"))
        alone = {**os.environ, "RAYON_NUM_THREADS": "1"}
        run = subprocess.run([self.program, family, train, test, out, str(times), *variants], check=True, capture_output=True, text=True, env=alone)
        seconds = [float(v) for v in run.stdout.split()]
        truth = [float(line.rpartition(",")[2]) for line in test.read_text().splitlines()]
        found = [float(line.rpartition(",")[2]) for line in out.read_text().splitlines()]
        rmse = (sum((a - b) ** 2 for a, b in zip(truth, found)) / len(truth)) ** 0.5
        return statistics.median(seconds[1:] or seconds), rmse


def race(tailrank, workers, fit, folder, arguments):
    """One row per peer: medians of both, and the ratios of its turns to tailrank's before and after."""
    name, what, data, family, variants, peers = fit
    first, rmse = tailrank.fit(family, data, variants, 1)
    times = max(1, min(60, round(arguments.turn / max(first, 1e-4)) + 1))
    ours = lambda: tailrank.fit(family, data, variants, times)[0]
    before, rows = ours(), []
    for peer in peers:
        if (name, peer) in LONG and not arguments.long:
            continue
        worker = workers["R" if peer in R_PEERS else "Python"]
        mine, theirs, ratios = [before], [], []
        for _ in range(arguments.rounds):
            found = worker.ask(peer, what, folder / data, arguments.turn)
            if "skipped" in found:
                print(f"  {name:28} {peer:18} skipped: {found['skipped']}", flush=True)
                break
            theirs.append(statistics.median(found["seconds"]))
            after = ours()
            ratios.append(theirs[-1] / ((before + after) / 2))
            mine.append(after)
            before = after
            if theirs[-1] > arguments.budget:
                break
        if ratios:
            rows.append({"fit": name, "peer": peer, "tailrank_s": statistics.median(mine), "peer_s": statistics.median(theirs), "ratios": ratios,
                         "tailrank_rmse": rmse, "peer_rmse": found.get("rmse")})
            r = rows[-1]
            print(f"  {name:28} {peer:18} {r['peer_s']:9.4f}  {r['tailrank_s']:9.4f}  {statistics.median(ratios):6.2f}", flush=True)
    return rows


def seconds(value):
    return f"{1000 * value:.2f} ms" if value < 0.02 else f"{value:.3g} s"


def table(rows):
    lines = ["| fit | peer | tailrank | peer | peer ÷ tailrank | RMSE tailrank | RMSE peer |", "|---|---|--:|--:|--:|--:|--:|"]
    for r in rows:
        middle, low, high = statistics.median(r["ratios"]), min(r["ratios"]), max(r["ratios"])
        ratio = f"{middle:.2f}" + (f" ({low:.2f}–{high:.2f})" if len(r["ratios"]) > 1 else "")
        if middle < 1.2:
            ratio = f"**{ratio}**"
        lines.append(f"| {r['fit']} | {r['peer']} | {seconds(r['tailrank_s'])} | {seconds(r['peer_s'])} | {ratio} | {r['tailrank_rmse']:.5g} | {r['peer_rmse']:.5g} |")
    return lines


def run(arguments, program, python, rows, train, folder, page, found):
    """Races the fits whose names hold one of the wanted words and that are not among those found before; `page` is called with the rows so
    far after each."""
    write_data(folder, rows, train, python)
    workers = {"Python": Worker([python, str(SCRIPTS / "fits_python.py")]), "R": Worker(["Rscript", "--vanilla", str(SCRIPTS / "fits.R")])}
    tailrank, done = Tailrank(program, folder), {row["fit"] for row in found}
    wanted = [w.strip() for w in arguments.fits.split(",") if w.strip()]
    for fit in FITS:
        if fit[0] not in done and (not wanted or any(w in fit[0] for w in wanted)):
            found += race(tailrank, workers, fit, folder, arguments)
            page(found)
    for worker in workers.values():
        worker.close()
    return found
