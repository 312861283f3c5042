"""Every public function with every kind of input: right to the last bit, or refused in words that say what to do."""

import datetime
import decimal
import warnings

import numpy as np
import pytest

import tailrank as tr

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
base = pytest.importorskip("sklearn.base")

# Whole numbers: every type holds them without loss.
RNG = np.random.default_rng(5)
Y = np.append(RNG.integers(-9, 10, 56), [40, -40, 44, -47]).astype(np.float64)
P = Y + RNG.integers(-2, 3, 60)
PHI = tr.Relevance.sigmoid(-20.0, 20.0)


class HasArray:
    def __init__(self, values):
        self._values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        return self._values if dtype is None else self._values.astype(dtype)


class HasArrow:
    def __init__(self, values):
        self._table = pyarrow.table(values if isinstance(values, dict) else {"a": values})

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


class HasInterchange:
    def __init__(self, values):
        self._table = pyarrow.table(values if isinstance(values, dict) else {"a": values})

    def __dataframe__(self, nan_as_null=False, allow_copy=True):
        return self._table.__dataframe__(nan_as_null, allow_copy)


def strided(v):
    wide = np.full((len(v), 3), np.nan)
    wide[:, 1] = v
    return wide[:, 1]


GOOD = {
    "list": lambda v: v.tolist(),
    "list of int": lambda v: [int(x) for x in v],
    "tuple": lambda v: tuple(v.tolist()),
    "float32": lambda v: v.astype(np.float32),
    "float16": lambda v: v.astype(np.float16),
    "int64": lambda v: v.astype(np.int64),
    "int8": lambda v: v.astype(np.int8),
    "big-endian": lambda v: v.astype(">f8"),
    "strided": strided,
    "backwards": lambda v: v[::-1].copy()[::-1],
    "read-only": lambda v: (w := v.copy()).setflags(write=False) or w,
    "column": lambda v: v.reshape(-1, 1),
    "objects": lambda v: v.astype(object),
    "decimals": lambda v: [decimal.Decimal(int(x)) for x in v],
    "masked, nothing is": lambda v: np.ma.masked_array(v, mask=False),
    "pandas": lambda v: pandas.Series(v),
    "pandas int32": lambda v: pandas.Series(v.astype(np.int32)),
    "pandas Float64": lambda v: pandas.Series(v, dtype="Float64"),
    "pandas Int64": lambda v: pandas.Series(v, dtype="Int64"),
    "pandas arrow": lambda v: pandas.Series(v, dtype="double[pyarrow]"),
    "pandas category": lambda v: pandas.Series(v).astype("category"),
    "pandas Index": lambda v: pandas.Index(v),
    "pandas frame": lambda v: pandas.DataFrame({0: v}),
    "polars": lambda v: polars.Series("a", v),
    "polars Int16": lambda v: polars.Series("a", v).cast(polars.Int16),
    "polars frame": lambda v: polars.DataFrame({"a": v}),
    "pyarrow array": lambda v: pyarrow.array(v),
    "pyarrow chunks": lambda v: pyarrow.chunked_array([v[:7], v[7:]]),
    "pyarrow table": lambda v: pyarrow.table({"a": v}),
    "__array__": HasArray,
    "__arrow_c_stream__": HasArrow,
    "__dataframe__": HasInterchange,
}

