#!/usr/bin/env python3
"""Runs every command of the guide, and checks its words and links.

    scripts/check/guide.py --check --program target/release/tailrank     compares outputs and figures with those in docs/guide
    scripts/check/guide.py --write --program target/release/tailrank     writes them anew; read the difference before a commit

Each chapter runs in an empty folder that holds copies of experiments/ and results/. Marks in a chapter:

    ```console [exit=N] [head=N] [section="Cost"] [quiet]
        every line that begins with `$ ` is run by a shell, with the next one if it ends with a backslash; what it prints follows. exit: the exit code that is announced (0);
        head: its first lines only; section: the block of lines that begins with this text; quiet: nothing is shown
    ```toml file=NAME        (or csv, python) is written to NAME; a file of an earlier block is replaced
    ```python run            is run by --python, all blocks of a chapter in one process; the ```text block after it is its output.
                             Without --python these blocks are only checked for their syntax
    <!-- figure: GLOB -->    the image in the next line is the one file that matches, in the chapter's folder
    <!-- screenshot: PAGE WIDTHxHEIGHT -->   is taken by Chromium with --write --screenshots; otherwise it must be there
    <!-- lines: FILE NAME --> ... <!-- /lines -->   the lines between the marks NAME of a file in the repository

Times and temporary paths may differ. --only NAME runs one chapter. Python's standard library is enough.
"""
import argparse
import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "docs/guide/src"
LONGEST_SENTENCE = 25
# What a page of the book shows without scrolling.
WIDEST_BLOCK = 80
AMERICAN = r"\b(colors?|behaviors?|centers?|centered|normaliz\w+|optimiz\w+|summariz\w+|standardiz\w+|generaliz\w+|analyz\w+|catalog|modeling|labeled|favors?)\b"
# Options whose names say all.
OBVIOUS = {"--help", "--version", "--json", "--out", "--quiet"}


class Guide:
    def __init__(self, arguments):
        self.write, self.program, self.python, self.screenshots = arguments.write, arguments.program, arguments.python, arguments.screenshots
        self.compares = has_same_digits()
        self.wrong, self.counts = [], {"commands": 0, "snippets": 0, "figures": 0, "links": 0, "words": 0}

    def fail(self, where, what):
        self.wrong.append(f"{where}: {what}")

    def count(self, what, by=1):
        self.counts[what] += by


def has_same_digits():
    """Whether fits have the last digits of those in the guide: not without fused operations of 256 bits."""
    try:
        flags = Path("/proc/cpuinfo").read_text()
    except OSError:
        return False
    return " avx2" in flags and " fma" in flags


def masked(text):
    """The text without what differs from run to run."""
    text = re.sub(r"\b\d+(\.\d+)? (s|min|ms)\b", "T", text)
    text = re.sub(r"\ba second\b", "T", text)
    return re.sub(r" +", " ", text)


def fences(lines):
    """Every fenced block: its info string, the line after its opening, and that of its end."""
    opened = None
    for number, line in enumerate(lines):
        if opened is None and line.startswith("```"):
            opened = number
        elif opened is not None and line.rstrip() == "```":
            yield lines[opened][3:].strip(), opened + 1, number
            opened = None


def options(info):
    words = shlex.split(info)
    return (words[0] if words else ""), dict((w.split("=", 1) + [""])[:2] for w in words[1:])


def shown(output, wanted, where, guide):
    """What a chapter shows of an output."""
    if not output.strip():
        return []
    lines = [line.rstrip() for line in output.rstrip().splitlines()]
    if "section" in wanted:
        starts = [i for i, line in enumerate(lines) if line.startswith(wanted["section"])]
        if not starts:
            guide.fail(where, f"the output has no part that begins with {wanted['section']!r}")
            return []
        lines = lines[starts[0]:]
        lines = lines[:lines.index("")] if "" in lines else lines
    if "head" in wanted and len(lines) > int(wanted["head"]):
        lines = lines[:int(wanted["head"])] + ["…"]
    return [] if "quiet" in wanted else lines


def run_console(guide, where, block, wanted, folder, environment):
    """The block as it should be."""
    result = []
    typed = [line for number, line in enumerate(block) if line.startswith("$ ") or number and block[number - 1].endswith("\\")]
    for line in re.split(r"\n(?=\$ )", "\n".join(typed)):
        guide.count("commands")
        done = subprocess.run(["bash", "-c", line[2:]], cwd=folder, env=environment, text=True, capture_output=True)
        announced = int(wanted.get("exit", 0))
        if done.returncode != announced:
            guide.fail(where, f"`{line[2:]}` ended with {done.returncode}, not {announced}: {done.stderr.strip()[-600:]}")
        printed = done.stdout + (done.stderr if announced else "")
        result += line.split("\n") + shown(printed.replace(str(folder), "."), wanted, where, guide)
    return result


