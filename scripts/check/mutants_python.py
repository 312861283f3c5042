#!/usr/bin/env python3
"""Random mutants of the Python sources of the wheel: how many do its tests catch?

    pip install tree-sitter tree-sitter-rust tree-sitter-python coverage
    scripts/check/mutants_python.py [--files _run.py] [--count 100] [--seed 1] [--slow 60] [--save] [--again] [--only N …] [--planted]

Run it by an interpreter that has the wheel and what its tests need. A mutant changes one operator, constant, condition, statement, result or
argument by name of `python/tailrank/*.py`, as `mutants.py` does with Rust. Tests that have changed run once under coverage, which gives their
times and the lines they reach. Then each mutant runs, in a process forked from one that has loaded all tests, against those that reach its
line, quick ones first, until one fails, and then against the others that reach its file. --again and the table in results/mutants/python.md
are those of `mutants.py`. --planted tries six defects that were once planted and not caught, each against its test.
"""

import argparse
import contextlib
import fnmatch
import gc
import hashlib
import inspect
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import types
import xml.etree.ElementTree
from collections import Counter
from pathlib import Path

import mutants as rust
import tree_sitter_python
from tree_sitter import Language, Parser

PARSER = Parser(Language(tree_sitter_python.language()))
CRATE = rust.ROOT / "crates/tailrank-python"
SOURCE = CRATE / "python/tailrank"
WORK = rust.TARGET / "mutants" / f"python-{os.getpid()}"
OPERATORS = {**rust.OPERATORS, "//": ["/"], "and": ["or"], "or": ["and"], "is": ["is not"], "is not": ["is"], "in": ["not in"], "not in": ["in"]}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list", "floor": "ceil", "rint": "floor"}
DROPPED = {"abs", "reversed", "sort", "strip"}
LEFT_ALONE = {"type", "import_statement", "import_from_statement", "future_import_statement", "decorator", "string", "comment"}
GONE = {"raise_statement", "continue_statement", "break_statement", "return_statement"}

# What was once planted and not caught: file, what stands there, the defect, the test that is to fail.
PLANTED = [
    ("_experiment.py", "of_measures, trading = _sections(settings)", "of_measures, trading = _sections({**settings, 'beta': 1.0})", "test_frames.test_settings_of_measures_reach_an_experiment"),
    ("_scorer.py", "else -undefined", "else undefined", "test_frames.test_the_score_of_what_has_none_keeps_its_sign"),
    ("_samplers.py", "self.parents_[:, 0]", "np.arange(len(self.parents_))", "test_frames.test_samplers_know_the_row_that_each_comes_from"),
    ("_samplers.py", '"boxplot" if relevance is None else relevance', '"boxplot"', "test_frames.test_weights_look_at_the_relevance_given"),
    ("_arrays.py", "na_value=np.nan", "na_value=0.0", "test_inputs.test_gaps_are_told_and_never_become_numbers"),
    ("_frames.py", "texts[key], meaning[text] = text, value", "texts[key], meaning[text] = text, next(iter(meaning.values()), value)", "test_frames.test_estimators_get_every_column_as_it_came"),
]


def changes(node):
    """What a node may become."""
    field, text = node.child_by_field_name, node.text.decode()

    def with_part(part, new):
        a, b = part.start_byte - node.start_byte, part.end_byte - node.start_byte
        return (node.text[:a] + new.encode() + node.text[b:]).decode()

    if node.type in ("binary_operator", "boolean_operator", "comparison_operator", "augmented_assignment"):
        signs = [c for c in node.children if not c.is_named or c.type in OPERATORS]
        return [with_part(sign, new) for sign in signs for new in OPERATORS.get(sign.type, [])]
    if node.type in ("integer", "float"):
        return rust.literal(text)
    if node.type in ("true", "false"):
        return ["False" if node.type == "true" else "True"]
    if node.type == "not_operator" or (node.type == "unary_operator" and text[0] == "-"):
        return [node.children[1].text.decode()]
    if node.type == "call":
        name = field("function").text.decode().rpartition(".")[2]
        found = [with_part(field("function"), field("function").text.decode().removesuffix(name) + CALLS[name])] if name in CALLS else []
        arguments = field("arguments")
        if name in DROPPED and arguments.named_children:
            found.append(arguments.named_children[0].text.decode())
        # An argument that is not passed on.
        named = [a for a in arguments.named_children if a.type == "keyword_argument"]
        kept = [[a.text.decode() for a in arguments.named_children if a != left] for left in named]
        return found + [with_part(arguments, f"({', '.join(others)})") for others in kept]
    if node.type in GONE:
        return ["return None" if node.type == "return_statement" else "pass"] if text != "return None" else []
    parent = node.parent
    conditional = parent.type == "conditional_expression" and parent.children[2] == node
    if conditional or (parent.type in ("if_statement", "elif_clause", "while_statement") and node == parent.child_by_field_name("condition")):
        return [f"(not ({text}))"] if node.type not in ("not_operator", "comparison_operator") else []
    return [f"not ({text})"] if parent.type == "if_clause" and node.is_named else []


