"""Measures and relevance: the papers' tables, and every bit of the command line's."""

import gc
import json
import os
import pickle
import subprocess
import sys
import textwrap
import time
import tracemalloc
import warnings

import numpy as np
import pytest
from conftest import write_csv

import tailrank as tr

Y = np.array([-5.29, -2.65, -2.43, -0.20, -0.03, 0.03, 0.51, 1.46, 2.53, 2.94])
M1 = np.array([-4.40, -2.06, -2.20, 0.10, -0.23, -0.27, 0.97, 2.00, 1.86, 2.15])
M2 = np.array([-5.09, -2.95, -2.89, 0.69, -0.82, 0.70, -0.08, 0.92, 2.83, 3.17])
PHI = tr.Relevance.sigmoid(low=-2.0, high=2.0)


def two(values):
    return " ".join(f"{v:.2f}" for v in values)


def test_pr09_table_1():
    for model in (M1, M2):
        assert abs(tr.mad(Y, model) - 0.497) < 1e-15
        assert abs(tr.mse(Y, model) - 0.29893) < 1e-15


def test_pr09_table_3():
    everywhere = tr.Relevance.indicator([(-np.inf, np.inf)])
    # Where every value is fully relevant, the recall of a single case is its accuracy α.
    alpha = lambda model: [tr.recall([y], [p], everywhere, t_l=0.5) for y, p in zip(Y, model)]  # noqa: E731
    assert two(PHI(Y)) == "1.00 1.00 0.98 0.00 0.00 0.00 0.00 0.01 0.99 1.00"
    assert two(PHI(M1)) == "1.00 0.63 0.86 0.00 0.00 0.00 0.00 0.50 0.22 0.80"
    assert two(abs(M1 - Y)) == "0.89 0.59 0.23 0.30 0.20 0.30 0.46 0.54 0.67 0.79"
    assert two(alpha(M1)) == "0.00 0.00 0.90 0.72 0.94 0.72 0.05 0.00 0.00 0.00"
    assert two(PHI(M2)) == "1.00 1.00 1.00 0.00 0.00 0.00 0.00 0.00 1.00 1.00"
    assert two(alpha(M2)) == "0.94 0.72 0.05 0.00 0.00 0.00 0.00 0.00 0.72 0.90"
    recall = [tr.recall(Y, m, PHI, t_l=0.5, t_e=0.75) for m in (M1, M2)]
    precision = [tr.precision(Y, m, PHI, t_l=0.5, t_e=0.75) for m in (M1, M2)]
    assert [f"{v:.3f}" for v in recall] == ["0.178", "0.670"]
    assert [f"{v:.4f}" for v in precision] == ["0.2928", f"{precision[1]:.4f}"] and f"{precision[1]:.3f}" == "0.668"
    counts = tr.event_counts(Y, M1, PHI, t_l=0.5, t_e=0.75)
    assert (counts["events"], counts["signals"], counts["hits"]) == (5, 3, 1)


RELEVANCE = [
    ("sigmoid", lambda y: tr.Relevance.sigmoid(-1.5, 2.0)),
    ("pchip", lambda y: tr.Relevance.pchip([(-2.0, 1.0), (0.0, 0.0), (2.5, 1.0)], slopes=[0.0, 0.0, 0.0])),
    ("boxplot", lambda y: tr.Relevance.boxplot(y)),
    ("extremes", lambda y: tr.Relevance.extremes(y)),
    ("table", lambda y: tr.Relevance.table([(-3.0, 1.0), (0.0, 0.0), (3.0, 0.9)])),
    ("indicator", lambda y: tr.Relevance.indicator([(-np.inf, -2.0), (2.0, np.inf)])),
]


def section(phi, kind):
    """``[relevance]`` of an experiment file, from the function's own parts or left to the box plot of the data."""
    if kind == "boxplot":
        return 'kind = "sigmoid"'
    if kind == "extremes":
        return 'kind = "pchip"'
    kind, parts = phi.parts()
    if kind == "sigmoid":
        return f'kind = "sigmoid"\nlow = {parts[0]!r}\nhigh = {parts[1]!r}\nk = {parts[2]!r}\ndelta = {parts[3]!r}'
    if kind == "pchip":
        return f'kind = "pchip"\npoints = {[[*p, s] for p, s in zip(*parts)]!r}'
    if kind == "table":
        return f'kind = "table"\npoints = {[list(p) for p in parts[0]]!r}'
    return f'kind = "indicator"\nranges = {[list(p) for p in parts[0]]!r}'


