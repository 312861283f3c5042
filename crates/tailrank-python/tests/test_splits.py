"""Splitters both ways: tailrank's in scikit-learn, scikit-learn's and own rows in experiments."""

import numpy as np
import pytest

import tailrank as tr

pandas = pytest.importorskip("pandas")
pytest.importorskip("sklearn")

from sklearn.linear_model import Ridge  # noqa: E402
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, RepeatedKFold, ShuffleSplit, TimeSeriesSplit, cross_val_predict, cross_val_score  # noqa: E402

OFF = {"inference": {"enabled": False}}
N = 60
RNG = np.random.default_rng(3)
X = RNG.normal(size=(N, 2))
Y = X @ [1.0, -2.0] + np.where(np.arange(N) % 9 == 0, 12.0, 0.0) + RNG.normal(size=N)
FRAME = pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": Y})
OURS = [tr.KFold(5), tr.KFold(3, repeats=2), tr.KFold(4, shuffle=False), tr.KFold(4, stratify="relevance"), tr.Holdout(0.6), tr.SlidingWindow(30, 7), tr.GrowingWindow(30, 10), tr.Bootstrap(4)]


def test_a_window_that_holds_all_rows_never_moves():
    for splits in (tr.SlidingWindow(N, 5), tr.GrowingWindow(N + 5, 5), tr.GrowingWindow(N + 9, 5)):
        assert splits.get_n_splits(X) == 0


def rows_of(run):
    found = run.predictions
    return {split: sorted(part["row"].tolist()) for split, part in found.groupby("split")}


@pytest.mark.parametrize("splits", OURS, ids=repr)
def test_ours_draw_for_scikit_learn_what_an_experiment_draws(splits, tmp_path):
    pairs = list(splits.split(X, Y))
    assert len(pairs) == splits.get_n_splits(X)
    for train, test in pairs:
        assert not set(train) & set(test) and max(max(train), max(test)) < N
    exp = tr.Experiment(data=FRAME, target="y", splits=splits, sections=OFF).add("linear")
    run = exp.run(tmp_path / "run", progress=False)
    assert rows_of(run) == {i + 1: sorted(test.tolist()) for i, (_, test) in enumerate(pairs)}
    if splits["kind"] != "bootstrap":
        scores = cross_val_score(Ridge(), X, Y, cv=splits, scoring=tr.scorer("mad"))
        assert scores.shape == (len(pairs),) and np.isfinite(scores).all() and (scores < 0).all()


def test_ours_in_searches_and_predictions():
    search = GridSearchCV(Ridge(), {"alpha": [0.1, 100.0]}, cv=tr.KFold(np.int64(4)), scoring=tr.scorer("rmse")).fit(X, Y)
    assert search.n_splits_ == 4
    assert cross_val_predict(Ridge(), X, Y, cv=tr.KFold(5)).shape == Y.shape  # pyright: ignore[reportAttributeAccessIssue]
    days = pandas.date_range("2020-01-01", periods=N)
    train, test = next(tr.DateSplit("2020-02-01").split(pandas.DataFrame(X, index=days)))
    assert train.tolist() == list(range(31)) and test.tolist() == list(range(31, N))
    train, test = next(tr.DateSplit(days[40], validation_at=days[30]).split(FRAME.assign(when=days)))
    assert train.tolist() == list(range(30)) and test.tolist() == list(range(40, N))
    with pytest.raises(tr.TailrankError, match="rows with dates"):
        next(tr.DateSplit("2020-02-01").split(X))
    with pytest.raises(tr.TailrankError, match="give y"):
        next(tr.KFold(3, stratify="relevance").split(X))
    with pytest.raises(tr.TailrankError, match="is no date such as"):
        tr.DateSplit("1.2.2020")


def index_pairs():
    for splitter in (KFold(5), KFold(4, shuffle=True, random_state=1), TimeSeriesSplit(5), RepeatedKFold(n_splits=3, n_repeats=2, random_state=0), ShuffleSplit(3, random_state=2)):
        yield repr(splitter)[:30], splitter, list(splitter.split(X))
    pairs = [(np.arange(40), np.arange(40, 50)), (np.arange(50), np.arange(50, 60))]
    yield "pairs", pairs, pairs
    yield "generator", (pair for pair in pairs), pairs
    masks = [(np.arange(N) < 40, np.arange(N) >= 40)]
    yield "masks", masks, [(np.arange(40), np.arange(40, N))]
    yield "from the end", [(range(40), [-1, -2])], [(np.arange(40), np.array([58, 59]))]


