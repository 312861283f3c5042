#!/usr/bin/env python3
"""The paper's grid in scikit-learn, for scripts/bench_peers.py: cores family train.csv test.csv [train.csv test.csv ...]"""

import sys
import warnings

import numpy as np
from joblib import Parallel, delayed
from sklearn.ensemble import RandomForestRegressor
from sklearn.neural_network import MLPRegressor
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

GRIDS = {
    "nnet": [(size, decay) for size in (5, 10, 15, 20, 30) for decay in (0.01, 0.05, 0.1)],
    "svm": [(cost, gamma) for cost in (400, 500, 600, 700) for gamma in (0.01, 0.005, 0.001, 0.0005)],
    "forest": [(trees, 0) for trees in range(50, 501, 50)],
}


def fit(family, a, b, train, test):
    warnings.filterwarnings("ignore")
    y, x, truth, z = train[:, 0], train[:, 1:], test[:, 0], test[:, 1:]
    if family == "nnet":
        # R's objective is the sum of squares + decay·Σw²; scikit-learn's is half the mean + alpha/2·Σw²/n.
        net = MLPRegressor(hidden_layer_sizes=(a,), activation="logistic", solver="lbfgs", alpha=2 * b, max_iter=100, random_state=1)
        p = net.fit(x, y).predict(z)
    elif family == "svm":
        sx, m, s = StandardScaler().fit(x), y.mean(), y.std()
        svr = SVR(C=a, gamma=b, epsilon=0.1, cache_size=1000).fit(sx.transform(x), (y - m) / s)
        p = svr.predict(sx.transform(z)) * s + m
    else:
        forest = RandomForestRegressor(a, max_features=1 / 3, min_samples_split=6, n_jobs=1, random_state=1)
        p = forest.fit(x, y).predict(z)
    e = p - truth
    return np.mean(np.abs(e)), np.sqrt(np.mean(e**2)), np.sum(np.abs(p) >= 0.02)


cores, family = int(sys.argv[1]), sys.argv[2]
if family not in GRIDS:
    sys.exit()
tables = [np.loadtxt(path, delimiter=",", skiprows=1) for path in sys.argv[3:]]
tasks = list(zip(tables[::2], tables[1::2]))
jobs = [(family, a, b, *task) for task in tasks for a, b in GRIDS[family]]
for row in Parallel(n_jobs=cores)(delayed(fit)(*job) for job in jobs):
    print("fit", *row)
