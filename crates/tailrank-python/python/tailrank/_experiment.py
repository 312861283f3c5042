"""Experiments: grids of models over data, fitted, stored, resumed, scored and reported."""

from __future__ import annotations

import html
import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from . import _frames, _tailrank, _toml
from ._arrays import choices, floats, listed
from ._estimator import Bridge, scalar
from ._measures import OF_ROWS, SETTINGS, _known, default_measures
from ._measures import sections as _sections
from ._progress import observer
from ._run import Run
from ._splits import dates_of, named_rows
from ._tailrank import Relevance, TailrankError
from .__main__ import words


class Experiment:
    """A grid of models on one task or many.

    From a file, as ``tailrank run`` takes it::

        run = tr.Experiment("mine.toml").run()

    or from data at hand::

        exp = tr.Experiment(data=df, target="a1", relevance="boxplot", splits=tr.KFold(10, repeats=3), t_l=0.5)
        exp.add("forest", trees=[100, 500], learn=["plain", "smote"])
        exp.add(HistGradientBoostingRegressor(), name="hgb", grid={"max_depth": [3, 6]})
        run = exp.run()

    Arguments:
        file: an experiment file
        data: a data frame with its ``target`` column, a pair (X, y), a dictionary of such by name, or names of bundled data (``tailrank list
            data``). A DatetimeIndex or the only column of dates is when rows were
        target: the column to predict
        name: name of the run, and of its folder
        splits: ``KFold``, ``Holdout``, ``DateSplit``, ``SlidingWindow``, ``GrowingWindow`` or ``Bootstrap``; for data frames also a splitter
            of scikit-learn, or pairs of training and test rows, which are purged and checked for leaks like all others
        relevance: a ``Relevance``, "boxplot" (sigmoids from each training set's box plot), "extremes" (piecewise cubic from it), or the
            settings of ``[relevance]`` as a dictionary
        measures: ids; by default mad, rmse and sera, and with ``t_l`` also precision, recall, f and utility
        categorical, ignore, date: columns that are categories though numbers, that are left out, and that hold the rows' dates
        horizons, lags: of series: days ahead, and how many past returns are inputs
        seed: names the randomness of every fit, fold and permutation
        sections: further sections of an experiment file, such as ``{"inference": {"resamples": 500}}``
        settings: those of the measures: ``t_l``, ``t_e``, ``beta``, ``alpha``, ``p`` …
    """

    def __init__(
        self,
        file: Any = None,
        *,
        data: Any = None,
        target: Any = None,
        name: str | None = None,
        title: str = "",
        splits: Any = None,
        relevance: Any = None,
        measures: Any = None,
        categorical: Any = (),
        ignore: Any = (),
        date: Any = None,
        horizons: Any = (1,),
        lags: int = 24,
        seed: int = 1,
        sections: dict[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        if (file is None) == (data is None):
            raise TailrankError("give an experiment file, or data")
        if file is not None:
            self._start(Path(file), Path(file).read_text(encoding="utf-8"), Path(file).parent)
            return
        self._start(Path("experiment.toml"), None, None)
        _known(settings, [s for s in SETTINGS if s not in OF_ROWS])
        sources = self._data(data, target, [str(c) for c in listed(categorical)], [str(c) for c in listed(ignore)], date)
        splits, of_tasks = self._splits(splits)
        of_measures, trading = _sections(settings)
        self._settings: dict[str, Any] | None = {
            "name": name or "experiment",
            "title": title,
            "seed": seed,
            "data": sources,
            "target": {"horizons": listed(horizons), "lags": lags} if "series" in sources else {},
            "split": splits,
            "relevance": _relevance(relevance, settings.get("t_e", 0.5)),
            "measures": {"list": default_measures(settings) if measures is None else listed(measures), **of_measures},
            "trading": trading or {},
            "tasks": of_tasks,
            "models": [],
        }
        for section, values in (sections or {}).items():
            known = self._settings.get(section)
            self._settings[section] = {**known, **values} if isinstance(known, dict) else values

    @classmethod
    def from_text(cls, text: str, base: Any = "") -> Experiment:
        """The experiment of a text; paths in it are relative to ``base``."""
        experiment = cls.__new__(cls)
        experiment._start(Path("experiment.toml"), text, Path(base))
        return experiment

    def _start(self, path: Path, text: str | None, base: Path | None) -> None:
        self._path, self._text, self._base = path, text, base
        self._settings = None
        self._kind: str | None = None
        self._estimators: dict[str, tuple[Any, Any, dict[str, Any]]] = {}
        # Columns of every table, and when its rows were.
        self._tables: dict[str, list[_frames.Column]] = {}
        self._targets: dict[str, str] = {}
        self._times: dict[str, object] = {}

    def _data(self, data: Any, target: Any, categorical: Any, ignore: Any, date: Any) -> Any:
        if isinstance(data, str) or (isinstance(data, (list, set)) and all(isinstance(one, str) for one in data) and len(data)):
            names, tables = listed(data), _tailrank.bundled_tables()
            found = {"series": [n for n in names if n not in tables], "tables": [n for n in names if n in tables]}
            return {kind: few for kind, few in found.items() if few}
        named = data if isinstance(data, dict) else {"data": data}
        self._kind = _frames.kind_of(data) or "numpy"
        described: list[dict[str, Any]] = []
        for name, one in named.items():
            columns, of, index = _table_of(one, target)
            names = [c.name for c in columns]
            when = date if date is None else str(date)
            for wanted in (of, when, *categorical, *ignore):
                if wanted is not None and wanted not in names:
                    raise TailrankError(f"no column '{wanted}'{' to predict' if wanted == of else ''}; there are {', '.join(names)}")
            if when is None and index is not None:
                when = next(n for n in (str(index.name or "date"), "date", "index", "index of rows") if n not in names)
                columns = [*columns, _frames.Column(when, _frames.time_texts(index, when), "time", when, index, {})]
            dated = [c.name for c in columns if c.kind == "time" and c.name not in ignore]
            if when is None and len(dated) == 1:
                when = dated[0]
            if any(c != when for c in dated):
                raise TailrankError(f"columns {', '.join(dated)} hold dates; name the one that tells when rows were (date=…) and ignore the others (ignore=[…])")
            categories = [c.name for c in columns if c.kind == "word" and c.name not in (of, when, *ignore)]
            self._tables[name], self._targets[name] = columns, of
            if when is not None:
                self._times[name] = next(c.native for c in columns if c.name == when)
            described.append(
                {
                    "name": name,
                    "file": f"{_folder_name(name)}.csv",
                    "target": of,
                    "ignore": ignore or None,
                    "categorical": [*categories, *(c for c in categorical if c not in categories)] or None,
                    "date": when,
                }
            )
        return {"tables": described}

    def _splits(self, splits: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The split of all tasks, and of single ones where rows are named one by one."""
        if splits is None or isinstance(splits, dict):
            return dict(splits or {"kind": "kfold", "folds": 10}), {}
        if not self._tables:
            raise TailrankError("rows of bundled data are known to tailrank alone; use tailrank.KFold, DateSplit and their like")
        if hasattr(splits, "__next__"):
            splits = list(splits)
        found = {name: named_rows(splits, columns, self._targets[name]) for name, columns in self._tables.items()}
        if len(found) == 1:
            return next(iter(found.values())), {}
        return {"kind": "kfold", "folds": 10}, {name: {"split": of} for name, of in found.items()}

    def _new_rows(self, task: str, new: Any) -> list[Any]:
        """New rows in the columns of a task's file, without the target."""
        if task not in self._tables:
            return [(c.name, c.values) for c in _frames.columns_of(new, "the new rows")]
        given = _frames.named_columns(new)
        if given is None:
            of = [c for c in self._tables[task] if c.name != self._targets[task] and c.kind == "number"]
            array = np.asarray(new)
            if array.ndim != 2 or array.shape[1] != len(of):
                raise TailrankError(f"the new rows have the shape {array.shape}; the model was fitted to {len(of)} inputs")
            given = {c.name: (c.name, array[:, j]) for j, c in enumerate(of)}
        index: Any = getattr(new, "index", None)
        rows = []
        for column in self._tables[task]:
            if column.name in given:
                found = _frames._column(column.name, *given[column.name])
                words = {(type(v), v): word for word, v in column.meaning.items()}
                again = [None if w is None else words.get((type(found.meaning[w]), found.meaning[w]), w) for w in found.values] if found.kind == "word" else found.values
                rows.append((column.name, again))
            elif column.native is self._times.get(task) and dates_of(new) is not None:
                rows.append((column.name, _frames.time_texts(index if hasattr(index, "to_series") else new, column.name)))
            elif column.name != self._targets[task]:
                raise TailrankError(f"the new rows have no column '{column.name}'")
        return rows

    def add(self, model: Any, *, name: str | None = None, grid: dict[str, Any] | None = None, learn: Any = None, engine: str | None = None, **parameters: Any) -> Experiment:
        """Adds a family by its name (``tailrank list models``) or any estimator with ``fit`` and ``predict``; returns the experiment.

        Parameters are single values, or lists, arrays, ranges and series that expand to all combinations; a tuple is one value. Estimators take theirs in ``grid``, by the names that
        ``set_params`` knows. ``learn`` crosses the grid with steps: "plain", "smote", ``{"resample": "smote", "k": 3}`` … (``tailrank
        list steps``).

        An estimator gets the columns of a table as they are, categories and gaps included, as a data frame of the kind the experiment was
        given. Where ``learn`` re-samples, it gets the numbers that the built-in families get. Parameters called ``random_state`` that are
        None get a seed of the cell's own.
        """
        options = {**(grid or {}), **parameters}
        tried = {option: choices(given) for option, given in options.items()}
        single = {option for option, given in options.items() if tried[option] == [given] and not isinstance(given, list)}
        if isinstance(model, str):
            entry: dict[str, Any] = {"family": model, "engine": engine, "label": name}
            for option, values in tried.items():
                wrong = next((v for v in values if scalar(v) is not v and not isinstance(v, np.generic)), None)
                if wrong is not None:
                    raise TailrankError(f"{model}: {option} = {wrong!r} is no number, word, true or false; values to be tried are a list")
        else:
            label = name or type(model).__name__
            if label in self._estimators:
                raise TailrankError(f"two estimators are called '{label}'; give one a name")
            objects = {o: {scalar(v): v for v in values if scalar(v) is not v and not isinstance(v, np.generic)} for o, values in tried.items()}
            made = {option: values for option, values in objects.items() if values}
            self._estimators[label] = (model, self._kind or _frames.usual(), made)
            self._bridge(label)
            entry = {"family": label, "engine": "python"}
        entry["grid"] = {o: scalar(values[0]) if o in single else [scalar(v) for v in values] for o, values in tried.items()} or None
        if learn is not None:
            entry["learn"] = listed(learn)
        self._dictionary()["models"].append(entry)
        return self

    def _dictionary(self) -> dict[str, Any]:
        """The settings as a dictionary, also those of a file."""
        if self._settings is None:
            try:
                import tomllib
            except ModuleNotFoundError:
                raise TailrankError("adding models to an experiment file needs Python 3.11 or later") from None
            self._settings = tomllib.loads(self._text or "")
            self._settings.setdefault("models", [])
            self._text = None
        return self._settings

    @property
    def text(self) -> str:
        """The experiment as the text of its file."""
        return self._text if self._text is not None else _toml.text(self._settings or {})

    @property
    def name(self) -> str:
        """The name of the experiment."""
        if self._settings is not None:
            return self._settings.get("name", "run")
        found = re.search(r"""(?m)^\s*name\s*=\s*["']([^"'\n]*)["']""", self._text or "")
        return found[1] if found else "run"

    def save(self, folder: Any) -> Path:
        """Writes the experiment, with the data it was given, into a folder; ``tailrank run`` takes the file it returns."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name, columns in self._tables.items():
            _tailrank.write_table(folder / f"{_folder_name(name)}.csv", [(c.name, c.values) for c in columns])
        path = folder / "experiment.toml"
        path.write_text(self.text, encoding="utf-8")
        return path

    def _bridge(self, label: str) -> Bridge:
        model, kind, values = self._estimators[label]
        # A column that has another type in another table keeps none.
        columns: dict[str, Any] = {}
        for column in (c for table in self._tables.values() for c in table):
            other = columns.setdefault(column.name, column)
            if str(getattr(other.native, "dtype", None)) != str(getattr(column.native, "dtype", None)):
                columns[column.name] = column._replace(native=np.empty(0), meaning={})
            elif other is not column:
                columns[column.name] = other._replace(meaning={**other.meaning, **column.meaning})
        return Bridge(model, label, kind, values, list(columns.values()))

    def _native(self, base: Any) -> Any:
        bridges = [self._bridge(label) for label in self._estimators]
        return _tailrank.Experiment(self.text, self._path, base, bridges), bridges

    def _placed(self, out: Any) -> Any:
        """The run's folder, and the folder that the experiment's paths start from."""
        out = Path(out) if out is not None else Path("runs") / _folder_name(self.name)
        base = self._base
        if self._tables:
            base = out.parent / f"{out.name}-inputs"
            self.save(base)
        return out, base if base is not None else Path()

    def check(self, out: Any = None) -> Any:
        """Loads the data, draws the splits and checks everything; trains nothing.

        The answer has ``tasks`` (name, rows, splits), ``variants``, ``cells``, ``seconds`` of CPU as forecast, and ``warnings``.
        """
        _, base = self._placed(out)
        return self._native(base)[0].plan()

    def run(self, out: Any = None, *, jobs: int | None = None, progress: Any = None, retry_failed: bool = False, allow_commands: bool = False) -> Run:
        """Fits what the run's folder does not hold yet, scores, and writes the tables.

        Run it again, here or by ``tailrank run``, to go on where it stopped. Ctrl-C keeps finished cells.

        Arguments:
            out: folder of the run; ``runs/<name>`` by default. Data frames are written to the folder ``<out>-inputs`` beside it.
            jobs: fits at the same time; all cores by default
            progress: False for none, or a function of your own; a bar by default, where anybody watches
            retry_failed: fit failed cells again
            allow_commands: let the experiment run the programs it names
        """
        out, base = self._placed(out)
        native, bridges = self._native(base)
        told, close = observer(progress)
        try:
            run = native.run(out, jobs or os.cpu_count() or 1, retry_failed, allow_commands, words(), told)
        finally:
            close()
        return Run(run, self, bridges)

    def __repr__(self) -> str:
        return f"Experiment({self.name!r})"

    def _repr_html_(self) -> str:
        tables = [f"{len(of[0].values):,} rows to predict {self._targets[name]} of {name}" for name, of in self._tables.items()]
        shown = "".join(f"<p>{html.escape(line)}</p>" for line in [repr(self), *tables])
        return f"<div>{shown}<details><summary>its file</summary><pre>{html.escape(self.text)}</pre></details></div>"


def _table_of(data: Any, target: Any) -> Any:
    """Columns of a data frame, an array or a pair (X, y), the name of the target, and the index where it holds times."""
    if isinstance(data, tuple) and len(data) == 2:
        inputs, y = data
        columns = _frames.columns_of(inputs, "the inputs")
        of = str(target if target is not None else getattr(y, "name", None) or "y")
        if of in (c.name for c in columns):
            raise TailrankError(f"the inputs have a column '{of}', as the target is called; give it another name (target=…)")
        targets = floats(y, "the targets")
        if len(targets) != len(columns[0].values):
            raise TailrankError(f"the inputs have {len(columns[0].values)} rows, the targets {len(targets)}")
        columns.append(_frames.Column(of, targets, "number", of, y, {}))
    else:
        inputs = data
        if isinstance(data, (list, set)) or not (_frames.kind_of(data) or hasattr(data, "shape") or hasattr(data, "__dataframe__") or hasattr(data, "__arrow_c_stream__")):
            raise TailrankError("data are a data frame, a pair (X, y), a dictionary of such by name, or names of bundled data")
        columns = _frames.columns_of(data)
        if target is None:
            raise TailrankError("name the target, the column to predict")
        if isinstance(target, (int, np.integer)) and isinstance(data, np.ndarray):
            target = columns[target].name if -len(columns) <= target < len(columns) else target
        of = str(target)
    index: Any = getattr(inputs, "index", None)
    timed = hasattr(index, "to_series") and str(index.dtype).startswith(("datetime", "period"))
    return columns, of, index if timed else None


def _folder_name(name: str) -> str:
    """A name as the command line makes a folder of it: never a path."""
    safe = "".join(c if c.isalnum() or c in "-_" else "-" for c in name)[:80]
    return safe if safe.strip("-") else "run"


def _relevance(relevance: Any, t_e: Any) -> dict[str, Any]:
    if relevance is None or (isinstance(relevance, str) and relevance == "boxplot"):
        found: dict[str, Any] = {"kind": "sigmoid"}
    elif isinstance(relevance, str) and relevance == "extremes":
        found = {"kind": "pchip"}
    elif isinstance(relevance, dict):
        found = dict(relevance)
    elif isinstance(relevance, Relevance):
        kind, parts = relevance.parts()
        found = {"kind": kind}
        if kind == "sigmoid":
            found.update(zip(("low", "high", "k", "delta"), parts))
        elif kind == "pchip":
            found["points"] = [[y, phi, slope] for (y, phi), slope in zip(*parts)]
        elif kind == "table":
            found["points"] = [list(point) for point in parts[0]]
        else:
            found["ranges"] = [list(ends) for ends in parts[0]]
    else:
        raise TailrankError(f"relevance = {relevance!r}: give a tailrank.Relevance, \"boxplot\", \"extremes\" or a dictionary")
    return {"event_threshold": t_e, **found}
