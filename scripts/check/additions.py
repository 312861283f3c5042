#!/usr/bin/env python3
"""Every patch of scripts/check/additions applies and touches no more files of source than CONTRIBUTING.md promises for its kind.

usage: additions.py [--build]

--build also compiles the workspace with all of them, in a temporary copy that shares the folder `target`.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATCHES = ROOT / "scripts/check/additions"

# Files of source that an addition touches, by the name of its patch.
FILES = {"figure": 2, "flag": 1, "measure": 2, "sentence": 1, "split": 2, "step": 2, "test": 1}


def sources(patch: pathlib.Path) -> list[str]:
    """Files of the crates' source that a patch touches; tests and documentation are none."""
    touched = re.findall(r"^diff --git a/(\S+) b/\S+$", patch.read_text(), re.MULTILINE)
    return [path for path in touched if re.match(r"crates/[^/]+/src/", path) and not path.endswith("/tests.rs")]


def build(patches: list[pathlib.Path]) -> bool:
    """Whether the workspace compiles with all of the patches."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
        subprocess.run(["tar", "x"], cwd=folder, input=archive, check=True)
        for patch in patches:
            subprocess.run(["git", "apply", patch], cwd=folder, check=True)
        settings = {"CARGO_TARGET_DIR": str(ROOT / "target"), **os.environ}
        command = ["cargo", "check", "--locked", "--workspace", "--quiet"]
        return subprocess.run(command, cwd=folder, env=settings).returncode == 0


def main() -> int:
    wrong = []
    patches = sorted(PATCHES.glob("*.patch"))
    for patch in patches:
        expected, found = FILES.get(patch.stem), sources(patch)
        applied = subprocess.run(["git", "apply", "--check", patch], cwd=ROOT, capture_output=True, text=True)
        if applied.returncode != 0:
            wrong.append(f"{patch.name} does not apply: {applied.stderr.strip()}")
        elif len(found) != expected:
            wrong.append(f"{patch.name} touches {len(found)} files of source, not {expected}: {', '.join(found)}")
        else:
            print(f"{patch.stem}: {len(found)}")
    if "--build" in sys.argv[1:] and not wrong and not build(patches):
        wrong.append("the workspace does not compile with the patches")
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong or not patches else 0


if __name__ == "__main__":
    sys.exit(main())
