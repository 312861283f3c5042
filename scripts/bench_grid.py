#!/usr/bin/env python3
"""The 57-variant grid of PR09 on one task: tailrank against R and scikit-learn, in one alternating run.

Prints CPU seconds (user + system, one thread each), ratios, and the quality of each family's models (median MAD, RMSE and
signals of its variants), so that speed is never bought with a worse model.

    python3 scripts/bench_grid.py [--rounds N] [--prices FILE.csv] [--families nnet,mars,svm,forest]

Needs: cargo. Peers that are missing (Rscript with nnet, mda, e1071, randomForest; scikit-learn) are skipped and said so.
By default the task is Coca-Cola, h = 3, from the bundled data: 5026 rows to learn from, 4668 to predict, 24 inputs.
With --prices, the first 5000 complete rows of that file train and the rest tests.
"""

import argparse
import csv
import datetime
import gzip
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GRIDS = {
    "nnet": "grid = { size = [5, 10, 15, 20, 30], decay = [0.01, 0.05, 0.1] }",
    "mars": "grid = { penalty = [1, 2, 3, 4], threshold = [0.01, 0.005, 0.001, 0.0005] }",
    "svm": "grid = { cost = [400, 500, 600, 700], gamma = [0.01, 0.005, 0.001, 0.0005] }",
    "forest": "grid = { trees = [50, 100, 150, 200, 250, 300, 350, 400, 450, 500] }",
}
H, LAGS = 3, 24


def read_prices(path):
    opener = gzip.open if str(path).endswith(".gz") else open
    with opener(path, "rt") as f:
        rows = list(csv.DictReader(f))
    date = next(k for k in rows[0] if k.lower() == "date")
    names = [k for k in rows[0] if k != date]
    price = next((k for k in names if k.lower().replace(" ", "") in ("adjclose", "close")), names[0])
    return [(r[date], float(r[price])) for r in rows]


def embed(prices):
    """Rows (origin date, 24 inputs newest first, target)."""
    close = [p for _, p in prices]
    r = [None] * H + [(close[t] - close[t - H]) / close[t - H] for t in range(H, len(close))]
    rows = []
    for t in range(H + LAGS - 1, len(close) - H):
        rows.append((prices[t][0], [r[t - k] for k in range(LAGS)], r[t + H]))
    return rows


def write_csv(path, rows):
    with open(path, "w") as f:
        f.write("y," + ",".join(f"x{j + 1}" for j in range(LAGS)) + "\n")
        for _, x, y in rows:
            f.write(",".join(repr(v) for v in [y, *x]) + "\n")


def cpu_of(command, env=None):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 3):
        raise RuntimeError(f"{command[0]}: {done.stderr.strip()[-400:]}")
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime), done.stdout


def tailrank(binary, folder, family, prices, split, n):
    experiment = folder / f"{family}.toml"
    experiment.write_text(
        f'name = "bench"\nseed = 2009\n[data]\nseries = [{{ name = "bench", file = "{prices}" }}]\n'
        f'[target]\nhorizons = [{H}]\nlags = {LAGS}\n[split]\n{split}\nleak = "paper"\n'
        "[relevance]\nlow = -0.02\nhigh = 0.02\n"
        '[measures]\nlist = ["mad", "rmse", "f"]\nt_l = 0.005\nbeta = 0.5\n'
        f'[[models]]\nfamily = "{family}"\n{GRIDS[family]}\n'
    )
    out = folder / f"run-{family}-{n}"
    cpu, _ = cpu_of([str(binary), "run", str(experiment), "--jobs", "1", "--out", str(out), "--quiet"])
    with open(out / "results" / "scores.csv") as f:
        rows = list(csv.DictReader(f))
    return cpu, [(float(r["mad"]), float(r["rmse"]), float(r["signals"])) for r in rows]


