"""The command line that Python's answers are held against: TAILRANK_BIN, or the one in the wheel."""

import os
import subprocess
import sys

import numpy as np
import pytest

COMMAND = [os.environ["TAILRANK_BIN"]] if os.environ.get("TAILRANK_BIN") else [sys.executable, "-m", "tailrank"]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A package that is missing fails the test where TAILRANK_STRICT is set."""
    report = yield
    return strict(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    return strict(report)


def strict(report):
    if report.skipped and os.environ.get("TAILRANK_STRICT") and "could not import" in str(report.longrepr):
        report.outcome = "failed"
    return report


@pytest.fixture(scope="session")
def tailrank():
    """Runs the command line; fails with what it said unless its exit code is as expected."""

    def run(*arguments, code=0, command=None, **options):
        done = subprocess.run(
            [*(command or COMMAND), *map(str, arguments)],
            capture_output=True,
            text=True,
            env={**os.environ, "COLUMNS": "80"},
            **options,
        )
        assert done.returncode == code, f"{arguments}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    return run


@pytest.fixture
def returns():
    """True returns and the predictions of three models."""
    rng = np.random.default_rng(7)
    y = rng.standard_t(3, 400) / 100
    return y, {"half": y / 2, "noisy": y + rng.normal(0, 0.01, 400), "zero": rng.normal(0, 0.001, 400)}


def write_csv(path, columns):
    """A CSV file whose numbers read back to the same bits."""
    names = list(columns)
    rows = zip(*(np.asarray(columns[n]).tolist() for n in names), strict=True)
    lines = [",".join(names), *(",".join(v if isinstance(v, str) else repr(v) for v in row) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
