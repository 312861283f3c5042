#!/usr/bin/env python3
"""Every interval of a measure between 0 and 1 stays there, and every share of a gain, in the results of all runs below a folder.

usage: bounds.py FOLDER
"""
import csv
import pathlib
import sys

BOUNDED = {"precision", "recall", "f", "f1", "pr_area"}


def main() -> int:
    intervals, shares, wrong = 0, 0, []
    for path in sorted(pathlib.Path(sys.argv[1]).rglob("results/intervals.csv")):
        for row in csv.DictReader(path.open()):
            if row["measure"] in BOUNDED and row["lower"] and row["upper"]:
                intervals += 1
                if not 0 <= float(row["lower"]) <= float(row["upper"]) <= 1:
                    wrong.append(f"{path}: {row}")
    for path in sorted(pathlib.Path(sys.argv[1]).rglob("results/regret.csv")):
        for row in csv.DictReader(path.open()):
            if row["regret_share"]:
                shares += 1
                if not 0 <= float(row["regret_share"]) <= 1:
                    wrong.append(f"{path}: {row}")
    print(f"bounds: {intervals:,} intervals and {shares:,} shares, {len(wrong)} outside")
    print("\n".join(wrong[:20]), end="")
    return 1 if wrong or not intervals else 0


if __name__ == "__main__":
    sys.exit(main())
