"""F of many rows by the installed wheel and by NumPy, import time and memory, in turns; medians.

    python crates/tailrank-python/benches/measures.py [--save results/benchmarks/python.md] [--wheel FILE] [--profile release]

Install a release wheel first (README.md), or say by --profile what was installed. NumPy's version is the formula of Torgo & Ribeiro (2009, eq. 4-5, 9-13) written as one writes it,
and a second one that computes no sigmoid for the side that cannot matter and works in place. All run on one thread.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import tailrank as tr

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts/bench"))
from peers import machine  # noqa: E402

LOW, HIGH, T_L, BETA, T_E, K, DELTA, ALPHA_K = -0.02, 0.02, 0.005, 0.5, 0.5, 0.5, 1e-4, 8.0
ROUNDS = 21


def phi(v):
    s = np.log(1 / DELTA - 1)
    below = 1 / (1 + np.exp(s / abs(LOW * K) * (v - LOW)))
    above = 1 / (1 + np.exp(-s / abs(HIGH * K) * (v - HIGH)))
    return np.maximum(below, above)


def f_of(y, p, phi_y, phi_p):
    loss = np.abs(p - y)
    alpha = np.where(loss <= T_L, 1 - np.exp(-ALPHA_K * (loss - T_L) ** 2 / T_L**2), 0.0)
    events, signals = phi_y >= T_E, phi_p >= T_E
    recall = (alpha * phi_y)[events].sum() / phi_y[events].sum()
    precision = (alpha * phi_p)[signals].sum() / phi_p[signals].sum()
    return (BETA**2 + 1) * precision * recall / (BETA**2 * precision + recall)


def as_written(y, p):
    return f_of(y, p, phi(y), phi(p))


def careful_phi(v):
    # The two sigmoids are mirror images here, so the larger is that of |v|.
    s = np.log(1 / DELTA - 1)
    out = np.abs(v)
    out -= HIGH
    out *= -s / (HIGH * K)
    np.exp(out, out=out)
    out += 1
    np.reciprocal(out, out=out)
    return out


def careful(y, p):
    phi_y, phi_p = careful_phi(y), careful_phi(p)
    counted = (phi_y >= T_E) | (phi_p >= T_E)
    return f_of(y[counted], p[counted], phi_y[counted], phi_p[counted])


def seconds(call, times):
    started = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - started) / times


def peak_of(code):
    """Peak memory in MB of an interpreter that runs the code."""
    program = f"{code}\nimport resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    return float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)


def import_seconds():
    def cpu(code):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    found = {"import tailrank": [], "import tailrank; tailrank.f": [], "import numpy": []}
    cpu("import tailrank; tailrank.f")
    for _ in range(9):
        empty = cpu("pass")
        for code, times in found.items():
            times.append(cpu(code) - empty)
    return {code: statistics.median(times) for code, times in found.items()}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--save")
    options.add_argument("--wheel")
    options.add_argument("--profile", default="release")
    options = options.parse_args()
    relevance = tr.Relevance.sigmoid(LOW, HIGH)
    rows = []
    for n in (1_000, 10_000, 100_000, 1_000_000):
        rng = np.random.default_rng(3)
        y = rng.standard_t(3, n) / 100
        p = y + rng.normal(0, 0.01, n)
        ways = {
            "tailrank": lambda y=y, p=p: tr.f(y, p, relevance, t_l=T_L, beta=BETA),
            "as written": lambda y=y, p=p: as_written(y, p),
            "careful": lambda y=y, p=p: careful(y, p),
        }
        # NumPy's exponentials overflow far from the centres, which does no harm.
        np.seterr(over="ignore")
        values = [call() for call in ways.values()]
        assert max(values) - min(values) < 1e-9, values
        times = {name: [] for name in ways}
        for _ in range(ROUNDS):
            for name, call in ways.items():
                times[name].append(seconds(call, max(1, 100_000 // n)))
        own = np.array(times["tailrank"])
        ratios = {name: np.median(np.array(t) / own) for name, t in times.items()}
        medians = {name: 1e3 * statistics.median(t) for name, t in times.items()}
        rows.append((n, medians, ratios))
    base = "import numpy as np, tailrank as tr\nrng = np.random.default_rng(3)\ny, p = rng.normal(0, 0.01, (2, 4_000_000))\nphi = tr.Relevance.sigmoid(-0.02, 0.02)\n"
    before = peak_of(base + "tr.f(y[:9], p[:9], phi, t_l=0.005, undefined=0.0)")
    after = peak_of(base + "tr.f(y, p, phi, t_l=0.005)")
    imports = import_seconds()
    lines = [
        "# Python: a call of `f` against NumPy",
        "",
        f"Machine: {machine()}. tailrank {tr.__version__} ({options.profile} build), Python {platform.python_version()}, NumPy {importlib.metadata.version('numpy')}.",
        "",
        f"CPU milliseconds, medians of {ROUNDS} rounds in which the ways take turns; times: the median of the rounds' ratios.",
        "",
        "| rows | tailrank | NumPy, as written | times | NumPy, careful | times |",
        "|--:|--:|--:|--:|--:|--:|",
    ]
    for n, medians, ratios in rows:
        lines.append(
            f"| {n:,} | {medians['tailrank']:.3f} | {medians['as written']:.3f} | {ratios['as written']:.1f} | "
            f"{medians['careful']:.3f} | {ratios['careful']:.1f} |"
        )
    lines += [
        "",
        "As written: `benches/measures.py: as_written`, the formulas line by line. Careful: `careful`, which works in place and uses that the two "
        "sigmoids mirror each other, so that one exponential a value is left.",
        "",
        f"No copy: `f` of 4,000,000 rows (two arrays of 32 MB) raises the peak memory of the process by {max(0.0, after - before):.1f} MB.",
        "",
        "Import, CPU seconds beside the interpreter's own start: "
        + ", ".join(f"`{code}` {taken:.3f}" for code, taken in imports.items())
        + ".",
    ]
    if options.wheel:
        lines += ["", f"Wheel: {os.path.getsize(options.wheel) / 1e6:.1f} MB."]
    lines += ["", "Made by `python crates/tailrank-python/benches/measures.py`.", ""]
    text = "\n".join(lines)
    print(text)
    if options.save:
        with open(options.save, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
