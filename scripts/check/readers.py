#!/usr/bin/env python3
"""Compares what tailrank reads with what pyarrow, DuckDB and Python's csv read, and damages files to see that nothing aborts, hangs or panics.

    scripts/check/readers.py [--files 320] [--mutants 3000] [--dump PROGRAM] [--seed 1] [--keep DIR]

Needs pyarrow and duckdb. PROGRAM is the example `dump` of tailrank-data (cargo build --workspace --example dump). Files are generated: all types
that polars documents, every encoding and compression of Parquet that pyarrow writes, one or many or empty groups of rows, missing values,
dictionaries, decimals, dates, times with zones; Arrow IPC plain, LZ4 and Zstandard; CSV in several dialects. Nested columns must be refused by
name. A value is wrong if a number has other bits, a text other letters, or a date or time another day or second than both readers say.
Mutants are these files with bytes changed, cut out, put in or repeated. Ends with 1 if a value is wrong or the reader does not end by itself.
"""

import argparse
import csv
import datetime as dt
import decimal
import io
import json
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq

CODECS = ["NONE", "SNAPPY", "GZIP", "BROTLI", "ZSTD", "LZ4"]
WORDS = ["", "a", "b,c", 'say "x"', "Zürich", "日本", "-", "3 apples", "  padded  ", "x" * 300, "line\nbreak"]


def column(draw, kind, n, gaps):
    """Values of a kind, None where they are missing."""
    def value():
        if kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"):
            bits = int(kind.lstrip("uint"))
            # Numbers are read as floats: beyond 2^53 not every whole number is one.
            bits = min(bits, 53)
            return draw.randrange(0, 2**bits) if kind[0] == "u" else draw.randrange(-(2 ** (bits - 1)), 2 ** (bits - 1))
        if kind in ("float32", "float64"):
            number = draw.choice([0.0, -0.0, 1.5, 1e-300, 1e300, draw.gauss(0, 1), draw.random()])
            return struct.unpack("f", struct.pack("f", number if abs(number) < 1e30 else 1.0))[0] if kind == "float32" else number
        if kind == "bool":
            return draw.random() < 0.5
        if kind.startswith("decimal"):
            return decimal.Decimal(draw.randrange(-10**9, 10**9)).scaleb(-3)
        if kind == "date":
            return dt.date(1970, 1, 1) + dt.timedelta(draw.randrange(-30000, 40000))
        if kind.startswith("time"):
            return dt.datetime(1970, 1, 1) + dt.timedelta(seconds=draw.randrange(-10**9, 3 * 10**9))
        return draw.choice(WORDS[1:]) if kind != "words" else draw.choice(["red", "green", "blue"])

    return [None if gaps and draw.random() < 0.2 else value() for _ in range(n)]


TYPES = {
    **{name: getattr(pa, name)() for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "float32", "float64")},
    "bool": pa.bool_(), "text": pa.string(), "large_text": pa.large_string(), "words": pa.string(), "date": pa.date32(),
    "decimal": pa.decimal128(12, 3), "decimal38": pa.decimal128(38, 3), "time_s": pa.timestamp("s"), "time_ms": pa.timestamp("ms"),
    "time_us": pa.timestamp("us"), "time_ns": pa.timestamp("ns"), "time_zone": pa.timestamp("us", "Europe/Berlin"),
}
ENCODINGS = {
    "int32": ["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"], "int64": ["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"],
    "float32": ["PLAIN", "BYTE_STREAM_SPLIT"], "float64": ["PLAIN", "BYTE_STREAM_SPLIT"], "bool": ["PLAIN", "RLE"],
    "text": ["PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"], "words": ["PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"],
}


def table(draw, form):
    kinds = draw.sample(sorted(TYPES), draw.randrange(1, 7))
    n = draw.choice([0, 1, 2, 17, 200, 1500])
    arrays, names = [], []
    for i, kind in enumerate(kinds):
        values = column(draw, kind, n, draw.random() < 0.6)
        # A column of which nothing is there has no type that a reader could tell.
        if n and all(v is None for v in values):
            values[0] = column(draw, kind, 1, False)[0]
        array = pa.array(values, TYPES[kind])
        if kind == "words" and draw.random() < 0.7:
            array = array.dictionary_encode()
        arrays.append(array)
        names.append(f"{kind}_{i}")
    found = pa.table(arrays, names)
    if form == "nested":
        found = found.append_column("nested", pa.array([[1, 2]] * n, pa.list_(pa.int64())))
    return found


