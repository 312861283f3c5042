#!/usr/bin/env python3
"""Random mutants of some crates: how many do their tests catch?

    pip install tree-sitter tree-sitter-rust
    scripts/check/mutants.py metrics|stats|models|…|tailrank … [--files score/** config/**] [--count 250] [--seed 1] [--slow 10] [--save] [--again]
    scripts/check/mutants.py planted [--only WORD] [--save]

A mutant changes one operator, constant, condition, method, range, early return or result of the crate's own source. Tests, constants,
patterns, macros' insides and `unsafe` are left alone. All chosen mutants are compiled at once, in a copy of the tree under target/mutants:
an expression becomes `if mutant::on(17) { mutated } else { as it was }`, and the environment says which one is on. What does not compile
is taken out before (rounds of a build). Then every test runs by itself, which gives its time and the mutants it reaches. Last, each mutant
runs against the tests that reach it, quick ones and those that caught many first, until one fails; ten times the usual time is a failure too.
Times are those of the processor. Tests longer than --slow seconds are left out, and mutants that no test reaches survive. A crate's tests are
its own, those that TESTED_BY names and those of --tests. Several crates are built once; --count is for each.

--save writes the survivors to results/mutants/CRATE.md and keeps the words in its last column, where a person says why a mutant cannot be
seen ("equivalent: …"). --again runs only the survivors listed there that have no such word, in the copy that the last run of the same crates
built, with the tests of today in `tests/` and `tests.rs`: what they catch is told beside what the tests there were had caught.

`planted`, alone or beside crates, puts the defects of planted.toml in, each an expression of the source that another one replaces, and wants
the test that is named for each to pass without it and to fail with it. Where a crate stands instead of a test, each of its tests is tried
until one fails.
"""

import argparse
import fnmatch
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import tree_sitter_rust
from tree_sitter import Language, Parser

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
TESTS = ("test", "--no-run", "--lib", "--tests")
PARSER = Parser(Language(tree_sitter_rust.language()))
# These need no polars.
SMALL = {"tailrank-metrics", "tailrank-stats"}
CRUNCHES = {"tailrank-metrics", "tailrank-stats", "tailrank-data", "tailrank-models"}
# Where what a crate does is tested, beside its own tests.
TESTED_BY = {
    "tailrank-experiment": ["tailrank-score", "tailrank"],
    "tailrank-runner": ["tailrank-score", "tailrank"],
    "tailrank-report": ["tailrank"],
}  # fmt: skip

OPERATORS = {
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"], "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="],
    "<": ["<=", ">"], "<=": ["<", ">"], ">": [">=", "<"], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
    "&&": ["||"], "||": ["&&"], "&": ["|"], "|": ["&"], "<<": [">>"], ">>": ["<<"],
}  # fmt: skip
METHODS = {
    "min": "max", "max": "min", "floor": "ceil", "ceil": "floor", "any": "all", "all": "any", "first": "last", "last": "first",
    "is_some": "is_none", "is_none": "is_some", "is_ok": "is_err", "is_err": "is_ok", "take": "skip", "skip": "take",
    "ln": "log2", "sin": "cos", "cos": "sin",
}  # fmt: skip
DROPPED = {"abs", "sqrt", "exp", "reverse"}
NEGATED = {"is_empty", "is_nan", "is_finite", "contains"}
REVERSED = {"cmp", "total_cmp", "partial_cmp"}
RESULTS = {"bool": ["true", "false"], "f64": ["0.0", "1.0"], "usize": ["0", "1"], "u64": ["0", "1"]}
LEFT_ALONE = {
    "const_item", "static_item", "macro_invocation", "macro_definition", "attribute_item", "inner_attribute_item", "unsafe_block",
    "enum_variant", "array_type", "type_arguments", "closure_parameters", "parameters", "line_comment", "block_comment",
}  # fmt: skip

