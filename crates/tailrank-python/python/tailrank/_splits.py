"""How rows are divided into training and test: what experiment files call ``[split]``, and splitters of scikit-learn besides."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _tailrank
from ._arrays import floats, times
from ._frames import columns_of, frame, length
from ._tailrank import Relevance, TailrankError


class _Split(dict[str, Any]):
    """Settings of a split, as a dictionary; ``cv=`` of scikit-learn takes it, too."""

    def __init__(self, **settings: Any) -> None:
        super().__init__({n: v.item() if isinstance(v, np.generic) else v for n, v in settings.items() if v is not None})

    def __repr__(self) -> str:
        inside = ", ".join(f"{k}={v!r}" for k, v in self.items() if k != "kind")
        return f"{type(self).__name__}({inside})"

    def split(self, X: Any, y: Any = None, groups: Any = None, *, seed: int = 1) -> Any:
        """Training and test rows of every split, as an experiment with this ``seed`` draws them for a table."""
        relevance = targets = None
        if self.get("stratify") is not None:
            if y is None:
                raise TailrankError("stratify looks at the targets; give y")
            targets = floats(y, "the targets")
            relevance = Relevance.boxplot(targets)
        yield from _tailrank.draw_splits(length(X), json.dumps(self), seed, relevance, targets)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """How many splits there are."""
        if self["kind"] in ("sliding", "growing"):
            if X is None:
                raise TailrankError("how often a window moves depends on the rows; give X")
            return -(-max(0, length(X) - self["window"]) // self["step"])
        return self.get("repeats", 1) * self.get("folds", 1)


class KFold(_Split):
    """Cross-validation with ``folds`` folds, ``repeats`` times; ``stratify="relevance"`` keeps the share of events alike in all folds."""

    def __init__(self, folds: int = 10, *, repeats: int = 1, shuffle: bool | None = None, stratify: str | None = None) -> None:
        super().__init__(kind="kfold", folds=folds, repeats=repeats, shuffle=shuffle, stratify=stratify)


class DateSplit(_Split):
    """Train before the day ``at``, test from it on; from ``validation_at`` on models are chosen."""

    def __init__(self, at: str, *, validation_at: str | None = None) -> None:
        super().__init__(kind="date", at=_day(at), validation_at=validation_at and _day(validation_at))

    def split(self, X: Any, y: Any = None, groups: Any = None, *, seed: int = 1) -> Any:
        """Training and test rows, by the index of X or its only column of dates."""
        found = dates_of(X)
        if found is None:
            raise TailrankError("a split by date needs rows with dates: a DatetimeIndex, or one column of dates")
        known = found < np.datetime64(self.get("validation_at", self["at"]))
        yield np.flatnonzero(known), np.flatnonzero(found >= np.datetime64(self["at"]))


class Holdout(_Split):
    """Train on the first share of the rows, test on the last; ``validation`` is a share between them that models are chosen by."""

    def __init__(self, train: float = 0.7, *, validation: float | None = None) -> None:
        super().__init__(kind="fraction", train=float(train), validation=validation)


class SlidingWindow(_Split):
    """Train on ``window`` rows, test on the next ``step``, and move on."""

    def __init__(self, window: int, step: int) -> None:
        super().__init__(kind="sliding", window=window, step=step)


class GrowingWindow(_Split):
    """Train on all rows so far, at first ``window``, test on the next ``step``, and move on."""

    def __init__(self, window: int, step: int) -> None:
        super().__init__(kind="growing", window=window, step=step)


class Bootstrap(_Split):
    """Train on a bootstrap sample, test on the rows left out, ``repeats`` times."""

    def __init__(self, repeats: int = 10) -> None:
        super().__init__(kind="bootstrap", repeats=repeats)


def _day(at: Any) -> str:
    return str(times([at], "a day").astype("datetime64[D]")[0])


def dates_of(X: Any) -> np.ndarray[Any, Any] | None:
    """When rows were: the index of pandas where it holds times, or the only column that does."""
    index: Any = getattr(X, "index", None)
    if hasattr(index, "to_series") and str(index.dtype).startswith(("datetime", "period")):
        return times(index, "the index")
    if not hasattr(X, "columns"):
        return None
    dated = [c for c in columns_of(X) if c.kind == "time"]
    return times(dated[0].native, f"column '{dated[0].name}'") if len(dated) == 1 else None


def named_rows(splits: Any, columns: Any, target: str) -> dict[str, Any]:
    """``[split]`` of a splitter of scikit-learn or of pairs of training and test rows, for the rows of one table."""
    if hasattr(splits, "split"):
        inputs = frame({c.name: c.values for c in columns if c.name != target}, None)
        y = next(c.values for c in columns if c.name == target)
        try:
            splits = list(splits.split(inputs, y))
        except (TypeError, ValueError) as problem:
            raise TailrankError(
                f"{splits!r} cannot draw its splits: {problem}; where it needs groups, give pairs of rows: list(splitter.split(X, y, groups))"
            ) from None
    n = len(columns[0].values)
    try:
        rows = [{"train": _rows(train, n), "test": _rows(test, n)} for train, test in splits]
    except (TypeError, ValueError) as problem:
        if isinstance(problem, TailrankError):
            raise
        raise TailrankError(
            "splits: give tailrank.KFold and its like, a splitter of scikit-learn, or pairs of training and test rows as a list"
        ) from None
    return {"kind": "rows", "rows": rows}


def _rows(given: Any, n: int) -> str:
    """Rows from 0, or a mask, as an experiment file names them: ``1-300, 305``."""
    array = np.asarray(given)
    if array.dtype == bool and array.shape == (n,):
        array = np.flatnonzero(array)
    if array.ndim != 1 or array.dtype.kind not in "iu" or array.size == 0:
        raise TailrankError("a split names training and test rows by their places, from 0, or by masks, and leaves neither empty")
    wrong = array[(array < -n) | (array >= n)]
    if wrong.size:
        raise TailrankError(f"a split names row {wrong[0]}, but rows are numbered 0 to {n - 1}")
    array = np.sort(np.where(array < 0, array + n, array)) + 1
    runs = np.split(array, np.flatnonzero(np.diff(array) != 1) + 1)
    return ", ".join(str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in runs)
