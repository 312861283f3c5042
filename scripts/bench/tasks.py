#!/usr/bin/env python3
"""Many tasks or models: how CPU time and memory of a whole run grow, tables, tests, verdicts and page included.

    python3 scripts/bench/tasks.py [--tailrank target/release/tailrank] [--tasks 125,250,500,1000]
    python3 scripts/bench/tasks.py --variants 10,100,500,1000,2000,4000
    python3 scripts/bench/tasks.py --shares 4 --sizes 100x50,200x100,1000x500

Each task is a table of noise around a line; models and baselines are fitted to the first 70%. Along tasks: 120 rows, 20 models,
results/benchmarks/tasks.md. Along variants: one task of 600 rows and one swept parameter, results/benchmarks/growth-page.md. With shares: tasks
x models, every share fits and scores its own as the tasks of an array job do, then one run gathers, results/benchmarks/shares.md.
Python's standard library is enough.
"""

import argparse
import filecmp
import math
import os
import random
import shutil
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
"""
NEIGHBOURS = 'family = "knn"\ngrid = { k = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 28, 32, 40] }\n'


def swept(variants):
    """Models of one family whose penalty is swept over four orders of magnitude."""
    values = ", ".join(f"{10 ** (4 * i / variants - 3):.6g}" for i in range(variants))
    return f'family = "linear"\ngrid = {{ penalty = "ridge", lambda = [{values}] }}\n'


def experiment(folder, tasks, rows, models):
    draw = random.Random(7)
    names = []
    for t in range(tasks):
        lines = ["a,b,y"]
        for _ in range(rows):
            a, b = draw.gauss(0, 1), draw.gauss(0, 1)
            lines.append(f"{a:.5f},{b:.5f},{a + draw.gauss(0, 0.6):.5f}")
        (folder / f"t{t}.csv").write_text("\n".join(lines) + "\n")
        names.append(f'{{ name = "t{t}", file = "t{t}.csv", target = "y" }}')
    (folder / "e.toml").write_text('name = "many"\n[data]\ntables = [' + ",\n".join(names) + "]\n" + SETTINGS + "[[models]]\n" + models)


def measured(command, folder):
    """CPU seconds and megabytes of a command."""
    child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def bytes_below(folder):
    return sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())


def shared(tailrank, shares, size):
    """One row of the table of shares: CPU seconds of all shares, of the longest, of the gathering run, and of one that scores everything."""
    tasks, variants = map(int, size.split("x"))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        experiment(folder, tasks, ROWS, swept(variants))
        run = [tailrank, "run", "e.toml", "--quiet", "--out", "run"]
        of_shares = [measured([*run, "--share", f"{i}/{shares}"], folder)[0] for i in range(1, shares + 1)]
        kept = bytes_below(folder / "run/scored") / 1e6
        gather = measured([*run, "--no-report"], folder)
        page = measured(run, folder)
        shutil.copytree(folder / "run/results", folder / "gathered")
        shutil.rmtree(folder / "run/scored")
        alone = measured([*run, "--no-report"], folder)
        names = [f.name for f in (folder / "gathered").iterdir()]
        same = filecmp.cmpfiles(folder / "gathered", folder / "run/results", names, shallow=False)[0]
        assert len(same) == len(names) > 10, "scoring again gave other tables"
    row = (size.replace("x", " × "), sum(of_shares), max(of_shares), kept, *gather, page[0], alone[0])
    print(row, flush=True)
    return row


def write_shares(arguments):
    rows = [shared(arguments.tailrank, arguments.shares, size) for size in arguments.sizes.split(",")]
    lines = "".join("| {} | {:.1f} | {:.1f} | {:.0f} | {:.1f} | {:.0f} | {:.1f} | {:.1f} |\n".format(*row) for row in rows)
    (ROOT / "results/benchmarks/shares.md").write_text(
        "# Scoring in shares\n\n"
        f"`scripts/bench/tasks.py --shares {arguments.shares} --sizes {arguments.sizes}`: tasks of {ROWS} rows, one swept parameter, 1,000 resamples and\n"
        f"shifts, on {processor()} ({build(arguments.tailrank)} profile). Each share fits and scores its own tasks; the gathering run then checks every cell and\n"
        "combines what the shares kept. The last column is the same run without it, which scores everything. Both write the same tables.\n\n"
        "| tasks × models | shares, CPU s | longest | kept, MB | gather, CPU s | MB | with page, CPU s | all scored by it, CPU s |\n"
        f"|--:|--:|--:|--:|--:|--:|--:|--:|\n{lines}"
    )


def processor():
    return next(l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name"))


def build(tailrank):
    return "release" if "release" in tailrank else "dev"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tailrank", default=str(ROOT / "target/release/tailrank"))
    parser.add_argument("--tasks", default="125,250,500,1000")
    parser.add_argument("--variants", help="grow along variants of one task instead")
    parser.add_argument("--shares", type=int, help="share every run out over so many processes instead")
    parser.add_argument("--sizes", default="200x100,1000x500", help="tasks x models of the shared runs")
    arguments = parser.parse_args()
    arguments.tailrank = os.path.abspath(arguments.tailrank)
    if arguments.shares:
        return write_shares(arguments)
    along = "models" if arguments.variants else "tasks"
    found = []
    for size in map(int, (arguments.variants or arguments.tasks).split(",")):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            if arguments.variants:
                experiment(folder, 1, 600, swept(size))
            else:
                experiment(folder, size, ROWS, NEIGHBOURS)
            whole = measured([arguments.tailrank, "run", "e.toml", "--quiet"], folder)
            again = measured([arguments.tailrank, "run", "e.toml", "--quiet"], folder)
            found.append((size, *whole, *again))
            print(found[-1], flush=True)
    grown = lambda a, b, i: f"{math.log(b[i] / a[i]) / math.log(b[0] / a[0]):.2f}"
    rows = ""
    for before, now in zip([None, *found], found):
        size, cpu, mb, later, later_mb = now
        steps = " | ".join(grown(before, now, i) if before else "" for i in (1, 3, 2))
        rows += f"| {size:,} | {cpu:.1f} | {mb:.0f} | {later:.1f} | {later_mb:.0f} | {steps} |\n"
    first, last = found[0], found[-1]
    title, said, name = "Many tasks", f"`scripts/bench/tasks.py`: 20 models and the baselines on tasks of {ROWS} rows", "tasks"
    if arguments.variants:
        title, name = "Many models, with inference and page", "growth-page"
        said = f"`scripts/bench/tasks.py --variants {arguments.variants}`: one swept parameter on a task of 600 rows"
    (ROOT / f"results/benchmarks/{name}.md").write_text(
        f"# {title}\n\n"
        f"{said}, 1,000 resamples and shifts, on {processor()} ({build(arguments.tailrank)} profile).\n"
        "Scored again: every fit is stored, so tables, tests, verdicts and page are left. The last columns are growth exponents since the row before.\n\n"
        f"| {along} | whole run, CPU s | MB | scored again, CPU s | MB | whole run | scored again | memory |\n|--:|--:|--:|--:|--:|--:|--:|--:|\n{rows}\n"
        f"From {first[0]:,} to {last[0]:,} {along}: whole run {grown(first, last, 1)}, scored again {grown(first, last, 3)}, memory {grown(first, last, 2)}.\n"
    )


if __name__ == "__main__":
    main()
