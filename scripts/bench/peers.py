#!/usr/bin/env python3
"""tailrank beside R, scikit-learn, linfa-svm and smartcore on the paper's 57 variants, in one alternating run.

    python3 scripts/bench/peers.py --install               first installs the peers (Debian and Python packages)
    python3 scripts/bench/peers.py                         one task (KO, h = 3), one core each: about 25 minutes
    python3 scripts/bench/peers.py --series IBM,KO,BA,GM --cores 2 --no-single
    python3 scripts/bench/peers.py --families mars,nnet --rounds 5
    python3 scripts/bench/peers.py --fits --save peers     fits alone, in process, beside the strongest peers: about 25 minutes
    python3 scripts/bench/peers.py --fits OLS,kNN          those whose names hold one of the words

`--fits` races scikit-learn's Intel extension, LightGBM, XGBoost, CatBoost, SnapML, faiss, ranger, earth, glmnet and rpart (fits.py).
Without it whole programs race, in two kinds. *Grids*: every variant of a family, as a user of each tool would fit them; tailrank shares work among
variants (500 trees serve ten forest sizes, one forward pass four MARS penalties), R and scikit-learn fit each anew.
*Single fits*: one variant of each family, where nothing can be shared; here tailrank's engines that are other people's
crates take part as well.

Every peer's run stands between two of tailrank's: each gives a ratio, and the table shows their median and range. Cheap
peers are repeated (--rounds), those that take longer than --budget seconds are not. Beside the times stands the quality of
the models (median MAD, RMSE and signals of the variants), so that speed is never bought with a worse model. A peer that is
missing is skipped and said so. With --save NAME the table goes to results/benchmarks/NAME.md and .json.
"""

import argparse
import csv
import datetime
import gzip
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import fits

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
VENV = TARGET / "bench-venv"
GRIDS = {
    "nnet": "size = [5, 10, 15, 20, 30], decay = [0.01, 0.05, 0.1]",
    "mars": "penalty = [1, 2, 3, 4], threshold = [0.01, 0.005, 0.001, 0.0005]",
    "svm": "cost = [400, 500, 600, 700], gamma = [0.01, 0.005, 0.001, 0.0005]",
    "forest": "trees = [50, 100, 150, 200, 250, 300, 350, 400, 450, 500]",
}
# One variant of each family: for tailrank, and for the peers' scripts.
SINGLE = {
    "nnet": ("size = 10, decay = 0.05", "nnet=10,0.05"),
    "mars": ("penalty = 2, threshold = 0.001", "mars=2,0.001"),
    "svm": ("cost = 400, gamma = 0.0005", "svm=400,0.0005"),
    "forest": ("trees = 100", "forest=100,0"),
}
ENGINES = {"svm": ["linfa"], "forest": ["smartcore"]}
CRATES = {"linfa": "linfa-svm", "smartcore": "smartcore"}
H, LAGS = 3, 24
# Rows before the split; Boeing's file begins in 1987 and is cut where the stock-returns study cuts it.
TRAIN = {"BA": 2774}
R_PACKAGES = "r-base-core r-cran-nnet r-cran-mda r-cran-e1071 r-cran-randomforest"
PYTHON_PACKAGES = "numpy scikit-learn joblib"
# For --fits; each is installed by itself, so that one that cannot be had takes no other with it.
FIT_PACKAGES = {"R": ["r-cran-ranger", "r-cran-earth", "r-cran-glmnet", "r-cran-rpart"],
                "Python": ["scikit-learn-intelex", "lightgbm", "xgboost", "catboost", "snapml", "faiss-cpu"]}


def read_prices(path):
    opener = gzip.open if str(path).endswith(".gz") else open
    with opener(path, "rt") as f:
        rows = list(csv.DictReader(f))
    date = next(k for k in rows[0] if k.lower() == "date")
    names = [k for k in rows[0] if k != date]
    price = next((k for k in names if k.lower().replace(" ", "") in ("adjclose", "close")), names[0])
    return [(r[date], float(r[price])) for r in rows]


def embed(prices):
    """Rows (origin date, 24 inputs newest first, target)."""
    close = [p for _, p in prices]
    r = [None] * H + [(close[t] - close[t - H]) / close[t - H] for t in range(H, len(close))]
    return [(prices[t][0], [r[t - k] for k in range(LAGS)], r[t + H]) for t in range(H + LAGS - 1, len(close) - H)]