def walk(node):
    for child in node.children:
        if child.type not in LEFT_ALONE:
            yield child
            yield from walk(child)


def candidates(patterns):
    for path in sorted(SOURCE.glob("*.py")):
        if not patterns or any(fnmatch.fnmatch(path.name, p) for p in patterns):
            for node in walk(PARSER.parse(path.read_bytes()).root_node):
                for new in changes(node):
                    yield rust.Mutant("python", Path(path.name), node, "expression", new)


def install():
    """A copy of the installed package, with the sources of the tree, that single files are changed in."""
    import importlib.util

    package = WORK / "package/tailrank"
    shutil.rmtree(WORK, ignore_errors=True)
    installed = Path(importlib.util.find_spec("tailrank").origin).parent
    shutil.copytree(installed, package, copy_function=lambda a, b: os.symlink(a, b) if str(a).endswith(".so") else shutil.copy(a, b))
    for path in SOURCE.iterdir():
        shutil.copy(path, package)
    os.environ["PYTHONPATH"] = str(package.parent)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    return package


def survey(package):
    """Seconds of every test function, those that fail, and which reach each line of a file."""
    sources = [*sorted(SOURCE.glob("*.py*")), CRATE / "tests/conftest.py", *package.glob("*.so")]
    seconds, failed, reached = Counter(), set(), {}
    for tests in sorted((CRATE / "tests").glob("test_*.py")):
        # What was seen is kept until the file or a source changes.
        digest = hashlib.blake2b(b"".join(path.read_bytes() for path in [tests, *sources]), digest_size=16).hexdigest()
        kept = rust.TARGET / "mutants/survey" / f"{tests.stem}-{digest}.json"
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(seen_of(package, tests)))
        of_file = json.loads(kept.read_text())
        seconds.update(of_file["seconds"])
        failed.update(of_file["failed"])
        for name, line, by in of_file["reached"]:
            reached.setdefault((name, line), set()).update(by)
    return seconds, failed, reached


def seen_of(package, tests):
    """The same of one file of tests, for JSON."""
    (WORK / "rc").write_text(f"[run]\ndynamic_context = test_function\nsource = {package}\ndata_file = {WORK / 'data'}\n")
    words = ["-m", "coverage", "run", f"--rcfile={WORK / 'rc'}", "-m", "pytest", "-q", f"--junitxml={WORK / 'times.xml'}", "-p", "no:cacheprovider"]
    subprocess.run([sys.executable, *words, tests], cwd=WORK, check=False)
    seconds, failed = Counter(), set()
    for case in xml.etree.ElementTree.parse(WORK / "times.xml").iter("testcase"):
        name = f"{case.get('classname').rpartition('.')[2]}.{case.get('name').partition('[')[0]}"
        seconds[name] += float(case.get("time"))
        failed |= {name} if case.find("failure") is not None or case.find("error") is not None else set()
    from coverage import CoverageData

    data = CoverageData(str(WORK / "data"))
    data.read()
    lines = ((file, line, by) for file in data.measured_files() for line, by in data.contexts_by_lineno(file).items())
    reached = [(Path(file).name, line, sorted({c.removeprefix("tests.") for c in by})) for file, line, by in lines]
    return {"seconds": seconds, "failed": sorted(failed), "reached": reached}


def run(tests, *options):
    import pytest

    names = [t if t.endswith(".py") else t.replace(".", ".py::") for t in tests]
    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *options, *(f"{CRATE}/tests/{name}" for name in names)]))


def inside(code):
    """A code object and all that stand in it, in order."""
    return [code, *(c for part in code.co_consts if isinstance(part, types.CodeType) for c in inside(part))]


def swapped(path, old, new):
    """Gives the functions of a module that is loaded their new code; False where more than the code of functions has changed."""
    module = sys.modules.get(f"tailrank.{path.stem}")
    before, after = (inside(compile(source, module.__file__ if module else path, "exec", dont_inherit=True)) for source in (old, new))
    if module is None or len(before) != len(after):
        return False
    pairs = {}
    for a, b in zip(before, after):
        own = [[c for c in code.co_consts if not isinstance(c, types.CodeType)] for code in (a, b)]
        changed = a.co_code != b.co_code or a.co_names != b.co_names or repr(own[0]) != repr(own[1])
        # Modules and classes have run.
        if changed and not a.co_flags & inspect.CO_NEWLOCALS or a.co_freevars != b.co_freevars:
            return False
        pairs[a] = b
    for function in gc.get_objects():
        if isinstance(function, types.FunctionType) and function.__module__ in (module.__name__, "tailrank") and function.__code__ in pairs:
            function.__code__ = pairs[function.__code__]
    return True