SETTINGS = """
name = "bits"
data.series = ["KO"]
split = {{ kind = "fraction", train = 0.5 }}
models = [{{ family = "linear" }}]
inference.enabled = false
trading = {{ threshold = {threshold!r}, cost = 0.001 }}

[relevance]
{relevance}
event_threshold = {t_e!r}

[measures]
list = {ids}
t_l = {t_l!r}
beta = {beta!r}
alpha = "{alpha}"
utility = {{ p = {p!r} }}
loss = {{ over = 1.5, under = 0.75 }}
linex = {{ shape = 0.5, scale = 2.0 }}
"""


def test_every_measure_equals_the_command_line_to_the_bit(tailrank, tmp_path):
    compared, undefined = {}, 0
    # A hundred data sets, five to a file, each file under settings of its own.
    for number in range(20):
        rng = np.random.default_rng(number)
        tasks = {}
        for task in range(5):
            n = int(rng.integers(5, 300))
            y = np.append(rng.standard_t(3, n - 2) * 1.5, [-6.0, 7.0])
            tasks[f"t{task}"] = y, {"near": y + rng.normal(0, 0.5, n), "far": rng.standard_t(3, n), "flat": rng.normal(0, 0.01, n)}
        kind, make = RELEVANCE[number % len(RELEVANCE)]
        given = {"t_l": float(rng.uniform(0.2, 2)), "t_e": float(rng.uniform(0.3, 0.9)), "beta": float(rng.uniform(0.3, 2))}
        given |= {"p": float(rng.uniform(0.2, 0.8)), "alpha": ["smooth", "linear", "indicator"][number % 3], "threshold": 1.0}
        phis = {task: make(y) for task, (y, _) in tasks.items()}
        cubic = phis["t0"].parts()[0] == "pchip"
        ids = [m["id"] for m in tr.list_measures() if cubic or not m["id"].startswith("uba")]
        csv, toml = tmp_path / "p.csv", tmp_path / "s.toml"
        columns = {"task": [task for task, (y, _) in tasks.items() for _ in y], "y": np.concatenate([y for y, _ in tasks.values()])}
        columns |= {name: np.concatenate([models[name] for _, models in tasks.values()]) for name in ("near", "far", "flat")}
        write_csv(csv, columns)
        toml.write_text(SETTINGS.format(relevance=section(phis["t0"], kind), ids=json.dumps(ids), **given))
        rows = json.loads(tailrank("score", csv, "--settings", toml, "--json").stdout)["scores"]
        assert len(rows) == 15
        more = {"over": 1.5, "under": 0.75, "shape": 0.5, "scale": 2.0, "cost": 0.001}
        for row in rows:
            y, models = tasks[row["task"]]
            for name in ids:
                taken = getattr(tr, name).__signature__.parameters
                options = {k: v for k, v in {**given, **more}.items() if k in taken}
                phi = [phis[row["task"]]] if "relevance" in taken else []
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", tr.UndefinedWarning)
                    value = getattr(tr, name)(y, models[row["model"]], *phi, **options)
                if row[name] is None:
                    assert np.isnan(value), (number, name)
                    undefined += 1
                else:
                    assert value == row[name], (number, name, value, row[name])
                    compared[name] = compared.get(name, 0) + 1
    assert set(compared) == {m["id"] for m in tr.list_measures()}, "a measure was never defined"
    assert min(compared.values()) >= 30 and undefined > 0, compared


def test_many_at_once_equal_one_by_one():
    together = tr.score(Y, M1, ["mad", "rmse", "f", "sera"], PHI, t_l=0.5)
    assert together == {"mad": tr.mad(Y, M1), "rmse": tr.rmse(Y, M1), "f": tr.f(Y, M1, PHI, t_l=0.5), "sera": tr.sera(Y, M1, PHI)}


WEIGHED = [m["id"] for m in tr.list_measures() if m["takes_weights"]]


