#!/usr/bin/env python3
"""Compiles the tables that reports write for papers, on A4, and measures what sticks out of the page.

    scripts/check/latex.py FOLDER...

Every `tables/*.tex` below the folders goes into one document of LaTeX's article class with its default margins. Fails when pdflatex does, when
a character is missing, or when a line is more than 5 pt too wide. Needs pdflatex with array, booktabs and longtable
(Debian: texlive-latex-base, texlive-latex-recommended).
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MOST_POINTS = 5.0


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if not shutil.which("pdflatex"):
        sys.exit("pdflatex is not installed (Debian: texlive-latex-base, texlive-latex-recommended)")
    tables = sorted(file for folder in sys.argv[1:] for file in Path(folder).rglob("tables/*.tex"))
    if not tables:
        sys.exit("no tables/*.tex in these folders")
    with tempfile.TemporaryDirectory() as folder:
        lines = [r"\documentclass[a4paper]{article}", r"\usepackage[utf8]{inputenc}", r"\usepackage{array,booktabs,longtable}", r"\begin{document}"]
        for number, table in enumerate(tables):
            shutil.copy(table, Path(folder) / f"{number}.tex")
            lines += [rf"\typeout{{TABLE {number}}}", rf"\input{{{number}.tex}}", r"\clearpage"]
        (Path(folder) / "all.tex").write_text("\n".join(lines + [r"\end{document}"]) + "\n")
        # Widths of long tables settle in later runs.
        for _ in range(3):
            done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-no-shell-escape", "all.tex"], cwd=folder, capture_output=True)
        log = (Path(folder) / "all.log").read_text(errors="replace")
        pdf = Path(folder) / "all.pdf"
        if done.returncode or not pdf.exists():
            sys.exit("pdflatex failed:\n" + "\n".join(line for line in log.splitlines() if line.startswith(("!", "l."))))
        problems, widest = [], 0.0
        for part in log.split("TABLE ")[1:]:
            name = tables[int(re.match(r"\d+", part).group())]
            for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)", part):
                widest = max(widest, float(points))
                if float(points) > MOST_POINTS:
                    problems.append(f"{name}: {points} pt too wide")
            if "Missing character" in part:
                problems.append(f"{name}: a character is missing")
        if problems:
            sys.exit("\n".join(problems))
        print(f"{len(tables)} tables compile; the widest line is {widest:.1f} pt beyond the text")


if __name__ == "__main__":
    main()
