#!/usr/bin/env python3
"""How long polars and pandas take to read files, and what `tailrank check` and `init` take of the same.

    readers.py FOLDER ROWS polars-csv|polars-csv-typed|polars-parquet|pandas-csv|pandas-parquet

For the benchmarks `load` and `table` of tailrank-data: seconds by the clock and of the processor (all threads) for all files of a folder,
without the start of the interpreter and with one read before.

    readers.py --program target/release/tailrank [--rows 500000] [--rounds 5] [--gigabyte]

Needs polars. Writes a table of 21 columns as CSV and Parquet and measures whole processes in turn: `check`, `init`, and Python that reads
the file with polars on one thread, less Python that only imports polars. Medians of processor seconds; --gigabyte adds the memory of
`check` on 1 GB of CSV.
"""
import argparse
import importlib
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

COLUMNS = 21


def of_folder(folder, rows, how):
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
        assert len(read(path)) == int(rows)
    print(time.perf_counter() - clock, time.process_time() - processor)


def cost(folder, *command):
    """Processor seconds of a process and its largest memory in MB."""
    environment = {**os.environ, "POLARS_MAX_THREADS": "1"}
    pid = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).pid
    _, status, used = os.wait4(pid, 0)
    assert status == 0, command
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def write(path, rows):
    """Numbers with as many digits as computed ones have, by a rule that needs no generator."""
    polars = importlib.import_module("polars")
    row = polars.int_range(1, rows + 1, eager=True).cast(polars.Float64)
    frame = polars.DataFrame({f"c{c}": (row * (c + 3)).sin() * 100 for c in range(COLUMNS)})
    frame.write_parquet(path) if path.suffix == ".parquet" else frame.write_csv(path)


def whole(program, rows, rounds, gigabyte):
    program = str(pathlib.Path(program).resolve())
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        print(f"| {rows:,} × {COLUMNS} | polars reads | check | init | check / polars | init / check |")
        print("|---|--:|--:|--:|--:|--:|")
        for form in ("csv", "parquet"):
            file = f"t.{form}"
            write(folder / file, rows)
            subprocess.run([program, "init", file, "--target", "c0", "--out", f"{form}.toml"], cwd=folder, check=True, capture_output=True)
            found = [[], [], []]
            for _ in range(rounds):
                started = cost(folder, sys.executable, "-c", "import polars")[0]
                read = cost(folder, sys.executable, "-c", f"import polars; polars.read_{form}('{file}')")[0]
                found[0].append(read - started)
                found[1].append(cost(folder, program, "check", f"{form}.toml")[0])
                found[2].append(cost(folder, program, "init", file, "--target", "c0")[0])
            polars, check, init = map(statistics.median, found)
            print(f"| {form} | {polars:.2f} s | {check:.2f} s | {init:.2f} s | {check / polars:.2f} | {init / check:.2f} |")
        if gigabyte:
            write(folder / "g.csv", 2_560_000)
            size = (folder / "g.csv").stat().st_size / 1e9
            text = (folder / "csv.toml").read_text().replace('"t.csv"', '"g.csv"')
            (folder / "g.toml").write_text(text)
            print(f"\n{size:.2f} GB of CSV: check takes {cost(folder, program, 'check', 'g.toml')[1]:.0f} MB")


if __name__ == "__main__":
    if "--program" not in sys.argv:
        of_folder(*sys.argv[1:])
    else:
        asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
        asked.add_argument("--program", required=True)
        asked.add_argument("--rows", type=int, default=500_000)
        asked.add_argument("--rounds", type=int, default=5)
        asked.add_argument("--gigabyte", action="store_true")
        chosen = asked.parse_args()
        whole(chosen.program, chosen.rows, chosen.rounds, chosen.gigabyte)