MODULE = """
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
static ACTIVE: OnceLock<usize> = OnceLock::new();
static SEEN: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];

/// Whether this mutant is the one asked for. Zero asks for a list of all that are reached.
#[inline(always)]
pub(crate) fn on(id: usize) -> bool {
    let active = *ACTIVE.get_or_init(|| std::env::var("TAILRANK_MUTANT").ok().and_then(|v| v.parse().ok()).unwrap_or(usize::MAX));
    active == id || (active == 0 && reached(id))
}

#[cold]
fn reached(id: usize) -> bool {
    use std::io::Write;
    if !SEEN[id].swap(true, Relaxed) {
        let file = std::env::var("TAILRANK_REACHED").unwrap();
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
        file.write_all(format!("{id}\\n").as_bytes()).unwrap();
    }
    false
}
"""


@dataclass
class Mutant:
    crate: str
    path: Path  # below src/
    node: object
    kind: str  # expression, statement or body
    new: str
    number: int = 0

    def line(self):
        return self.node.start_point[0] + 1

    def shown(self):
        """Before and after, with enough around a short expression to find it."""
        node = self.node
        if self.kind == "body":
            name = node.parent.child_by_field_name("name").text.decode()
            return f"fn {name}", f"fn {name} {{ {self.new} }}"
        while len(node.text) < 30 and len(node.parent.text) < 100 and node.parent.type not in ("block", "source_file"):
            node = node.parent
        a, b = self.node.start_byte - node.start_byte, self.node.end_byte - node.start_byte
        return node.text.decode(), (node.text[:a] + self.new.encode() + node.text[b:]).decode()

    def wrapped(self, text):
        """The node with this mutant beside what it was (in which other mutants may sit)."""
        on = f"crate::mutant::on({self.number})"
        if self.kind == "statement":
            text = f"if !{on} {{ {text} }}"
        elif self.kind == "body":
            return f"{{ /*<{self.number}*/ if {on} {{ return {self.new}; }} /*{self.number}>*/ {text[1:]}"
        else:
            text = f"(if {on} {{ {self.new} }} else {{ {text} }})"
        return f"/*<{self.number}*/{text}/*{self.number}>*/"

    def row(self):
        def cell(text):
            text = re.sub(r"\s+", " ", text)
            text = text if len(text) < 200 else text[:150] + " … " + text[-45:]
            return "`" + text.replace("|", "\\|") + "`"

        return f"{self.path}:{self.line()}", *map(cell, self.shown())

    def key(self):
        return str(self.path), *self.row()[1:]


@dataclass
class Listed:
    """A mutant that was built, as the copy's list of them tells."""

    crate: str
    number: int
    cells: list

    def row(self):
        return tuple(self.cells)

    def key(self):
        return self.cells[0].rpartition(":")[0], *self.cells[1:]


def package(name):
    return name if name == "tailrank" else f"tailrank-{name}"


def literal(text):
    """Other values for a number; those with an exponent are tolerances."""
    found = re.fullmatch(r"(\d[\d_]*)(\.\d+)?((?:_?[fiu](?:size|\d+))?)", text)
    if not found:
        return []
    whole, fraction, suffix = found.groups()
    whole = whole.rstrip("_")
    if fraction is None and "f" not in suffix:
        value = int(whole)
        return [f"{v}{suffix}" for v in (value + 1, value - 1) if v >= 0]
    value = float(whole + (fraction or ""))
    return [f"{v!r}{suffix}" for v in ([2 * value, value / 2] if value else [1.0])]


