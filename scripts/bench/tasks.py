#!/usr/bin/env python3
"""Many tasks, cheap models: how CPU time and memory of a whole run grow, tables, tests, verdicts and page included.

    python3 scripts/bench/tasks.py [--tailrank target/release/tailrank] [--tasks 125,250,500,1000]

Each task is a table of 120 rows of noise around a line; 20 models and the baselines are fitted to the first 70%. Writes results/benchmarks/tasks.md.
Python's standard library is enough.
"""

import argparse
import math
import os
import random
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROWS = 120
SETTINGS = """
[split]
kind = "fraction"
train = 0.7
[relevance]
low = -1.5
high = 1.5
[measures]
list = ["mad", "rmse", "f", "rwse"]
t_l = 0.5
[compare]
pairs = [["mad", "f"]]
[[models]]
family = "linear"
[[models]]
family = "knn"
grid = { k = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 28, 32, 40] }
"""


def experiment(folder, tasks):
    draw = random.Random(7)
    names = []
    for t in range(tasks):
        rows = ["a,b,y"]
        for _ in range(ROWS):
            a, b = draw.gauss(0, 1), draw.gauss(0, 1)
            rows.append(f"{a:.5f},{b:.5f},{a + draw.gauss(0, 0.6):.5f}")
        (folder / f"t{t}.csv").write_text("\n".join(rows) + "\n")
        names.append(f'{{ name = "t{t}", file = "t{t}.csv", target = "y" }}')
    (folder / "e.toml").write_text('name = "many"\n[data]\ntables = [' + ",\n".join(names) + "]\n" + SETTINGS)


def measured(command, folder):
    """CPU seconds and megabytes of a command."""
    child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tailrank", default=str(ROOT / "target/release/tailrank"))
    parser.add_argument("--tasks", default="125,250,500,1000")
    arguments = parser.parse_args()
    found = []
    for tasks in map(int, arguments.tasks.split(",")):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            experiment(folder, tasks)
            whole = measured([arguments.tailrank, "run", "e.toml", "--quiet"], folder)
            again = measured([arguments.tailrank, "run", "e.toml", "--quiet"], folder)
            found.append((tasks, *whole, *again))
            print(found[-1], flush=True)
    rows = "".join(f"| {t:,} | {cpu:.1f} | {mb:.0f} | {later:.1f} | {later_mb:.0f} |\n" for t, cpu, mb, later, later_mb in found)
    first, last = found[0], found[-1]
    exponent = lambda i: math.log(last[i] / first[i]) / math.log(last[0] / first[0])
    processor = next(l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name"))
    (ROOT / "results/benchmarks/tasks.md").write_text(
        "# Many tasks\n\n"
        f"`scripts/bench/tasks.py`: 20 models and the baselines on tasks of {ROWS} rows, 1,000 resamples and shifts, on {processor}.\n"
        "Scored again: every fit is stored, so tables, tests, verdicts and page are left.\n\n"
        "| tasks | whole run, CPU s | MB | scored again, CPU s | MB |\n|--:|--:|--:|--:|--:|\n" + rows + "\n"
        f"Growth exponents from {first[0]:,} to {last[0]:,} tasks: whole run {exponent(1):.2f}, scored again {exponent(3):.2f}, memory {exponent(2):.2f}.\n"
    )


if __name__ == "__main__":
    main()
