"""The command line: ``python -m tailrank`` and ``tailrank``."""

from __future__ import annotations

import os
import sys
import sysconfig

from ._tailrank import main as _main


def words() -> list[str]:
    """The words that start this program again."""
    return [sys.executable, "-m", "tailrank"]


def main() -> int:
    """Runs the program with the arguments of this process."""
    program = words()
    # Jobs on other machines are started by one file.
    script = os.path.join(sysconfig.get_path("scripts"), "tailrank")
    if sys.argv[1:2] == ["slurm"] and os.path.exists(script):
        program = [script]
    sys.stdout.flush()
    return _main(["tailrank", *sys.argv[1:]], program)


if __name__ == "__main__":
    sys.exit(main())
