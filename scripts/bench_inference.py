"""CPU seconds of Python for the inference of one task of the stock-returns study: 57 models, 4668 days, 1000 draws and shifts.

    OMP_NUM_THREADS=1 python scripts/bench_inference.py        # needs numpy and arch

Simulated predictions; eight terms a case and model stand for the study's eight measures. The bootstrap is written twice: a draw
at a time, by the rows drawn, and as one matrix product of counts and terms. Luck is the best F under circular shifts.
"""

import resource
import time

import numpy as np
from arch.bootstrap import MCS

DAYS, MODELS, DRAWS, BLOCK, LIMIT = 4668, 57, 1000, 15, 0.02


def clock(name, job):
    start = time.process_time()
    job()
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name}: {seconds:.2f} CPU s, peak {peak:.0f} MB so far", flush=True)


def stationary(rng):
    rows = rng.integers(DAYS, size=DAYS)
    new = rng.random(DAYS) < 1 / BLOCK
    new[0] = True
    start = np.maximum.accumulate(np.where(new, np.arange(DAYS), 0))
    return (rows[start] + np.arange(DAYS) - start) % DAYS


def side(values):
    return (values > LIMIT).astype(float) - (values < -LIMIT)


def main():
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

    def finish(sums):
        sums = sums.reshape(DRAWS, len(terms), MODELS)
        f = 2 * sums[:, 2] / sums[:, 4]
        np.percentile(np.concatenate([sums, f[:, None]], axis=1), [2.5, 97.5], axis=0)

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

    def sets():
        for losses in [absolute, squared, terms[5], terms[6]]:
            MCS(losses, 0.1, reps=DRAWS, block_size=BLOCK, method="max", seed=1).compute()

    clock("NumPy bootstrap, a draw at a time", by_rows)
    clock("NumPy bootstrap, one matrix product", by_product)
    clock("NumPy best F under shifts", shifts)
    clock("arch's MCS (T_max) of four means", sets)


if __name__ == "__main__":
    main()
