#!/usr/bin/env python3
"""The 57 variants beside R's own packages, variant by variant: Coca-Cola 1990–2022, h = 3.

    python3 scripts/bench/r_grid.py KO_1990_2022.csv [--save]

The prices are not part of the repository: give a file with Date and Close (or Adj Close). R's answers are in
crates/tailrank-models/tests/fixtures/r_grid_KO_h3.csv. The first 5000 complete rows train, without purging, as they did in R.
MARS and SVM are deterministic and must agree; nnet and forests are random and stand within their families' spread.
TAILRANK names a program that is built already. With --save the table goes to results/benchmarks/r-grid.md.
"""

import csv
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from peers import GRIDS, ROOT, embed, read_prices, release_build

prices = read_prices(Path(sys.argv[1]))
with open(ROOT / "crates/tailrank-models/tests/fixtures/r_grid_KO_h3.csv") as f:
    reference = list(csv.DictReader(f))
at = embed(prices)[5000][0]
binary = Path(os.environ["TAILRANK"]) if "TAILRANK" in os.environ else release_build()
with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    (folder / "KO.csv").write_text("Date,Close\n" + "".join(f"{d},{p!r}\n" for d, p in prices))
    (folder / "grid.toml").write_text(
        'name = "r-grid"\nseed = 2009\n[data]\nseries = [{ name = "KO", file = "KO.csv" }]\n[target]\nhorizons = [3]\nlags = 24\n'
        f'[split]\nkind = "date"\nat = "{at}"\nleak = "paper"\n[relevance]\nkind = "sigmoid"\nlow = -0.02\nhigh = 0.02\nk = 0.5\ndelta = 1e-4\n'
        '[measures]\nlist = ["mad", "rmse", "precision", "recall", "f"]\nalpha = "smooth"\nalpha_k = 8\nt_l = 0.005\nbeta = 0.5\n'
        + "".join(f'[[models]]\nfamily = "{f}"\ngrid = {{ {g} }}\n' for f, g in GRIDS.items())
    )
    subprocess.run([binary, "run", folder / "grid.toml", "--out", folder / "run", "--quiet", "--no-report"], check=True, stdout=subprocess.DEVNULL)
    with open(folder / "run/results/scores.csv") as f:
        ours = list(csv.DictReader(f))
    with open(folder / "run/results/comparisons.csv") as f:
        verdict = next(csv.DictReader(f))

name = {"rf": "forest", "randomForest": "forest"}
def key(row):
    p = [format(float(v), "g") for v in (row["p1"], row["p2"]) if v not in ("", "NA")]
    family = name.get(row["fam"], row["fam"])
    return f"{family} " + "/".join(p[:1] if family == "forest" else p)

def normal(label):
    family, values = label.split(" ")
    return family + " " + "/".join(format(float(v), "g") for v in values.split("/"))

found = {normal(r["model"]): r for r in ours}
lines = ["| variant | MAD, R | MAD, tailrank | difference | F, R | F, tailrank | signals, R | signals, tailrank |", "|---|--:|--:|--:|--:|--:|--:|--:|"]
worst = {}
def number(text):
    return None if text in ("", "NA") else float(text)
def show(value, form):
    return "–" if value is None else format(value, form)
for r in reference:
    o = found.get(key(r))
    if o is None:
        sys.exit(f"no variant {key(r)} among {sorted(found)[:5]} …")
    gap = float(o["mad"]) - float(r["MAD"])
    signals = abs(int(float(o["signals"])) - int(r["nSig"]))
    family = key(r).split()[0]
    w = worst.setdefault(family, [0, 0, [], []])
    w[0], w[1] = max(w[0], abs(gap)), max(w[1], signals)
    w[2].append(float(r["MAD"]))
    w[3].append(float(o["mad"]))
    lines.append(f"| {key(r)} | {float(r['MAD']):.12f} | {float(o['mad']):.12f} | {gap:.1e} | {show(number(r['F']), '.4f')} | {show(number(o['f']), '.4f')} | {r['nSig']} | {int(float(o['signals']))} |")
lines += ["", "| family | largest difference of MAD | of signals | median MAD, R | median MAD, tailrank |", "|---|--:|--:|--:|--:|"]
lines += [f"| {f} | {w[0]:.1e} | {w[1]} | {statistics.median(w[2]):.6f} | {statistics.median(w[3]):.6f} |" for f, w in worst.items()]

def picture(rows, mad, f, signals):
    """The phenomenon of PR09: what the six best by MAD signal, where the best by F stands by MAD, ρ of the rankings."""
    by_mad = sorted(rows, key=lambda r: float(r[mad]))
    best = max((r for r in rows if number(r[f]) is not None), key=lambda r: float(r[f]))
    silent = next((i for i, r in enumerate(by_mad) if int(float(r[signals])) > 0), len(rows))
    return silent, by_mad.index(best) + 1

lines += ["", "Best by MAD without a single signal: R {}, tailrank {}. The best by F stands by MAD at: R {}, tailrank {}.".format(
    *(x for pair in zip(picture(reference, "MAD", "F", "nSig"), picture(ours, "mad", "f", "signals")) for x in pair))]
columns = {k: v for k, v in verdict.items() if k in ("rho", "tau")}
lines += [f"Rank correlation of MAD and F in tailrank's run: {', '.join(f'{k} = {float(v):.2f}' for k, v in columns.items() if v)}."]
print("\n".join(lines))
if "--save" in sys.argv:
    (ROOT / "results/benchmarks/r-grid.md").write_text(
        "# The 57 variants beside R's packages\n\nCoca-Cola 1990–2022, h = 3, 5000 rows to learn from, 3284 to predict.\n\n" + "\n".join(lines) + "\n\nMade by `scripts/bench/r_grid.py`.\n")
