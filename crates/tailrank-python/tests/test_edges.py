"""What is told and passed on: warnings at the caller's line, calls in words, whole files of experiments, the edges of every function."""

# What is private is looked at, and wrong types are handed over on purpose.
# pyright: reportAttributeAccessIssue=false, reportArgumentType=false, reportFunctionMemberAccess=false, reportUnusedExpression=false, reportOptionalSubscript=false

import datetime
import os
import sys
import warnings

import numpy as np
import pytest

import tailrank as tr
from tailrank import _arrays, _estimator, _experiment, _frames, _progress, _reproduce, _samplers, _scorer, _splits

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("sklearn")

from sklearn.base import BaseEstimator, RegressorMixin  # noqa: E402
from sklearn.linear_model import LinearRegression, Ridge  # noqa: E402

OFF = {"inference": {"enabled": False}}
PHI = tr.Relevance.sigmoid(-2.0, 2.0)
N = 40
DAYS = pandas.date_range("2020-01-01", periods=N)
RNG = np.random.default_rng(12)
X = RNG.normal(size=(N, 2))
Y = X @ [2.0, 1.0] + np.where(np.arange(N) % 5 == 0, 4.0, 0.0)
FRAME = pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": Y})


def told_at(call):
    """Where each warning of a call points."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    assert found
    return {(warning.filename, warning.lineno) for warning in found if issubclass(warning.category, UserWarning)}


class Unknown(RegressorMixin, BaseEstimator):
    def __init__(self, thing=None):
        self.thing = thing

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.zeros(len(X))


def test_warnings_point_at_the_line_that_calls(tmp_path):
    calm = np.zeros(5)
    text = pandas.DataFrame({"date": ["1.2.2020"] * N, "y": Y, "a": Y})
    run = tr.Experiment(data=FRAME, target="y", splits=tr.Holdout(0.5), sections=OFF).add("linear").run(tmp_path / "run", progress=False)
    for call in (
        lambda: tr.precision(Y[:5], calm, PHI, t_l=1.0),
        lambda: tr.score(Y[:5], calm, ["precision"], PHI, t_l=1.0),
        lambda: tr.compare(Y / 100, {"m": Y}, relevance=PHI, inference={"enabled": False}),
        lambda: tr.compare("y", text, inference={"enabled": False}),
        lambda: tr.SMOTER().fit_resample(X, np.zeros(N)),
        lambda: tr.Experiment(data=FRAME, target="y").add(Unknown(thing=open(os.devnull)), name="unknown"),
        lambda: run.predict(FRAME[["a", "b"]], model="linear", level=0.99),
    ):
        assert told_at(call) == {(__file__, call.__code__.co_firstlineno)}


def test_the_page_tells_the_call_that_makes_it():
    models = {"m": Y + 1.0}
    off = {"inference": {"enabled": False}}

    def call(predictions=models, **given):
        return tr.compare(Y, predictions, **given, **off)._call

    assert call() == "tailrank.compare(y, predictions)"
    given = {"relevance": "boxplot", "extremes": "high", "measures": ["mad"], "horizon": 2, "t_l": 1.0}
    assert call(**given, times=DAYS, task=["k"] * N) == (
        "tailrank.compare(y, predictions, relevance='boxplot', extremes='high', measures=['mad'], horizon=2, t_l=1.0, times=times, task=task)"
    )
    assert call(relevance=tr.Relevance.sigmoid(high=2.0, k=0.25)) == "tailrank.compare(y, predictions, relevance=tailrank.Relevance.sigmoid(high=2.0, k=0.25, delta=0.0001))"
    assert call(relevance=tr.Relevance.table([(0.0, 0.0), (3.0, 1.0)])) == "tailrank.compare(y, predictions, relevance=relevance)"
    # The column of dates was in the data.
    assert call(pandas.DataFrame(models, index=DAYS)) == "tailrank.compare(y, predictions, times=times)"


def test_columns_that_name_rows_are_no_models():
    names = {"id": np.arange(N), "row": np.arange(N), "Time": np.arange(N), "task": ["k"] * N}
    frame = pandas.DataFrame({**names, "m": Y + 1.0, "y": Y})
    found = tr.compare("y", frame, inference={"enabled": False})
    assert list(found.scores["model"]) == ["m"] and found._call.endswith("(y, predictions)")
    assert list(tr.compare("y", frame, task="task", inference={"enabled": False}).scores["task"]) == ["k"]
    # In a dictionary everything is a model.
    assert list(tr.compare(Y, {"row": Y + 1.0}, inference={"enabled": False}).scores["model"]) == ["row"]
    with pytest.raises(tr.TailrankError, match=f"task has {N - 1} rows, the true values have {N}"):
        tr.compare(Y, {"m": Y}, task=["k"] * (N - 1))
    # Of two columns of dates the first is taken, numbers are none.
    dated = frame.assign(time=DAYS[::-1], date=np.arange(N))
    assert tr.compare("y", dated, relevance=PHI, inference={"enabled": False})._native.tasks()[0][3][0] == "2020-01-01"


def test_the_target_keeps_its_name():
    for target, frame in (("y", FRAME), (2, FRAME.set_axis([0, 1, 2], axis=1))):
        found = tr.compare(target, frame, inference={"enabled": False})
        assert f"{target}" in found._arguments[0] and list(found.scores["model"]) == [str(c) for c in frame.columns[:2]]
    assert tr.compare(Y, {"m": Y + 1}, inference={"enabled": False})._arguments[0] == "y"


def test_text_is_wrapped_at_the_width():
    answer = tr.compare(Y, {"m": Y + 1.0, "half": Y / 2}, relevance=PHI, t_l=1.0, inference={"enabled": False})
    widest = lambda text: max(len(line) for line in text.splitlines())  # noqa: E731
    assert widest(answer.text(60)) <= 60 < widest(answer.text()) <= 80 and answer.text() == answer.text(80)
    assert answer.tables[0] == "scores" and answer.warnings == answer._native.warnings


@pytest.mark.parametrize("columns, width", [(100, 100), (40, 40), (10, 40)])
def test_an_answer_fills_the_terminal(columns, width, monkeypatch):
    answer = tr.compare(Y, {"m": Y + 1.0}, inference={"enabled": False})
    monkeypatch.setattr("shutil.get_terminal_size", lambda *default: os.terminal_size((columns, 24)))
    assert repr(answer) == answer.text(width)


def test_whole_files_of_experiments():
    frame = FRAME.assign(kind=["x", "y"] * (N // 2), code=1.0, away="z", when=DAYS)
    exp = tr.Experiment(
        data={"a b": frame, "c": frame[:30]},
        target="y",
        name="n",
        title="T",
        seed=7,
        splits=tr.KFold(np.int64(3), repeats=2),
        relevance=tr.Relevance.sigmoid(high=2.0),
        measures=("mad", "f"),
        categorical="code",
        ignore=["away"],
        sections={"inference": {"enabled": False}, "split": {"shuffle": True}, "title": "U"},
        t_l=0.5,
        t_e=0.25,
        threshold=1.0,
        cost=0.1,
        over=2.0,
    )
    exp.add("forest", trees=[10, 20], min_leaf=5, learn="smote", name="wood").add("svm", cost=np.array([1.0, 2.0]), engine="native")
    exp.add(Ridge(), name="ridge", grid={"alpha": 0.5, "solver": ["auto", None]}, learn=("plain", {"resample": "smote", "k": 3}))
    assert exp.text == ALL_OF_IT
    assert tr.Experiment.from_text(exp.text).name == "n" == exp.name and repr(exp) == "Experiment('n')"
    bundled = tr.Experiment(data=["KO", "abalone"], horizons=(1, 3), lags=5)
    assert bundled.text == BUNDLED and bundled.name == "experiment"
    assert tr.Experiment(data="abalone").text.count("series") == 0 and "target" not in tr.Experiment(data="abalone").text
    indexed = tr.Experiment(data=(FRAME[["a"]].set_axis(DAYS.rename("b"), axis=0), FRAME["y"].to_numpy())).text
    assert 'date = "b"' in indexed and 'target = "y"' in indexed and "categorical" not in indexed and "ignore" not in indexed
    assert 'date = "date"' in tr.Experiment(data=FRAME.set_axis(DAYS, axis=0), target="y").text
    assert 'date = "date"' in tr.Experiment(data=FRAME.set_axis(DAYS.rename("a"), axis=0), target="y").text
    assert 'date = "index"' in tr.Experiment(data=FRAME.rename(columns={"a": "date"}).set_axis(DAYS, axis=0), target="y", ignore="date").text


ALL_OF_IT = """\
name = "n"
title = "U"
seed = 7

