#!/usr/bin/env python3
"""The Python peers of scripts/bench/peers.py --fits: reads `peer fit data seconds` lines, answers each with one line of JSON.

The answer has the CPU seconds of every repetition (as many as fit into `seconds`, after one to warm up unless it took 20 s), of the fit and
its predictions alone, and the RMSE; or, under "skipped", why there is none. `fit` is as in fits.py, such as svm=400,0.0005.
"""

import importlib
import json
import os
import sys
import time
import warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
import scipy.optimize

from peers_sklearn import GRIDS, without_early_stop

warnings.filterwarnings("ignore")
BOOST_GRID = [(depth, rate) for depth in (3, 4, 6) for rate in (0.03, 0.1, 0.3)]
BOOST_SIZES = (100, 200, 300, 400, 500)
RIDGE = (0.0001, 0.001, 0.01, 0.1, 1.0)
LASSO = (1e-6, 3e-6, 1e-5, 3e-5, 1e-4)


def estimator(peer, module, name):
    """scikit-learn's class, or its Intel extension's."""
    package = "sklearnex" if peer == "sklearnex" else "sklearn"
    try:
        return getattr(importlib.import_module(f"{package}.{module}"), name)
    except (ImportError, AttributeError):
        raise LookupError(f"{peer} has no {name}") from None


def boosting(peer, trees, depth, rate=0.1):
    """The same trees as `boost` grows: all leaves of a depth, twenty rows each, no penalty, 255 bins."""
    if peer == "LightGBM":
        import lightgbm
        return lightgbm.LGBMRegressor(n_estimators=trees, max_depth=depth, num_leaves=2**depth, learning_rate=rate, min_child_samples=20, n_jobs=1, verbose=-1)
    if peer == "XGBoost":
        import xgboost
        return xgboost.XGBRegressor(n_estimators=trees, max_depth=depth, learning_rate=rate, min_child_weight=20, reg_lambda=0, max_bin=255, tree_method="hist", n_jobs=1)
    if peer == "CatBoost":
        import catboost
        return catboost.CatBoostRegressor(iterations=trees, depth=depth, learning_rate=rate, border_count=254, thread_count=1, verbose=False, allow_writing_files=False)
    if peer == "SnapML":
        import snapml
        return snapml.BoostingMachineRegressor(num_round=trees, max_depth=depth, min_max_depth=depth, max_max_depth=depth, learning_rate=rate, n_jobs=1)
    if peer == "scikit-learn":
        return estimator(peer, "ensemble", "HistGradientBoostingRegressor")(
            max_iter=trees, max_depth=depth, max_leaf_nodes=None, learning_rate=rate, min_samples_leaf=20, early_stopping=False)
    raise LookupError(f"{peer} has no boosting")


def forest(peer, trees):
    """A third of the inputs per split, nodes of five cases or fewer left alone."""
    if peer in ("scikit-learn", "sklearnex"):
        return estimator(peer, "ensemble", "RandomForestRegressor")(trees, max_features=1 / 3, min_samples_split=6, n_jobs=1, random_state=1)
    if peer == "SnapML":
        import snapml
        # It has no rule for nodes; leaves of two cases make trees of about our size.
        return snapml.RandomForestRegressor(trees, max_features=1 / 3, min_samples_leaf=2, use_histograms=True, n_jobs=1, random_state=1)
    if peer == "LightGBM":
        import lightgbm
        return lightgbm.LGBMRegressor(boosting_type="rf", n_estimators=trees, num_leaves=1 << 15, min_child_samples=2, subsample=0.632, subsample_freq=1,
                                      feature_fraction_bynode=1 / 3, n_jobs=1, verbose=-1)
    if peer == "XGBoost":
        import xgboost
        return xgboost.XGBRFRegressor(n_estimators=trees, max_depth=0, grow_policy="lossguide", min_child_weight=2, subsample=0.632, colsample_bynode=1 / 3,
                                      reg_lambda=0, tree_method="hist", n_jobs=1)
    raise LookupError(f"{peer} has no forest")


def svr(peer, cost, gamma):
    scaler, kind = estimator("scikit-learn", "preprocessing", "StandardScaler"), estimator(peer, "svm", "SVR")

    def run(x, y, z):
        scale, m, s = scaler().fit(x), y.mean(), y.std()
        return kind(C=cost, gamma=gamma, epsilon=0.1, cache_size=1000).fit(scale.transform(x), (y - m) / s).predict(scale.transform(z)) * s + m
    return run


def network(peer, size, decay):
    if scipy.optimize.minimize.__name__ != "minimize_on":
        scipy.optimize.minimize = without_early_stop(scipy.optimize.minimize)
    kind = estimator(peer, "neural_network", "MLPRegressor")
    return kind(hidden_layer_sizes=(int(size),), activation="logistic", solver="lbfgs", alpha=decay, max_iter=100, tol=0.0, random_state=1)


def faiss_neighbours(k):
    import faiss
    faiss.omp_set_num_threads(1)

    def run(x, y, z):
        index = faiss.IndexFlatL2(x.shape[1])
        index.add(x.astype("f4"))
        return y[index.search(z.astype("f4"), k)[1]].mean(axis=1)
    return run


def plain(model):
    return lambda x, y, z: model().fit(x, y).predict(z)


def one_after_another(runs):
    def run(x, y, z):
        for r in runs:
            found = r(x, y, z)
        return found
    return run


