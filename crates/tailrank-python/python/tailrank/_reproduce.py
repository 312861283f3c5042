"""The papers' studies."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

from . import _tailrank
from ._progress import observer


def reproduce(
    study: str = "stock-returns",
    *,
    out: str | PathLike[str] | None = None,
    jobs: int | None = None,
    data: str | PathLike[str] | None = None,
    progress: bool | Callable[..., None] | None = None,
) -> dict[str, Any]:
    """Runs a paper's study again: fits what is not stored yet, scores, and decides what the paper claims.

    ``tailrank list studies`` names them. The result has the ``claims`` (what the paper says, what was found, whether they agree), the
    ``decisions``, and where the ``report`` is. ``data`` is a folder searched before the bundled data.
    """
    told, close = observer(progress)
    try:
        found = _tailrank.reproduce(study, Path(out) if out else Path("runs") / study, jobs or os.cpu_count() or 1, data, told)
    finally:
        close()
    return json.loads(found)
