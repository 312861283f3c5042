#!/usr/bin/env python3
"""What a run of very many cells costs the engine itself: time and peak memory of run, status and gather, and how they grow.

    scripts/bench/cells.py                       10,000, 30,000 and 100,000 cells; TAILRANK_BIN names the program
    scripts/bench/cells.py --cells 1000 3000     other sizes
    scripts/bench/cells.py --folder /shared/x    on the file system that will be used
    scripts/bench/cells.py --save cells          also writes results/benchmarks/cells.md

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

from peers import ROOT, machine, this_version

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


def simulate(program: str, top: Path, cells: int) -> tuple[dict, str]:
    """What each step took, and a line on the files it left."""
    folder = top / str(cells)
    experiment = write_experiment(folder, cells // VARIANTS)
    run = folder / "run"
    base = (program, "run", str(experiment), "--out", str(run), "--quiet", "--no-report")
    found = {
        "plan only (`check`)": measured(program, "check", str(experiment)),
        "a tenth, by a worker (`--share`)": measured(*base[:-1], "--share", "1/10"),
        "the rest, with scores": measured(*base),
        "`status`": measured(program, "status", str(run)),
        "gather: check and score all": measured(*base),
    }
    state = json.loads(subprocess.check_output([program, "status", str(run), "--json"]))
    if state["done"] != cells or state["left"] != 0:
        sys.exit(f"status counts {state['done']} of {cells} cells")
    files = [f.stat().st_size for f in (run / "results" / "cells").rglob("*.parquet")]
    logs = sum(f.stat().st_size for f in (run / "log").rglob("*") if f.is_file())
    line = f"{cells:,} cells: {len(files):,} files of {sum(files) / len(files):.0f} bytes, logs {logs / len(files):.0f} bytes a cell"
    print(line, flush=True)
    shutil.rmtree(folder)
    return found, line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, nargs="+", default=[10_000, 30_000, 100_000])
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--save", metavar="NAME")
    arguments = parser.parse_args()
    program = os.environ.get("TAILRANK_BIN", "target/release/tailrank")
    facts, version = machine(), this_version(program)
    top = Path(tempfile.mkdtemp(dir=arguments.folder))
    try:
        sizes = sorted(arguments.cells)
        found, notes = zip(*(simulate(program, top, cells) for cells in sizes))
    finally:
        shutil.rmtree(top)
    scale = math.log(sizes[-1] / sizes[0]) if len(sizes) > 1 else math.nan
    columns = [f"{c:,} cells" for c in sizes]
    lines = [f"| step (clock, CPU, peak) | {' | '.join(columns)} | growth of CPU | of memory |", "|---" * (len(sizes) + 3) + "|"]
    for step in found[0]:
        row = " | ".join("{:.2f} s, {:.2f} s, {:.0f} MB".format(*f[step]) for f in found)
        growth = [math.log(last / first) / scale for first, last in zip(found[0][step], found[-1][step])]
        lines.append(f"| {step} | {row} | {growth[1]:.2f} | {growth[2]:.2f} |")
    text = "\n".join([f"Machine: {facts}. {version} (release build).", "", *lines, "", *(f"- {n}" for n in notes)])
    print("\n" + text)
    if arguments.save:
        page = f"# Very many cells that cost nothing\n\n{text}\n\nMade by `scripts/bench/cells.py --save {arguments.save}`; its head says what each step is.\n"
        (ROOT / "results/benchmarks" / f"{arguments.save}.md").write_text(page)


if __name__ == "__main__":
    main()
