#!/usr/bin/env python3
"""The oarp study's main reading in NumPy, beside tailrank, alternating in one run.

    python3 scripts/bench_oarp.py [--rounds N]

Two NumPy programs do the same work: `plain` computes both distances candidate by candidate, as one would write it
first; `product` classifies all candidates at once by one matrix product. Folds and draws are NumPy's own, so averages agree
within their spread, which is printed. CPU seconds are user + system; BLAS and tailrank are held to one thread.

Needs: cargo, NumPy.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[name] = "1"

import argparse
import csv
import gzip
import json
import resource
import statistics
import subprocess
import tomllib
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = tomllib.loads((ROOT / "crates/tailrank/src/studies/oarp/settings.toml").read_text())
EQUAL = 1e-12


def load(spec):
    """Attributes with NaN for gaps, whether each column is symbolic, and the positive rows."""
    with gzip.open(ROOT / "crates/tailrank-data/data" / (spec["data"] + ".csv.gz"), "rt") as file:
        header, *rows = csv.reader(file)
    columns = [i for i, name in enumerate(header[:-1]) if name != "Id"]
    number = lambda cell: float("nan") if cell in ("", "?", "NA") else float(cell)
    x = np.array([[number(row[i]) for i in columns] for row in rows])
    symbolic = [header[i] in spec.get("symbolic", []) for i in columns]
    return x, symbolic, np.array([row[-1] == spec["positive"] for row in rows])


def commonest(values):
    levels, counts = np.unique(values, return_counts=True)
    return levels[counts.argmax()]


def prepare(x, symbolic, train, test):
    parts = x[train].copy(), x[test].copy()
    for j, is_symbol in enumerate(symbolic):
        known = parts[0][:, j][~np.isnan(parts[0][:, j])]
        fill = commonest(known) if is_symbol else np.median(known)
        low, width = known.min(), known.max() - known.min()
        for part in parts:
            part[np.isnan(part[:, j]), j] = fill
            part[:, j] = (part[:, j] - low) / (width or 1.0)
    return parts


def folds(y, rng):
    """Stratified: rows in order of class, then of a shuffle, are dealt out."""
    order = rng.permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    fold = np.empty(len(y), int)
    fold[order] = np.arange(len(y)) % SETTINGS["folds"]
    return fold


def relation(a, b):
    return np.where(a + b > 0, np.abs(a - b) / np.where(a + b > 0, a + b, 1), 0)


def measures(tp, fp, tn, fn):
    """Accuracy, F and OARP; works for numbers and arrays alike."""
    share = lambda part, whole: np.where(whole > 0, part / np.where(whole > 0, whole, 1), 0)
    accuracy = (tp + tn) / (tp + fp + tn + fn)
    avri = (relation(share(tp, tp + fp), share(tn, tn + fp)) + relation(share(tn, tn + fn), share(tp, tp + fn))) / 2
    return accuracy, np.where(tp + fp > 0, share(2 * tp, 2 * tp + fp + fn), -1), accuracy - avri / 10


def plain(x, y, a, b):
    values = np.empty((3, len(a)))
    for i in range(len(a)):
        called = np.sqrt(((x - a[i]) ** 2).sum(1)) - np.sqrt(((x - b[i]) ** 2).sum(1)) > EQUAL
        tp, fp = (called & y).sum(), (called & ~y).sum()
        values[:, i] = measures(tp, fp, (~y).sum() - fp, y.sum() - tp)
    return values


def product(x, y, a, b):
    called = x @ (b - a).T - ((b * b).sum(1) - (a * a).sum(1)) / 2 > EQUAL
    tp, fp = called[y].sum(0), called[~y].sum(0)
    return np.array(measures(tp, fp, (~y).sum() - fp, y.sum() - tp))


def study(evaluate, seed):
    """Average test accuracy by accuracy, F and OARP: one row per set."""
    rng = np.random.default_rng(seed)
    table = []
    for spec in SETTINGS["sets"]:
        x, symbolic, y = load(spec)
        scores = []
        for _ in range(SETTINGS["runs"]):
            fold = folds(y, rng)
            for k in range(SETTINGS["folds"]):
                train, test = prepare(x, symbolic, fold != k, fold == k)
                y_train, y_test = y[fold != k], y[fold == k]
                draw = lambda rows: train[rng.choice(rows, SETTINGS["candidates"])]
                a, b = draw(np.flatnonzero(~y_train)), draw(np.flatnonzero(y_train))
                best = evaluate(train, y_train, a, b).argmax(1)
                scores.append(evaluate(test, y_test, a[best], b[best])[0])
        table.append(np.mean(scores, 0))
    return np.array(table)


def cpu(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def tailrank_binary():
    build = ["cargo", "build", "--workspace", "--example", "oarp_main_reading", "--message-format", "json"]
    lines = subprocess.run(build, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    messages = [m for m in map(json.loads, lines) if m.get("target", {}).get("name") == "oarp_main_reading"]
    return [m["executable"] for m in messages if m.get("executable")][-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    binary = tailrank_binary()
    times, tables = {"tailrank": [], "product": [], "plain": []}, {}
    for r in range(rounds):
        before = cpu(resource.RUSAGE_CHILDREN)
        said = subprocess.run([binary], check=True, capture_output=True, text=True).stdout
        times["tailrank"].append(cpu(resource.RUSAGE_CHILDREN) - before)
        tables["tailrank"] = np.array([[float(v) for v in line.split(",")[1:]] for line in said.splitlines()])
        for name, evaluate in (("product", product), ("plain", plain)):
            before = cpu(resource.RUSAGE_SELF)
            tables[name] = study(evaluate, seed=r)
            times[name].append(cpu(resource.RUSAGE_SELF) - before)
        print(f"round {r + 1}:", ", ".join(f"{name} {t[-1]:.2f} s" for name, t in times.items()), flush=True)
    ours = statistics.median(times["tailrank"])
    for name, t in times.items():
        average = ", ".join(f"{v:.4f}" for v in tables[name].mean(0))
        print(f"{name:9} {statistics.median(t):7.2f} CPU s  {statistics.median(t) / ours:6.1f} ×  Acc, F, OARP: {average}")


if __name__ == "__main__":
    main()
