#!/usr/bin/env python3
"""Measures of 1,000,000 predictions: this project against the same formulas in NumPy, turn by turn in one run.

    python3 scripts/bench/metrics.py [--cases N] [--rounds N]

Prints processor times (wall-clock times where the system does not tell another process's) and their ratios, and fails
if the two sides disagree about any number. The least of all rounds counts: other programs can only add to a time.
Needs NumPy and cargo.
Both sides start from truth and predictions alone: φ of the truth is computed inside the clock on both.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
except ImportError:
    sys.exit("metrics.py needs NumPy (pip install numpy); nothing was measured")

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEASURES = (
    "mad mse rmse rse rrse rae correlation linlin quadquad linex precision recall f event_mad utility "
    "sera sera_norm hit_rate wrong_side_rate missed_rate return_per_trade total_return"
).split()


def numpy_measures(y, z):
    """The formulas of the registry, as one would write them in NumPy, shared parts computed once."""
    n = len(y)
    error = z - y
    loss = np.abs(error)
    squared = error * error
    sse = squared.sum()
    sae = loss.sum()
    reference = y - 1e-4
    rse = sse / (reference * reference).sum()
    out = [sae / n, sse / n, np.sqrt(sse / n), rse, np.sqrt(rse), sae / np.abs(reference).sum()]
    dz, dy = z - z.mean(), y - y.mean()
    out.append((dz * dy).sum() / np.sqrt((dz * dz).sum() * (dy * dy).sum()))
    cost = np.where(error > 0, 2.0, 1.0)
    out.append((cost * loss).sum() / n)
    out.append((cost * squared).sum() / n)
    out.append((np.expm1(-error) + error).sum() / n)

    slope = np.log(1 / 1e-4 - 1) / (0.02 * 0.5)

    def phi(v):
        # The larger of the two sigmoids is the sigmoid of the larger exponent.
        return 1 / (1 + np.exp(-slope * (np.abs(v) - 0.02)))

    phi_y, phi_z = phi(y), phi(z)
    alpha = np.where(loss <= 0.005, -np.expm1(-8 * ((loss - 0.005) / 0.005) ** 2), 0.0)
    event, signal = phi_y >= 0.5, phi_z >= 0.5
    recall = (alpha * phi_y)[event].sum() / phi_y[event].sum()
    precision = (alpha * phi_z)[signal].sum() / phi_z[signal].sum()
    out += [precision, recall, 1.25 * precision * recall / (0.25 * precision + recall)]
    out.append(loss[event].mean())
    slack = 0.01 - loss
    eta = -np.log(1e-4) / 0.01
    zeta = np.sign(slack) * -np.expm1(-eta * np.abs(slack))
    weight = np.where(loss <= 0.01, np.minimum(phi_y, phi_z), 0.4 * phi_z + 0.6 * phi_y)
    out.append((weight * zeta).sum() / n)
    sera = (phi_y * squared).sum()
    out += [sera, sera / sse]

    side = np.where(z > 0.02, 1, 0) - np.where(z < -0.02, 1, 0)
    move = np.where(y > 0.02, 1, 0) - np.where(y < -0.02, 1, 0)
    trade = side != 0
    trades = trade.sum()
    gain = (side * y)[trade]
    out.append(((side == move) & trade).sum() / trades)
    out.append((gain < 0).sum() / trades)
    out.append(((move != 0) & ~trade).sum() / (move != 0).sum())
    out += [gain.sum() / trades, gain.sum()]
    return [float(v) for v in out]


def process_clock(pid):
    """A function that reads the processor time of a process, in seconds; none where the system has no such clock."""
    clock = (~pid << 3) | 2  # Linux: the clock id that clock_getcpuclockid(3) gives
    try:
        time.clock_gettime(clock)
    except (AttributeError, OSError):
        return None
    return lambda: time.clock_gettime(clock)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()

    command = ["cargo", "build", "--release", "-q", "-p", "tailrank-metrics", "--example", "time_metrics"]
    command.append("--message-format=json-render-diagnostics")
    try:
        built = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    except FileNotFoundError:
        sys.exit("metrics.py needs cargo on the PATH; nothing was measured")
    except subprocess.CalledProcessError:
        sys.exit("cargo build failed; nothing was measured")
    program = next(
        part.split('"executable":"')[1].split('"')[0]
        for part in built.stdout.splitlines()
        if '"name":"time_metrics"' in part and '"executable":"' in part
    )

    random = np.random.default_rng(7)
    y = 0.012 * random.standard_t(3, args.cases)
    z = 0.7 * y + 0.005 * random.standard_normal(args.cases)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "cases.f64"
        np.concatenate([y, z]).astype("<f8").tofile(file)
        with subprocess.Popen(
            [program, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as rust:

            rust_clock = process_clock(rust.pid) if hasattr(time, "clock_gettime") else None
            own_clock = time.process_time if rust_clock else time.perf_counter

            def ask(line):
                start = rust_clock() if rust_clock else 0.0
                rust.stdin.write(line + "\n")
                rust.stdin.flush()
                answer = [float(word) for word in rust.stdout.readline().split()]
                return (rust_clock() - start if rust_clock else answer[0]), answer[1:]

            def clock(work):
                start = own_clock()
                value = work()
                return own_clock() - start, value

            sides = {
                "numpy scores": lambda: clock(lambda: numpy_measures(y, z)),
                "rust scores": lambda: ask("score " + " ".join(MEASURES)),
                "numpy sort": lambda: clock(lambda: np.sort(np.abs(z - y))),
                "rust sort": lambda: ask("sort"),
                "rust curve": lambda: ask("curve"),
                "rust surface": lambda: ask("surface"),
            }
            seconds = {name: [] for name in sides}
            values = {}
            for turn in range(args.rounds + 1):
                for name, side in sides.items():
                    spent, values[name] = side()
                    if turn > 0:  # the first turn warms up
                        seconds[name].append(spent)
            rust.stdin.close()

    for name, a, b in zip(MEASURES, values["numpy scores"], values["rust scores"]):
        if not abs(a - b) <= 1e-9 * max(abs(a), abs(b)):
            sys.exit(f"{name}: NumPy says {a!r}, this project {b!r}")
    loss = np.abs(z - y)
    e, t = 0.05 * 21 / 200, -0.1 + 0.2 * 111 / 200
    checks = [
        ("area over the curve", loss.mean(), values["rust curve"][0]),
        ("curve at 0.003", (loss <= 0.003).mean(), values["rust curve"][1]),
        ("surface inside", ((loss <= e) & (y <= t)).mean(), values["rust surface"][0]),
        ("surface at its end", ((loss <= 0.05) & (y <= 0.1)).mean(), values["rust surface"][1]),
    ]
    for name, a, b in checks:
        if not abs(a - b) <= 1e-9:
            sys.exit(f"{name}: NumPy says {a!r}, this project {b!r}")

    least = {name: min(times) for name, times in seconds.items()}
    kind = "processor" if rust_clock else "wall-clock"
    print(f"{args.cases:,} cases, {args.rounds} alternating rounds, least {kind} times; NumPy {np.__version__}; all numbers agree")
    for name, value in least.items():
        print(f"  {name:14s} {1e3 * value:9.2f} ms")
    print(f"{len(MEASURES)} scalar measures: NumPy / this project = {least['numpy scores'] / least['rust scores']:.1f}")
    print(f"REC curve / one sort = {least['rust curve'] / least['rust sort']:.2f}")
    print(f"200 × 200 REC surface / one sort = {least['rust surface'] / least['rust sort']:.2f}")


if __name__ == "__main__":
    main()
