#!/usr/bin/env python3
"""One family of PR09's grid in scikit-learn, for scripts/bench_grid.py: bench_grid_sklearn.py train.csv test.csv family"""

import sys
import warnings

import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.neural_network import MLPRegressor
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

warnings.filterwarnings("ignore")
train, test = (np.loadtxt(path, delimiter=",", skiprows=1) for path in sys.argv[1:3])
y, x, truth, z = train[:, 0], train[:, 1:], test[:, 0], test[:, 1:]


def say(p):
    e = p - truth
    print("fit", np.mean(np.abs(e)), np.sqrt(np.mean(e**2)), np.sum(np.abs(p) >= 0.02))


if sys.argv[3] == "nnet":
    for size in (5, 10, 15, 20, 30):
        for decay in (0.01, 0.05, 0.1):
            # R's objective is the sum of squares + decay·Σw²; scikit-learn's is half the mean + alpha/2·Σw²/n.
            net = MLPRegressor((size,), activation="logistic", solver="lbfgs", alpha=2 * decay, max_iter=100, random_state=1)
            say(net.fit(x, y).predict(z))
elif sys.argv[3] == "svm":
    sx, m, s = StandardScaler().fit(x), y.mean(), y.std()
    for cost in (400, 500, 600, 700):
        for gamma in (0.01, 0.005, 0.001, 0.0005):
            svr = SVR(C=cost, gamma=gamma, epsilon=0.1, cache_size=1000).fit(sx.transform(x), (y - m) / s)
            say(svr.predict(sx.transform(z)) * s + m)
elif sys.argv[3] == "forest":
    for trees in range(50, 501, 50):
        forest = RandomForestRegressor(trees, max_features=1 / 3, min_samples_split=6, n_jobs=1, random_state=1)
        say(forest.fit(x, y).predict(z))
