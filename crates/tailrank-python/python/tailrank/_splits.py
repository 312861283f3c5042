"""How rows are divided into training and test: what experiment files call ``[split]``."""

from __future__ import annotations


class _Split(dict):
    """Settings of a split, as a dictionary."""

    def __repr__(self) -> str:
        inside = ", ".join(f"{k}={v!r}" for k, v in self.items() if k != "kind")
        return f"{type(self).__name__}({inside})"


def _only(**settings):
    return {name: value for name, value in settings.items() if value is not None}


class KFold(_Split):
    """Cross-validation with ``folds`` folds, ``repeats`` times; ``stratify="relevance"`` keeps the share of events alike in all folds."""

    def __init__(self, folds: int = 10, *, repeats: int = 1, shuffle: bool | None = None, stratify: str | None = None):
        super().__init__(_only(kind="kfold", folds=folds, repeats=repeats, shuffle=shuffle, stratify=stratify))


class DateSplit(_Split):
    """Train before the day ``at``, test from it on; from ``validation_at`` on models are chosen."""

    def __init__(self, at: str, *, validation_at: str | None = None):
        super().__init__(_only(kind="date", at=str(at), validation_at=validation_at and str(validation_at)))


class Holdout(_Split):
    """Train on the first share of the rows, test on the last; ``validation`` is a share between them that models are chosen by."""

    def __init__(self, train: float = 0.7, *, validation: float | None = None):
        super().__init__(_only(kind="fraction", train=float(train), validation=validation))


class SlidingWindow(_Split):
    """Train on ``window`` rows, test on the next ``step``, and move on."""

    def __init__(self, window: int, step: int):
        super().__init__(kind="sliding", window=window, step=step)


class GrowingWindow(_Split):
    """Train on all rows so far, at first ``window``, test on the next ``step``, and move on."""

    def __init__(self, window: int, step: int):
        super().__init__(kind="growing", window=window, step=step)


class Bootstrap(_Split):
    """Train on a bootstrap sample, test on the rows left out, ``repeats`` times."""

    def __init__(self, repeats: int = 10):
        super().__init__(kind="bootstrap", repeats=repeats)
