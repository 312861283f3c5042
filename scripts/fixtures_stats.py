#!/usr/bin/env python3
"""Writes the answers of other programs that tests of tailrank-stats compare with.

    pip install arch && python3 scripts/fixtures_stats.py

- `block_length_series.csv`, `block_length_arch.csv`: white, AR, MA and mixed series; arch's automatic block lengths;
  arch's Bartlett long-run variances; the quadratic spectral one by its formula (Andrews 1991).
- `spa_studentised.json`: Hansen's (2005) studentised test on the cases of `e_snooping.json`, straight from the paper's formulas
  with loops over lags and models (arch 8 takes `studentize` and ignores it).
- `bca_arch.json`: arch's BCa and percentile intervals of a mean and a ratio, with the rows drawn.
- `sharpe_error.json`: Newey-West errors of Sharpe ratios on `h_trials_*.csv`, by the delta method on (mean, second moment).
"""

import csv
import json
import math
from pathlib import Path

import arch
import numpy as np
from arch.bootstrap import IIDBootstrap, optimal_block_length
from arch.covariance.kernel import Bartlett

FIXTURES = Path(__file__).resolve().parent.parent / "crates/tailrank-stats/tests/fixtures"


def read_table(name):
    return np.loadtxt(FIXTURES / name, delimiter=",", skiprows=1)


def series_of(kind, n, rng):
    noise = rng.standard_normal(n + 100)
    x = noise.copy()
    if kind.startswith("ar"):
        rho = {"ar3": 0.3, "ar8": 0.8, "ar95": 0.95, "arneg": -0.6}[kind]
        for t in range(1, len(x)):
            x[t] = rho * x[t - 1] + noise[t]
    elif kind == "ma":
        x[4:] = noise[4:] + 0.7 * noise[3:-1] + 0.5 * noise[2:-2] - 0.4 * noise[:-4]
    elif kind == "season":
        x += 1.5 * np.sin(np.arange(len(x)) * 2 * np.pi / 12)
    elif kind == "squares":
        x = np.abs(x) * np.exp(0.5 * np.sin(np.arange(len(x)) / 15))
    return np.round(x[100:], 4)


def quadratic_spectral(x):
    """Andrews (1991) with the AR(1) bandwidth, every lag."""
    n = len(x)
    e = x - x.mean()
    rho = float(np.clip((e[1:] @ e[:-1]) / (e[:-1] @ e[:-1]), -0.97, 0.97))
    bandwidth = 1.3221 * (4 * rho**2 / (1 - rho) ** 4 * n) ** 0.2
    total = e @ e / n
    for j in range(1, n):
        a = j / bandwidth
        weight = 25 / (12 * np.pi**2 * a**2) * (np.sin(6 * np.pi * a / 5) / (6 * np.pi * a / 5) - np.cos(6 * np.pi * a / 5))
        total += 2 * weight * (e[j:] @ e[:-j]) / n
    return bandwidth, total


def block_lengths():
    rng = np.random.default_rng(20)
    kinds = ["white", "ar3", "ar8", "ar95", "arneg", "ma", "season", "squares"]
    with open(FIXTURES / "block_length_series.csv", "w", newline="") as a, open(FIXTURES / "block_length_arch.csv", "w", newline="") as b:
        series_out, answers = csv.writer(a, lineterminator="\n"), csv.writer(b, lineterminator="\n")
        series_out.writerow(["series", "x"])
        answers.writerow(
            "series,kind,n,stationary,circular,nw_bandwidth,nw_variance,lags4_variance,qs_bandwidth,qs_variance".split(",")
        )
        for number in range(64):
            kind = kinds[number % len(kinds)]
            n = int(rng.choice([40, 75, 120, 200, 350]))
            x = series_of(kind, n, rng)
            series_out.writerows([[number, f"{v:.4f}"] for v in x])
            lengths = optimal_block_length(x)
            automatic, fixed = Bartlett(x, force_int=False), Bartlett(x, bandwidth=4)
            numbers = [
                lengths["stationary"].iloc[0],
                lengths["circular"].iloc[0],
                automatic.bandwidth,
                automatic.cov.long_run.item(),
                fixed.cov.long_run.item(),
                *quadratic_spectral(x),
            ]
            answers.writerow([number, kind, n] + [repr(float(v)) for v in numbers])


