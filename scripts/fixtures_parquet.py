#!/usr/bin/env python3
"""Makes the Parquet files that the tests of tailrank-data read, by the writers people use, with what they hold as CSV beside them.

    python3 -m venv v && v/bin/pip install pyarrow polars pandas fastparquet && v/bin/python scripts/fixtures_parquet.py

A file `a.b.parquet` must read as `a.csv` says: numbers by their shortest digits, times as a clock of their zone shows them.
"""
import datetime as dt
import pathlib
from decimal import Decimal
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

FOLDER = pathlib.Path(__file__).parent.parent / "crates/tailrank-data/tests/fixtures/parquet"
ROWS = 40


def cell(value):
    if value is None or value is pd.NaT or (isinstance(value, float) and value != value):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, Decimal):
        return repr(float(value))
    if isinstance(value, (int, float, np.integer, np.floating)):
        return repr(float(value))
    if isinstance(value, pd.Timestamp):
        day, time = value.strftime("%Y-%m-%d"), value.strftime("%H:%M:%S")
        nanoseconds = value.microsecond * 1000 + value.nanosecond
        if nanoseconds:
            time += f".{nanoseconds:09}".rstrip("0")
        return day if time == "00:00:00" else f"{day} {time}"
    if isinstance(value, dt.date):
        return value.isoformat()
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\n') else text


def write_csv(name, columns):
    rows = zip(*columns.values())
    lines = [",".join(columns)] + [",".join(cell(v) for v in row) for row in rows]
    (FOLDER / f"{name}.csv").write_text("\n".join(lines) + "\n")


def gaps(values, step):
    """Every so many values are missing."""
    return [None if step and i % step == step - 1 else v for i, v in enumerate(values)]


