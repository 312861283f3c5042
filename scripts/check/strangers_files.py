"""Files as strangers bring them, each with what a person who knows it would understand. `make(folder)` writes them and returns the
expectations; everything is generated from fixed seeds."""

import csv
import datetime as dt
import gzip
import io
import json
import lzma
import math
import random
import zipfile

DAYS = 400
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def walk(seed, n=DAYS, start=50.0, step=0.015):
    """Prices: relative changes that tell nothing of the next."""
    draw, value, found = random.Random(seed), start, []
    for _ in range(n):
        value *= math.exp(draw.gauss(0, step))
        found.append(round(value, 2))
    return found


def season(seed, n=DAYS, mean=15.0, size=10.0, period=365.25):
    """Temperatures: a season and weather that comes back to it."""
    draw, weather, found = random.Random(seed), 0.0, []
    for i in range(n):
        weather = 0.7 * weather + draw.gauss(0, 2)
        found.append(round(mean + size * math.sin(2 * math.pi * i / period) + weather, 1))
    return found


def river(seed, n=DAYS):
    """A flow that rises fast and falls slowly."""
    draw, level, found = random.Random(seed), 100.0, []
    for _ in range(n):
        level = 20 + 0.9 * (level - 20) + (draw.expovariate(1 / 60) if draw.random() < 0.15 else 0)
        found.append(round(level, 1))
    return found


def noise(seed, n=DAYS, whole=False):
    draw = random.Random(seed)
    return [draw.randint(0, 60) if whole else round(draw.lognormvariate(1, 0.8), 3) for _ in range(n)]


def days(n=DAYS, first=dt.date(2018, 1, 1)):
    return [first + dt.timedelta(i) for i in range(n)]


