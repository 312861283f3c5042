"""Arrays, times and grids from whatever users have: one function turns each into what the core takes, or refuses it by name."""

from __future__ import annotations

import datetime
import numbers
import re
from typing import Any

import numpy as np

from ._tailrank import TailrankError

# What the kinds of NumPy that are no numbers hold.
_NO_NUMBERS = {"U": "text", "S": "text", "M": "dates", "m": "durations", "c": "complex numbers", "V": "records"}


def floats(values: Any, name: str = "the values") -> np.ndarray[Any, Any]:
    """Contiguous float64 in one dimension; the array itself, not a copy, if it is one. Missing values become NaN."""
    array = vector(values, name)
    if array.dtype.kind in _NO_NUMBERS:
        raise _refused(name, f"they hold {_NO_NUMBERS[array.dtype.kind]}", array)
    if array.dtype.kind == "O":
        return np.array([_number(v, name) for v in array], dtype=np.float64)
    return np.ascontiguousarray(array, dtype=np.float64)


def _number(value: Any, name: str) -> float:
    if is_missing(value):
        return np.nan
    try:
        if not isinstance(value, (str, bytes)):
            return float(value)
    except (TypeError, ValueError):
        pass
    raise _refused(name, "they hold text" if isinstance(value, (str, bytes)) else f"they hold a {type(value).__name__}", [value])


def _refused(name: Any, what: Any, array: Any) -> TailrankError:
    shown = f", such as {getattr(array[0], 'item', lambda: array[0])()!r}" if len(array) else ""
    return TailrankError(f"{name} are not all numbers: {what}{shown}; convert them first, as pandas.to_numeric does")


def is_missing(value: Any) -> bool:
    """None, NaN, and what pandas and NumPy have for times and nullable columns."""
    if value is None or type(value).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return True
    return bool(np.isnat(value)) if isinstance(value, np.datetime64) else isinstance(value, (float, np.floating)) and bool(value != value)


def vector(values: Any, name: str = "the values") -> np.ndarray[Any, Any]:
    """Any array-like in one dimension as an array of NumPy: numbers (NaN is missing), datetime64 in UTC, or objects."""
    if isinstance(values, np.ma.MaskedArray):
        mask, values = np.ma.getmaskarray(values), values.data
        if mask.any():
            values = values.astype(object)
            values[mask] = None
    elif not isinstance(values, (list, tuple, range, np.ndarray)):
        series = series_of(values, name)
        values = values if series is None else _of_series(series)
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as problem:
        raise TailrankError(f"{name} are not one value for each case: {problem}") from None
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim == 0:
        raise TailrankError(f"{name}: {short(values)} is no array; give a list, an array or a series with one value for each case")
    if array.ndim != 1:
        raise TailrankError(f"{name} have the shape {array.shape}; give one value for each case")
    return array


