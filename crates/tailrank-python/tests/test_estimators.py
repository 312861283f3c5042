"""scikit-learn and imbalanced-learn: estimators in a grid, scorers, samplers."""

import threading
import warnings

import numpy as np
import pytest

import tailrank as tr

pandas = pytest.importorskip("pandas")
pytest.importorskip("sklearn")

from sklearn.base import BaseEstimator, RegressorMixin, clone  # noqa: E402
from sklearn.compose import ColumnTransformer  # noqa: E402
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor  # noqa: E402
from sklearn.impute import SimpleImputer  # noqa: E402
from sklearn.linear_model import LinearRegression, Ridge  # noqa: E402
from sklearn.metrics import check_scoring  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler  # noqa: E402

OFF = {"inference": {"enabled": False}}


@pytest.fixture
def blooms():
    """Factors, gaps and a skewed target, like the algae data."""
    rng = np.random.default_rng(11)
    n = 150
    season = rng.choice(["autumn", "spring", "summer", "winter"], n)
    speed = pandas.Categorical(rng.choice(["low", "medium", "high"], n), categories=["low", "medium", "high"])
    ph = rng.normal(8, 0.5, n)
    nitrate = rng.gamma(1.0, 2.0, n)
    y = 3 * nitrate * (season == "summer") + 2 * speed.codes + rng.gamma(0.5, 4.0, n)
    ph[rng.choice(n, 12, replace=False)] = np.nan
    season = pandas.Series(season, dtype=object)
    season[rng.choice(n, 6, replace=False)] = np.nan
    return pandas.DataFrame({"season": season, "speed": speed, "ph": ph, "nitrate": nitrate, "a1": y})


def pipeline(model):
    columns = ColumnTransformer(
        [
            ("words", make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")), ["season", "speed"]),
            ("numbers", make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler()), ["ph", "nitrate"]),
        ]
    )
    return make_pipeline(columns, model)


def experiment(data, **options):
    options = {"name": "blooms", "splits": tr.KFold(4, shuffle=False), "t_l": 3.0, "relevance": "boxplot", "sections": OFF, **options}
    return tr.Experiment(data=data, target="a1", **options)


def test_a_pipeline_with_factors_and_gaps_inside_a_grid(blooms, tmp_path):
    exp = experiment(blooms).add("forest", trees=[30])
    exp.add(pipeline(Ridge()), name="ridge", grid={"ridge__alpha": [0.1, 10.0]})
    exp.add(pipeline(RandomForestRegressor(n_estimators=20)), name="rf")
    run = exp.run(tmp_path / "run", progress=False)
    assert not run.failures
    models = list(run.scores["model"])[:4]
    assert models == ["forest 30", "ridge 0.1", "ridge 10", "rf"]
    # The estimator saw the rows as they are: the same pipeline outside gives the same predictions.
    predictions = run.predictions
    inputs, y = blooms.drop(columns="a1"), blooms["a1"]
    for split in (1, 2, 3, 4):
        part = predictions[predictions["split"] == split]
        test = part["row"].to_numpy()
        train = np.setdiff1d(np.arange(len(y)), test)
        outside = pipeline(Ridge(alpha=10.0)).fit(inputs.iloc[train], y.iloc[train]).predict(inputs.iloc[test])
        assert np.allclose(part["ridge 10"], outside, rtol=0, atol=1e-10)
    again = exp.run(tmp_path / "run", progress=False)
    assert again.cells[1] == 0, "everything is reused"


def test_estimators_are_fitted_again_when_anything_of_them_changes(blooms, tmp_path):
    def run(model, data=blooms, **options):
        exp = experiment(data, **options).add(model, name="mine")
        return exp.run(tmp_path / "run", progress=False).cells[1]

    own = lambda step: pipeline(Ridge(step))  # noqa: E731
    assert run(own(1.0)) == 4
    assert run(own(1.0)) == 0
    assert run(own(2.0)) == 4, "another parameter"
    assert run(pipeline(LinearRegression())) == 4, "another class"
    filled = blooms.copy()
    filled["ph"] = filled["ph"].fillna(filled["ph"].median())
    assert run(own(1.0), data=filled) >= 4, "gaps are data"
    assert run(own(1.0)) == 0


class Shrunk(BaseEstimator, RegressorMixin):
    def __init__(self, factor=0.5):
        self.factor = factor

    def fit(self, X, y):
        self.mean_ = float(np.mean(y)) * self.factor
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


def test_own_classes_are_known_by_their_source():
    from tailrank._estimator import Bridge, Words

    first = Words().of(Shrunk())
    assert first == Words().of(clone(Shrunk())) and first != Words().of(Shrunk(0.25))
    assert "sklearn" in Words().of(Ridge()) and "scikit-learn" in Words().of(Ridge())
    named = Words().of(FunctionTransformer(np.log1p))
    assert named == Words().of(FunctionTransformer(np.log1p)) != Words().of(FunctionTransformer(np.sqrt))
    one, other = (Words().of(FunctionTransformer(f)) for f in (lambda x: x + 1, lambda x: x + 2))
    assert one != other
    with pytest.warns(UserWarning, match="never reused"):
        lock = Shrunk(factor=threading.Lock())  # pyright: ignore[reportArgumentType]
        first = Bridge(lock, "mine", "pandas")
    with pytest.warns(UserWarning):
        assert first.identity != Bridge(lock, "mine", "pandas").identity


