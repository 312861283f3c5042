"""Writes the weighted fits of scikit-learn that tests/weights_reference.rs checks the families against.

    python3 scripts/weights_sklearn.py

Reads d_train.csv and d_test.csv from crates/tailrank-models/tests/fixtures and writes beside them
weights_cases.csv (i, w: the weight of each training row) and weights_sklearn.csv (model, i, pred), and isotonic.csv
(part, x, y: points of an isotonic regression and its answers).
"""

import csv
from pathlib import Path

import numpy as np
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, Ridge
from sklearn.svm import SVR, NuSVR
from sklearn.tree import DecisionTreeRegressor

FIXTURES = Path(__file__).parent.parent / "crates/tailrank-models/tests/fixtures"


def table(name):
    rows = np.genfromtxt(FIXTURES / name, delimiter=",", names=True)
    columns = rows.dtype.names
    return np.column_stack([rows[c] for c in columns[1:]]), rows["y"]


def write(name, header, rows):
    with open(FIXTURES / name, "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def weighted():
    x, y = table("d_train.csv")
    test, _ = table("d_test.csv")
    w = np.round(np.exp(np.random.default_rng(16).normal(size=len(y))), 3)
    assert (w > 0).all()
    exact = dict(tol=1e-15, max_iter=10_000_000)
    models = {"linear": LinearRegression()}
    for lam in (0.01, 1.0):
        # Ridge has no 1/(2n) before the squares, n being the sum of the weights; the others scale weights to mean 1.
        models[f"ridge_{lam}"] = Ridge(alpha=w.sum() * lam, solver="cholesky")
        models[f"lasso_{lam}"] = Lasso(alpha=lam, **exact)
        models[f"elastic_net_{lam}_0.3"] = ElasticNet(alpha=lam, l1_ratio=0.3, **exact)
    # Smaller nodes have splits that tie, which scikit-learn decides by a draw.
    for split, leaf in ((20, 7), (40, 5)):
        models[f"tree_{split}_{leaf}"] = DecisionTreeRegressor(min_samples_split=split, min_samples_leaf=leaf, random_state=0)
    for cost in (0.5, 10.0):
        models[f"svr_{cost}"] = SVR(C=cost, epsilon=0.1, gamma=0.2, tol=1e-9)
        models[f"nusvr_{cost}"] = NuSVR(C=cost, nu=0.4, gamma=0.2, tol=1e-9)
    models["svr_linear"] = SVR(kernel="linear", C=1.0, epsilon=0.2, tol=1e-9)
    rows = []
    for name, model in models.items():
        for i, p in enumerate(model.fit(x, y, sample_weight=w).predict(test), 1):
            rows.append([name, i, repr(float(p))])
    write("weights_cases.csv", ["i", "w"], [[i, repr(float(v))] for i, v in enumerate(w, 1)])
    write("weights_sklearn.csv", ["model", "i", "pred"], rows)


def isotonic():
    rng = np.random.default_rng(3)
    x = np.round(rng.normal(size=80), 1)
    y = x + rng.normal(size=80)
    asked = np.round(np.linspace(-4, 4, 60), 3)
    answers = IsotonicRegression(out_of_bounds="clip").fit(x, y).predict(asked)
    points = [["fit", repr(float(a)), repr(float(b))] for a, b in zip(x, y)]
    write("isotonic.csv", ["part", "x", "y"], points + [["ask", repr(float(a)), repr(float(b))] for a, b in zip(asked, answers)])


weighted()
isotonic()