@pytest.mark.filterwarnings("ignore::tailrank.UndefinedWarning")
@pytest.mark.parametrize("name", WEIGHED)
def test_a_weight_of_a_case_is_the_case_so_many_times(name):
    rng = np.random.default_rng(8)
    y = rng.standard_t(3, 200) * 1.5
    p = y + rng.normal(0, 1.0, 200)
    taken = getattr(tr, name).__signature__.parameters
    options = {k: v for k, v in {"relevance": PHI, "t_l": 1.0, "threshold": 0.5}.items() if k in taken}
    score = lambda *rows, **more: getattr(tr, name)(*rows, **options, **more)  # noqa: E731
    plain = score(y, p)
    assert np.isfinite(plain) and score(y, p, sample_weight=np.ones(200)) == plain
    times = rng.integers(0, 4, 200)
    weighted = score(y, p, sample_weight=times)
    assert weighted != plain and weighted == pytest.approx(score(np.repeat(y, times), np.repeat(p, times)), rel=1e-11)
    # All twice: sums are twice as large, means and shares as they were.
    assert score(y, p, sample_weight=np.full(200, 2.0)) == pytest.approx(plain * (2 if name in ("sera", "total_return") else 1), rel=1e-11)
    assert tr.score(y, p, [name], options.pop("relevance", None), sample_weight=times, **options) == {name: weighted}


def test_defaults_are_those_of_the_signatures():
    cubic = tr.Relevance.extremes(np.append(Y, [-9.0, 12.0]))
    for name in (m["id"] for m in tr.list_measures()):
        taken = getattr(tr, name).__signature__.parameters
        needed = {k: v for k, v in {"relevance": cubic if name.startswith("uba") else PHI, "t_l": 0.7, "threshold": 1.0}.items() if k in taken}
        said = {k: p.default for k, p in taken.items() if k not in needed and isinstance(p.default, (float, int, str)) and p.default == p.default}
        assert getattr(tr, name)(Y, M1, **needed) == getattr(tr, name)(Y, M1, **needed, **said), name
        together = {k: v for k, v in needed.items() if k != "relevance"}
        assert tr.score(Y, M1, [name], needed.get("relevance"), **together)[name] == getattr(tr, name)(Y, M1, **needed), name


def test_weights_are_those_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    w = np.random.default_rng(1).random(10)
    base = pytest.importorskip("sklearn.base")

    class Model(base.RegressorMixin, base.BaseEstimator):
        def predict(self, X):
            return M1

    for name, theirs in (("mse", metrics.mean_squared_error), ("mad", metrics.mean_absolute_error)):
        expected = theirs(Y, M1, sample_weight=w)
        assert getattr(tr, name)(Y, M1, sample_weight=w) == pytest.approx(expected, rel=1e-12)
        assert tr.scorer(name)(Model(), None, Y, sample_weight=w) == pytest.approx(-expected, rel=1e-12)
    assert 1 - tr.rse(Y, M1, sample_weight=w) == pytest.approx(metrics.r2_score(Y, M1, sample_weight=w), rel=1e-12)
    # Targets that are given have no weights.
    errors = [np.average((v - Y) ** 2, weights=w) for v in (M1, np.mean(M2))]
    assert tr.rse(Y, M1, y_train=M2, sample_weight=w) == pytest.approx(errors[0] / errors[1], rel=1e-12)


def test_weights_that_are_none_are_refused():
    for weights, said in [
        ([1.0] * 9, "sample_weight has 9 values, the true values have 10"),
        ([1.0] * 9 + [-1.0], "sample_weight: row 10 is missing, not finite or below 0"),
        ([np.inf] + [1.0] * 9, "sample_weight: row 1 is"),
        ([0.0] * 10, "sample_weight is 0 in every row"),
    ]:
        with pytest.raises(tr.TailrankError, match=said):
            tr.mad(Y, M1, sample_weight=weights)
    with pytest.raises(tr.TailrankError, match="pr_area takes no sample_weight"):
        tr.score(Y, M1, ["mad", "pr_area"], PHI, t_l=0.5, sample_weight=np.arange(10))
    others = {m["id"] for m in tr.list_measures()} - set(WEIGHED)
    assert {"pr_area", "uba_f"} < others and not any("sample_weight" in getattr(tr, name).__signature__.parameters for name in others)
    for call in (tr.compare, lambda y, p, **s: tr.Experiment(data=(y[:, None], y), **s)):
        with pytest.raises(TypeError, match="unexpected setting 'sample_weight'"):
            call(Y, {"a": M1}, sample_weight=np.ones(10))  # pyright: ignore[reportCallIssue]


