#!/usr/bin/env python3
"""tailrank beside R and scikit-learn on the paper's 57 variants, in one alternating run.

    python3 scripts/bench_peers.py                         one task (KO, h = 3), one core each
    python3 scripts/bench_peers.py --series IBM,KO,BA,GM --cores 2
    python3 scripts/bench_peers.py --families mars,nnet --rounds 3
    python3 scripts/bench_peers.py --install               first installs the peers (Debian and Python packages)

Prints, family by family and for the whole grid: CPU seconds (user + system) with their spread over the rounds, wall seconds,
peak memory, the ratio to tailrank, and the quality of the models (median MAD, RMSE and signals of the variants), so that
speed is never bought with a worse model. Beside the native families stand tailrank's engines that are other people's
crates (libsvm-rs, linfa-svm, smartcore), on one variant each, and the native family on that same variant.
A peer that is missing is skipped and said so. With --save NAME the table goes to results/benchmarks/NAME.md and .json.
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

ROOT = Path(__file__).resolve().parent.parent
GRIDS = {
    "nnet": "size = [5, 10, 15, 20, 30], decay = [0.01, 0.05, 0.1]",
    "mars": "penalty = [1, 2, 3, 4], threshold = [0.01, 0.005, 0.001, 0.0005]",
    "svm": "cost = [400, 500, 600, 700], gamma = [0.01, 0.005, 0.001, 0.0005]",
    "forest": "trees = [50, 100, 150, 200, 250, 300, 350, 400, 450, 500]",
}
# (family, engine, the one variant it is timed on)
ENGINES = [
    ("svm", "libsvm", "cost = 400, gamma = 0.0005"),
    ("svm", "linfa", "cost = 400, gamma = 0.0005"),
    ("forest", "smartcore", "trees = 50"),
]
H, LAGS = 3, 24
SPLIT = {"BA": "1998-01-02"}
R_PACKAGES = "r-base-core r-cran-nnet r-cran-mda r-cran-e1071 r-cran-randomforest"
PYTHON_PACKAGES = "numpy scikit-learn joblib"


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
        if code not in (0, 3):
            text = err.read().decode().strip()[-300:]
            raise RuntimeError(f"not done within {limit} s" if code == -9 else text)
        return used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, out.read().decode()


class Bench:
    def __init__(self, arguments):
        self.cores = arguments.cores
        self.folder = Path(tempfile.mkdtemp(prefix="tailrank-bench-"))
        self.tasks = []
        for name in arguments.series.split(","):
            source = arguments.prices or ROOT / f"crates/tailrank-data/data/{name}.csv.gz"
            rows = embed(read_prices(source))
            if arguments.prices:
                at = rows[5000][0]
            else:
                at = SPLIT.get(name, "1990-01-01")
            train = sum(d < at for d, _, _ in rows)
            files = [self.folder / f"{name}-{part}.csv" for part in ("train", "test")]
            write_csv(files[0], rows[:train])
            write_csv(files[1], rows[train:])
            plain = self.folder / f"{name}.csv"
            plain.write_text("Date,Close\n" + "".join(f"{d},{p!r}\n" for d, p in read_prices(source)))
            self.tasks.append((name, plain, at, files, train, len(rows) - train))

    def tailrank(self, binary, family, grid, engine="native", limit=None):
        experiment = self.folder / "experiment.toml"
        series = ", ".join(f'{{ name = "{name}", file = "{plain}" }}' for name, plain, *_ in self.tasks)
        splits = "".join(f'[tasks."{n}".split]\nkind = "date"\nat = "{at}"\nleak = "paper"\n' for n, _, at, *_ in self.tasks)
        experiment.write_text(
            f'name = "bench"\nseed = 2009\n[data]\nseries = [{series}]\n[target]\nhorizons = [{H}]\nlags = {LAGS}\n'
            f'[split]\nkind = "date"\nat = "1990-01-01"\n{splits}'
            '[relevance]\nlow = -0.02\nhigh = 0.02\n[measures]\nlist = ["mad", "rmse", "f"]\nt_l = 0.005\nbeta = 0.5\n'
            + "".join(
                f'[[models]]\nfamily = "{f}"\n' + (f'engine = "{engine}"\n' if engine != "native" else "") + f"grid = {{ {g} }}\n"
                for f, g in zip(family, grid)
            )
        )
        out = self.folder / "run"
        command = [str(binary), "run", str(experiment), "--jobs", str(self.cores), "--out", str(out), "--quiet", "--no-report"]
        try:
            cpu, wall, memory, _ = measured(command, limit=limit)
            with open(out / "results" / "scores.csv") as f:
                rows = list(csv.DictReader(f))
        finally:
            shutil.rmtree(out, ignore_errors=True)
        return cpu, wall, memory, [(float(r["mad"]), float(r["rmse"]), float(r["signals"])) for r in rows if r["mad"]]

    def peer(self, command, family):
        one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        files = [str(f) for task in self.tasks for f in task[3]]
        cpu, wall, memory, text = measured([*command, str(self.cores), family, *files], one_thread)
        lines = [line.split()[1:4] for line in text.splitlines() if line.startswith("fit ")]
        return cpu, wall, memory, [tuple(float(v) for v in line) for line in lines]


def release_build():
    """Builds the program and says where it is."""
    subprocess.run(["cargo", "build", "--release", "--quiet", "--workspace"], cwd=ROOT, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "tailrank"


def version_of(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return (done.stdout or done.stderr).strip().splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def find_peers():
    peers, versions = {}, []
    script = 'cat(R.version$version.string, paste(sapply(c("nnet","mda","e1071","randomForest"), function(p) paste(p, packageVersion(p))), collapse=", "), sep="; ")'
    found = version_of(["Rscript", "--vanilla", "-e", script])
    if found:
        peers["R"] = ["Rscript", "--vanilla", str(ROOT / "scripts/bench_peers.R")]
        versions.append(found)
    else:
        print(f"R with its packages is missing and skipped; to have it: apt-get install {R_PACKAGES}")
    found = version_of([sys.executable, "-c", "import sklearn, numpy, joblib, platform as p; print(f'Python {p.python_version()}, scikit-learn {sklearn.__version__}, numpy {numpy.__version__}, joblib {joblib.__version__}')"])
    if found:
        peers["scikit-learn"] = [sys.executable, str(ROOT / "scripts/bench_peers_sklearn.py")]
        versions.append(found)
    else:
        print(f"scikit-learn is missing and skipped; to have it: pip install {PYTHON_PACKAGES}")
    return peers, versions


def machine():
    model = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), platform.machine())
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release().split('-')[0]}, {datetime.date.today()}"


def spread(values):
    low, high = min(values), max(values)
    return f"{low:.2f}–{high:.2f}" if len(values) > 1 else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--series", default="KO", help="bundled series, such as IBM,KO,BA,GM")
    parser.add_argument("--prices", type=Path, help="a price file instead; its first 5000 complete rows train")
    parser.add_argument("--families", default="nnet,mars,svm,forest")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--engines", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--limit", type=int, default=600, help="seconds an engine may take on its one variant")
    parser.add_argument("--save", metavar="NAME")
    parser.add_argument("--binary", type=Path, help="a tailrank that is built already, instead of a release build")
    parser.add_argument("--install", action="store_true")
    arguments = parser.parse_args()
    if arguments.install:
        subprocess.run(["apt-get", "install", "-y", *R_PACKAGES.split()], check=False)
        subprocess.run([sys.executable, "-m", "pip", "install", *PYTHON_PACKAGES.split()], check=False)

    binary = arguments.binary or release_build()
    peers, versions = find_peers()
    bench = Bench(arguments)
    families = arguments.families.split(",")

    found = {}

    def note(key, who, run):
        try:
            cpu, wall, memory, fits = run()
        except RuntimeError as e:
            print(f"{who}, {key}: skipped ({e})", flush=True)
            return
        if fits:
            found.setdefault((key, who), []).append((cpu, wall, memory, fits))
            print(f"  {key:14} {who:22} {cpu:9.2f} CPU s  {wall:9.2f} s", flush=True)

    for _ in range(arguments.rounds):
        for family in families:
            note(family, "tailrank", lambda f=family: bench.tailrank(binary, [f], [GRIDS[f]]))
            # Our side is cheap, so it is measured again after every peer: the machine's mood falls on both.
            for name, command in peers.items():
                note(family, name, lambda c=command, f=family: bench.peer(c, f))
                note(family, "tailrank", lambda f=family: bench.tailrank(binary, [f], [GRIDS[f]]))
        note("grid", "tailrank", lambda: bench.tailrank(binary, families, [GRIDS[f] for f in families]))
        for family, engine, variant in ENGINES if arguments.engines else []:
            if family in families:
                note(f"{family} ×1", "tailrank", lambda f=family, v=variant: bench.tailrank(binary, [f], [v]))
                note(f"{family} ×1", f"tailrank, {engine}", lambda f=family, v=variant, e=engine: bench.tailrank(binary, [f], [v], e, arguments.limit))

    rows = []
    keys = list(dict.fromkeys(k for k, _ in found))
    for key in keys:
        ours = statistics.median(c for c, *_ in found[(key, "tailrank")]) if (key, "tailrank") in found else None
        for (k, who), runs in found.items():
            if k != key:
                continue
            cpus = [c for c, *_ in runs]
            cpu = statistics.median(cpus)
            fits = runs[0][3]
            rows.append({
                "what": key, "who": who, "cpu_s": cpu, "cpu_spread": spread(cpus), "wall_s": statistics.median(w for _, w, *_ in runs),
                "peak_mb": max(m for *_, m, _ in runs), "ratio": cpu / ours if ours else None, "fits": len(fits),
                "mad": statistics.median(f[0] for f in fits), "rmse": statistics.median(f[1] for f in fits), "signals": statistics.median(f[2] for f in fits),
            })
    for name in peers:
        members = [f for f in families if (f, name) in found and (f, "tailrank") in found]
        if members:
            theirs = sum(statistics.median(c for c, *_ in found[(f, name)]) for f in members)
            ours = sum(statistics.median(c for c, *_ in found[(f, "tailrank")]) for f in members)
            wall = sum(statistics.median(w for _, w, *_ in found[(f, name)]) for f in members)
            our_wall = sum(statistics.median(w for _, w, *_ in found[(f, "tailrank")]) for f in members)
            rows.append({"what": f"sum of {', '.join(members)}", "who": name, "cpu_s": theirs, "cpu_spread": "", "wall_s": wall, "peak_mb": None,
                         "ratio": theirs / ours, "wall_ratio": wall / our_wall, "fits": None, "mad": None, "rmse": None, "signals": None})

    sizes = "; ".join(f"{n}: {train} rows to learn from, {test} to predict" for n, _, _, _, train, test in bench.tasks)
    shown = version_of(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"])
    lines = [
        f"{sizes}; {LAGS} inputs, h = {H}. {arguments.cores} core(s) each, {arguments.rounds} round(s), alternating.", "",
        f"Machine: {machine()}. tailrank at {shown}; " + "; ".join(versions) + ".", "",
        "| what | who | fits | CPU s | spread | wall s | peak MB | CPU ÷ tailrank | MAD | RMSE | signals |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    def cell(value, form):
        return "" if value is None else format(value, form)
    for r in rows:
        lines.append(f"| {r['what']} | {r['who']} | {cell(r['fits'], 'd')} | {r['cpu_s']:.2f} | {r['cpu_spread']} | {r['wall_s']:.2f} | {cell(r['peak_mb'], '.0f')} | "
                     f"{cell(r['ratio'], '.1f')} | {cell(r['mad'], '.6f')} | {cell(r['rmse'], '.6f')} | {cell(r['signals'], '.0f')} |")
    lines += ["", "MAD, RMSE and signals (predictions beyond ±2 %) are medians over the variants; peak memory is the largest single process."]
    text = "\n".join(lines)
    print("\n" + text)
    if arguments.save:
        folder = ROOT / "results/benchmarks"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{arguments.save}.md").write_text(f"# tailrank beside its peers\n\n{text}\n\nMade by `scripts/bench_peers.py {' '.join(sys.argv[1:])}`.\n")
        (folder / f"{arguments.save}.json").write_text(json.dumps({"machine": machine(), "versions": versions, "tailrank": shown, "rows": rows}, indent=1) + "\n")
    shutil.rmtree(bench.folder)


if __name__ == "__main__":
    main()
