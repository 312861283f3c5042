"""What a typed program may write: read by mypy, never run. Lines that must not pass are marked, and mypy says so if they do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import assert_type

import tailrank as tr

y: npt.NDArray[np.float64] = np.zeros(3)
frame: Any = None

phi = tr.Relevance.boxplot(y, extremes="high")
assert_type(phi, tr.Relevance)
assert_type(tr.mad(y, [1.0, 2.0, 3.0]), float)
assert_type(tr.f(y, y, phi, t_l=0.5, alpha="linear"), float)
assert_type(tr.score(y, y, ["mad", "f"], phi, t_l=0.5), dict[str, float])
assert_type(tr.episodes(y, y, "boxplot", gap=2), dict[str, Any])
assert_type(tr.event_counts(y, y, "boxplot", t_l=0.5), dict[str, int])
errors, shares = tr.rec_curve(y, y, error="squared")
assert_type(errors, npt.NDArray[np.float64])
assert_type(tr.weights(y, "lds"), npt.NDArray[np.float64])

answer = tr.compare(y, {"a": y, 2: [1, 2, 3]}, relevance=phi, t_l=0.1, times=["2020-01-01"], task=["a"], horizon=2)
assert_type(answer, tr.Answer)
assert_type(answer.save("a.html", title="A"), Path)
assert_type(answer.json(), dict[str, Any])

for train, test in tr.KFold(3, stratify="relevance").split(frame, y):
    assert_type(train, npt.NDArray[np.int64])
assert_type(tr.SlidingWindow(10, 5).get_n_splits(frame), int)

experiment = tr.Experiment(data=(frame, y), splits=tr.DateSplit("2020-01-01"), ignore="id", horizons=range(1, 3), t_l=0.5)
run = experiment.add("forest", trees=[1, 2]).add(frame, grid={"alpha": np.logspace(-3, 3, 4)}).run("out", jobs=2, progress=False)
assert_type(run, tr.Run)
assert_type(run.cells, tuple[int, int, int])
run.predict(frame, by="f", level=0.8)
run.best_estimator("mad")

sampler = tr.SMOTER(k=3, on_few="raise", random_state=1)
assert_type(sampler.relevance_, tr.Relevance)
sampler.fit_resample(frame, y)

try:
    tr.reproduce("stock-returns", progress=False)
except tr.FewRowsError as few:
    assert_type(few, tr.FewRowsError)
except KeyboardInterrupt:
    raise tr.Interrupted from None

tr.f(y, y, phi)  # type: ignore[call-arg]
tr.f(y, y, phi, t_l=0.5, bata=2)  # type: ignore[call-arg]
tr.mad(y, y, phi)  # type: ignore[call-arg]
tr.Relevance.boxplot(y, extremes="upper")  # type: ignore[arg-type]
tr.rec_curve(y, y, error="cubic")  # type: ignore[arg-type]
experiment.run("out", progres=False)  # type: ignore[call-arg]
