"""Corners of single functions: a branch, default or argument that no other test decides."""

# What is private is looked at, and wrong types are handed over on purpose.
# pyright: reportAttributeAccessIssue=false, reportArgumentType=false, reportFunctionMemberAccess=false, reportOptionalMemberAccess=false, reportCallIssue=false

import datetime
import decimal
import importlib.util
import inspect
import io
import os
import pickle
import re
import subprocess
import sys
import textwrap
import time
import warnings

import numpy as np
import pytest

import tailrank as tr
from tailrank import _arrays, _estimator, _experiment, _frames, _measures, _progress, _samplers, _splits, _tables, _toml

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("sklearn")

from sklearn.base import BaseEstimator, RegressorMixin  # noqa: E402
from sklearn.linear_model import Ridge  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

QUIET = {"inference": {"enabled": False}}
PHI = tr.Relevance.sigmoid(-2.0, 2.0)
N = 40
DAYS = pandas.date_range("2020-01-01", periods=N)
RNG = np.random.default_rng(21)
X = RNG.normal(size=(N, 2))
Y = X @ [2.0, 1.0] + np.where(np.arange(N) % 5 == 0, 4.0, 0.0)
FRAME = pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": Y})


class Mean(RegressorMixin, BaseEstimator):
    """Predicts the mean, and remembers what it was given in all its copies."""

    seen: list = []

    def __init__(self, limit=None, random_state=None):
        self.limit = limit
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None, cat_features=None):
        Mean.seen.append({"X": X, "weights": sample_weight, "categories": cat_features, "fitted": hasattr(self, "mean_"), **self.get_params()})
        self.mean_ = float(np.mean(y))
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


def run(folder, data=FRAME, model=None, *, learn=None, name="mine", grid=None, **options):
    Mean.seen.clear()
    options = {"target": "y", "splits": tr.Holdout(0.5), "sections": QUIET, **options}
    return tr.Experiment(data=data, **options).add(model or Mean(), name=name, learn=learn, grid=grid).run(folder, jobs=1, progress=False)


# The package


def test_every_name_is_loaded_when_it_is_asked_for():
    assert tr.__all__ == sorted(tr.__all__) == tr.__dir__()
    for name, module in tr._LATER.items():
        found = tr.__getattr__(name)
        assert found is getattr(tr, name) and found.__name__ == name
        if module != "_measures":
            assert found is getattr(getattr(tr, module), name)


def test_defaults_of_methods():
    default = lambda function, name: inspect.signature(function).parameters[name].default  # noqa: E731
    assert default(_tables.Tables.text, "width") == 80 and default(tr.Run.predict, "level") == 0.9
    assert default(tr.Answer.save, "title") is None and default(tr.reproduce, "study") == "stock-returns"
    for split in (_splits._Split, tr.DateSplit):
        assert default(split.split, "seed") == 1
    assert default(tr.Experiment.from_text, "base") == ""


@pytest.mark.parametrize("columns, width", [(100, 100), (41, 41), (40, 40), (39, 40)])
def test_an_answer_is_as_wide_as_the_terminal(columns, width, monkeypatch):
    asked = []

    class Native:
        def text(self, width):
            asked.append(width)
            return ""

    answer = tr.Answer(Native(), None, "", ())
    monkeypatch.setattr("shutil.get_terminal_size", lambda *default: os.terminal_size((columns, 24)))
    assert repr(answer) == answer.text() == "" and asked == [width, 80]


def test_measures_say_what_they_are():
    info = {m["id"]: m for m in tr.list_measures()}
    common = ["", "Arguments:", "    y_true, y_pred: true and predicted values, one for each case; contiguous float64 is not copied"]
    for name, m in info.items():
        function = getattr(tr, name)
        taken = [p for p in inspect.signature(function).parameters if p not in ("y_true", "y_pred", "undefined")]
        lines = function.__doc__.split("\n")
        assert lines[:6] == [f"{m['symbol']}: {m['name']}.", "", f"    {m['formula']}", "", f"Source: {m['citation']}.", "Larger is better." if m["greater_is_better"] else "Smaller is better."]
        assert lines[6:9] == common
        told = [line.strip().partition(":")[0] for line in lines[9:] if line.startswith("    ")]
        assert told == [*taken, "undefined"]
        rest = lines[9 + len(told) :]
        reasons = textwrap.wrap("Undefined where " + ", or ".join(m["undefined"]) + ".", 76)
        assert rest == (["", *reasons] if m["undefined"] else [])


