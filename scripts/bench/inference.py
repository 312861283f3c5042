"""What inference costs: tailrank on the stock-returns study, and Python for one task of the same size, in one run.

    tailrank run experiments/stock-returns.toml --no-report --out RUN
    OMP_NUM_THREADS=1 python scripts/bench/inference.py TAILRANK RUN > results/benchmarks/inference.md     # needs numpy, arch

tailrank: the report of the finished run is made again, with inference and without; the difference is inference.
Python: simulated predictions of 57 models on 4668 days; eight terms a case and model stand for the study's eight measures. The
bootstrap is written twice: a draw at a time, by the rows drawn, and as one matrix product of counts and terms.
"""

import os
import platform
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
from arch.bootstrap import MCS, SPA

DAYS, MODELS, DRAWS, BLOCK, LIMIT, TASKS = 4668, 57, 1000, 15, 0.02, 12
REPEATS = int(os.environ.get("REPEATS", 2))
TAILRANK, RUN = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def clock(job):
    start = time.process_time()
    job()
    return time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(arguments, **options):
    """CPU seconds and peak MB of a program; a peak below that of this process itself cannot be seen (Linux hands it on)."""
    child = subprocess.Popen([TAILRANK, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    if status != 0:
        sys.exit(f"{arguments} ended with {status}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def scored_again(*changes):
    """The study's report from its stored predictions, under changed settings: CPU seconds and peak MB, best of two."""
    arguments = [word for change in changes for word in ("--set", change)]
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "report")
        return min(measured(["report", RUN, "--quiet", "--out", out, *arguments]) for _ in range(REPEATS))


def growth():
    """CPU seconds of `tailrank score` on simulated files, with inference less without."""
    settings = """name = "growth"
[data]
series = [{ name = "none", file = "none.csv" }]
[split]
kind = "fraction"
train = 0.7
[relevance]
kind = "sigmoid"
low = -0.02
high = 0.02
[measures]
list = ["mad", "f"]
t_l = 0.005
[[models]]
family = "linear"
[inference]
"""
    found = []
    rng = np.random.default_rng(2)
    with tempfile.TemporaryDirectory() as folder:
        for days, models, draws in [
            (2000, 20, 1000), (4000, 20, 1000), (8000, 20, 1000), (16000, 20, 1000),
            (4000, 10, 1000), (4000, 40, 1000), (4000, 80, 1000),
            (4000, 20, 500), (4000, 20, 2000), (4000, 20, 4000),
        ]:  # fmt: skip
            truth = 0.02 * rng.standard_t(4, days)
            predicted = 0.3 * truth[:, None] + 0.015 * rng.standard_normal((days, models))
            path = os.path.join(folder, "p.csv")
            heading = ",".join(["y", *(f"m{i}" for i in range(models))])
            np.savetxt(path, np.column_stack([truth, predicted]), delimiter=",", header=heading, comments="")
            cpu = []
            for setting in [f"resamples = {draws}\nshifts = {draws}", "enabled = false"]:
                with open(os.path.join(folder, "s.toml"), "w") as file:
                    file.write(settings + setting + "\n")
                cpu.append(min(measured(["score", path, "--settings", file.name, "--horizon", "1"]) for _ in range(REPEATS)))
            found.append((days, models, draws, cpu[0][0] - cpu[1][0]))
    return found


def stationary(rng):
    rows = rng.integers(DAYS, size=DAYS)
    new = rng.random(DAYS) < 1 / BLOCK
    new[0] = True
    start = np.maximum.accumulate(np.where(new, np.arange(DAYS), 0))
    return (rows[start] + np.arange(DAYS) - start) % DAYS


def side(values):
    return (values > LIMIT).astype(float) - (values < -LIMIT)


def peers():
    rng = np.random.default_rng(1)
    truth = 0.02 * rng.standard_t(4, DAYS)
    predicted = 0.3 * truth[:, None] + 0.015 * rng.standard_normal((DAYS, MODELS))
    error = predicted - truth[:, None]
    weight = np.minimum(np.abs(truth) / LIMIT, 1)[:, None]
    events, signals = side(truth)[:, None], side(predicted)
    hits = ((events == signals) & (events != 0)).astype(float)
    both = np.abs(events) + np.abs(signals)
    absolute, squared = np.abs(error), np.square(error)
    terms = [absolute, squared, hits, np.abs(signals), both, absolute * weight, squared * weight, signals * truth[:, None]]
    table = np.hstack(terms)
    means = [absolute, squared, terms[5], terms[6]]

    def finish(sums):
        sums = sums.reshape(DRAWS, len(terms), MODELS)
        f = 2 * sums[:, 2] / sums[:, 4]
        scores = np.concatenate([sums, f[:, None]], axis=1)
        np.percentile(scores, [2.5, 97.5], axis=0)
        ranks = scores.argsort(axis=2).argsort(axis=2)
        np.percentile(ranks, [2.5, 97.5], axis=0)
        (ranks == 0).mean(axis=0)

    def by_rows():
        finish(np.stack([table[stationary(rng)].sum(0) for _ in range(DRAWS)]))

    def by_product():
        counts = np.stack([np.bincount(stationary(rng), minlength=DAYS) for _ in range(DRAWS)]).astype(float)
        finish(counts @ table)

    def shifts():
        total = both.sum(0)
        for shift in rng.integers(27, DAYS - 27, size=DRAWS):
            moved = np.roll(signals, shift, axis=0)
            (2 * ((events == moved) & (events != 0)).sum(0) / total).max()

    def flips():
        total = both.sum(0)
        for _ in range(DRAWS):
            signs = np.repeat(rng.choice([-1.0, 1.0], DAYS // BLOCK + 1), BLOCK)[:DAYS, None]
            (2 * ((events == signs * signals) & (events != 0)).sum(0) / total).max()

    def sets():
        for losses in means:
            MCS(losses, 0.1, reps=DRAWS, block_size=BLOCK, method="max", seed=1).compute()

    def superior():
        for losses in means:
            SPA(losses[:, 0], losses[:, 1:], reps=DRAWS, block_size=BLOCK, seed=1).compute()

    return [
        ("NumPy bootstrap of eight terms, a draw at a time: intervals, ranks, P(best)", *clock(by_rows)),
        ("the same as one matrix product of counts and terms", *clock(by_product)),
        ("NumPy best F under 1000 shifts", *clock(shifts)),
        ("NumPy best F under 1000 flips of sign", *clock(flips)),
        ("arch's MCS (T_max) of four means", *clock(sets)),
        ("arch's SPA of four means", *clock(superior)),
    ]


def main():
    load = os.getloadavg()[0]
    without, full = scored_again("inference.enabled=false"), scored_again()
    more = [("2000 resamples", scored_again("inference.resamples=2000")), ("2000 shifts", scored_again("inference.shifts=2000"))]
    python = peers()
    alone = full[0] - without[0]
    loops, product = python[0][1], python[1][1]
    rest = sum(row[1] for row in python[2:])
    print(f"""# What inference costs

`scripts/bench/inference.py` on the stock-returns study: {MODELS} variants and the references on {TASKS} tasks, 8 measures, {DRAWS} resamples, {DRAWS} shifts, {DRAWS} flips of sign. The report of the finished run is made again with and without `[inference]`, the best of {REPEATS}; the difference is intervals, P(best), ranks, confidence sets, Hansen's test against the references, luck, direction, calibration slopes and pairwise tests.

Machine: {os.cpu_count()} cores, {platform.system()}, load {load:.0f} at the start (CPU times suffer from it, too). Program: {os.environ.get("BUILD", "as given")}.

| what | CPU s | peak MB |
|---|--:|--:|
| report without inference | {without[0]:.2f} | {without[1]:.0f} |
| report with inference | {full[0]:.2f} | {full[1]:.0f} |
| inference alone | **{alone:.2f}** ({alone / TASKS:.2f} a task) | |""")
    for name, (cpu, peak) in more:
        print(f"| with {name} | {cpu:.2f} (+{cpu - full[0]:.2f}) | {peak:.0f} |")
    print(f"\nPython for one task of that size (numpy {np.__version__}, arch, one thread, same machine, same run):\n")
    print("| what | CPU s | peak MB so far |\n|---|--:|--:|")
    for name, cpu, peak in python:
        print(f"| {name} | {cpu:.2f} | {peak:.0f} |")
    ratio = [(part + rest) / (alone / TASKS) for part in (loops, product)]
    strict = (loops + rest - python[-1][1]) / (alone / TASKS)
    print(f"""
A task takes tailrank {alone / TASKS:.2f} CPU s for all of it (sets of all eight measures, F among them, references, pairwise tests and slopes, too). The Python parts add up to {loops + rest:.1f} CPU s with the bootstrap a draw at a time, **{ratio[0]:.0f} times** as much, and to {product + rest:.1f} CPU s with the matrix product, {ratio[1]:.0f} times as much; without arch's SPA, which takes most of it, {strict:.0f} times. arch's sets are of four means where tailrank's are of eight measures.

Growth, by `tailrank score` on simulated files (MAD and F, resamples = shifts = B), with inference less without:

| n | k | B | CPU s |
|--:|--:|--:|--:|""")
    found = growth()
    for days, models, draws, cpu in found:
        print(f"| {days} | {models} | {draws} | {cpu:.2f} |")
    at = {(d, m, b): cpu for d, m, b, cpu in found}

    def exponent(few, many, ratio):
        return np.log(at[many] / at[few]) / np.log(ratio)

    print(f"\nGrowth exponents: with n {exponent((2000, 20, 1000), (16000, 20, 1000), 8):.2f}, "
          f"with k {exponent((4000, 10, 1000), (4000, 80, 1000), 8):.2f}, "
          f"with B {exponent((4000, 20, 500), (4000, 20, 4000), 8):.2f}.")  # fmt: skip


if __name__ == "__main__":
    main()
