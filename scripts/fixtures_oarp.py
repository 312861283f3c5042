#!/usr/bin/env python3
"""Folds and t-tests for the oarp study's tests, by SciPy: crates/tailrank/tests/fixtures/oarp_{folds,tests}.csv

    python3 scripts/fixtures_oarp.py
"""

from pathlib import Path

import numpy as np
from scipy import stats

FOLDER = Path(__file__).resolve().parent.parent / "crates/tailrank/tests/fixtures"
RUNS, FOLDS = 10, 10
# name, test rows of a fold, share right by the first, by the second, share of folds with the same choice
CASES = [("apart", 27, 0.85, 0.80, 0.2), ("close", 70, 0.74, 0.74, 0.6), ("behind", 15, 0.78, 0.84, 0.0), ("alike", 35, 0.6, 0.6, 1.0)]

rng = np.random.default_rng(2011)
with open(FOLDER / "oarp_folds.csv", "w") as folds, open(FOLDER / "oarp_tests.csv", "w") as tests:
    folds.write("case,run,fold,first,second\n")
    tests.write("case,paired_t,paired_p,corrected_t,corrected_p\n")
    for name, rows, first, second, same in CASES:
        x = rng.binomial(rows, first, (RUNS, FOLDS)) / rows
        y = np.where(rng.random((RUNS, FOLDS)) < same, x, rng.binomial(rows, second, (RUNS, FOLDS)) / rows)
        for r in range(RUNS):
            for k in range(FOLDS):
                folds.write(f"{name},{r + 1},{k + 1},{float(x[r, k])!r},{float(y[r, k])!r}\n")
        paired = stats.ttest_rel(x.mean(1), y.mean(1))
        d = (x - y).ravel()
        if d.any():
            # Nadeau & Bengio 2003: the variance of the mean is s²·(1/J + n_test/n_train).
            t = d.mean() / np.sqrt(d.var(ddof=1) * (1 / d.size + 1 / (FOLDS - 1)))
            values = [paired.statistic, paired.pvalue, t, 2 * stats.t.sf(abs(t), d.size - 1)]
            tests.write(",".join([name, *(repr(float(v)) for v in values)]) + "\n")
        else:
            tests.write(f"{name},,,,\n")