[data]
tables = [{ name = "a b", file = "a-b.csv", target = "y", ignore = ["away"], categorical = ["kind", "code"], date = "when" }, { name = "c", file = "c.csv", target = "y", ignore = ["away"], categorical = ["kind", "code"], date = "when" }]

[split]
kind = "kfold"
folds = 3
repeats = 2
shuffle = true

[relevance]
event_threshold = 0.25
kind = "sigmoid"
high = 2.0
k = 0.5
delta = 0.0001

[measures]
list = ["mad", "f"]
t_l = 0.5
alpha = "smooth"
alpha_k = 8.0
beta = 1.0
utility = { p = 0.5, benefit = 1.0 }
loss = { over = 2.0, under = 1.0 }
linex = { shape = 1.0, scale = 1.0 }

[trading]
threshold = 1.0
cost = 0.1

[inference]
enabled = false

[[models]]
family = "forest"
label = "wood"
grid = { trees = [10, 20], min_leaf = 5 }
learn = ["smote"]

[[models]]
family = "svm"
engine = "native"
grid = { cost = [1.0, 2.0] }

[[models]]
family = "ridge"
engine = "python"
grid = { alpha = 0.5, solver = ["auto", "None"] }
learn = ["plain", { resample = "smote", k = 3 }]
"""
BUNDLED = """\
name = "experiment"
title = ""
seed = 1

[data]
series = ["KO"]
tables = ["abalone"]

[target]
horizons = [1, 3]
lags = 5

[split]
kind = "kfold"
folds = 10

[relevance]
event_threshold = 0.5
kind = "sigmoid"