BAD = {
    "text": (lambda v: [str(x) for x in v], "not all numbers: they hold text, such as "),
    "an array of text": (lambda v: v.astype(str), "they hold text"),
    "a series of text": (lambda v: pandas.Series(v).astype(str), "they hold text"),
    "text of polars": (lambda v: polars.Series(v).cast(polars.String), "they hold text"),
    "dates": (lambda v: np.datetime64("2020-01-01") + np.arange(len(v)), "they hold dates"),
    "dates of pandas": (lambda v: pandas.Series(pandas.date_range("2020", periods=len(v))), "they hold dates"),
    "durations": (lambda v: v.astype("timedelta64[s]"), "they hold durations"),
    "complex": (lambda v: v + 1j, "complex"),
    "two columns": (lambda v: np.column_stack([v, v]), "shape"),
    "a frame of two columns": (lambda v: pandas.DataFrame({"a": v, "b": v}), "2 columns"),
    "a lazy frame": (lambda v: polars.LazyFrame({"a": v}), "collect"),
    "a dictionary": (lambda v: {"a": v}, "no array"),
    "a set": (lambda v: set(v.tolist()), "no array"),
    "a generator": (lambda v: (x for x in v), "no array"),
    "one number": (lambda v: 3.0, "no array|pairs of numbers"),
    "nothing": (lambda v: None, "no array|pairs of numbers|give y"),
    "ragged": (lambda v: [[1.0], [2.0, 3.0]], "not one value|shape|not all numbers"),
}

GAPS = {
    "NaN": lambda v: np.append(v[:-1], np.nan),
    "None": lambda v: [*v[:-1].tolist(), None],
    "masked": lambda v: np.ma.masked_array(v, mask=[False] * (len(v) - 1) + [True]),
    "Int64 NA": lambda v: pandas.Series([*v[:-1].astype(int).tolist(), pandas.NA], dtype="Int64"),
    "boolean of objects": lambda v: pandas.Series([*v[:-1].tolist(), pandas.NA], dtype=object),
    "arrow NA": lambda v: pandas.Series([*v[:-1].tolist(), None], dtype="double[pyarrow]"),
    "polars null": lambda v: polars.Series([*v[:-1].tolist(), None]),
    "pyarrow null": lambda v: pyarrow.array([*v[:-1].tolist(), None]),
}


def options(name):
    taken = getattr(tr, name).__signature__.parameters
    given = {"t_l": 2.0, "threshold": 5.0}
    return {**({"relevance": PHI} if "relevance" in taken else {}), **{k: v for k, v in given.items() if k in taken}}


MEASURES = [m["id"] for m in tr.list_measures() if not m["id"].startswith("uba")]
CUBIC = tr.Relevance.extremes(Y)
CALLS = {name: (lambda y, p, name=name: getattr(tr, name)(y, p, **options(name))) for name in MEASURES}
CALLS |= {
    m["id"]: (lambda y, p, name=m["id"]: getattr(tr, name)(y, p, CUBIC)) for m in tr.list_measures() if m["id"].startswith("uba")
}
CALLS |= {
    "rse of training targets": lambda y, p: tr.rse(P, Y, y_train=y),
    "score": lambda y, p: tr.score(y, p, ("mad", "f"), PHI, t_l=2.0),
    "event_counts": lambda y, p: tr.event_counts(y, p, PHI, t_l=2.0),
    "episodes": lambda y, p: [str(v) for v in tr.episodes(y, p, PHI, gap=2, lead=1).values()],
    "event_curves": lambda y, p: [str(v) for v in tr.event_curves(y, p, PHI).values()],
    "rec_curve": lambda y, p: tr.rec_curve(y, p),
    "pr_curve": lambda y, p: tr.pr_curve(y, p, PHI, t_l=2.0),
    "ser_curve": lambda y, p: tr.ser_curve(y, p, PHI, [0.0, 0.5, 1.0]),
    "thresholds": lambda y, p: tr.ser_curve(Y, P, PHI, y),
    "Relevance.boxplot": lambda y, p: tr.Relevance.boxplot(y),
    "Relevance.extremes": lambda y, p: tr.Relevance.extremes(y),
    "Relevance()": lambda y, p: PHI(y),
    "Relevance.pchip": lambda y, p: tr.Relevance.pchip([(-1.0, 0.0), (1.0, 1.0)], slopes=_two(y)),
    "weights": lambda y, p: tr.weights(y),
    "weights dense": lambda y, p: tr.weights(y, "dense"),
    "compare": lambda y, p: tr.compare(y, {"a": p, "b": P}, relevance=PHI, t_l=2.0, inference={"enabled": False}).json(),
    "compare times": lambda y, p: tr.compare(Y, {"a": P}, relevance=PHI, times=y, inference={"enabled": False}).json(),
    "KFold": lambda y, p: list(tr.KFold(3, stratify="relevance").split(P, y)),
    "scorer": lambda y, p: tr.scorer("f", PHI, t_l=2.0)(Says(P), None, y),
    "Experiment targets": lambda y, p: tr.Experiment(data=(np.column_stack([P]), y), target="y")._tables["data"][-1].values,  # pyright: ignore[reportAttributeAccessIssue]
}
CALLS |= {
    sampler.__name__: (lambda y, p, s=sampler: np.asarray(s(k=2, random_state=1).fit_resample(P[:, None], y)[0] if s in (tr.SMOTER, tr.SMOGN) else s(random_state=1).fit_resample(P[:, None], y)[0]))
    for sampler in (tr.UnderSampler, tr.OverSampler, tr.SMOTER, tr.NoiseSampler, tr.SMOGN, tr.WERCS)
}


