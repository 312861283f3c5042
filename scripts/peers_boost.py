#!/usr/bin/env python3
"""Writes the predictions that crates/tailrank-models/tests/boost_reference.rs checks `boost` against.

    python3 scripts/peers_boost.py      needs numpy, scikit-learn and lightgbm

Reads d_train.csv and d_test.csv from crates/tailrank-models/tests/fixtures and writes peers_boost.csv (model, i, pred) beside
them: first the test rows, then 60 training rows. With 200 rows no input has more than 255 values, so the trees are exact.

scikit-learn's leaves under the absolute, Huber and quantile losses are numpy's percentiles, interpolated between two rows
without weights and not at all with them. tailrank takes one rule for both (averaged_inverted_cdf), so that a weight of two is a
row twice; it is put in their place here and nothing else is changed.
"""

import csv
from pathlib import Path

import lightgbm
import numpy as np
import sklearn
from sklearn._loss.loss import HuberLoss, PinballLoss
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingRegressor
from sklearn.ensemble import _gb

FIXTURES = Path(__file__).parent.parent / "crates/tailrank-models/tests/fixtures"
RULE = "averaged_inverted_cdf"


def table(name):
    rows = np.genfromtxt(FIXTURES / name, delimiter=",", names=True)
    return np.column_stack([rows[c] for c in rows.dtype.names[1:]]), rows["y"]


def pinball(self, y_true, sample_weight=None):
    assert sample_weight is None
    return np.percentile(y_true, 100 * self.closs.quantile, method=RULE)


def huber(self, y_true, sample_weight=None):
    median = np.percentile(y_true, 50, method=RULE)
    diff = y_true - median
    return median + np.mean(np.sign(diff) * np.minimum(self.closs.delta, np.abs(diff)))


def huber_delta(loss, y_true, raw_prediction, sample_weight=None):
    loss.closs.delta = float(np.percentile(np.abs(y_true - raw_prediction.squeeze()), 100 * loss.quantile, method=RULE))


PinballLoss.fit_intercept_only = pinball
HuberLoss.fit_intercept_only = huber
_gb.set_huber_delta = huber_delta


def hist(trees=30, **changed):
    settings = dict(max_depth=3, max_leaf_nodes=None, min_samples_leaf=5, learning_rate=0.1, early_stopping=False)
    return HistGradientBoostingRegressor(max_iter=trees, **{**settings, **changed})


class LightGBM:
    """Leaf-wise trees; bins of one row each, so that it may cut anywhere."""

    def fit(self, x, y, sample_weight=None):
        params = dict(num_leaves=7, lambda_l2=2.5, min_data_in_leaf=5, min_sum_hessian_in_leaf=0, learning_rate=0.2,
                      max_bin=255, min_data_in_bin=1, verbose=-1, num_threads=1, deterministic=True)
        self.model = lightgbm.train(params, lightgbm.Dataset(x, y), 25)
        return self

    def predict(self, x):
        return self.model.predict(x)


def main():
    x, y = table("d_train.csv")
    test, _ = table("d_test.csv")
    rows = np.vstack([test, x[:60]])
    i = np.arange(len(y))
    whole, real = 1.0 + i % 3, 1.0 + (i * 7 % 11) / 8
    exact = dict(n_estimators=10, max_depth=3, min_samples_leaf=5, random_state=0)
    models = {
        "squared": (hist(), None),
        "deep": (hist(100, max_depth=6, learning_rate=0.3, min_samples_leaf=3), None),
        "leaves_l2": (hist(max_depth=None, max_leaf_nodes=6, l2_regularization=2.5), None),
        "bins_16": (hist(max_bins=16), None),
        # Gradients of few values make equal gains, which each program resolves by its rounding: few trees, and levels that are
        # exact in binary.
        "absolute": (hist(10, loss="absolute_error"), None),
        "quantile_0.25": (hist(loss="quantile", quantile=0.25), None),
        "huber_0.9": (GradientBoostingRegressor(loss="huber", alpha=0.9, **exact), None),
        "whole_weights": (hist(min_samples_leaf=1), whole),
        "real_weights": (hist(min_samples_leaf=1, l2_regularization=0.5), real),
        "real_weights_bins_16": (hist(min_samples_leaf=1, max_bins=16), real),
        "lightgbm": (LightGBM(), None),
    }
    with open(FIXTURES / "peers_boost.csv", "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["model", "i", "pred"])
        for name, (model, weights) in models.items():
            for n, p in enumerate(model.fit(x, y, sample_weight=weights).predict(rows), 1):
                writer.writerow([name, n, repr(float(p))])
    print(f"numpy {np.__version__}, scikit-learn {sklearn.__version__}, lightgbm {lightgbm.__version__}")


main()