class Failing(Shrunk):
    def fit(self, X, y):
        raise RuntimeError("the solver gave up")


class Short(Shrunk):
    def predict(self, X):
        return np.zeros(3)


def test_a_failing_estimator_is_a_row_with_its_reason(blooms, tmp_path):
    exp = experiment(blooms).add("linear").add(Failing(), name="failing").add(Short(), name="short")
    run = exp.run(tmp_path / "run", progress=False)
    reasons = {variant: reason for _, variant, reason in run.failures}
    assert "RuntimeError: the solver gave up" in reasons["failing"]
    assert "3 predictions" in reasons["short"]
    assert not np.isnan(run.scores["mad"][0])
    with pytest.raises(tr.TailrankError, match="needs the methods fit and predict; this StandardScaler has no predict"):
        exp.add(StandardScaler())
    with pytest.raises(tr.TailrankError, match="alpha.*the estimator has factor"):
        experiment(blooms).add(Shrunk(), name="s", grid={"alpha": [1, 2]}).run(tmp_path / "other")


def test_grids_of_objects_and_seeds_of_cells(blooms, tmp_path):
    steps = pipeline(Ridge())
    name = steps.steps[-1][0]
    boosted = GradientBoostingRegressor(n_estimators=10, subsample=0.5)
    exp = experiment(blooms).add(steps, name="p", grid={name: [Ridge(), boosted, "passthrough"]})
    run = exp.run(tmp_path / "run", progress=False)
    labels = [v for v in run.scores["model"] if v.startswith("p ")]
    assert labels[0] == "p Ridge()" and labels[1].startswith("p GradientBoostingRegressor(")
    assert len(run.failures) == 1 and run.failures[0][1] == "p passthrough"
    # Random parts without a seed get one from the cell: the same in every run, another in every split.
    again = exp.run(tmp_path / "again", jobs=2, progress=False)
    assert again.predictions.equals(run.predictions)
    assert boosted.random_state is None and not hasattr(boosted, "estimators_"), "the grid's own object is left alone"
    seeds = set()

    class Seeded(Shrunk):
        def __init__(self, factor=0.5, random_state=None):
            super().__init__(factor)
            self.random_state = random_state

        def fit(self, X, y):
            seeds.add(self.random_state)
            return super().fit(X, y)

    experiment(blooms).add(Seeded(), name="seeded").run(tmp_path / "seeds", progress=False)
    assert len(seeds) == 4 and None not in seeds


def test_polars_arrays_weights_and_series(blooms, tmp_path):
    polars = pytest.importorskip("polars")
    seen = {}

    class Curious(Shrunk):
        def fit(self, X, y, sample_weight=None):
            seen.setdefault("types", set()).add(type(X).__module__.partition(".")[0])
            seen["weights"] = sample_weight
            seen["frame"] = X
            return super().fit(X, y)

    exp = experiment(polars.from_pandas(blooms)).add(Curious(), name="curious", learn=["plain", "smote", "weights"])
    assert not exp.run(tmp_path / "run", progress=False).failures
    assert seen["types"] == {"polars", "numpy"}, "re-sampled rows are numbers"
    exp = tr.Experiment(data=["KO"], lags=3, splits=tr.DateSplit("1990-01-01"), relevance=tr.Relevance.sigmoid(-0.02, 0.02), t_l=0.01, sections=OFF)
    run = exp.add(Curious(), name="curious").add("linear").run(tmp_path / "series", progress=False)
    assert not run.failures and seen["frame"].shape[1] == 3


def test_ctrl_c_in_an_estimator_keeps_finished_cells(blooms, tmp_path):
    class Slow(Shrunk):
        def fit(self, X, y):
            import time

            time.sleep(0.2)
            return super().fit(X, y)

    told = []

    def stop(what, *facts):
        told.append(what)
        if told.count("ended") == 2:
            raise KeyboardInterrupt

    exp = experiment(blooms, splits=tr.KFold(8, shuffle=False)).add(Slow(), name="slow")
    with pytest.raises(KeyboardInterrupt):
        exp.run(tmp_path / "run", jobs=1, progress=stop)
    run = exp.run(tmp_path / "run", progress=False)
    assert 2 <= run.cells[2] < run.cells[0] and not run.failures


PHI = tr.Relevance.sigmoid(high=10.0)


def numbers(blooms):
    return blooms[["nitrate"]].to_numpy(), blooms["a1"].to_numpy()