# Splitters ask how many rows there are; times and the rest of what is public have tests of their own, or take no array.
ROWS = {"Holdout": tr.Holdout(0.6), "SlidingWindow": tr.SlidingWindow(30, 7), "GrowingWindow": tr.GrowingWindow(30, 10), "Bootstrap": tr.Bootstrap(2)}
NO_ARRAYS = {"Answer", "Run", "DateSplit", "list_measures", "reproduce", "TailrankError", "FewRowsError", "Interrupted", "UndefinedWarning"}


class Says(base.RegressorMixin, base.BaseEstimator):
    """An estimator that predicts what it was made with."""

    def __init__(self, predicted):
        self._predicted = predicted

    def predict(self, X):
        return self._predicted


def test_nothing_public_is_left_out():
    covered = {call.partition(" ")[0].partition(".")[0].removesuffix("()") for call in CALLS} - {"thresholds"}
    assert covered | set(ROWS) | NO_ARRAYS == set(tr.__all__) and len(GOOD) >= 12 and len(BAD) >= 12


@pytest.mark.parametrize("name", ROWS)
def test_splitters_count_the_rows_of_every_kind(name):
    expected = list(ROWS[name].split(Y))
    for kind, make in GOOD.items():
        assert same(list(ROWS[name].split(make(Y))), expected) and ROWS[name].get_n_splits(make(Y)) == len(expected), kind


def test_weights_of_cases_come_in_every_kind():
    weights = np.abs(Y) + 1
    expected = tr.f(Y, P, PHI, t_l=2.0, sample_weight=weights)
    assert expected != tr.f(Y, P, PHI, t_l=2.0)
    for kind, make in GOOD.items():
        assert tr.f(Y, P, PHI, t_l=2.0, sample_weight=make(weights)) == expected, kind
    for kind, (make, said) in BAD.items():
        if kind != "nothing":
            with pytest.raises(tr.TailrankError, match=said):
                tr.f(Y, P, PHI, t_l=2.0, sample_weight=make(weights))
    for make in GAPS.values():
        with pytest.raises(tr.TailrankError, match="sample_weight: row 60 is missing, not finite or below 0"):
            tr.f(Y, P, PHI, t_l=2.0, sample_weight=make(weights))


def _two(y):
    """The first two slopes are what counts; the rest of the kind stays as it is."""
    import tailrank._arrays as arrays

    return np.zeros(2) * arrays.floats(y)[:2]


