"""Measures of arrays; the list and the formulas come from the Rust crate ``tailrank-metrics``."""

from __future__ import annotations

import functools
import inspect
import json
import math
import operator
import textwrap
import warnings
from typing import Any

import numpy as np

from . import _tailrank
from ._arrays import listed, same_index
from ._tailrank import Relevance, TailrankError


class UndefinedWarning(UserWarning):
    """A measure has no value for these predictions; the message says why."""


REQUIRED = inspect.Parameter.empty

# What a measure needs, as arguments: name, default, what it is.
_ARGUMENTS: dict[str, list[tuple[str, Any, str]]] = {
    "EventThreshold": [("t_e", 0.5, "values with φ ≥ t_E are events")],
    "Accuracy": [
        ("t_l", REQUIRED, "the largest error that still counts as good, in units of the target"),
        ("alpha", "smooth", "shape of the accuracy α of a prediction: indicator, linear or smooth (PR09 eq. 8–9)"),
        ("alpha_k", 8.0, "k of the smooth α"),
    ],
    "Beta": [("beta", 1.0, "weight of recall: below 1 favours precision")],
    "Utility": [
        ("t_l", REQUIRED, "the largest admissible error, in units of the target"),
        ("p", 0.5, "above 0.5 missed events weigh more than false alarms"),
        ("benefit", 1.0, "the largest benefit, B"),
    ],
    "Uba": [("p", 0.5, "above 0.5 missed events weigh more than false alarms")],
    "Reference": [("y_train", None, "targets whose mean the errors are held against; the true values by default")],
    "Loss": [("over", 1.0, "cost of predicting too much"), ("under", 1.0, "cost of predicting too little")],
    "Linex": [("shape", 1.0, "a of LINEX, in units of 1 / target"), ("scale", 1.0, "b of LINEX")],
    "Trading": [
        ("threshold", REQUIRED, "predicted return from which a trade is made"),
        ("horizon", 1, "steps that a position is held"),
        ("cost", 0.0, "cost of a side, as a share of what is traded"),
    ],
}

_WITH_PHI = {"Relevance", "Uba"}

# Arguments that `score`, `compare` and `scorer` take for all measures together.
SETTINGS = {option: None if default is REQUIRED else default for options in _ARGUMENTS.values() for option, default, _ in options}
SETTINGS |= {"horizon": None, "sample_weight": None}
# Those of them that belong to single rows or series, of which only `score` and the measures know.
OF_ROWS = ("y_train", "horizon", "sample_weight")


_MEASURES = {m["id"]: m for m in _tailrank.list_measures()}


