"""Re-sampling for rare values of the target, by the conventions of imbalanced-learn, and weights of rows."""

from __future__ import annotations

import numbers
import warnings
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from . import _frames, _tailrank
from ._arrays import floats, listed
from ._measures import relevance_of
from ._tailrank import FewRowsError, TailrankError

try:
    from sklearn.base import BaseEstimator, OneToOneFeatureMixin  # pyright: ignore[reportAssignmentType]
except ImportError:  # the samplers work without scikit-learn
    import inspect

    class BaseEstimator:  # type: ignore[no-redef]
        """Parameters as scikit-learn has them."""

        def get_params(self, deep: Any = True) -> Any:
            return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

        def set_params(self, **params: Any) -> Any:
            for name, value in params.items():
                setattr(self, name, value)
            return self

    class OneToOneFeatureMixin:  # type: ignore[no-redef]
        """Names of columns, which scikit-learn asks for."""


@dataclass(eq=False, repr=False)
class _Sampler(OneToOneFeatureMixin, BaseEstimator):  # type: ignore[misc]
    _: KW_ONLY
    threshold: Any = 0.8
    relevance: Any = None
    categorical: Any = None
    on_few: Any = "warn"
    random_state: Any = None

    _step = ""
    # Whether every row is one of the old ones, so that nothing but targets is looked at.
    _copies = False
    _estimator_type = "sampler"
    _sampling_type = "bypass"

    def _parameters(self) -> dict[str, Any]:
        own = {n: getattr(self, n) for n in self.get_params(deep=False) if n not in ("relevance", "categorical", "on_few", "random_state")}
        return {name: value for name, value in own.items() if value is not None}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # pyright: ignore[reportAttributeAccessIssue]
        tags.input_tags.sparse = True
        return tags

    def fit(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Notes the names of the inputs; there is nothing else to learn before rows are re-sampled."""
        named = None if isinstance(X, (list, tuple)) else getattr(X, "columns", None)
        shape: tuple[int, ...] = np.shape(X) if isinstance(X, (list, tuple)) else X.shape
        if len(shape) != 2:
            raise TailrankError(f"the inputs have the shape {shape}; give rows and columns: Reshape your data, as X.reshape(-1, 1) does")
        self.n_features_in_ = shape[1]
        if named is not None and all(isinstance(name, str) for name in named):
            self.feature_names_in_ = np.array(list(named), dtype=object)
        return self

    def fit_resample(self, X: Any, y: Any, **params: Any) -> Any:
        """New rows and targets of the kind that came in. ``sample_indices_`` names the row that each comes from (of a synthetic row, the
        first of the two), ``parents_`` both."""
        if self.on_few not in ("warn", "raise"):
            raise TailrankError(f"on_few = {self.on_few!r}: use \"warn\" or \"raise\"")
        targets = floats(y, "the targets")
        n = len(targets)
        if _frames.length(X) != n:
            raise TailrankError(f"the inputs have {_frames.length(X)} rows, the targets {n}")
        if not np.isfinite(targets).all():
            raise TailrankError(f"the target of row {int(np.flatnonzero(~np.isfinite(targets))[0]) + 1} is missing or not finite")
        self.fit(X)
        table = None if self._copies else _Matrix(X, self.categorical)
        inputs, flags = (targets[:, None], [False]) if table is None else (table.values, table.flags)
        try:
            self.relevance_ = _derived(self.relevance, targets)
            new, new_targets, self.parents_, _ = _tailrank.apply_step(
                inputs, targets, self.relevance_, self._step, self._parameters(), flags, _seed(self.random_state)
            )
        except FewRowsError as few:
            if self.on_few == "raise":
                raise
            warnings.warn(f"{few}; the rows are returned as they are", stacklevel=2)
            new, new_targets, self.parents_ = inputs, targets, np.repeat(np.arange(n)[:, None], 2, axis=1)
            table = None
        self.sample_indices_ = self.parents_[:, 0]
        if table is None:
            return _frames.take(X, self.sample_indices_), _frames.take(y, self.sample_indices_)
        return table.back(new, self.sample_indices_), _targets_like(y, new_targets, self.sample_indices_)


def _derived(relevance: Any, targets: Any) -> Any:
    """φ as given; where the targets are to give it and cannot, there are no rare rows."""
    if relevance is not None and not isinstance(relevance, str):
        return relevance_of(relevance, targets)
    try:
        return relevance_of(relevance or "boxplot", targets)
    except TailrankError as problem:
        if relevance not in (None, "boxplot"):
            raise
        raise FewRowsError(str(problem)) from None


def _seed(random_state: Any) -> int:
    if isinstance(random_state, numbers.Integral):
        return int(random_state)
    source: Any = np.random if random_state is None else random_state
    draw = source.randint if hasattr(source, "randint") else source.integers
    return int(draw(np.iinfo(np.int32).max))


class _Matrix:
    """Inputs as numbers, which of them are categories, and the way back."""

    def __init__(self, X: Any, categorical: Any) -> None:
        self._X = X
        self._columns = _frames.columns_of(X, "the inputs")
        named = set(listed(categorical) if categorical is not None else ())
        unknown = named - {c.label for c in self._columns} - {c.name for c in self._columns} - set(range(len(self._columns)))
        if unknown:
            raise TailrankError(f"categorical: there is no column {', '.join(map(str, unknown))}")
        numbers_of, self._levels = [], {}
        for column in self._columns:
            if column.kind == "time":
                raise TailrankError(f"column '{column.name}' holds dates, between which no rows are made; leave it out")
            if column.kind == "word":
                levels = list(column.meaning)
                place = {word: float(i) for i, word in enumerate(levels)}
                # A gap is a category of its own.
                numbers_of.append(np.array([place.get(v, float(len(levels))) for v in column.values]))
                self._levels[column.name] = [*(column.meaning[word] for word in levels), None]
            else:
                numbers_of.append(column.values)
        self.values = np.ascontiguousarray(np.column_stack(numbers_of))
        self.flags = [c.name in self._levels or c.label in named or c.name in named or j in named for j, c in enumerate(self._columns)]
        # Halves of true and false are neither.
        self.flags = [flag or "bool" in str(getattr(c.native, "dtype", "")).lower() for flag, c in zip(self.flags, self._columns)]
        gaps = np.isnan(self.values).any(axis=0)
        if gaps.any():
            raise TailrankError(f"column '{self._columns[int(np.argmax(gaps))].name}' has gaps, between which no rows are made; fill them first")

    def back(self, new: Any, rows: Any) -> Any:
        """Rows of the kind that came in: names, types, categories, and of pandas the index of the row that each comes from."""
        made = {}
        for j, column in enumerate(self._columns):
            values = new[:, j]
            if column.name in self._levels:
                values = [self._levels[column.name][int(code)] for code in values]
            made[column.label] = _frames.restore(values, column.native)
        kind = _frames.kind_of(self._X)
        if kind is not None:
            frame = _frames.frame(made, kind)
            return frame.set_axis(self._X.index[rows]) if kind == "pandas" else frame
        if hasattr(self._X, "dtype"):
            array = np.column_stack(list(made.values())).astype(self._X.dtype)
            return type(self._X)(array) if hasattr(self._X, "toarray") else array
        return np.column_stack(list(made.values())).tolist()


def _targets_like(y: Any, targets: Any, rows: Any) -> Any:
    kind = _frames.kind_of(y)
    if kind is not None and hasattr(y, "columns"):
        frame = _Matrix(y, None)
        return frame.back(targets[:, None], rows)
    # New targets lie between old ones, so that they are no categories.
    plain = str(getattr(y, "dtype", getattr(y, "type", "object"))) in ("category", "object")
    made = targets if plain else _frames.restore(targets, y)
    if kind == "pandas":
        import pandas

        return pandas.Series(made, index=y.index[rows], name=y.name) if hasattr(y, "index") else pandas.Index(made, name=y.name)
    if kind == "polars":
        return made.alias(y.name)
    if kind == "pyarrow" and hasattr(y, "chunks"):
        import pyarrow

        return pyarrow.chunked_array([made])
    if kind is None and isinstance(y, (list, tuple)):
        return made.tolist()
    return made.reshape(-1, *y.shape[1:]) if kind is None and hasattr(y, "shape") else made


_COMMON = """
    Arguments common to all samplers:
        relevance: φ, a ``Relevance``; from the box plot of the targets by default
        threshold: rows are rare from this relevance on
        categorical: inputs that are categories: places in an array, names in a data frame (text always is)
        on_few: where there are too few rare rows, "warn" and return the rows as they are, or "raise"
        random_state: a seed, or a generator of NumPy

    Columns keep their names, types and categories; new values of whole numbers are rounded.
"""


@dataclass(eq=False, repr=False)
class UnderSampler(_Sampler):
    """All rare rows and a part of the normal ones (Torgo et al. 2013). ``share``: "balance", "extreme", or the share kept."""

    _step = "under"
    _copies = True
    share: Any = "balance"
    _: KW_ONLY
    recent: Any = False


@dataclass(eq=False, repr=False)
class OverSampler(_Sampler):
    """All rows and copies of the rare ones. ``share``: "balance", "extreme", or copies per rare row."""

    _step = "over"
    _copies = True
    share: Any = "balance"
    _: KW_ONLY
    recent: Any = False
    limit: Any = 10.0


@dataclass(eq=False, repr=False)
class SMOTER(_Sampler):
    """Fewer normal rows, and new rows between rare ones and one of their ``k`` neighbours (SmoteR, Torgo et al. 2013).

    A new row lies at x = x₁ + g·(x₂ − x₁) with g drawn from (0, 1), its target at the same place between theirs.
    """

    _step = "smote"
    k: Any = 5
    _: KW_ONLY
    share: Any = "balance"
    distance: Any = "auto"
    recent: Any = False
    limit: Any = 10.0


@dataclass(eq=False, repr=False)
class NoiseSampler(_Sampler):
    """Fewer normal rows, and rare rows with Gaussian noise of ``pert`` standard deviations (Branco et al. 2019)."""

    _step = "noise"
    pert: Any = 0.1
    _: KW_ONLY
    share: Any = "balance"
    recent: Any = False
    limit: Any = 10.0


@dataclass(eq=False, repr=False)
class SMOGN(_Sampler):
    """SMOTER where the neighbour is near, noise where it is not (Branco, Torgo & Ribeiro 2017)."""

    _step = "smogn"
    k: Any = 5
    _: KW_ONLY
    pert: Any = 0.1
    share: Any = "balance"
    distance: Any = "auto"
    recent: Any = False
    limit: Any = 10.0


@dataclass(eq=False, repr=False)
class WERCS(_Sampler):
    """Rows added by relevance and taken away by the lack of it, both drawn by φ alone (Branco et al. 2019)."""

    _step = "wercs"
    _copies = True
    over: Any = 0.5
    under: Any = 0.5
    _: KW_ONLY
    share: Any = None
    limit: Any = 10.0


for _one in (UnderSampler, OverSampler, SMOTER, NoiseSampler, SMOGN, WERCS):
    _one.__module__ = "tailrank"
    _one.__doc__ = f"{_one.__doc__}\n{_COMMON}"


def weights(y: Any, kind: str = "phi", relevance: Any = None, **parameters: Any) -> np.ndarray[Any, Any]:
    """How much each training row should count, for ``fit(..., sample_weight=...)``; 1 on average.

    ======= ================================================================================
    phi     φ(y) + ``floor``; with ``floor=0``, squared error under these weights is SERA
    dense   falls with the density of the targets, ``alpha`` says how steeply (DenseWeight)
    lds     1 over the smoothed number of targets alike, in ``bins`` (label distribution smoothing)
    ======= ================================================================================
    """
    if kind not in ("phi", "dense", "lds"):
        raise TailrankError(f"{kind!r} gives no weights; use phi, dense or lds")
    targets = floats(y, "the targets")
    if kind == "phi":
        relevance = relevance_of("boxplot" if relevance is None else relevance, targets)
    elif relevance is not None:
        raise TailrankError(f"weights by {kind!r} look at how targets are spread, not at their relevance")
    # These look at targets alone, and draw nothing.
    return _tailrank.apply_step(targets[:, None], targets, relevance, kind, parameters, [False], 0)[-1]
