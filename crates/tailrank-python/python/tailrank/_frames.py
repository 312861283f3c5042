"""Data frames in and out: pandas, polars, pyarrow, or plain columns."""

from __future__ import annotations

import importlib.util

import numpy as np

from ._tailrank import TailrankError

KINDS = ("pandas", "polars", "pyarrow")


def kind_of(*values) -> str | None:
    """Which library the first data frame or series among the values belongs to."""
    for value in values:
        if isinstance(value, dict):
            found = kind_of(*value.values())
        else:
            root = type(value).__module__.partition(".")[0]
            found = root if root in KINDS else None
        if found:
            return found
    return None


def usual() -> str | None:
    """The library that is installed."""
    return next((kind for kind in KINDS if importlib.util.find_spec(kind)), None)


def frame(columns, kind: str | None):
    """A data frame of (name, values) pairs; a dictionary where no library is installed."""
    columns = dict(columns)
    kind = kind or usual()
    if kind == "pandas":
        import pandas

        return pandas.DataFrame(columns)
    if kind == "polars":
        import polars

        return polars.DataFrame(columns)
    if kind == "pyarrow":
        import pyarrow

        return pyarrow.table(columns)
    return columns


def is_frame(value) -> bool:
    """Whether it has named columns."""
    return kind_of(value) is not None and (hasattr(value, "columns") or hasattr(value, "column_names"))


def columns_of(data) -> list[tuple[str, object, bool]]:
    """Name, values and whether they are categories, column by column: numbers as float64 (NaN is missing), the rest as text (None is)."""
    import narwhals as nw

    try:
        table = nw.from_native(data, eager_only=True)
    except TypeError:
        raise TailrankError("give the data as a data frame of pandas, polars or pyarrow") from None
    found = []
    for name in table.columns:
        column = table[name]
        dtype = column.dtype
        if dtype.is_numeric() or dtype == nw.Boolean:
            values = column.cast(nw.Float64).to_numpy()
            found.append((name, np.ascontiguousarray(values, dtype=np.float64), False))
        elif dtype in (nw.Date, nw.Datetime):
            texts = [None if v is None or v != v else v.isoformat(sep=" ") if hasattr(v, "hour") else v.isoformat() for v in column.to_list()]
            found.append((name, texts, False))
        else:
            texts = [None if v is None or v != v else str(v) for v in column.to_list()]
            found.append((name, texts, True))
    return found
