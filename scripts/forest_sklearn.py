"""Writes the scikit-learn figures that tests/forest_sklearn.rs checks `forest` against.

    python3 scripts/forest_sklearn.py

Reads d_train.csv and d_test.csv from crates/tailrank-models/tests/fixtures and writes forest_sklearn.csv beside them, one
line for each test row: predictions of three deterministic trees (all rows, all inputs: the cuts halfway between
neighbouring values are what test rows show), and mean and standard deviation over 4000 extremely randomised trees.
Made with scikit-learn 1.9.1.
"""

import csv
from pathlib import Path

import numpy as np
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.tree import DecisionTreeRegressor

FIXTURES = Path(__file__).parent.parent / "crates/tailrank-models/tests/fixtures"


def table(name):
    rows = np.genfromtxt(FIXTURES / name, delimiter=",", names=True)
    columns = rows.dtype.names
    return np.column_stack([rows[c] for c in columns[1:]]), rows["y"]


x, y = table("d_train.csv")
test, _ = table("d_test.csv")
columns = {}
# node_size = n leaves nodes of n cases unsplit.
for node_size, depth in ((5, 4), (20, None), (40, 6)):
    tree = DecisionTreeRegressor(min_samples_split=node_size + 1, max_depth=depth, random_state=0)
    columns[f"tree_{node_size}_{depth or 0}"] = tree.fit(x, y).predict(test)
for mtry, node_size in ((1, 5), (3, 10), (5, 20)):
    forest = ExtraTreesRegressor(4000, min_samples_split=node_size + 1, max_features=mtry, random_state=1)
    forest.fit(x, y)
    each = np.array([tree.predict(test) for tree in forest.estimators_])
    columns[f"extra_{mtry}_{node_size}_mean"] = each.mean(axis=0)
    columns[f"extra_{mtry}_{node_size}_sd"] = each.std(axis=0, ddof=1)
with open(FIXTURES / "forest_sklearn.csv", "w", newline="") as f:
    out = csv.writer(f, lineterminator="\n")
    out.writerow(columns)
    out.writerows([repr(float(v)) for v in row] for row in zip(*columns.values()))
