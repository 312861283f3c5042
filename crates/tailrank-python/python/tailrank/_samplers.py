"""Re-sampling for rare values of the target, by the conventions of imbalanced-learn, and weights of rows."""

from __future__ import annotations

import numbers

import numpy as np

from . import _frames, _tailrank
from ._arrays import floats
from ._measures import relevance_of
from ._tailrank import TailrankError

try:
    from sklearn.base import BaseEstimator
except ImportError:  # the samplers work without scikit-learn
    import inspect

    class BaseEstimator:
        """Parameters as scikit-learn has them."""

        def get_params(self, deep=True):
            return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

        def set_params(self, **params):
            for name, value in params.items():
                setattr(self, name, value)
            return self


class _Sampler(BaseEstimator):
    _step = ""
    _estimator_type = "sampler"
    _sampling_type = "bypass"

    def _parameters(self) -> dict:
        own = {n: getattr(self, n) for n in self.get_params(deep=False) if n not in ("relevance", "categorical", "random_state")}
        return {name: value for name, value in own.items() if value is not None}

    def fit(self, X, y=None, **params):
        """Does nothing; there is nothing to learn before rows are re-sampled."""
        return self

    def fit_resample(self, X, y, **params):
        """New rows and targets of the kind that came in. ``sample_indices_`` names the row that each comes from (of a synthetic row, the
        first of the two), ``parents_`` both."""
        columns, flags, back = _matrix(X, self.categorical)
        targets = floats(y, "the targets")
        relevance = relevance_of("boxplot" if self.relevance is None else self.relevance, targets)
        new, targets, parents = _tailrank.resample(
            columns, targets, relevance, self._step, self._parameters(), flags, _seed(self.random_state)
        )
        self.relevance_ = relevance
        self.parents_ = parents
        self.sample_indices_ = parents[:, 0]
        return back(new, parents), _like(y, targets)


def _seed(random_state) -> int:
    if random_state is None:
        return int(np.random.randint(0, 2**31 - 1))
    if isinstance(random_state, numbers.Integral):
        return int(random_state)
    return int(random_state.randint(0, 2**31 - 1) if hasattr(random_state, "randint") else random_state.integers(0, 2**31 - 1))


def _matrix(X, categorical):
    """Inputs as numbers, which of them are categories, and the way back."""
    if not _frames.is_frame(X):
        matrix = np.ascontiguousarray(X, dtype=np.float64)
        if matrix.ndim != 2:
            raise TailrankError(f"the inputs have {matrix.ndim} dimensions; give rows and columns")
        flags = [j in set(categorical or ()) for j in range(matrix.shape[1])]
        kind = X.dtype if isinstance(X, np.ndarray) and X.dtype.kind == "f" else np.float64
        return matrix, flags, lambda new, parents: new.astype(kind, copy=False)
    named = set(categorical or ())
    numbers_of, levels_of, flags = [], {}, []
    for name, values, is_text in _frames.columns_of(X):
        if is_text:
            levels = sorted({v for v in values if v is not None})
            place = {level: float(i) for i, level in enumerate(levels)}
            gap = float(len(levels))
            numbers_of.append(np.array([place.get(v, gap) for v in values]))
            levels_of[name] = [*levels, None]
        else:
            numbers_of.append(np.asarray(values, dtype=np.float64))
        flags.append(is_text or name in named)
    names = [name for name, _, _ in _frames.columns_of(X)]

    def back(new, parents):
        kind = _frames.kind_of(X)
        made = {}
        for j, name in enumerate(names):
            column = new[:, j]
            if name in levels_of:
                column = [levels_of[name][int(code)] for code in column]
            made[name] = column
        frame = _frames.frame(made, kind)
        if kind == "pandas":
            # Whole numbers stay so where no row was made between two.
            for name in names:
                if name in levels_of:
                    if str(X[name].dtype) == "category":
                        frame[name] = frame[name].astype(X[name].dtype)
        return frame

    return np.ascontiguousarray(np.column_stack(numbers_of)), flags, back


def _like(y, targets):
    kind = _frames.kind_of(y)
    if kind == "pandas":
        import pandas

        return pandas.Series(targets, name=getattr(y, "name", None))
    if kind == "polars":
        import polars

        return polars.Series(y.name, targets)
    return targets


