#!/usr/bin/env python3
"""The paper's grid in scikit-learn, for scripts/bench/peers.py: cores family train.csv test.csv [train.csv test.csv ...]

`family` is nnet, svm or forest; `svm=400,0.0005` is one variant of it.
"""

import sys
import warnings

import numpy as np
import scipy.optimize
from joblib import Parallel, delayed
from joblib.externals.loky import get_reusable_executor
from sklearn.ensemble import RandomForestRegressor
from sklearn.neural_network import MLPRegressor
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

GRIDS = {
    "nnet": [(size, decay) for size in (5, 10, 15, 20, 30) for decay in (0.01, 0.05, 0.1)],
    "svm": [(cost, gamma) for cost in (400, 500, 600, 700) for gamma in (0.01, 0.005, 0.001, 0.0005)],
    "forest": [(trees, 0) for trees in range(50, 501, 50)],
}


def without_early_stop(minimize):
    """MLPRegressor cannot pass L-BFGS's `ftol` on, whose default is absolute for small objectives: on returns of a few percent it
    ends the fit after 9 to 23 iterations, with a larger objective than R's 100. The same work is 100 iterations."""
    def minimize_on(*args, options=None, **kwargs):
        return minimize(*args, options={**(options or {}), "ftol": 0.0}, **kwargs)
    return minimize_on


def fit(family, a, b, train, test):
    warnings.filterwarnings("ignore")
    y, x, truth, z = train[:, 0], train[:, 1:], test[:, 0], test[:, 1:]
    if family == "nnet":
        # R's objective is SSE + decay·Σw²; scikit-learn's, times twice the rows, is SSE + alpha·Σw².
        if scipy.optimize.minimize.__name__ != "minimize_on":
            scipy.optimize.minimize = without_early_stop(scipy.optimize.minimize)
        net = MLPRegressor(hidden_layer_sizes=(int(a),), activation="logistic", solver="lbfgs", alpha=b, max_iter=100, tol=0.0, random_state=1)
        p = net.fit(x, y).predict(z)
    elif family == "svm":
        sx, m, s = StandardScaler().fit(x), y.mean(), y.std()
        svr = SVR(C=a, gamma=b, epsilon=0.1, cache_size=1000).fit(sx.transform(x), (y - m) / s)
        p = svr.predict(sx.transform(z)) * s + m
    else:
        forest = RandomForestRegressor(int(a), max_features=1 / 3, min_samples_split=6, n_jobs=1, random_state=1)
        p = forest.fit(x, y).predict(z)
    e = p - truth
    return np.mean(np.abs(e)), np.sqrt(np.mean(e**2)), np.sum(np.abs(p) >= 0.02)


def main():
    cores, (family, _, variant) = int(sys.argv[1]), sys.argv[2].partition("=")
    if family not in GRIDS:
        return
    grid = [tuple(float(v) for v in variant.split(","))] if variant else GRIDS[family]
    tables = [np.loadtxt(path, delimiter=",", skiprows=1) for path in sys.argv[3:]]
    tasks = list(zip(tables[::2], tables[1::2]))
    jobs = [(family, a, b, *task) for task in tasks for a, b in grid]
    for row in Parallel(n_jobs=cores)(delayed(fit)(*job) for job in jobs):
        print("fit", *row)
    if cores > 1:
        # Workers are waited for, so that their time is counted.
        get_reusable_executor().shutdown(wait=True)


if __name__ == "__main__":
    main()
