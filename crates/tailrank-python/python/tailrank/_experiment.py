"""Experiments: grids of models over data, fitted, stored, resumed, scored and reported."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import warnings
from pathlib import Path

import numpy as np

from . import _frames, _tailrank, _toml
from ._arrays import choices, floats, listed, times
from ._estimator import Bridge, scalar
from ._measures import SETTINGS, _id, _known, default_measures
from ._progress import observer
from ._splits import _Split, dates_of, named_rows
from ._tables import Tables
from ._tailrank import Relevance, TailrankError
from .__main__ import words


class Run(Tables):
    """A run that came to its end; its folder is that of ``tailrank run``.

    ``scores``, ``ranks``, ``tests``, ``predictions`` and ``table(name)`` are data frames.
    """

    def __init__(self, native, experiment, bridges):
        self._native = native
        self._experiment = experiment
        self._kind = experiment._kind
        self._bridges = {bridge.name: bridge for bridge in bridges}

    def __reduce__(self):
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
        """Fits that failed: task, variant, reason. ``run(retry_failed=True)`` fits them again."""
        return self._native.failures()

    @property
    def predictions(self):
        """Truth and predictions of every test row: columns task, split, row (of the data as given, from 0), date, y and one for each
        variant. Dates have the type that they came in."""
        columns = self._native.predictions()
        days = columns.pop("date", None)
        rest = {name: columns.pop(name) for name in ("task", "split", "row")}
        dates = {} if days is None else {"date": self._dates(rest["task"], rest["row"], days)}
        return _frames.frame({**rest, **dates, **columns}, self._kind)

    def _dates(self, tasks, rows, days):
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
        return np.array(days, dtype="datetime64[D]").astype("datetime64[s]" if (self._kind or _frames.usual()) == "pandas" else "datetime64[D]")

    def _chosen(self, by, variant, task) -> tuple[int, int]:
        """Places of a task and of a variant: the one named, or the best by a measure."""
        tasks, variants = self._native.names()
        if task is None and len(tasks) > 1:
            raise TailrankError(f"name one of the tasks: {', '.join(tasks)}")
        if task is not None and task not in tasks:
            raise TailrankError(f"there is no task '{task}'; there are {', '.join(tasks)}")
        place = 0 if task is None else tasks.index(task)
        if variant is None:
            return place, self._native.best(place, _id(by) if by is not None else self.json()["verdicts"][0]["judged_by"])
        if variant not in variants:
            raise TailrankError(f"there is no variant '{variant}'; there are {', '.join(variants)}")
        return place, variants.index(variant)

    def predict(self, new=None, *, by: str | None = None, variant: str | None = None, task: str | None = None, level: float = 0.9):
        """What the best model says of new rows: fitted to everything that is known, with an interval that holds a share ``level`` of cases.

        ``new`` is a data frame with the inputs of a table; a series needs none, what follows its last session is predicted. ``by`` is the
        measure that the model is best by, the one that the run judges extremes by unless given; or name a ``variant``. The answer has the
        columns row (of ``new``, from 0) or date, predicted, from, to, relevance and signal.
        """
        place, of = self._chosen(by, variant, task)
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

    def _forecast(self, place, of, rows, level):
        with tempfile.TemporaryDirectory() as folder:
            file = None
            if rows is not None:
                file = Path(folder) / "new.csv"
                _tailrank.write_table(file, rows)
            columns, said = self._native.forecast(place, of, file, level)
        for warning in said:
            warnings.warn(warning, stacklevel=3)
        return columns

    def best_estimator(self, by: str | None = None, *, variant: str | None = None, task: str | None = None):
        """The best estimator by a measure, fitted to everything that is known: a copy of the one that was added, ready to ``predict``.

        Of the built-in families ``predict`` of the run is the way to use one.
        """
        place, of = self._chosen(by, variant, task)
        tasks, variants = self._native.names()
        label, own = variants[of], self._experiment
        name = max((n for n in self._bridges if label == n or label.startswith((f"{n} ", f"{n} ·"))), key=len, default=None)
        if name is None:
            raise TailrankError(f"'{label}' is of a built-in family, no estimator of Python's; use run.predict(new, variant={label!r})")
        bridge = self._bridges[name]
        bridge.fits = []
        # Any rows will do: what is fitted knows all of them but is asked about two.
        table = [c for c in own._tables.get(tasks[place], []) if c.name != own._targets[tasks[place]]]
        self._forecast(place, of, [(c.name, c.values[:2]) for c in table] or None, 0.9)
        if len(bridge.fits) != 1:
            raise TailrankError(f"'{label}' is made of several fits; use run.predict(new, variant={label!r})")
        return bridge.fits[0]

    def json(self) -> dict:
        """Everything that was found."""
        return json.loads(self._native.json())

    def text(self, width: int = 80) -> str:
        """The answer as ``tailrank run`` prints it."""
        return self._native.text(width)

    def report(self, folder=None) -> Path:
        """Writes the page and returns the file to open; beside the tables unless a folder is given."""
        return Path(self._native.report(folder if folder is not None else self.folder / "report"))

    def save(self, path) -> Path:
        """Writes the page as one HTML file that can be mailed, and returns its path."""
        path = Path(path)
        self._native.write_page(path)
        return path

    def __repr__(self) -> str:
        return self.text(max(40, shutil.get_terminal_size((80, 24)).columns))

    def _repr_html_(self) -> str:
        return self._native.html()


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
        file=None,
        *,
        data=None,
        target=None,
        name: str | None = None,
        title: str = "",
        splits=None,
        relevance=None,
        measures=None,
        categorical=(),
        ignore=(),
        date=None,
        horizons=(1,),
        lags: int = 24,
        seed: int = 1,
        sections: dict | None = None,
        **settings,
    ):
        self._estimators: dict[str, tuple] = {}
        # Columns of every table, and when its rows were.
        self._tables: dict[str, list] = {}
        self._targets: dict[str, str] = {}
        self._times: dict[str, object] = {}
        self._text = None
        self._kind = None
        if (file is None) == (data is None):
            raise TailrankError("give an experiment file, or data")
        if file is not None:
            self._path = Path(file)
            self._base = self._path.parent
            self._text = self._path.read_text(encoding="utf-8")
            self._settings = None
            return
        _known(settings, [s for s in SETTINGS if s not in ("y_train", "horizon")])
        self._path, self._base = Path("experiment.toml"), None
        sources = self._data(data, target, [str(c) for c in listed(categorical)], [str(c) for c in listed(ignore)], date)
        splits, of_tasks = self._splits(splits)
        self._settings = {
            "name": name or "experiment",
            "title": title,
            "seed": seed,
            "data": sources,
            "target": {"horizons": listed(horizons), "lags": lags} if "series" in sources else {},
            "split": splits,
            "relevance": _relevance(relevance, settings.get("t_e", 0.5)),
            "measures": _measures(default_measures(settings) if measures is None else listed(measures), settings),
            "trading": _trading(settings),
            "tasks": of_tasks,
            "models": [],
        }
        for section, values in (sections or {}).items():
            known = self._settings.get(section)
            self._settings[section] = {**known, **values} if isinstance(known, dict) else values

    @classmethod
    def from_text(cls, text: str, base="") -> Experiment:
        """The experiment of a text; paths in it are relative to ``base``."""
        experiment = cls.__new__(cls)
        experiment._estimators, experiment._tables, experiment._targets, experiment._times, experiment._kind = {}, {}, {}, {}, None
        experiment._path, experiment._base = Path("experiment.toml"), Path(base)
        experiment._text, experiment._settings = text, None
        return experiment

    def _data(self, data, target, categorical, ignore, date):
        if isinstance(data, str) or (isinstance(data, (list, set)) and all(isinstance(one, str) for one in data) and len(data)):
            names, tables = listed(data), _tailrank.bundled_tables()
            found = {"series": [n for n in names if n not in tables], "tables": [n for n in names if n in tables]}
            return {kind: few for kind, few in found.items() if few}
        named = data if isinstance(data, dict) else {"data": data}
        self._kind = _frames.kind_of(data) or ("numpy" if _frames.kind_of(data) is None else None)
        tables = []
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
            tables.append(
                {
                    "name": name,
                    "file": f"{_folder_name(name)}.csv",
                    "target": of,
                    "ignore": ignore or None,
                    "categorical": [*categories, *(c for c in categorical if c not in categories)] or None,
                    "date": when,
                }
            )
        return {"tables": tables}

    def _splits(self, splits) -> tuple[dict, dict]:
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

    def _new_rows(self, task: str, new) -> list:
        """New rows in the columns of a task's file, without the target."""
        if task not in self._tables:
            return [(c.name, c.values) for c in _frames.columns_of(new, "the new rows")]
        if _frames.named_columns(new) is None:
            of = [c for c in self._tables[task] if c.name != self._targets[task] and c.kind == "number"]
            array = np.asarray(new)
            if array.ndim != 2 or array.shape[1] != len(of):
                raise TailrankError(f"the new rows have the shape {array.shape}; the model was fitted to {len(of)} inputs")
            given = {c.name: (c.name, array[:, j]) for j, c in enumerate(of)}
        else:
            given = _frames.named_columns(new)
        index = getattr(new, "index", None)
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

    def add(self, model, *, name: str | None = None, grid: dict | None = None, learn=None, engine: str | None = None, **parameters) -> Experiment:
        """Adds a family by its name (``tailrank list models``) or any estimator with ``fit`` and ``predict``; returns the experiment.

        Parameters are single values, or lists, arrays, ranges and series that expand to all combinations; a tuple is one value. Estimators take theirs in ``grid``, by the names that
        ``set_params`` knows. ``learn`` crosses the grid with steps: "plain", "smote", ``{"resample": "smote", "k": 3}`` … (``tailrank
        list steps``).

        An estimator gets the columns of a table as they are, categories and gaps included, as a data frame of the kind the experiment was
        given. Where ``learn`` re-samples, it gets the numbers that the built-in families get. Parameters called ``random_state`` that are
        None get a seed of the cell's own.
        """
        tried = {option: choices(given) for option, given in {**(grid or {}), **parameters}.items()}
        single = {option for option, given in {**(grid or {}), **parameters}.items() if tried[option] == [given] and not isinstance(given, list)}
        if isinstance(model, str):
            entry = {"family": model, "engine": engine, "label": name}
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

    def _dictionary(self) -> dict:
        """The settings as a dictionary, also those of a file."""
        if self._settings is None:
            try:
                import tomllib
            except ModuleNotFoundError:
                raise TailrankError("adding models to an experiment file needs Python 3.11 or later") from None
            self._settings = tomllib.loads(self._text)
            self._settings.setdefault("models", [])
            self._text = None
        return self._settings

    @property
    def text(self) -> str:
        """The experiment as the text of its file."""
        return self._text if self._text is not None else _toml.text(self._settings)

    @property
    def name(self) -> str:
        """The name of the experiment."""
        if self._settings is not None:
            return self._settings.get("name", "run")
        found = re.search(r"""(?m)^\s*name\s*=\s*["']([^"'\n]*)["']""", self._text)
        return found[1] if found else "run"

    def save(self, folder) -> Path:
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
        columns: dict = {}
        for column in (c for table in self._tables.values() for c in table):
            other = columns.setdefault(column.name, column)
            if str(getattr(other.native, "dtype", None)) != str(getattr(column.native, "dtype", None)):
                columns[column.name] = column._replace(native=np.empty(0), meaning={})
            elif other is not column:
                columns[column.name] = other._replace(meaning={**other.meaning, **column.meaning})
        return Bridge(model, label, kind, values, list(columns.values()))

    def _native(self, base):
        bridges = [self._bridge(label) for label in self._estimators]
        return _tailrank.Experiment(self.text, self._path, base, None, bridges), bridges

    def _placed(self, out):
        """The run's folder, and the folder that the experiment's paths start from."""
        out = Path(out) if out is not None else Path("runs") / _folder_name(self.name)
        base = self._base
        if self._tables:
            base = out.parent / f"{out.name}-inputs"
            self.save(base)
        return out, base if base is not None else Path()

    def check(self, out=None):
        """Loads the data, draws the splits and checks everything; trains nothing.

        The answer has ``tasks`` (name, rows, splits), ``variants``, ``cells``, ``seconds`` of CPU as forecast, and ``warnings``.
        """
        _, base = self._placed(out)
        return self._native(base)[0].plan()

    def run(self, out=None, *, jobs: int | None = None, progress=None, retry_failed: bool = False, allow_commands: bool = False) -> Run:
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