def short(value: Any) -> str:
    """A few words for messages."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"a {type(value).__name__}"


def native_of(values: Any) -> Any:
    """Arrow arrays, indexes of pandas and frames of any library as something that narwhals knows; anything else as it is."""
    root = type(values).__module__.partition(".")[0]
    if root == "pandas" and hasattr(values, "to_series"):
        return values.to_series()
    if root == "pandas" and str(getattr(values, "dtype", "")).startswith("Sparse"):
        return values.sparse.to_dense()
    if root in ("pandas", "polars") or isinstance(values, np.ndarray):
        return values
    if hasattr(values, "__arrow_c_array__") and not hasattr(values, "__array_ufunc__"):
        return _pyarrow().chunked_array([_pyarrow().array(values)])
    if hasattr(values, "__arrow_c_stream__") and root != "pyarrow":
        return _pyarrow().table(values)
    if hasattr(values, "__dataframe__") and root != "pyarrow":
        _pyarrow()
        from pyarrow.interchange import from_dataframe

        return from_dataframe(values)
    return values


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise TailrankError("these data are read through Arrow, and pyarrow is not installed: pip install pyarrow") from None
    return pyarrow


def _narwhal(values: Any, name: str) -> Any:
    import narwhals as nw

    found = nw.from_native(native_of(values), allow_series=True, pass_through=True)
    if isinstance(found, nw.LazyFrame):
        raise TailrankError(f"{name} are a lazy frame; call .collect() first")
    return found


def frame_of(values: Any, name: str = "the data") -> Any:
    """A data frame of pandas, polars, pyarrow or another library as narwhals has it; None of anything else."""
    import narwhals as nw

    found = _narwhal(values, name)
    return found if isinstance(found, nw.DataFrame) else None


def series_of(values: Any, name: str) -> Any:
    """A series of pandas, polars or pyarrow, or the only column of a data frame, as narwhals has it; None of anything else."""
    import narwhals as nw

    found = _narwhal(values, name)
    if isinstance(found, nw.DataFrame):
        if len(found.columns) != 1:
            raise TailrankError(f"{name} are a data frame of {len(found.columns)} columns; give one of them")
        return found.get_column(found.columns[0])
    return found if isinstance(found, nw.Series) else None


def _of_series(series: Any) -> Any:
    """An array of NumPy, without what each library thinks of missing values."""
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_numeric() or dtype == nw.Boolean:
        if "Int" in str(dtype) and series.null_count() == 0:
            return np.asarray(series.to_numpy())
        if nw.dependencies.is_pandas_series(series.to_native()):
            return series.to_native().to_numpy(dtype=np.float64, na_value=np.nan)
        return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    if dtype == nw.Datetime and dtype.time_zone is not None:
        series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    if dtype == nw.Datetime or dtype == nw.Date:
        return np.asarray(series.to_numpy(), dtype="datetime64" if dtype == nw.Datetime else "datetime64[D]")
    array = np.empty(len(series), dtype=object)
    array[:] = series.to_list()
    return array


_ISO = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{3}(\d{3})?)?)?(Z|[+-]\d\d:\d\d)?)?")


def times(values: Any, name: str = "times") -> np.ndarray[Any, Any]:
    """When each case was, as datetime64 in UTC or as numbers: what rows are put in order by. Text must be ISO dates."""
    values = native_of(values)
    if str(getattr(values, "dtype", "")).startswith("period"):
        values = values.dt.to_timestamp()
    if isinstance(values, (list, tuple)):
        # One by one: NumPy makes text of numbers among text.
        array = np.empty(len(values), dtype=object)
        array[:] = values
    else:
        array = vector(values, name)
    if array.dtype.kind in "OUS":
        moments = [_moment(v, name) for v in array]
        kinds = {type(m) for m in moments if m is not None}
        zones = {m.tzinfo is not None for m in moments if isinstance(m, datetime.datetime)}
        if len(kinds) > 1 or len(zones) > 1:
            raise TailrankError(f"{name}: {'numbers and dates' if len(kinds) > 1 else 'times with and without a zone'} do not mix")
        if float in kinds:
            array = np.array(moments, dtype=np.float64)
        else:
            array = np.array([_in_utc(m) for m in moments], dtype="datetime64[us]")
    if array.dtype.kind not in "iufM":
        raise TailrankError(f"{name} hold {_NO_NUMBERS.get(array.dtype.kind, 'true and false')}; give dates or numbers")
    missing = np.isnat(array) if array.dtype.kind == "M" else ~np.isfinite(array)
    if missing.any():
        raise TailrankError(f"{name}: row {int(np.flatnonzero(missing)[0]) + 1} has none")
    return array


def _in_utc(moment: Any) -> Any:
    return moment if moment is None or moment.tzinfo is None else moment.astimezone(datetime.timezone.utc).replace(tzinfo=None)


def _moment(value: Any, name: str) -> Any:
    """A time of Python's, a number, or None where it is missing."""
    if is_missing(value):
        return None
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, str):
        if _ISO.fullmatch(value):
            try:
                return datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
            except ValueError as problem:
                raise TailrankError(f"{name}: {value!r}: {problem}") from None
        raise TailrankError(
            f"{name}: {value!r} is no date such as 2024-02-29; text of another form would be put in the order of its letters: "
            "read it first, as pandas.to_datetime(…, dayfirst=True) does"
        )
    if hasattr(value, "to_timestamp"):  # a period of pandas
        value = value.to_timestamp()
    if isinstance(value, np.datetime64):
        value = value.astype("datetime64[us]").item()
    if isinstance(value, datetime.datetime):
        to_python: Any = getattr(value, "to_pydatetime", None)
        return value if to_python is None else to_python(warn=False)
    if isinstance(value, datetime.date):
        return datetime.datetime(value.year, value.month, value.day)
    if isinstance(value, numbers.Number) and not isinstance(value, (bool, np.bool_, complex)):
        return float(value)  # type: ignore[arg-type]
    raise TailrankError(f"{name}: {short(value)} is no time; give dates or numbers")


def choices(given: Any) -> list[Any]:
    """The values of a grid: lists, arrays, ranges and series are several; a tuple, text or anything else is one."""
    if isinstance(given, (list, range)):
        return list(given)
    if isinstance(given, np.ndarray):
        if given.ndim > 1:
            raise TailrankError(f"{short(given)} has {given.ndim} dimensions; list the values to be tried")
        return given.tolist() if given.ndim else [given.item()]
    if isinstance(given, (set, frozenset)) or hasattr(given, "__next__") or type(given).__name__ in ("dict_keys", "dict_values"):
        raise TailrankError(f"{short(given)} has no order that lasts; give the values to be tried as a list")
    if isinstance(given, (str, bytes, tuple, dict, bool, int, float, type(None))) or callable(getattr(given, "fit", None)):
        return [given]
    series = series_of(given, "a grid")
    return [given] if series is None else series.to_list()


def listed(given: Any) -> list[Any]:
    """One name or several."""
    return list(given) if isinstance(given, (tuple, set, frozenset)) else choices(given)


def same_index(y: Any, predicted: Any, name: str) -> None:
    """Refuses two pandas objects whose rows are not the same: numbers are matched by their order."""
    ours: Any = getattr(y, "index", None)
    theirs: Any = getattr(predicted, "index", None)
    if hasattr(ours, "equals") and hasattr(theirs, "equals") and not ours.equals(theirs):
        raise TailrankError(
            f"the index of {name} differs from that of the true values; put the rows in the same order, "
            "or pass arrays (.to_numpy())"
        )


def pairs(values: Any, name: str) -> list[tuple[float, float]]:
    """Pairs of numbers from a list of pairs, or an array or data frame of two columns."""
    table = frame_of(values, name)
    try:
        rows = list(zip(*(floats(table.get_column(c).to_native(), name) for c in table.columns))) if table is not None else list(values)
        return [(_number(a, name), _number(b, name)) for a, b in rows]
    except (TypeError, ValueError) as problem:
        if isinstance(problem, TailrankError):
            raise
        raise TailrankError(f"{name} are pairs of numbers, such as [(-0.02, 1.0), (0.0, 0.0)]") from None
