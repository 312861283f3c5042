"""Experiment files as text."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np


def value(v: Any) -> str:
    """A value of TOML."""
    if isinstance(v, (bool, np.bool_)):
        return "true" if v else "false"
    if isinstance(v, (int, np.integer)):
        return str(int(v))
    if isinstance(v, (float, np.floating)):
        v = float(v)
        return "nan" if math.isnan(v) else ("-inf" if v < 0 else "inf") if math.isinf(v) else repr(v)
    if isinstance(v, str):
        # A string of JSON is one of TOML, but for the delete character.
        return json.dumps(v, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(v, dict):
        return "{ " + ", ".join(f"{key(k)} = {value(x)}" for k, x in v.items() if x is not None) + " }"
    if isinstance(v, (list, tuple, np.ndarray)):
        return "[" + ", ".join(value(x) for x in v) + "]"
    if hasattr(v, "isoformat"):
        return v.isoformat()
    raise TypeError(f"{v!r} cannot be written into an experiment")


def key(name: Any) -> str:
    """A key of TOML."""
    plain = name and all(c.isascii() and (c.isalnum() or c in "-_") for c in name)
    return name if plain else value(str(name))


def text(experiment: dict[str, Any]) -> str:
    """A whole experiment: plain values first, then its sections, then its models."""
    lines = [f"{key(k)} = {value(v)}" for k, v in experiment.items() if not isinstance(v, dict) and k != "models" and v is not None]
    for name, section in experiment.items():
        if isinstance(section, dict) and section:
            lines += ["", f"[{key(name)}]"]
            lines += [f"{key(k)} = {value(v)}" for k, v in section.items() if v is not None]
    for model in experiment.get("models", []):
        lines += ["", "[[models]]"]
        lines += [f"{key(k)} = {value(v)}" for k, v in model.items() if v is not None]
    return "\n".join(lines) + "\n"
