"""Writes `python/tailrank/__init__.pyi`: the hand-written part below, and a function for every measure.

    python stubs.py [--check]
"""

import inspect
import sys
from pathlib import Path

HERE = Path(__file__).parent
STUB = HERE / "python" / "tailrank" / "__init__.pyi"

HEAD = '''\
# Written by stubs.py; edit that.
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

__version__: str
__all__: list[str]

# Anything that has numbers: lists, arrays, series of pandas, polars and pyarrow.
Numbers: TypeAlias = npt.ArrayLike | Any
Floats: TypeAlias = npt.NDArray[np.float64]
Indices: TypeAlias = npt.NDArray[np.int64]
Whole: TypeAlias = int | np.integer[Any]
Frame: TypeAlias = Any
Alpha: TypeAlias = Literal["smooth", "linear", "indicator"]
Extremes: TypeAlias = Literal["low", "high", "both"]
Progress: TypeAlias = bool | Callable[..., None] | None

class TailrankError(ValueError): ...
class FewRowsError(TailrankError): ...
class Interrupted(KeyboardInterrupt): ...
class UndefinedWarning(UserWarning): ...

class Relevance:
    @staticmethod
    def sigmoid(low: float | None = None, high: float | None = None, *, k: float = 0.5, delta: float = 1e-4) -> Relevance: ...
    @staticmethod
    def boxplot(y_train: Numbers, *, extremes: Extremes = "both", k: float = 0.5, delta: float = 1e-4) -> Relevance: ...
    @staticmethod
    def extremes(y_train: Numbers, *, extremes: Extremes = "both", coef: float = 1.5, adjusted: bool = False) -> Relevance: ...
    @staticmethod
    def pchip(points: Numbers, *, slopes: Numbers | None = None) -> Relevance: ...
    @staticmethod
    def table(points: Numbers) -> Relevance: ...
    @staticmethod
    def indicator(ranges: Numbers) -> Relevance: ...
    def __call__(self, y: Any) -> Any: ...
    def event_bounds(self, t_e: float = 0.5) -> list[tuple[float, float]]: ...
    def parts(self) -> tuple[str, tuple[Any, ...]]: ...
    def _repr_html_(self) -> str: ...

Phi: TypeAlias = Relevance | Literal["boxplot"]

class Answer:
    @property
    def verdict(self) -> str: ...
    @property
    def sentences(self) -> list[str]: ...
    @property
    def tables(self) -> list[str]: ...
    def table(self, name: str) -> Frame: ...
    @property
    def scores(self) -> Frame: ...
    @property
    def ranks(self) -> Frame: ...
    @property
    def tests(self) -> Frame: ...
    @property
    def warnings(self) -> list[str]: ...
    def json(self) -> dict[str, Any]: ...
    def text(self, width: int = 80) -> str: ...
    def save(self, path: str | PathLike[str], title: str | None = None) -> Path: ...
    def _repr_html_(self) -> str: ...

def compare(
    y_true: Numbers | str | int,
    predictions: Mapping[Any, Numbers] | Numbers | Frame,
    *,
    relevance: Phi | None = None,
    extremes: Extremes = "both",
    measures: Sequence[str] | str | None = None,
    times: Any = None,
    horizon: int | None = None,
    task: Numbers | str | None = None,
    inference: Mapping[str, Any] | None = None,
    t_l: float | None = None,
    t_e: float = 0.5,
    beta: float = 1.0,
    alpha: Alpha = "smooth",
    alpha_k: float = 8.0,
    p: float = 0.5,
    benefit: float = 1.0,
    over: float = 1.0,
    under: float = 1.0,
    shape: float = 1.0,
    scale: float = 1.0,
    threshold: float | None = None,
    cost: float = 0.0,
) -> Answer: ...

class _Split(dict[str, Any]):
    def split(self, X: Any, y: Any = None, groups: Any = None, *, seed: int = 1) -> Iterator[tuple[Indices, Indices]]: ...
    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int: ...

class KFold(_Split):
    def __init__(self, folds: Whole = 10, *, repeats: Whole = 1, shuffle: bool | None = None, stratify: Literal["relevance", "class"] | None = None) -> None: ...

class DateSplit(_Split):
    def __init__(self, at: Any, *, validation_at: Any = None) -> None: ...

class Holdout(_Split):
    def __init__(self, train: float = 0.7, *, validation: float | None = None) -> None: ...

class SlidingWindow(_Split):
    def __init__(self, window: Whole, step: Whole) -> None: ...

class GrowingWindow(_Split):
    def __init__(self, window: Whole, step: Whole) -> None: ...

class Bootstrap(_Split):
    def __init__(self, repeats: Whole = 10) -> None: ...

class Run:
    @property
    def folder(self) -> Path: ...
    @property
    def cells(self) -> tuple[int, int, int]: ...
    @property
    def failures(self) -> list[tuple[str, str, str]]: ...
    @property
    def verdict(self) -> str: ...
    @property
    def sentences(self) -> list[str]: ...
    @property
    def tables(self) -> list[str]: ...
    def table(self, name: str) -> Frame: ...
    @property
    def scores(self) -> Frame: ...
    @property
    def ranks(self) -> Frame: ...
    @property
    def tests(self) -> Frame: ...
    @property
    def predictions(self) -> Frame: ...
    def predict(
        self, new: Frame | None = None, *, by: str | None = None, model: str | None = None, task: str | None = None, level: float = 0.9
    ) -> Frame: ...
    def best_estimator(self, by: str | None = None, *, model: str | None = None, task: str | None = None) -> Any: ...
    def json(self) -> dict[str, Any]: ...
    def text(self, width: int = 80) -> str: ...
    def save(self, path: str | PathLike[str]) -> Path: ...
    def report(self, folder: str | PathLike[str] | None = None) -> Path: ...
    def _repr_html_(self) -> str: ...

class Experiment:
    def __init__(
        self,
        file: str | PathLike[str] | None = None,
        *,
        data: Frame | tuple[Any, Numbers] | Mapping[str, Frame] | Sequence[str] | str | None = None,
        target: str | Whole | None = None,
        name: str | None = None,
        title: str = "",
        splits: Any = None,
        relevance: Relevance | Literal["boxplot", "extremes"] | Mapping[str, Any] | None = None,
        measures: Sequence[str] | str | None = None,
        categorical: Iterable[str | int] | str = (),
        ignore: Iterable[str | int] | str = (),
        date: str | int | None = None,
        horizons: Iterable[int] = (1,),
        lags: int = 24,
        seed: int = 1,
        sections: Mapping[str, Mapping[str, Any]] | None = None,
        **settings: Any,
    ) -> None: ...
    @classmethod
    def from_text(cls, text: str, base: str | PathLike[str] = "") -> Experiment: ...
    def add(
        self,
        model: Any,
        *,
        name: str | None = None,
        grid: Mapping[str, Any] | None = None,
        learn: Any = None,
        engine: str | None = None,
        **parameters: Any,
    ) -> Experiment: ...
    @property
    def text(self) -> str: ...
    @property
    def name(self) -> str: ...
    def save(self, folder: str | PathLike[str]) -> Path: ...
    def check(self, out: str | PathLike[str] | None = None) -> Any: ...
    def run(
        self,
        out: str | PathLike[str] | None = None,
        *,
        jobs: int | None = None,
        progress: Progress = None,
        retry_failed: bool = False,
        allow_commands: bool = False,
    ) -> Run: ...
    def _repr_html_(self) -> str: ...

def reproduce(
    study: str = "stock-returns",
    *,
    out: str | PathLike[str] | None = None,
    jobs: int | None = None,
    data: str | PathLike[str] | None = None,
    progress: Progress = None,
) -> dict[str, Any]: ...
def scorer(measure: str, relevance: Phi | None = None, *, undefined: float = ..., **settings: Any) -> Callable[..., float]: ...
def weights(y: Numbers, kind: Literal["phi", "dense", "lds"] = "phi", relevance: Phi | None = None, **parameters: Any) -> Floats: ...

class _Sampler:
    relevance_: Relevance
    parents_: Indices
    sample_indices_: Indices
    def fit(self, X: Any, y: Any = None, **params: Any) -> Any: ...
    def fit_resample(self, X: Any, y: Any, **params: Any) -> tuple[Any, Any]: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Any: ...

@SAMPLERS@
def list_measures() -> list[dict[str, Any]]: ...
def score(
    y_true: Numbers, y_pred: Numbers, measures: Sequence[str] | str, relevance: Phi | None = None, *, undefined: float = ..., **settings: Any
) -> dict[str, float]: ...
def event_counts(y_true: Numbers, y_pred: Numbers, relevance: Phi, *, t_l: float, t_e: float = 0.5) -> dict[str, int]: ...
def episodes(
    y_true: Numbers, y_pred: Numbers, relevance: Phi, *, gap: int = 1, lead: int = 0, cooldown: int = 1, t_e: float = 0.5
) -> dict[str, Any]: ...
def event_curves(
    y_true: Numbers, y_pred: Numbers, relevance: Phi, *, t_e: float = 0.5, side: Literal["low", "high"] = "high"
) -> dict[str, Any]: ...
def rec_curve(y_true: Numbers, y_pred: Numbers, *, error: Literal["absolute", "squared"] = "absolute") -> tuple[Floats, Floats]: ...
def pr_curve(
    y_true: Numbers, y_pred: Numbers, relevance: Phi, *, t_l: float, alpha: Alpha = "smooth", alpha_k: float = 8.0
) -> tuple[Floats, Floats, Floats, float]: ...
def ser_curve(y_true: Numbers, y_pred: Numbers, relevance: Phi, thresholds: Numbers) -> Floats: ...
'''