def same(a, b):
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, np.ndarray) or isinstance(a, float):
        return np.array_equal(a, b, equal_nan=True)
    return a == b


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("call", CALLS)
def test_every_kind_of_array_gives_the_same_bits(call):
    expected = CALLS[call](Y, P)
    for kind, make in GOOD.items():
        found = CALLS[call](make(Y), make(P) if not kind.startswith("pandas Index") else P)
        assert same(found, expected), kind


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("call", CALLS)
def test_what_is_no_array_of_numbers_is_refused_by_name(call):
    for kind, (make, said) in BAD.items():
        if (kind, call) in ACCEPTED:
            CALLS[call](make(Y), P)
            continue
        with pytest.raises((tr.TailrankError, TypeError), match=said if call not in ("compare times",) else None) as told:
            CALLS[call](make(Y), P)
        assert len(str(told.value)) < 400, (kind, told.value)
        assert "Error" not in str(told.value) and "0x" not in str(told.value), (kind, told.value)


# Dates and ISO text are times, one number is a value, and training targets may be left out.
ACCEPTED = {("dates", "compare times"), ("dates of pandas", "compare times"), ("one number", "Relevance()")}
ACCEPTED |= {("nothing", "rse of training targets"), ("nothing", "compare times")}


@pytest.mark.parametrize("call", [*MEASURES, "score", "event_counts", "episodes", "rec_curve", "pr_curve", "ser_curve", "compare", "UnderSampler", "SMOTER", "weights"])
def test_gaps_are_told_and_never_become_numbers(call):
    for kind, make in GAPS.items():
        with pytest.raises(tr.TailrankError, match="(?i)missing|finite|nan"):
            CALLS[call](make(Y), P)
        if call not in ("UnderSampler", "SMOTER", "weights"):
            with pytest.raises(tr.TailrankError, match="(?i)missing|finite|nan"):
                CALLS[call](Y, make(P))
    from tailrank._arrays import floats

    for kind, make in GAPS.items():
        found = floats(make(Y))
        assert np.isnan(found[-1]) and np.array_equal(found[:-1], Y[:-1]), kind


def test_points_of_relevance_come_as_pairs_arrays_and_frames():
    points = [(-3.0, 1.0), (0.0, 0.0), (3.0, 1.0)]
    for make in (tr.Relevance.table, tr.Relevance.pchip):
        expected = make(points)
        for given in (np.array(points), [list(p) for p in points], pandas.DataFrame(points), polars.DataFrame(points, orient="row"), iter(points)):
            assert make(given) == expected
        with pytest.raises(tr.TailrankError, match="are pairs of numbers"):
            make([1.0, 2.0])
        with pytest.raises(tr.TailrankError, match="not all numbers"):
            make([("a", 1.0), ("b", 0.0)])
    assert tr.Relevance.indicator(np.array([[2.0, np.inf]])) == tr.Relevance.indicator([(2.0, np.inf)])


DAYS = np.datetime64("2019-12-25") + np.arange(60)
TIMES = {
    "datetime64": DAYS,
    "datetime64[ns]": DAYS.astype("datetime64[ns]"),
    "date objects": DAYS.astype(object).tolist(),
    "datetime objects": [datetime.datetime(d.year, d.month, d.day) for d in DAYS.astype(object)],
    "ISO text": np.datetime_as_string(DAYS).tolist(),
    "ISO text with hours": [f"{d}T00:00:00Z" for d in DAYS],
    "pandas": pandas.Series(DAYS),
    "DatetimeIndex": pandas.DatetimeIndex(DAYS),
    "with a zone": pandas.Series(DAYS).dt.tz_localize("UTC"),
    "PeriodIndex": pandas.PeriodIndex(DAYS, freq="D"),
    "Timestamps": [pandas.Timestamp(d) for d in DAYS],
    "polars": polars.Series(DAYS),
    "polars dates": polars.Series(DAYS).cast(polars.Date),
    "pyarrow": pyarrow.array(DAYS),
    "text of polars": polars.Series(np.datetime_as_string(DAYS).tolist()),
}