def changes(node):
    """What a node may become, as (kind, text)."""
    text, field = node.text.decode(), node.child_by_field_name

    def with_part(part, new):
        a, b = part.start_byte - node.start_byte, part.end_byte - node.start_byte
        return (node.text[:a] + new.encode() + node.text[b:]).decode()

    if node.type in ("binary_expression", "compound_assignment_expr"):
        operator = field("operator")
        return [("expression", with_part(operator, new)) for new in OPERATORS.get(operator.type, [])]
    if node.type in ("integer_literal", "float_literal"):
        return [("expression", new) for new in literal(text)] if node.parent.type != "field_expression" else []
    if node.type == "boolean_literal":
        return [("expression", "false" if text == "true" else "true")]
    if node.type == "unary_expression" and node.children[0].type in "!-":
        return [("expression", node.children[1].text.decode())]
    if node.type == "range_expression":
        start, end = node.children[0], node.children[-1]
        found = [("expression", with_part(start, f"({start.text.decode()}) + 1"))] if start.is_named else []
        return found + ([("expression", with_part(end, f"({end.text.decode()}) - 1"))] if end.is_named else [])
    if node.type == "call_expression" and field("function").type == "field_expression":
        method = field("function").child_by_field_name("field")
        name = method.text.decode()
        if name in METHODS:
            return [("expression", with_part(method, METHODS[name]))]
        if name in DROPPED:
            return [("expression", field("function").child_by_field_name("value").text.decode())]
        if name in NEGATED:
            return [("expression", f"!{text}")]
        return [("expression", f"{text}.reverse()")] if name in REVERSED else []
    if node.type == "expression_statement" and node.children[0].type in ("return_expression", "continue_expression", "break_expression"):
        return [("statement", "")] if text.endswith(";") else []
    if node.type == "block" and node.parent.type == "function_item" and node.parent.child_by_field_name("return_type"):
        of = node.parent.child_by_field_name("return_type").text.decode()
        return [("body", new) for new in (["None"] if of.startswith("Option<") else RESULTS.get(of, []))]
    return []


def walk(node):
    """All nodes that may change."""
    test = False
    for child in node.children:
        if child.type == "attribute_item":
            test = test or "cfg(test)" in child.text.decode() or "test]" in child.text.decode()
            continue
        keep = child.type not in LEFT_ALONE and not child.type.endswith("_pattern") and not test
        if child.type == "function_item" and any(c.type == "function_modifiers" and b"const" in c.text for c in child.children):
            keep = False
        if node.type == "array_expression" and child == node.child_by_field_name("length"):
            keep = False
        if node.type in ("let_declaration", "let_condition", "for_expression") and child == node.child_by_field_name("pattern"):
            keep = False
        if child.type == "match_pattern" and (guard := child.child_by_field_name("condition")):
            yield guard, child
            yield from walk(guard)
        test = test and child.type in ("line_comment", "block_comment")
        if keep:
            yield child, node
            yield from walk(child)


def candidates(crate, patterns):
    source = ROOT / "crates" / crate / "src"
    for path in sorted(source.rglob("*.rs")):
        name = path.relative_to(source)
        if name.name in ("tests.rs", "main.rs") or (patterns and not any(fnmatch.fnmatch(str(name), p) for p in patterns)):
            continue
        for node, parent in walk(PARSER.parse(path.read_bytes()).root_node):
            found = changes(node)
            if parent.type in ("if_expression", "match_pattern") and node == parent.child_by_field_name("condition"):
                if not node.type.startswith("let_") and b"let " not in node.text:
                    found = found + [("expression", f"!({node.text.decode()})")]
            for kind, new in found:
                yield Mutant(crate, name, node, kind, new)


def planted(defect):
    """The mutant of a defect, whose place must be the only one of its text, in its function where one is named."""
    crate, _, path = defect["file"].partition("/src/")
    source = (ROOT / "crates" / defect["file"]).read_bytes()

    def bare(text):
        return re.sub(r"\s+", "", text)

    def nodes(node, function):
        if node.type == "function_item":
            function = node.child_by_field_name("name").text.decode()
        if function == defect.get("fn", function) and node.is_named and bare(node.text.decode()) == bare(defect["was"]):
            yield node
            return
        for child in node.children:
            yield from nodes(child, function)

    found = list(nodes(PARSER.parse(source).root_node, ""))
    if len(found) != 1:
        sys.exit(f"{defect['file']}: {defect['was']!r} is there {len(found)} times")
    return Mutant(crate, Path(path), found[0], "expression", defect["now"])


