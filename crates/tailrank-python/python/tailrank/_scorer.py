"""Measures as scorers of scikit-learn."""

from __future__ import annotations

import inspect
import math
from functools import partial
from typing import Any

from ._measures import FUNCTIONS, _id, _MEASURES
from ._tailrank import TailrankError


def scorer(measure: str, relevance: Any = None, *, undefined: float = math.nan, **settings: Any) -> Any:
    """A scorer for ``cross_val_score``, ``GridSearchCV`` and whatever else takes ``scoring``.

    By scikit-learn's convention larger is better, so that errors come out negative. ``relevance`` and the settings are those of the
    measure's own function (``help(tailrank.f)``); give the relevance of the training targets, so that all folds are judged alike.
    ``undefined`` is the score of predictions that have none, such as F without a signal: NaN, which a search ranks last.

    >>> scoring = tr.scorer("f", tr.Relevance.sigmoid(high=2.0), t_l=0.5, undefined=0.0)   # doctest: +SKIP
    >>> cross_val_score(model, X, y, scoring=scoring)                                      # doctest: +SKIP
    """
    try:
        from sklearn.metrics import make_scorer
    except ImportError:
        raise TailrankError("a scorer is for scikit-learn, which is not installed: pip install scikit-learn") from None
    name = _id(measure)
    if name not in FUNCTIONS:
        raise TailrankError(f"no measure is called '{measure}'; there are {', '.join(FUNCTIONS)}")
    if relevance is not None:
        settings["relevance"] = relevance
    # What is missing or unknown is told now, not by NaN in every fold.
    try:
        inspect.signature(FUNCTIONS[name]).bind(None, None, **settings)
    except TypeError as problem:
        raise TypeError(f"scorer({name!r}): {problem}; see help(tailrank.{name})") from None
    better = _MEASURES[name]["greater_is_better"]
    function = partial(FUNCTIONS[name], undefined=undefined if better else -undefined, **settings)
    # Earlier versions of scikit-learn call a scorer by its function's name.
    function.__name__ = name  # type: ignore[attr-defined]
    return make_scorer(function, greater_is_better=better)
