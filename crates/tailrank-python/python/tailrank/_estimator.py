"""Estimators of Python's inside an experiment: whatever has ``fit`` and ``predict``.

Stored predictions are found again by the estimator's *identity*: its class, the versions of the packages its classes come from, the
source of classes that are in no package, and every parameter, in all its parts. What has no such words (a function's closure, an open
file) makes an estimator that cannot be known again; it is fitted anew in every run, and a warning says so.
"""

from __future__ import annotations

import builtins
import copy
import hashlib
import importlib.metadata
import inspect
import json
import sys
import uuid
import warnings
from typing import Any

import numpy as np

from . import _frames
from ._arrays import floats
from ._tailrank import TailrankError


class Bridge:
    """An estimator as the engine sees it; ``columns`` are those of the tables, whose names and types its inputs get back."""

    def __init__(self, estimator: Any, name: str, kind: str | None, values: dict[str, Any] | None = None, columns: Any = ()) -> None:
        for method in ("fit", "predict"):
            if not callable(getattr(estimator, method, None)):
                raise TailrankError(f"{name}: an estimator needs the methods fit and predict; this {type(estimator).__name__} has no {method}")
        self.name = name
        self.estimator = estimator
        self.parameters = set(_params(estimator))
        self._weights = _weight_option(estimator)
        self.takes_weights = self._weights is not None
        self._kind = kind
        self._columns = {column.name: column for column in columns}
        # What was fitted last, and how often, for whoever asks for the estimator itself.
        self.fits: list[Any] = []
        # Values of a grid that no experiment file can hold, by their words.
        self._values = values or {}
        words = Words()
        description = words.of(estimator)
        for option, objects in sorted(self._values.items()):
            description += f"\n{option}: " + ", ".join(f"{text}={words.of(v)}" for text, v in sorted(objects.items()))
        types = ", ".join(f"{c.name}: {getattr(c.native, 'dtype', getattr(c.native, 'type', None))}" for c in columns)
        self.identity = f"{description}\nframe {kind} {types}"
        if words.unknown:
            warnings.warn(
                f"{name}: {words.unknown} cannot be told from another of its kind in a later run; its fits are stored but never reused",
                stacklevel=4,
            )
            self.identity += f"\nonce {uuid.uuid4()}"

    def fit_predict(self, x: Any, y: Any, z: Any, params: Any, seed: Any, weights: Any) -> Any:
        """Fits a copy with the parameters of one variant and predicts ``z``."""
        estimator = _copy(self.estimator)
        # Objects of a grid are copied, too: fits at the same time would share them, and the seed of one would stay for the next.
        objects = {n: self._values.get(n, {}) for n in params}
        chosen = {n: _copy(objects[n][v]) if isinstance(v, str) and v in objects[n] else v for n, v in params.items()}
        if chosen:
            estimator.set_params(**chosen)
        # Every random part that has no seed of its own gets one of the cell.
        seeds = {n: seed for n, v in _params(estimator).items() if n.rpartition("__")[2] == "random_state" and v is None}
        if seeds:
            estimator.set_params(**seeds)
        options = {} if weights is None else {str(self._weights): weights}
        categories = [] if isinstance(x, np.ndarray) else [n for n, v in x if isinstance(v, tuple)]
        if _takes(estimator, "cat_features"):
            # CatBoost's way: categories are text without gaps, and named.
            x, z = ([(n, _texts(v) if isinstance(v, tuple) else v) for n, v in one] if categories else one for one in (x, z))
            if categories and _params(estimator).get("cat_features") is None:
                options["cat_features"] = categories
        x, z = self._frame(x), self._frame(z)
        fitted = estimator.fit(x, y, **options)
        self.fits = [*self.fits[-1:], estimator if fitted is None else fitted]
        return floats(self.fits[-1].predict(z), f"the predictions of '{self.name}'")

    def _frame(self, columns: Any) -> Any:
        if isinstance(columns, np.ndarray):
            return columns
        made = {n: self._values_of(n, v) for n, v in columns}
        if self._kind in _frames.KINDS:
            frame = _frames.frame(made, self._kind)
            if self._kind == "polars":
                frame = frame.fill_nan(None)
            return frame.set_axis([self._label(n) for n in made], axis=1) if self._kind == "pandas" else frame
        texts = [n for n, v in columns if isinstance(v, tuple)]
        if texts:
            raise TailrankError(f"columns {', '.join(texts)} hold categories; install pandas or polars to hand them to an estimator")
        return np.column_stack(list(made.values()))

    def _label(self, name: str) -> Any:
        return self._columns[name].label if name in self._columns else name

    def _values_of(self, name: str, values: Any) -> Any:
        """A column in the type it came in; categories of bundled data and files are those of the library."""
        column = self._columns.get(name)
        if isinstance(values, list):
            return values
        if isinstance(values, tuple):
            codes, levels = values
            if column is not None and column.kind == "word":
                levels = [column.meaning.get(level, level) for level in levels]
            elif column is not None:
                numbers = np.array([*map(float, levels), np.nan])
                return _frames.restore(numbers[codes], column.native)
            elif self._kind == "pandas":
                import pandas

                # Categories of pandas keep their levels where a fold lacks one.
                return pandas.Categorical.from_codes(codes, categories=levels)
            items = [None if c < 0 else levels[c] for c in codes.tolist()]
            return items if column is None else _frames.restore(items, column.native)
        return values if column is None else _frames.restore(values, column.native)


