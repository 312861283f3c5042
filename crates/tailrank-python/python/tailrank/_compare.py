"""Which of several models to take: predictions made anywhere, scored and compared."""

from __future__ import annotations

import json
import warnings
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from . import _frames, _tailrank
from ._arrays import floats, listed, same_index, vector
from ._arrays import times as _times
from ._measures import OF_ROWS, SETTINGS, _known, as_json, default_measures, relevance_of
from ._splits import dates_of
from ._tables import Tables
from ._tailrank import Relevance, TailrankError

# Columns that name rows and are no model, as for `tailrank score`.
_NO_MODEL = {"date", "time", "row", "id", "task"}


class Answer(Tables):
    """What a comparison found: in a notebook the decision with tables and figures, in a terminal the text of ``tailrank score``.

    ``scores``, ``ranks``, ``tests`` and ``table(name)`` are data frames of the kind that came in; ``tables`` names them all.
    """

    def __init__(self, native: Any, kind: Any, call: Any, arguments: Any) -> None:
        self._native = native
        self._kind = kind
        self._call = call
        self._arguments = arguments

    def __reduce__(self) -> Any:
        # The same numbers under the same settings give the same answer.
        return _answer, (self._native.tasks(), self._arguments, self._kind, self._call)

    @property
    def warnings(self) -> list[str]:
        """What a user should know, though nothing is wrong."""
        return self._native.warnings

    def save(self, path: str | PathLike[str], title: str | None = None) -> Path:
        """Writes the page of ``tailrank score --single-file``: one HTML file with figures, tables and sliders that can be mailed.

        It is called as the file is unless a ``title`` is given. Returns the path.
        """
        file = Path(path)
        self._native.write_page(file, title or file.stem, f"{self._call}.save({file.name!r})")
        return file


def compare(
    y_true: Any,
    predictions: Any,
    *,
    relevance: Any = None,
    extremes: str = "both",
    measures: Any = None,
    times: Any = None,
    horizon: int | None = None,
    task: Any = None,
    inference: dict[str, Any] | None = None,
    **settings: Any,
) -> Answer:
    """Scores the predictions of several models for the same cases and says which to take, by which measure, and how sure that is.

    Arguments:
        y_true: true values, or the name of their column in ``predictions``
        predictions: a dictionary, data frame or array with one column per model
        relevance: φ, a ``Relevance``; from the box plot of the true values unless given, for the ``extremes`` "low", "high" or "both"
        measures: ids (``list_measures``); by default mad, rmse and sera, and with ``t_l`` also precision, recall, f and utility
        times: when each case was; rows are put in this order, and where these are dates the page says how much happens a year. Taken from
            a DatetimeIndex or a column ``date`` or ``time`` of dates unless given; text must be ISO dates (2024-02-29)
        horizon: rows are in the order of time and predictions look so many steps ahead, so that intervals are drawn in blocks and
            chance by shifts; 1 where ``times`` are given
        task: the name of each row's task, where there are several
        inference: settings of ``[inference]``, such as ``{"resamples": 2000}`` or ``{"enabled": False}``
        settings: those of the measures: ``t_l``, ``t_e``, ``beta``, ``alpha``, ``p`` …

    The answer is that of ``tailrank score`` to the last bit.

    >>> import numpy as np, tailrank as tr
    >>> rng = np.random.default_rng(1)
    >>> y = rng.standard_t(3, 500) / 100
    >>> answer = tr.compare(y, {"half": y / 2, "noisy": y + rng.normal(0, 0.01, 500)},
    ...                     relevance=tr.Relevance.sigmoid(-0.02, 0.02), t_l=0.005)
    >>> answer.verdict.startswith(("USE", "NO MODEL"))
    True
    """
    _known(settings, [s for s in SETTINGS if s not in OF_ROWS])
    kind = _frames.kind_of(predictions, y_true)
    given = {"relevance": relevance, "extremes": extremes, "measures": measures, "horizon": horizon, **settings}
    target, y_true, columns, tasks, dated = _columns(y_true, predictions, task)
    # The core takes it from the box plot of each task.
    relevance = None if isinstance(relevance, str) and relevance == "boxplot" else relevance_of(relevance, y_true)
    y = floats(y_true, "the true values")
    models = []
    for name, values in columns:
        same_index(y_true, values, f"'{name}'")
        models.append((name, floats(values, f"the predictions of '{name}'")))
    order = days = None
    if times is not None or dated is not None:
        when = _times(times) if times is not None else dated
        if len(when) != len(y):
            raise TailrankError(f"times: {len(when)} times for {len(y)} cases")
        order = np.argsort(when, kind="stable")
        days = np.datetime_as_string(when[order], unit="D") if when.dtype.kind == "M" else None
        horizon = 1 if horizon is None else horizon
        y = y[order]
        # A model of another length is told of by its name.
        models = [(name, p[order] if len(p) == len(order) else p) for name, p in models]
    parts = [("", y, models, None if days is None else days.tolist())]
    if tasks is not None:
        if len(tasks) != len(y):
            raise TailrankError(f"task has {len(tasks)} rows, the true values have {len(y)}")
        names = tasks if order is None else tasks[order]
        parts = []
        for name in dict.fromkeys(names.tolist()):
            rows = names == name
            of_task = None if days is None else days[rows].tolist()
            parts.append((name, y[rows], [(m, p[rows]) for m, p in models if len(p) == len(y)], of_task))
    section, trading = as_json(settings)
    measures = default_measures(settings) if measures is None else listed(measures)
    arguments = (target, measures, relevance, extremes, settings.get("t_e", 0.5), section, json.dumps(inference or {}), trading, horizon)
    answer = _answer(parts, arguments, kind, _call(given, order is not None, tasks is not None))
    for warning in answer.warnings:
        warnings.warn(warning, stacklevel=2)
    return answer