def caught(path, place, new, tests, limit, on_import=True):
    """Whether one of the tests fails, in a process of its own, with something new at a place of the file, which is imported or swapped."""
    as_it_was = path.read_bytes()
    changed = as_it_was[: place[0]] + new.encode() + as_it_was[place[1] :]
    path.write_bytes(changed)
    child = os.fork()
    if child == 0:
        os.setpgrp()
        nothing = os.open(WORK / "last.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        if on_import or not swapped(path, as_it_was, changed):
            for name in [n for n in sys.modules if n != "tailrank._tailrank" and re.match(r"(tailrank|conftest|test_\w+)(\.|$)", n)]:
                del sys.modules[name]
        os._exit(run(tests))
    ends = time.monotonic() + limit
    while not (done := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > ends:
            os.killpg(child, signal.SIGKILL)
            done = os.waitpid(child, 0)
            break
        time.sleep(0.02)
    path.write_bytes(as_it_was)
    return done[1] != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", nargs="*", help="patterns of files of python/tailrank")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slow", type=float, default=60.0, help="seconds; longer tests are left out")
    parser.add_argument("--only", nargs="*", type=int, help="numbers of single mutants")
    parser.add_argument("--save", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--planted", action="store_true")
    options = parser.parse_args()
    options.crate, options.tests = "python", []
    table = rust.ROOT / "results/mutants/python.md"
    words = rust.former(table)
    everything = list(candidates(options.files))
    chosen = rust.at_random(everything, options.seed)[: options.count]
    print(f"{len(everything)} mutants possible", flush=True)
    package = install()
    sys.path[:0] = [str(package.parent), str(CRATE / "tests")]
    os.chdir(WORK)
    if options.planted:
        for name, old, new, test in PLANTED:
            text = (package / name).read_bytes()
            start = text.index(old.encode())
            found = [caught(package / name, (start, start + len(old.encode())), change, [test], 300) for change in (old, new)]
            print(f"{name}: {new}: " + {(False, True): f"caught by {test}"}.get(tuple(found), "NOT CAUGHT"), flush=True)
        shutil.rmtree(WORK)
        return
    seconds, failed, reached = survey(package)
    left = sorted(name for name, taken in seconds.items() if taken > options.slow or name in failed)
    print(f"{len(seconds)} tests of {sum(seconds.values()):.0f} s; left out, slow or failing without any mutant: {', '.join(left) or 'none'}", flush=True)
    # All tests and the package are loaded once; what each mutant changes is swapped where that will do.
    with open(WORK / "collected.txt", "w", encoding="utf-8") as said, contextlib.redirect_stdout(said):
        run(sorted({name.partition(".")[0] + ".py" for name in seconds}), "--collect-only")

    survivors, tried = [], []
    for number, mutant in enumerate(chosen):
        if (options.only and number not in options.only) or (options.again and words.get(mutant.key(), "equivalent").startswith("equivalent")):
            continue
        tried.append(mutant)
        lines = range(mutant.line(), mutant.node.end_point[0] + 2)
        names = set().union(*(reached.get((mutant.path.name, line), set()) for line in lines))
        # What runs on import is no test's own, and on the core's threads coverage sees nothing: the others that reach the file come second.
        near = set().union(*(by for (file, _), by in reached.items() if file == mutant.path.name))
        place, on_import = (mutant.node.start_byte, mutant.node.end_byte), "" in names or not names
        if on_import:
            # Defaults and tables are looked at by tests that run no line of the file themselves.
            files = {t.partition(".")[0] for t in near}
            near = {t for t in seconds if t.partition(".")[0] in files}
        able = sorted((t for t in near if t in seconds and t not in left), key=seconds.get)
        rounds = [[t for t in able if t in names], [t for t in able if t not in names]]
        limits = [30 + 10 * sum(seconds[t] for t in tests) for tests in rounds]
        if not any(tests and caught(package / mutant.path, place, mutant.new, tests, limit, on_import) for tests, limit in zip(rounds, limits)):
            survivors.append(mutant)
            print(f"{number} survived {len(able)} tests:", " | ".join(mutant.row()), flush=True)
    shutil.rmtree(WORK)
    rust.report(options, table, words, tried, survivors)


if __name__ == "__main__":
    main()
