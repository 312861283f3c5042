#!/usr/bin/env python3
"""How time and peak memory grow with rows, variants, tasks and threads, family by family; fits the exponents.

    python3 scripts/bench/growth.py                    everything (about 20 CPU minutes)
    python3 scripts/bench/growth.py --only rows --families mars,forest
    python3 scripts/bench/growth.py --save growth      also writes results/benchmarks/growth.md and .json

Series are synthetic (seeded GARCH(1,1) with heavy tails), so any length can be had. Short runs are repeated and the fastest
counts. What a run with a free model takes on the same data (starting, reading, scoring) is taken off; an exponent is the slope
of log CPU seconds on log size, over the sizes where at least 0.02 s are left.
"""

import argparse
import json
import math
import random
import shutil
import sys
import tempfile
from pathlib import Path

from peers import GRIDS, ROOT, machine, measured, release_build, this_version

ONE = {"nnet": "size = 10, decay = 0.05", "mars": "penalty = 2, threshold = 0.001", "svm": "cost = 400, gamma = 0.001", "forest": "trees = 100"}
ROWS = [1250, 2500, 5000, 10000, 20000]


def prices(n, seed):
    """Closing prices whose daily returns are GARCH(1,1) with Student-t shocks of 5 degrees of freedom."""
    draw = random.Random(seed)
    variance, price, lines = 1e-4, 100.0, ["Date,Close"]
    year, day = 1800, 0
    for _ in range(n):
        chi = sum(draw.gauss(0, 1) ** 2 for _ in range(5))
        shock = draw.gauss(0, 1) / math.sqrt(chi / 5) * math.sqrt(3 / 5)
        r = math.sqrt(variance) * shock
        variance = 2e-6 + 0.08 * r * r + 0.9 * variance
        price *= math.exp(max(-0.2, min(0.2, r)))
        lines.append(f"{year:04d}-{day // 28 % 12 + 1:02d}-{day % 28 + 1:02d},{price!r}")
        day += 1
        if day == 336:
            year, day = year + 1, 0
    return "\n".join(lines) + "\n"


def run(binary, folder, series, train, models, jobs):
    """CPU seconds, wall seconds and peak megabytes; the fastest of three where that is cheap."""
    first = run_once(binary, folder, series, train, models, jobs)
    again = 2 if first[0] < 3 else 0
    return min([first, *(run_once(binary, folder, series, train, models, jobs) for _ in range(again))])


def run_once(binary, folder, series, train, models, jobs):
    experiment = folder / "experiment.toml"
    listed = ", ".join(f'{{ name = "{p.stem}", file = "{p}" }}' for p in series)
    experiment.write_text(
        f'name = "growth"\nseed = 1\n[data]\nseries = [{listed}]\n[target]\nhorizons = [1]\nlags = 24\n'
        f'[split]\nkind = "fraction"\ntrain = {train!r}\n[relevance]\nlow = -0.02\nhigh = 0.02\n'
        '[measures]\nlist = ["mad", "f"]\nt_l = 0.005\n'
        + "".join(f'[[models]]\nfamily = "{f}"\ngrid = {{ {g} }}\n' for f, g in models)
    )
    out = folder / "run"
    try:
        cpu, wall, memory, _ = measured([str(binary), "run", str(experiment), "--jobs", str(jobs), "--out", str(out), "--quiet", "--no-report"], limit=1800)
    finally:
        shutil.rmtree(out, ignore_errors=True)
    return cpu, wall, memory


