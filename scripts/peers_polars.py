#!/usr/bin/env python3
"""How long polars takes to read the CSV files of a folder, for `cargo bench --bench load`: seconds by the clock and of the processor (all
threads), without the start of the interpreter.

    peers_polars.py FOLDER ROWS all|typed
"""
import pathlib
import sys
import time

import polars as pl

folder, rows, how = sys.argv[1], int(sys.argv[2]), sys.argv[3]
paths = sorted(pathlib.Path(folder).glob("*.csv"))
names = ["Date", "Open", "High", "Low", "Close", "Adj Close", "Volume"]
types = {name: pl.String if name == "Date" else pl.Float64 for name in names}
if how == "all":
    # What a user would write: all columns, types guessed.
    read = pl.read_csv
else:
    # The same columns as a series has, their types given: the least that there is to do.
    read = lambda path: pl.read_csv(path, schema=types, columns=["Date", "Adj Close", "Volume"])
read(paths[0])
clock, processor = time.perf_counter(), time.process_time()
for path in paths:
    assert read(path).height == rows
print(time.perf_counter() - clock, time.process_time() - processor)