def test_a_relevance_shows_itself_over_the_targets_it_was_made_from():
    for make in (tr.Relevance.boxplot, tr.Relevance.extremes):
        phi = make(np.append(Y, [-9.0, 12.0, 0.1, 0.2, -0.1]))
        shown = phi._repr_html_()
        assert shown.startswith('<div class="tailrank">') and shown.count("<svg") == 1 and "Histogram of 15 values" in shown
        assert "<svg" not in (alone := pickle.loads(pickle.dumps(phi)))._repr_html_() and alone == phi
    shown = PHI._repr_html_()
    assert "<svg" not in shown and "<p>Relevance(" in shown


def test_curves():
    x, share = tr.rec_curve(Y, M1)
    assert share[-1] == 1.0 and x[-1] == max(abs(M1 - Y)) and np.all(np.diff(share) > 0)
    # The area over the REC curve is the mean error.
    steps = np.diff(np.append(0.0, x)) @ (1 - np.append(0.0, share[:-1]))
    assert abs(steps - tr.mad(Y, M1)) < 1e-12
    t_e, precision, recall, area = tr.pr_curve(Y, M2, PHI, t_l=0.5)
    assert len(t_e) == len(precision) == len(recall) and area == tr.pr_area(Y, M2, PHI, t_l=0.5)
    thresholds = np.linspace(0, 1, 10_001)
    ser = tr.ser_curve(Y, M1, PHI, thresholds)
    assert abs((ser[1:] + ser[:-1]).sum() / 2 * 1e-4 - tr.sera(Y, M1, PHI)) < 1e-3


def test_event_curves_equal_scikit_learns():
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(5)
    y = random.standard_normal(300)
    p = np.round(0.5 * y + 0.7 * random.standard_normal(300), 1)
    phi = tr.Relevance.sigmoid(high=1.5)
    found = tr.event_curves(y, p, phi)
    fpr, tpr, thresholds = metrics.roc_curve(phi(y) >= 0.5, p, drop_intermediate=False)
    for ours, theirs in zip(found["roc"], (fpr, tpr, thresholds), strict=True):
        assert np.allclose(ours[1:], theirs[1:], rtol=0, atol=1e-12)
    assert abs(found["roc_area"] - metrics.roc_auc_score(phi(y) >= 0.5, p)) < 1e-12
    assert found["lift"][1][-1] == 1.0 and found["cost"][1][0] == found["cost"][1][-1] == 0.0
    with pytest.raises(tr.TailrankError, match="use low or high"):
        tr.event_curves(y, p, phi, side="up")  # pyright: ignore[reportArgumentType]
    with pytest.raises(tr.TailrankError, match="no low event"):
        tr.event_curves(y, p, phi, side="low")


@pytest.mark.parametrize("make", [m for _, m in RELEVANCE])
def test_relevance_is_copied_and_pickled_to_the_bit(make):
    phi = make(np.append(Y, [-9.0, 12.0, 0.1, 0.2, -0.1]))
    again = pickle.loads(pickle.dumps(phi))
    assert again == phi and repr(again) == repr(phi)
    grid = np.linspace(-10, 10, 999)
    assert np.array_equal(again(grid), phi(grid)) and phi(grid[3]) == phi(grid)[3]
    for low, high in phi.event_bounds(0.5):
        assert all(phi(v) >= 0.5 for v in (low, high) if np.isfinite(v))


def test_lists_series_and_frames_are_numbers():
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    expected = tr.f(Y, M1, PHI, t_l=0.5)
    index = list(range(90, 100))
    nullable = pandas.Series(Y, index=index).convert_dtypes()
    for y, p in [
        (Y.tolist(), M1.tolist()),
        (pandas.Series(Y, index=index), pandas.Series(M1, index=index)),
        (nullable, M1),
        (polars.Series("y", Y), polars.Series("p", M1)),
        (np.repeat(Y, 2)[::2], M1[::-1][::-1]),
        (Y.reshape(-1, 1), M1),
    ]:
        assert tr.f(y, p, PHI, t_l=0.5) == expected
    with pytest.raises(tr.TailrankError, match="the index of the predictions differs"):
        tr.mad(pandas.Series(Y), pandas.Series(M1, index=index))