def kinds():
    """Every type of column that is read."""
    i = np.arange(ROWS)
    day = dt.date(2008, 7, 10)
    times = [pd.Timestamp("2008-07-10 09:30:00") + pd.Timedelta(hours=7 * int(k)) for k in i]
    extremes = lambda low, high: [low, high] + [int(k) * 3 - 2 if low else int(k) * 3 for k in i[2:]]
    words = ["", "é", "a, b", 'say "x"', "a longer text that is repeated", "a longer text that is not", "z"]
    columns = {
        "double": (pa.float64(), gaps((np.sin(i) * 1e3).tolist(), 7)),
        "required": (pa.float64(), (np.cos(i) / 3).tolist()),
        "float": (pa.float32(), gaps([float(np.float32(v)) for v in np.sin(i)], 5)),
        "half": (pa.float16(), [np.float16(v) for v in [65504, -6e-8, 6.1e-5] + (np.sin(i[3:]) * 9).tolist()]),
        "int8": (pa.int8(), extremes(-128, 127)),
        "int16": (pa.int16(), extremes(-(2**15), 2**15 - 1)),
        "int32": (pa.int32(), gaps(extremes(-(2**31), 2**31 - 1), 9)),
        "int64": (pa.int64(), gaps(extremes(-(2**63), 2**63 - 1), 4)),
        "uint8": (pa.uint8(), extremes(0, 255)),
        "uint16": (pa.uint16(), extremes(0, 2**16 - 1)),
        "uint32": (pa.uint32(), extremes(0, 2**32 - 1)),
        "uint64": (pa.uint64(), gaps(extremes(0, 2**64 - 1), 6)),
        "truth": (pa.bool_(), gaps([bool(k % 3) for k in i], 8)),
        "text": (pa.string(), gaps([words[k % len(words)] + str(k // 20) for k in i], 6)),
        "large_text": (pa.large_string(), [f"name {k}" for k in i]),
        "date": (pa.date32(), gaps([day + dt.timedelta(int(k)) for k in i], 11)),
        "seconds": (pa.timestamp("s"), times),
        "milliseconds": (pa.timestamp("ms"), gaps([t + pd.Timedelta(milliseconds=3) for t in times], 5)),
        "microseconds": (pa.timestamp("us"), [t + pd.Timedelta(microseconds=20) for t in times]),
        "nanoseconds": (pa.timestamp("ns"), [t + pd.Timedelta(nanoseconds=7) for t in times]),
        "berlin": (pa.timestamp("ms", "Europe/Berlin"), gaps([t.tz_localize("UTC").tz_convert("Europe/Berlin") for t in times], 13)),
        "utc": (pa.timestamp("us", "UTC"), [t.tz_localize("UTC") for t in times]),
    }
    fields = [pa.field(n, t, nullable=n != "required") for n, (t, _) in columns.items()]
    arrays = [pa.array(v, t) for t, v in columns.values()]
    category = [["low", "high", None, "middle"][k % 4] for k in i]
    fields.append(pa.field("category", pa.dictionary(pa.int8(), pa.string())))
    arrays.append(pa.array(category).dictionary_encode().cast(fields[-1].type))
    write_csv("kinds", {**{n: v for n, (_, v) in columns.items()}, "category": category})
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def write_arrow(name, table, **options):
    pq.write_table(table, FOLDER / f"{name}.parquet", write_statistics=False, **options)


def encodings():
    """The encodings that are not the writers' first choice, in pages of both versions."""
    i = np.arange(ROWS)
    columns = {
        "whole": gaps((i * i * 1_000_003 - 17).tolist(), 7),
        "small": [int(v) for v in (-1) ** i * i],
        "split": gaps((np.sin(i) * 1e-3).tolist(), 6),
        "split32": [float(np.float32(v)) for v in np.cos(i)],
        "lengths": gaps([f"t{'x' * (k % 5)}{k}" for k in i], 5),
        "shared": [f"a shared beginning {k // 10} {k}" for k in i],
        "truth": gaps([bool(k // 7 % 2) for k in i], 9),
        "plain": [float(k) for k in i],
    }
    write_csv("encodings", columns)
    types = {"small": pa.int32(), "split32": pa.float32()}
    table = pa.table({n: pa.array(v, types.get(n)) for n, v in columns.items()})
    chosen = {
        "whole": "DELTA_BINARY_PACKED",
        "small": "DELTA_BINARY_PACKED",
        "split": "BYTE_STREAM_SPLIT",
        "split32": "BYTE_STREAM_SPLIT",
        "lengths": "DELTA_LENGTH_BYTE_ARRAY",
        "shared": "DELTA_BYTE_ARRAY",
        "truth": "RLE",
        "plain": "PLAIN",
    }
    for version in ["1.0", "2.0"]:
        write_arrow(
            f"encodings.v{version[0]}", table, use_dictionary=False, column_encoding=chosen, data_page_version=version, compression="NONE"
        )


def pages():
    """Many pages and row groups; a dictionary that is given up; a column whose values are all missing."""
    i = np.arange(600)
    columns = {
        "n": gaps((i % 50).tolist(), 7),
        "t": [f"text number {k % 200}" for k in i],
        "x": np.sqrt(i).tolist(),
        "none": [None] * len(i),
    }
    write_csv("pages", columns)
    table = pa.table({n: pa.array(v, pa.float64() if n == "none" else None) for n, v in columns.items()})
    for version in ["1.0", "2.0"]:
        write_arrow(
            f"pages.v{version[0]}", table, row_group_size=250, data_page_size=512, write_batch_size=32, dictionary_pagesize_limit=2000,
            data_page_version=version, compression="SNAPPY",
        )


def decimals():
    digits = {
        "small": (pa.decimal128(5, 2), ["50.50", "-999.99", "0.01", None]),
        "long": (pa.decimal128(18, 9), ["123456789.123456789", "-0.000000001", None, "99.5"]),
        "widest": (pa.decimal128(38, 10), ["1234567890123456789012345678.0123456789", "-0.1", "0.3", None]),
        "all_digits": (pa.decimal128(38, 38), ["0.12345678901234567890123456789012345678", "0", None, "-0.5"]),
    }
    columns = {n: [v and Decimal(v) for v in values] for n, (_, values) in digits.items()}
    write_csv("decimals", columns)
    table = pa.table({n: pa.array(columns[n], t) for n, (t, _) in digits.items()})
    write_arrow("decimals.bytes", table)
    write_arrow("decimals.whole", table, store_decimal_as_integer=True, use_dictionary=False)
    split = {n: "BYTE_STREAM_SPLIT" for n in digits}
    write_arrow("decimals.split", table, use_dictionary=False, column_encoding=split)
    pl.DataFrame({n: pl.Series(columns[n], dtype=pl.Decimal(t.precision, t.scale)) for n, (t, _) in digits.items()}).write_parquet(
        FOLDER / "decimals.polars.parquet", statistics=False
    )


def by_other_writers():
    """What polars, pandas and fastparquet write by themselves."""
    names = ["KO", "PEP", None, "BA"]
    columns = {
        "Date": [dt.date(2008, 7, 10) + dt.timedelta(k) for k in range(4)],
        "Close": [50.0, 52.5, float("nan"), 51.25],
        "Volume": [1000, 900, 800, 700],
        "name": names,
        "level": ["low", "high", "low", None],
        "at": [pd.Timestamp("2008-07-10 09:30") + pd.Timedelta(hours=k) for k in range(4)],
    }
    write_csv("daily", columns)
    frame = pl.DataFrame(columns).with_columns(pl.col("level").cast(pl.Categorical), pl.col("Volume").cast(pl.Int16))
    frame.write_parquet(FOLDER / "daily.polars.parquet")
    frame.with_columns(pl.col("level").cast(pl.Enum(["low", "high"]))).write_parquet(FOLDER / "daily.polars_enum.parquet", compression="lz4")
    table = pd.DataFrame(columns).astype({"level": "category"})
    table.to_parquet(FOLDER / "daily.pandas.parquet", index=False)
    # It has no dates without a time, and takes all units for nanoseconds.
    nanoseconds = "datetime64[ns]"
    times = table.assign(Date=pd.to_datetime(table["Date"])).astype({"Date": nanoseconds, "at": nanoseconds})
    times.to_parquet(FOLDER / "daily.fastparquet.parquet", engine="fastparquet", index=False)
    times.to_parquet(FOLDER / "daily.int96.parquet", engine="fastparquet", times="int96", index=False)
    pq.write_table(pa.table(times), FOLDER / "daily.int96_arrow.parquet", use_deprecated_int96_timestamps=True)


def dates():
    """The same two days in every way to write them, and midnights of several places."""
    days = [14_070, 14_071]
    midday = lambda per_day: [days[0] * per_day, days[1] * per_day + per_day // 2]
    pl.DataFrame(
        [
            pl.Series("date", days, pl.Int32).cast(pl.Date),
            pl.Series("ms", midday(86_400_000)).cast(pl.Datetime("ms")),
            pl.Series("us", midday(86_400_000_000)).cast(pl.Datetime("us")),
            pl.Series("ns", midday(86_400_000_000_000)).cast(pl.Datetime("ns")),
            pl.Series("text", ["2008-07-10", "2008-07-11"]),
            pl.Series("whole", [20_080_710, 20_080_711]),
            pl.Series("Close", [50.0, 52.0]),
            pl.Series("Close16", [50, 52], pl.Int16),
            pl.Series("Gap", [50.0, None]),
        ]
    ).write_parquet(FOLDER / "dates.parquet")
    hour, midnight = 3_600_000, 14_070 * 86_400_000
    zones = [("UTC", 0), ("Europe/Berlin", -2), ("America/New_York", 4), ("+02:00", -2)]
    zoned = {z: pa.array([midnight + w * hour, midnight + (24 + w) * hour], pa.timestamp("ms", z)) for z, w in zones}
    zoned["hourly"] = pa.array([midnight, midnight + hour], pa.timestamp("ms", "Europe/Berlin"))
    zoned["mars"] = pa.array([0, 1], pa.timestamp("ms", "Mars/Olympus"))
    zoned["Close"] = pa.array([50.0, 52.0])
    write_arrow("zones", pa.table(zoned))


def repeated():
    """One long text that a dictionary repeats for every row, as text and as a category."""
    text = pl.Series("c", ["x" * 10_000] * 1000)
    y = pl.Series("y", np.arange(1000.0))
    pl.DataFrame([text, y]).write_parquet(FOLDER / "repeated_text.parquet")
    pl.DataFrame([text.cast(pl.Categorical), y]).write_parquet(FOLDER / "repeated_category.parquet")


def refused():
    values = {
        "list": pa.array([[1.0], []]),
        "structure": pa.array([{"a": 1}, {"a": 2}]),
        "map": pa.array([[("a", 1)], []], pa.map_(pa.string(), pa.int64())),
        "binary": pa.array([b"\xff", b""]),
        "uuid": pa.array([b"0" * 16, b"1" * 16], pa.binary(16)),
        "duration": pa.array([1, 2], pa.duration("ms")),
        "clock": pa.array([dt.time(9, 30), None]),
        "decimal": pa.array([Decimal("1.5"), None], pa.decimal256(60, 2)),
        "y": pa.array([1.0, 2.0]),
    }
    write_arrow("refused", pa.table(values))


FOLDER.mkdir(parents=True, exist_ok=True)
table = kinds()
for codec in ["NONE", "SNAPPY", "GZIP", "BROTLI", "ZSTD", "LZ4"]:
    version = "2.0" if codec in ("GZIP", "ZSTD", "LZ4") else "1.0"
    write_arrow(f"kinds.{codec.lower()}", table, compression=codec, data_page_version=version)
encodings()
pages()
decimals()
by_other_writers()
dates()
repeated()
refused()
