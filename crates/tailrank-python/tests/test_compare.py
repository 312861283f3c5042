"""`compare` is `tailrank score`."""

import html
import json
import re

import numpy as np
import pytest
from conftest import write_csv

import tailrank as tr

PHI = tr.Relevance.sigmoid(-0.02, 0.02)
OPTIONS = ["--low=-0.02", "--high=0.02", "--t-l=0.005", "--beta=0.5"]


def test_it_equals_the_command_lines_json_and_text(tailrank, tmp_path, returns):
    y, models = returns
    file = tmp_path / "predictions.csv"
    write_csv(file, {"y": y, **models})
    answer = tr.compare(y, models, relevance=PHI, t_l=0.005, beta=0.5)
    assert answer.json() == json.loads(tailrank("score", file, *OPTIONS, "--json").stdout)
    # The command line says besides where more is told.
    screen, _, details = tailrank("score", file, *OPTIONS).stdout.rpartition("\n Details")
    assert answer.text(80).rstrip() == screen.rstrip() and "--explain" in details
    assert answer.verdict == answer.sentences[0] and " ".join(answer.text(80).split()).count(answer.verdict) == 1
    ahead = tr.compare(y, models, relevance=PHI, t_l=0.005, beta=0.5, horizon=3)
    found = tailrank("score", file, *OPTIONS, "--json", "--horizon=3").stdout
    assert ahead.json() == json.loads(found) and ahead.json() != answer.json()


