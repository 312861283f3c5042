"""Ranks regression models by what they do where it matters: the rare extreme values.

>>> import tailrank as tr
>>> y = [0.031, -0.004, -0.045, 0.002, 0.001]
>>> timid = [0.004, -0.001, -0.005, 0.001, 0.000]
>>> bold = [0.029, 0.012, -0.047, -0.022, 0.010]
>>> phi = tr.Relevance.sigmoid(low=-0.02, high=0.02)       # returns beyond ±2 % matter
>>> round(tr.mad(y, timid), 4), round(tr.mad(y, bold), 4)
(0.0144, 0.0106)
>>> round(tr.f(y, bold, phi, t_l=0.005), 3)                # errors up to half a percent are good
0.776
>>> tr.event_counts(y, timid, phi, t_l=0.005)["signals"]   # the timid one never says anything
0

* measures of arrays: ``mad``, ``f``, ``utility``, ``sera`` … (``list_measures``), ``score`` for many at once
* ``Relevance``: which values matter
* ``compare``: which of several models to take, and how sure that is
* ``Experiment``: grids of models over data, fitted, stored, resumed and reported
* ``scorer`` for scikit-learn, samplers (``SMOTER`` …) for imbalanced-learn
* ``reproduce``: the papers' studies

What is computed is computed by the same code as the command ``tailrank``, which comes along.
"""

from __future__ import annotations

import importlib as _importlib
from typing import Any

from ._tailrank import VERSION as __version__
from ._tailrank import FewRowsError, Interrupted, Relevance, TailrankError, list_measures

# Loaded when it is first asked for: the command line starts without NumPy, and nothing needs pandas or scikit-learn before its time.
_MODULES = {
    "_compare": ["Answer", "compare"],
    "_experiment": ["Experiment"],
    "_measures": ["UndefinedWarning", "episodes", "event_counts", "event_curves", "pr_curve", "rec_curve", "score", "ser_curve"],
    "_reproduce": ["reproduce"],
    "_run": ["Run"],
    "_samplers": ["UnderSampler", "OverSampler", "SMOTER", "NoiseSampler", "SMOGN", "WERCS", "weights"],
    "_scorer": ["scorer"],
    "_splits": ["KFold", "DateSplit", "Holdout", "SlidingWindow", "GrowingWindow", "Bootstrap"],
}
_LATER = {name: module for module, names in _MODULES.items() for name in names}
_LATER.update({measure["id"]: "_measures" for measure in list_measures()})

__all__ = sorted(["FewRowsError", "Interrupted", "Relevance", "TailrankError", "list_measures", *_LATER])  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: Any) -> Any:
    if name in _LATER:
        module = _importlib.import_module(f".{_LATER[name]}", __name__)
        value = getattr(module, name, None) or module.FUNCTIONS[name]
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> Any:
    return __all__