PYTHON_DRIVER = """
import contextlib, io, sys
names = {"__name__": "__main__"}
for number, block in enumerate(sys.stdin.read().split("\\x00")):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(block, f"block {number + 1}", "exec"), names)
    sys.__stdout__.write(said.getvalue() + "\\x00")
"""


def run_python(guide, where, blocks, folder, environment):
    """What each block prints; nothing without an interpreter."""
    for block in blocks:
        guide.count("snippets")
        ast.parse(block)
    if not guide.python or not blocks:
        return [None] * len(blocks)
    done = subprocess.run([guide.python, "-W", "ignore", "-c", PYTHON_DRIVER], input="\0".join(blocks), cwd=folder, env=environment, text=True,
                          capture_output=True)
    if done.returncode:
        guide.fail(where, f"Python: {done.stderr.strip()[-1500:]}")
        return [None] * len(blocks)
    return done.stdout.split("\0")[:-1]


def replace_block(guide, where, lines, begin, end, new):
    """The lines with another block; without --write a block that differs is wrong."""
    old = lines[begin:end]
    if masked("\n".join(old)) == masked("\n".join(new)):
        return lines
    if not guide.write and guide.compares:
        different = next((f"{a!r} is now {b!r}" for a, b in zip(old, new) if masked(a) != masked(b)), f"{len(old)} lines are now {len(new)}")
        guide.fail(where, f"the output has changed: {different}")
    return lines[:begin] + new + lines[end:]


def run_chapter(guide, path, folder):
    environment = dict(os.environ, PATH=f"{folder / 'bin'}:{os.environ['PATH']}", NO_COLOR="1", COLUMNS="80")
    lines = path.read_text().split("\n")
    python = [(begin, "\n".join(lines[begin:end])) for info, begin, end in fences(lines) if options(info)[0] == "python" and "run" in options(info)[1]]
    python_ran = False
    # Blocks move as outputs grow, so each is found anew by its number.
    for number in range(len(list(fences(lines)))):
        info, begin, end = list(fences(lines))[number]
        language, wanted = options(info)
        where = f"{path.name}:{begin}"
        if "file" in wanted:
            (folder / wanted["file"]).write_text("\n".join(lines[begin:end]) + "\n")
        elif language == "console":
            new = run_console(guide, where, lines[begin:end], wanted, folder, environment)
            lines = replace_block(guide, where, lines, begin, end, new)
        elif language == "python" and "run" in wanted and not python_ran:
            python_ran = True
            said = run_python(guide, where, [block for _, block in python], folder, environment)
            starts = [n for n, (i, _, _) in enumerate(fences(lines)) if options(i)[0] == "python" and "run" in options(i)[1]]
            for start, text in zip(starts, said):
                following = list(fences(lines))[start + 1] if start + 1 < len(list(fences(lines))) else None
                if text is not None and text.strip() and following and following[0] == "text":
                    new = [line.rstrip() for line in text.rstrip().split("\n")]
                    lines = replace_block(guide, where, lines, following[1], following[2], new)
    lines = copied(guide, path, lines, folder)
    if guide.write:
        path.write_text("\n".join(lines))


