"""Tables of results as data frames: what an answer and a run have in common."""

from __future__ import annotations

import json
import shutil
from typing import Any

from . import _frames
from ._tailrank import TailrankError


class Tables:
    """Tables by name, in the kind of data frame that came in."""

    _native: Any
    _kind: str | None

    @property
    def sentences(self) -> list[str]:
        """The answer in sentences; the first is the verdict: use a model, or none."""
        return self.json()["sentences"]

    @property
    def verdict(self) -> str:
        """Which model to use, or that none is worth using, and why."""
        return self.sentences[0]

    def text(self, width: int = 80) -> str:
        """The screen of the command line."""
        return self._native.text(width)

    def __repr__(self) -> str:
        return self.text(max(40, shutil.get_terminal_size().columns))

    def _repr_html_(self) -> str:
        return self._native.html()

    def json(self) -> dict[str, Any]:
        """Everything that was found."""
        return json.loads(self._native.json())

    @property
    def tables(self) -> list[str]:
        """Names of the tables."""
        return self._native.table_names()

    def table(self, name: str) -> Any:
        """A table as a data frame."""
        columns = self._native.table(name)
        if columns is None:
            raise TailrankError(f"there is no table '{name}'; there are {', '.join(self.tables)}")
        return _frames.frame(columns, self._kind)

    @property
    def scores(self) -> Any:
        """Scores of every model on every task."""
        return self.table("scores")

    @property
    def ranks(self) -> Any:
        """Ranks of every model by every measure."""
        return self.table("ranks")

    @property
    def tests(self) -> Any:
        """How far the rankings by two measures agree, with tests: ρ, τ, p-values."""
        return self.table("comparisons")