def test_measures_named_twice():
    assert tr.score(Y, Y + 1, ["mad", "MAE", "rmse"]) == {"mad": tr.mad(Y, Y + 1), "rmse": tr.rmse(Y, Y + 1)}


def test_a_curve_has_the_shape_of_accuracy_it_was_given():
    truth = np.arange(10.0)
    phi = tr.Relevance.sigmoid(None, 6.0)
    hard, smooth = (tr.pr_curve(truth, truth + 1.5, phi, t_l=2.0, alpha=shape) for shape in ("indicator", "smooth"))
    assert np.nanmax(hard[1]) == 1.0 > np.nanmax(smooth[1])
    with pytest.raises(tr.TailrankError, match="'f' needs|t_l"):
        tr.pr_curve(truth, truth, phi, t_l=None)


def test_default_relevance_of_a_call():
    y = np.random.default_rng(5).standard_t(2, 300)
    boxplot = tr.Relevance.boxplot(y)
    for call in (
        lambda phi: tr.f(y, y + 0.1, phi, t_l=1.0),
        lambda phi: tr.event_counts(y, y + 0.1, phi, t_l=1.0),
        lambda phi: tr.pr_curve(y, y + 0.1, phi, t_l=1.0)[0].tolist(),
        lambda phi: tr.ser_curve(y, y + 0.1, phi, [0.5]).tolist(),
        lambda phi: tr.episodes(y, y + 0.1, phi)["alarms"],
        lambda phi: tr.event_curves(y, y + 0.1, phi)["roc_area"],
    ):
        assert call("boxplot") == call(boxplot)


# Arrays, times, names


def test_rows_of_one_time_stay_in_their_order():
    times = np.repeat(np.arange(4)[::-1], 25)
    y = np.random.default_rng(3).standard_t(3, 100)
    found = tr.compare(y, {"m": y + 1.0}, relevance=PHI, times=times, **QUIET)
    truth = found._native.tasks()[0][1]
    assert np.array_equal(truth, y.reshape(4, 25)[::-1].ravel())


def test_a_model_of_another_length_is_told_of_where_there_are_times():
    with pytest.raises(tr.TailrankError, match=f"model 'short' has {N - 1} cases, the true values have {N}"):
        tr.compare(Y, {"short": Y[1:]}, times=DAYS, **QUIET)
    with pytest.raises(tr.TailrankError):
        tr.compare(Y, {"short": Y[1:]}, task=["k"] * N, **QUIET)


def test_the_target_by_its_name_in_a_dictionary():
    by_name = tr.compare("y", {"y": Y, "m": Y + 1}, relevance=PHI, **QUIET)
    assert by_name.json() == tr.compare(Y, {"m": Y + 1}, relevance=PHI, **QUIET).json()
    with pytest.raises(tr.TailrankError, match="no column 'z'; there are y, m"):
        tr.compare("z", {"y": Y, "m": Y + 1}, **QUIET)
    with pytest.raises(tr.TailrankError, match="3 is no array"):
        tr.compare(3, {"y": Y, "m": Y + 1}, **QUIET)


def test_the_first_dates_count():
    other = DAYS[::-1] + pandas.Timedelta(days=1000)
    first = lambda found: found._native.tasks()[0][3][0]  # noqa: E731
    series = pandas.Series(Y, index=DAYS)
    # Those of the predictions go before the index, and those of the true values before those of the predictions.
    dated = pandas.DataFrame({"m": Y + 1, "date": other.to_numpy()}, index=DAYS)
    assert first(tr.compare(series, dated, relevance=PHI, **QUIET)) == str(other[-1])[:10]
    assert first(tr.compare(series, {"m": Y + 1}, relevance=PHI, **QUIET)) == "2020-01-01"
    # Hours are left out, and what is no date puts rows in order alone.
    hours = tr.compare(Y, {"m": Y + 1}, times=DAYS + pandas.Timedelta(hours=5), relevance=PHI, **QUIET)
    assert first(hours) == "2020-01-01"
    assert tr.compare(Y, {"m": Y + 1}, times=np.arange(N), relevance=PHI, **QUIET)._native.tasks()[0][3] is None