def at_random(mutants, seed):
    """In an order that depends on the seed and on what each mutant says: an edit elsewhere leaves the others in their place."""
    seen = {}

    def place(mutant):
        seen[mutant.key()] = twin = seen.get(mutant.key(), 0) + 1
        return hashlib.blake2b(repr((seed, twin, mutant.key())).encode()).digest()

    return sorted(mutants, key=place)


def render(node, source, at):
    """The text of a node with the mutants in it; `at` gives them by the node's place."""
    text, done = b"", node.start_byte
    for child in node.children:
        text += source[done : child.start_byte] + render(child, source, at)
        done = child.end_byte
    text += source[done : node.end_byte]
    for mutant in at.get((node.start_byte, node.end_byte, node.type), []):
        text = mutant.wrapped(text.decode()).encode()
    return text


def sources():
    """All files of the repository as they are now, and its links."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    names = [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
    return {name: (ROOT / name).read_bytes() for name in names}, [name for name in names if (ROOT / name).is_symlink()]


def write_tree(tree, files, links, mutants, count):
    """A copy of the tree, with the mutants in their crates; files that stay the same keep their time."""
    files = dict(files)
    # Warnings about the changed code help nobody.
    files["Cargo.toml"] = re.sub(rb"(?s)\[workspace.lints.rust\].*?(?=\n# Numeric tests)", b"[workspace.lints]\n", files["Cargo.toml"])
    # The build is what takes long. Where numbers are crunched it is optimised a little; one crate keeps its lines, since without any the
    # dependencies would be built anew, to be stripped.
    text = re.sub(r"\[profile\.dev\.package\.tailrank[^[]*", "", files["Cargo.toml"].decode())
    for crate in sorted({path.parent.name for path in (ROOT / "crates").glob("*/Cargo.toml")} - {"tailrank-python", "tailrank-wasm"}):
        debug = '"line-tables-only"' if crate == "tailrank-metrics" else "false"
        text += f"\n[profile.dev.package.{crate}]\nopt-level = {int(crate in CRUNCHES)}\ndebug = {debug}\n"
    files["Cargo.toml"] = text.encode()
    for crate, path in {(m.crate, m.path) for m in mutants}:
        at, file = {}, f"crates/{crate}/src/{path}"
        for m in mutants:
            if (m.crate, m.path) == (crate, path):
                at.setdefault((m.node.start_byte, m.node.end_byte, m.node.type), []).append(m)
        text = files[file]
        files[file] = text[: (root := PARSER.parse(text).root_node).start_byte] + render(root, text, at)
    for crate in {m.crate for m in mutants}:
        files[f"crates/{crate}/src/lib.rs"] += b"\n#[allow(missing_docs)]\nmod mutant;\n"
        files[f"crates/{crate}/src/mutant.rs"] = MODULE.replace("COUNT", str(count + 1)).encode()
    for name, text in files.items():
        path = tree / name
        if not path.is_file() or path.read_bytes() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
            shutil.copymode(ROOT / name, path) if (ROOT / name).is_file() else None
    for link in (name for name in links if not (tree / name).exists()):
        (tree / link).symlink_to((ROOT / link).readlink())
    for path in (tree / "crates").rglob("*.rs"):
        if str(path.relative_to(tree)) not in files:
            path.unlink()


def refresh_tests(tree):
    """Tests as they are now, beside the sources of the copy."""
    for path in (ROOT / "crates").rglob("*"):
        name = path.relative_to(ROOT)
        if path.is_file() and ("tests" in name.parts[2:-1] or name.name == "tests.rs"):
            if not (tree / name).is_file() or path.read_bytes() != (tree / name).read_bytes():
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                (tree / name).write_bytes(path.read_bytes())


def cargo(tree, *arguments):
    # Nearly everything is built once: what incremental builds keep would not be used.
    environment = dict(os.environ, CARGO_TARGET_DIR=str(TARGET), CARGO_INCREMENTAL="0")
    done = subprocess.run(["cargo", *arguments, "--message-format=json"], cwd=tree, env=environment, capture_output=True, text=True)
    return done, [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def refused(tree, messages):
    """Numbers of the mutants that errors lie in: the innermost, or all of the file's nearby if an error lies in none."""
    found = set()
    for message in messages:
        if message.get("reason") != "compiler-message" or message["message"]["level"] != "error":
            continue
        for span in message["message"]["spans"]:
            if not span["is_primary"]:
                continue
            text = (tree / span["file_name"]).read_bytes()
            places = [(m.start(), text.index(b"/*%s>*/" % m[1], m.start()), int(m[1])) for m in re.finditer(rb"/\*<(\d+)\*/", text)]
            around = [(b - a, n) for a, b, n in places if a <= span["byte_start"] and span["byte_end"] <= b]
            within = [n for a, b, n in places if span["byte_start"] <= a and b <= span["byte_end"]]
            near = [n for a, b, n in places if abs(a - span["byte_start"]) < 1500]
            found.update([min(around)[1]] if around else within or near)
    return found


