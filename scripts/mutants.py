#!/usr/bin/env python3
"""Random mutants of one crate: how many do its tests catch?

    python3 scripts/mutants.py metrics|stats|models|... [--count 100] [--seed 1] [--save]

A mutant changes one operator, constant or condition of the crate's own source (tests, comments and attributes aside).
Each is compiled and run against the crate's unit and integration tests; a mutant that does not compile does not count,
one that hangs for ten times the usual time is caught. Files are changed in place and put back; the tree must be clean.
With --save the survivors go to results/mutants/CRATE.md, to be read one by one: some change nothing that can be seen.
"""

import argparse
import random
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SWAPS = [
    (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "), (r" / ", " * "),
    (r" \+= ", " -= "), (r" -= ", " += "), (r" \*= ", " /= "), (r" /= ", " *= "),
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "),
    (r" < ", " > "), (r" > ", " < "), (r" == ", " != "), (r" != ", " == "),
    (r" && ", " || "), (r" \|\| ", " && "), (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
    (r"\.min\(", ".max("), (r"\.max\(", ".min("), (r"\b0\.5\b", "0.25"), (r"\b1\.0\b", "2.0"), (r"\b0\.0\b", "1.0"),
    (r"\.sqrt\(\)", ".abs()"), (r"\.abs\(\)", ".sqrt()"), (r"\.floor\(\)", ".ceil()"), (r"\.ceil\(\)", ".floor()"),
    (r" \+ 1\b", " + 2"), (r" - 1\b", " - 2"), (r"\bif ", "if !"), (r"\.rev\(\)", ""),
]


def code_lines(path):
    """Numbers and text of the lines that may change: not tests, comments, attributes, uses or messages."""
    lines = path.read_text().split("\n")
    for number, line in enumerate(lines):
        if line.startswith("#[cfg(test)]"):
            return
        text = line.strip()
        if text and not text.startswith(("//", "#", "use ", "pub use ", "mod ", "pub mod ")) and '"' not in text:
            yield number, line


def candidates(crate):
    for path in sorted((ROOT / "crates" / crate / "src").rglob("*.rs")):
        for number, line in code_lines(path):
            code = line.split(" // ")[0]
            for pattern, new in SWAPS:
                if pattern == r"\bif " and ("if let" in code or "if !" in code or " else if " in code):
                    continue
                for found in re.finditer(pattern, code):
                    yield path, number, line[: found.start()] + new + line[found.end() :]


def run(crate, timeout):
    """`caught`, `survived`, or `unbuilt`."""
    build = subprocess.run(
        ["cargo", "test", "--locked", "-p", crate, "--lib", "--tests", "--no-run", "-q"], cwd=ROOT, capture_output=True
    )
    if build.returncode:
        return "unbuilt"
    try:
        test = subprocess.run(
            ["cargo", "test", "--locked", "-p", crate, "--lib", "--tests", "-q"], cwd=ROOT, capture_output=True, timeout=timeout
        )
    except subprocess.TimeoutExpired:
        return "caught"
    return "caught" if test.returncode else "survived"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("crate", help="metrics, stats, models, …")
    parser.add_argument("--count", type=int, default=100, help="mutants that compile")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    crate = f"tailrank-{options.crate.removeprefix('tailrank-')}"
    source = f"crates/{crate}/src"
    if subprocess.run(["git", "diff", "--quiet", "HEAD", "--", source], cwd=ROOT).returncode:
        sys.exit(f"{source} has changes that are not committed")
    started = time.monotonic()
    if run(crate, 3600) != "survived":
        sys.exit(f"the tests of {crate} fail without any mutant")
    timeout = 60 + 10 * (time.monotonic() - started)
    mutants = list(candidates(crate))
    random.Random(options.seed).shuffle(mutants)
    counts, survivors = {"caught": 0, "survived": 0, "unbuilt": 0}, []
    for path, number, line in mutants:
        if counts["caught"] + counts["survived"] == options.count:
            break
        text = path.read_text()
        lines = text.split("\n")
        old, lines[number] = lines[number], line
        try:
            path.write_text("\n".join(lines))
            outcome = run(crate, timeout)
        finally:
            path.write_text(text)
        counts[outcome] += 1
        place = f"{path.relative_to(ROOT / 'crates' / crate / 'src')}:{number + 1}"
        print(outcome, place, line.strip(), flush=True)
        if outcome == "survived":
            survivors.append((place, old.strip(), line.strip()))
    total = counts["caught"] + counts["survived"]
    summary = f"{counts['caught']} of {total} mutants caught (seed {options.seed}; {counts['unbuilt']} did not compile)"
    print(summary)
    if options.save:
        out = ROOT / "results/mutants" / f"{options.crate}.md"
        out.parent.mkdir(parents=True, exist_ok=True)
        rows = "".join(f"| {place} | `{old}` | `{new}` | |\n" for place, old, new in survivors)
        out.write_text(f"# {crate}\n\n{summary}\n\n| place | line | survivor | why |\n|---|---|---|---|\n{rows}")


main()