def _reopened(experiment: Experiment, folder: str) -> Run:
    """A run from its folder, for pickles: everything in it is reused."""
    if not Path(folder).is_dir():
        raise TailrankError(f"the run's folder {folder} is gone")
    return experiment.run(folder, progress=False)


def _table_of(data, target):
    """Columns of a data frame, an array or a pair (X, y), the name of the target, and the index where it holds times."""
    if isinstance(data, tuple) and len(data) == 2:
        inputs, y = data
        columns = _frames.columns_of(inputs, "the inputs")
        of = str(target if target is not None else getattr(y, "name", None) or "y")
        if of in (c.name for c in columns):
            raise TailrankError(f"the inputs have a column '{of}', as the target is called; give it another name (target=…)")
        if len(floats(y, "the targets")) != len(columns[0].values):
            raise TailrankError(f"the inputs have {len(columns[0].values)} rows, the targets {len(floats(y))}")
        columns.append(_frames.Column(of, floats(y, "the targets"), "number", of, y, {}))
    else:
        inputs = data
        if isinstance(data, (list, set)) or not (_frames.kind_of(data) or hasattr(data, "shape") or hasattr(data, "__dataframe__") or hasattr(data, "__arrow_c_stream__")):
            raise TailrankError("data are a data frame, a pair (X, y), a dictionary of such by name, or names of bundled data")
        columns = _frames.columns_of(data)
        if target is None:
            raise TailrankError("name the target, the column to predict")
        if _frames.kind_of(data) is None and isinstance(target, (int, np.integer)) and isinstance(data, np.ndarray):
            target = columns[target].name if -len(columns) <= target < len(columns) else target
        of = str(target)
    index = getattr(inputs, "index", None)
    timed = hasattr(index, "to_series") and str(index.dtype).startswith(("datetime", "period"))
    return columns, of, index if timed else None