def write_csv(path, rows):
    with open(path, "w") as f:
        f.write("y," + ",".join(f"x{j + 1}" for j in range(LAGS)) + "\n")
        for _, x, y in rows:
            f.write(",".join(repr(v) for v in [y, *x]) + "\n")


def measured(command, env=None, limit=None):
    """CPU seconds, wall seconds, peak megabytes and standard output of a command with all its children."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(command, env=env, stdout=out, stderr=err, start_new_session=True)
        if limit:
            # wait4 takes no deadline: a second process ends the group in time.
            guard = subprocess.Popen(["sh", "-c", f"sleep {limit}; kill -9 -- -{child.pid}"], start_new_session=True)
        _, status, used = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        if limit:
            os.killpg(guard.pid, 15)
            guard.wait()
        out.seek(0)
        err.seek(0)
        code = os.waitstatus_to_exitcode(status)
        if code != 0:
            text = (err.read().decode().strip() or out.read().decode().strip())[-300:]
            raise RuntimeError(f"not done within {limit} s" if code == -9 else f"exit code {code}: {text}")
        return used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, out.read().decode()


class Bench:
    """The tasks, as files for the peers and as an experiment for tailrank."""

    def __init__(self, arguments):
        self.cores = arguments.cores
        self.folder = Path(tempfile.mkdtemp(prefix="tailrank-bench-"))
        self.tasks = []
        for name in arguments.series.split(","):
            source = arguments.prices or ROOT / f"crates/tailrank-data/data/{name}.csv.gz"
            rows = embed(read_prices(source))
            train = 5000 if arguments.prices else TRAIN.get(name) or sum(d < "1990-01-01" for d, _, _ in rows)
            files = [self.folder / f"{name}-{part}.csv" for part in ("train", "test")]
            write_csv(files[0], rows[:train])
            write_csv(files[1], rows[train:])
            plain = self.folder / f"{name}.csv"
            plain.write_text("Date,Close\n" + "".join(f"{d},{p!r}\n" for d, p in read_prices(source)))
            self.tasks.append((name, plain, rows[train][0], files, train, len(rows) - train))

    def tailrank(self, binary, grids, engine="native", limit=None):
        """Fits and scores the grids [(family, parameters)]; no row is purged, so that all tools learn from the same ones."""
        experiment = self.folder / "experiment.toml"
        series = ", ".join(f'{{ name = "{name}", file = "{plain}" }}' for name, plain, *_ in self.tasks)
        splits = "".join(f'[tasks."{n}".split]\nkind = "date"\nat = "{at}"\nleak = "paper"\n' for n, _, at, *_ in self.tasks)
        engine = f'engine = "{engine}"\n' if engine != "native" else ""
        experiment.write_text(
            f'name = "bench"\nseed = 2009\n[data]\nseries = [{series}]\n[target]\nhorizons = [{H}]\nlags = {LAGS}\n'
            f'[split]\nkind = "date"\nat = "1990-01-01"\n{splits}'
            '[relevance]\nlow = -0.02\nhigh = 0.02\n[measures]\nlist = ["mad", "rmse", "f"]\nt_l = 0.005\nbeta = 0.5\n'
            + "".join(f'[[models]]\nfamily = "{f}"\n{engine}grid = {{ {g} }}\n' for f, g in grids)
        )
        out = self.folder / "run"
        command = [str(binary), "run", str(experiment), "--jobs", str(self.cores), "--out", str(out), "--quiet", "--no-report"]
        try:
            cpu, wall, memory, _ = measured(command, limit=limit)
            with open(out / "results" / "scores.csv") as f:
                rows = list(csv.DictReader(f))
        finally:
            shutil.rmtree(out, ignore_errors=True)
        return cpu, wall, memory, [(float(r["mad"]), float(r["rmse"]), float(r["signals"])) for r in rows]

    def peer(self, command, what):
        one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        files = [str(f) for task in self.tasks for f in task[3]]
        cpu, wall, memory, text = measured([*command, str(self.cores), what, *files], one_thread)
        fits = []
        for line in text.splitlines():
            if line.startswith("failed"):
                raise RuntimeError(f"a fit failed: {line[7:]}")
            if line.startswith("fit "):
                fits.append(tuple(float(v) for v in line.split()[1:4]))
        if not fits:
            raise RuntimeError("it has no such family")
        return cpu, wall, memory, fits


def release_build():
    """Builds the program and says where it is."""
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "tailrank"], cwd=ROOT, check=True)
    return TARGET / "release" / "tailrank"


def version_of(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return (done.stdout or done.stderr).strip().splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def install():
    for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", *R_PACKAGES.split()],
                    [sys.executable, "-m", "venv", str(VENV)], [str(VENV / "bin/python"), "-m", "pip", "install", *PYTHON_PACKAGES.split()],
                    *(["apt-get", "install", "-y", "--no-install-recommends", p] for p in FIT_PACKAGES["R"]),
                    *([str(VENV / "bin/python"), "-m", "pip", "install", p] for p in FIT_PACKAGES["Python"])):
        if subprocess.run(command).returncode != 0:
            print(f"failed: {' '.join(command)}", file=sys.stderr)


def bench_python():
    return str(VENV / "bin/python") if (VENV / "bin/python").exists() else sys.executable


def fit_versions():
    """The versions of the peers of --fits that are there; the others are named as missing."""
    packages = [*PYTHON_PACKAGES.split(), *FIT_PACKAGES["Python"]]
    script = ("import importlib.metadata as m, sys\nfor p in sys.argv[1:]:\n try: print(p, m.version(p), end=', ')\n"
              " except m.PackageNotFoundError: print(p, 'missing', end=', ')")
    python = version_of([bench_python(), "-c", script, *packages])
    names = ",".join(f'"{p.removeprefix("r-cran-")}"' for p in [*R_PACKAGES.split()[1:], *FIT_PACKAGES["R"]]).replace("randomforest", "randomForest")
    script = f'cat(R.version$version.string, paste(sapply(c({names}), function(p) paste(p, tryCatch(packageVersion(p), error = function(e) "missing"))), collapse=", "), sep="; ")'
    r = version_of(["Rscript", "--vanilla", "-e", script])
    return [(python or "Python's peers are missing").rstrip(", "), r or "R is missing"]


def find_peers():
    """The peers that are there, as commands, with their exact versions."""
    peers, versions = {}, []
    script = 'cat(R.version$version.string, paste(sapply(c("nnet","mda","e1071","randomForest"), function(p) paste(p, packageVersion(p))), collapse=", "), sep="; ")'
    found = version_of(["Rscript", "--vanilla", "-e", script])
    if found:
        peers["R"] = ["Rscript", "--vanilla", str(ROOT / "scripts/bench/peers.R")]
        versions.append(found)
    else:
        print(f"R with its packages is missing and skipped; --install, or: apt-get install {R_PACKAGES}")
    python = bench_python()
    found = version_of([python, "-c", "import sklearn, scipy, numpy, joblib, platform as p; print(f'Python {p.python_version()}, scikit-learn {sklearn.__version__}, scipy {scipy.__version__}, numpy {numpy.__version__}, joblib {joblib.__version__}')"])
    if found:
        peers["scikit-learn"] = [python, str(ROOT / "scripts/bench/peers_sklearn.py")]
        versions.append(found)
    else:
        print(f"scikit-learn is missing and skipped; --install, or: pip install {PYTHON_PACKAGES}")
    locked = (ROOT / "Cargo.lock").read_text().split("[[package]]")
    for crate in CRATES.values():
        versions += [f"{crate} {p.split('version = ')[1].split(chr(34))[1]}" for p in locked if f'name = "{crate}"\n' in p]
    return peers, versions


def machine():
    facts = dict(line.split(":", 1) for line in open("/proc/cpuinfo").read().split("\n\n")[0].splitlines() if ":" in line)
    facts = {k.strip(): v.strip() for k, v in facts.items()}
    vectors = next((v for v in ("avx512f", "avx2", "avx") if v in facts.get("flags", "").split()), "")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (f"{facts.get('model name', platform.machine())} ({vectors}), {os.cpu_count()} cores, {memory:.0f} GiB, "
            f"{platform.system()} {platform.release().split('-')[0]}, {datetime.date.today()}, load {os.getloadavg()[0]:.1f}")


def this_version(binary):
    """What the program says of itself, and the commit of this checkout."""
    commit = version_of(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"])
    return (version_of([str(binary), "--version"]) or "tailrank") + (f" at {commit}" if commit else "")


class Race:
    """One piece of work, ours and theirs in turns."""

    def __init__(self, what, ours):
        self.what, self.ours = what, ours
        self.runs = {"tailrank": []}
        self.ratios = {}

    def tailrank(self):
        return self.note("tailrank", self.ours())

    def against(self, who, theirs, rounds, budget):
        for _ in range(rounds):
            before = self.runs["tailrank"][-1] if self.runs["tailrank"] else self.tailrank()
            try:
                run = self.note(who, theirs())
            except RuntimeError as e:
                print(f"  {self.what:14} {who:22} skipped: {e}", flush=True)
                return
            after = self.tailrank()
            self.ratios.setdefault(who, []).extend((run[0] / o[0], run[1] / o[1]) for o in (before, after))
            if run[1] > budget:
                return

    def note(self, who, run):
        self.runs.setdefault(who, []).append(run)
        print(f"  {self.what:14} {who:22} {run[0]:9.2f} CPU s  {run[1]:9.2f} s", flush=True)
        return run

    def rows(self):
        for who, runs in self.runs.items():
            if not runs:
                continue
            cpu, wall = [r[0] for r in runs], [r[1] for r in runs]
            ratios = self.ratios.get(who, [])
            fits = runs[0][3]
            yield {
                "what": self.what, "who": who, "runs": len(runs), "fits": len(fits), "cpu_s": cpu, "wall_s": wall, "peak_mb": max(r[2] for r in runs),
                "cpu_ratio": [r for r, _ in ratios], "wall_ratio": [r for _, r in ratios],
                "mad": statistics.median(f[0] for f in fits), "rmse": statistics.median(f[1] for f in fits), "signals": statistics.median(f[2] for f in fits),
            }


def sums(races, peers):
    """The whole grid: the families one after the other, from the medians of each."""
    for who in peers:
        members = [r for r in races if r.runs.get(who)]
        if len(members) > 1:
            total = lambda w, k: sum(statistics.median(run[k] for run in r.runs[w]) for r in members)
            yield {"what": "sum of " + ", ".join(r.what for r in members), "who": who, "runs": 1, "fits": sum(len(r.runs[who][0][3]) for r in members),
                   "cpu_s": [total(who, 0)], "wall_s": [total(who, 1)], "peak_mb": None,
                   "cpu_ratio": [total(who, 0) / total("tailrank", 0)], "wall_ratio": [total(who, 1) / total("tailrank", 1)],
                   "mad": None, "rmse": None, "signals": None}


def spread(values, form):
    if not values:
        return ""
    middle, low, high = (format(f(values), form) for f in (statistics.median, min, max))
    return middle if low == high else f"{middle} ({low}–{high})"


def table(rows):
    lines = ["| what | who | fits | runs | CPU s | wall s | peak MB | CPU ÷ tailrank | wall ÷ tailrank | MAD | RMSE | signals |",
             "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
    plain = lambda value, form: "" if value is None else format(value, form)
    for r in rows:
        lines.append(f"| {r['what']} | {r['who']} | {r['fits']} | {r['runs']} | {spread(r['cpu_s'], '.2f')} | {spread(r['wall_s'], '.2f')} | {plain(r['peak_mb'], '.0f')} | "
                     f"{spread(r['cpu_ratio'], '.1f')} | {spread(r['wall_ratio'], '.1f')} | {plain(r['mad'], '.6f')} | {plain(r['rmse'], '.6f')} | {plain(r['signals'], '.0f')} |")
    return lines


def race_fits(arguments):
    """The table of --fits."""
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "tailrank-models", "--example", "time_fit"], cwd=ROOT, check=True)
    facts, versions = machine(), fit_versions()
    commit = version_of(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"])
    rows = embed(read_prices(ROOT / "crates/tailrank-data/data/KO.csv.gz"))
    train = sum(d < "1990-01-01" for d, _, _ in rows)
    kept = ROOT / f"results/benchmarks/{arguments.save}.json"
    found = json.loads(kept.read_text())["rows"] if arguments.resume and arguments.save and kept.exists() else []

    def page(found):
        text = "\n".join([
            f"{fits.__doc__.strip()}", "",
            f"Machine: {facts} at the start, {os.getloadavg()[0]:.1f} at the end. tailrank {commit} (release build of tailrank-models, example time_fit); {'; '.join(versions)}.", "",
            *fits.table(found), "", "Times and ratios are medians, the ratios with their range; those below 1.2 are bold."])
        if arguments.save:
            folder = ROOT / "results/benchmarks"
            shown = " ".join(sys.argv[1:])
            (folder / f"{arguments.save}.md").write_text(f"# Single fits and grids beside the strongest peers\n\n{text}\n\nMade by `scripts/bench/peers.py {shown}`.\n")
            (folder / f"{arguments.save}.json").write_text(json.dumps({"machine": facts, "versions": versions, "rows": found}, indent=1) + "\n")
        return text

    with tempfile.TemporaryDirectory(prefix="tailrank-bench-") as folder:
        program = TARGET / "release/examples/time_fit"
        print("\n" + page(fits.run(arguments, program, bench_python(), rows, train, Path(folder), page, found)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="runs of each peer (3)")
    parser.add_argument("--budget", type=float, default=60, help="a peer whose run takes longer than this many seconds is run once (60)")
    parser.add_argument("--series", default="KO", help="bundled series, such as IBM,KO,BA,GM")
    parser.add_argument("--prices", type=Path, help="a price file instead; its first 5000 complete rows train")
    parser.add_argument("--families", default="nnet,mars,svm,forest")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--single", action=argparse.BooleanOptionalAction, default=True, help="race on single fits as well, with the engines of other crates")
    parser.add_argument("--limit", type=int, default=600, help="seconds an engine may take on its one variant")
    parser.add_argument("--fits", nargs="?", const="", metavar="WORDS", help="race fits alone, in process; only those whose names hold one of the words")
    parser.add_argument("--long", action="store_true", help="with --fits: also the peers that take minutes and are far behind")
    parser.add_argument("--resume", action="store_true", help="with --fits and --save: keep what the saved table has already")
    parser.add_argument("--turn", type=float, default=0.4, help="CPU seconds for which a short fit is repeated in its turn (0.4)")
    parser.add_argument("--save", metavar="NAME")
    parser.add_argument("--binary", type=Path, help="a tailrank that is built already, instead of a release build")
    parser.add_argument("--install", action="store_true")
    arguments = parser.parse_args()
    if arguments.install:
        install()
    if arguments.fits is not None:
        race_fits(arguments)
        return

    binary = (arguments.binary or release_build()).resolve()
    peers, versions = find_peers()
    bench = Bench(arguments)
    families = arguments.families.split(",")
    # Taken now: the checkout may move on while the peers run.
    facts, version = machine(), this_version(binary)

    singles, grids = [], []
    whole = Race("whole grid", lambda: bench.tailrank(binary, [(f, GRIDS[f]) for f in families]))

    def page():
        rows = [row for race in [*singles, *grids, whole] for row in race.rows()] + list(sums(grids, peers))
        sizes = "; ".join(f"{n}: {train} rows to learn from, {test} to predict" for n, _, _, _, train, test in bench.tasks)
        text = "\n".join([
            f"{sizes}; {LAGS} inputs, h = {H}. {arguments.cores} core(s) each.", "",
            f"Machine: {facts}. {version} (release build); " + "; ".join(versions) + ".", "",
            *table(rows), "",
            "Times are medians with their range; a ratio is a peer's run over tailrank's run before and after it. All times include starting the program and reading "
            "the files. MAD, RMSE and signals (predictions beyond ±2 %) are medians over the variants; peak memory is the largest single process. "
            "scikit-learn has no MARS; its networks are kept at 100 iterations like R's and ours (by themselves they stop after 1 to 23).",
        ])
        if arguments.save:
            # Rewritten after every race: what was measured is not lost when the script is stopped.
            folder = ROOT / "results/benchmarks"
            folder.mkdir(parents=True, exist_ok=True)
            shown = [a for i, a in enumerate(sys.argv[1:], 1) if a != "--binary" and sys.argv[i - 1] != "--binary"]
            (folder / f"{arguments.save}.md").write_text(f"# tailrank beside its peers\n\n{text}\n\nMade by `scripts/bench/peers.py {' '.join(shown)}`.\n")
            (folder / f"{arguments.save}.json").write_text(json.dumps({"machine": facts, "versions": [version, *versions], "rows": rows}, indent=1) + "\n")
        return text

    for _ in range(arguments.rounds):
        whole.tailrank()
    for family in families if arguments.single else []:
        ours, theirs = SINGLE[family]
        race = Race(f"{family}, one fit", lambda f=family, o=ours: bench.tailrank(binary, [(f, o)]))
        singles.append(race)
        for name, command in peers.items():
            race.against(name, lambda: bench.peer(command, theirs), arguments.rounds, arguments.budget)
        for engine in ENGINES.get(family, []):
            race.against(f"{CRATES[engine]} (engine)", lambda: bench.tailrank(binary, [(family, ours)], engine, arguments.limit), arguments.rounds, arguments.budget)
        page()
    for family in families:
        race = Race(family, lambda f=family: bench.tailrank(binary, [(f, GRIDS[f])]))
        grids.append(race)
        for name, command in peers.items():
            race.against(name, lambda: bench.peer(command, family), arguments.rounds, arguments.budget)
            page()
    print("\n" + page())
    shutil.rmtree(bench.folder)


if __name__ == "__main__":
    main()
