#!/usr/bin/env bash
# Builds the wheel, installs it into an empty virtual environment and runs its tests and notebooks there.
#
#   scripts/check/python.sh [--release] [--sdist] [--wheel FILE] [--lowest] [--python python3.10] [--bare] [--with catboost]
#
# Without --release the wheel is built like the tests (the dev profile): quicker to build, larger, and slower where nothing is optimised.
# With --sdist the source distribution is made and the wheel is built from that; with --lowest the oldest declared versions of what the
# wheel needs are installed; with --bare nothing but what it declares, and only tests/bare.py runs. What was built is left in the
# folder `python/dist` of the target folder. With --with PACKAGE it is installed, too, for the tests that are skipped without.
# TAILRANK_BIN names a program that Python's answers are held against; the one in the wheel if it is not set. The environment is made in
# the target folder and removed; packages come from PyPI.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
crate=crates/tailrank-python
profile=()
wheel=
sdist=
lowest=()
python=python3
bare=
also=()
# The tests run elsewhere.
if [ -n "${TAILRANK_BIN:-}" ]; then TAILRANK_BIN=$(realpath "$TAILRANK_BIN"); export TAILRANK_BIN; fi
while [ $# -gt 0 ]; do
  case $1 in
    --release) profile=(--release); export TAILRANK_RELEASE=1 ;;
    --wheel) wheel=$(realpath "$2"); shift ;;
    --sdist) sdist=1 ;;
    --python) python=$2; shift ;;
    --bare) bare=1 ;;
    --with) also+=("$2"); shift ;;
    --lowest) lowest=("numpy==1.23.*" "narwhals==1.20.*" "pandas<2.3" "scikit-learn<1.6" "imbalanced-learn<0.13") ;;
    *) echo "unknown option $1" >&2; exit 2 ;;
  esac
  shift
done

"$python" -c "import venv, ensurepip" || { echo "$python with venv and pip is needed: apt-get install python3-venv" >&2; exit 1; }

# The wheel is a workspace of its own: locked versions and profiles must stay those of the others.
python3 - <<'PY'
import re

def packages(path):
    found = re.findall(r'\[\[package\]\]\nname = "(.+)"\nversion = "(.+)"\n(?:source = ".+"\n)?', open(path).read())
    return {f"{name} {version}" for name, version in found}

def profiles(path):
    text = open(path).read()
    return text[text.index("[profile.dev]"):].strip()

ours, theirs = packages("crates/tailrank-python/Cargo.lock"), packages("Cargo.lock")
own = {"pyo3", "numpy", "target-lexicon", "tailrank-python"}
names = {p.split()[0] for p in theirs}
other = sorted(p for p in ours - theirs if p.split()[0] in names)
assert not other, f"locked to other versions than Cargo.lock: {', '.join(other)}; run cargo update --precise in crates/tailrank-python"
assert profiles("Cargo.toml") == profiles("crates/tailrank-python/Cargo.toml"), "the profiles of the two Cargo.toml differ"
PY

mkdir -p "$target/python"
work=$(mktemp -d "$target/python/test.XXXXXX")
trap 'rm -rf "$work"' EXIT
if [ -z "$wheel" ]; then
  rm -rf "$target/python/dist"
  python3 -m venv "$work/build"
  "$work/build/bin/pip" install --quiet "maturin>=1.9,<2" "twine>=6"
  manifest=$crate/Cargo.toml
  if [ -n "$sdist" ]; then
    "$work/build/bin/maturin" sdist --manifest-path "$manifest" --out "$target/python/dist"
    tar xzf "$target"/python/dist/*.tar.gz -C "$work"
    # The sources alone, as someone has them who unpacked the archive.
    (cd "$work"/tailrank-* && CARGO_TARGET_DIR="$target" "$work/build/bin/maturin" build --quiet --locked ${profile[@]+"${profile[@]}"} --out "$target/python/dist")
  else
    CARGO_TARGET_DIR="$target" "$work/build/bin/maturin" build --quiet --locked ${profile[@]+"${profile[@]}"} --manifest-path "$manifest" --out "$target/python/dist"
  fi
  wheel=$(echo "$target"/python/dist/*.whl)
  "$work/build/bin/twine" check --strict "$target"/python/dist/*
  for file in LICENSE-MIT LICENSE-APACHE; do
    cmp "$file" "$crate/$file"
    grep -q "licenses/$file" <<< "$(unzip -l "$wheel")" || { echo "the wheel lacks $file" >&2; exit 1; }
  done
fi
size=$(stat -c %s "$wheel" 2> /dev/null || stat -f %z "$wheel")
echo "$(basename "$wheel"): $((size / 1000000)) MB"
if [ ${#profile[@]} -gt 0 ] && [ "$size" -gt 25000000 ]; then
  echo "the wheel is larger than 25 MB" >&2
  exit 1
fi

"$python" -m venv "$work/env"
if [ -n "$bare" ]; then
  "$work/env/bin/pip" install --quiet "$wheel" ${lowest[@]+"${lowest[@]:0:2}"}
  "$work/env/bin/python" "$crate/tests/bare.py"
  exit
fi
"$work/env/bin/pip" install --quiet "$wheel[test]" ${lowest[@]+"${lowest[@]}"} ${also[@]+"${also[@]}"}
cp -r "$crate/tests" "$crate/examples" "$work/"
"$work/env/bin/python" -m pytest -q -rs -p no:cacheprovider --basetemp "$work/pytest" "$work/tests"
(
  cd "$crate"
  "$work/env/bin/python" stubs.py --check
  "$work/env/bin/python" -m mypy --cache-dir "$work/mypy" python/tailrank stubs.py tests/typed_usage.py
  # Its errors depend on what scikit-learn and pandas say of themselves: today's.
  if [ ${#lowest[@]} -eq 0 ]; then "$work/env/bin/pyright" --pythonpath "$work/env/bin/python"; fi
)

# The notebooks, as a reader runs them: in a folder of their own.
for notebook in "$work"/examples/*.ipynb; do
  (cd "$work/examples" && "$work/env/bin/python" - "$notebook" <<'PY'
import sys
import time

import nbformat
from nbclient import NotebookClient

path = sys.argv[1]
notebook = nbformat.read(path, as_version=4)
started = time.monotonic()
NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
outputs = [o for cell in notebook.cells if cell.cell_type == "code" for o in cell.outputs]
pages = [o for o in outputs if "text/html" in o.get("data", {}) and 'class="tailrank"' in o["data"]["text/html"]]
assert pages, f"{path}: no answer is shown"
nbformat.write(notebook, path)
print(f"{path.rpartition('/')[2]}: {len(outputs)} outputs, {len(pages)} answers, {time.monotonic() - started:.0f} s")
PY
  )
  # Looked at by eye: TAILRANK_EVIDENCE keeps the executed notebooks.
  if [ -n "${TAILRANK_EVIDENCE:-}" ]; then mkdir -p "$TAILRANK_EVIDENCE" && cp "$notebook" "$TAILRANK_EVIDENCE/"; fi
done

# The guide's chapter, with the versions that its outputs were printed by: today's.
if [ ${#lowest[@]} -eq 0 ]; then
  "$work/env/bin/python" scripts/check/guide.py --check --only python.md --program "${TAILRANK_BIN:-$work/env/bin/tailrank}" --python "$work/env/bin/python"
fi