def test_arrays_of_one_column_and_none():
    assert _arrays.vector([[1.0], [2.0]]).tolist() == [1.0, 2.0] and _arrays.vector(np.ones((0, 1))).shape == (0,)
    for wrong in (np.ones((1, 2)), np.ones((2, 0)), np.ones((1, 1, 1))):
        with pytest.raises(tr.TailrankError, match="have the shape"):
            _arrays.vector(wrong)
    assert _arrays.floats(np.array([1, 2], dtype=np.int16)).dtype == np.float64 and _arrays.floats([]).dtype == np.float64
    assert _arrays.floats(np.ones(6)[::2]).flags.c_contiguous
    assert _arrays.choices(np.array([1.5, 2.5])) == [1.5, 2.5] and type(_arrays.choices(np.array([1]))[0]) is int
    assert _arrays.choices((1, 2)) == [(1, 2)]
    with pytest.raises(tr.TailrankError, match="has no order that lasts"):
        _arrays.choices(zip([1], [2]))
    many = _arrays.vector(np.ma.masked_array([1.0, 2.0, 3.0], mask=[False, True, False]))
    assert many.tolist() == [1.0, None, 3.0]


@pytest.mark.parametrize("values", [[True, 2.0], [np.True_, 2.0]])
def test_true_and_false_are_no_times(values):
    with pytest.raises(tr.TailrankError, match="is no time; give dates or numbers"):
        _arrays.times(values, "when")


def test_values_of_toml():
    said = {
        True: "true", False: "false", 3: "3", -0.5: "-0.5", float("inf"): "inf", float("-inf"): "-inf", "ü\x7f\"": '"ü\\u007f\\""', (1, "a"): '[1, "a"]',
    }  # fmt: skip
    for value, text in said.items():
        assert _toml.value(value) == text
    assert _toml.value(np.bool_(False)) == "false" and _toml.value(np.float32(0.5)) == "0.5" and _toml.value(np.int8(3)) == "3" and _toml.value(float("nan")) == "nan"
    assert _toml.value({"a": 1, "b": None, "c d": [True]}) == '{ a = 1, "c d" = [true] }' and _toml.value(np.array([1, 2])) == "[1, 2]"
    assert _toml.value(datetime.date(2020, 1, 1)) == "2020-01-01"
    with pytest.raises(TypeError, match="cannot be written into an experiment"):
        _toml.value(object())
    assert [_toml.key(k) for k in ("a-B_1", "", "a b", "é", "a.b", "1")] == ["a-B_1", '""', '"a b"', '"é"', '"a.b"', "1"]
    whole = {"name": "n", "none": None, "empty": {}, "part": {"x": 1, "none": None}, "models": [{"family": "f", "grid": None}, {"family": "g"}], "last": [1]}
    assert _toml.text(whole) == 'name = "n"\nlast = [1]\n\n[part]\nx = 1\n\n[[models]]\nfamily = "f"\n\n[[models]]\nfamily = "g"\n'


def test_files_are_utf_8_everywhere(tmp_path):
    (tmp_path / "e.toml").write_text('name = "ü"\n', encoding="utf-8")
    code = "import sys, tailrank as tr; e = tr.Experiment(sys.argv[1]); e.save(sys.argv[2])"
    done = subprocess.run([sys.executable, "-X", "warn_default_encoding", "-c", code, tmp_path / "e.toml", tmp_path / "new"], capture_output=True, text=True)
    assert done.returncode == 0 and "_experiment.py" not in done.stderr, done.stderr
    assert tr.Experiment(tr.Experiment(tmp_path / "e.toml").save(tmp_path / "other")).name == "ü"


# Data frames


def test_columns_of_objects_hold_words_and_gaps():
    array = np.array([["a", 1.0], [None, 2.0], ["b", None]], dtype=object)
    words, numbers = _frames.columns_of(array)
    assert words.kind == "word" and words.values == ["a", None, "b"] and numbers.kind == "number" and np.isnan(numbers.values[2])
    given = _frames.columns_of({"w": pandas.Series(["a", None], dtype=object), "n": pandas.Series([1, None], dtype=object), "t": pandas.Series(DAYS[:2]), "b": polars.Series([True, None])})
    assert [c.kind for c in given] == ["word", "word", "time", "number"] and given[1].values == ["1", None]
    assert _frames.columns_of({"p": pandas.Series(pandas.period_range("2020-01", periods=2, freq="M"))})[0].kind == "time"
    assert _frames.named_columns([1]) is None and _frames.columns_of([[1.0, 2.0]])[1].values.tolist() == [2.0]
    with pytest.raises(tr.TailrankError, match="two columns have the same name as text: 1, 1"):
        _frames.named_columns({1: [1], "1": [2]})