_COMMON = """
    Arguments common to all samplers:
        relevance: φ, a ``Relevance``; from the box plot of the targets by default
        threshold: rows are rare from this relevance on
        categorical: inputs that are categories: places in an array, names in a data frame (text always is)
        random_state: a seed, or a generator of NumPy
"""


class UnderSampler(_Sampler):
    """All rare rows and a part of the normal ones (Torgo et al. 2013). ``share``: "balance", "extreme", or the share kept."""

    _step = "under"

    def __init__(self, share="balance", *, threshold=0.8, recent=False, relevance=None, categorical=None, random_state=None):
        self.share, self.threshold, self.recent = share, threshold, recent
        self.relevance, self.categorical, self.random_state = relevance, categorical, random_state


class OverSampler(_Sampler):
    """All rows and copies of the rare ones. ``share``: "balance", "extreme", or copies per rare row."""

    _step = "over"

    def __init__(self, share="balance", *, threshold=0.8, recent=False, limit=10.0, relevance=None, categorical=None, random_state=None):
        self.share, self.threshold, self.recent, self.limit = share, threshold, recent, limit
        self.relevance, self.categorical, self.random_state = relevance, categorical, random_state


class SMOTER(_Sampler):
    """Fewer normal rows, and new rows between rare ones and one of their ``k`` neighbours (SmoteR, Torgo et al. 2013).

    A new row lies at x = x₁ + g·(x₂ − x₁) with g drawn from (0, 1), its target at the same place between theirs.
    """

    _step = "smote"

    def __init__(
        self, k=5, *, share="balance", distance="auto", threshold=0.8, recent=False, limit=10.0, relevance=None, categorical=None, random_state=None
    ):
        self.k, self.share, self.distance, self.threshold = k, share, distance, threshold
        self.recent, self.limit = recent, limit
        self.relevance, self.categorical, self.random_state = relevance, categorical, random_state


class NoiseSampler(_Sampler):
    """Fewer normal rows, and rare rows with Gaussian noise of ``pert`` standard deviations (Branco et al. 2019)."""

    _step = "noise"

    def __init__(
        self, pert=0.1, *, share="balance", threshold=0.8, recent=False, limit=10.0, relevance=None, categorical=None, random_state=None
    ):
        self.pert, self.share, self.threshold, self.recent, self.limit = pert, share, threshold, recent, limit
        self.relevance, self.categorical, self.random_state = relevance, categorical, random_state


class SMOGN(_Sampler):
    """SMOTER where the neighbour is near, noise where it is not (Branco, Torgo & Ribeiro 2017)."""

    _step = "smogn"

    def __init__(
        self,
        k=5,
        *,
        pert=0.1,
        share="balance",
        distance="auto",
        threshold=0.8,
        recent=False,
        limit=10.0,
        relevance=None,
        categorical=None,
        random_state=None,
    ):
        self.k, self.pert, self.share, self.distance, self.threshold = k, pert, share, distance, threshold
        self.recent, self.limit = recent, limit
        self.relevance, self.categorical, self.random_state = relevance, categorical, random_state


class WERCS(_Sampler):
    """Rows added by relevance and taken away by the lack of it, both drawn by φ alone (Branco et al. 2019)."""

    _step = "wercs"

    def __init__(self, over=0.5, under=0.5, *, share=None, threshold=0.8, limit=10.0, relevance=None, categorical=None, random_state=None):
        self.over, self.under, self.share, self.threshold, self.limit = over, under, share, threshold, limit
        self.relevance, self.categorical, self.random_state = relevance, categorical, random_state


for _one in (UnderSampler, OverSampler, SMOTER, NoiseSampler, SMOGN, WERCS):
    _one.__module__ = "tailrank"
    _one.__doc__ += "\n" + _COMMON


def weights(y, kind: str = "phi", relevance=None, **parameters) -> np.ndarray:
    """How much each training row should count, for ``fit(..., sample_weight=...)``; 1 on average.

    ======= ================================================================================
    phi     φ(y) + ``floor``; with ``floor=0``, squared error under these weights is SERA
    dense   falls with the density of the targets, ``alpha`` says how steeply (DenseWeight)
    lds     1 over the smoothed number of targets alike, in ``bins`` (label distribution smoothing)
    ======= ================================================================================
    """
    targets = floats(y, "the targets")
    if kind == "phi":
        relevance = relevance_of("boxplot" if relevance is None else relevance, targets)
    return _tailrank.row_weights(targets, relevance, kind, parameters)
