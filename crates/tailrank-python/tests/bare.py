"""What works with nothing installed but what the wheel asks for; run by scripts/check/python.sh in an environment of its own."""

import importlib.util
import sys
import tempfile

import numpy as np

import tailrank as tr

for package in ("pandas", "polars", "pyarrow", "sklearn", "imblearn"):
    assert importlib.util.find_spec(package) is None, package

rng = np.random.default_rng(1)
X = rng.normal(size=(200, 2))
y = X @ [2.0, 1.0] + rng.standard_t(2, 200)
phi = tr.Relevance.sigmoid(-3.0, 3.0)
assert 0 < tr.f(y, 0.9 * y, phi, t_l=1.0) <= 1 and "<svg" in tr.Relevance.boxplot(y)._repr_html_()
answer = tr.compare(y, {"a": 0.9 * y, "b": rng.normal(size=200)}, relevance=phi, t_l=1.0)
assert type(answer.scores) is dict and answer.scores["model"] == ["a", "b"] and answer.verdict.startswith("USE a")
for sampler in (tr.UnderSampler, tr.OverSampler, tr.SMOTER, tr.NoiseSampler, tr.SMOGN, tr.WERCS):
    new_X, new_y = sampler(random_state=1).set_params(threshold=0.7).fit_resample(X, y)
    assert new_X.shape == (len(new_y), 2)


class Mean:
    def fit(self, X, y):
        self.mean = float(np.mean(y))
        return self

    def predict(self, X):
        return np.full(len(X), self.mean)


with tempfile.TemporaryDirectory() as folder:
    exp = tr.Experiment(data=(X, y), splits=tr.KFold(3), relevance=phi, t_l=1.0)
    run = exp.add("linear").add(Mean(), name="mean").run(f"{folder}/run", progress=False)
    assert type(run.scores) is dict and run.scores["mad"][0] < run.scores["mad"][1] and run.verdict and not run.failures
    assert np.allclose(run.predict(X[:3], model="mean")["predicted"], y.mean())
try:
    tr.scorer("mad")
except tr.TailrankError as told:
    assert "pip install scikit-learn" in str(told)
else:
    raise AssertionError("a scorer without scikit-learn")
print(f"Python {sys.version.split()[0]} with NumPy {np.__version__} alone: measures, answers, samplers and experiments work")