@pytest.mark.parametrize("skill", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_verdicts_are_the_command_lines_where_models_have_skill_and_where_not(tailrank, tmp_path, skill, seed):
    draw = np.random.default_rng(seed)
    y = 0.02 * draw.standard_normal(400)
    models = {f"m{i}": skill * y + 0.02 * draw.standard_normal(400) / (1 + 3 * skill) for i in range(3)}
    write_csv(tmp_path / "p.csv", {"y": y, **models})
    answer = tr.compare(y, models, relevance=PHI, t_l=0.005, beta=0.5)
    found = json.loads(tailrank("score", tmp_path / "p.csv", *OPTIONS, "--json").stdout)
    assert answer.json() == found
    deciding = next(d for d in found["decisions"] if d["deciding"] in (True, "yes"))
    assert answer.verdict.startswith("USE" if deciding["verdict"] == "use" else "NO MODEL")
    if skill != 0.2:
        assert deciding["verdict"] == ("use" if skill == 1.0 else "no_model")


def test_tasks_and_relevance_left_to_the_box_plot(tailrank, tmp_path, returns):
    y, models = returns
    task = np.where(np.arange(y.size) % 3 == 0, "KO", "BA")
    write_csv(tmp_path / "p.csv", {"task": task, "y": y, **models})
    answer = tr.compare(y, models, task=task, extremes="high", measures=["mad", "rmse", "sera"])
    found = tailrank("score", tmp_path / "p.csv", "--extremes=high", "--measures=mad,rmse,sera", "--json").stdout
    assert answer.json() == json.loads(found)
    assert [t["task"] for t in answer.json()["tasks"]] == ["KO", "BA"]
    # The box plot is each task's own, also where it is asked for by its name.
    assert tr.compare(y, models, task=task, relevance="boxplot", extremes="high", measures=["mad", "rmse", "sera"]).json() == answer.json()
    for wrong in ("extremes", 0.5, y):
        with pytest.raises(tr.TailrankError, match='give a tailrank.Relevance, or "boxplot"'):
            tr.compare(y, models, relevance=wrong)  # pyright: ignore[reportArgumentType]


def test_times_put_rows_in_order(returns):
    y, models = returns
    order = np.random.default_rng(1).permutation(y.size)
    shuffled = tr.compare(
        y[order], {n: p[order] for n, p in models.items()}, relevance=PHI, t_l=0.005, times=np.arange(y.size)[order], horizon=3
    )
    assert shuffled.json() == tr.compare(y, models, relevance=PHI, t_l=0.005, horizon=3).json()
    # Times without a horizon look one step ahead.
    timed = tr.compare(y, models, relevance=PHI, t_l=0.005, times=np.arange(y.size))
    assert timed.json() == tr.compare(y, models, relevance=PHI, t_l=0.005, horizon=1).json()


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_in_frames_out(library, returns):
    module = pytest.importorskip(library)
    y, models = returns
    make = module.table if library == "pyarrow" else module.DataFrame
    frame = make({"date": np.arange(y.size), "y": y, **models})
    answer = tr.compare("y", frame, relevance=PHI, t_l=0.005)
    assert type(answer.scores).__module__.startswith(library)
    column = lambda name: answer.scores[name].to_pylist() if library == "pyarrow" else list(answer.scores[name])  # noqa: E731
    assert column("model") == list(models)
    assert column("mad") == [tr.mad(y, p) for p in models.values()]
    assert answer.json() == tr.compare(y, models, relevance=PHI, t_l=0.005).json()
    assert len(answer.ranks) == 3 and len(answer.tests) >= 1
    for name in answer.tables:
        assert len(answer.table(name)) > 0
    with pytest.raises(tr.TailrankError, match="there is no table 'score'; there are scores"):
        answer.table("score")


def test_a_pandas_index_is_no_model_and_must_agree(returns):
    pandas = pytest.importorskip("pandas")
    y, models = returns
    index = pandas.date_range("2020-01-01", periods=y.size)
    frame = pandas.DataFrame(models, index=index)
    answer = tr.compare(pandas.Series(y, index=index), frame, relevance=PHI, t_l=0.005)
    assert list(answer.scores["model"]) == list(models)
    with pytest.raises(tr.TailrankError, match="the index of 'half' differs"):
        tr.compare(pandas.Series(y), frame, relevance=PHI)


def test_the_page_is_the_command_lines(tailrank, tmp_path, returns):
    y, models = returns
    write_csv(tmp_path / "p.csv", {"y": y, **models})
    answer = tr.compare(y, models, relevance=PHI, t_l=0.005, beta=0.5)
    assert answer.save(tmp_path / "p.html") == tmp_path / "p.html"
    tailrank("score", tmp_path / "p.csv", *OPTIONS, "--single-file", tmp_path / "other.html")

    def page(name):
        """The command that makes the page again, and all of the page but it."""
        text = (tmp_path / name).read_text(encoding="utf-8")
        [command] = re.findall(r'<code id="command">(.*?)</code>', text)
        return command, text.replace(command, "")

    command, ours = page("p.html")
    assert ours == page("other.html")[1]
    call = html.unescape(command)
    assert call == "tailrank.compare(y, predictions, relevance=tailrank.Relevance.sigmoid(low=-0.02, high=0.02, k=0.5, delta=0.0001), t_l=0.005, beta=0.5).save('p.html')"
    # It makes the same page again.
    first = (tmp_path / "p.html").read_bytes()
    namespace = {"tailrank": tr, "y": y, "predictions": models}
    eval(call.replace("'p.html'", f"{str(tmp_path / 'p.html')!r}"), namespace)
    assert (tmp_path / "p.html").read_bytes() == first


def test_the_page_is_one_file(returns, tmp_path):
    y, models = returns
    days = np.datetime64("2020-01-01") + np.arange(y.size)
    # The model to use has the name that must be escaped.
    named = {"<b>&" if name == "noisy" else name: p for name, p in models.items()}
    answer = tr.compare(y, named, relevance=PHI, t_l=0.005, times=days)
    answer.save(tmp_path / "answer.html", title="Returns & more")
    page = (tmp_path / "answer.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and "Returns &amp; more" in page
    assert "<b>&" not in page and "&lt;b&gt;&amp;" in page
    assert not re.search(r"""(src|href)=["'](https?:|//)""", page)
    assert "false alarms a year" in page, "dates are counted in years"
    tr.compare(y, models, relevance=PHI, t_l=0.005).save(tmp_path / "undated.html")
    undated = (tmp_path / "undated.html").read_text(encoding="utf-8")
    assert "false alarms per 1,000 cases" in undated and "a year" not in undated
    assert answer.verdict.split(".")[0] in " ".join(repr(answer).split())


def test_a_notebook_shows_the_decision_tables_and_figures(returns):
    y, models = returns
    answer = tr.compare(y, models | {"<b>&": y * 0.9}, relevance=PHI, t_l=0.005)
    shown = answer._repr_html_()
    assert shown.count("<svg") >= 4 and "<b>&" not in shown and "&lt;b&gt;&amp;" in shown
    assert "http://" not in shown.replace("http://www.w3.org", "") and "https://" not in shown
    words = " ".join(html.unescape(re.sub("<[^>]*>", " ", shown)).split())
    for sentence in answer.sentences:
        assert " ".join(sentence.split()) in words
    for model in models:
        assert model in words


def test_bad_input_is_told_in_the_command_lines_words(tailrank, tmp_path, returns):
    y, models = returns
    gap = np.where(np.arange(y.size) == 6, np.nan, models["half"])
    with pytest.raises(tr.TailrankError) as told:
        tr.compare(y, {"half": gap}, relevance=PHI)
    write_csv(tmp_path / "p.csv", {"y": y, "half": gap})
    said = tailrank("score", tmp_path / "p.csv", "--low=-0.02", "--high=0.02", code=2).stderr
    assert str(told.value) == "column 'half' row 7 is missing or not finite; drop or impute that case" and str(told.value) in " ".join(said.split())
    with pytest.raises(tr.TailrankError, match="did you mean `rmse`"):
        tr.compare(y, models, relevance=PHI, measures=["rsme"])
    with pytest.raises(tr.TailrankError, match="'f' needs"):
        tr.compare(y, models, relevance=PHI, measures=["mad", "f"])
    with pytest.raises(tr.TailrankError, match="it has true values but no column of predictions"):
        tr.compare(y, {})
    with pytest.raises(tr.TailrankError, match="model 'short' has 399 cases, the true values have 400"):
        tr.compare(y, {"short": y[1:]})
    with pytest.raises(tr.TailrankError, match="it has no rows"):
        tr.compare([], {"a": []})


def test_few_events_are_warned_of():
    rng = np.random.default_rng(1)
    y = rng.normal(0, 0.001, 50)
    with pytest.warns(UserWarning, match="t_E"):
        tr.compare(y, {"a": y + 0.001, "b": y - 0.002}, relevance=PHI, t_l=0.005)
