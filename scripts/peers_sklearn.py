"""Writes the scikit-learn figures that tests/peers_reference.rs checks `linear`, `knn` and `boost` against.

    python3 scripts/peers_sklearn.py

Reads d_train.csv and d_test.csv from crates/tailrank-models/tests/fixtures and writes beside them
peers_sklearn.csv (model, i, pred) and, from scikit-learn's own copy of the diabetes data (Efron et al. 2004),
peers_diabetes.csv (set, ten inputs, target, predictions of two boosting regressors).
"""

import csv
from pathlib import Path

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingRegressor
from sklearn.linear_model import ElasticNet, Lasso, Ridge
from sklearn.neighbors import KNeighborsRegressor

FIXTURES = Path(__file__).parent.parent / "crates/tailrank-models/tests/fixtures"


def table(name):
    rows = np.genfromtxt(FIXTURES / name, delimiter=",", names=True)
    columns = rows.dtype.names
    return np.column_stack([rows[c] for c in columns[1:]]), rows["y"]


def peers():
    x, y = table("d_train.csv")
    test, _ = table("d_test.csv")
    n = len(y)
    exact = dict(tol=1e-15, max_iter=10_000_000)
    models = {}
    for lam in (0.001, 0.1, 1.0, 10.0):
        # Ridge has no 1/(2n) before the squares.
        models[f"ridge_{lam}"] = Ridge(alpha=n * lam, solver="svd")
        models[f"lasso_{lam}"] = Lasso(alpha=lam, **exact)
        models[f"elastic_net_{lam}_0.3"] = ElasticNet(alpha=lam, l1_ratio=0.3, **exact)
    for distance in ("euclidean", "manhattan", "chebyshev"):
        for k in (1, 4, 15):
            for weights in ("uniform", "distance"):
                # Not "brute", whose Euclidean distances come from dot products and lose half their digits.
                models[f"knn_{distance}_{k}_{weights}"] = KNeighborsRegressor(
                    k, weights=weights, metric=distance, algorithm="kd_tree"
                )
    with open(FIXTURES / "peers_sklearn.csv", "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["model", "i", "pred"])
        for name, model in models.items():
            # The last ten rows repeat training rows, where inverse weights have their special case.
            rows = np.vstack([test, x[:10]])
            for i, p in enumerate(model.fit(x, y).predict(rows), 1):
                writer.writerow([name, i, repr(float(p))])


def diabetes():
    x, y = load_diabetes(return_X_y=True, scaled=False)
    is_test = np.arange(len(y)) % 3 == 0
    settings = dict(learning_rate=0.1, max_depth=3, min_samples_leaf=20)
    columns = {}
    for trees in (25, 100):
        histogram = HistGradientBoostingRegressor(
            max_iter=trees, max_leaf_nodes=None, early_stopping=False, max_bins=255, **settings
        )
        exact = GradientBoostingRegressor(n_estimators=trees, random_state=0, **settings)
        columns[f"hist_{trees}"] = histogram.fit(x[~is_test], y[~is_test]).predict(x)
        columns[f"exact_{trees}"] = exact.fit(x[~is_test], y[~is_test]).predict(x)
    with open(FIXTURES / "peers_diabetes.csv", "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["test"] + [f"x{j + 1}" for j in range(x.shape[1])] + ["y"] + list(columns))
        for i in range(len(y)):
            predictions = [repr(float(c[i])) for c in columns.values()]
            writer.writerow([int(is_test[i])] + [repr(float(v)) for v in x[i]] + [repr(float(y[i]))] + predictions)


peers()
diabetes()
