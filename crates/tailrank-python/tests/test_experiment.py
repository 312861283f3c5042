"""Experiments: from files and data frames, resumed here and by the command line, stopped by Ctrl-C."""

import html
import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import tailrank as tr

TOML = """
name = "two"
seed = 3
data.series = ["KO"]
target = { horizons = [1], lags = 5 }
split = { kind = "date", at = "1990-01-01" }
relevance = { low = -0.02, high = 0.02 }
measures = { list = ["mad", "f"], t_l = 0.01 }
inference.resamples = 100
inference.shifts = 100
models = [
    { family = "linear" },
    { family = "knn", grid = { k = [5, 20] } },
    { family = "nnet", grid = { size = [2, 3], decay = [0.1] } },
    { family = "cart" },
]
"""


def derived(folder):
    """Everything a run's cells and results are, byte by byte; logs tell of times and processes."""
    found = {}
    for part in ("cells", "results"):
        for path in sorted((folder / part).rglob("*")):
            if path.is_file():
                found[path.relative_to(folder).as_posix()] = path.read_bytes()
    assert stored_cells(folder) > 0 and "results/scores.csv" in found
    found["experiment.toml"] = (folder / "experiment.toml").read_bytes()
    return found


def stored_cells(folder):
    return len(list((folder / "cells").rglob("*.parquet")))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "two.toml"
    path.write_text(TOML)
    return path


@pytest.fixture
def whole(tailrank, file, tmp_path):
    """The results of a run by the command line alone."""
    tailrank("run", file, "--out", tmp_path / "whole", "--no-report", "--quiet")
    return derived(tmp_path / "whole")


def test_python_goes_on_where_the_command_line_stopped(tailrank, file, tmp_path, whole):
    tailrank("run", file, "--out", tmp_path / "a", "--only", "/knn", "--no-report", "--quiet")
    run = tr.Experiment(file).run(tmp_path / "a", progress=False)
    cells, fitted, reused = run.cells
    assert 0 < reused < cells and fitted + reused == cells
    assert derived(tmp_path / "a") == whole


def test_the_command_line_goes_on_where_python_stopped(tailrank, file, tmp_path):
    # Fits of a few milliseconds are told of together, once all are stored; these take longer.
    file.write_text(TOML.replace("size = [2, 3], decay = [0.1]", "size = [30, 40], decay = [0.1, 0.2, 0.3]"))
    tailrank("run", file, "--out", tmp_path / "whole", "--no-report", "--quiet")
    whole = derived(tmp_path / "whole")
    told = []

    def stop_after_three(what, *facts):
        told.append(what)
        if told.count("ended") == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tr.Experiment(file).run(tmp_path / "b", jobs=1, progress=stop_after_three)
    stored = stored_cells(tmp_path / "b")
    assert 3 <= stored < stored_cells(tmp_path / "whole")
    done = tailrank("run", file, "--out", tmp_path / "b", "--no-report", "--json")
    assert f'"reused": {stored}' in done.stdout
    assert derived(tmp_path / "b") == whole


def test_the_same_run_in_python_is_the_same_byte_by_byte(file, tmp_path, whole):
    for out, jobs in (("c", 1), ("d", 2)):
        run = tr.Experiment(file).run(tmp_path / out, jobs=jobs, progress=False)
        assert derived(tmp_path / out) == whole
    page = run.report()
    assert page.is_file() and page.parent == tmp_path / "d" / "report"
    scores = run.scores
    assert list(scores["model"])[:2] == ["linear", "knn 5"]
    predictions = run.predictions
    assert list(predictions.columns[:5]) == ["task", "split", "row", "date", "y"]
    assert abs((predictions["linear"] - predictions["y"]).abs().mean() - scores["mad"][0]) < 1e-15
    assert run.verdict.split(".")[0] in " ".join(run.text().split())
    shown = html.unescape(run._repr_html_())
    assert f"<strong>{run.verdict}</strong>" in shown and all(sentence in shown for sentence in run.sentences) and "<table" in shown
    assert run.json()["tasks"][0]["task"] == "KO 1d"