[measures]
list = ["mad", "rmse", "sera"]
alpha = "smooth"
alpha_k = 8.0
beta = 1.0
utility = { p = 0.5, benefit = 1.0 }
loss = { over = 1.0, under = 1.0 }
linex = { shape = 1.0, scale = 1.0 }
"""


def test_relevance_of_files():
    of = _experiment._relevance
    assert of(None, 0.5) == of("boxplot", 0.5) == {"event_threshold": 0.5, "kind": "sigmoid"}
    assert of("extremes", 0.25) == {"event_threshold": 0.25, "kind": "pchip"}
    assert of({"kind": "table", "event_threshold": 0.75}, 0.5) == {"event_threshold": 0.75, "kind": "table"}
    assert of(tr.Relevance.sigmoid(high=2.0, k=0.25), 0.5) == {"event_threshold": 0.5, "kind": "sigmoid", "low": None, "high": 2.0, "k": 0.25, "delta": 1e-4}
    assert of(tr.Relevance.pchip([(0.0, 0.0), (2.0, 1.0)], slopes=[0.0, 0.25]), 0.5)["points"] == [[0.0, 0.0, 0.0], [2.0, 1.0, 0.25]]
    assert of(tr.Relevance.table([(0.0, 0.0), (2.0, 1.0)]), 0.5)["points"] == [[0.0, 0.0], [2.0, 1.0]]
    assert of(tr.Relevance.indicator([(2.0, np.inf)]), 0.5) == {"event_threshold": 0.5, "kind": "indicator", "ranges": [[2.0, np.inf]]}
    for wrong in ("box", 3, [1]):
        with pytest.raises(tr.TailrankError, match='give a tailrank.Relevance, "boxplot", "extremes" or a dictionary'):
            of(wrong, 0.5)


def test_experiments_that_lack_something_say_so(monkeypatch):
    for given in ({}, {"file": "x.toml", "data": FRAME}):
        with pytest.raises(tr.TailrankError, match="give an experiment file, or data"):
            tr.Experiment(**given)
    for options, said in [
        ({"target": "z"}, "no column 'z' to predict; there are a, b, y"),
        ({"target": "y", "ignore": "z"}, "no column 'z'; there are a, b, y"),
        ({"target": "y", "date": 3}, "no column '3'; there are"),
        ({}, "name the target, the column to predict"),
    ]:
        with pytest.raises(tr.TailrankError, match=said):
            tr.Experiment(data=FRAME, **options)
    with pytest.raises(tr.TailrankError, match="the inputs have a column 'y', as the target is called"):
        tr.Experiment(data=(FRAME, Y))
    exp = tr.Experiment(data=FRAME, target="y").add(Ridge())
    with pytest.raises(tr.TailrankError, match="two estimators are called 'Ridge'; give one a name"):
        exp.add(Ridge())
    with pytest.raises(TypeError, match="unexpected setting 'y_train'; there are t_e"):
        tr.Experiment(data=FRAME, target="y", y_train=Y)
    with pytest.raises(tr.TailrankError, match=r"linear: ridge = \[1\] is no number"):
        exp.add("linear", ridge=[[1]])
    monkeypatch.setitem(sys.modules, "tomllib", None)
    with pytest.raises(tr.TailrankError, match="needs Python 3.11 or later"):
        tr.Experiment.from_text('name = "x"').add("linear")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="reads TOML")
def test_models_are_added_to_files(tmp_path):
    exp = tr.Experiment.from_text('name = "x"\nseed = 3\n').add("linear")
    assert exp.text == 'name = "x"\nseed = 3\n\n[[models]]\nfamily = "linear"\n' and exp.name == "x"
    assert [tr.Experiment.from_text(text).name for text in ("name = 'a b'", "  name=\"c\" # d", "seed = 1")] == ["a b", "c", "run"]
    (tmp_path / "e.toml").write_text('name = "e"', encoding="utf-8")
    file = tr.Experiment(tmp_path / "e.toml")
    assert file._base == tmp_path and file._path == tmp_path / "e.toml" and file.text == 'name = "e"'


def test_folders_of_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exp = tr.Experiment(data=FRAME, target="y", name="a run", splits=tr.Holdout(0.5), sections=OFF).add("linear")
    assert exp.check().cells > 0 and (tmp_path / "runs/a-run-inputs/experiment.toml").is_file() and not (tmp_path / "runs/a-run").exists()
    run = exp.run(progress=False)
    assert run.folder.resolve() == tmp_path / "runs/a-run"
    page = run.report()
    assert page == run.folder / "report/index.html" and run.report(tmp_path / "page").parent == tmp_path / "page"
    assert run.save("one.html").read_bytes().startswith(b"<!DOCTYPE html>") and run.save(tmp_path / "one.html") == tmp_path / "one.html"
    assert exp._placed("out") == (_experiment.Path("out"), _experiment.Path("out-inputs"))
    assert tr.Experiment.from_text("name = 'x'")._placed(None) == (_experiment.Path("runs/x"), _experiment.Path())


def test_what_a_run_is_asked_for_reaches_the_core(monkeypatch, tmp_path):
    asked = []

    class Native:
        def run(self, *arguments):
            asked.append(arguments)

    monkeypatch.setattr(tr.Experiment, "_native", lambda self, base: (Native(), []))
    exp = tr.Experiment.from_text("name = 'x'")
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    exp.run(tmp_path, progress=False)
    exp.run(tmp_path, jobs=2, retry_failed=True, allow_commands=True, progress=print)
    words = [sys.executable, "-m", "tailrank"]
    assert asked == [(tmp_path, 5, False, False, words, None), (tmp_path, 2, True, True, words, print)]


def test_what_a_study_is_asked_for_reaches_the_core(monkeypatch):
    asked = []
    monkeypatch.setattr(_reproduce._tailrank, "reproduce", lambda *arguments: asked.append(arguments) or '{"study": 1}')
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert tr.reproduce(progress=False) == {"study": 1}
    tr.reproduce("arena", out="there", jobs=2, data="here", progress=print)
    assert [tuple(map(str, a)) for a in asked] == [
        ("stock-returns", os.path.join("runs", "stock-returns"), "5", "None", "None"),
        ("arena", "there", "2", "here", str(print)),
    ]


def test_the_program_is_started_again_by_one_file_on_other_machines(monkeypatch, tmp_path):
    from tailrank import __main__ as main

    started = []
    monkeypatch.setattr(main, "_main", lambda *arguments: started.append(arguments) or 3)
    monkeypatch.setattr(main.sysconfig, "get_path", lambda name: str(tmp_path / name))
    for words in (["run", "slurm"], ["slurm", "a"]):
        monkeypatch.setattr(sys, "argv", ["x", *words])
        assert main.main() == 3
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/tailrank").touch()
    assert main.main() == 3
    plain = [sys.executable, "-m", "tailrank"]
    assert started == [
        (["tailrank", "run", "slurm"], plain),
        (["tailrank", "slurm", "a"], plain),
        (["tailrank", "slurm", "a"], [str(tmp_path / "scripts/tailrank")]),
    ]


def test_arrays_at_their_edges(monkeypatch):
    said = lambda values: str(pytest.raises(tr.TailrankError, _arrays.floats, values, "x").value)  # noqa: E731
    tail = "; convert them first, as pandas.to_numeric does"
    assert said(np.array(["a", "b"])) == "x are not all numbers: they hold text, such as 'a'" + tail
    assert said(np.array([], dtype="U1")) == "x are not all numbers: they hold text" + tail
    assert said([1.0, "a"]).startswith("x are not all numbers: they hold text, such as ") and said([b"a", None]).endswith(tail)
    assert said(np.array([1.0, b"a"], dtype=object)) == "x are not all numbers: they hold text, such as b'a'" + tail
    assert said(np.array([1.0, object()], dtype=object)).startswith("x are not all numbers: they hold a object")
    assert said(np.array([1.0, [2]], dtype=object)).startswith("x are not all numbers: they hold a list, such as [2]")
    assert said(np.float64(3)).startswith("x: np.float64(3.0) is no array") or said(np.float64(3)).startswith("x: 3.0 is no array")
    assert said(np.ones((2, 2))) == "x have the shape (2, 2); give one value for each case"
    assert said(np.ones((2, 1, 1))) == "x have the shape (2, 1, 1); give one value for each case"
    assert _arrays.floats(np.ones((3, 1))).tolist() == [1.0] * 3
    assert [_arrays.short(v) for v in ("x" * 58, "x" * 59, "a\n b")] == [repr("x" * 58), "a str", repr("a\n b")]
    missing = [None, np.nan, np.float32("nan"), np.datetime64("NaT"), pandas.NA, pandas.NaT, np.ma.masked]
    assert all(_arrays.is_missing(v) is True for v in missing)
    assert all(_arrays.is_missing(v) is False for v in (0, 0.0, "", "nan", np.datetime64("2020"), np.float32(1), 1j))
    assert _arrays.floats(pandas.Series(pandas.arrays.SparseArray([0.0, 1.0]))).tolist() == [0.0, 1.0]
    assert _arrays.floats(pandas.Series([True, None], dtype="boolean"))[0] == 1.0 and np.isnan(_arrays.floats(pandas.Series([True, None], dtype="boolean"))[1])
    assert _arrays.floats(polars.Series([True, None]))[0] == 1.0 and _arrays.floats([True, False]).dtype == np.float64
    whole = 2**53 + 1
    assert _arrays.vector(polars.Series([whole, 2])).tolist() == [whole, 2] and _arrays.vector(pandas.Series([whole, None], dtype="Int64")).dtype == np.float64
    masked = np.ma.masked_array([1, 2], mask=[True, False])
    assert np.isnan(_arrays.floats(masked)[0]) and masked.data.tolist() == [1, 2]
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    class Streams:
        def __arrow_c_stream__(self, requested_schema=None):
            raise AssertionError

    with pytest.raises(tr.TailrankError, match="read through Arrow, and pyarrow is not installed: pip install pyarrow"):
        _arrays.vector(Streams())


def test_times_at_their_edges():
    times = lambda *values: _arrays.times(list(values), "when")  # noqa: E731
    moment = datetime.datetime(2020, 1, 1, 12, 30)
    zone = datetime.timezone(datetime.timedelta(hours=2))
    same = [moment, np.datetime64(moment), pandas.Timestamp(moment), "2020-01-01T12:30", "2020-01-01 12:30:00", b"2020-01-01 12:30:00.000", "2020-01-01 12:30:00.000000"]
    assert set(times(*same).tolist()) == {moment}
    assert set(times("2020-01-01T12:30Z", "2020-01-01T14:30+02:00", moment.replace(tzinfo=zone) + datetime.timedelta(hours=2)).tolist()) == {moment}
    assert times(datetime.date(2020, 1, 1), pandas.Period("2020-01-01", "D")).tolist() == [datetime.datetime(2020, 1, 1)] * 2
    numbers = times(1, 2.5, np.int8(3))
    assert numbers.tolist() == [1.0, 2.5, 3.0] and numbers.dtype == np.float64
    assert _arrays.times(pandas.Series(pandas.period_range("2020-01", periods=2, freq="M"))).astype("datetime64[D]").astype(str).tolist() == ["2020-01-01", "2020-02-01"]
    zoned = pandas.Series(pandas.to_datetime(["2020-01-01 00:00"])).dt.tz_localize("Europe/Vienna")
    assert _arrays.times(zoned).astype("datetime64[m]").astype(str).tolist() == ["2019-12-31T23:00"]
    for values, said in [
        ([True, False], "when: True is no time; give dates or numbers"),
        ([1j], "when: 1j is no time"),
        ([object], "is no time"),
        (np.array([True]), "when hold true and false; give dates or numbers"),
        (np.array([1], dtype="timedelta64[s]"), "when hold durations; give dates or numbers"),
        (np.array([1j]), "when hold complex numbers"),
        (["2020-1-1"], "when: '2020-1-1' is no date such as 2024-02-29"),
        ([b"x"], "when: 'x' is no date"),
        (["2020-02-30"], "when: '2020-02-30': day is out of range"),
        ([1.0, np.inf], "when: row 2 has none"),
        (np.array(["2020-01-01", "NaT"], dtype="datetime64[D]"), "when: row 2 has none"),
        ([None, moment], "when: row 1 has none"),
        ([moment, moment.replace(tzinfo=zone)], "when: times with and without a zone do not mix"),
        ([1, moment], "when: numbers and dates do not mix"),
    ]:
        with pytest.raises(tr.TailrankError, match=said):
            _arrays.times(values, "when")


def test_names_and_grids_at_their_edges():
    assert [_arrays.listed(v) for v in ("a", ("a", "b"), ["a"], frozenset({"a"}), np.array("a"))] == [["a"], ["a", "b"], ["a"], ["a"], ["a"]]
    assert _arrays.choices(np.array(3)) == [3] and _arrays.choices({"a": 1}) == [{"a": 1}] and _arrays.choices(b"a") == [b"a"]
    for values, said in [
        (np.ones((1, 2)), r"array\(\[\[1., 1.\]\]\) has 2 dimensions; list the values to be tried"),
        ({1}, r"\{1\} has no order that lasts; give the values to be tried as a list"),
        (frozenset({1}), "has no order that lasts"),
        (iter([1]), "has no order that lasts"),
        ({1: 2}.keys(), "has no order that lasts"),
        ({1: 2}.values(), "has no order that lasts"),
        (map(str, [1]), "has no order that lasts"),
        (pandas.DataFrame({"a": [1], "b": [2]}), "a grid are a data frame of 2 columns; give one of them"),
    ]:
        with pytest.raises(tr.TailrankError, match=said):
            _arrays.choices(values)
    ours, theirs = pandas.Series([1.0, 2.0]), pandas.Series([1.0, 2.0], index=[1, 0])
    _arrays.same_index(ours, ours, "x"), _arrays.same_index([1.0], ours, "x"), _arrays.same_index(ours, [1.0], "x")
    with pytest.raises(tr.TailrankError, match="the index of x differs from that of the true values"):
        _arrays.same_index(ours, theirs, "x")
    assert _arrays.pairs([("1", 2)][:0], "x") == [] and _arrays.pairs(np.array([[1, 2]]), "x") == [(1.0, 2.0)]
    for wrong in ([(1, 2, 3)], [1], 3, pandas.DataFrame({"a": [1.0], "b": [1.0], "c": [1.0]})):
        with pytest.raises(tr.TailrankError, match="x are pairs of numbers, such as"):
            _arrays.pairs(wrong, "x")
    with pytest.raises(tr.TailrankError, match="the data are a lazy frame; call .collect"):
        _arrays.frame_of(polars.LazyFrame({"a": [1]}))
    assert _arrays.frame_of([1]) is None and _arrays.frame_of(FRAME["a"]) is None and _arrays.frame_of(FRAME).columns == ["a", "b", "y"]


def test_frames_at_their_edges(monkeypatch):
    kinds = [(1, FRAME["a"]), ({"a": [1], "b": polars.Series([1])},), (([1], pyarrow.array([1])),), ([1], np.ones(1))]
    assert [_frames.kind_of(*k) for k in kinds] == ["pandas", "polars", "pyarrow", None]
    assert type(_frames.frame([("a", [1])], "pyarrow")) is pyarrow.Table and type(_frames.frame({"a": [1]}, "numpy")) is pandas.DataFrame
    monkeypatch.setattr(_frames.importlib.util, "find_spec", lambda name: name == "polars" or None)
    assert _frames.usual() == "polars" and type(_frames.frame({"a": [1]}, None)) is polars.DataFrame
    monkeypatch.setattr(_frames.importlib.util, "find_spec", lambda name: None)
    assert _frames.usual() is None and _frames.frame([("a", [1])], None) == {"a": [1]}
    assert _frames.time_texts(DAYS[:1], "x") == ["2020-01-01"]
    assert _frames.time_texts(DAYS[:2] + pandas.Timedelta(minutes=90), "x") == ["2020-01-01 01:30", "2020-01-02 01:30"]
    assert _frames.time_texts(["2020-01-01", "2020-01-01T12:30"], "x") == ["2020-01-01", "2020-01-01 12:30"]
    words = _frames._column("w", "w", pandas.Series(["", "a", " a", "'a'", "a'", None, 1, True, "1"], dtype=object))
    assert words.values == ["''", "a", "' a'", "'a'", "a'", None, "1", "True", "'1'"] and words.kind == "word"
    assert words.meaning == {"''": "", "a": "a", "' a'": " a", "'a'": "'a'", "a'": "a'", "1": 1, "True": True, "'1'": "1"}
    clash = _frames._column("w", "w", pandas.Series(["'NA'", "NA"], dtype=object))
    assert clash.values == ["'NA'", "'NA''"] and list(clash.meaning.values()) == ["'NA'", "NA"]
    assert [c.name for c in _frames.columns_of(np.ones((2, 2)))] == ["x1", "x2"]
    for wrong in (np.ones(3), np.array([["a"]]), np.ones((1, 1, 1))):
        with pytest.raises(tr.TailrankError, match="x must be a data frame of pandas, polars or pyarrow, or an array of numbers with rows and columns"):
            _frames.columns_of(wrong, "x")
    take = lambda values: _frames.take(values, np.array([2, 0]))  # noqa: E731
    assert take([1, 2, 3]) == take((1, 2, 3)) == [3, 1] and take(np.arange(3)).tolist() == [2, 0] and take(range(3)).tolist() == [2, 0]
    assert take(pyarrow.array([1, 2, 3])).to_pylist() == [3, 1] == take(polars.Series([1, 2, 3])).to_list() == take(pandas.Series([1, 2, 3], index=[5, 6, 7])).tolist()
    assert take(pandas.Index([1, 2, 3])).tolist() == [3, 1]
    assert [_frames.length(v) for v in (np.ones((3, 2)), [1, 2], pyarrow.array([1]), FRAME)] == [3, 2, 1, N]


def test_columns_come_back_in_their_types():
    restore = _frames.restore
    assert restore(np.array([0.0, 1.0]), np.array([True])).tolist() == [False, True] and restore(np.array([0.0, np.nan]), np.array([True])).dtype == np.float64
    assert restore(np.array([1.0]), np.empty(0, np.float32)).dtype == np.float32 and restore(np.array([1.0]), np.array(["a"])).dtype == np.float64
    assert restore(np.array([300.0, -3.0]), np.empty(0, np.int64)).tolist() == [300, -3] and restore(np.array([2.0**63]), np.empty(0, np.int64)).tolist() == [2**63 - 1024]
    assert restore(np.array([2.0**40]), np.empty(0, np.int32)).tolist() == [2**31 - 1] and restore(np.array([-1.0]), np.empty(0, np.uint64)).tolist() == [0]
    texts = restore(["a", None], np.array(["b", np.nan], dtype=object))
    assert texts[0] == "a" and texts.dtype == object and np.isnan(texts[1])
    assert restore(["a", None], pandas.Series(["b"], dtype=object)).tolist() == ["a", None]
    dates = pyarrow.array(["a", "b", None]).dictionary_encode()
    back = restore(["b", None, "a"], pyarrow.chunked_array([dates]))
    assert back.to_pylist() == ["b", None, "a"] and back.dictionary.to_pylist() == ["a", "b"] and back.type == dates.type
    assert restore([None], pyarrow.chunked_array([], type=dates.type)).to_pylist() == [None]
    assert restore(np.array([1.5, np.nan]), pyarrow.array([1])).to_pylist() == [2, None] and restore(np.array([1.5]), pyarrow.array([1.0])).to_pylist() == [1.5]
    assert restore(np.array([1.0, 0.0]), polars.Series([True])).to_list() == [True, False] and restore([1, None], [2]) == [1, None]


def test_estimators_at_their_edges(monkeypatch):
    class Plain:
        fit = predict = staticmethod(lambda *_: np.zeros(1))

    bridge = _estimator.Bridge(Plain(), "plain", None)
    assert bridge.parameters == set() and not bridge.takes_weights and bridge.identity.endswith("\nframe None ")
    weighs = _estimator.Bridge(Ridge(), "ridge", "pandas", columns=_frames.columns_of(FRAME[["a"]]))
    assert weighs.takes_weights and weighs.parameters == set(Ridge().get_params()) and weighs.identity.endswith("\nframe pandas a: float64")
    arrow = _estimator.Bridge(Ridge(), "ridge", "pyarrow", columns=_frames.columns_of(pyarrow.table({"a": [1]})))
    assert arrow.identity.endswith("a: int64")
    values = {"alpha": {"(1,)": (1,)}}
    grid = _estimator.Bridge(Ridge(), "ridge", "pandas", values)
    assert "\nalpha: (1,)=tuple[1]\nframe pandas" in grid.identity
    assert _estimator._takes(LinearRegression(), "sample_weight") and not _estimator._takes(LinearRegression(), "cat_features")

    class Odd:
        fit = 3

    assert not _estimator._takes(Odd(), "X")
    assert _estimator._texts((np.array([0, -1, 1]), ["a", "b"])) == ["a", "missing", "b"]
    monkeypatch.setattr(_estimator.importlib.metadata, "version", lambda name: (_ for _ in ()).throw(_estimator.importlib.metadata.PackageNotFoundError()))
    assert _estimator._version("numpy") is None
    monkeypatch.undo()
    assert _estimator._version("sklearn") == f"scikit-learn {_estimator.importlib.metadata.version('scikit-learn')}"


class Twice(RegressorMixin, BaseEstimator):
    """Returns something else from ``fit``, or nothing."""

    def __init__(self, nothing=False):
        self.nothing = nothing

    def fit(self, X, y):
        self.mean_ = float(np.mean(y))
        other = Twice(self.nothing)
        other.mean_ = self.mean_ + 1.0
        return None if self.nothing else other

    def predict(self, X):
        return np.full(len(X), self.mean_)


def test_functions_of_packages_are_known_by_their_version():
    from sklearn.metrics import mean_squared_error

    words = _estimator.Words()
    assert words.of(mean_squared_error) == f"{mean_squared_error.__module__}.mean_squared_error {_estimator._version('sklearn')}"
    # What is made inside another function is known by its source, too.
    local = pytest.importorskip("sklearn.utils.validation")
    made = lambda x: x  # noqa: E731
    made.__module__, made.__qualname__ = local.__name__, "outer.<locals>.inner"
    assert len(words.of(made)) > len(f"{local.__name__}.outer.<locals>.inner") + 40 and words.unknown is None


def test_words_of_arrays_of_objects_hold_their_values():
    made = [_estimator.Words().of(np.array(values, dtype=object)) for values in ([1, "a"], [1, "b"], [[1, "a"]])]
    assert made[0] == "array(2,)list[1, 'a']" and len(set(made)) == 3


def test_categories_of_bundled_data_keep_their_levels():
    made = _estimator.Bridge(Ridge(), "ridge", "pandas")._frame([("k", (np.array([0, -1, 1]), ["a", "b", "c"]))])
    assert list(made["k"].cat.categories) == ["a", "b", "c"] and made["k"].tolist()[::2] == ["a", "b"] and made["k"].isna().tolist() == [False, True, False]


class Sees(Unknown):
    seen: list = []

    def fit(self, X, y):
        Sees.seen += X["kind"].tolist()
        return self


def test_words_of_several_tables_come_back_as_what_they_stand_for(tmp_path):
    tables = {name: FRAME.assign(kind=pandas.Series([n, "a"] * (N // 2), dtype=object)) for name, n in (("one", 1), ("two", 2))}
    run = tr.Experiment(data=tables, target="y", splits=tr.Holdout(0.5), sections=OFF).add(Sees(), name="sees").run(tmp_path / "run", progress=False)
    assert not run.failures and {(type(v), v) for v in Sees.seen} == {(int, 1), (int, 2), (str, "a")}


def test_what_fit_returns_predicts():
    x = np.ones((3, 1))
    for nothing, expected in ((False, 2.0), (True, 1.0)):
        bridge = _estimator.Bridge(Twice(nothing), "twice", None)
        for _ in range(3):
            assert bridge.fit_predict(x, np.ones(3), x, {}, 1, None).tolist() == [expected] * 3
        assert len(bridge.fits) == 2


def test_samplers_at_their_edges():
    for shaped in (np.ones(3), [1.0, 2.0]):
        with pytest.raises(tr.TailrankError, match=r"the inputs have the shape \(\d,\); give rows and columns: Reshape your data"):
            tr.SMOTER().fit(shaped)
    one = tr.SMOTER().fit(FRAME)
    assert one.n_features_in_ == 3 and one.feature_names_in_.tolist() == ["a", "b", "y"]
    assert not hasattr(tr.SMOTER().fit(FRAME.set_axis([0, 1, 2], axis=1)), "feature_names_in_") and tr.SMOTER().fit([[1.0, 2.0]]).n_features_in_ == 2
    with pytest.raises(tr.TailrankError, match=f"the inputs have {N} rows, the targets {N - 1}"):
        tr.SMOTER().fit_resample(X, Y[1:])
    with pytest.raises(tr.TailrankError, match="the target of row 3 is missing or not finite"):
        tr.SMOTER().fit_resample(X, np.where(np.arange(N) == 2, np.inf, Y))
    with pytest.raises(tr.TailrankError, match="column 'when' holds dates, between which no rows are made"):
        tr.SMOTER().fit_resample(FRAME.assign(when=DAYS), Y)
    with pytest.raises(tr.TailrankError, match="column 'b' has gaps, between which no rows are made; fill them first"):
        tr.SMOTER().fit_resample(FRAME.assign(b=np.where(np.arange(N) == 2, np.nan, 1.0)), Y)
    with pytest.raises(tr.TailrankError, match="relevance = 'box'"):
        tr.SMOTER(relevance="box").fit_resample(X, Y)
    assert [_samplers._seed(s) for s in (3, np.int64(3))] == [3, 3]
    for seed in range(4):
        expected = np.random.RandomState(seed).randint(0, 2**31 - 1)
        np.random.seed(seed)
        assert _samplers._seed(np.random.RandomState(seed)) == expected == _samplers._seed(None)
        assert _samplers._seed(np.random.default_rng(seed)) == np.random.default_rng(seed).integers(0, 2**31 - 1)
    for sampler in (tr.UnderSampler, tr.OverSampler, tr.SMOTER, tr.NoiseSampler, tr.SMOGN, tr.WERCS):
        own = sampler()._parameters()
        assert "threshold" in own and not {"relevance", "categorical", "on_few", "random_state", "distance_"} & set(own) and None not in own.values()


@pytest.mark.parametrize("sampler", [tr.UnderSampler, tr.SMOTER])
def test_re_sampled_rows_are_of_the_kind_that_came_in(sampler):
    resample = lambda x, y: sampler(random_state=1, relevance=PHI).fit_resample(x, y)  # noqa: E731
    expected, targets = resample(X, Y)
    for make in (lambda v: v.tolist(), lambda v: v.astype(np.float32), lambda v: pandas.DataFrame(v), lambda v: polars.DataFrame(v), lambda v: pyarrow.table({"a": v[:, 0], "b": v[:, 1]})):
        found, _ = resample(make(X), Y)
        assert type(found) is type(make(X)) and np.allclose(np.asarray(found).astype(float), expected, atol=1e-6)
        assert getattr(found, "dtype", None) == getattr(make(X), "dtype", None)
    for make in (lambda v: v.tolist(), lambda v: pandas.Series(v, name="t"), lambda v: pandas.Index(v, name="t"), lambda v: polars.Series("t", v), pyarrow.array, lambda v: pyarrow.chunked_array([v]), lambda v: v[:, None], lambda v: pandas.DataFrame({"t": v}), lambda v: v.astype(object)):
        _, found = resample(X, make(Y))
        assert type(found) is type(make(Y)) or sampler is tr.SMOTER, make(Y)
        assert np.array_equal(np.asarray(found, dtype=float).ravel(), targets) and np.ndim(found) == np.ndim(make(Y))
        assert getattr(found, "name", None) == getattr(make(Y), "name", None)
    sparse = pytest.importorskip("scipy.sparse").csr_matrix(X)
    found, _ = resample(sparse, Y)
    assert type(found) is type(sparse) and np.allclose(found.toarray(), expected)


def test_scorers_are_known_by_their_measure():
    assert tr.scorer("MAE")._score_func.__name__ == "mad" and tr.scorer("mad")._sign == -1 and tr.scorer("f", PHI, t_l=1.0)._sign == 1
    assert _scorer._id(" MAE ") == "mad" and _scorer._id("ff") == "ff"
    with pytest.raises(TypeError, match=r"scorer\('f'\): missing a required argument: 't_l'; see help\(tailrank.f\)"):
        tr.scorer("f", PHI)


def test_splits_at_their_edges():
    assert repr(tr.KFold(3)) == "KFold(folds=3, repeats=1)" and tr.KFold(np.int8(3), shuffle=np.True_) == {"kind": "kfold", "folds": 3, "repeats": 1, "shuffle": True}
    assert tr.DateSplit(datetime.date(2020, 2, 1)) == {"kind": "date", "at": "2020-02-01"} == tr.DateSplit("2020-02-01T05:00")
    assert tr.DateSplit("2020-02-01", validation_at="2020-01-15")["validation_at"] == "2020-01-15" and tr.Holdout(1, validation=0.25) == {"kind": "fraction", "train": 1.0, "validation": 0.25}
    with pytest.raises(tr.TailrankError, match="how often a window moves depends on the rows; give X"):
        tr.SlidingWindow(3, 1).get_n_splits()
    assert tr.SlidingWindow(3, 2).get_n_splits(range(8)) == 3 and tr.DateSplit("2020-01-01").get_n_splits() == 1 == tr.Holdout().get_n_splits() and tr.Bootstrap(4).get_n_splits() == 4
    one, other = ([test.tolist() for _, test in tr.KFold(3).split(X, seed=seed)] for seed in (1, 2))
    assert one == [test.tolist() for _, test in tr.KFold(3).split(X)] != other
    assert _splits.dates_of(FRAME) is None and _splits.dates_of(FRAME.assign(a=DAYS, b=DAYS)) is None and _splits.dates_of(X) is None and _splits.dates_of([1]) is None
    assert _splits.dates_of(FRAME.set_axis(DAYS, axis=0))[3] == np.datetime64("2020-01-04") == _splits.dates_of(polars.DataFrame({"a": DAYS.to_numpy()}))[3]
    for wrong in ([0.5], [[1]], np.ones((2, 2), dtype=int), np.array([True]), []):
        with pytest.raises(tr.TailrankError, match="by their places, from 0, or by masks, and leaves neither empty"):
            _splits._rows(wrong, 3)
    assert _splits._rows([-3, 2], 3) == "1, 3" and _splits._rows([True, False, True], 3) == "1, 3"


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_dates_of_several_tables_come_back(library, tmp_path):
    frame = FRAME.assign(when=DAYS)
    make = {"pandas": lambda f: f, "polars": polars.from_pandas, "pyarrow": lambda f: pyarrow.Table.from_pandas(f, preserve_index=False)}[library]
    exp = tr.Experiment(data={"one": make(frame), "two": make(frame[::-1][:30])}, target="y", splits=tr.Holdout(0.5), sections=OFF).add("linear")
    run = exp.run(tmp_path / "run", progress=False)
    found = run.predictions
    column = lambda name: found[name].to_pylist() if library == "pyarrow" else found[name].to_list()  # noqa: E731
    dates = [str(d)[:10] for d in column("date")]
    assert dates == [str(d)[:10] for d in [*DAYS[20:], *DAYS[10:][15:]]] and column("task") == ["one"] * 20 + ["two"] * 15
    assert (found.column_names if library == "pyarrow" else list(found.columns))[:5] == ["task", "split", "row", "date", "y"]
    for name, said in ((None, "name one of the tasks: one, two"), ("three", "there is no task 'three'; there are one, two")):
        with pytest.raises(tr.TailrankError, match=said):
            run.predict(make(frame), task=name)
    new = make(frame[["a", "b"]].assign(when=DAYS + pandas.Timedelta(days=100)))
    wide, narrow = (run.predict(new, model="linear", task="two", level=level) for level in (0.75, 0.5))
    width = lambda table: np.asarray(table["to"]) - np.asarray(table["from"])  # noqa: E731
    assert (width(wide) > width(narrow)).all() and np.array_equal(np.asarray(run.predict(new, model="linear", task="two")["to"]), np.asarray(run.predict(new, model="linear", task="two", level=0.9)["to"]))


def test_new_rows_keep_their_words(tmp_path):
    data = pandas.DataFrame({"kind": ["x", "NA"] * (N // 2), "a": X[:, 0], "y": np.where(np.arange(N) % 2, 5.0, 0.0) + X[:, 0]})
    run = tr.Experiment(data=data, target="y", splits=tr.KFold(4), sections=OFF).add("linear").run(tmp_path / "run", progress=False)
    said = run.predict(pandas.DataFrame({"kind": ["NA", "x"], "a": [0.0, 0.0]}), model="linear")["predicted"]
    assert np.allclose(said, [5.0, 0.0], atol=1e-6)
    with pytest.raises(tr.TailrankError, match="the new rows have no column 'a'"):
        run.predict(pandas.DataFrame({"kind": ["x"]}), model="linear")
    plain = tr.Experiment(data=(X, Y), splits=tr.KFold(4), sections=OFF).add("linear").run(tmp_path / "plain", progress=False)
    for wrong in (np.ones(2), np.ones((1, 3))):
        with pytest.raises(tr.TailrankError, match="the model was fitted to 2 inputs"):
            plain.predict(wrong, model="linear")


def test_the_bar_counts_what_was_there_before(monkeypatch):
    import io

    now = [0.0]
    monkeypatch.setattr(_progress.time, "monotonic", lambda: now[0])
    bar = _progress.Bar(io.StringIO())
    bar("planned", 10, 4)
    now[0] = 60.0
    bar("ended", "not started here", 0, None)
    # One of a minute, five are left.
    assert "5/10 cells, about 5 min left" in bar._stream.getvalue()
    assert _progress.Bar()._stream is sys.stderr
    monkeypatch.setitem(sys.modules, "ipykernel", None)
    assert _progress.in_notebook() and _progress.wanted()


def test_a_curve_has_the_tolerance_it_was_given():
    truth = np.arange(10.0)
    phi = tr.Relevance.sigmoid(None, 6.0)
    hard, soft = (tr.pr_curve(truth, truth + 0.5, phi, t_l=2.0, alpha_k=k) for k in (8.0, 2.0))
    assert np.nanmin(hard[1]) > 0.9 > np.nanmax(soft[1])


def test_a_generator_gives_its_own_draw():
    assert all(_samplers._seed(np.random.default_rng(s)) == np.random.default_rng(s).integers(0, 2**31 - 1) for s in range(20))


def test_numbers_among_times_may_miss_one_by_place():
    with pytest.raises(tr.TailrankError, match="row 2 has none"):
        _arrays.times([1.0, None, 3.0])


def test_objects_of_a_grid_stand_in_any_order_beside_plain_values(tmp_path):
    values = {"b": {"one": 1}, "a": {"two": 2}}
    known = [_estimator.Bridge(Ridge(), "r", None, dict(order)).identity for order in (values.items(), reversed(values.items()))]
    assert known[0] == known[1]
    grid = {"solver": ["svd", "cholesky"], "alpha": [0.1]}
    run = tr.Experiment(data=FRAME, target="y", splits=tr.Holdout(0.5), sections=OFF).add(Ridge(), name="ridge", grid=grid).run(tmp_path / "run", progress=False)
    assert not run.failures
