"""The package: quick to import, documented, typed."""

import ast
import doctest
import importlib
import importlib.metadata
import inspect
import pathlib
import resource
import statistics
import subprocess
import sys

import pytest

import tailrank as tr
from tailrank._measures import SETTINGS

HERE = pathlib.Path(__file__).parent.parent


def test_it_is_imported_in_less_than_a_third_of_a_second():
    def seconds(code):
        # Of the processor: other work on the machine does not count.
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    seconds("import tailrank, numpy; tailrank.f")
    # Beside the interpreter's own start, taken in turns.
    taken = [seconds("import tailrank; tailrank.f") - seconds("pass") for _ in range(7)]
    print(f"import tailrank: {statistics.median(taken):.3f} s")
    assert statistics.median(taken) < 0.3, taken


def test_nothing_heavy_is_imported():
    code = "import sys, tailrank; print([m for m in ('numpy', 'pandas', 'polars', 'sklearn', 'narwhals') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_everything_is_documented():
    for name in tr.__all__:
        thing = getattr(tr, name)
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing) and not issubclass(thing, BaseException):
            for method, value in vars(thing).items():
                if not method.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                    assert inspect.getdoc(value), f"{name}.{method}"


def test_defaults_are_those_of_the_stubs():
    def declared(function):
        of = function.args
        pairs = [*zip(of.args[len(of.args) - len(of.defaults) :], of.defaults), *zip(of.kwonlyargs, of.kw_defaults)]
        return {argument.arg: ast.literal_eval(default) for argument, default in pairs if default is not None}

    files = [pathlib.Path(tr.__file__).with_name(name) for name in ("__init__.pyi", "_tailrank.pyi")]
    stubs = [part for file in files for part in ast.parse(file.read_text(encoding="utf-8")).body]
    functions = [(tr, f, "") for f in stubs if isinstance(f, ast.FunctionDef) and f.name in tr.__all__]
    classes = [c for c in stubs if isinstance(c, ast.ClassDef) and hasattr(tr, c.name)]
    functions += [(getattr(tr, c.name), f, c.name) for c in classes for f in c.body if isinstance(f, ast.FunctionDef)]
    seen = 0
    for owner, stub, name in functions:
        wanted = declared(stub)
        found = {n: p.default for n, p in inspect.signature(getattr(owner, stub.name)).parameters.items()} if wanted else {}
        # Settings of measures are named in the stubs alone.
        for argument, default in wanted.items():
            given = found.get(argument, SETTINGS.get(argument))
            assert default is ... or (given == default and type(given) is type(default)), (name, stub.name, argument, given)
            seen += 1
    assert seen > 150


def test_the_examples_run():
    pytest.importorskip("sklearn")
    names = ["", "._measures", "._compare", "._scorer"]
    for name in names:
        module = importlib.import_module(f"tailrank{name}")
        found = doctest.testmod(module, extraglobs={"tr": tr})
        assert found.failed == 0, name
    found = doctest.DocTestFinder().find(tr.Relevance.sigmoid, "sigmoid", globs={"tr": tr})
    assert found and doctest.DocTestRunner().run(found[0]).failed == 0


def test_the_package_says_whose_it_is_and_under_what_licence():
    about = importlib.metadata.metadata("tailrank")
    assert about["License-Expression"] == "MIT OR Apache-2.0" and about.get_all("License-File") == ["LICENSE-MIT", "LICENSE-APACHE"]
    texts = {file.name: file.read_text() for file in importlib.metadata.files("tailrank") or () if "licenses" in file.parts}
    assert "Permission is hereby granted" in texts["LICENSE-MIT"] and "Apache License" in texts["LICENSE-APACHE"]
    assert about["Author"] == "The tailrank developers" and about["Requires-Python"] == ">=3.10" and about["Description-Content-Type"].startswith("text/markdown")
    wanted = {f"Programming Language :: Python :: 3.{minor}" for minor in range(10, 15)} | {"Typing :: Typed"}
    assert wanted <= set(about.get_all("Classifier") or ()) and about["Version"] == tr.__version__
    needed = [line for line in about.get_all("Requires-Dist") or () if "extra" not in line]
    assert sorted(needed) == ["narwhals>=1.20", "numpy>=1.23"]


@pytest.mark.skipif(not (HERE / "stubs.py").exists(), reason="only in the repository")
def test_the_stubs_are_those_of_the_functions():
    pytest.importorskip("sklearn")
    subprocess.run([sys.executable, HERE / "stubs.py", "--check"], check=True)
    stub = (HERE / "python" / "tailrank" / "__init__.pyi").read_text(encoding="utf-8")
    for name in tr.__all__:
        assert f"def {name}(" in stub or f"class {name}" in stub or f"{name} as {name}" in stub, name
    assert (pathlib.Path(tr.__file__).parent / "py.typed").exists()


@pytest.mark.skipif(not (HERE / "stubs.py").exists(), reason="only in the repository")
def test_types_are_checked_strictly():
    pytest.importorskip("mypy")
    checked = [HERE / "python" / "tailrank", HERE / "stubs.py", HERE / "tests" / "typed_usage.py"]
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", HERE / "pyproject.toml", *checked], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
