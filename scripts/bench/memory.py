#!/usr/bin/env python3
"""Peak memory of a whole run against what `check` says before it, and the time of its phases.

    scripts/bench/memory.py                         100,000, 400,000 and 5,000,000 rows, and a panel; TAILRANK_BIN names the program
    scripts/bench/memory.py --rows 100000 --panel 200000 --save memory

A panel has 200 symbols on every date, each date with a common part.

A CSV table of two inputs, least squares and the baselines, one split, inference and page as by default. Peak is the largest resident set of
the process, as the system counts it.
"""

import argparse
import datetime
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from cells import measured
from peers import ROOT, machine, this_version

EXPERIMENT = """name = "rows"
[data]
tables = [{ name = "t", file = "t.csv", target = "y"KEYS }]
[split]
kind = "fraction"
train = 0.7
[relevance]
low = -0.05
high = 0.05
[measures]
list = ["mad", "f"]
t_l = 0.01
[[models]]
family = "linear"
"""


def write(folder: Path, rows: int, symbols: int) -> Path:
    draw = random.Random(rows)
    start = datetime.date(1990, 1, 1)
    with open(folder / "t.csv", "w") as file:
        file.write(("date,symbol," if symbols else "") + "a,b,y\n")
        for row in range(rows):
            if symbols and row % symbols == 0:
                common = draw.gauss(0, 1)
            a, b = draw.gauss(0, 1), draw.gauss(0, 1)
            y = 0.03 * a - 0.01 * b + 0.02 * draw.gauss(0, 1) + (0.01 * common if symbols else 0)
            key = f"{start + datetime.timedelta(row // symbols)},S{row % symbols}," if symbols else ""
            file.write(f"{key}{a:.5f},{b:.5f},{y:.6f}\n")
    experiment = folder / "e.toml"
    experiment.write_text(EXPERIMENT.replace("KEYS", ', date = "date", entity = "symbol"' if symbols else ""))
    return experiment


def forecast(program: str, experiment: Path) -> float:
    plan = json.loads(subprocess.check_output([program, "check", str(experiment), "--json"]))
    return plan["bytes_of_run"] / (1 << 20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="*", default=[100_000, 400_000, 5_000_000])
    parser.add_argument("--panel", type=int, nargs="*", default=[200_000])
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--save", metavar="NAME")
    arguments = parser.parse_args()
    program = os.environ.get("TAILRANK_BIN", "target/debug/tailrank")
    if not Path(program).exists():
        sys.exit(f"no program '{program}': build it (cargo build), or name it in TAILRANK_BIN")
    lines = [
        f"Machine: {machine()}. {this_version(program)} ({'release' if 'release' in program else 'dev'} profile).",
        "",
        "| rows | forecast | peak of `run` | peak / forecast | clock | CPU | `run` again |",
        "|---|---|---|---|---|---|---|",
    ]
    for rows, symbols in [(rows, 0) for rows in arguments.rows] + [(rows, 200) for rows in arguments.panel]:
        top = Path(tempfile.mkdtemp(dir=arguments.folder))
        try:
            experiment = write(top, rows, symbols)
            said = forecast(program, experiment)
            run = (program, "run", str(experiment), "--out", str(top / "run"), "--quiet")
            first, again = measured(*run), measured(*run)
        finally:
            shutil.rmtree(top)
        peak = max(first[2], again[2])
        lines.append(
            f"| {rows:,}{' (panel)' if symbols else ''} | {said:.0f} MB | {peak:.0f} MB | {peak / said:.2f} | {first[0]:.1f} s | {first[1]:.1f} s | {again[0]:.1f} s |"
        )
        print(lines[-1], flush=True)
    text = "\n".join(lines)
    print("\n" + text)
    if arguments.save:
        page = f"# Peak memory of a run, and its forecast\n\n{text}\n\nMade by `scripts/bench/memory.py --save {arguments.save}`; its head says what is run.\n"
        (ROOT / "results/benchmarks" / f"{arguments.save}.md").write_text(page)


if __name__ == "__main__":
    main()