def boosting_grid(peer):
    """LightGBM predicts from the first trees of the largest ensemble, as a careful user has it; others fit each size anew."""
    if peer != "LightGBM":
        return one_after_another([plain(lambda: boosting(peer, t, d, r)) for d, r in BOOST_GRID for t in BOOST_SIZES])

    def run(x, y, z):
        for depth, rate in BOOST_GRID:
            model = boosting(peer, BOOST_SIZES[-1], depth, rate).fit(x, y)
            found = [model.predict(z, num_iteration=t) for t in BOOST_SIZES]
        return found[-1]
    return run


def lasso_path(penalties):
    from sklearn.linear_model import lasso_path

    def run(x, y, z):
        means, centre = x.mean(axis=0), y.mean()
        _, b, _ = lasso_path(x - means, y - centre, alphas=penalties[::-1])
        # Penalties descend: the first is the last of the others' grids.
        return ((z - means) @ b + centre)[:, 0]
    return run


def normal_equations(x, y, z):
    """Least squares as a user of NumPy writes it."""
    means, centre = x.mean(axis=0), y.mean()
    x = x - means
    return (z - means) @ np.linalg.solve(x.T @ x, x.T @ (y - centre)) + centre


def runner(peer, what, args):
    """The function (x, y, z) → predictions for z that is timed."""
    sklearns = ("scikit-learn", "sklearnex")
    linear = lambda name, **kwargs: plain(lambda: estimator(peer, "linear_model", name)(**kwargs))
    if what == "boost":
        return plain(lambda: boosting(peer, int(args[0]), int(args[1])))
    if what == "boost-grid" and peer in ("LightGBM", "XGBoost"):
        return boosting_grid(peer)
    if what == "forest":
        return plain(lambda: forest(peer, int(args[0])))
    if what == "forest-grid" and peer in (*sklearns, "SnapML"):
        return one_after_another([plain(lambda: forest(peer, t)) for t, _ in GRIDS["forest"]])
    if what == "knn" and peer == "faiss":
        return faiss_neighbours(int(args[0]))
    # On data of another scale the penalties are those times a number.
    penalties = [v * args[0] for v in LASSO] if args else list(LASSO)
    if what == "lasso" and peer == "scikit-learn-path":
        return lasso_path(penalties)
    if what == "ols" and peer == "NumPy":
        return normal_equations
    if peer not in sklearns:
        raise LookupError(f"{peer} has no {what}")
    if what == "svm":
        return svr(peer, *args)
    if what == "svm-grid":
        return one_after_another([svr(peer, *v) for v in GRIDS["svm"]])
    if what == "extra":
        return plain(lambda: estimator(peer, "ensemble", "ExtraTreesRegressor")(int(args[0]), max_features=1 / 3, min_samples_split=6, n_jobs=1, random_state=1))
    if what == "knn":
        return plain(lambda: estimator(peer, "neighbors", "KNeighborsRegressor")(int(args[0]), algorithm="brute", n_jobs=1))
    if what == "ols":
        return linear("LinearRegression")
    if what == "ridge":
        return one_after_another([lambda x, y, z, v=v: estimator(peer, "linear_model", "Ridge")(alpha=v * len(y)).fit(x, y).predict(z) for v in RIDGE])
    if what == "lasso":
        return one_after_another([linear("Lasso", alpha=v) for v in penalties])
    if what == "cart" and peer == "scikit-learn":
        # ccp_alpha is a share of the mean squared error of the root.
        return lambda x, y, z: estimator(peer, "tree", "DecisionTreeRegressor")(min_samples_split=20, min_samples_leaf=7, ccp_alpha=args[0] * y.var()).fit(x, y).predict(z)
    if what == "nnet" and peer == "scikit-learn":
        return plain(lambda: network(peer, *args))
    if what == "nnet-grid" and peer == "scikit-learn":
        return one_after_another([plain(lambda v=v: network(peer, *v)) for v in GRIDS["nnet"]])
    raise LookupError(f"{peer} has no {what}")


def answer(peer, fit, tables, seconds):
    what, _, values = fit.partition("=")
    run = runner(peer, what, [float(v) for v in values.split(",") if v])
    x, y, z, truth = tables
    if peer == "sklearnex":
        import daal4py
        daal4py.daalinit(1)
    times = []
    # The first run also pays for imports and pages: there is a second one unless it took so long that they do not matter.
    while not times or (len(times) == 1 and times[0] < 20) or (sum(times[1:]) < seconds and 1 < len(times) < 50):
        begin = time.process_time()
        found = run(x, y, z)
        times.append(time.process_time() - begin)
    return {"seconds": times[1:] or times, "rmse": float(np.sqrt(np.mean((found - truth) ** 2)))}


def main():
    data = {}
    for line in sys.stdin:
        peer, fit, folder, seconds = line.rstrip("\n").split("\t")
        try:
            if folder not in data:
                train, test = (np.loadtxt(f"{folder}-{part}.csv", delimiter=",") for part in ("train", "test"))
                data = {folder: tuple(np.ascontiguousarray(a) for a in (train[:, :-1], train[:, -1], test[:, :-1], test[:, -1]))}
            found = answer(peer, fit, data[folder], float(seconds))
        except (LookupError, ImportError) as e:
            found = {"skipped": str(e)}
        except Exception as e:
            found = {"skipped": f"{type(e).__name__}: {e}"}
        # Some libraries talk on standard output: the mark tells the answer.
        print("answer " + json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
