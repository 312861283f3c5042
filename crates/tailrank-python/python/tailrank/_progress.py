"""Progress of a run, on one line: of standard error, or of a notebook's output."""

from __future__ import annotations

import shutil
import sys
import time
from typing import Any


def wanted() -> bool:
    """Whether anybody watches: a terminal or a notebook."""
    return sys.stderr.isatty() or in_notebook()


def in_notebook() -> bool:
    return "ipykernel" in sys.modules


class Bar:
    """Hears what a run tells and draws it."""

    def __init__(self, stream: Any = None) -> None:
        self._stream = stream or sys.stderr
        self._cells = self._done = self._before = self._width = 0
        self._running: list[str] = []
        self._started = time.monotonic()

    def __call__(self, what: Any, *facts: Any) -> None:
        if what == "planned":
            self._cells, self._done = facts
            self._before = self._done
        elif what == "started":
            self._running.append(facts[0])
        else:
            name, failed, reason = facts
            self._done += 1
            if name in self._running:
                self._running.remove(name)
            if failed:
                self._note(f"{name}: {failed} failed: {reason}")
        self._draw()

    def _draw(self) -> None:
        if not self._cells:
            return
        filled = 20 * self._done // self._cells
        fresh = self._done - self._before
        left = ""
        if fresh and self._done < self._cells:
            seconds = (time.monotonic() - self._started) / fresh * (self._cells - self._done)
            left = f", about {_span(seconds)} left"
        running = f" · {self._running[-1]}" if self._running else ""
        self._line(f"[{'█' * filled}{' ' * (20 - filled)}] {self._done}/{self._cells} cells{left}{running}")

    def _line(self, text: Any) -> None:
        columns = max(20, shutil.get_terminal_size().columns - 1)
        text = text if len(text) <= columns else text[: columns - 1] + "…"
        self._stream.write("\r" + text.ljust(self._width))
        self._stream.flush()
        self._width = len(text)

    def _note(self, text: Any) -> None:
        """A line that stays."""
        self._line(text)
        self._stream.write("\n")
        self._width = 0

    def close(self) -> None:
        """Ends the line."""
        if self._width:
            self._stream.write("\n")
            self._stream.flush()
            self._width = 0


class NotebookBar(Bar):
    """The same as one output that is replaced, so that a notebook which is kept holds its last state only."""

    def __init__(self) -> None:
        from IPython.display import display

        super().__init__()
        self._output: Any = display({"text/plain": ""}, raw=True, display_id=True)

    def _line(self, text: Any) -> None:
        self._output.update({"text/plain": text}, raw=True)

    def _note(self, text: Any) -> None:
        print(text, file=self._stream)


def _span(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def observer(progress: Any) -> Any:
    """What a run reports to, and what to call at its end."""
    if progress is None:
        progress = wanted()
    if progress is False:
        return None, lambda: None
    if progress is True:
        bar = NotebookBar() if in_notebook() else Bar()
        return bar, bar.close
    return progress, lambda: None