@pytest.mark.parametrize("kind", TIMES)
def test_times_of_every_kind_put_rows_in_order(kind):
    from tailrank._frames import take

    settings = {"relevance": PHI, "t_l": 2.0, "inference": {"resamples": 50, "shifts": 50}}
    expected = tr.compare(Y, {"a": P, "b": Y / 2}, times=DAYS, **settings)
    order = np.random.default_rng(1).permutation(60)
    found = tr.compare(Y[order], {"a": P[order], "b": Y[order] / 2}, times=take(TIMES[kind], order), **settings)
    assert found.json() == expected.json()
    assert found._native.tasks()[0][3] == np.datetime_as_string(DAYS).tolist()  # pyright: ignore[reportAttributeAccessIssue]


def test_times_that_cannot_be_put_in_order_are_refused():
    settings = {"relevance": PHI, "inference": {"enabled": False}}
    day_first = [d.strftime("%d/%m/%Y") for d in DAYS.astype(object)]
    with pytest.raises(tr.TailrankError, match="25/12/2019.*is no date such as 2024-02-29.*dayfirst=True"):
        tr.compare(Y, {"a": P}, times=day_first, **settings)
    with pytest.raises(tr.TailrankError, match="row 60 has none"):
        tr.compare(Y, {"a": P}, times=[*DAYS[:-1].astype(object), None], **settings)
    with pytest.raises(tr.TailrankError, match="with and without a zone"):
        tr.compare(Y, {"a": P}, times=["2020-01-01T00:00:00Z", *["2020-01-02"] * 59], **settings)
    with pytest.raises(tr.TailrankError, match="numbers and dates do not mix"):
        tr.compare(Y, {"a": P}, times=[1, *["2020-01-02"] * 59], **settings)
    with pytest.raises(tr.TailrankError, match="59 times for 60 cases"):
        tr.compare(Y, {"a": P}, times=DAYS[1:], **settings)
    with pytest.raises(tr.TailrankError, match="2020-02-30"):
        tr.compare(Y, {"a": P}, times=["2020-02-30"] * 60, **settings)


def test_a_datetime_index_or_a_dated_column_is_the_time():
    settings = {"relevance": PHI, "t_l": 2.0, "inference": {"resamples": 50, "shifts": 50}}
    order = np.random.default_rng(1).permutation(60)
    expected = tr.compare(Y, {"a": P}, times=DAYS, **settings).json()
    frame = pandas.DataFrame({"y": Y, "a": P}, index=pandas.DatetimeIndex(DAYS)).iloc[order]
    assert tr.compare(frame["y"], frame[["a"]], **settings).json() == expected
    assert tr.compare("y", frame, **settings).json() == expected
    for library in (pandas, polars):
        dated = library.DataFrame({"date": DAYS[order], "y": Y[order], "a": P[order]})
        assert tr.compare("y", dated, **settings).json() == expected
    text = pandas.DataFrame({"Date": [d.strftime("%d/%m/%Y") for d in DAYS.astype(object)], "y": Y, "a": P})
    with pytest.warns(UserWarning, match="is no date such as .* rows are taken in the order they stand in"):
        tr.compare("y", text, **settings)


def test_tasks_follow_their_rows_into_the_order_of_time():
    settings = {"relevance": PHI, "t_l": 2.0, "inference": {"enabled": False}}
    task = np.where(np.arange(60) % 3 == 0, "KO", "BA")
    expected = tr.compare(Y, {"a": P}, times=DAYS, task=task, **settings).json()
    order = np.random.default_rng(1).permutation(60)
    for make in (list, pandas.Series, polars.Series):
        assert tr.compare(Y[order], {"a": P[order]}, times=DAYS[order], task=make(task[order]), **settings).json()["scores"] == sorted(
            expected["scores"], key=lambda row: row["task"] != task[0]
        )
    # Numbers are put in their own order, not in that of their letters.
    nine = tr.compare(Y, {"a": P}, times=np.arange(60)[::-1], horizon=1, relevance=PHI, t_l=2.0, inference={"resamples": 50, "shifts": 50})
    assert nine.json() == tr.compare(Y[::-1], {"a": P[::-1]}, horizon=1, relevance=PHI, t_l=2.0, inference={"resamples": 50, "shifts": 50}).json()