TYPES = {"alpha": "Alpha", "y_train": "Numbers | None", "sample_weight": "Numbers | None", "horizon": "int", "relevance": "Phi"}
SAMPLERS = ["UnderSampler", "OverSampler", "SMOTER", "NoiseSampler", "SMOGN", "WERCS"]


def parameter(p: inspect.Parameter) -> str:
    kind = TYPES.get(p.name, "Numbers" if p.name.startswith("y_") else "float")
    if p.default is p.empty:
        return f"{p.name}: {kind}"
    return f"{p.name}: {kind} = {'...' if p.default != p.default else repr(p.default)}"


def function(name: str, signature: inspect.Signature) -> str:
    words, keyword = [], False
    for p in signature.parameters.values():
        if p.kind is p.KEYWORD_ONLY and not keyword:
            words.append("*")
            keyword = True
        words.append(parameter(p))
    return f"def {name}({', '.join(words)}) -> float: ...\n"


def sampler(kind: type) -> str:
    words = []
    for p in list(inspect.signature(kind).parameters.values()):
        if p.kind is p.KEYWORD_ONLY and "*" not in words:
            words.append("*")
        words.append(f"{p.name}: Any = {p.default!r}")
    return f"class {kind.__name__}(_Sampler):\n    def __init__(self, {', '.join(words)}) -> None: ...\n"


def text() -> str:
    import tailrank
    from tailrank._measures import FUNCTIONS

    head = HEAD.replace("@SAMPLERS@", "\n".join(sampler(getattr(tailrank, name)) for name in SAMPLERS))
    return head + "".join(function(name, f.__signature__) for name, f in FUNCTIONS.items())


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if STUB.read_text(encoding="utf-8") == text() else "the stubs are not those of the functions: run stubs.py")
    STUB.write_text(text(), encoding="utf-8")
