"""Estimators of Python's inside an experiment: whatever has ``fit`` and ``predict``.

Stored predictions are found again by the estimator's *identity*: its class, the versions of the packages its classes come from, the
source of classes that are in no package, and every parameter, in all its parts. What has no such words (a function's closure, an open
file) makes an estimator that cannot be known again; it is fitted anew in every run, and a warning says so.
"""

from __future__ import annotations

import copy
import hashlib
import importlib.metadata
import inspect
import json
import sys
import uuid
import warnings

import numpy as np

from . import _frames
from ._tailrank import TailrankError


class Bridge:
    """An estimator as the engine sees it."""

    def __init__(self, estimator, name: str, kind: str | None, values: dict | None = None):
        for method in ("fit", "predict"):
            if not callable(getattr(estimator, method, None)):
                raise TailrankError(f"{name}: an estimator needs the methods fit and predict; this {type(estimator).__name__} has no {method}")
        self.name = name
        self.estimator = estimator
        self.parameters = set(_params(estimator))
        self.takes_weights = _takes_weights(estimator)
        self._kind = kind
        # Values of a grid that no experiment file can hold, by their words.
        self._values = values or {}
        words = Words()
        description = words.of(estimator)
        for option, objects in sorted(self._values.items()):
            description += f"\n{option}: " + ", ".join(f"{text}={words.of(v)}" for text, v in sorted(objects.items()))
        self.identity = f"{description}\nframe {kind}"
        if words.unknown:
            warnings.warn(
                f"{name}: {words.unknown} cannot be told from another of its kind in a later run; its fits are stored but never reused",
                stacklevel=4,
            )
            self.identity += f"\nonce {uuid.uuid4()}"

    def fit_predict(self, x, y, z, params, seed, weights):
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
        x, z = self._frame(x), self._frame(z)
        options = {} if weights is None else {"sample_weight": weights}
        fitted = estimator.fit(x, y, **options)
        predicted = (estimator if fitted is None else fitted).predict(z)
        return np.ascontiguousarray(np.asarray(predicted, dtype=np.float64).reshape(-1))

    def _frame(self, columns):
        if isinstance(columns, np.ndarray):
            return columns
        if self._kind == "pandas":
            import pandas

            # Categories of pandas keep their levels where a fold lacks one.
            made = {n: pandas.Categorical.from_codes(v[0], categories=v[1]) if isinstance(v, tuple) else v for n, v in columns}
            return pandas.DataFrame(made)
        if self._kind in ("polars", "pyarrow"):
            words = {n: [None if c < 0 else v[1][c] for c in v[0].tolist()] if isinstance(v, tuple) else v for n, v in columns}
            made = _frames.frame(words, self._kind)
            if self._kind == "polars":
                import polars

                kinds = {n: polars.Enum(v[1]) for n, v in columns if isinstance(v, tuple)}
                made = made.with_columns(polars.col(n).cast(k) for n, k in kinds.items()).fill_nan(None)
            return made
        texts = [n for n, v in columns if isinstance(v, tuple)]
        if texts:
            raise TailrankError(f"columns {', '.join(texts)} hold categories; install pandas or polars to hand them to an estimator")
        return np.column_stack([v for _, v in columns])


def _params(estimator) -> dict:
    get = getattr(estimator, "get_params", None)
    return get(deep=True) if callable(get) else {}


def _takes_weights(estimator) -> bool:
    try:
        return "sample_weight" in inspect.signature(estimator.fit).parameters
    except (TypeError, ValueError):
        return False


def _copy(estimator):
    if hasattr(estimator, "get_params") and "sklearn" in sys.modules:
        from sklearn.base import clone

        return clone(estimator)
    return copy.deepcopy(estimator)


class Words:
    """Describes objects in words that are the same in every run; ``unknown`` names the first that has none."""

    def __init__(self):
        self.unknown: str | None = None

    def of(self, value) -> str:
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
            content = hashlib.blake2b(np.ascontiguousarray(value).tobytes(), digest_size=16).hexdigest()
            return f"array({value.dtype}, {value.shape}, {content})"
        if isinstance(value, (np.generic, np.dtype)):
            return f"{type(value).__name__}({value})"
        if inspect.isclass(value):
            return self._class(value)
        if inspect.isfunction(value):
            return self._function(value)
        if inspect.isbuiltin(value) or isinstance(value, np.ufunc):
            return f"{getattr(value, '__module__', '')}.{value.__name__}"
        if callable(getattr(value, "get_params", None)):
            parts = value.get_params(deep=False)
            return f"{self._class(type(value))}({', '.join(f'{n}={self.of(v)}' for n, v in sorted(parts.items()))})"
        return self._object(value)

    def _object(self, value) -> str:
        if not hasattr(value, "__dict__"):
            return self._give_up(value)
        return f"{self._class(type(value))}({', '.join(f'{n}={self.of(v)}' for n, v in sorted(vars(value).items()))})"

    def _class(self, kind) -> str:
        package = kind.__module__.partition(".")[0]
        name = f"{kind.__module__}.{kind.__qualname__}"
        version = _version(package)
        if version is not None:
            return f"{name} {version}"
        return f"{name} {self._source(kind)}"

    def _function(self, function) -> str:
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

    def _source(self, thing) -> str:
        try:
            text = inspect.getsource(thing)
        except (OSError, TypeError):
            return self._give_up(thing)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def _give_up(self, value) -> str:
        if self.unknown is None:
            self.unknown = f"a {type(value).__name__}"
        return "?"


def _code(code) -> str:
    """A checksum of a function's code and constants."""
    constants = [_code(c) if inspect.iscode(c) else repr(c) for c in code.co_consts]
    return hashlib.blake2b(repr((code.co_code, code.co_names, constants)).encode(), digest_size=16).hexdigest()


def _version(package: str) -> str | None:
    """The version of an installed package; none of what was written by the user."""
    if package in ("builtins", *sys.stdlib_module_names):
        return f"Python {sys.version_info.major}.{sys.version_info.minor}"
    try:
        names = _distributions().get(package)
        return ", ".join(f"{n} {importlib.metadata.version(n)}" for n in names) if names else None
    except importlib.metadata.PackageNotFoundError:
        return None


def _distributions(cache={}):  # noqa: B006 — computed once
    if not cache:
        cache.update({k: sorted(set(v)) for k, v in importlib.metadata.packages_distributions().items()})
    return cache


def scalar(value):
    """A value of a grid as an experiment file holds it: itself, or words that stand for it."""
    if isinstance(value, (bool, int, float, str, np.bool_, np.integer, np.floating)):
        return value.item() if isinstance(value, np.generic) else value
    return short(value)


def short(value) -> str:
    """A few words for tables."""
    text = " ".join(repr(value).split())
    if len(text) <= 60 and " at 0x" not in text:
        return text
    words = Words().of(value)
    return f"{type(value).__name__} {hashlib.blake2b(json.dumps(words).encode(), digest_size=4).hexdigest()}"