SCRIPT = """
import sys
import tailrank as tr
from tailrank import _progress

toml = '''
name = "slow"
data.series = ["KO"]
target = { horizons = [1], lags = 2 }
split = { kind = "date", at = "1990-01-01" }
relevance = { low = -0.02, high = 0.02 }
measures = { list = ["mad", "f"], t_l = 0.01 }
inference.enabled = false
models = [{ family = "debug", grid = { id = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], sleep_ms = [400] } }]
'''

def told(what, *facts):
    print(what, flush=True)

try:
    tr.Experiment.from_text(toml).run(sys.argv[1], jobs=1, progress=told)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(7)
"""


def test_ctrl_c_keeps_finished_cells(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, tmp_path / "run"], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    ended = 0
    for line in process.stdout:
        ended += line.strip() == "ended"
        if ended == 2:
            break
    process.send_signal(signal.SIGINT)
    started = time.monotonic()
    rest = process.stdout.read()
    assert process.wait(timeout=30) == 7 and "interrupted" in rest
    assert time.monotonic() - started < 10
    stored = stored_cells(tmp_path / "run")
    assert 2 <= stored < 12
    # The same call goes on from there.
    done = subprocess.run([sys.executable, "-c", SCRIPT, tmp_path / "run"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    # One cell of the references is no model of the file's.
    assert stored_cells(tmp_path / "run") >= 12
    assert done.stdout.count("ended") <= 13 - stored


@pytest.mark.parametrize("jobs", [1, 3])
def test_so_many_fits_run_at_once_as_are_asked_for(jobs, tmp_path):
    toml, running, most = SCRIPT.split("'''")[1], set(), []

    def told(what, *facts):
        if what != "planned":
            (running.add if what == "started" else running.discard)(facts[0])
            most.append(len(running))

    tr.Experiment.from_text(toml).run(tmp_path / "run", jobs=jobs, progress=told)
    assert max(most) == jobs


def test_the_command_in_the_wheel_is_the_program(tailrank, file, tmp_path, whole):
    script = os.path.join(os.path.dirname(sys.executable), "tailrank")
    assert tailrank("--version", command=[script]).stdout == f"tailrank {tr.__version__}\n"
    assert tailrank("list", "metrics", command=[script]).stdout == tailrank("list", "metrics").stdout
    tailrank("run", file, "--out", tmp_path / "e", "--no-report", "--quiet", command=[script])
    assert derived(tmp_path / "e") == whole
    assert "Usage" in tailrank("nonsense", code=2, command=[script]).stderr
    assert tailrank("--help", command=[script]).stdout == tailrank("--help").stdout


def test_the_command_in_the_wheel_heeds_signals(tmp_path):
    script = os.path.join(os.path.dirname(sys.executable), "tailrank")
    slow = SCRIPT.split("'''")[1]
    (tmp_path / "slow.toml").write_text(slow)
    process = subprocess.Popen(
        [script, "run", tmp_path / "slow.toml", "--out", tmp_path / "run", "--jobs", "1", "--no-report"], stderr=subprocess.PIPE, text=True
    )
    while stored_cells(tmp_path / "run") < 2:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    assert process.stderr and "finished fits are kept" in process.stderr.read()
    assert 2 <= stored_cells(tmp_path / "run") < 12


def test_cells_in_processes_of_their_own(tmp_path):
    text = TOML + '\n[limits]\nisolate = true\n'
    isolated = tr.Experiment.from_text(text).run(tmp_path / "i", progress=False)
    plain = tr.Experiment.from_text(TOML).run(tmp_path / "p", progress=False)
    assert isolated.scores.equals(plain.scores) and not isolated.failures


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames(library, tailrank, tmp_path):
    module = pytest.importorskip(library)
    rng = np.random.default_rng(1)
    n = 120
    colour = rng.choice(["red", "green", "blue, dark"], n).tolist()
    size = rng.normal(size=n)
    y = size * 2 + np.array([{"red": 0.0, "green": 1.0, "blue, dark": 4.0}[c] for c in colour]) + np.where(np.arange(n) % 8 == 0, 15.0, 0.0) + rng.normal(size=n)
    size[5] = np.nan
    colour[7] = None
    frame = module.DataFrame({"size": size, "colour": colour, "number": rng.integers(0, 3, n), "cost": y})
    experiment = tr.Experiment(data=frame, target="cost", name="frames", splits=tr.KFold(4), t_l=1.0, sections={"inference": {"enabled": False}})
    experiment.add("linear").add("forest", trees=[20, 50], learn=["plain", "smote"])
    plan = experiment.check(tmp_path / "run")
    assert plan.tasks == [("data", n, 4)]
    assert [v for v in plan.variants if v.startswith("forest")] == ["forest 20", "forest 50", "forest 20 · smote", "forest 50 · smote"]
    run = experiment.run(tmp_path / "run", progress=False)
    assert type(run.scores).__module__.startswith(library) and not run.failures
    # The command line takes the experiment from where it was written, and finds everything fitted.
    done = tailrank("run", tmp_path / "run-inputs" / "experiment.toml", "--out", tmp_path / "run", "--no-report", "--json")
    assert '"fitted": 0' in done.stdout


def test_bad_experiments_are_told_in_the_command_lines_words(tailrank, tmp_path):
    bad = TOML.replace('"nnet"', '"nnett"').replace('"f"]', '"ff"]')
    (tmp_path / "bad.toml").write_text(bad)
    said = tailrank("check", tmp_path / "bad.toml", code=2).stderr
    with pytest.raises(tr.TailrankError) as told:
        tr.Experiment(tmp_path / "bad.toml").run(tmp_path / "run")
    assert "did you mean 'nnet'?" in str(told.value)
    # The command line breaks lines where the screen ends.
    assert said.split() == f"error: {told.value}".split() and said.endswith("\n")
    assert not (tmp_path / "run").exists()
    with pytest.raises(tr.TailrankError, match="no column 'y' to predict"):
        tr.Experiment(data=pytest.importorskip("pandas").DataFrame({"a": [1.0]}), target="y")
    with pytest.raises(tr.TailrankError, match="it holds|cannot be opened|holds"):
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / "thesis.txt").write_text("mine")
        tr.Experiment.from_text(TOML).run(tmp_path / "other", progress=False)


def test_programs_need_leave(tmp_path):
    script = tmp_path / "model.py"
    script.write_text(
        textwrap.dedent("""
        import sys
        train, test, out = sys.argv[1:4]
        rows = sum(1 for _ in open(test)) - 1
        open(out, "w").write("prediction\\n" + "0.0\\n" * rows)
        """)
    )
    entry = f'{{ family = "command", command = ["{sys.executable}", "model.py", "{{train}}", "{{test}}", "{{out}}"] }}'
    text = TOML.replace("models = [", f"models = [\n    {entry},")
    experiment = tr.Experiment.from_text(text, tmp_path)
    with pytest.raises(tr.TailrankError, match="runs programs .* allow_commands=True"):
        experiment.run(tmp_path / "run")
    run = experiment.run(tmp_path / "run", allow_commands=True, progress=False)
    assert not run.failures and list(run.scores["model"])[0] == "command"


def test_the_progress_bar(file, tmp_path):
    import io

    from tailrank._progress import Bar

    stream = io.StringIO()
    tr.Experiment(file).run(tmp_path / "run", progress=Bar(stream))
    last = stream.getvalue().split("\r")[-1]
    assert "7/7 cells" in last or "cells" in last
    assert max(len(line) for line in stream.getvalue().split("\r")) < 80


def test_a_study():
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        found = tr.reproduce("artificial-returns", out=folder, progress=False)
        standing = [claim["standing"] for claim in found["claims"]]
        assert found["study"] == "artificial-returns" and len(standing) == 15
        with pytest.raises(tr.TailrankError, match="no study is called 'x'; there are stock-returns"):
            tr.reproduce("x", out=folder)
