"""Arrays of numbers from whatever users have."""

from __future__ import annotations

import numpy as np

from ._tailrank import TailrankError


def floats(values, name: str = "values") -> np.ndarray:
    """Contiguous float64 in one dimension; the array itself, not a copy, if it is one. Missing values become NaN."""
    if type(values) is np.ndarray and values.dtype == np.float64 and values.ndim == 1 and values.flags.c_contiguous:
        return values
    if type(values).__module__.startswith("pandas."):
        # Nullable columns have their own idea of missing values.
        values = values.to_numpy(dtype=np.float64, na_value=np.nan)
    try:
        array = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as problem:
        raise TailrankError(f"{name} are not all numbers: {problem}") from None
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise TailrankError(f"{name} have {array.ndim} dimensions; give one number for each case")
    return array


def same_index(y, predicted, name: str) -> None:
    """Refuses two pandas objects whose rows are not the same: numbers are matched by their order."""
    ours, theirs = getattr(y, "index", None), getattr(predicted, "index", None)
    if hasattr(ours, "equals") and hasattr(theirs, "equals") and not ours.equals(theirs):
        raise TailrankError(
            f"the index of {name} differs from that of the true values; put the rows in the same order, "
            "or pass arrays (.to_numpy())"
        )