def test_frames_and_arrays_of_models():
    settings = {"relevance": PHI, "t_l": 2.0, "inference": {"enabled": False}}
    expected = tr.compare(Y, {"model 1": P, "model 2": Y / 2}, **settings).json()
    assert tr.compare(Y, np.column_stack([P, Y / 2]), **settings).json() == expected
    named = tr.compare(Y, {"0": P, "1": Y / 2}, **settings).json()
    assert tr.compare(Y, pandas.DataFrame({0: P, 1: Y / 2}), **settings).json() == named
    assert tr.compare(2, pandas.DataFrame({0: P, 1: Y / 2, 2: Y}), **settings).json()["scores"] == named["scores"]
    assert tr.compare("y", pyarrow.table({"0": P, "y": Y, "1": Y / 2}), **settings).json() == named
    with pytest.raises(tr.TailrankError, match="two columns have the same name"):
        tr.compare(Y, pandas.DataFrame({0: P, "0": P}), **settings)
    with pytest.raises(tr.TailrankError, match="a dictionary, a data frame or an array"):
        tr.compare(Y, P, **settings)
    with pytest.raises(tr.TailrankError, match="no column 'z'; there are a"):
        tr.compare("z", pandas.DataFrame({"a": P}), **settings)


def grids():
    yield "list", [0.5, 1.0], [0.5, 1.0]
    yield "array", np.array([0.5, 1.0]), [0.5, 1.0]
    yield "range", range(1, 4), [1, 2, 3]
    yield "pandas", pandas.Series([1, 2]), [1, 2]
    yield "polars", polars.Series([1, 2]), [1, 2]
    yield "pyarrow", pyarrow.array([1, 2]), [1, 2]
    yield "Index", pandas.Index([1, 2]), [1, 2]
    yield "tuple", (5, 5), [(5, 5)]
    yield "text", "auto", ["auto"]
    yield "number", 3, [3]
    yield "NumPy's number", np.float64(0.5), [0.5]
    yield "none", None, [None]
    yield "list of tuples", [(5,), (5, 5)], [(5,), (5, 5)]


@pytest.mark.parametrize("kind, given, expected", list(grids()), ids=lambda v: v if isinstance(v, str) else "")
def test_values_of_a_grid(kind, given, expected):
    from tailrank._arrays import choices

    found = choices(given)
    assert found == expected and all(type(a) is type(b) or isinstance(a, np.generic) for a, b in zip(found, expected))


def test_what_has_no_order_is_no_grid():
    from tailrank._arrays import choices

    for wrong in ({1, 2}, (x for x in [1, 2]), {"a": 1}.values(), np.ones((2, 2))):
        with pytest.raises(tr.TailrankError, match="list"):
            choices(wrong)


def test_grids_reach_set_params_and_families():
    pytest.importorskip("sklearn")
    from sklearn.linear_model import Ridge
    from sklearn.neural_network import MLPRegressor

    def exp():
        return tr.Experiment(data=(P[:, None], Y), splits=tr.KFold(3))

    for alphas in (np.logspace(-3, 3, 4), pandas.Series(np.logspace(-3, 3, 4)), np.logspace(-3, 3, 4).tolist()):
        assert exp().add(Ridge(), grid={"alpha": alphas}).text.count("alpha = [0.001, 0.1, 10.0, 1000.0]") == 1
    nets = exp().add(MLPRegressor(), grid={"hidden_layer_sizes": (5, 5)})
    assert 'hidden_layer_sizes = "(5, 5)"' in nets.text
    assert nets._estimators["MLPRegressor"][2] == {"hidden_layer_sizes": {"(5, 5)": (5, 5)}}  # pyright: ignore[reportAttributeAccessIssue]
    assert "trees = [10, 20]" in exp().add("forest", trees=range(10, 30, 10)).text
    with pytest.raises(tr.TailrankError, match=r"forest: trees = \(10, 20\) is no number.*are a list"):
        exp().add("forest", trees=(10, 20))