def parse_lines(text):
    return [tuple(float(v) for v in line.split()[1:4]) for line in text.splitlines() if line.startswith("fit ")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--prices", type=Path)
    parser.add_argument("--families", default="nnet,mars,svm,forest")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    arguments = parser.parse_args()

    one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "tailrank"], cwd=ROOT, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    binary = target / "release" / "tailrank"
    folder = Path(tempfile.mkdtemp(prefix="tailrank-bench-"))
    source = arguments.prices or ROOT / "crates/tailrank-data/data/KO.csv.gz"
    prices = read_prices(source)
    rows = embed(prices)
    if arguments.prices:
        train, split = 5000, f'kind = "fraction"\ntrain = {5000 / len(rows)!r}'
    else:
        train, split = sum(d < "1990-01-01" for d, _, _ in rows), 'kind = "date"\nat = "1990-01-01"'
    write_csv(folder / "train.csv", rows[:train])
    write_csv(folder / "test.csv", rows[train:])
    plain = folder / "prices.csv"
    plain.write_text("Date,Close\n" + "".join(f"{d},{p!r}\n" for d, p in prices))

    peers = {}
    if shutil.which("Rscript"):
        peers["R"] = ["Rscript", "--vanilla", str(ROOT / "scripts/bench_grid.R")]
    else:
        print("Rscript is missing: R is skipped")
    try:
        import sklearn  # noqa: F401

        peers["scikit-learn"] = [sys.executable, str(ROOT / "scripts/bench_grid_sklearn.py")]
    except ImportError:
        print("scikit-learn is missing: it is skipped")

    families = arguments.families.split(",")
    found = {}
    for n in range(arguments.rounds):
        for family in families:
            who = {"tailrank": lambda f=family, n=n: tailrank(binary, folder, f, plain, split, n)}
            for name, command in peers.items():
                call = [*command, str(folder / "train.csv"), str(folder / "test.csv"), family]
                who[name] = lambda call=call: (lambda r: (r[0], parse_lines(r[1])))(cpu_of(call, one_thread))
            for name, run in who.items():
                try:
                    cpu, fits = run()
                except RuntimeError as e:
                    print(f"{name}, {family}: skipped ({e})")
                    continue
                if fits:
                    found.setdefault((family, name), []).append((cpu, fits))

    machine = f"{platform.machine()}, {os.cpu_count()} cores, {datetime.date.today()}"
    print(f"\n{train} rows to learn from, {len(rows) - train} to predict, {LAGS} inputs; {machine}")
    print(f"{'family':8} {'who':13} {'CPU s':>9} {'ratio':>7} {'MAD':>9} {'RMSE':>9} {'signals':>8}")
    report = []
    for family in [*families, "all"]:
        for name in ["tailrank", *peers]:
            members = [f for f in families if (f, name) in found]
            runs = found.get((family, name))
            if family == "all":
                # A sum over the families that this peer has, against the same families here.
                if not members:
                    continue
                cpu = sum(statistics.median(c for c, _ in found[(f, name)]) for f in members)
                ours = sum(statistics.median(c for c, _ in found[(f, "tailrank")]) for f in members)
                print(f"{'all ' + str(len(members)):8} {name:13} {cpu:9.2f} {cpu / ours:7.1f}")
                report.append({"family": "all", "families": members, "who": name, "cpu": cpu, "ratio": cpu / ours})
            elif runs:
                cpu = statistics.median(c for c, _ in runs)
                ours = statistics.median(c for c, _ in found[(family, "tailrank")])
                mad, rmse, signals = (statistics.median(f[k] for f in runs[0][1]) for k in range(3))
                print(f"{family:8} {name:13} {cpu:9.2f} {cpu / ours:7.1f} {mad:9.6f} {rmse:9.6f} {signals:8.0f}")
                report.append({"family": family, "who": name, "cpu": cpu, "ratio": cpu / ours, "mad": mad, "rmse": rmse, "signals": signals})
    if arguments.json:
        arguments.json.write_text(json.dumps({"machine": machine, "rounds": arguments.rounds, "rows": report}, indent=1) + "\n")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