def months(n, year=1957):
    return [dt.date(year + i // 12, i % 12 + 1, 1) for i in range(n)]


def lines(head, rows, separator=","):
    return head + "\n" + "".join(separator.join(map(str, row)) + "\n" for row in rows)


def make(folder):
    """Writes the files; answers (file, what is unusual, expected) in order. What is expected:
    series COLUMN KINDS [first last] | long COLUMN ENTITY | wide COLUMNS | table COLUMN | refused WORDS."""
    found = []

    def add(name, unusual, text, **expected):
        data = text if isinstance(text, bytes) else text.encode()
        (folder / name).write_bytes(data)
        found.append((name, unusual, expected))

    d, p, t = days(), walk(1), season(2)
    last = str(d[-1])
    span = {"rows": DAYS, "first": "2018-01-01", "last": last}
    prices = {"layout": "series", "column": "price", "kinds": ["return"], **span}

    # Numbers.
    add("dollars.csv", "prices as \"$1,234.50\"", lines("date,price", [(x, f'"${1000 + v:,.2f}"') for x, v in zip(d, p)]), **prices)
    add("euros.csv", "1.234,50 €, semicolons", lines("date;price", [(x, f"{1000 + v:,.2f} €".translate(str.maketrans(",.", ".,"))) for x, v in zip(d, p)], ";"), **prices)
    add("percent.csv", "rates as 3.5%", lines("date,rate", [(x, f"{v / 20:.2f}%") for x, v in zip(d, p)]), layout="series", column="rate", kinds=["difference", "level"], **span)
    add("units.csv", "dollars beside euros", lines("date,price", [(x, f"{'$' if i % 2 else '€'}{v}") for i, (x, v) in enumerate(zip(d, p))]), refused="number|predicted")
    add("quoted.csv", "every cell quoted", lines('"date","price"', [(f'"{x}"', f'"{v}"') for x, v in zip(d, p)]), **prices)
    add("thousands_blank.csv", "1 234,5", lines("date;price", [(x, f"{1000 + v:.1f}".replace(".", ",").replace("1", "1 ", 1)) for x, v in zip(d, p)], ";"), **prices)
    add("gaps.csv", "NA, blank and . for missing values", lines("date,price", [(x, ["NA", "", ".", v][min(i % 50, 3)]) for i, (x, v) in enumerate(zip(d, p))]), layout="series", column="price", kinds=["return"], rows=DAYS - 24)
    # Heads.
    add("headless.csv", "no line of names", lines("2017-12-31,50.1", zip(d, p)), refused="names")
    add("headless.dat", "no line of names, blanks", lines("1 50.1 7", [(i + 2, v, v * 2) for i, v in enumerate(p)], " "), refused="names")
    add("blanks.dat", "columns set off by blanks", lines("year   flow", [(1620 + i, f"  {v}") for i, v in enumerate(river(3))], " "), layout="series", column="flow", kinds=["level", "difference"], rows=DAYS, first="1620-01-01", last="2019-01-01")
    add("blanks.txt", "dates, blanks", lines("date value", [(x, f"   {v}") for x, v in zip(d, t)], " "), layout="series", column="value", kinds=["level", "difference"], **span)
    add("write_table.txt", "R's write.table", lines('"x" "y"', [(f'"{i + 1}"', v, round(v * 3 + i % 7, 2)) for i, v in enumerate(noise(4))], " "), layout="table", column="y")
    add("write_table_years.txt", "R's write.table, years as names of the rows", lines('"flow"', [(f'"{1620 + i}"', v) for i, v in enumerate(river(5))], " "), layout="series", column="flow", kinds=["level", "difference"], rows=DAYS)
    add("write_csv_years.csv", "R's write.csv, years as names of the rows", lines('"","flow"', [(f'"{1620 + i}"', v) for i, v in enumerate(river(5))]), layout="series", column="flow", kinds=["level", "difference"], rows=DAYS)
    add("pandas_index.csv", "an index without a name", lines(",date,price", [(i, x, v) for i, (x, v) in enumerate(zip(d, p))]), **prices)
    add("remarks.csv", "remarks above the names", "# from the archive\n# station 7, daily\n" + lines("date,level", zip(d, river(6))), layout="series", column="level", kinds=["level", "difference"], **span)
    add("remark_names.csv", "names in a remark", "# from the archive\n" + lines("# date,level", zip(d, river(6))), layout="series", column="level", kinds=["level", "difference"], **span)
    add("title.csv", "a title above the names", "Data Source,World Indicators\n\n" + lines("country,code,1990,1991", [(f"c{i}", i, i * 2, i * 3) for i in range(50)]), refused="above the header")
    add("tail.csv", "blank lines at the end", lines("date,price", zip(d, p)) + ",\n,\n\n", **prices)
    add("separators.csv", "a separator too many in every line", lines("date,price,", [(x, v, "") for x, v in zip(d, p)]), **prices)
    add("twice.csv", "two columns of one name", lines("date,price,price", [(x, v, v) for x, v in zip(d, p)]), refused="two columns")
    add("empty.csv", "nothing", "", refused="header|empty|no ")
    add("names_only.csv", "names alone", "date,price\n", refused="row|numbers|predict")
    # Letters and packing.
    add("utf16.txt", "UTF-16, tabs", b"\xff\xfe" + lines("date\tprice", zip(d, p), "\t").encode("utf-16-le"), **prices)
    add("latin.csv", "Windows-1252", lines("Datum;Schlußkurs;Währung", [(x.strftime("%d.%m.%Y"), str(v).replace(".", ","), "€") for x, v in zip(d, p)], ";").encode("cp1252"), layout="series", column="Schlußkurs", kinds=["return"], rows=DAYS)
    add("mac.csv", "lines end by a carriage return", lines("date,price", zip(d, p)).replace("\n", "\r"), **prices)
    add("mark.csv", "a byte order mark", "\ufeff" + lines("date,price", zip(d, p)), **prices)
    add("packed.csv.gz", "gzip", gzip.compress(lines("date,price", zip(d, p)).encode(), mtime=0), **prices)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as z:
        z.writestr(zipfile.ZipInfo("price.csv"), lines("date,price", zip(d, p)))
    add("packed.zip", "zip", packed.getvalue(), refused="zip file")
    add("packed.csv.xz", "xz", lzma.compress(lines("date,price", zip(d, p)).encode()), refused="xz")
    add("packed.csv.zst", "zstd", b"\x28\xb5\x2f\xfd" + bytes(50), refused="zstd")
    book = io.BytesIO()
    with zipfile.ZipFile(book, "w") as z:
        z.writestr(zipfile.ZipInfo("xl/workbook.xml"), "<workbook/>")
    add("book.xlsx", "Excel", book.getvalue(), refused="Excel")
    add("list.json", "JSON", json.dumps([{"date": str(x), "price": v} for x, v in zip(d, p)]), refused="JSON")
    add("page.html", "a web page", "<!doctype html><table></table>", refused="web page")
    # Dates.
    month = lambda x, form: form.format(d=x.day, m=x.month, y=x.year, yy=x.year % 100)
    many = months(300)
    add("months_us.csv", "1/1/1957, 2/1/1957: months", lines("date,ice", [(month(x, "{m}/{d}/{y}"), v) for x, v in zip(many, season(7, 300, 100, 40, 12))]), layout="series", column="ice", kinds=["level", "difference"], rows=300, first="1957-01-01", last="1981-12-01")
    add("days_us.csv", "month first, told by days above 12", lines("date,price", [(month(x, "{m}/{d}/{y}"), v) for x, v in zip(d, p)]), **prices)
    add("days_eu.csv", "day first, told by days above 12", lines("date,price", [(month(x, "{d}/{m}/{y}"), v) for x, v in zip(d, p)]), **prices)
    first_days = [x for x in days(3000) if x.day <= 12][:DAYS]
    shuffled = list(zip(first_days, p))
    random.Random(8).shuffle(shuffled)
    add("days_either.csv", "day or month first, shuffled", lines("date,price", [(month(x, "{m}/{d}/{y}"), v) for x, v in shuffled]), layout="series", column="price", kinds=["return"], rows=DAYS, last=str(first_days[-1]))
    add("short_years.csv", "years of two digits", lines("date,price", [(month(x, "{m}/{d}/{yy:02}"), v) for x, v in zip(d, p)]), **prices)
    add("compact.csv", "20180101", lines("date,price", [(x.strftime("%Y%m%d"), v) for x, v in zip(d, p)]), **prices)
    add("month_names.csv", "Jan 2008", lines("month,sales", [(f"{MONTHS[x.month - 1]} {x.year}", v) for x, v in zip(many, season(9, 300, 500, 80, 12))]), layout="series", column="sales", kinds=["level", "difference"], rows=300)
    add("fractions.csv", "R's decimal years", lines("time,value", [(round(x.year + (x.month - 1) / 12, 4), v) for x, v in zip(many, season(10, 300, 300, 90, 12))]), layout="series", column="value", kinds=["level", "difference"], rows=300, last="1981-12-01")
    add("ordinal.csv", "2018-193", lines("date,price", [(x.strftime("%Y-%j"), v) for x, v in zip(d, p)]), **prices)
    epoch = [int(dt.datetime(x.year, x.month, x.day, tzinfo=dt.timezone.utc).timestamp()) for x in d]
    add("epoch.csv", "seconds since 1970", lines("timestamp,price", zip(epoch, p)), **prices)
    add("epoch_ms.csv", "milliseconds since 1970", lines("timestamp,price", [(e * 1000, v) for e, v in zip(epoch, p)]), **prices)
    add("weeks.csv", "ISO weeks", lines("week,cases", [((dt.date(2001, 1, 1) + dt.timedelta(7 * i)).strftime("%G-W%V"), v) for i, v in enumerate(noise(11, whole=True))]), layout="series", column="cases", kinds=["level"], rows=DAYS)
    hours = [dt.datetime(2019, 3, 1) + dt.timedelta(hours=i) for i in range(720)]
    load = season(12, 720, 300, 60, 24)
    hourly = {"layout": "series", "column": "load", "kinds": ["level", "difference"], "rows": 720, "first": "2019-03-01", "last": "2019-03-30"}
    add("hourly.csv", "hourly", lines("time,load", [(x.isoformat(), v) for x, v in zip(hours, load)]), **hourly)
    late = lambda x: (x - dt.timedelta(days=1)).strftime("%Y-%m-%d 24:00") if x.hour == 0 else x.strftime("%Y-%m-%d %H:%M")
    add("midnight.csv", "24:00", lines("time,load", [(late(x), v) for x, v in zip(hours, load)]), **hourly)
    add("half_days.csv", "3:00 PM", lines("time,load", [(x.strftime("%m/%d/%Y %I:%M %p"), v) for x, v in zip(hours, load)]), **hourly)
    add("compact_time.csv", "201903011605", lines("time,load", [(x.strftime("%Y%m%d%H%M"), v) for x, v in zip(hours, load)]), **hourly)
    zone = lambda x: x + dt.timedelta(hours=2 if x >= dt.datetime(2019, 3, 31, 1) else 1)
    summer = [dt.datetime(2019, 3, 20) + dt.timedelta(hours=i) for i in range(720)]
    add("zone.csv", "offsets with a change of the clocks", lines("time,load", [(zone(x).isoformat() + ("+02:00" if zone(x) - x == dt.timedelta(hours=2) else "+01:00"), v) for x, v in zip(summer, load)]), layout="series", column="load", kinds=["level", "difference"], rows=720)
    add("bad_clock.csv", "25:00", lines("time,load", [(x.strftime("%Y-%m-%d ") + f"{x.hour + (2 if x.hour == 23 else 0)}:00", v) for x, v in zip(hours, load)]), refused="clock")
    add("bad_zone.csv", "a zone that nobody knows", lines("time,load", [(x.strftime("%Y-%m-%d %H:%M ") + "Mars/Base", v) for x, v in zip(hours, load)]), refused="zone")
    add("parts.csv", "year, month and day apart", lines("year,month,day,price", [(x.year, x.month, x.day, v) for x, v in zip(d, p)]), **prices)
    add("parts_hour.csv", "hours 1 to 24 in a column", lines("Year,Mo,Dy,Hr,load", [((x - dt.timedelta(hours=1)).year, (x - dt.timedelta(hours=1)).month, (x - dt.timedelta(hours=1)).day, (x - dt.timedelta(hours=1)).hour + 1, v) for x, v in zip(hours, load)]), layout="series", column="load", kinds=["level", "difference"], rows=720)
    add("parts_month.csv", "year and month apart", lines("year,month,sales", [(x.year, x.month, v) for x, v in zip(many, season(13, 300, 500, 80, 12))]), layout="series", column="sales", kinds=["level", "difference"], rows=300, first="1957-01-01", last="1981-12-01")
    add("parts_quarter.csv", "year and quarter apart", lines("year,quarter,gdp", [(1940 + i // 4, i % 4 + 1, v) for i, v in enumerate(walk(14, 300, 1000, 0.01))]), layout="series", column="gdp", kinds=["return", "difference"], rows=300)
    # What names do not tell.
    add("TMAX.csv", "capitals that are a temperature", lines("DATE,TMAX", zip(d, season(15))), layout="series", column="TMAX", kinds=["level", "difference"], **span)
    add("FLOW.csv", "capitals that are a river", lines("DATE,FLOW", zip(d, river(16))), layout="series", column="FLOW", kinds=["level", "difference"], **span)
    add("KSI.csv", "capitals that are counts", lines("month,KSI", [(x.strftime("%Y-%m"), 900 + 7 * v) for x, v in zip(many, noise(17, 300, True))]), layout="series", column="KSI", kinds=["level", "difference"], rows=300)
    add("KO.csv", "capitals that may be a stock", lines("date,KO", zip(d, p)), layout="series", column="KO", kinds=["return"], **span)
    add("price_noise.csv", "a price that does not stay near the last one", lines("date,price", zip(d, noise(18))), layout="series", column="price", kinds=["level"], **span)
    add("period.csv", "a period that is no time", lines("period,x,y", [(i % 24 + 1, v, round(v * 2 + i % 5, 2)) for i, v in enumerate(noise(19))]), layout="table", column="y")
    add("returns.csv", "returns already", lines("date,ret", [(x, round(b / a - 1, 6)) for x, a, b in zip(d[1:], p, p[1:])]), layout="series", column="ret", kinds=["level"], rows=DAYS - 1)
    add("oil.csv", "prices below zero", lines("date,close", [(x, v if i != 200 else -37.63) for i, (x, v) in enumerate(zip(d, p))]), layout="series", column="close", kinds=["difference", "level"], **span)
    add("one_column.csv", "one column, no dates", lines("level", [(v,) for v in river(20)]), layout="series", column="level", kinds=["level", "difference"], rows=DAYS)
    add("houses.csv", "sales of houses, dated", lines("sold,rooms,price", [(x, i * 7 % 5 + 1, round(100 + 40 * (i * 7 % 5) + v, 1)) for i, (x, v) in enumerate(zip(d, noise(21)))]), layout="table", column="price")
    add("classes.csv", "a class beside quantities", lines("length,width,grade", [(v, round(v / 2 + i % 3, 2), "abc"[i % 3]) for i, v in enumerate(noise(22))]), layout="table", column="length")
    add("patients.csv", "several rows of each patient", lines("patient,age,pressure", [(i // 5, 30 + i // 5 % 40, round(100 + 3 * (i // 5 % 17) + v, 1)) for i, v in enumerate(noise(23))]), layout="table", column="pressure", keys=["group = \"patient\""])
    # Panels.
    names = ["KO", "BA", "IBM"]
    stocks = {n: walk(30 + i) for i, n in enumerate(names)}
    add("long.csv", "series below each other", lines("symbol,date,price", [(n, x, v) for n in names for x, v in zip(d, stocks[n])]), layout="long", column="price", entity="symbol", kinds=["return"])
    add("long_inputs.csv", "series below each other, with inputs", lines("country,date,price,rain", [(n, x, v, i % 9) for n in names for i, (x, v) in enumerate(zip(d, stocks[n]))]), layout="long", column="price", entity="country", kinds=["return"])
    broken = [(n, x, v) for n in [*names, "XX"] for x, v in zip(d, stocks.get(n, p))][: 3 * DAYS + 5]
    add("long_broken.csv", "one series has five rows", lines("symbol,date,price", broken), layout="long", column="price", entity="symbol", kinds=["return"])
    add("firms.csv", "firms by numbers, yearly", lines("firm,year,invest,capital", [(f, 1950 + i, round(v * 10, 1), i * f) for f in range(1, 11) for i, v in enumerate(walk(40 + f, 60))]), layout="table", column="invest", keys=["entity = \"firm\""])
    add("wide.csv", "a column for each symbol", lines("Date,KO,BA,IBM", zip(d, *stocks.values())), layout="wide", symbols=names, kinds=["return"])
    add("wide_fields.csv", "Close MSFT beside Volume MSFT", lines("Date," + ",".join(f"Close {n},Volume {n}" for n in names), [(x, *(c for n in names for c in (stocks[n][i], 1000 + i))) for i, x in enumerate(d)]), layout="wide", symbols=[f"Close {n}" for n in names], kinds=["return"])
    yahoo = "Price," + ",".join(["Close"] * 3) + "\nTicker," + ",".join(names) + "\nDate,,,\n"
    add("yfinance.csv", "yfinance's head of three lines", yahoo + "".join(f"{x},{stocks['KO'][i]},{stocks['BA'][i]},{stocks['IBM'][i]}\n" for i, x in enumerate(d)), layout="wide", symbols=[f"Close {n}" for n in names], kinds=["return"])
    add("years_beside.csv", "a column for each year", lines("country," + ",".join(map(str, range(1990, 2010))), [(f"land{i}", *(round(v + j, 2) for j in range(20))) for i, v in enumerate(noise(50, 100))]), layout="table", column="2009")
    add("stooq.txt", "<DATE>, <CLOSE>", lines("<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>", [("KO.US", "D", x.strftime("%Y%m%d"), "000000", v, v, v, v, 100 + i) for i, (x, v) in enumerate(zip(d, p))]), layout="series", column="<CLOSE>", kinds=["return"], **span)
    add("newest.csv", "newest first", lines("date,price", reversed(list(zip(d, p)))), **prices)
    return found


def make_binary(folder):
    """Parquet and Arrow IPC, where pyarrow is installed."""
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    d, p = days(), walk(1)
    span = {"layout": "series", "column": "price", "kinds": ["return"], "rows": DAYS, "first": "2018-01-01", "last": str(d[-1])}
    stamps = [dt.datetime(x.year, x.month, x.day) for x in d]
    table = lambda dates: pa.table({"date": dates, "price": p})
    pa.parquet.write_table(table(pa.array(stamps, pa.timestamp("us"))), folder / "stamps.parquet")
    pa.parquet.write_table(table(pa.array([str(x) for x in d]).dictionary_encode()), folder / "dictionary.parquet")
    pa.feather.write_feather(table(pa.array(d)), folder / "days.feather", compression="lz4")
    with pa.ipc.new_file(folder / "plain.arrow", table(pa.array(d)).schema) as out:
        out.write_table(table(pa.array(d)))
    return [("stamps.parquet", "Parquet, times", span), ("dictionary.parquet", "Parquet, dates as categories", span),
            ("days.feather", "Feather, LZ4", span), ("plain.arrow", "Arrow IPC", span)]
