#!/usr/bin/env python3
"""How long polars and pandas take to read the files of a folder, for the benchmarks `load` and `table` of tailrank-data: seconds by the
clock and of the processor (all threads), without the start of the interpreter and with one read before.

    readers.py FOLDER ROWS polars-csv|polars-csv-typed|polars-parquet|pandas-csv|pandas-parquet
"""
import importlib
import pathlib
import sys
import time

folder, rows, how = sys.argv[1], int(sys.argv[2]), sys.argv[3]
library, form, *typed = how.split("-")
module = importlib.import_module(library)
paths = sorted(pathlib.Path(folder).glob(f"*.{form}"))
read = getattr(module, f"read_{form}")
if typed:
    # The same columns as a series has, their types given: the least that there is to do.
    names = ["Date", "Open", "High", "Low", "Close", "Adj Close", "Volume"]
    types = {name: module.String if name == "Date" else module.Float64 for name in names}
    read = lambda path: module.read_csv(path, schema=types, columns=["Date", "Adj Close", "Volume"])
read(paths[0])
clock, processor = time.perf_counter(), time.process_time()
for path in paths:
    assert len(read(path)) == rows
print(time.perf_counter() - clock, time.process_time() - processor)