def copied(guide, path, lines, folder):
    """Figures, screenshots and lines of other files."""
    # Estimators of other packages differ with their versions, so figures of Python's runs are only looked for.
    is_python = any(options(info) == ("python", {"run": ""}) for info, _, _ in fences(lines))
    for number, line in enumerate(lines):
        where = f"{path.name}:{number + 1}"
        mark = re.fullmatch(r"<!-- (figure|screenshot): (.*) -->", line)
        if not mark:
            continue
        kind, what = mark.groups()
        image = re.fullmatch(r"!\[([^\]]{20,})\]\((figures/[\w.-]+)\)", lines[number + 1])
        if not image:
            guide.fail(where, "no image with an alternative text follows")
            continue
        guide.count("figures")
        target = SOURCE / image[2]
        if kind == "screenshot":
            page, size = what.split()
            if guide.screenshots:
                subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={size.replace('x', ',')}",
                                "--virtual-time-budget=5000", f"--screenshot={target}", (folder / page).as_uri()], capture_output=True, check=True)
            if not target.is_file() or target.stat().st_size > 200_000:
                guide.fail(where, f"{target.name} is missing or larger than 200 kB")
            continue
        found = sorted(folder.glob(what))
        if is_python and not (guide.write and guide.python):
            if not target.is_file():
                guide.fail(where, f"{target.name} is missing")
        elif len(found) != 1:
            guide.fail(where, f"{len(found)} figures match {what}")
        elif guide.write:
            shutil.copyfile(found[0], target)
        elif not target.is_file() or guide.compares and target.read_bytes() != found[0].read_bytes():
            guide.fail(where, f"{target.name} differs from {found[0].relative_to(folder)}")

    def of_file(mark):
        name, part, old = mark.groups()
        inside = re.search(rf"<!-- {part}\b[^>]*-->\n(.*?)<!-- /{part} -->", (ROOT / name).read_text(), re.S)
        # Links of the other file do not lead anywhere from here.
        new = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", inside[1]) if inside else ""
        if new != old and not guide.write:
            guide.fail(path.name, f"the lines {part} of {name} have changed")
        return mark[0].replace(f"-->\n{old}<!--", f"-->\n{new}<!--", 1)

    return re.sub(r"<!-- lines: (\S+) (\w+) -->\n(.*?)<!-- /lines -->", of_file, "\n".join(lines), flags=re.S).split("\n")


def slug(heading):
    """A heading's anchor, as mdBook makes it."""
    heading = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", lambda m: m[1] or "", heading)
    return "".join(c.lower() if c.isalnum() or c in "-_" else "-" if c.isspace() else "" for c in heading.strip())


def prose(text):
    """Paragraphs without code, tables, headings and marks."""
    lines = text.split("\n")
    for _, begin, end in list(fences(lines)):
        lines[begin - 1:end + 1] = [""] * (end - begin + 2)
    text = re.sub(r"<!--.*?-->", "", "\n".join(lines), flags=re.S)
    lines = ["" if line.startswith(("#", "|", "!", "<")) else re.sub(r"^\s*([-*]|\d+\.)\s", "\n", line) for line in text.split("\n")]
    text = "\n".join(lines)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return [" ".join(p.split()) for p in re.split(r"\n\s*\n", text) if p.strip()]


def words(text):
    return [w for w in text.split() if any(c.isalnum() for c in w)]


def banned():
    source = (ROOT / "crates/tailrank/tests/it/voice.rs").read_text()
    listed = re.search(r"const BANNED: \[&str; \d+\] = \[(.*?)\];", source, re.S)[1]
    return re.findall(r'"([^"]+)"', listed)


def check_words(guide, path, phrases):
    text = path.read_text()
    paragraphs = prose(text)
    if path.parent == SOURCE:
        lines = text.split("\n")
        for wide in (line for _, begin, end in fences(lines) for line in lines[begin:end] if len(line) > WIDEST_BLOCK):
            guide.fail(path.name, f"{len(wide)} characters, where {WIDEST_BLOCK} fit: {wide}")
    for paragraph in paragraphs:
        for sentence in re.split(r"(?<=[.?!:])[*_)”\"]*\s+(?=\S)", paragraph):
            if len(words(re.sub(r"`[^`]*`", "x", sentence))) > LONGEST_SENTENCE:
                guide.fail(path.relative_to(ROOT), f"{len(words(sentence))} words: {sentence}")
        without_code = re.sub(r"`[^`]*`", "", paragraph)
        if re.search(r"(^|[ (])-\d", without_code):
            guide.fail(path.name, f"an ASCII minus: {paragraph[:100]}")
        for american in re.findall(AMERICAN, without_code):
            guide.fail(path.name, f"American spelling: {american}")
    everything = re.sub(r"`[^`]*`", "", "\n".join(line for line in text.split("\n") if line.startswith(("#", "|"))) + "\n" + "\n".join(paragraphs))
    for phrase in phrases:
        if phrase in everything:
            guide.fail(path.relative_to(ROOT), f"the phrase {phrase!r}: {everything[max(0, everything.index(phrase) - 40):][:90]!r}")
    return sum(len(words(p)) for p in paragraphs)


