"""Writes the end of `python/tailrank/__init__.pyi`, below its mark: the samplers, and a function for every measure.

    python stubs.py [--check]
"""

import inspect
import sys
from pathlib import Path

HERE = Path(__file__).parent
STUB = HERE / "python" / "tailrank" / "__init__.pyi"

MARK = "# What follows is written by stubs.py."

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

    head = STUB.read_text(encoding="utf-8").partition(MARK)[0]
    samplers = "\n".join(sampler(getattr(tailrank, name)) for name in SAMPLERS)
    return f"{head}{MARK}\n{samplers}\n" + "".join(function(name, f.__signature__) for name, f in FUNCTIONS.items())


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if STUB.read_text(encoding="utf-8") == text() else "the stubs are not those of the functions: run stubs.py")
    STUB.write_text(text(), encoding="utf-8")
