"""CPU seconds of Python peers for the inference of one task: stationary bootstrap of 57 models on 4668 days, 1000 draws.

    python scripts/bench_inference.py        # needs numpy and arch

Three jobs on simulated predictions: the 95 % intervals of two means (absolute and squared error) and of F as a NumPy program
would do them (one index vector per draw, gathered from per-case terms), arch's model confidence set of the absolute errors, and
the best F of the models under 1000 circular shifts.
"""

import resource
import time

import numpy as np

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


def main():
    rng = np.random.default_rng(1)
    truth = 0.02 * rng.standard_t(4, DAYS)
    predicted = 0.3 * truth[:, None] + 0.015 * rng.standard_normal((DAYS, MODELS))
    error = predicted - truth[:, None]
    side = lambda v: (v > LIMIT).astype(float) - (v < -LIMIT)
    events, signals = side(truth)[:, None], side(predicted)
    hits = ((events == signals) & (events != 0)).astype(float)
    both = np.abs(events) + np.abs(signals)

    def bootstrap():
        draws = np.empty((3, DRAWS, MODELS))
        for b in range(DRAWS):
            rows = stationary(rng)
            draws[0, b] = np.abs(error[rows]).mean(0)
            draws[1, b] = np.square(error[rows]).mean(0)
            draws[2, b] = 2 * hits[rows].sum(0) / both[rows].sum(0)
        np.percentile(draws, [2.5, 97.5], axis=1)

    def shifts():
        best = []
        for shift in rng.integers(27, DAYS - 27, size=DRAWS):
            moved = np.roll(signals, shift, axis=0)
            found = ((events == moved) & (events != 0)).sum(0)
            best.append((2 * found / both.sum(0)).max())

    clock("NumPy bootstrap of MAD, MSE and F", bootstrap)
    clock("NumPy best F under shifts", shifts)
    from arch.bootstrap import MCS

    losses = np.abs(error)
    clock("arch MCS of MAD (T_max)", lambda: MCS(losses, 0.1, reps=DRAWS, block_size=BLOCK, method="max", seed=1).compute())


if __name__ == "__main__":
    main()