def check_links(guide, chapters):
    anchors = {}
    for path in chapters:
        lines = path.read_text().split("\n")
        inside = {n for _, begin, end in fences(lines) for n in range(begin - 1, end + 1)}
        headings = [slug(line.lstrip("#")) for n, line in enumerate(lines) if line.startswith("#") and n not in inside]
        anchors[path.name] = set(headings)
        for twice in {h for h in headings if headings.count(h) > 1}:
            guide.fail(path.name, f"two headings have the anchor {twice}")
    for path in chapters:
        for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text()):
            guide.count("links")
            page, _, anchor = target.partition("#")
            if target.startswith("https://"):
                continue
            if not (SOURCE / (page or path.name)).is_file():
                guide.fail(path.name, f"the link {target} leads nowhere")
            elif anchor and anchor not in anchors[page or path.name]:
                guide.fail(path.name, f"{page or path.name} has no heading {anchor}")
        for named in re.findall(r"`((?:docs|results|experiments|crates|scripts|data)/[\w./-]+)`", path.read_text()):
            if not (ROOT / named).exists():
                guide.fail(path.name, f"{named} is not in the repository")
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", (SOURCE / "SUMMARY.md").read_text()))
    for path in chapters:
        if path.name not in listed | {"SUMMARY.md"}:
            guide.fail("SUMMARY.md", f"{path.name} is not listed")
    # The page, `explain` and the help point at terms of the glossary.
    for source in [p for ending in ("rs", "js", "py") for p in (ROOT / "crates").rglob(f"*.{ending}")]:
        for page, anchor in re.findall(r"([a-z-]+)\.html#([a-z][\w-]*)", source.read_text(errors="replace")):
            if f"{page}.md" in anchors and anchor not in anchors[f"{page}.md"]:
                guide.fail(source.relative_to(ROOT), f"the guide has no {page}.html#{anchor}")


def check_options(guide, chapters):
    """Every option of the program is in the guide, but for the obvious ones."""
    said = "\n".join(path.read_text() for path in chapters)
    helped = subprocess.run([guide.program, "--help"], text=True, capture_output=True, check=True).stdout
    for command in re.findall(r"^  ([a-z]+) ", helped, re.M):
        text = subprocess.run([guide.program, command, "--help"], text=True, capture_output=True).stdout
        for option in set(re.findall(r"^ +(?:-\w, )?(--[a-z][a-z-]*)", text, re.M)) - OBVIOUS:
            if not re.search(rf"{option}\b(?!-)", said):
                guide.fail("options", f"`tailrank {command} {option}` is nowhere in the guide")


def check_limits(guide, phrases):
    for name in ["README.md", "crates/tailrank-python/README.md", "data/README.md", "results/README.md", "docs/benchmarks.md"]:
        check_words(guide, ROOT / name, phrases)
    for name, most in [("README.md", 1000), ("ARCHITECTURE.md", 1200)]:
        count = sum(len(words(p)) for p in prose((ROOT / name).read_text()))
        if count > most:
            guide.fail(name, f"{count} words, of {most} at most")
    section = re.search(r"^## .*0\.1\.0.*?(?=^## |\Z)", (ROOT / "CHANGELOG.md").read_text(), re.S | re.M)
    if not section or len(section[0].strip().split("\n")) > 60:
        guide.fail("CHANGELOG.md", "0.1.0 is missing or has more than 60 lines")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--check", action="store_true")
    mode.add_argument("--write", action="store_true")
    parser.add_argument("--program", required=True, type=lambda p: str(Path(p).resolve()))
    # Not resolved: an interpreter of an environment is a link.
    parser.add_argument("--python", type=lambda p: str(Path(p).absolute()))
    parser.add_argument("--screenshots", action="store_true", help="take them anew; they show times, so each differs from the last")
    parser.add_argument("--only", help="one chapter, such as python.md")
    arguments = parser.parse_args()
    guide = Guide(arguments)
    listed = re.findall(r"\]\(([\w-]+\.md)\)", (SOURCE / "SUMMARY.md").read_text())
    for name in listed:
        if arguments.only not in (None, name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder).resolve()
            for copy in ["experiments", "results"]:
                shutil.copytree(ROOT / copy, folder / copy)
            (folder / "bin").mkdir()
            (folder / "bin/tailrank").symlink_to(guide.program)
            run_chapter(guide, SOURCE / name, folder)
    chapters = sorted(SOURCE.glob("*.md"))
    phrases = banned()
    for path in chapters:
        guide.count("words", check_words(guide, path, phrases))
    check_links(guide, chapters)
    check_limits(guide, phrases)
    if not arguments.only:
        check_options(guide, chapters)
    print(f"guide: {len(listed)} chapters, " + ", ".join(f"{n:,} {what}" for what, n in guide.counts.items())
          + ("" if guide.python else "; Python blocks not run")
          + ("" if guide.compares else "; outputs not compared, since this processor lacks AVX2 or FMA"))
    for wrong in guide.wrong:
        print(wrong, file=sys.stderr)
    sys.exit(1 if guide.wrong else 0)


main()
