#!/usr/bin/env python3
"""Time and peak memory of a whole run with very many series, and with very many variants of one task; how they grow.

    scripts/bench/scale.py                      1,000 to 10,000 series, 10,000 to 100,000 variants; TAILRANK_BIN names the program
    scripts/bench/scale.py --series 100 300 --variants 1000 3000
    scripts/bench/scale.py --folder /dev/shm    on another file system
    scripts/bench/scale.py --save scale         also writes results/benchmarks/scale.md

Series: columns of one wide CSV file, 160 days each, and a grid of four variants (least squares, two ridges, nearest neighbours). Variants:
ridge regressions of one table of 400 rows, one weight each, all in a single cell. Inference is off: its cost is that of its
resamples. Each step is a process of its own: `check` plans alone; `run` fits, scores and writes tables; `run` again reads
what is stored, scores and writes tables; `export scores` writes one row per variant and measure. The exponents of growth are those between the
smallest and the largest size: 1 is linear.
"""

import argparse
import math
import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

from peers import ROOT, machine, this_version
from cells import measured

COMMON = """[measures]
list = ["mad", "rmse", "precision", "recall", "f", "sera"]
t_l = 0.01
[compare]
pairs = [["mad", "f"]]
permutations = 100
[inference]
enabled = false
"""


def series(folder: Path, count: int) -> str:
    draw = random.Random(count)
    prices = [100.0] * count
    with open(folder / "wide.csv", "w") as file:
        file.write("Date," + ",".join(f"S{i}" for i in range(count)) + "\n")
        for day in range(160):
            prices = [p * math.exp(0.02 * draw.gauss(0, 1)) for p in prices]
            file.write(f"2020-{day // 28 + 1:02d}-{day % 28 + 1:02d}," + ",".join(f"{p:.4f}" for p in prices) + "\n")
    return (
        'name = "series"\n[data]\nseries = [{ wide = "wide.csv" }]\n[target]\nhorizons = [1]\nlags = 5\n[split]\nkind = "fraction"\n'
        "train = 0.6\n[relevance]\nlow = -0.05\nhigh = 0.05\n" + COMMON + '[[models]]\nfamily = "linear"\n[[models]]\nfamily = "linear"\n'
        'label = "ridge"\ngrid = { penalty = "ridge", lambda = [0.01, 0.1] }\n[[models]]\nfamily = "knn"\ngrid = { k = 10 }\n'
    )


def variants(folder: Path, count: int) -> str:
    draw = random.Random(7)
    with open(folder / "table.csv", "w") as file:
        file.write("a,b,c,y\n")
        for _ in range(400):
            a, b, c = (draw.gauss(0, 1) for _ in range(3))
            file.write(f"{a},{b},{c},{0.03 * a - 0.01 * b + 0.02 * draw.gauss(0, 1)}\n")
    weights = ", ".join(f"{1e-6 * 1.0002**i:.6e}" for i in range(count))
    return (
        'name = "variants"\n[data]\ntables = [{ name = "t", file = "table.csv", target = "y" }]\n[split]\nkind = "fraction"\ntrain = 0.6\n'
        "[relevance]\nlow = -0.05\nhigh = 0.05\n" + COMMON + '[[models]]\nfamily = "linear"\nlabel = "ridge"\n'
        f'grid = {{ penalty = "ridge", lambda = [{weights}] }}\n'
    )


def steps(program: str, top: Path, kind, count: int) -> dict:
    folder = top / f"{kind.__name__}-{count}"
    folder.mkdir()
    experiment = folder / "e.toml"
    experiment.write_text(kind(folder, count))
    run = folder / "run"
    base = (program, "run", str(experiment), "--out", str(run), "--quiet", "--no-report")
    found = {
        "`check`": measured(program, "check", str(experiment), "--quiet"),
        "`run`: fit, score, tables": measured(*base),
        "`run` again: read, score, tables": measured(*base),
        "`export scores`": measured(program, "export", "scores", str(run), "--out", str(folder / "scores.csv"), "--quiet"),
    }
    for step, values in found.items():
        print(f"{count:,} {kind.__name__}, {step}: {values[0]:.2f} s, {values[1]:.2f} s of CPU, {values[2]:.0f} MB", flush=True)
    shutil.rmtree(folder)
    return found


def table(kind, sizes, found) -> list[str]:
    scale = math.log(sizes[-1] / sizes[0]) if len(sizes) > 1 else math.nan
    columns = " | ".join(f"{size:,} {kind.__name__}" for size in sizes)
    lines = [f"| step (clock, CPU, peak) | {columns} | growth of CPU | of memory |", "|---" * (len(sizes) + 3) + "|"]
    for step in found[0]:
        row = " | ".join("{:.2f} s, {:.2f} s, {:.0f} MB".format(*f[step]) for f in found)
        growth = [math.log(last / first) / scale for first, last in zip(found[0][step], found[-1][step])]
        lines.append(f"| {step} | {row} | {growth[1]:.2f} | {growth[2]:.2f} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--series", type=int, nargs="*", default=[1_000, 3_000, 10_000])
    parser.add_argument("--variants", type=int, nargs="*", default=[10_000, 30_000, 100_000])
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--save", metavar="NAME")
    arguments = parser.parse_args()
    program = os.environ.get("TAILRANK_BIN", "target/debug/tailrank")
    if not Path(program).exists():
        sys.exit(f"no program '{program}': build it (cargo build), or name it in TAILRANK_BIN")
    head = f"Machine: {machine()}. {this_version(program)} ({'release' if 'release' in program else 'dev'} profile)."
    top = Path(tempfile.mkdtemp(dir=arguments.folder))
    lines = [head]
    try:
        for kind, sizes in ((series, sorted(arguments.series)), (variants, sorted(arguments.variants))):
            if sizes:
                lines += ["", *table(kind, sizes, [steps(program, top, kind, size) for size in sizes])]
    finally:
        shutil.rmtree(top)
    text = "\n".join(lines)
    print("\n" + text)
    if arguments.save:
        page = f"# Very many series, and very many variants of one task\n\n{text}\n\nMade by `scripts/bench/scale.py --save {arguments.save}`; its head says what each step is.\n"
        (ROOT / "results/benchmarks" / f"{arguments.save}.md").write_text(page)


if __name__ == "__main__":
    main()
