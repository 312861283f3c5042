#!/usr/bin/env python3
"""What a run of very many cells costs the engine itself: time and peak memory of run, status and gather, and how they grow.

    scripts/simulate_cells.py                       10,000, 30,000 and 100,000 cells; TAILRANK_BIN names the program
    scripts/simulate_cells.py --cells 1000 3000     other sizes
    scripts/simulate_cells.py --folder /shared/x    on the file system that will be used

Cells are of the debug family, whose fits are free: 100 variants on each of cells / 100 tasks of 250 test rows. Four steps are
measured, each a process of its own: one share of ten fitted by a worker, the other cells fitted by an ordinary run, `status`,
and the gathering run again with nothing left to fit, which reads, checks and scores every stored cell and writes all tables.
The last lines give the exponent of growth between the smallest and the largest size: 1 is linear.
"""

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

VARIANTS = 100
ROWS = 500


def write_experiment(folder: Path, tasks: int) -> Path:
    folder.mkdir(parents=True)
    tables = []
    for t in range(tasks):
        rows = (f"{i % 97},{3 * math.sin(i * (1.1 + t / 997)):.6f}" for i in range(ROWS))
        (folder / f"{t}.csv").write_text("x,y\n" + "\n".join(rows) + "\n")
        tables.append(f'{{ name = "task {t}", file = "{t}.csv", target = "y" }}')
    text = f"""name = "simulated"
[data]
tables = [{", ".join(tables)}]
[split]
kind = "fraction"
train = 0.5
[relevance]
low = -2.0
high = 2.0
[measures]
list = ["mad", "rmse", "precision", "recall", "f", "sera"]
t_l = 0.8
[compare]
pairs = [["mad", "f"]]
permutations = 100
[[models]]
family = "debug"
grid = {{ id = [{", ".join(str(v) for v in range(VARIANTS))}] }}
"""
    path = folder / "simulated.toml"
    path.write_text(text)
    return path


def measured(*command: str) -> tuple[float, float, float]:
    """Seconds by the clock, CPU seconds and peak MB of a command."""
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - started
    if status != 0:
        sys.exit(f"{' '.join(command)} ended with status {status}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def simulate(program: str, top: Path, cells: int) -> dict:
    folder = top / str(cells)
    experiment = write_experiment(folder, cells // VARIANTS)
    run = folder / "run"
    base = (program, "run", str(experiment), "--out", str(run), "--quiet")
    found = {
        "plan": measured(program, "check", str(experiment)),
        "share": measured(*base, "--share", "1/10"),
        "run": measured(*base),
        "status": measured(program, "status", str(run)),
        "gather": measured(*base),
    }
    state = json.loads(subprocess.check_output([program, "status", str(run), "--json"]))
    if state["done"] != cells or state["left"] != 0:
        sys.exit(f"status counts {state['done']} of {cells} cells")
    files = [f.stat().st_size for f in (run / "results" / "cells").rglob("*.parquet")]
    logs = sum(f.stat().st_size for f in (run / "log").rglob("*") if f.is_file())
    print(
        f"{cells:>7} cells: {len(files)} files of {sum(files) / len(files):.0f} bytes, logs {logs / len(files):.0f} bytes a cell",
        flush=True,
    )
    shutil.rmtree(folder)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, nargs="+", default=[10_000, 30_000, 100_000])
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    program = os.environ.get("TAILRANK_BIN", "target/debug/tailrank")
    top = Path(tempfile.mkdtemp(dir=arguments.folder))
    try:
        sizes = sorted(arguments.cells)
        found = [simulate(program, top, cells) for cells in sizes]
    finally:
        shutil.rmtree(top)
    print("\n" + " " * 8 + "".join(f"{f'{c:,} cells':>27}" for c in sizes) + f"{'growth':>21}")
    print(" " * 8 + "".join(f"{'clock':>9}{'CPU':>9}{'memory':>9}" for _ in sizes) + f"{'clock':>8}{'CPU':>5}{'memory':>8}")
    scale = math.log(sizes[-1] / sizes[0]) if len(sizes) > 1 else math.nan
    for step in found[0]:
        row = "".join(f"{f[step][0]:>7.2f} s{f[step][1]:>7.2f} s{f[step][2]:>6.0f} MB" for f in found)
        growth = [math.log(last / first) / scale for first, last in zip(found[0][step], found[-1][step])]
        print(f"{step:>8}{row}{growth[0]:>8.2f}{growth[1]:>5.2f}{growth[2]:>8.2f}")


if __name__ == "__main__":
    main()
