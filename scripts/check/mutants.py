#!/usr/bin/env python3
"""Random mutants of one crate: how many do its tests catch?

    pip install tree-sitter tree-sitter-rust
    scripts/check/mutants.py metrics|stats|models|… [--files score/** config/**] [--count 250] [--seed 1] [--slow 10] [--save] [--again]
    scripts/check/mutants.py planted [--only WORD] [--save]

A mutant changes one operator, constant, condition, method, range, early return or result of the crate's own source. Tests, constants,
patterns, macros' insides and `unsafe` are left alone. All chosen mutants are compiled at once, in a copy of the tree under target/mutants:
an expression becomes `if mutant::on(17) { mutated } else { as it was }`, and the environment says which one is on. What does not compile
is taken out before (rounds of `cargo build`). Then every test runs by itself, which gives its time and the mutants it reaches. Last, each mutant
runs against the tests that reach it, quick ones and those that caught many first, until one fails; ten times the usual time is a failure too.
Tests longer than --slow seconds are left out, and mutants that no test reaches survive.

--save writes the survivors to results/mutants/CRATE.md and keeps the words in its last column, where a person says why a mutant cannot be
seen ("equivalent: …"). --again runs only the survivors listed there that have no such word.

`planted` puts the defects of planted.toml in, each an expression of the source that another one replaces, and wants the test that is named
for each to pass without it and to fail with it. Where a crate stands instead of a test, each of its tests is tried until one fails.
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
PARSER = Parser(Language(tree_sitter_rust.language()))

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
        if name.name == "tests.rs" or (patterns and not any(fnmatch.fnmatch(str(name), p) for p in patterns)):
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


def write_tree(name, mutants):
    """A copy of the tree, with the mutants in their crates; files that stay the same keep their time."""
    tree = TARGET / "mutants" / name
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = {name: (ROOT / name).read_bytes() for name in listed.stdout.splitlines() if (ROOT / name).is_file()}
    # Warnings about the changed code help nobody.
    files["Cargo.toml"] = re.sub(rb"(?s)\[workspace.lints.rust\].*?(?=\n# Numeric tests)", b"[workspace.lints]\n", files["Cargo.toml"])
    if name == "planted":
        # Few tests run: their build is what takes long.
        slow = b"[profile.dev.package.tailrank-models]\nopt-level = 3\ncodegen-units = 1"
        files["Cargo.toml"] = files["Cargo.toml"].replace(slow, slow[:-18].replace(b"3", b"1"))
    for crate, path in {(m.crate, m.path) for m in mutants}:
        at, file = {}, f"crates/{crate}/src/{path}"
        for m in mutants:
            if (m.crate, m.path) == (crate, path):
                at.setdefault((m.node.start_byte, m.node.end_byte, m.node.type), []).append(m)
        text = files[file]
        files[file] = text[: (root := PARSER.parse(text).root_node).start_byte] + render(root, text, at)
    for crate in {m.crate for m in mutants}:
        files[f"crates/{crate}/src/lib.rs"] += b"\n#[allow(missing_docs)]\nmod mutant;\n"
        files[f"crates/{crate}/src/mutant.rs"] = MODULE.replace("COUNT", str(1 + max(m.number for m in mutants))).encode()
    for name, text in files.items():
        path = tree / name
        if not path.is_file() or path.read_bytes() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
            shutil.copymode(ROOT / name, path) if (ROOT / name).is_file() else None
    for link in (name for name in listed.stdout.splitlines() if (ROOT / name).is_symlink() and not (tree / name).exists()):
        (tree / link).symlink_to((ROOT / link).readlink())
    for path in (tree / "crates").rglob("*.rs"):
        if str(path.relative_to(tree)) not in files:
            path.unlink()
    return tree


def cargo(tree, *arguments):
    environment = dict(os.environ, CARGO_TARGET_DIR=str(TARGET))
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


def built(crate, wanted, count):
    """The first `count` mutants that compile together, and the tree they are in."""
    mutants = wanted
    while True:
        for number, mutant in enumerate(mutants, 1):
            mutant.number = number
        tree = write_tree(crate, mutants)
        done, messages = cargo(tree, "build", "-p", crate, "--lib")
        if done.returncode == 0:
            if len(mutants) > count:
                mutants = mutants[:count]
                continue
            return mutants, tree
        bad = refused(tree, messages)
        print(f"{len(bad)} of {len(mutants)} do not compile", flush=True)
        if not bad:
            sys.exit(done.stderr)
        mutants = [m for m in mutants if m.number not in bad]


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    os.setpgrp()


@dataclass
class Test:
    binary: str
    folder: Path
    name: str
    seconds: float = 0.0
    caught: int = 0
    reaches: frozenset = frozenset()

    def run(self, mutant, timeout, **variables):
        # Random tests draw the same cases each time and leave no file behind.
        fixed = {"PROPTEST_RNG_SEED": "1", "PROPTEST_DISABLE_FAILURE_PERSISTENCE": "1", "TAILRANK_MUTANT": str(mutant)}
        environment = {**os.environ, **fixed, **variables}
        command = [self.binary, "--exact", self.name, "--test-threads", "1"]
        started = time.monotonic()
        child = subprocess.Popen(
            command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limits
        )
        try:
            passed = child.wait(timeout) == 0
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            child.wait()
            passed = False
        return passed, time.monotonic() - started


def tests_of(tree, packages, scope=None):
    """The tests of some packages; `scope` says what is built, where it is not these alone."""
    done, messages = cargo(tree, "test", "--no-run", "--lib", "--tests", *(scope or (f"-p={p}" for p in packages)))
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


def survey(test):
    """Time and reach of a test."""
    file = TARGET / "mutants" / f"reached-{os.getpid()}-{abs(hash((test.binary, test.name)))}"
    passed, test.seconds = test.run(0, 1800, TAILRANK_REACHED=str(file))
    test.reaches = frozenset(map(int, file.read_text().split())) if file.exists() else frozenset()
    file.unlink(missing_ok=True)
    return passed


def verdict(mutant, tests):
    """The name of the test that fails, if any."""
    able = [t for t in tests if mutant.number in t.reaches]
    for test in sorted(able, key=lambda t: (t.seconds + 0.01) / (1 + t.caught)):
        passed, _ = test.run(mutant.number, 5 + 10 * test.seconds)
        if not passed:
            test.caught += 1
            return test.name, len(able)
    return None, len(able)


def plant(options):
    """Every planted defect against the test that is to see it; a table of them, and the names of those unseen."""
    defects = tomllib.loads((ROOT / "scripts/check/planted.toml").read_text())["defect"]
    defects = [d for d in defects if options.only in f"{d['what']} {d['file']}"]
    mutants = [planted(d) for d in defects]
    for number, mutant in enumerate(mutants, 1):
        mutant.number = number
    tree = write_tree("planted", mutants)
    wanted = [d["test"].partition(" ") for d in defects]
    # All packages, so that the dependencies keep the features that they are built with already.
    tests = list(tests_of(tree, {crate for crate, _, _ in wanted}, ["--workspace"]))
    surveyed, unseen, rows = {}, [], []
    for mutant, defect, (crate, _, name) in zip(mutants, defects, wanted):
        able = [t for t in tests if t.folder.name == crate and (t.name == name or not name)]
        for test in able:
            if id(test) not in surveyed:
                surveyed[id(test)] = survey(test)
        passing = [t for t in able if surveyed[id(t)] and (name or t.seconds <= options.slow)]
        seen, reached = verdict(mutant, passing)
        by = f"`{crate} {seen}`" if seen else f"**none** of {reached}"
        print(f"{by}: {defect['what']}", flush=True)
        rows.append(f"| {defect['what']} | `{defect['file']}` | {by} |\n")
        unseen += [] if seen else [defect["what"]]
    if options.save:
        said = f"# Defects put in, and the test that sees each\n\n`scripts/check/mutants.py planted`: {len(rows) - len(unseen)} of {len(rows)} are seen.\n\n"
        (ROOT / "results/mutants/planted.md").write_text(said + "| defect | file | test |\n|---|---|---|\n" + "".join(rows))
    sys.exit(f"not seen: {'; '.join(unseen)}" if unseen else 0)


def former(table):
    """Words on survivors that were saved."""
    rows = re.findall(r"^\| (\S+):\d+ \| (`.*`) \| (`.*`) \| (.*) \|$", table.read_text(), re.M) if table.exists() else []
    return {(path, old, new): why.strip() for path, old, new, why in rows}


def report(options, table, words, mutants, survivors):
    """How many were caught; the survivors into the table."""
    seen = [m for m in survivors if not words.get(m.key(), "").startswith("equivalent")]
    real = len(mutants) - len(survivors) + len(seen)
    summary = (
        f"{len(mutants)} mutants (seed {options.seed}), of which {len(survivors) - len(seen)} change nothing that can be seen. "
        f"Of the other {real}, {real - len(seen)} were caught: {100 * (real - len(seen)) / max(real, 1):.1f} %."
    )
    print(summary)
    if options.save:
        table.parent.mkdir(parents=True, exist_ok=True)
        rows = "".join(f"| {' | '.join(m.row())} | {words.get(m.key(), '')} |\n" for m in sorted(survivors, key=lambda m: (m.path, m.line())))
        lists = [(f"--{name}", given) for name, given in (("files", options.files), ("tests", options.tests)) if given]
        program = "mutants_python.py" if options.crate == "python" else f"mutants.py {options.crate}"
        flags = " ".join([program, f"--count {options.count} --slow {options.slow:g}", *(f"{name} {' '.join(given)}" for name, given in lists)])
        table.write_text(f"# tailrank-{options.crate}\n\n`scripts/check/{flags}`: {summary}\n\n| place | was | survivor | why |\n|---|---|---|---|\n{rows}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("crate", help="metrics, stats, models, …, or planted")
    parser.add_argument("--files", nargs="*", help="patterns of files below src/")
    parser.add_argument("--tests", nargs="*", default=[], help="other crates whose tests run too")
    parser.add_argument("--count", type=int, default=250, help="mutants that compile")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slow", type=float, default=10.0, help="seconds; longer tests are left out")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--save", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--only", default="", help="planted: a word of what is wrong, or of its file")
    options = parser.parse_args()
    if options.crate == "planted":
        plant(options)
    crate = f"tailrank-{options.crate}"
    table = ROOT / "results/mutants" / f"{options.crate}.md"
    words = former(table)

    everything = list(candidates(crate, options.files))
    chosen = at_random(everything, options.seed)[: options.count * 3 // 2]
    print(f"{len(everything)} mutants possible", flush=True)
    if options.again:
        chosen = [m for m in chosen if not words.get(m.key(), "equivalent").startswith("equivalent")]
    mutants, tree = built(crate, chosen, options.count)

    tests = list(tests_of(tree, [crate, *(f"tailrank-{t}" if t else "tailrank" for t in options.tests)]))
    with ThreadPoolExecutor(options.jobs) as pool:
        passing = [t for t, passed in zip(tests, pool.map(survey, tests)) if passed]
        quick = [t for t in passing if t.seconds <= options.slow]
        print(f"{len(quick)} tests of {sum(t.seconds for t in quick):.0f} s")
        for why, others in [("fail without any mutant", [t for t in tests if t not in passing]), ("slow", [t for t in passing if t not in quick])]:
            print(f"left out ({why}):", ", ".join(f"{t.name} {t.seconds:.0f} s" for t in others) or "none", flush=True)
        survivors = []
        for mutant, (test, reached) in zip(mutants, pool.map(lambda m: verdict(m, quick), mutants)):
            if test is None:
                survivors.append(mutant)
                print(f"survived {reached} tests:", " | ".join(mutant.row()), flush=True)
    report(options, table, words, mutants, survivors)


if __name__ == "__main__":
    main()