def test_types_that_values_do_not_fit():
    restore = _frames.restore
    assert restore(np.array([300.0, 1.0]), polars.Series([1], dtype=polars.Int8)).to_list() == [None, 1]
    assert restore(np.array([1.0]), pyarrow.array([1], pyarrow.int8())).type == pyarrow.int8()
    assert restore(np.array([1.0]), polars.Series([1.0], dtype=polars.Float32)).dtype == polars.Float32
    assert restore(np.array([1.0]), pandas.Series([1.0], dtype="Float32")).dtype == "Float32"
    ordered = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0], pyarrow.int8()), pyarrow.array(["a"]), ordered=True)
    assert restore(["a"], pyarrow.chunked_array([ordered])).type == ordered.type
    assert restore(np.array([2.0, 0.0, np.nan]), pyarrow.array([True])).to_pylist() == [True, False, None]
    assert restore(np.array([3.0]), np.empty(0, bool)).tolist() == [True] and restore(np.array([1.0, np.nan]), np.empty(0, bool)).dtype == np.float64
    assert restore([], pandas.Series([1.0])).tolist() == []
    assert restore(np.array([2.0**63]), np.empty(0, np.int64)).tolist() == [2**63 - 1024]
    assert restore(np.array([2.6]), pandas.Series([1], dtype="Int8")).tolist() == [3]
    assert restore(["a"], pandas.Series(["b"], dtype=object)).dtype == object


def test_lengths_and_rows_of_anything():
    class Rows:
        def __array__(self, dtype=None, copy=None):
            return np.arange(3.0)

    assert _frames.length(Rows()) == 3 and _frames.take(Rows(), np.array([2])).tolist() == [2.0]
    assert _frames.length(np.ones((2, 5))) == 2 and _frames.take(np.arange(6).reshape(3, 2), np.array([1])).tolist() == [[2, 3]]


# Experiments


def text(**options):
    return tr.Experiment(**{"data": FRAME, "target": "y", **options}).text


def test_the_time_of_a_table_is_the_one_that_was_named(tmp_path):
    dated = FRAME.assign(when=DAYS).set_axis(DAYS, axis=0)
    assert text(data=dated, date="when").count('date = "when"') == 1 and "index" not in text(data=dated, date="when")
    with pytest.raises(tr.TailrankError, match="columns when hold dates; name the one"):
        text(data=FRAME.assign(when=DAYS), date="a")
    with pytest.raises(tr.TailrankError, match="columns u, v hold dates; name the one"):
        text(data=FRAME.assign(u=DAYS, v=DAYS), date="v")
    assert 'date = "v"' in text(data=FRAME.assign(u=DAYS, v=DAYS), ignore="u")
    # Another index is none, and an index that is called like columns gets a name of its own.
    assert "date" not in text(data=FRAME.set_axis(list("xy" * 20), axis=0)) and "date" not in text(data=FRAME.set_axis(range(5, 45), axis=0))
    full = FRAME.assign(date=1.0, index=2.0).set_axis(DAYS, axis=0)
    assert 'date = "index of rows"' in text(data=full)


def test_data_and_targets_by_many_names():
    named = pandas.Series(Y, name="t")
    assert 'target = "t"' in text(data=(X, named), target=None) and 'target = "u"' in text(data=(X, named), target="u")
    for target, name in ((1, "x2"), (0, "x1"), (-2, "x1")):
        assert f'target = "{name}"' in text(data=X, target=target)
    for target in (2, -3, "z"):
        with pytest.raises(tr.TailrankError, match=f"no column '{target}' to predict; there are x1, x2"):
            text(data=X, target=target)
    # A frame of two rows, and of two columns, is no pair.
    assert "target" in text(data=FRAME[:2]) and 'target = "b"' in text(data=FRAME[["a", "b"]], target="b")
    for wrong in ((X, Y, Y), (X,), ["KO", 3], [], set()):
        with pytest.raises(tr.TailrankError, match="data are a data frame, a pair|must be a data frame"):
            text(data=wrong)
    assert 'series = ["KO"]' in text(data={"KO"}, target=None) and "tables" not in text(data=["KO"], target=None)
    categories = text(data=FRAME.assign(w="x"), categorical=["w", "a"])
    assert 'categorical = ["w", "a"]' in categories
    with pytest.raises(tr.TailrankError, match="the inputs have 40 rows, the targets 39"):
        text(data=(X[:, :1], Y[1:]), target=None)


def test_values_of_numpy_are_plain_numbers_in_a_file():
    exp = tr.Experiment(data=FRAME, target="y").add("svm", cost=np.float64(0.5), gamma=[np.float32(0.5), np.int64(2)])
    assert "grid = { cost = 0.5, gamma = [0.5, 2] }" in exp.text
    exp.add(Ridge(), grid={"alpha": [np.float64(0.5), np.int64(2)]})
    assert exp._estimators["Ridge"][2] == {}
    assert "grid" not in exp.add("linear").text.rpartition("[[models]]")[2]