def _texts(column: Any) -> list[str]:
    codes, levels = column
    return ["missing" if c < 0 else levels[c] for c in codes.tolist()]


def _params(estimator: Any) -> dict[str, Any]:
    return estimator.get_params() if hasattr(estimator, "get_params") else {}


def _takes(estimator: Any, option: str) -> bool:
    try:
        return option in inspect.signature(estimator.fit).parameters
    except (TypeError, ValueError):
        return False


def _weight_option(estimator: Any) -> str | None:
    """What ``fit`` calls the weights of rows; the last step of a pipeline gets them by its name unless metadata are routed."""
    if _takes(estimator, "sample_weight"):
        return "sample_weight"
    steps = getattr(estimator, "steps", None)
    if steps:
        name, last = steps[-1]
        inner = _weight_option(last)
        return inner and (inner if _routes_metadata() else f"{name}__{inner}")
    # Meta-estimators pass on what they are given.
    inside = next((v for n in ("estimator", "regressor") if hasattr(v := getattr(estimator, n, None), "fit")), None)
    return None if inside is None else _weight_option(inside)


def _routes_metadata() -> bool:
    from sklearn import get_config

    return bool(get_config().get("enable_metadata_routing"))


def _copy(estimator: Any) -> Any:
    if hasattr(estimator, "get_params") and "sklearn" in sys.modules:
        from sklearn.base import clone

        try:
            return clone(estimator)
        except RuntimeError:  # CatBoost changes what its constructor is given
            pass
    return copy.deepcopy(estimator)


