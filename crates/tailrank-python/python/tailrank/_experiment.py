"""Experiments: grids of models over data, fitted, stored, resumed, scored and reported."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

from . import _frames, _tailrank, _toml
from ._estimator import Bridge, scalar
from ._measures import SETTINGS, _known
from ._progress import observer
from ._tables import Tables
from ._tailrank import Relevance, TailrankError
from .__main__ import words


class Run(Tables):
    """A run that came to its end; its folder is that of ``tailrank run``.

    ``scores``, ``ranks``, ``tests``, ``predictions`` and ``table(name)`` are data frames.
    """

    def __init__(self, native, kind):
        self._native = native
        self._kind = kind

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
        """Truth and predictions of every test row: columns task, split, row, date (of series), y and one for each variant."""
        return _frames.frame(self._native.predictions(), self._kind)

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
        data: a data frame with its ``target`` column, a dictionary of such by name, or names of bundled data (``tailrank list data``)
        target: the column to predict
        name: name of the run, and of its folder
        splits: ``KFold``, ``Holdout``, ``DateSplit``, ``SlidingWindow``, ``GrowingWindow`` or ``Bootstrap``
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
        target: str | None = None,
        name: str | None = None,
        title: str = "",
        splits=None,
        relevance=None,
        measures=None,
        categorical=(),
        ignore=(),
        date: str | None = None,
        horizons=(1,),
        lags: int = 24,
        seed: int = 1,
        sections: dict | None = None,
        **settings,
    ):
        self._estimators: dict[str, tuple] = {}
        self._frames: dict[str, object] = {}
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
        sources = self._data(data, target, categorical, ignore, date)
        if measures is None:
            measures = ["mad", "rmse", "sera"]
            if settings.get("t_l") is not None:
                measures = ["mad", "rmse", "precision", "recall", "f", "utility", "sera"]
        self._settings = {
            "name": name or "experiment",
            "title": title,
            "seed": seed,
            "data": sources,
            "target": {"horizons": list(horizons), "lags": lags} if "series" in sources else {},
            "split": dict(splits if splits is not None else {"kind": "kfold", "folds": 10}),
            "relevance": _relevance(relevance, settings.get("t_e", 0.5)),
            "measures": _measures(measures, settings),
            "trading": _trading(settings),
            "models": [],
        }
        for section, values in (sections or {}).items():
            known = self._settings.get(section)
            self._settings[section] = {**known, **values} if isinstance(known, dict) else values

    @classmethod
    def from_text(cls, text: str, base="") -> Experiment:
        """The experiment of a text; paths in it are relative to ``base``."""
        experiment = cls.__new__(cls)
        experiment._estimators, experiment._frames, experiment._kind = {}, {}, None
        experiment._path, experiment._base = Path("experiment.toml"), Path(base)
        experiment._text, experiment._settings = text, None
        return experiment

    def _data(self, data, target, categorical, ignore, date):
        if isinstance(data, str):
            data = [data]
        if not isinstance(data, dict) and not _frames.is_frame(data):
            names, tables = [str(one) for one in data], _tailrank.bundled_tables()
            found = {"series": [n for n in names if n not in tables], "tables": [n for n in names if n in tables]}
            return {kind: listed for kind, listed in found.items() if listed}
        named = data if isinstance(data, dict) else {"data": data}
        if target is None:
            raise TailrankError("name the target, the column to predict")
        tables = []
        for name, one in named.items():
            columns = _frames.columns_of(one)
            names = [n for n, _, _ in columns]
            if target not in names:
                raise TailrankError(f"no column '{target}' to predict; there are {', '.join(names)}")
            categories = [n for n, _, is_text in columns if is_text and n != target and n not in ignore]
            self._frames[name] = [(n, values) for n, values, _ in columns]
            tables.append(
                {
                    "name": name,
                    "file": f"{_folder_name(name)}.csv",
                    "target": target,
                    "ignore": list(ignore) or None,
                    "categorical": [*categories, *(c for c in categorical if c not in categories)] or None,
                    "date": date,
                }
            )
        self._kind = _frames.kind_of(data)
        return {"tables": tables}

    def add(self, model, *, name: str | None = None, grid: dict | None = None, learn=None, engine: str | None = None, **parameters) -> Experiment:
        """Adds a family by its name (``tailrank list models``) or any estimator with ``fit`` and ``predict``; returns the experiment.

        Parameters are single values, or lists that expand to all combinations. Estimators take theirs in ``grid``, by the names that
        ``set_params`` knows. ``learn`` crosses the grid with steps: "plain", "smote", ``{"resample": "smote", "k": 3}`` … (``tailrank
        list steps``).

        An estimator gets the columns of a table as they are, categories and gaps included, as a data frame of the kind the experiment was
        given. Where ``learn`` re-samples, it gets the numbers that the built-in families get. Parameters called ``random_state`` that are
        None get a seed of the cell's own.
        """
        grid = {**(grid or {}), **parameters}
        entry: dict = {}
        if isinstance(model, str):
            entry = {"family": model, "engine": engine, "label": name}
        else:
            label = name or type(model).__name__
            if label in self._estimators:
                raise TailrankError(f"two estimators are called '{label}'; give one a name")
            values: dict[str, dict] = {}
            for option, given in grid.items():
                for one in given if isinstance(given, (list, tuple)) else [given]:
                    if scalar(one) is not one and not hasattr(one, "item"):
                        values.setdefault(option, {})[scalar(one)] = one
            kind = self._kind or _frames.usual()
            self._estimators[label] = (model, kind, values)
            Bridge(model, label, kind, values)
            entry = {"family": label, "engine": "python"}
        entry["grid"] = {n: [scalar(v) for v in g] if isinstance(g, (list, tuple)) else scalar(g) for n, g in grid.items()} or None
        if learn is not None:
            entry["learn"] = [learn] if isinstance(learn, (str, dict)) else list(learn)
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
        for name, columns in self._frames.items():
            _tailrank.write_table(folder / f"{_folder_name(name)}.csv", columns)
        path = folder / "experiment.toml"
        path.write_text(self.text, encoding="utf-8")
        return path

    def _native(self, base):
        estimators = [Bridge(model, label, kind, values) for label, (model, kind, values) in self._estimators.items()]
        return _tailrank.Experiment(self.text, self._path, base, None, estimators)

    def _placed(self, out):
        """The run's folder, and the folder that the experiment's paths start from."""
        out = Path(out) if out is not None else Path("runs") / _folder_name(self.name)
        base = self._base
        if self._frames:
            base = out.parent / f"{out.name}-inputs"
            self.save(base)
        return out, base if base is not None else Path()

    def check(self, out=None):
        """Loads the data, draws the splits and checks everything; trains nothing.

        The answer has ``tasks`` (name, rows, splits), ``variants``, ``cells``, ``seconds`` of CPU as forecast, and ``warnings``.
        """
        _, base = self._placed(out)
        return self._native(base).plan()

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
        native = self._native(base)
        told, close = observer(progress)
        try:
            run = native.run(out, jobs or os.cpu_count() or 1, retry_failed, allow_commands, words(), told)
        finally:
            close()
        return Run(run, self._kind)

    def __repr__(self) -> str:
        return f"Experiment({self.name!r})"


def _folder_name(name: str) -> str:
    """A name as the command line makes a folder of it: never a path."""
    safe = "".join(c if c.isalnum() or c in "-_" else "-" for c in name)[:80]
    return safe if safe.strip("-") else "run"


def _relevance(relevance, t_e) -> dict:
    if relevance is None or relevance == "boxplot":
        found: dict = {"kind": "sigmoid"}
    elif relevance == "extremes":
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
    found = {"list": [measures] if isinstance(measures, str) else list(measures), "t_l": s["t_l"], "alpha": s["alpha"]}
    found |= {"alpha_k": s["alpha_k"], "beta": s["beta"], "utility": {"p": s["p"], "benefit": s["benefit"]}}
    found |= {"loss": {"over": s["over"], "under": s["under"]}, "linex": {"shape": s["shape"], "scale": s["scale"]}}
    return found


def _trading(settings) -> dict:
    if settings.get("threshold") is None:
        return {}
    return {"threshold": settings["threshold"], "cost": settings.get("cost", 0.0)}