def test_bad_input_is_told_in_the_command_lines_words():
    with pytest.raises(tr.TailrankError, match="10 .*9"):
        tr.mad(Y, M1[:-1])
    with pytest.raises(tr.TailrankError, match="row|value|finite|NaN"):
        tr.mad(Y, np.append(M1[:-1], np.nan))
    with pytest.raises(ValueError, match="not all numbers"):
        tr.mad(["a", "b"], [1, 2])
    with pytest.raises(tr.TailrankError, match="did you mean `precision`"):
        tr.score(Y, M1, ["precison"])
    with pytest.raises(tr.TailrankError, match="needs a relevance function"):
        tr.score(Y, M1, ["f"], t_l=0.5)
    with pytest.raises(TypeError, match="t_l: the largest error that still counts as good"):
        tr.f(Y, M1, PHI)  # pyright: ignore[reportCallIssue]
    with pytest.raises(TypeError, match="unexpected setting 'bata'"):
        tr.f(Y, M1, PHI, t_l=0.5, bata=2)  # pyright: ignore[reportCallIssue]
    with pytest.raises(tr.TailrankError, match="event_threshold: 3 must lie between 0 and 1"):
        tr.f(Y, M1, PHI, t_l=0.5, t_e=3)
    with pytest.raises(tr.TailrankError, match="delta must lie between 0 and 0.5"):
        tr.Relevance.sigmoid(1.0, delta=2.0)


def test_an_undefined_score_says_why():
    with pytest.warns(tr.UndefinedWarning, match="precision is undefined: no prediction reaches the event threshold"):
        assert np.isnan(tr.precision(Y, np.zeros(10), PHI, t_l=0.5))
    with pytest.warns(tr.UndefinedWarning):
        assert tr.precision(Y, np.zeros(10), PHI, t_l=0.5, undefined=0.0) == 0.0


def test_every_measure_is_documented():
    for info in tr.list_measures():
        function = getattr(tr, info["id"])
        assert info["formula"] in function.__doc__ and info["citation"] in function.__doc__
        assert info["id"] in tr.__all__


def test_contiguous_input_is_not_copied():
    n = 2_000_000
    y, p = np.zeros(n), np.ones(n)
    tr.mad(y, p)
    tracemalloc.start()
    tr.mad(y, p)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100_000, peak
    from tailrank._arrays import floats

    assert floats(y) is y


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs /proc")
def test_a_call_of_f_takes_no_room_for_its_rows():
    code = textwrap.dedent("""
        import re, sys
        import numpy as np
        import tailrank as tr

        y, p = np.random.default_rng(3).normal(0, 0.01, (2, 4_000_000))
        phi = tr.Relevance.sigmoid(-0.02, 0.02)
        tr.f(y[:1000], p[:1000], phi, t_l=0.005, undefined=0.0)
        peak = lambda: int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) / 1024
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")     # the peak starts anew
        before = peak()
        tr.f(y, p, phi, t_l=0.005)
        print(peak() - before)
    """)
    grown = float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
    # Each of the arrays has 32 MB.
    assert grown < 8, grown


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_a_thousand_calls_leak_no_memory():
    y, p = np.random.default_rng(1).normal(size=(2, 50_000))

    def calls(n):
        for _ in range(n):
            tr.f(y, p, PHI, t_l=0.5, undefined=0.0)
            tr.Relevance.boxplot(y)(p)
            tr.rec_curve(y, p)
            answer = tr.compare(y[:3000], {"a": p[:3000], "b": y[:3000] / 2}, relevance=PHI, t_l=0.5, inference={"enabled": False})
            _ = answer.scores, answer.json()
        gc.collect()

    calls(100)
    before = resident()
    calls(1000)
    # One array of these calls that is lost each time would be 400 MB.
    assert resident() - before < 20e6