@pytest.mark.parametrize("name, splits, pairs", list(index_pairs()), ids=lambda v: v if isinstance(v, str) else "")
def test_theirs_and_own_rows_in_experiments(name, splits, pairs, tailrank, tmp_path):
    exp = tr.Experiment(data=FRAME, target="y", splits=splits, sections=OFF).add("linear").add(Ridge(), name="ridge")
    run = exp.run(tmp_path / "run", progress=False)
    assert not run.failures
    assert rows_of(run) == {i + 1: sorted(test.tolist()) for i, (_, test) in enumerate(pairs)}
    found = run.predictions
    for i, (train, test) in enumerate(pairs):
        test = np.sort(test)
        outside = Ridge().fit(FRAME[["a", "b"]].iloc[np.sort(train)], Y[np.sort(train)]).predict(FRAME[["a", "b"]].iloc[test])
        assert np.allclose(found[found["split"] == i + 1]["ridge"], outside, rtol=0, atol=1e-12)
    # The file says it, too: the command line draws the same rows.
    alone = tr.Experiment(data=FRAME, target="y", splits=pairs, sections=OFF).add("linear")
    alone.run(tmp_path / "other", progress=False)
    done = tailrank("run", tmp_path / "other-inputs" / "experiment.toml", "--out", tmp_path / "other", "--no-report", "--json")
    assert '"fitted": 0' in done.stdout


def test_rows_follow_the_frame_where_time_puts_them_in_another_order(tmp_path):
    order = RNG.permutation(N)
    days = pandas.date_range("2020-01-01", periods=N, name="when")
    frame = FRAME.set_axis(days, axis=0).iloc[order]
    pairs = [(np.flatnonzero(order < 40), np.flatnonzero(order >= 40))]
    run = tr.Experiment(data=frame, target="y", splits=pairs, sections=OFF).add("linear").run(tmp_path / "run", progress=False)
    found = run.predictions
    assert sorted(found["row"]) == sorted(pairs[0][1].tolist())
    assert np.array_equal(found["y"], frame["y"].to_numpy()[found["row"]])
    assert found["date"].dtype == days.dtype and np.array_equal(found["date"], frame.index[found["row"]])
    assert found["date"].is_monotonic_increasing


def test_several_tables_have_splits_of_their_own(tmp_path):
    alone = tr.Experiment(data=FRAME, target="y", splits=TimeSeriesSplit(3)).text
    assert '[split]\nkind = "rows"' in alone and "[tasks" not in alone, "rows of one table stand where a split does"
    data = {"all": FRAME, "half": FRAME.iloc[:30]}
    run = tr.Experiment(data=data, target="y", splits=TimeSeriesSplit(3), sections=OFF).add("linear").run(tmp_path / "run", progress=False)
    found = run.predictions
    for name, frame in data.items():
        tested = np.concatenate([test for _, test in TimeSeriesSplit(3).split(frame)])
        assert sorted(found[found["task"] == name]["row"]) == sorted(tested.tolist())


def test_rows_are_named_as_files_name_them():
    from tailrank._splits import _rows

    assert _rows([59, 3, 4, 5, -60], N) == "1, 4-6, 60" and _rows(np.arange(N) > 57, N) == "59-60"


def test_wrong_splits_are_refused():
    def planned(splits):
        return tr.Experiment(data=FRAME, target="y", splits=splits).add("linear").check

    for splits, said in [
        (3, "a splitter of scikit-learn, or pairs"),
        ([(np.arange(10),)], "a splitter of scikit-learn, or pairs"),
        ([(np.arange(10), np.array([], dtype=int))], "leaves neither empty"),
        ([(np.arange(10), np.array([60]))], "names row 60, but rows are numbered 0 to 59"),
        ([(np.arange(10), np.array([20, -61]))], "names row -61, but rows are numbered 0 to 59"),
        ([(np.arange(10), np.array([0.5]))], "by their places"),
        (GroupKFold(3), "cannot draw its splits|groups"),
    ]:
        with pytest.raises((tr.TailrankError, ValueError), match=said):
            planned(splits)
    with pytest.raises(tr.TailrankError, match="both trains and tests row 6"):
        planned([(np.arange(10), np.arange(5, 15))])()
    with pytest.raises(tr.TailrankError, match="rows of bundled data are known to tailrank alone"):
        tr.Experiment(data=["KO"], splits=TimeSeriesSplit(3))
    # Groups are drawn outside.
    pairs = list(GroupKFold(3).split(X, Y, groups=np.arange(N) // 10))
    assert planned(pairs)().tasks == [("data", N, 3)]