def _folder_name(name: str) -> str:
    """A name as the command line makes a folder of it: never a path."""
    safe = "".join(c if c.isalnum() or c in "-_" else "-" for c in name)[:80]
    return safe if safe.strip("-") else "run"


def _relevance(relevance, t_e) -> dict:
    if relevance is None or (isinstance(relevance, str) and relevance == "boxplot"):
        found: dict = {"kind": "sigmoid"}
    elif isinstance(relevance, str) and relevance == "extremes":
        found = {"kind": "pchip"}
    elif isinstance(relevance, dict):
        found = dict(relevance)
    elif isinstance(relevance, Relevance):
        kind, parts = relevance.parts()
        found = {"kind": kind}
        if kind == "sigmoid":
            found.update(zip(("low", "high", "k", "delta"), parts, strict=True))
        elif kind == "pchip":
            found["points"] = [[y, phi, slope] for (y, phi), slope in zip(*parts, strict=True)]
        elif kind == "table":
            found["points"] = [list(point) for point in parts[0]]
        else:
            found["ranges"] = [list(ends) for ends in parts[0]]
    else:
        raise TailrankError(f"relevance = {relevance!r}: give a tailrank.Relevance, \"boxplot\", \"extremes\" or a dictionary")
    return {"event_threshold": t_e, **found}


def _measures(measures, settings) -> dict:
    s = {**SETTINGS, **settings}
    found = {"list": measures, "t_l": s["t_l"], "alpha": s["alpha"]}
    found |= {"alpha_k": s["alpha_k"], "beta": s["beta"], "utility": {"p": s["p"], "benefit": s["benefit"]}}
    found |= {"loss": {"over": s["over"], "under": s["under"]}, "linex": {"shape": s["shape"], "scale": s["scale"]}}
    return found


def _trading(settings) -> dict:
    if settings.get("threshold") is None:
        return {}
    return {"threshold": settings["threshold"], "cost": settings.get("cost", 0.0)}
