"""Data frames in and out: pandas, polars, pyarrow, or plain columns."""

from __future__ import annotations

import importlib.util
from typing import Any, NamedTuple

import numpy as np

from ._arrays import floats, frame_of, is_missing, native_of, times, vector
from ._tailrank import TailrankError

KINDS = ("pandas", "polars", "pyarrow")

# Words that a file means a gap by; as a category they are written in quotes.
_GAPS = {"", "?", ".", "-", "NA", "N/A", "n/a", "na", "NaN", "nan", "NULL", "null", "None"}


def kind_of(*values: Any) -> str | None:
    """Which library the first data frame, series or array among the values belongs to."""
    for value in values:
        if isinstance(value, (dict, tuple)):
            found = kind_of(*(value.values() if isinstance(value, dict) else value))
        else:
            root = type(value).__module__.partition(".")[0]
            found = root if root in KINDS else None
        if found:
            return found
    return None


def usual() -> str | None:
    """The library that is installed."""
    return next((kind for kind in KINDS if importlib.util.find_spec(kind)), None)


def frame(columns: Any, kind: str | None) -> Any:
    """A data frame of (name, values) pairs; a dictionary where no library is installed."""
    columns = dict(columns)
    kind = kind if kind in KINDS else usual()
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


class Column(NamedTuple):
    """A column of a table: numbers as float64 (NaN is missing), words (None is), or times as text."""

    name: str
    values: Any
    kind: str
    #: what the column was called and the column itself, for the way back
    label: Any
    native: Any
    #: what each word stands for
    meaning: dict[str, Any]


def named_columns(data: Any) -> dict[str, tuple[Any, Any]] | None:
    """Every column of a data frame or dictionary by its name as text, with its own name; None of anything else."""
    if isinstance(data, dict):
        pairs = list(data.items())
    else:
        table = frame_of(data)
        if table is None:
            return None
        pairs = [(name, table.get_column(name).to_native()) for name in table.columns]
    found = {str(label): (label, values) for label, values in pairs}
    if len(found) < len(pairs):
        raise TailrankError(f"two columns have the same name as text: {', '.join(str(label) for label, _ in pairs)}")
    return found


def columns_of(data: Any, name: str = "the data") -> list[Column]:
    """The columns of a table: a data frame, or an array whose columns are called x1, x2 …"""
    named = named_columns(data)
    if named is None:
        array = data if isinstance(data, np.ndarray) else np.asarray(data.toarray() if hasattr(data, "toarray") else data)
        if array.ndim != 2 or array.dtype.kind not in "biufO":
            raise TailrankError(f"{name} must be a data frame of pandas, polars or pyarrow, or an array of numbers with rows and columns")
        named = {f"x{j + 1}": (f"x{j + 1}", array[:, j]) for j in range(array.shape[1])}
    return [_column(key, label, values) for key, (label, values) in named.items()]


def _column(name: str, label: Any, values: Any) -> Column:
    import narwhals as nw

    series = nw.from_native(native_of(values), series_only=True, pass_through=True)
    dtype = series.dtype if isinstance(series, nw.Series) else None
    texts_of_numpy = dtype is None and getattr(values, "dtype", None) == object and any(isinstance(v, str) for v in values)
    if not texts_of_numpy and (dtype is None or dtype.is_numeric() or dtype == nw.Boolean):
        return Column(name, floats(values, f"column '{name}'"), "number", label, values, {})
    if dtype in (nw.Date, nw.Datetime) or str(getattr(values, "dtype", "")).startswith("period"):
        return Column(name, time_texts(values, name), "time", label, values, {})
    meaning: dict[str, Any] = {}
    texts: dict[Any, str] = {}
    words = [None if is_missing(v) else _word(v, texts, meaning) for v in (values.tolist() if texts_of_numpy else series.to_list())]
    return Column(name, words, "word", label, values, meaning)


def _word(value: Any, texts: dict[Any, str], meaning: dict[str, Any]) -> str:
    """The text that stands for a value in a file, each value's own."""
    key = (type(value), value)
    if key not in texts:
        text = str(value)
        if text in _GAPS or text != text.strip() or text in meaning:
            text = repr(value)
        while text in meaning:
            text += "'"
        texts[key], meaning[text] = text, value
    return texts[key]


def time_texts(values: Any, name: str) -> list[str]:
    """Times as files have them: days where a time is midnight."""
    found = times(values, f"column '{name}'").astype("datetime64[us]")
    return [text.replace("T", " ") for text in np.datetime_as_string(found, unit="auto").tolist()]


def restore(values: Any, like: Any) -> Any:
    """Values of one column in the type of the column ``like``; whole numbers are rounded. As they are where they do not fit that type."""
    kind = kind_of(like)
    dtype: Any = getattr(like, "dtype", getattr(like, "type", None))
    numeric = isinstance(values, np.ndarray) and values.dtype.kind == "f"
    gaps = np.isnan(values) if numeric else np.array([v is None for v in values])
    if isinstance(dtype, np.dtype):
        if not numeric:
            # Gaps are what they were: some libraries know NaN only, some None.
            gap = next((v for v in like if is_missing(v)), None)
            found = np.empty(len(values), dtype=object)
            found[:] = [gap if v is None else v for v in values]
            if kind == "pandas":
                import pandas

                return pandas.Series(found, dtype=object)
            return found
        if dtype.kind in "iub":
            return values if gaps.any() else _whole(values, dtype)
        return values.astype(dtype if dtype.kind == "f" else np.float64)
    whole = any(word in str(dtype).lower() for word in ("int", "bool")) and numeric
    items = [None if gap else v for gap, v in zip(gaps.tolist(), (np.rint(values) if whole else values).tolist() if numeric else values)]
    if whole:
        items = [None if v is None else (bool(v) if "bool" in str(dtype).lower() else int(v)) for v in items]
    if kind == "pandas":
        import pandas

        return pandas.array(items, dtype=dtype)
    if kind == "polars":
        import polars

        return polars.Series(items, dtype=dtype, strict=False)
    if kind == "pyarrow":
        import pyarrow

        if pyarrow.types.is_dictionary(dtype):
            levels = like.unify_dictionaries().chunk(0).dictionary if like.num_chunks else pyarrow.array([], dtype.value_type)
            place = {level: i for i, level in enumerate(levels.to_pylist())}
            codes = pyarrow.array([place.get(v) for v in items], type=dtype.index_type)
            return pyarrow.DictionaryArray.from_arrays(codes, levels, ordered=dtype.ordered)
        return pyarrow.array(items, type=dtype)
    return values


def _whole(values: Any, dtype: Any) -> Any:
    if dtype.kind == "b":
        return values != 0
    ends = np.iinfo(dtype)
    # The largest integers of 64 bits have no float of their own.
    return np.clip(np.rint(values), ends.min, np.nextafter(float(ends.max), 0.0) if ends.bits == 64 else ends.max).astype(dtype)


def take(values: Any, rows: np.ndarray[Any, Any]) -> Any:
    """Some rows of anything that has rows, in its own kind."""
    kind = kind_of(values)
    if kind == "pandas":
        return values.iloc[rows] if hasattr(values, "iloc") else values.take(rows)
    if kind == "pyarrow":
        return values.take(rows)
    if isinstance(values, (list, tuple)):
        return [values[i] for i in rows]
    return values[rows] if hasattr(values, "shape") else vector(values)[rows]


def length(values: Any) -> int:
    """How many rows it has."""
    return values.shape[0] if hasattr(values, "shape") else len(values if hasattr(values, "__len__") else vector(values))
