"""Times SmoteR in Python on the task of examples/steps_speed.rs, for comparison.

    python3 scripts/bench_smote.py

`loop` is the way of the smogn package: distances of a seed to its bump and new rows one after another, in NumPy.
`neighbours` takes scikit-learn's NearestNeighbors (brute force) and makes all new rows in one NumPy expression.
"""

import argparse
import time

import numpy as np
from sklearn.neighbors import NearestNeighbors


def bumps(y):
    low, high = np.sort(y)[len(y) // 20], np.sort(y)[len(y) - 1 - len(y) // 20]
    return [np.where(y <= low)[0], np.where(y >= high)[0]], np.where((y > low) & (y < high))[0]


def seeds_of(rng, m, goal):
    c = goal / m
    whole = int(c - 1)
    return np.concatenate([np.tile(np.arange(m), whole), rng.choice(m, int(m * (c - 1 - whole)), replace=False)]).astype(int)


def smote(x, y, rng, k, new_rows):
    rare, normal = bumps(y)
    goal = round(len(y) / 3)
    z = x / x.std(axis=0, ddof=1)
    xs, ys = [x[rng.choice(normal, goal, replace=False)]], [y[rng.choice(normal, goal, replace=False)]]
    for rows in rare:
        seeds = seeds_of(rng, len(rows), goal)
        a, b = new_rows(z[rows], x[rows], y[rows], seeds, rng, k)
        xs += [x[rows], a]
        ys += [y[rows], b]
    return np.vstack(xs), np.concatenate(ys)


def loop(z, x, y, seeds, rng, k):
    out_x, out_y, near = np.empty((len(seeds), x.shape[1])), np.empty(len(seeds)), {}
    for at, i in enumerate(seeds):
        if i not in near:
            d = ((z - z[i]) ** 2).sum(axis=1)
            d[i] = np.inf
            near[i] = np.argpartition(d, k)[:k]
        j, r = rng.choice(near[i]), rng.random()
        out_x[at] = x[i] + r * (x[j] - x[i])
        out_y[at] = y[i] + r * (y[j] - y[i])
    return out_x, out_y


def neighbours(z, x, y, seeds, rng, k):
    found = NearestNeighbors(n_neighbors=k + 1, algorithm="brute", n_jobs=None).fit(z).kneighbors(z, return_distance=False)[:, 1:]
    j, r = found[seeds, rng.integers(0, k, len(seeds))], rng.random(len(seeds))
    return x[seeds] + r[:, None] * (x[j] - x[seeds]), y[seeds] + r * (y[j] - y[seeds])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, nargs="+", default=[5_000, 100_000])
    args = parser.parse_args()
    for rows in args.rows:
        rng = np.random.default_rng(1)
        x = rng.random((rows, 20))
        y = x.sum(axis=1) + rng.random(rows)
        for name, new_rows in (("loop", loop), ("neighbours", neighbours)):
            best = np.inf
            for _ in range(1 if rows > 10_000 and name == "loop" else 3):
                start = time.perf_counter()
                after = len(smote(x, y, rng, 5, new_rows)[1])
                best = min(best, time.perf_counter() - start)
            print(f"{rows:>8} {name:>10} {after:>8} {best:>12.4f}", flush=True)


main()