def sections(settings: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """``[measures]`` and ``[trading]`` of an experiment file."""
    s = {**SETTINGS, **{k: v for k, v in settings.items() if v is not None}}
    measures = {
        "t_l": s["t_l"],
        "alpha": s["alpha"],
        "alpha_k": s["alpha_k"],
        "beta": s["beta"],
        "utility": {"p": s["p"], "benefit": s["benefit"]},
        "loss": {"over": s["over"], "under": s["under"]},
        "linex": {"shape": s["shape"], "scale": s["scale"]},
    }
    return measures, None if s["threshold"] is None else {"threshold": s["threshold"], "cost": s["cost"]}


def as_json(settings: dict[str, Any]) -> tuple[str, str | None]:
    """The same as JSON."""
    measures, trading = sections(settings)
    return json.dumps(measures), json.dumps(trading) if trading else None


def rules(ids: tuple[str, ...], **settings: Any) -> Any:
    """The measures with their settings, as the core takes them; made once for calls that are alike."""
    try:
        return _rules(ids, **settings)
    except TypeError:  # something that has no hash, of which the message follows
        return _rules.__wrapped__(ids, **settings)


@functools.lru_cache(maxsize=256, typed=True)
def _rules(ids: tuple[str, ...], **settings: Any) -> Any:
    return _tailrank.Rules(list(ids), *as_json(settings))


def default_measures(settings: dict[str, Any]) -> list[str]:
    """What is computed where nobody says."""
    events = ["precision", "recall", "f", "utility"] if settings.get("t_l") is not None else []
    return ["mad", "rmse", *events, "sera"]


def relevance_of(relevance: Any, y: Any) -> Relevance | None:
    """A relevance function; "boxplot" takes its centres from the values given."""
    if relevance is None or isinstance(relevance, Relevance):
        return relevance
    if isinstance(relevance, str) and relevance == "boxplot":
        return Relevance.boxplot(y)
    raise TailrankError(f"relevance = {relevance!r}: give a tailrank.Relevance, or \"boxplot\"")


def _cases(y_true: Any, y_pred: Any, relevance: Any) -> Any:
    """True values and predictions, and what matters of them."""
    return (y_true, y_pred), relevance_of(relevance, y_true)


def _scores(y_true: Any, y_pred: Any, ids: Any, relevance: Any, settings: Any) -> Any:
    same_index(y_true, y_pred, "the predictions")
    horizon, train, weights = (settings.pop(name, None) for name in ("horizon", "y_train", "sample_weight"))
    return _tailrank.score(
        *_cases(y_true, y_pred, relevance),
        rules(tuple(ids), **settings),
        settings.get("t_e", 0.5),
        horizon,
        train,
        weights,
    )


def score(y_true: Any, y_pred: Any, measures: Any, relevance: Any = None, *, undefined: Any = math.nan, **settings: Any) -> dict[str, float]:
    """Scores of one vector of predictions by several measures.

    ``settings`` are those of the measures: ``t_l``, ``t_e``, ``beta``, ``alpha``, ``alpha_k``, ``p``, ``benefit``, ``over``, ``under``,
    ``shape``, ``scale``, ``threshold``, ``horizon``, ``cost``, ``y_train``, ``sample_weight``. An undefined score is ``undefined``, NaN by
    default; a warning says why.

    >>> import tailrank as tr
    >>> tr.score([1.0, 2.0, 4.0], [1.5, 2.0, 3.0], ["mad", "rmse"])
    {'mad': 0.5, 'rmse': 0.6454972243679028}
    """
    _known(settings, SETTINGS)
    ids = listed(measures)
    scores = {}
    # Two names of one measure are one.
    for name, one in zip(dict.fromkeys(_id(i) for i in ids), _scores(y_true, y_pred, ids, relevance, settings)):
        scores[name] = _value(name, one, undefined)
    return scores


def _id(name: str) -> str:
    wanted = name.strip().lower()
    return next((i for i, m in _MEASURES.items() if wanted == i or wanted in m["aliases"]), wanted)


def _value(name: Any, found: Any, undefined: Any) -> Any:
    value, reason = found
    if value is not None:
        return value
    warnings.warn(f"{name} is undefined: {reason}", UndefinedWarning, stacklevel=3)
    return undefined


def _known(given: Any, allowed: Any) -> None:
    for name in given:
        if name not in allowed:
            raise TypeError(f"unexpected setting {name!r}; there are {', '.join(allowed)}")


def _make(info: dict[str, Any]) -> Any:
    """The function of one measure, with the arguments it needs."""
    name, needs = info["id"], info["needs"]
    phi = bool(_WITH_PHI & set(needs))
    options: dict[str, tuple[Any, str]] = {}
    for need in needs:
        for option, default, meaning in _ARGUMENTS.get(need, []):
            options.setdefault(option, (default, meaning))
    if info["takes_weights"]:
        options["sample_weight"] = (None, "how often each case counts, in all sums; a weight of 2 is the case twice")
    required = [option for option, (default, _) in options.items() if default is REQUIRED]

    def measure(y_true: Any, y_pred: Any, *phi_given: Any, undefined: Any = math.nan, **settings: Any) -> Any:
        if phi and not phi_given:
            phi_given = (settings.pop("relevance", None),)
        if len(phi_given) > phi:
            raise TypeError(f"{name}() takes {2 + phi} arrays; give settings by their names")
        _known(settings, options)
        for option in required:
            if settings.get(option) is None:
                raise TypeError(f"{name}() needs {option}: {options[option][1]}")
        found = _scores(y_true, y_pred, [name], phi_given[0] if phi_given else None, settings)
        return _value(name, found[0], undefined)

    kinds = inspect.Parameter
    parameters = [kinds("y_true", kinds.POSITIONAL_OR_KEYWORD), kinds("y_pred", kinds.POSITIONAL_OR_KEYWORD)]
    if phi:
        parameters.append(kinds("relevance", kinds.POSITIONAL_OR_KEYWORD))
    parameters += [kinds(o, kinds.KEYWORD_ONLY, default=d) for o, (d, _) in options.items()]
    parameters.append(kinds("undefined", kinds.KEYWORD_ONLY, default=math.nan))
    setattr(measure, "__signature__", inspect.Signature(parameters))
    measure.__name__ = measure.__qualname__ = name
    measure.__module__ = "tailrank"
    measure.__doc__ = _doc(info, phi, options)
    return measure


def _doc(info: Any, phi: Any, options: Any) -> str:
    lines = [f"{info['symbol']}: {info['name']}.", "", f"    {info['formula']}", "", f"Source: {info['citation']}."]
    lines.append("Larger is better." if info["greater_is_better"] else "Smaller is better.")
    lines += ["", "Arguments:", "    y_true, y_pred: true and predicted values, one for each case; contiguous float64 is not copied"]
    if phi:
        lines.append('    relevance: φ, a ``Relevance``; "boxplot" takes it from the true values')
    lines += [f"    {name}: {meaning}" for name, (_, meaning) in options.items()]
    lines.append("    undefined: what to return, with an ``UndefinedWarning``, where there is no value")
    if info["undefined"]:
        lines += ["", *textwrap.wrap("Undefined where " + ", or ".join(info["undefined"]) + ".", 76)]
    return "\n".join(lines)


FUNCTIONS = {name: _make(info) for name, info in _MEASURES.items()}


def event_counts(y_true: Any, y_pred: Any, relevance: Any, *, t_l: Any, t_e: Any = 0.5) -> dict[str, int]:
    """Events, signals and how they met, in counts of cases.

    ======== ==============================================================
    event    φ(y) ≥ t_E
    signal   φ(ŷ) ≥ t_E
    hit      a signal on an event of its side with an error of at most t_L
    ======== ==============================================================

    Signals that meet an event with a larger error are near misses, all others false alarms; events without a signal are missed.
    """
    return _tailrank.event_counts(*_cases(y_true, y_pred, relevance), t_e, rules(("f",), t_l=t_l))


def episodes(
    y_true: Any, y_pred: Any, relevance: Any, *, gap: Any = 1, lead: Any = 0, cooldown: Any = 1, t_e: Any = 0.5
) -> dict[str, Any]:
    """Episodes of events and alarms of signals, for rows in time order.

    Events with fewer than ``gap`` rows between them are one episode. It is caught if a signal falls between ``lead`` rows before its start
    and its end. Signals at most ``cooldown`` rows apart are one alarm. Lead times are rows from the first signal to the start of a caught
    episode; negative ones are signals inside. The two sides of the target are counted apart.
    """
    rows = [_rows(value, name) for value, name in ((gap, "gap"), (lead, "lead"), (cooldown, "cooldown"))]
    return _tailrank.episodes(*_cases(y_true, y_pred, relevance), t_e, *rows)


def _rows(value: Any, name: str) -> int:
    try:
        rows = operator.index(value)
    except TypeError:
        rows = -1
    if rows < 0:
        raise TailrankError(f"{name} is a whole number of rows, 0 or more, not {value!r}")
    return rows


def rec_curve(y_true: Any, y_pred: Any, *, error: Any = "absolute") -> tuple[np.ndarray, np.ndarray]:
    """The regression error characteristic curve: errors, and the share of cases whose error is at most that (Bi & Bennett 2003).

    ``error`` is "absolute" or "squared". The area over the curve is the mean error.
    """
    return _tailrank.rec_curve((y_true, y_pred), error)


def pr_curve(y_true: Any, y_pred: Any, relevance: Any, *, t_l: Any, alpha: Any = "smooth", alpha_k: Any = 8.0) -> Any:
    """Precision and recall over the event threshold: arrays of t_E, precision and recall (NaN where undefined), and the area."""
    of = rules(("pr_area",), t_l=t_l, alpha=alpha, alpha_k=alpha_k)
    return _tailrank.pr_curve(*_cases(y_true, y_pred, relevance), of)


def event_curves(y_true: Any, y_pred: Any, relevance: Any, *, t_e: Any = 0.5, side: Any = "high") -> dict[str, Any]:
    """Curves of alarms for the events of one side, the cases ranked by their predictions.

    ``roc`` is (false positive rate, true positive rate, thresholds), ``lift`` is (share of the cases signalled, lift), ``cost`` is
    (weight of missed events, normalised cost of the best threshold), and ``roc_area`` is the area under the ROC curve. On the low side
    thresholds are those of -y_pred.
    """
    return _tailrank.event_curves(*_cases(y_true, y_pred, relevance), t_e, side)


def ser_curve(y_true: Any, y_pred: Any, relevance: Any, thresholds: Any) -> np.ndarray[Any, Any]:
    """SER_t = Σ (ŷ − y)² over the cases with φ(y) ≥ t, for each t of ``thresholds``; its area over t from 0 to 1 is SERA."""
    return _tailrank.ser_curve(*_cases(y_true, y_pred, relevance), thresholds)