def built(tree, mutants, scope):
    """Those mutants that compile together, in a copy of the tree."""
    for number, mutant in enumerate(mutants, 1):
        mutant.number = number
    count, (files, links), known = len(mutants), sources(), tree / "refused.json"
    # What did not compile in an earlier run of the same mutants is left out at once.
    before = set(map(tuple, json.loads(known.read_text()))) if known.exists() else set()
    mutants = [m for m in mutants if (m.crate, *m.row()) not in before]
    while True:
        write_tree(tree, files, links, mutants, count)
        done, messages = cargo(tree, *TESTS, "--no-fail-fast", *scope)
        if done.returncode == 0:
            return mutants
        bad = refused(tree, messages)
        print(f"{len(bad)} of {len(mutants)} do not compile", flush=True)
        if not bad:
            sys.exit(done.stderr)
        before |= {(m.crate, *m.row()) for m in mutants if m.number in bad}
        known.write_text(json.dumps(sorted(before)))
        mutants = [m for m in mutants if m.number not in bad]


@dataclass
class Test:
    binary: str
    folder: Path
    name: str
    seconds: float = 0.0  # of the processor
    waited: float = 0.0
    caught: int = 0
    reaches: frozenset = frozenset()

    def run(self, mutant, seconds, waiting, **variables):
        """Whether it passes; seconds of the processor for each process, and for how long it may wait."""
        # Random tests draw the same cases each time and leave no file behind.
        fixed = {"PROPTEST_RNG_SEED": "1", "PROPTEST_DISABLE_FAILURE_PERSISTENCE": "1", "TAILRANK_MUTANT": str(mutant)}
        environment = {**os.environ, **fixed, **variables}
        command = [self.binary, "--exact", self.name, "--test-threads", "1"]
        started = time.monotonic()

        def limits():
            resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
            os.setpgrp()

        child = subprocess.Popen(
            command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limits
        )
        while not (done := os.wait4(child.pid, os.WNOHANG))[0]:
            if time.monotonic() > started + waiting:
                os.killpg(child.pid, 9)
            time.sleep(0.01)
        child.returncode = done[1]
        return done[1] == 0, done[2].ru_utime + done[2].ru_stime, time.monotonic() - started


def tests_of(tree, packages, scope):
    """The tests of some packages; `scope` says what is built."""
    done, messages = cargo(tree, *TESTS, *scope)
    if done.returncode:
        sys.exit(done.stderr)
    for message in messages:
        if message.get("reason") == "compiler-artifact" and message.get("executable") and message["profile"]["test"]:
            binary = message["executable"]
            folder = Path(message["manifest_path"]).parent
            if folder.name not in packages:
                continue
            listed = subprocess.run([binary, "--list", "--format", "terse"], cwd=folder, capture_output=True, text=True, check=True)
            for name in re.findall(r"^(.*): test$", listed.stdout, re.M):
                yield Test(binary, folder, name)


def survey(test, slow):
    """Time and reach of a test, and whether it passes; a slow one is stopped."""
    file = TARGET / "mutants" / f"reached-{os.getpid()}-{time.monotonic_ns()}"
    passed, test.seconds, test.waited = test.run(0, slow, 600 + slow, TAILRANK_REACHED=str(file))
    test.reaches = frozenset(map(int, file.read_text().split())) if file.exists() else frozenset()
    file.unlink(missing_ok=True)
    return passed