class Words:
    """Describes objects in words that are the same in every run; ``unknown`` names the first that has none."""

    def __init__(self) -> None:
        self.unknown: str | None = None

    def of(self, value: Any) -> str:
        """The words of one object."""
        if value is None or isinstance(value, (bool, int, float, str, bytes)):
            return repr(value)
        if isinstance(value, (list, tuple)):
            return f"{type(value).__name__}[{', '.join(self.of(v) for v in value)}]"
        if isinstance(value, (set, frozenset)):
            return f"{type(value).__name__}{{{', '.join(sorted(self.of(v) for v in value))}}}"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.of(k)}: {self.of(v)}" for k, v in value.items()) + "}"
        if isinstance(value, np.ndarray):
            if value.dtype == object:
                return f"array{value.shape}{self.of(value.ravel().tolist())}"
            return f"array({value.dtype}, {value.shape}, {_checksum(np.ascontiguousarray(value).tobytes())})"
        if isinstance(value, (np.generic, np.dtype)):
            return f"{type(value).__name__}({value})"
        if inspect.isclass(value):
            return self._class(value)
        if hasattr(value, "get_params"):
            parts = value.get_params(deep=False)
            return f"{self._class(type(value))}({', '.join(f'{n}={self.of(v)}' for n, v in sorted(parts.items()))})"
        if inspect.isfunction(value):
            return self._function(value)
        if isinstance(value, np.ufunc) or (inspect.isbuiltin(value) and inspect.ismodule(value.__self__ or builtins)):
            return f"{getattr(value, '__module__', '')}.{value.__name__}"
        return self._object(value)

    def _object(self, value: Any) -> str:
        # What a pickle would hold: attributes alone leave out what objects written in C are made of.
        try:
            parts = value.__reduce_ex__(4)
        except Exception:  # whatever a class raises that cannot be pickled
            return self._give_up(value)
        made = [parts] if isinstance(parts, str) else [p for p in parts[1:] if p is not None]
        return f"{self._class(type(value))}({', '.join(map(self.of, made))})"

    def _class(self, kind: Any) -> str:
        package = kind.__module__.partition(".")[0]
        name = f"{kind.__module__}.{kind.__qualname__}"
        version = _version(package)
        if version is not None:
            return f"{name} {version}"
        return f"{name} {self._source(kind)}"

    def _function(self, function: Any) -> str:
        package = (function.__module__ or "").partition(".")[0]
        version = _version(package)
        name = f"{function.__module__}.{function.__qualname__}"
        if version is not None and "<lambda>" not in name and "<locals>" not in name:
            return f"{name} {version}"
        # Two lambdas may stand on one line of source: their code tells them apart.
        words = f"{name} {self._source(function)} {_code(function.__code__)} {self.of(function.__defaults__)}"
        if function.__closure__:
            words += " [" + ", ".join(self.of(cell.cell_contents) for cell in function.__closure__) + "]"
        return words

    def _source(self, thing: Any) -> str:
        try:
            return _checksum(inspect.getsource(thing).encode())
        except (OSError, TypeError):
            return self._give_up(thing)

    def _give_up(self, value: Any) -> str:
        if self.unknown is None:
            self.unknown = f"a {type(value).__name__}"
        return "?"


def _code(code: Any) -> str:
    """A checksum of a function's code and constants."""
    constants = [_code(c) if inspect.iscode(c) else repr(c) for c in code.co_consts]
    return _checksum(repr((code.co_code, code.co_names, constants)).encode())


def _checksum(content: bytes, size: int = 16) -> str:
    return hashlib.blake2b(content, digest_size=size).hexdigest()


def _version(package: str) -> str | None:
    """The version of an installed package; none of what was written by the user."""
    if package in ("builtins", *sys.stdlib_module_names):
        return f"Python {sys.version_info.major}.{sys.version_info.minor}"
    try:
        names = _distributions().get(package)
        return ", ".join(f"{n} {importlib.metadata.version(n)}" for n in names) if names else None
    except importlib.metadata.PackageNotFoundError:
        return None


def _distributions(cache: Any = {}) -> Any:  # noqa: B006 — computed once
    if not cache:
        cache.update({k: sorted(set(v)) for k, v in importlib.metadata.packages_distributions().items()})
    return cache


def scalar(value: Any) -> Any:
    """A value of a grid as an experiment file holds it: itself, or words that stand for it."""
    if isinstance(value, (bool, int, float, str, np.bool_, np.integer, np.floating)):
        return value.item() if isinstance(value, np.generic) else value
    return short(value)


def short(value: Any) -> str:
    """A few words for tables."""
    text = " ".join(repr(value).split())
    if len(text) <= 60 and " at 0x" not in text:
        return text
    return f"{type(value).__name__} {_checksum(json.dumps(Words().of(value)).encode(), 4)}"