def spa_studentised():
    """Hansen (2005), section 3 and eq. on omega: p values, critical values and Romano-Wolf's steps (consistent recentring)."""
    cases = []
    for case in json.loads((FIXTURES / "e_snooping.json").read_text())["cases"]:
        losses = read_table(f"e_snooping_{case['name']}_losses.csv")
        rows = np.loadtxt(FIXTURES / f"e_snooping_{case['name']}_indices.csv", delimiter=",", dtype=int)
        n, k = losses.shape[0], losses.shape[1] - 1
        q = 1 - 1 / case["block"]
        d = losses[:, :1] - losses[:, 1:]
        mean = d.mean(0)
        omega = np.empty(k)
        for j in range(k):
            e = d[:, j] - mean[j]
            total = sum(v * v for v in e) / n
            for i in range(1, n):
                kappa = (n - i) / n * q**i + i / n * q ** (n - i)
                total += 2 * kappa * sum(e[t] * e[t + i] for t in range(n - i)) / n
            omega[j] = math.sqrt(total)
        t = math.sqrt(n) * mean / omega
        keep = t >= -math.sqrt(2 * math.log(math.log(n)))
        centres = {"lower": np.maximum(mean, 0), "consistent": np.where(keep, mean, 0), "upper": mean}
        statistic = max(t.max(), 0.0)
        answer = {"name": case["name"], "statistic": float(statistic), "t": t.tolist()}
        for name, centre in centres.items():
            z = np.array([math.sqrt(n) * (d[r].mean(0) - centre) / omega for r in rows])
            maxima = np.maximum(z.max(1), 0.0)
            answer[name] = float((maxima > statistic).mean())
            answer[f"critical_5_{name}"] = float(np.percentile(maxima, 95))
            if name == "consistent":
                left, superior = list(range(k)), []
                while left:
                    critical = np.percentile(np.maximum(z[:, left].max(1), 0.0), 95)
                    found = [j for j in left if t[j] > critical]
                    if not found:
                        break
                    superior += found
                    left = [j for j in left if j not in found]
                answer["superior"] = sorted(superior)
        cases.append(answer)
    (FIXTURES / "spa_studentised.json").write_text(json.dumps({"cases": cases}, indent=1) + "\n")


def bca():
    rng = np.random.default_rng(5)
    cases = []
    for n, statistic in [(40, "mean"), (40, "ratio"), (60, "ratio")]:
        a = np.round(rng.exponential(size=n), 3)
        b = np.round(1 + rng.exponential(size=n), 3)
        function = (lambda a, b: np.array([a.mean()])) if statistic == "mean" else (lambda a, b: np.array([a.sum() / b.sum()]))
        make = lambda: IIDBootstrap(a, b, seed=7)
        bootstrap = make()
        rows = []
        for _ in bootstrap.bootstrap(250):
            rows.append(np.asarray(bootstrap.index).tolist())
        ends = {method: make().conf_int(function, 250, method=method, size=0.9).ravel().tolist() for method in ["bca", "percentile"]}
        cases.append({"statistic": statistic, "a": a.tolist(), "b": b.tolist(), "rows": rows, "level": 0.9, **ends})
    (FIXTURES / "bca_arch.json").write_text(json.dumps({"arch": arch.__version__, "cases": cases}) + "\n")


def sharpe_errors():
    """Gradient of mu/sqrt(m2 - mu^2) in (mu, m2) and the 2 x 2 Bartlett covariance of (r, r^2), 6 lags."""
    cases = []
    for seed in (51, 52, 53):
        table = read_table(f"h_trials_{seed}.csv")
        for j in range(table.shape[1]):
            r = table[:, j]
            mu, m2 = r.mean(), (r**2).mean()
            variance = m2 - mu**2
            gradient = np.array([m2 / variance**1.5, -mu / (2 * variance**1.5)])
            covariance = Bartlett(np.column_stack([r, r**2]), bandwidth=6).cov.long_run
            cases.append({"seed": seed, "column": j, "error": float(math.sqrt(gradient @ covariance @ gradient / len(r)))})
    (FIXTURES / "sharpe_error.json").write_text(json.dumps({"lags": 6, "cases": cases}, indent=1) + "\n")


if __name__ == "__main__":
    block_lengths()
    spa_studentised()
    bca()
    sharpe_errors()
