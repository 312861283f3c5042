#!/usr/bin/env python3
"""Outsiders on the arena's board: LightGBM, scikit-learn's histogram boosting and a quantile forest, with their defaults.

    python3 scripts/arena_outsiders.py [--tailrank target/release/tailrank] [--run runs/arena]

Needs numpy, pandas, pyarrow, scikit-learn, lightgbm and quantile-forest, and the run of `tailrank reproduce arena`. Each model learns from the
rows that `tailrank export arena-splits` says train, and predicts those that test. Its predictions are written to
results/outsiders/NAME.parquet, and its place among the families to results/outsiders/README.md.
"""

import argparse
import io
import os
import subprocess
from pathlib import Path

# Threads that wait for each other on a busy machine take longer than one.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import lightgbm
import numpy as np
import pandas as pd
import sklearn
from quantile_forest import RandomForestQuantileRegressor
from sklearn.ensemble import HistGradientBoostingRegressor

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "results/outsiders"
LAGS = 10
MODELS = {
    "LightGBM": lambda: lightgbm.LGBMRegressor(random_state=1, verbose=-1, n_jobs=1, deterministic=True),
    "HGB": lambda: HistGradientBoostingRegressor(random_state=1),
    "quantile forest": lambda: RandomForestQuantileRegressor(random_state=1),
}
MEASURES = [("rwse", "RWSE"), ("f", "F"), ("mad", "MAD")]


def inputs(program, task, rows):
    """The inputs of every row of a task, as numbers, by its row from 1."""
    if task.endswith(" 1d"):  # a series: the returns before
        y = rows.drop_duplicates("row").set_index("row")["y"].sort_index()
        y = y.reindex(range(1, y.index.max() + 1))
        return pd.DataFrame({f"lag {k}": y.shift(k) for k in range(1, LAGS + 1)})
    text = subprocess.run([program, "export", "data", task], check=True, capture_output=True, text=True).stdout
    table = pd.read_csv(io.StringIO(text))
    table.index = range(1, len(table) + 1)
    y = rows.drop_duplicates("row").set_index("row")["y"]
    target = [c for c in table if pd.api.types.is_numeric_dtype(table[c]) and np.allclose(table[c].reindex(y.index), y)]
    if not target:
        raise SystemExit(f"{task}: no column holds the true values of the splits; are its rows those of the file?")
    table = table.drop(columns=target)
    numbers = table.select_dtypes("number")
    texts = table.drop(columns=numbers.columns)
    # Few words are categories; others, such as dates, are left out.
    few = texts.loc[:, texts.nunique() <= 50]
    return pd.concat([numbers, few.apply(lambda c: c.astype("category").cat.codes)], axis=1).astype(float)


def predict(program, splits, make):
    found = []
    for task, rows in splits.groupby("task", sort=False):
        x = inputs(program, task, rows)
        for _, split in rows.groupby("split"):
            train, test = (split[split["role"] == role] for role in ("train", "test"))
            filled = x.fillna(x.loc[train["row"]].median()).fillna(0.0)
            model = make().fit(filled.loc[train["row"]].to_numpy(), train["y"].to_numpy())
            predicted = np.asarray(model.predict(filled.loc[test["row"]].to_numpy()), dtype=float).ravel()
            found.append(pd.DataFrame({"task": task, "row": test["row"].to_numpy("int32"), "prediction": predicted.astype("float32")}))
    return pd.concat(found, ignore_index=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tailrank", default=str(ROOT / "target/release/tailrank"))
    parser.add_argument("--run", default="runs/arena")
    arguments = parser.parse_args()
    program = arguments.tailrank
    text = subprocess.run([program, "export", "arena-splits"], check=True, capture_output=True, text=True).stdout
    splits = pd.read_csv(io.StringIO(text), low_memory=False)
    OUT.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, make in MODELS.items():
        file = OUT / (name.replace(" ", "_").lower() + ".parquet")
        predict(program, splits, make).to_parquet(file, index=False, compression="zstd")
        command = [program, "score", str(file), f"--arena={arguments.run}", "--name", name, "--csv"]
        board = pd.read_csv(io.StringIO(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
        board = board[board["kind"] == "family"]
        cells = [name]
        for measure, _ in MEASURES:
            of = board[board["measure"] == measure].reset_index(drop=True)
            own = of[of["entry"] == name].iloc[0]
            low, high = own["skill_lower"], own["skill_upper"]
            cells.append(f"{own['skill']:.0%} [{low:.0%}, {high:.0%}]".replace("-", "−"))
            cells.append(f"{of.index[of['entry'] == name][0] + 1} of {len(of)}")
        lines.append("| " + " | ".join(cells) + " |")
        print(lines[-1])
    heads = "".join(f" skill by {symbol} | place |" for _, symbol in MEASURES)
    (OUT / "README.md").write_text(
        "# Outsiders on the board\n\n"
        f"Written by `scripts/arena_outsiders.py` with LightGBM {lightgbm.__version__}, scikit-learn {sklearn.__version__} and quantile-forest\n"
        "(its median). Each has its default settings and is fitted to every task. Outsiders use training rows only; families of the board also choose\n"
        "their setting on validation rows. Skill is the gain over each task's best baseline, with its 95% interval over clusters of\n"
        "tasks; each outsider is placed alone among the six families. HGB is scikit-learn's histogram gradient boosting. Their predictions are beside this page;\n"
        "`tailrank score FILE --arena --name NAME` places them again.\n\n"
        f"| model |{heads}\n|---|" + "---|--:|" * len(MEASURES) + "\n" + "\n".join(lines) + "\n"
    )


if __name__ == "__main__":
    main()