def test_several_tables_share_a_split_in_name_alone():
    made = tr.Experiment(data={"one": FRAME, "two": FRAME[:30]}, target="y", splits=[(range(20), range(20, 30))]).text
    assert '[split]\nkind = "kfold"\nfolds = 10\n' in made and made.count('kind = "rows"') == 2
    assert '[split]\nkind = "holdout"\n' in text(splits={"kind": "holdout"})


def test_a_splitter_is_asked_about_inputs_and_targets():
    asked = []

    class Splitter:
        def split(self, X, y):
            asked.append((X, y))
            return [(np.arange(20), np.arange(20, 40))]

    assert 'train = "1-20", test = "21-40"' in text(splits=Splitter())
    assert list(asked[0][0].columns) == ["a", "b"] and np.array_equal(asked[0][1], Y)
    assert _splits._rows([0, 1, 2], 3) == "1-3" and _splits._rows([2, 0, 1], 3) == "1-3" and _splits._rows([1], 3) == "2"
    assert tr.DateSplit("2020-02-01", validation_at=datetime.date(2020, 1, 15))["validation_at"] == "2020-01-15"
    train, test = next(tr.DateSplit("2020-02-01").split(FRAME.set_axis(DAYS, axis=0)))
    assert train.tolist() == list(range(31)) and test.tolist() == list(range(31, 40))


def test_so_many_cores_as_there_are(monkeypatch, tmp_path):
    asked = []

    class Native:
        def run(self, *arguments):
            asked.append(arguments[1])

    monkeypatch.setattr(tr.Experiment, "_native", lambda self, base: (Native(), []))
    monkeypatch.setattr("tailrank._reproduce._tailrank.reproduce", lambda *arguments: asked.append(arguments[2]) or "{}")
    for cores in (None, 7):
        monkeypatch.setattr(os, "cpu_count", lambda: cores)
        tr.Experiment.from_text("name = 'x'").run(tmp_path, progress=False)
        tr.reproduce(progress=False)
    tr.reproduce(progress=False, jobs=3)
    assert asked == [1, 1, 7, 7, 3]


