"""Forests here, in R's randomForest and in scikit-learn: CPU per tree and accuracy, alternating on one core.

    cargo build --release -p tailrank-models --example forest_grid
    python3 forest_peers.py <forest_grid program> train.csv test.csv [rounds] [trees]

The CSV files have the target first and a header. Each round fits one forest of `trees` trees (50) with each peer and
one grid of ten sizes up to that number here; CPU seconds of the fit and the prediction are those of the process less
those of the same process with nothing to fit. A peer that is missing is skipped.
"""
import os, resource, shutil, subprocess, sys

ours, train, test = sys.argv[1:4]
rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
trees = int(sys.argv[5]) if len(sys.argv) > 5 else 50
env = dict(os.environ, RAYON_NUM_THREADS="1", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

R = """
a <- commandArgs(TRUE); suppressMessages(library(randomForest))
d <- read.csv(a[1]); e <- read.csv(a[2]); x <- as.matrix(d[, -1]); z <- as.matrix(e[, -1]); set.seed(as.integer(a[4]))
t <- system.time(p <- predict(randomForest(x, d[, 1], ntree = as.integer(a[3])), z))
cat(t[[1]], mean(abs(p - e[, 1])), sqrt(mean((p - e[, 1])^2)), sum(abs(p) >= .02), "\\n")
"""
PYTHON = """
import sys, time, numpy as np
from sklearn.ensemble import RandomForestRegressor
d, e = (np.loadtxt(f, delimiter=",", skiprows=1) for f in sys.argv[1:3])
m = RandomForestRegressor(int(sys.argv[3]), max_features=max(1, (d.shape[1] - 1) // 3), min_samples_split=6, n_jobs=1,
                          random_state=int(sys.argv[4]))
t = time.process_time(); p = m.fit(d[:, 1:], d[:, 0]).predict(e[:, 1:]); t = time.process_time() - t
print(t, np.abs(p - e[:, 0]).mean(), np.sqrt(((p - e[:, 0]) ** 2).mean()), (np.abs(p) >= .02).sum())
"""


def cpu(argv):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    out = subprocess.run(argv, env=env, check=True, capture_output=True, text=True).stdout
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, out


def native(seed):
    """A grid of ten sizes, less the start-up measured with ten single-tree sizes."""
    start, _ = cpu([ours, train, test, str(seed), "1"])
    total, out = cpu([ours, train, test, str(seed), str(trees // 10)])
    last = out.splitlines()[-1].split()
    per_tree = (total - start) / (trees - 10)
    return per_tree * trees, float(last[1]), float(last[2]), int(last[3])


def peer(argv):
    def fit(seed):
        return tuple(map(float, cpu(argv + [train, test, str(trees), str(seed)])[1].split()))
    return fit


peers = {"tailrank": native}
if shutil.which("Rscript"):
    peers["randomForest (R)"] = peer(["Rscript", "-e", R, "--args"])
try:
    import sklearn
    peers["scikit-learn"] = peer([sys.executable, "-c", PYTHON])
except ImportError:
    pass
runs = {name: [] for name in peers}
for seed in range(1, rounds + 1):
    for name, fit in peers.items():
        runs[name].append(fit(seed))
base = min(r[0] for r in runs["tailrank"])
print(f"{trees} trees, {rounds} alternating rounds")
print("| engine | CPU ms per tree: least, median | ratio per tree (least) | ten sizes up to N | MAD | RMSE | signals |\n|---|---|---|---|---|---|---|")
for name, r in runs.items():
    times = sorted(v[0] for v in r)
    mean = lambda i: sum(v[i] for v in r) / len(r)
    # Without shared trees, ten sizes up to N need 5.5 N trees.
    whole = times[0] / base * (1 if name == "tailrank" else 5.5)
    print(f"| {name} | {1e3 * times[0] / trees:.2f}, {1e3 * times[len(times) // 2] / trees:.2f} | {times[0] / base:.1f} | {whole:.0f} "
          f"| {mean(1):.6f} | {mean(2):.6f} | {mean(3):.1f} |")
