"""Which of several models to take: predictions made anywhere, scored and compared."""

from __future__ import annotations

import json
import re
import shutil
import warnings
from pathlib import Path

import numpy as np

from . import _frames, _tailrank
from ._arrays import floats, same_index
from ._measures import SETTINGS, _known, sections
from ._tables import Tables
from ._tailrank import Relevance, TailrankError

# Columns that name rows and are no model, as for `tailrank score`.
_NO_MODEL = {"date", "time", "row", "id", "task"}


class Answer(Tables):
    """What a comparison found: in a notebook the decision with tables and figures, in a terminal the text of ``tailrank score``.

    ``scores``, ``ranks``, ``tests`` and ``table(name)`` are data frames of the kind that came in; ``tables`` names them all.
    """

    def __init__(self, native, kind, call="tailrank.compare(y, predictions)"):
        self._native = native
        self._kind = kind
        self._call = call

    @property
    def warnings(self) -> list[str]:
        """What a user should know, though nothing is wrong."""
        return self._native.warnings

    def json(self) -> dict:
        """Everything, as ``tailrank score --json`` prints it."""
        return json.loads(self._native.json())

    def text(self, width: int = 80) -> str:
        """What ``tailrank score`` prints."""
        return self._native.text(width)

    def save(self, path, title: str | None = None) -> Path:
        """Writes the page of ``tailrank score --single-file``: one HTML file with figures, tables and sliders that can be mailed.

        It is called as the file is unless a ``title`` is given. Returns the path.
        """
        path = Path(path)
        self._native.write_page(path, title or path.stem, f"{self._call}.save({path.name!r})")
        return path

    def __repr__(self) -> str:
        return self.text(max(40, shutil.get_terminal_size((80, 24)).columns))

    def _repr_html_(self) -> str:
        return self._native.html()


def compare(
    y_true,
    predictions,
    *,
    relevance=None,
    extremes: str = "both",
    measures=None,
    times=None,
    horizon: int | None = None,
    task=None,
    inference: dict | None = None,
    **settings,
) -> Answer:
    """Scores the predictions of several models for the same cases and says which to take, by which measure, and how sure that is.

    Arguments:
        y_true: true values, or the name of their column in ``predictions``
        predictions: a dictionary or data frame with one column per model
        relevance: φ, a ``Relevance``; from the box plot of the true values unless given, for the ``extremes`` "low", "high" or "both"
        measures: ids (``list_measures``); by default mad, rmse and sera, and with ``t_l`` also precision, recall, f and utility
        times: when each case was; rows are put in this order, and where these are dates the page says how much happens a year
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
    >>> answer.json()["picks"][0]["chosen_by"]
    'mad'
    """
    _known(settings, [s for s in SETTINGS if s not in ("y_train", "horizon")])
    kind = _frames.kind_of(predictions, y_true)
    target = y_true if isinstance(y_true, str) else "y"
    given = {"relevance": relevance, "extremes": extremes, "measures": measures, "horizon": horizon, **settings}
    y_true, columns, tasks = _columns(y_true, predictions, task)
    if measures is None:
        measures = ["mad", "rmse", "sera"]
        if settings.get("t_l") is not None:
            measures = ["mad", "rmse", "precision", "recall", "f", "utility", "sera"]
    if relevance is not None and not isinstance(relevance, Relevance):
        if relevance != "boxplot":
            raise TailrankError(f"relevance = {relevance!r}: give a tailrank.Relevance, or \"boxplot\"")
        relevance = None
    y = floats(y_true, "the true values")
    models = []
    for name, values in columns:
        same_index(y_true, values, f"'{name}'")
        models.append((str(name), floats(values, f"the predictions of '{name}'")))
    days = None
    if times is not None:
        times = np.asarray(times)
        order = np.argsort(times, kind="stable")
        days = _days(times[order])
        y = np.ascontiguousarray(_taken("times", order, y))
        models = [(name, np.ascontiguousarray(_taken(f"'{name}'", order, p))) for name, p in models]
        tasks = None if tasks is None else [tasks[i] for i in order]
        horizon = 1 if horizon is None else horizon
    parts = [("", y, models, days)]
    if tasks is not None:
        if len(tasks) != len(y):
            raise TailrankError(f"task has {len(tasks)} rows, the true values have {len(y)}")
        names = np.asarray([str(t) for t in tasks])
        parts = []
        for name in dict.fromkeys(names.tolist()):
            rows = names == name
            of_task = None if days is None else [days[i] for i in np.flatnonzero(rows)]
            parts.append((name, y[rows], [(m, p[rows]) for m, p in models if len(p) == len(y)], of_task))
    section, trading = sections(settings)
    native = _tailrank.compare(
        parts,
        target,
        [measures] if isinstance(measures, str) else list(measures),
        relevance,
        extremes,
        settings.get("t_e", 0.5),
        section,
        "{}",
        json.dumps(inference or {}),
        trading,
        horizon,
    )
    for warning in native.warnings:
        warnings.warn(warning, stacklevel=2)
    return Answer(native, kind, _call(given, times is not None, tasks is not None))


def _days(times) -> list[str] | None:
    """The days of times, where these are dates: ``2024-02-29``."""
    import datetime

    if times.dtype.kind == "M":
        return None if np.isnat(times).any() else np.datetime_as_string(times, unit="D").tolist()
    if all(isinstance(t, datetime.date) for t in times):
        return [t.strftime("%Y-%m-%d") for t in times]
    if all(isinstance(t, str) and re.match(r"\d{4}-\d\d-\d\d", t) for t in times):
        return [t[:10] for t in times]
    return None


def _call(given, has_times, has_tasks) -> str:
    """The call in words, for the page: what data were called is not known."""
    words = ["y", "predictions"]
    for name, value in given.items():
        if value is None or (name == "extremes" and value == "both"):
            continue
        if isinstance(value, Relevance):
            kind, parts = value.parts()
            named = zip(("low", "high", "k", "delta"), parts, strict=True) if kind == "sigmoid" else ()
            shown = ", ".join(f"{n}={v!r}" for n, v in named if v is not None)
            value = f"tailrank.Relevance.sigmoid({shown})" if kind == "sigmoid" else "relevance"
        else:
            value = repr(value)
        words.append(f"{name}={value}")
    words += ["times=times"] * has_times + ["task=task"] * has_tasks
    return f"tailrank.compare({', '.join(words)})"


def _taken(name, order, values):
    if len(values) != len(order):
        raise TailrankError(f"{name}: {len(order)} times for {len(values)} cases")
    return values[order]


def _columns(y_true, predictions, task):
    """True values, the models' columns and the tasks of rows."""
    if isinstance(predictions, dict):
        columns = dict(predictions)
    elif hasattr(predictions, "column_names"):
        columns = {name: predictions[name].to_numpy() for name in predictions.column_names}
    elif hasattr(predictions, "columns"):
        columns = {name: predictions[name] for name in predictions.columns}
    else:
        raise TailrankError("predictions are a dictionary or a data frame with one column for each model")
    if isinstance(y_true, str):
        if y_true not in columns:
            raise TailrankError(f"no column of true values: '{y_true}'; it has {', '.join(map(str, columns))}")
        y_true = columns.pop(y_true)
    if isinstance(task, str):
        if task not in columns:
            raise TailrankError(f"no column '{task}'; it has {', '.join(map(str, columns))}")
        task = columns.pop(task)
    columns = {n: v for n, v in columns.items() if isinstance(predictions, dict) or str(n).lower() not in _NO_MODEL}
    return y_true, list(columns.items()), None if task is None else list(task)