def test_folders_and_names_of_experiments(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert tr.Experiment.from_text("seed = 1").name == "run" and tr.Experiment(data=FRAME, target="y", name="").name == "experiment"
    exp = tr.Experiment(data={"t/1": FRAME}, target="y")
    assert exp.save(tmp_path / "a" / "b") == tmp_path / "a/b/experiment.toml" and (tmp_path / "a/b/t-1.csv").is_file()
    file = tmp_path / "f.toml"
    file.write_text("name = 'f'", encoding="utf-8")
    assert tr.Experiment(file)._placed(None) == (_experiment.Path("runs/f"), tmp_path)
    assert exp._placed("o")[1] == _experiment.Path("o-inputs") and (tmp_path / "o-inputs/experiment.toml").is_file()


def test_settings_that_belong_to_rows_are_none_of_an_experiment():
    for name in ("y_train", "horizon", "sample_weight"):
        with pytest.raises(TypeError, match=f"unexpected setting '{name}'"):
            text(**{name: 1})
        with pytest.raises(TypeError, match=f"unexpected setting '{name}'") if name != "horizon" else pytest.raises(tr.TailrankError):
            tr.compare(Y, {}, **{name: 1})


# Estimators


def test_parameters_that_are_none_stay_so(tmp_path):
    assert not run(tmp_path / "run").failures
    assert [(s["limit"], type(s["random_state"]), s["categories"], s["fitted"]) for s in Mean.seen] == [(None, int, None, False)]
    fitted = Mean(random_state=3).fit(X, Y)
    assert not run(tmp_path / "fitted", model=fitted).failures
    assert [(s["random_state"], s["fitted"]) for s in Mean.seen] == [(3, False)], "a copy that has learned nothing"


def test_an_estimator_without_parameters(tmp_path):
    class Bare:
        def fit(self, X, y):
            self.mean = float(np.mean(y))

        def predict(self, X):
            return np.full(len(X), self.mean)

    own = Bare()
    found = run(tmp_path / "run", model=own)
    assert not found.failures and not hasattr(own, "mean") and np.allclose(found.predictions["mine"], Y[:20].mean())


def test_weights_reach_the_last_of_three_steps(tmp_path):
    steps = make_pipeline(StandardScaler(), StandardScaler(), Mean())
    assert _estimator._weight_option(steps) == "mean__sample_weight"
    assert not run(tmp_path / "run", model=steps, learn="weights").failures
    assert Mean.seen[0]["weights"] is not None

    class Nothing:
        def fit(self, X, y):
            return self

        predict = None

    assert _estimator._weight_option(Nothing()) is None and _estimator._weight_option(make_pipeline(StandardScaler(), Nothing())) is None


def test_words_are_exact():
    of = lambda thing: _estimator.Words().of(thing)  # noqa: E731
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    assert of(decimal.Decimal(1)) == f"decimal.Decimal {python}(tuple['1'])"
    nested = of(make_pipeline(StandardScaler(), Ridge(alpha=0.25)))
    assert nested.count("alpha=0.25") == 1 and nested.count("Ridge") == 1 and "steps=list[tuple['standardscaler'," in nested
    assert [of(v) for v in (None, True, 3, 0.5, "a", b"a")] == ["None", "True", "3", "0.5", "'a'", "b'a'"]
    assert of(datetime.date) == f"datetime.date {python}" and of({"b": 1, "a": [2]}) == "{'b': 1, 'a': list[2]}"
    values = {"a": {"two": 2, "one": 1}}
    known = [_estimator.Bridge(Ridge(), "r", None, {"a": dict(order)}).identity for order in (values["a"].items(), reversed(values["a"].items()))]
    assert known[0] == known[1] and "\na: one=1, two=2\n" in known[0]
    assert re.fullmatch(r"str [0-9a-f]{8}", _estimator.short("x" * 100)) and re.fullmatch(r"object [0-9a-f]{8}", _estimator.short(object()))
    assert _estimator.short("x\n y") == repr("x\n y") and _estimator.short([1,  2]) == "[1, 2]"
    assert re.fullmatch(r"array\(float64, \(2,\), [0-9a-f]{32}\)", of(np.ones(2)))
    method = np.random.RandomState(1).normal
    assert of(method) != f"{getattr(method, '__module__', '')}.normal"


def test_only_what_was_written_by_the_user_is_known_by_its_source():
    class Own:
        pass

    of = lambda thing: _estimator.Words().of(thing)  # noqa: E731
    assert re.fullmatch(r"\S+Own [0-9a-f]{32}", of(Own)) and re.fullmatch(r"numpy\.ndarray numpy \S+", of(np.ndarray))
    made = type("Made", (), {"__module__": "nowhere"})
    words = _estimator.Words()
    assert words.of(made) == "nowhere.Made ?" and words.unknown == "a type"
    assert of(os.path.join).endswith(f"Python {sys.version_info.major}.{sys.version_info.minor}")
    function = lambda x, y=[1]: x  # noqa: B006, E731
    assert of(function).endswith("tuple[list[1]]") and of(lambda: 0).endswith(" None")


def test_words_of_tables_of_two_types_are_words(tmp_path):
    tables = {
        "one": FRAME.assign(kind=pandas.Series([1, "a"] * (N // 2), dtype=object)),
        "two": FRAME.assign(kind=pandas.Categorical([1, "a"] * (N // 2))),
    }
    assert not run(tmp_path / "run", data=tables).failures
    seen = {type(v) for s in Mean.seen for v in s["X"]["kind"]}
    assert seen == {str}


def test_series_and_bundled_tables_come_as_frames(tmp_path):
    series = {"data": ["KO"], "target": None, "lags": 3, "splits": tr.DateSplit("1990-01-01"), "relevance": tr.Relevance.sigmoid(-0.02, 0.02), "t_l": 0.01}
    found = run(tmp_path / "series", **series)
    assert not found.failures and {type(s["X"]) for s in Mean.seen} == {pandas.DataFrame} and Mean.seen[0]["X"].shape[1] == 3
    best = found.best_estimator(model="mine")
    assert isinstance(best, Mean) and best.mean_ == pytest.approx(found.predict(model="mine")["predicted"][0])


# Runs


def test_names_that_begin_each_other(tmp_path):
    exp = tr.Experiment(data=FRAME, target="y", splits=tr.Holdout(0.5), sections=QUIET)
    exp.add(Mean(), name="m").add(Mean(limit=2), name="m 2").add(Mean(limit=3), name="m2", grid={"limit": [4, 5]})
    found = exp.run(tmp_path / "run", progress=False)
    assert [found.best_estimator(model=name).limit for name in ("m", "m 2", "m2 4", "m2 5")] == [None, 2, 4, 5]


def test_dates_that_do_not_go_together(tmp_path):
    half = FRAME[:30]
    mixed = {"one": FRAME.assign(when=DAYS), "two": half.assign(when=DAYS[:30].tz_localize("UTC"))}
    found = run(tmp_path / "mixed", data=mixed).predictions
    assert found["date"].dtype == "datetime64[s]" and found["date"].notna().all()
    some = run(tmp_path / "some", data={"one": FRAME.assign(when=DAYS), "two": half}).predictions
    assert some["date"].isna().tolist() == [task == "two" for task in some["task"]]
    one = run(tmp_path / "one", data=FRAME.assign(when=DAYS).set_axis(range(100, 140), axis=0)).predictions
    assert list(one.index) == list(range(20)) and one["date"].tolist() == DAYS[20:].tolist()


def test_new_rows_with_gaps_and_dates(tmp_path):
    data = FRAME.assign(kind=["x", "y"] * (N // 2)).set_axis(DAYS, axis=0)
    found = run(tmp_path / "run", data=data)
    later = DAYS[:2] + pandas.Timedelta(days=100)
    new = pandas.DataFrame({"a": [0.0, 1.0], "b": [0.0, 1.0], "kind": ["x", None]}, index=later)
    assert found.predict(new, model="mine")["row"].tolist() == [0, 1]
    with pytest.raises(tr.TailrankError, match="the new rows have no column 'a'"):
        found.predict(new[["b", "kind"]], model="mine")
    with pytest.raises(tr.TailrankError, match="the new rows have no column 'date'"):
        found.predict(new.reset_index(drop=True), model="mine")


def test_a_run_that_is_opened_again_is_quiet(tmp_path, monkeypatch, capsys):
    found = run(tmp_path / "run")
    monkeypatch.setattr(_progress, "wanted", lambda: True)
    assert pickle.loads(pickle.dumps(found)).cells[1] == 0
    assert capsys.readouterr().err == ""


# Samplers and weights


def test_samplers_without_scikit_learn(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    spec = importlib.util.spec_from_file_location("tailrank._bare_samplers", _samplers.__file__)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    one = module.SMOTER(k=3)
    assert one.get_params() == one.get_params(deep=False) and one.get_params()["k"] == 3 and "threshold" in one.get_params()
    assert one.set_params(k=4, threshold=0.7) is one and (one.k, one.threshold) == (4, 0.7)
    rows, targets = module.UnderSampler(random_state=1, relevance=PHI).fit_resample(X, Y)
    assert len(rows) == len(targets) < N


def test_samplers_say_what_they_take():
    for sampler in (tr.UnderSampler, tr.SMOTER):
        assert sampler().__sklearn_tags__().input_tags.sparse is True
    fitted = tr.SMOTER().fit(FRAME)
    assert fitted.feature_names_in_.dtype == object
    assert not hasattr(tr.SMOTER().fit(FRAME.set_axis(["a", "b", 2], axis=1)), "feature_names_in_")
    for relevance in (None, "boxplot"):
        few = tr.SMOTER(relevance=relevance)
        with pytest.warns(UserWarning, match="the rows are returned as they are"):
            same, _ = few.fit_resample(X, np.zeros(N))
        assert np.array_equal(few.parents_, np.column_stack([np.arange(N)] * 2)) and np.array_equal(same, X)
    with pytest.raises(tr.TailrankError, match="'smote' gives no weights; use phi, dense or lds"):
        tr.weights(Y, "smote", k=2)


def test_categories_among_the_inputs():
    words = FRAME[["a"]].assign(word=pandas.Series(["u", None] * (N // 2), dtype=object), flag=[True, False] * (N // 2))
    new, _ = tr.SMOTER(k=2, random_state=1, relevance=PHI).fit_resample(words, Y)
    assert set(new["word"]) == {"u", None} and set(new["flag"]) <= {True, False} and new["flag"].dtype == bool
    for wrong in (["c"], [7], "c"):
        with pytest.raises(tr.TailrankError, match="categorical: there is no column"):
            tr.SMOTER(categorical=wrong).fit_resample(words, Y)
    _, targets = tr.SMOTER(k=2, random_state=1, relevance=PHI).fit_resample(X, pandas.Series(np.round(Y).astype(int), name="t"))
    assert targets.dtype == np.int64 and targets.name == "t"
    _, again = tr.SMOTER(k=2, random_state=1, relevance=PHI).fit_resample(X, pandas.DataFrame({"t": Y}, index=DAYS))
    assert isinstance(again.index, pandas.DatetimeIndex)
    _, column = tr.SMOTER(k=2, random_state=1, relevance=PHI).fit_resample(X, Y[:, None])
    assert column.shape[1:] == (1,)


# Progress


def test_a_bar_is_drawn_step_by_step(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(_progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr("shutil.get_terminal_size", lambda *default: os.terminal_size((60, 24)))
    stream = io.StringIO()
    bar = _progress.Bar(stream)
    bar("started", "early")
    bar.close()
    assert stream.getvalue() == "", "nothing is known yet"
    bar("planned", 4, 1)
    bar("started", "one")
    now[0] = 10.0
    bar("ended", "early", 0, None)
    bar("ended", "one", 2, "no")
    bar("ended", "two", 0, None)
    bar.close()
    bar.close()
    lines = stream.getvalue().split("\r")
    shown = [line.rstrip(" ") if line[-1:] != "\n" else line[:-1].rstrip(" ") + "\n" for line in lines]
    assert shown == [
        "",
        "[█████               ] 1/4 cells · early",
        "[█████               ] 1/4 cells · one",
        "[██████████          ] 2/4 cells, about 20 s left · one",
        "one: 2 failed: no\n",
        "[███████████████     ] 3/4 cells, about 5 s left",
        "[████████████████████] 4/4 cells\n",
    ]
    # A shorter line covers a longer one; what stays is covered by none.
    assert [len(line) for line in lines[4:7]] == [len(lines[3]) + 1, len(shown[5]), len(shown[5]) + 1]


@pytest.mark.parametrize("columns, widest", [(31, 30), (20, 20), (21, 20), (22, 21)])
def test_a_line_never_wraps(columns, widest, monkeypatch):
    monkeypatch.setattr("shutil.get_terminal_size", lambda *default: os.terminal_size((columns, 24)))
    stream = io.StringIO()
    bar = _progress.Bar(stream)
    bar._line("x" * 100)
    assert stream.getvalue() == "\r" + "x" * (widest - 1) + "…"
    bar._line("y" * widest)
    assert stream.getvalue().endswith("\r" + "y" * widest)


def test_who_watches(monkeypatch):
    class Stream(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(_progress, "in_notebook", lambda: False)
    monkeypatch.setattr(_progress.sys, "stderr", Stream())
    assert _progress.wanted() is True
    bar, close = _progress.observer(None)
    assert type(bar) is _progress.Bar and close == bar.close
    monkeypatch.setattr(_progress.sys, "stderr", io.StringIO())
    assert _progress.wanted() is False
    monkeypatch.setattr(_progress, "in_notebook", lambda: True)
    assert _progress.wanted() is True


def test_arrays_that_are_too_many_and_settings_without_a_hash():
    for call, arrays in ((lambda: tr.mad(Y, Y, PHI), 2), (lambda: tr.f(Y, Y, PHI, 1.0), 3)):
        with pytest.raises(TypeError, match=f"takes {arrays} arrays; give settings by their names"):
            call()
    assert tr.f(Y, Y, relevance=PHI, t_l=1.0) == tr.f(Y, Y, PHI, t_l=1.0) > 0.99
    with pytest.raises(tr.TailrankError, match=r"\[1.0\] is not a number"):
        tr.f(Y, Y, PHI, t_l=[1.0])


def test_a_scorer_needs_scikit_learn(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.metrics", None)
    with pytest.raises(tr.TailrankError, match="a scorer is for scikit-learn, which is not installed: pip install scikit-learn"):
        tr.scorer("mad")


def test_several_fits_are_no_estimator(tmp_path):
    found = run(tmp_path / "run", learn={"resample": "bag"}, relevance=PHI)
    label = found.scores["model"][0]
    with pytest.raises(tr.TailrankError, match=r"'mine · bag.*' is made of several fits; use run.predict\(new, model='mine · bag"):
        found.best_estimator(model=label)
    assert run(tmp_path / "plain").best_estimator(model="mine").mean_ == pytest.approx(Y.mean())


def test_times_do_not_depend_on_where_they_are_read(monkeypatch):
    noon = datetime.datetime(2020, 1, 1, 12)
    zoned = noon.replace(tzinfo=datetime.timezone(datetime.timedelta(hours=2)))
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert _arrays.times([noon]).tolist() == [noon] and _arrays.times([zoned, zoned]).tolist() == [noon.replace(hour=10)] * 2
            assert _arrays.times(["2020-01-01T12:00:00Z"]).tolist() == [noon] == _arrays.times(["2020-01-01 12:00"]).tolist()
    finally:
        monkeypatch.undo()
        time.tzset()