def test_scorers_follow_scikit_learn(blooms):
    X, y = numbers(blooms)
    f = tr.scorer("f", PHI, t_l=5.0, undefined=0.0)
    assert check_scoring(Ridge(), scoring=f) is f
    model = Ridge().fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tr.UndefinedWarning)
        assert f(model, X, y) == tr.f(y, model.predict(X), PHI, t_l=5.0, undefined=0.0)
        scores = cross_val_score(GradientBoostingRegressor(random_state=1), X, y, scoring=f, cv=4, n_jobs=2)
        assert scores.shape == (4,) and np.isfinite(scores).all()
        search = GridSearchCV(Ridge(), {"alpha": [0.1, 1e6]}, scoring={"sera": tr.scorer("sera", PHI), "mad": tr.scorer("mad"), "f": f}, refit="sera", cv=4)  # pyright: ignore[reportArgumentType]
        search.fit(X, y)
    # Errors are negative: larger is better.
    assert tr.scorer("mad")(model, X, y) == -tr.mad(y, model.predict(X))
    assert np.all(search.cv_results_["mean_test_sera"] < 0) and search.best_params_ == {"alpha": 0.1}
    assert tr.scorer("MAE")(model, X, y) == tr.scorer("mad")(model, X, y)
    with pytest.raises(tr.TailrankError, match="no measure is called 'ff'"):
        tr.scorer("ff")


SAMPLERS = [tr.UnderSampler, tr.OverSampler, tr.SMOTER, tr.NoiseSampler, tr.SMOGN, tr.WERCS]


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_samplers_follow_imbalanced_learn(sampler, blooms):
    pytest.importorskip("imblearn")
    from imblearn.pipeline import make_pipeline as make_imblearn_pipeline

    X, y = numbers(blooms)
    one = sampler(random_state=3)
    again = clone(one)
    new_X, new_y = one.fit_resample(X, y)
    assert new_X.shape == (len(new_y), 1) and one.sample_indices_.shape == new_y.shape
    same_X, same_y = again.fit_resample(X, y)  # pyright: ignore[reportAttributeAccessIssue]
    assert np.array_equal(new_X, same_X) and np.array_equal(new_y, same_y)
    other_X, _ = sampler(random_state=4).fit_resample(X, y)
    assert other_X.shape != new_X.shape or not np.array_equal(other_X, new_X)
    share = lambda t: np.mean(one.relevance_(t) >= 0.8)  # noqa: E731
    assert share(new_y) > share(y)
    copies = one.parents_[:, 0] == one.parents_[:, 1]
    if sampler in (tr.UnderSampler, tr.OverSampler, tr.WERCS):
        assert np.array_equal(new_y, y[one.sample_indices_]) and copies.all()
    model = make_imblearn_pipeline(StandardScaler(), sampler(random_state=1), Ridge())
    model.fit(X, y)
    plain = make_pipeline(StandardScaler(), Ridge()).fit(X, y)
    assert model.predict(X).shape == y.shape and not np.allclose(model.predict(X), plain.predict(X))
    search = GridSearchCV(model, {f"{sampler.__name__.lower()}__threshold": [0.5, 0.9]}, cv=3, scoring=tr.scorer("sera", PHI))
    assert search.fit(X, y).best_score_ < 0


def test_samplers_take_frames_with_categories(blooms):
    data = blooms.dropna()
    X, y = data.drop(columns="a1"), data["a1"]
    new_X, new_y = tr.SMOTER(k=3, random_state=1).fit_resample(X, y)
    assert list(new_X.columns) == list(X.columns) and len(new_X) == len(new_y)
    assert set(new_X["season"]) <= set(X["season"]) and str(new_X["speed"].dtype) == "category"
    assert new_X["nitrate"].between(X["nitrate"].min(), X["nitrate"].max()).all()
    polars = pytest.importorskip("polars")
    same_X, same_y = tr.SMOTER(k=3, random_state=1).fit_resample(polars.from_pandas(X), polars.Series("a1", y.to_numpy()))
    assert same_X["nitrate"].to_list() == new_X["nitrate"].tolist() and same_y.to_list() == new_y.tolist()
    with pytest.raises(tr.TailrankError, match="smote: k = 0"):
        tr.SMOTER(k=0).fit_resample(X, y)


def test_weights(blooms):
    _, y = numbers(blooms)
    phi = tr.Relevance.boxplot(y)
    assert np.allclose(tr.weights(y, floor=0.0), phi(y) / phi(y).mean(), rtol=1e-12, atol=0)
    for kind in ("dense", "lds"):
        assert tr.weights(y, kind).shape == y.shape and np.corrcoef(tr.weights(y, kind), y)[0, 1] > 0


def test_categories_need_a_library_of_data_frames():
    from tailrank._estimator import Bridge

    bridge = Bridge(Ridge(), "ridge", None)
    assert bridge._frame([("a", np.ones(2)), ("b", np.zeros(2))]).tolist() == [[1.0, 0.0]] * 2
    with pytest.raises(tr.TailrankError, match="columns b hold categories; install pandas or polars"):
        bridge._frame([("a", np.ones(2)), ("b", (np.array([0, -1]), ["x"]))])