def write_parquet(draw, path, form):
    found = table(draw, form)
    dictionary = draw.random() < 0.5
    encodings = {}
    if not dictionary:
        for name in found.column_names:
            known = ENCODINGS.get(name.rsplit("_", 1)[0])
            if known and not pa.types.is_dictionary(found.schema.field(name).type):
                encodings[name] = draw.choice(known)
    pq.write_table(
        found, path, compression=draw.choice(CODECS), use_dictionary=dictionary, column_encoding=encodings or None,
        row_group_size=draw.choice([1 if found.num_rows < 50 else 7, 100, 10**6]), data_page_size=draw.choice([64, 4096, 10**6]),
        data_page_version=draw.choice(["1.0", "2.0"]), version=draw.choice(["1.0", "2.4", "2.6"]) if "time_ns" not in str(found.schema.names) else "2.6",
        write_statistics=draw.random() < 0.5, store_schema=draw.random() < 0.5,
    )
    return pq.read_table(path)


def write_ipc(draw, path, form):
    found = table(draw, form)
    options = pa.ipc.IpcWriteOptions(compression=draw.choice([None, "lz4", "zstd"]))
    with pa.ipc.new_file(path, found.schema, options=options) as out:
        out.write_table(found, max_chunksize=draw.choice([3 if found.num_rows < 50 else 64, 1000, 10**6]))
    return found


def write_csv(draw, path):
    """A file of words and numbers, and its cells as Python's csv reads them."""
    n, width = draw.choice([1, 2, 30, 400]), draw.randrange(2, 6)
    numeric = [draw.random() < 0.5 for _ in range(width)]
    rows = [[f"c{i}" for i in range(width)]]
    for _ in range(n):
        rows.append([repr(draw.gauss(0, 10 ** draw.randrange(-5, 6))) if is_number else draw.choice(WORDS[1:-1]) + "w" for is_number in numeric])
    out = io.StringIO()
    writer = csv.writer(out, delimiter=draw.choice(",;\t|"), quoting=draw.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
                        lineterminator=draw.choice(["\n", "\r\n"]))
    writer.writerows(rows)
    mark = "\ufeff" if draw.random() < 0.2 else ""
    path.write_bytes((mark + out.getvalue()).encode())
    read = list(csv.reader(io.StringIO(out.getvalue(), newline=""), writer.dialect))
    return {name: [row[i] for row in read[1:]] for i, name in enumerate(read[0])}


def number(text):
    return struct.unpack(">d", bytes.fromhex(text[1:]))[0]


def same(cell, value):
    """Whether what was read (`f` and bits, or `t` and letters) is the value."""
    if value is None:
        return cell == "t" or (cell[0] == "f" and number(cell) != number(cell))
    if isinstance(value, (bool, int, float, decimal.Decimal)):
        return cell[0] == "f" and struct.pack(">d", float(value)) == struct.pack(">d", number(cell))
    if isinstance(value, dt.datetime):
        try:
            return cell[0] == "t" and dt.datetime.fromisoformat(cell[1:]) == value.replace(tzinfo=None)
        except ValueError:
            return False
    if isinstance(value, dt.date):
        return cell == f"t{value}"
    if cell[0] == "f":
        return float(value) == number(cell)
    return cell[1:] == value


def by_duckdb(path):
    """The columns as DuckDB reads them; none where it does not."""
    connection = duckdb.connect()
    connection.execute("SET TimeZone='UTC'")
    try:
        relation = connection.execute(f"SELECT * FROM read_parquet('{path}')")
        names = [part[0] for part in relation.description]
        rows = relation.fetchall()
    except duckdb.Error:
        return None
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def compare(path, found, expected, reader, skip=()):
    for name, values in expected.items():
        if name in skip:
            continue
        cells = found.get(name)
        if cells is None or len(cells) != len(values):
            return f"{path.name}: column {name}: {len(cells or [])} rows, {reader} has {len(values)}"
        for row, (cell, value) in enumerate(zip(cells, values)):
            if not same(cell, value):
                return f"{path.name}: {name}, row {row + 1}: {cell!r}, {reader} has {value!r}"
    return None


def dump(program, paths, seconds=600):
    """What is read of each file; the last is missing if the reader did not end by itself."""
    text = "".join(f"{path}\n" for path in paths)
    try:
        ran = subprocess.run([program], input=text.encode(), capture_output=True, timeout=seconds, check=False)
        return ran.stdout.decode().split("\n")[:-1], ran.returncode
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode(errors="replace").split("\n")[:-1], "a hang"


