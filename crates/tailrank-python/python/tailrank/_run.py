"""A run that came to its end: scores, predictions, the page, and the best model put to use."""

from __future__ import annotations

import tempfile
import warnings
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from . import _frames, _tailrank
from ._arrays import times
from ._measures import _id
from ._tables import Tables
from ._tailrank import TailrankError


class Run(Tables):
    """A run that came to its end; its folder is that of ``tailrank run``.

    ``scores``, ``ranks``, ``tests``, ``predictions`` and ``table(name)`` are data frames.
    """

    def __init__(self, native: Any, experiment: Any, bridges: Any) -> None:
        self._native = native
        self._experiment = experiment
        self._kind = experiment._kind
        self._bridges = {bridge.name: bridge for bridge in bridges}

    def __reduce__(self) -> Any:
        return _reopened, (self._experiment, str(self.folder.absolute()))

    @property
    def folder(self) -> Path:
        """Where cells and tables are."""
        return Path(self._native.folder)

    @property
    def cells(self) -> tuple[int, int, int]:
        """Cells in all, fitted by this call, and reused."""
        return self._native.cells

    @property
    def failures(self) -> list[tuple[str, str, str]]:
        """Fits that failed: task, model, reason. ``run(retry_failed=True)`` fits them again."""
        return self._native.failures()

    @property
    def predictions(self) -> Any:
        """Truth and predictions of every test row: columns task, split, row (of the data as given, from 0), date, y and one for each
        model. Dates have the type that they came in."""
        columns = self._native.predictions()
        days = columns.pop("date", None)
        rest = {name: columns.pop(name) for name in ("task", "split", "row")}
        dates = {} if days is None else {"date": self._dates(rest["task"], rest["row"], days)}
        return _frames.frame({**rest, **dates, **columns}, self._kind)

    def _dates(self, tasks: Any, rows: Any, days: Any) -> Any:
        given = self._experiment._times
        if given and len({str(getattr(v, "dtype", None)) for v in given.values()}) == 1 and set(tasks) <= set(given):
            parts = [_frames.take(given[name], rows[np.array([t == name for t in tasks])]) for name in dict.fromkeys(tasks)]
            if self._kind == "pandas":
                import pandas

                return pandas.concat([p.to_series() if hasattr(p, "to_series") else p for p in parts], ignore_index=True)
            if self._kind == "polars":
                import polars

                return polars.concat(parts)
            if self._kind == "pyarrow":
                import pyarrow

                return pyarrow.chunked_array([chunk for p in parts for chunk in p.chunks])
        return np.array(days, dtype="datetime64[D]")

    def _chosen(self, by: Any, model: Any, task: Any) -> tuple[int, int]:
        """Places of a task and of a model: the one named, or the best by a measure."""
        tasks, models = self._native.names()
        if task is None and len(tasks) > 1:
            raise TailrankError(f"name one of the tasks: {', '.join(tasks)}")
        if task is not None and task not in tasks:
            raise TailrankError(f"there is no task '{task}'; there are {', '.join(tasks)}")
        place = 0 if task is None else tasks.index(task)
        if model is None:
            return place, self._native.best(place, None if by is None else _id(by))
        if model not in models:
            raise TailrankError(f"there is no model '{model}'; there are {', '.join(models)}")
        return place, models.index(model)

    def predict(self, new: Any = None, *, by: str | None = None, model: str | None = None, task: str | None = None, level: float = 0.9) -> Any:
        """What the best model says of new rows: fitted to everything that is known, with an interval that holds a share ``level`` of cases.

        ``new`` is a data frame with the inputs of a table; a series needs none, what follows its last session is predicted. ``by`` is the
        measure that says which model to use, the deciding one unless given; where it says that none is worth using, name a ``model``. The answer has the
        columns row (of ``new``, from 0) or date, predicted, from, to, relevance and signal.
        """
        place, of = self._chosen(by, model, task)
        rows = None if new is None else self._experiment._new_rows(self._native.names()[0][place], new)
        columns = dict(self._forecast(place, of, rows, level))
        names = columns.pop("row")
        if rows is None:
            return _frames.frame({"date": times(names), **columns}, self._kind)
        # Rows that have times were put in their order.
        places = np.array([int(name) - 1 for name in names])
        order = np.argsort(places)
        found = {name: [values[i] for i in order] if isinstance(values, list) else values[order] for name, values in columns.items()}
        return _frames.frame({"row": places[order], **found}, _frames.kind_of(new) or self._kind)

    def _forecast(self, place: Any, of: Any, rows: Any, level: Any) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            file = None
            if rows is not None:
                file = Path(folder) / "new.csv"
                _tailrank.write_table(file, rows)
            columns, said = self._native.forecast(place, of, file, level)
        for warning in said:
            warnings.warn(warning, stacklevel=3)
        return columns

    def best_estimator(self, by: str | None = None, *, model: str | None = None, task: str | None = None) -> Any:
        """The best estimator by a measure, fitted to everything that is known: a copy of the one that was added, ready to ``predict``.

        Of the built-in families ``predict`` of the run is the way to use one.
        """
        place, of = self._chosen(by, model, task)
        tasks, models = self._native.names()
        label, own = models[of], self._experiment
        # Of names that begin each other the longest, which comes last.
        name = max((n for n in self._bridges if f"{label} ".startswith(f"{n} ")), default=None)
        if name is None:
            raise TailrankError(f"'{label}' is of a built-in family, no estimator of Python's; use run.predict(new, model={label!r})")
        bridge = self._bridges[name]
        bridge.fits = []
        # Any rows will do to be asked about.
        table = [c for c in own._tables.get(tasks[place], []) if c.name != own._targets[tasks[place]]]
        self._forecast(place, of, [(c.name, c.values) for c in table] or None, 0.9)
        if len(bridge.fits) != 1:
            raise TailrankError(f"'{label}' is made of several fits; use run.predict(new, model={label!r})")
        return bridge.fits[0]

    def report(self, folder: str | PathLike[str] | None = None) -> Path:
        """Writes the page and returns the file to open; beside the tables unless a folder is given."""
        return Path(self._native.report(folder if folder is not None else self.folder / "report"))

    def save(self, path: str | PathLike[str]) -> Path:
        """Writes the page as one HTML file that can be mailed, and returns its path."""
        file = Path(path)
        self._native.write_page(file)
        return file


def _reopened(experiment: Any, folder: str) -> Run:
    """A run from its folder, for pickles: everything in it is reused."""
    if not Path(folder).is_dir():
        raise TailrankError(f"the run's folder {folder} is gone")
    return experiment.run(folder, progress=False)