def verdict(mutant, tests):
    """The name of the test that fails, if any, and how many reach the mutant."""
    able = [t for t in tests if mutant.number in t.reaches]
    for test in sorted(able, key=lambda t: (t.seconds + 0.01) / (1 + t.caught)):
        passed, _, _ = test.run(mutant.number, 5 + 10 * test.seconds, 60 + 10 * test.waited)
        if not passed:
            test.caught += 1
            return test.name, len(able)
    return None, len(able)


def plant(options, defects, mutants, tests):
    """Every planted defect against the test that is to see it; a table of them, and those unseen."""
    unseen, rows = [], []

    def tried(pair):
        mutant, defect = pair
        crate, _, name = defect["test"].partition(" ")
        able = [t for t in tests if t.folder.name == crate and (t.name == name or not name)]
        return verdict(mutant, [t for t in able if survey(t, 1800 if name else options.slow)])

    with ThreadPoolExecutor(options.jobs) as pool:
        for defect, (seen, reached) in zip(defects, pool.map(tried, zip(mutants, defects))):
            by = f"`{defect['test'].partition(' ')[0]} {seen}`" if seen else f"**none** of {reached}"
            print(f"{by}: {defect['what']}", flush=True)
            rows.append(f"| {defect['what']} | `{defect['file']}` | {by} |\n")
            unseen += [] if seen else [defect["what"]]
    if options.save:
        said = f"# Defects put in, and the test that sees each\n\n`scripts/check/mutants.py planted`: {len(rows) - len(unseen)} of {len(rows)} are seen.\n\n"
        (ROOT / "results/mutants/planted.md").write_text(said + "| defect | file | test |\n|---|---|---|\n" + "".join(rows))
    return unseen


def former(table):
    """Words on survivors that were saved."""
    rows = re.findall(r"^\| (\S+):\d+ \| (`.*`) \| (`.*`) \| (.*) \|$", table.read_text(), re.M) if table.exists() else []
    return {(path, old, new): why.strip() for path, old, new, why in rows}


def report(options, table, words, mutants, survivors):
    """How many were caught, at first and since; the survivors into the table."""
    seen = [m for m in survivors if not words.get(m.key(), "").startswith("equivalent")]
    late = [m for m in seen if words.get(m.key(), "").startswith("caught since")]
    real = len(mutants) - len(survivors) + len(seen)
    caught = real - len(seen)
    summary = (
        f"{len(mutants)} mutants (seed {options.seed}), of which {len(survivors) - len(seen)} change nothing that can be seen. "
        f"Of the other {real}, {caught} were caught: {100 * caught / max(real, 1):.1f} %."
    )
    if late:
        caught += len(late)
        summary += f" With the tests written since, {caught} are: {100 * caught / max(real, 1):.1f} %."
    print(f"{options.crate}: {summary}", flush=True)
    if options.save:

        def place(mutant):
            path, _, line = mutant.row()[0].rpartition(":")
            return path, int(line)

        table.parent.mkdir(parents=True, exist_ok=True)
        rows = "".join(f"| {' | '.join(m.row())} | {words.get(m.key(), '')} |\n" for m in sorted(survivors, key=place))
        lists = [(f"--{name}", given) for name, given in (("files", options.files), ("tests", options.tests)) if given]
        program = "mutants_python.py" if options.crate == "python" else f"mutants.py {options.crate}"
        flags = " ".join([program, f"--count {options.count} --slow {options.slow:g}", *(f"{name} {' '.join(given)}" for name, given in lists)])
        table.write_text(
            f"# {package(options.crate)}\n\n`scripts/check/{flags}`: {summary}\n\n| place | was | survivor | why |\n|---|---|---|---|\n{rows}"
        )