def _answer(parts: Any, arguments: Any, kind: Any, call: Any) -> Answer:
    return Answer(_tailrank.compare(parts, *arguments), kind, call, arguments)


def _call(given: Any, has_times: Any, has_tasks: Any) -> str:
    """The call in words, for the page: what data were called is not known."""
    words = ["y", "predictions"]
    for name, value in given.items():
        if value is None or (name == "extremes" and value == "both"):
            continue
        if isinstance(value, Relevance):
            kind, parts = value.parts()
            named = zip(("low", "high", "k", "delta"), parts) if kind == "sigmoid" else ()
            shown = ", ".join(f"{n}={v!r}" for n, v in named if v is not None)
            value = f"tailrank.Relevance.sigmoid({shown})" if kind == "sigmoid" else "relevance"
        else:
            value = repr(value)
        words.append(f"{name}={value}")
    words += ["times=times"] * has_times + ["task=task"] * has_tasks
    return f"tailrank.compare({', '.join(words)})"


def _columns(y_true: Any, predictions: Any, task: Any) -> Any:
    """The target's name, true values, the models' columns, the tasks of rows, and when rows were if that is known."""
    own = _frames.named_columns(predictions)
    if own is None:
        table = np.asarray(predictions)
        if table.ndim != 2:
            raise TailrankError("predictions are a dictionary, a data frame or an array with one column for each model")
        own = {f"model {j + 1}": (j, table[:, j]) for j in range(table.shape[1])}
    columns = {name: values for name, (_, values) in own.items()}

    def named(given: Any) -> Any:
        """A column by its name, which may be a number."""
        if isinstance(given, str) or (np.isscalar(given) and not isinstance(predictions, dict)):
            if str(given) not in columns:
                raise TailrankError(f"no column '{given!s}'; there are {', '.join(columns)}")
            return columns.pop(str(given))
        return given

    target = str(y_true) if np.isscalar(y_true) else "y"
    y_true, task = named(y_true), named(task)
    tasks = None if task is None else np.array([str(t) for t in vector(task, "task")])
    dated = None
    if not isinstance(predictions, dict):
        plain = {n: v for n, v in columns.items() if n.lower() in _NO_MODEL}
        columns = {n: v for n, v in columns.items() if n not in plain}
        dated = next((found for n, v in plain.items() if n.lower() in ("date", "time") and (found := _dates(n, v)) is not None), None)
    for one in (y_true, predictions):
        index: Any = getattr(one, "index", None)
        if dated is None and hasattr(index, "to_series"):
            dated = dates_of(one[[]] if hasattr(one, "columns") else index.to_series())
    return target, y_true, list(columns.items()), tasks, dated


def _dates(name: Any, values: Any) -> Any:
    """The dates of a column that is called so; None of numbers."""
    try:
        found = _times(values, f"column '{name}'")
    except TailrankError as problem:
        warnings.warn(f"{problem}; rows are taken in the order they stand in", stacklevel=5)
        return None
    return found if found.dtype.kind == "M" else None