def numpy_f(y, p, low, high, t_l, beta, k=0.5, delta=1e-4, alpha_k=8.0, t_e=0.5):
    """F in NumPy, as one would write it from the paper (PR09 eq. 4–5, 9–13)."""

    def phi(v):
        s = np.log(1 / delta - 1)
        below = 1 / (1 + np.exp(s / abs(low * k) * (v - low)))
        above = 1 / (1 + np.exp(-s / abs(high * k) * (v - high)))
        return np.maximum(below, above)

    phi_y, phi_p = phi(y), phi(p)
    loss = np.abs(p - y)
    alpha = np.where(loss <= t_l, 1 - np.exp(-alpha_k * (loss - t_l) ** 2 / t_l**2), 0.0)
    events, signals = phi_y >= t_e, phi_p >= t_e
    recall = (alpha * phi_y)[events].sum() / phi_y[events].sum()
    precision = (alpha * phi_p)[signals].sum() / phi_p[signals].sum()
    return (beta**2 + 1) * precision * recall / (beta**2 * precision + recall)


def test_f_of_a_million_rows_is_five_times_as_fast_as_numpy(capsys):
    rng = np.random.default_rng(3)
    y = rng.standard_t(3, 1_000_000) / 100
    p = y + rng.normal(0, 0.01, y.size)
    phi = tr.Relevance.sigmoid(-0.02, 0.02)

    def seconds(call):
        # Of this process alone: other work on the machine does not count.
        started = time.process_time()
        call()
        return time.process_time() - started

    ours, theirs = [], []
    with np.errstate(over="ignore"):
        expected = numpy_f(y, p, -0.02, 0.02, 0.005, 0.5)
        assert abs(tr.f(y, p, phi, t_l=0.005, beta=0.5) - expected) < 1e-9
        for _ in range(9):
            ours.append(seconds(lambda: tr.f(y, p, phi, t_l=0.005, beta=0.5)))
            theirs.append(seconds(lambda: numpy_f(y, p, -0.02, 0.02, 0.005, 0.5)))
    ratio = np.median(np.array(theirs) / np.array(ours))
    with capsys.disabled():
        print(f"\nF of 1,000,000 rows: {1e3 * np.median(ours):.1f} ms, NumPy {1e3 * np.median(theirs):.1f} ms, {ratio:.1f} times")
    # A wheel of the dev profile checks every sum of integers and is less optimised.
    # A dev build on a shared machine proves nothing by its time.
    if os.environ.get("TAILRANK_RELEASE"):
        assert ratio >= 5, (ours, theirs)


def test_episodes_are_those_of_the_hand_made_example():
    """The rows of the example in Rust, on the upper side; then the same turned round on the lower one."""
    rows = lambda text: np.array([3.0 if c == "x" else 0.0 for c in text])
    y, p = rows("..xx.x...xx......x.."), rows("x.....x.x.x..xx....x")
    for sign in (1.0, -1.0):
        phi = tr.Relevance.sigmoid(low=-2.0, high=2.0)
        found = tr.episodes(sign * y, sign * p, phi, gap=2, lead=2, cooldown=2)
        assert (found["episodes"], found["caught"], found["alarms"], found["false_alarms"]) == (3, 2, 4, 2)
        assert found["lead_times"].tolist() == [2, 1] and found["median_lead"] == 1.5
        assert found["false_alarms_per_1000"] == 100.0
        assert tr.episodes(sign * y, sign * p, phi, gap=2, lead=4, cooldown=2)["caught"] == 3
        assert tr.episodes(sign * y, -sign * p, phi, gap=2)["caught"] == 0  # a signal of the other side catches nothing
    assert tr.episodes(y, 0 * p, phi)["median_lead"] is None
    for wrong in ({"gap": -1}, {"lead": 1.5}, {"cooldown": "two"}):
        with pytest.raises(tr.TailrankError, match=f"{next(iter(wrong))} is a whole number of rows"):
            tr.episodes(y, p, phi, **wrong)  # pyright: ignore[reportArgumentType]
    with pytest.raises(tr.TailrankError, match="event_threshold: 1.5 must lie between 0 and 1"):
        tr.episodes(y, p, phi, t_e=1.5)
    with pytest.raises(tr.TailrankError, match="truth has 20 rows but predictions has 19"):
        tr.episodes(y, p[:-1], phi)