def chosen_at_random(options, names):
    """Some more of each crate than are wanted, since not all compile."""
    for name in names:
        everything = list(candidates(package(name), options.files))
        print(f"{name}: {len(everything)} mutants possible", flush=True)
        yield from at_random(everything, options.seed)[: options.count * 5 // 4]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("crates", nargs="+", metavar="crate", help="metrics, stats, models, …, tailrank, or planted")
    parser.add_argument("--files", nargs="*", help="patterns of files below src/")
    parser.add_argument("--tests", nargs="*", default=[], help="other crates whose tests run too")
    parser.add_argument("--count", type=int, default=250, help="mutants of each crate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slow", type=float, default=10.0, help="seconds; longer tests are left out")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--save", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--only", default="", help="planted: a word of what is wrong, or of its file")
    options = parser.parse_args()
    names = [name for name in options.crates if name != "planted"]
    tree = TARGET / "mutants" / "-".join(options.crates)
    list_of_all = tree / "mutants.json"

    defects = tomllib.loads((ROOT / "scripts/check/planted.toml").read_text())["defect"] if "planted" in options.crates else []
    defects = [d for d in defects if options.only in f"{d['what']} {d['file']}"]
    tests_for = {package(name): {package(name), *TESTED_BY.get(package(name), []), *map(package, options.tests)} for name in names}
    packages = set().union(*tests_for.values(), (d["test"].partition(" ")[0] for d in defects))
    # Where polars is needed, what is built with it decides its features.
    others = sorted(SMALL - packages)
    scope = [f"-p={p}" for p in sorted(packages)] if packages <= SMALL else ["--workspace", *(f"--exclude={p}" for p in others)]

    if options.again:
        refresh_tests(tree)
        mutants = [Listed(*fields) for fields in json.loads(list_of_all.read_text())]
        defects = []
    else:
        mutants = built(tree, [*map(planted, defects), *chosen_at_random(options, names)], scope)
        if [m.number for m in mutants[: len(defects)]] != [*range(1, len(defects) + 1)]:
            sys.exit("a planted defect does not compile")
        list_of_all.write_text(json.dumps([(m.crate, m.number, m.row()) for m in mutants[len(defects) :]]))
    tests = list(tests_of(tree, packages, scope))
    unseen = plant(options, defects, mutants, tests) if defects else []
    for name in names:
        options.crate = name
        table = ROOT / "results/mutants" / f"{name}.md"
        words = former(table)
        of_crate = [m for m in mutants[len(defects) :] if m.crate == package(name)][: options.count]
        known = [m for m in of_crate if m.key() in words] if options.again else []
        tried = [m for m in known if not words[m.key()].startswith(("equivalent", "caught since"))] if options.again else of_crate
        with ThreadPoolExecutor(options.jobs) as pool:
            own = [t for t in tests if t.folder.name in tests_for[package(name)]]
            fresh = [t for t in own if not t.seconds]
            failing = [t for t, passed in zip(fresh, pool.map(lambda t: survey(t, options.slow), fresh)) if not passed]
            slow = [t for t in own if t.seconds > options.slow]
            for test in failing + slow:
                test.reaches = frozenset()
            quick = [t for t in own if t not in failing and t not in slow]
            print(f"{name}: {len(quick)} tests of {sum(t.seconds for t in quick):.0f} s")
            for why, others in [("fail without any mutant", [t for t in failing if t not in slow]), ("slow", slow)]:
                print(f"left out ({why}):", ", ".join(f"{t.name} {t.seconds:.0f} s" for t in others) or "none", flush=True)
            survivors = known if options.again else []
            for mutant, (test, reached) in zip(tried, pool.map(lambda m: verdict(m, quick), tried)):
                if test and options.again:
                    words[mutant.key()] = f"caught since: `{test}`"
                elif not test:
                    survivors += [] if options.again else [mutant]
                    print(f"survived {reached} tests:", " | ".join(mutant.row()), flush=True)
        report(options, table, words, of_crate, survivors)
    sys.exit(f"not seen: {'; '.join(unseen)}" if unseen else 0)


if __name__ == "__main__":
    main()
