"""Small parts by themselves: experiment files as text, the line of progress, the words that estimators are known by."""

import datetime
import decimal
import functools
import io
import math
import os
import threading
from collections import Counter

import numpy as np
import pytest

import tailrank as tr
from tailrank import _estimator, _progress, _toml


def test_values_of_experiment_files():
    for given, written in [
        (True, "true"),
        (np.bool_(False), "false"),
        (3, "3"),
        (np.int16(-2), "-2"),
        (0.1, "0.1"),
        (np.float32(0.5), "0.5"),
        (math.nan, "nan"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        ('a "b"\n\x7f é', '"a \\"b\\"\\n\\u007f é"'),
        ([1, "a", None][:2], '[1, "a"]'),
        ((1.5,), "[1.5]"),
        (np.array([1, 2]), "[1, 2]"),
        ({"a b": 1, "none": None, "c": [True]}, '{ "a b" = 1, c = [true] }'),
        (datetime.date(2020, 2, 29), "2020-02-29"),
    ]:
        assert _toml.value(given) == written
    with pytest.raises(TypeError, match="cannot be written into an experiment"):
        _toml.value(object())
    assert [_toml.key(k) for k in ("a-b_1", "", "é", "a.b")] == ["a-b_1", '""', '"é"', '"a.b"']


def test_a_whole_file_is_plain_values_sections_and_models():
    experiment = {"name": "x", "split": {"kind": "kfold", "at": None}, "empty": {}, "seed": 1, "gone": None, "models": [{"family": "linear", "grid": None}]}
    assert _toml.text(experiment) == 'name = "x"\nseed = 1\n\n[split]\nkind = "kfold"\n\n[[models]]\nfamily = "linear"\n'


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(_progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(_progress.shutil, "get_terminal_size", lambda *default: os.terminal_size((60, 24)))
    return now


def test_the_line_of_progress(clock):
    stream = io.StringIO()
    bar = _progress.Bar(stream)

    def after(*told):
        stream.seek(0)
        stream.truncate()
        bar(*told)
        return stream.getvalue()

    assert after("planned", 0, 0) == ""
    assert after("planned", 4, 1) == "\r[█████               ] 1/4 cells"
    assert after("started", "KO · forest") == "\r[█████               ] 1/4 cells · KO · forest"
    assert after("started", "b").rstrip().endswith(" · b")
    clock[0] += 30
    # Two cells are left; the only one that was fitted here took half a minute.
    assert after("ended", "b", 0, None) == "\r" + "[██████████          ] 2/4 cells, about 1 min left · KO · forest".ljust(59)[:58] + "…"
    said = after("ended", "KO · forest", 2, "no")
    assert said.startswith("\rKO · forest: 2 failed: no".ljust(60) + "\n\r[███████████████     ] 3/4 cells, about 15 s left")
    assert after("ended", "c", 0, None).startswith("\r[████████████████████] 4/4 cells") and "left" not in stream.getvalue()
    stream.truncate(0)
    bar.close()
    bar.close()
    assert stream.getvalue().count("\n") == 1


def test_a_narrow_screen_has_a_line_of_twenty(clock, monkeypatch):
    monkeypatch.setattr(_progress.shutil, "get_terminal_size", lambda *default: os.terminal_size((5, 24)))
    stream = io.StringIO()
    _progress.Bar(stream)("planned", 4, 1)
    assert stream.getvalue() == "\r[█████" + 13 * " " + "…"


def test_folders_are_called_as_the_command_line_calls_them():
    from tailrank._experiment import _folder_name

    assert _folder_name("a/b c.d_e-f" + "x" * 100) == "a-b-c-d_e-f" + "x" * 69
    assert [_folder_name(name) for name in ("../..", "", "é")] == ["run", "run", "é"]


def test_spans_of_time():
    assert [_progress._span(s) for s in (0.4, 59.4, 60, 3599, 3600, 9000)] == ["0 s", "59 s", "1 min", "60 min", "1.0 h", "2.5 h"]


def test_who_hears_of_progress(monkeypatch):
    told, close = _progress.observer(print)
    assert told is print and close() is None
    assert _progress.observer(False)[0] is None
    monkeypatch.setattr(_progress, "in_notebook", lambda: False)
    monkeypatch.setattr(_progress.sys, "stderr", io.StringIO())
    assert _progress.observer(None)[0] is None, "nobody watches"
    bar, close = _progress.observer(True)
    assert type(bar) is _progress.Bar and close == bar.close
    monkeypatch.setattr(_progress, "wanted", lambda: True)
    assert type(_progress.observer(None)[0]) is _progress.Bar


def test_the_line_of_a_notebook_is_replaced(monkeypatch, capsys):
    display = pytest.importorskip("IPython.display")
    shown = []
    output = type("Output", (), {"update": lambda self, data, raw: raw and shown.append(data["text/plain"])})()
    monkeypatch.setattr(display, "display", lambda data, raw, display_id: output if raw and display_id else None)
    monkeypatch.setattr(_progress, "in_notebook", lambda: True)
    bar, close = _progress.observer(None)
    assert type(bar) is _progress.NotebookBar
    bar("planned", 2, 0)
    bar("started", "a")
    bar("ended", "a", 1, "why")
    close()
    assert shown[0] == "[                    ] 0/2 cells" and len(shown) == 3 and shown[1].endswith("cells · a")
    assert capsys.readouterr().err == "a: 1 failed: why\n"


def scaled(x, by=2.0):
    return x * by


def test_words_tell_every_part_of_an_estimator():
    of = lambda thing: _estimator.Words().of(thing)  # noqa: E731
    assert of({3, 1, 2}) == of({2, 3, 1}) == "set{1, 2, 3}" and of(frozenset("a")) == "frozenset{'a'}"
    assert of((1, [2.0, None])) == "tuple[1, list[2.0, None]]" and of({"a": b"x"}) == "{'a': b'x'}"
    assert of(np.int16(3)) == "int16(3)" and of(np.dtype("int8")).endswith("(int8)")
    arrays = [np.array([1.0, 2.0]), np.array([1.0, 3.0]), np.array([[1.0, 2.0]]), np.array([1, 2]), np.array([1.0, 2.0], dtype=object)]
    assert len({of(a) for a in arrays}) == 5 and of(arrays[0]) == of(np.array([1.0, 9.0, 2.0])[::2])
    assert of(np.log) == "numpy.log" or of(np.log) == ".log"
    assert of(len) == "builtins.len" and of(math.sqrt) == "math.sqrt"
    # What a function has been given counts as its code does.
    made = [functools.partial(scaled, by=b) for b in (2.0, 3.0)]
    assert of(made[0]) == of(functools.partial(scaled, by=2.0)) != of(made[1])
    assert len({of(d) for d in (decimal.Decimal(1), decimal.Decimal(2), datetime.date(2020, 1, 1), range(3), range(4))}) == 5
    assert of(np.random.RandomState(1)) == of(np.random.RandomState(1)) != of(np.random.RandomState(2))
    assert len({of(method) for method in (Counter("ab").get, Counter("ab").pop, Counter("a").get)}) == 3
    closures = [(lambda n: lambda x: x + n)(n) for n in (1, 2, 1)]
    assert of(closures[0]) == of(closures[2]) != of(closures[1])
    nested = [lambda v: [x + 1 for x in v], lambda v: [x + 2 for x in v]]
    assert of(nested[0]) != of(nested[1])
    before = of(scaled)
    scaled.__defaults__ = (3.0,)
    try:
        assert of(scaled) != before
    finally:
        scaled.__defaults__ = (2.0,)
    words = _estimator.Words()
    assert words.of([threading.Lock(), (x for x in ())]) == "list[?, ?]" and words.unknown == "a lock"
    assert "numpy" in of(np.random.RandomState) and str(np.__version__) in of(np.random.RandomState)
    assert _estimator._version("nothing_of_this_name") is None and str(_estimator._version("json")).startswith("Python 3.")


def test_values_of_a_grid_that_files_cannot_hold_get_words():
    assert [_estimator.scalar(v) for v in (True, 2, 0.5, "a", np.int8(3), np.bool_(True))] == [True, 2, 0.5, "a", 3, True]
    assert type(_estimator.scalar(np.int8(3))) is int
    assert _estimator.scalar((5, 5)) == "(5, 5)" and _estimator.short("x" * 58) == repr("x" * 58)
    for long in ("x" * 59, object()):
        assert _estimator.short(long).startswith(f"{type(long).__name__} ") and len(_estimator.short(long)) < 60
    assert _estimator.short("x" * 100) != _estimator.short("y" * 100)


def test_what_is_asked_for_by_another_name_is_not_there():
    with pytest.raises(AttributeError, match="module 'tailrank' has no attribute 'frobnicate'"):
        tr.frobnicate  # pyright: ignore[reportAttributeAccessIssue]
    assert set(dir(tr)) == set(tr.__all__) and tr.SMOTER.__module__ == "tailrank"
