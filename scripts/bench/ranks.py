#!/usr/bin/env python3
"""Times tailrank-stats against SciPy and against plain sorting, alternating in one run, and prints ratios.

    python3 scripts/bench/ranks.py [--rounds 7]

Needs cargo, and NumPy and SciPy for the comparison with SciPy.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Timings:
    """The Rust side, kept running so that only the work is timed."""

    def __init__(self):
        command = ["cargo", "run", "--release", "--quiet", "-p", "tailrank-stats", "--example", "rank_timings"]
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if len(answer) != 2:
            sys.exit(f"the example rank_timings gave no answer to '{command}': see the message above")
        return float(answer[0]), float(answer[1])


def timed(function):
    start = time.perf_counter()
    value = function()
    return time.perf_counter() - start, value


def ratio_line(name, ours, theirs, other):
    ratios = [t / o for o, t in zip(ours, theirs)]
    print(
        f"{name}: tailrank {statistics.median(ours):.4f} s, {other} {statistics.median(theirs):.4f} s, "
        f"ratio {statistics.median(ratios):.2f} (from {min(ratios):.2f} to {max(ratios):.2f})"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7, help="alternating rounds (default 7)")
    rounds = parser.parse_args().rounds
    try:
        import numpy as np
        import scipy
        from scipy import stats
    except ImportError as missing:
        sys.exit(f"this comparison needs NumPy and SciPy ({missing}): pip install numpy scipy")
    print(f"SciPy {scipy.__version__}, NumPy {np.__version__}, {rounds} alternating rounds; a ratio above 1 means tailrank is faster")

    rust = Timings()
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:

        def load(x, y):
            path = Path(folder) / "pair.f64"
            np.concatenate([x, y]).astype("<f8").tofile(path)
            assert rust.ask(f"load {path}")[1] == len(x)

        n = 1_000_000
        x = random.standard_normal(n)
        cases = [
            ("Kendall's tau, n = 1,000,000, no ties", x, 0.3 * x + random.standard_normal(n)),
            ("Kendall's tau, n = 1,000,000, ties", np.round(x, 2), np.round(0.3 * x + random.standard_normal(n), 2)),
        ]
        for name, a, b in cases:
            load(a, b)
            ours, theirs = [], []
            for _ in range(rounds):
                seconds, tau = rust.ask("kendall")
                ours.append(seconds)
                seconds, answer = timed(lambda: stats.kendalltau(a, b, method="asymptotic"))
                theirs.append(seconds)
                assert abs(tau - answer.statistic) < 1e-12, (tau, answer.statistic)
            ratio_line(name, ours, theirs, "SciPy")

        a = random.standard_normal(57)
        load(a, 0.3 * a + random.standard_normal(57))
        rows = random.standard_normal((100_000, 57))
        ours, sorts, numpy_sorts = [], [], []
        for _ in range(rounds):
            ours.append(rust.ask("permutations 100000")[0])
            sorts.append(rust.ask("sorts 100000")[0])
            numpy_sorts.append(timed(lambda: np.sort(rows, axis=1))[0])
        ratio_line("100,000 permutations at n = 57 (rho and tau)", ours, sorts, "100,000 sorts of 57 values (Rust)")
        ratio_line("100,000 permutations at n = 57 (rho and tau)", ours, numpy_sorts, "100,000 sorts of 57 values (NumPy)")


if __name__ == "__main__":
    main()