def exponent(sizes, seconds, idle):
    points = [(math.log(n), math.log(s - i)) for n, s, i in zip(sizes, seconds, idle) if s - i > 0.02]
    if len(points) < 2:
        return None
    mx, my = (sum(p[k] for p in points) / len(points) for k in (0, 1))
    return sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="rows,variants,tasks,threads")
    parser.add_argument("--families", default="nnet,mars,svm,forest")
    parser.add_argument("--binary", type=Path, help="a tailrank that is built already, instead of a release build")
    parser.add_argument("--save", metavar="NAME")
    arguments = parser.parse_args()
    binary = arguments.binary or release_build()
    folder = Path(tempfile.mkdtemp(prefix="tailrank-growth-"))
    families, only = arguments.families.split(","), arguments.only.split(",")
    test = 1000
    files = {}
    for n in ROWS:
        files[n] = folder / f"s{n}.csv"
        files[n].write_text(prices(n + test + 25, 1))
    share = {n: n / (n + test) for n in ROWS}
    small = []
    for k in range(8):
        path = folder / f"t{k}.csv"
        path.write_text(prices(2500 + test + 25, 10 + k))
        small.append(path)
    facts, version = machine(), this_version(binary)
    free = [("baseline", 'kind = "zero"')]
    idle = {n: run(binary, folder, [files[n]], share[n], free, 1)[0] for n in ROWS}
    found = []

    def note(axis, family, sizes, runs, idle):
        cpus = [r[0] for r in runs]
        row = {"axis": axis, "family": family, "sizes": sizes, "cpu_s": cpus, "wall_s": [r[1] for r in runs], "peak_mb": [r[2] for r in runs],
               "idle_cpu_s": idle, "exponent": exponent(sizes, cpus, idle) if axis != "threads" else None}
        found.append(row)
        print(json.dumps(row), flush=True)

    for family in families:
        if "rows" in only:
            note("rows", family, ROWS, [run(binary, folder, [files[n]], share[n], [(family, ONE[family])], 1) for n in ROWS], [idle[n] for n in ROWS])
        if "variants" in only:
            grid = {"nnet": ("size = 10", "decay", [0.01 * (i + 1) for i in range(16)]), "mars": ("threshold = 0.001", "penalty", [1 + 0.25 * i for i in range(16)]),
                    "svm": ("gamma = 0.001", "cost", [100 + 50 * i for i in range(16)]), "forest": ("", "trees", [25 * (i + 1) for i in range(16)])}[family]
            sizes = [1, 4, 16]
            runs = []
            for n in sizes:
                values = ", ".join(f"{v:g}" for v in (grid[2][:n] if family != "forest" else grid[2][16 - n:]))
                text = f"{grid[0]}, {grid[1]} = [{values}]" if grid[0] else f"{grid[1]} = [{values}]"
                runs.append(run(binary, folder, [files[2500]], share[2500], [(family, text)], 1))
            note("variants", family, sizes, runs, [idle[2500]] * len(sizes))
    everything = [(f, GRIDS[f]) for f in families]
    if "tasks" in only:
        sizes = [1, 2, 4, 8]
        at_rest = [run(binary, folder, small[:k], share[2500], free, 2)[0] for k in sizes]
        note("tasks", "all", sizes, [run(binary, folder, small[:k], share[2500], everything, 2) for k in sizes], at_rest)
    if "threads" in only:
        note("threads", "all", [1, 2, 4], [run(binary, folder, small[:4], share[2500], everything, j) for j in (1, 2, 4)], [0.0] * 3)

    lines = [f"Machine: {facts}. {version} (release build). Starting, reading and scoring take {min(idle.values()):.2f} to {max(idle.values()):.2f} CPU s; "
             "exponents are of what goes beyond.", "",
             "| along | family | sizes | CPU s | wall s | peak MB | exponent |", "|---|---|---|---|---|---|--:|"]
    for r in found:
        join = lambda values, form: ", ".join(format(v, form) for v in values)
        e = "" if r["exponent"] is None else f"{r['exponent']:.2f}"
        lines.append(f"| {r['axis']} | {r['family']} | {join(r['sizes'], 'd')} | {join(r['cpu_s'], '.2f')} | {join(r['wall_s'], '.2f')} | {join(r['peak_mb'], '.0f')} | {e} |")
    lines += ["", f"rows: one variant ({'; '.join(f'{k} {v}' for k, v in ONE.items())}), {test} rows to predict. variants: 2,500 rows to learn from. "
              "tasks, threads: the whole grid of 57, 2,500 rows each, four tasks for threads."]
    print("\n" + "\n".join(lines))
    if arguments.save:
        target = ROOT / "results/benchmarks"
        target.mkdir(parents=True, exist_ok=True)
        shown = [a for i, a in enumerate(sys.argv[1:], 1) if a != "--binary" and sys.argv[i - 1] != "--binary"]
        (target / f"{arguments.save}.md").write_text("# How tailrank grows\n\n" + "\n".join(lines) + f"\n\nMade by `scripts/bench/growth.py {' '.join(shown)}`.\n")
        (target / f"{arguments.save}.json").write_text(json.dumps({"machine": facts, "version": version, "rows": found}, indent=1) + "\n")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