def differential(program, draw, folder, files):
    written = []
    for i in range(files):
        form = ["parquet", "parquet", "ipc", "csv"][i % 4]
        nested = form != "csv" and i % 20 in (0, 2)
        path = folder / f"{i}.{form}"
        write = {"parquet": write_parquet, "ipc": write_ipc}.get(form)
        expected = write(draw, path, "nested" if nested else "flat") if write else write_csv(draw, path)
        written.append((path, form, nested, expected))
    answers, code = dump(program, [path for path, *_ in written])
    wrong, refused, values = [], 0, 0
    if code != 0 or len(answers) != len(written):
        wrong.append(f"the reader ended with {code} after {len(answers)} files")
    for (path, form, nested, expected), answer in zip(written, answers):
        found = json.loads(answer)
        if "error" in found:
            refused += 1
            if not (nested and "nested" in found["error"]):
                wrong.append(f"{path.name} is refused: {found['error']}")
            continue
        if nested:
            wrong.append(f"{path.name}: a nested column was read")
            continue
        columns = expected if form == "csv" else {name: expected.column(name).to_pylist() for name in expected.column_names}
        # Python's datetime has no nanoseconds, and pyarrow hands pandas' over, which is no datetime in the strict sense but compares as one.
        problem = compare(path, found, columns, "Python's csv" if form == "csv" else "pyarrow")
        other = by_duckdb(path) if form == "parquet" else None
        if other and not problem:
            # DuckDB shows instants of a zone in its own zone, and so not as a clock there.
            problem = compare(path, found, other, "DuckDB", skip=[name for name in other if name.startswith("time_zone")])
        values += sum(map(len, columns.values()))
        # A comparison that notices nothing would be worth nothing.
        name = next((name for name, cells in columns.items() if cells), None)
        if name and not compare(path, {**found, name: ["tchanged", *found[name][1:]]}, columns, "a changed cell"):
            wrong.append(f"{path.name}: a changed cell was not noticed")
        if problem:
            wrong.append(problem)
    return [path for path, *_ in written], wrong, refused, values


def mutated(draw, data):
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 2, 8])):
        if not data:
            break
        at, how = draw.randrange(len(data)), draw.randrange(6)
        # Metadata stand at the end of Parquet and Arrow files, and sizes there do the worst.
        if draw.random() < 0.5:
            at = max(0, len(data) - 1 - draw.randrange(min(len(data), 400)))
        if how == 0:
            data[at] ^= 1 << draw.randrange(8)
        elif how == 1:
            data[at] = draw.choice([0, 1, 0x7F, 0x80, 0xFF])
        elif how == 2:
            del data[at: at + draw.randrange(1, 50)]
        elif how == 3:
            data[at:at] = draw.randbytes(draw.randrange(1, 20))
        elif how == 4:
            data[at: at + 8] = b"\xff" * draw.choice([4, 8])
        else:
            data[at:at] = data[at: at + draw.randrange(1, 200)]
    return bytes(data)


def mutants(program, draw, folder, paths, count):
    """Damaged files in batches: whatever the reader says, it must say it of every file."""
    ends, answered, batch = [], 0, 100
    # What an allocator refuses aborts the process, so that absurd sizes show.
    limited = folder / "limited.sh"
    limited.write_text(f'#!/bin/sh\nulimit -v 16000000\nexec "{program}"\n')
    limited.chmod(0o755)
    small = [path for path in paths if path.stat().st_size < 200_000]
    for start in range(0, count, batch):
        made = []
        for i in range(start, min(start + batch, count)):
            source = draw.choice(small)
            path = folder / f"mutant{i - start}{source.suffix}"
            path.write_bytes(mutated(draw, source.read_bytes()))
            made.append(path)
        while made:
            answers, code = dump(limited, made, 300)
            answered += len(answers)
            if code == 0 and len(answers) == len(made):
                break
            bad = made[len(answers)]
            kept = folder / f"ends{len(ends)}{bad.suffix}"
            kept.write_bytes(bad.read_bytes())
            ends.append(f"{kept}: the reader ended with {code}")
            made = made[len(answers) + 1:]
    return answered, ends


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--files", type=int, default=320)
    arguments.add_argument("--mutants", type=int, default=3000)
    arguments.add_argument("--dump", default="target/debug/examples/dump")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--keep", help="write the files there")
    chosen = arguments.parse_args()
    draw = random.Random(chosen.seed)
    program = Path(chosen.dump).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(chosen.keep or temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        paths, wrong, refused, values = differential(program, draw, folder, chosen.files)
        print(f"{len(paths)} files, {values} values, {refused} refused by name, {len(wrong)} wrong")
        answered, ends = mutants(program, draw, folder, paths, chosen.mutants)
        print(f"{chosen.mutants} damaged files, {answered} answered, {len(ends)} aborts, hangs or panics")
    for line in (wrong + ends)[:40]:
        print(" ", line)
    return 1 if wrong or ends else 0


if __name__ == "__main__":
    sys.exit(main())