def test_a_scorer_without_its_settings_is_refused_at_once():
    pytest.importorskip("sklearn")
    with pytest.raises(TypeError, match="missing a required argument: 't_l'"):
        tr.scorer("f", PHI)
    with pytest.raises(TypeError, match="missing a required argument: 'relevance'"):
        tr.scorer("f", t_l=0.5)
    with pytest.raises(TypeError, match="unexpected keyword argument 'bata'"):
        tr.scorer("f", PHI, t_l=0.5, bata=2.0)


@pytest.mark.parametrize("kind", ["numpy", "list", "pandas", "pandas int names", "polars", "pyarrow", "stream", "interchange"])
def test_data_of_experiments(kind, tmp_path):
    X = np.column_stack([P, np.arange(60.0)])
    make = {
        "numpy": lambda: (X, Y),
        "list": lambda: (X.tolist(), Y.tolist()),
        "pandas": lambda: pandas.DataFrame({"a": P, "b": np.arange(60), "y": Y}),
        "pandas int names": lambda: pandas.DataFrame({0: P, 1: np.arange(60), 2: Y}),
        "polars": lambda: polars.DataFrame({"a": P, "b": np.arange(60), "y": Y}),
        "pyarrow": lambda: pyarrow.table({"a": P, "b": np.arange(60), "y": Y}),
        "stream": lambda: HasArrow({"a": P, "b": np.arange(60), "y": Y}),
        "interchange": lambda: HasInterchange({"a": P, "b": np.arange(60), "y": Y}),
    }[kind]
    target = {"numpy": None, "list": None, "pandas int names": 2}.get(kind, "y")
    exp = tr.Experiment(data=make(), target=target, splits=tr.KFold(3), sections={"inference": {"enabled": False}}).add("linear")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        scores = exp.run(tmp_path / "run", progress=False)
    found = float(np.asarray(scores.scores["mad"])[0])
    alone = tr.Experiment(data=(X, Y), splits=tr.KFold(3), sections={"inference": {"enabled": False}}).add("linear").run(tmp_path / "alone", progress=False)
    assert found == float(np.asarray(alone.scores["mad"])[0])


def test_data_that_are_none_are_refused():
    for data, said in [
        (np.ones((5, 2)), "name the target"),
        ([[1.0, 2.0]], "data are a data frame, a pair"),
        (3, "data are a data frame, a pair"),
        (pandas.Series(Y), "data frame"),
        ((np.ones((5, 2)), np.ones(4)), "5 rows, the targets 4"),
    ]:
        with pytest.raises(tr.TailrankError, match=said):
            tr.Experiment(data=data)
    two = pandas.DataFrame({"a": DAYS, "b": DAYS, "x": P, "y": Y})
    with pytest.raises(tr.TailrankError, match="columns a, b hold dates; name the one"):
        tr.Experiment(data=two, target="y")
    assert 'date = "b"' in tr.Experiment(data=two, target="y", date="b", ignore="a").text
    for target in (1, -1, np.int64(1), "x2"):
        assert tr.Experiment(data=np.column_stack([P, Y]), target=target).text.count('target = "x2"') == 1


def test_nanoseconds_of_single_times_are_left_out_without_a_warning():
    from tailrank._arrays import times

    days = [pandas.Timestamp("2020-01-01T00:00:00.000001002"), pandas.Timestamp("2020-01-02")]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert times(days).tolist() == [datetime.datetime(2020, 1, 1, 0, 0, 0, 1), datetime.datetime(2020, 1, 2)]
