#!/usr/bin/env bash
# Builds a release from a tag into one folder, without secrets; nothing is uploaded.
#
#   scripts/release.sh [--dev] v0.1.0 [FOLDER]     target/release-v0.1.0 by default
#
# What is built is what was committed under the tag, whose number must be that of the crates:
#
#   tailrank-VERSION-HOST.tar.gz                   the program for this machine, with licences
#   tailrank-VERSION-x86_64-pc-windows-gnu.zip     the same for Windows
#   tailrank-VERSION-cp310-abi3-*.whl              the wheels for this machine and for Windows, built from the source distribution
#   tailrank-VERSION.tar.gz                        the source distribution
#   SHA256SUMS                                     the checksums of all of them
#
# With --dev, for a trial, everything has the profile of the tests, and HEAD is a tag, too. It needs mingw's compiler (Debian:
# gcc-mingw-w64-x86-64) and Python with venv; maturin and twine come from PyPI.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=(--release)
built=release
if [ "${1:-}" = --dev ]; then profile=(); built=debug; shift; fi
tag=${1:?"usage: scripts/release.sh [--dev] TAG [FOLDER]"}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
out=$(realpath -m "${2:-$target/release-$tag}")
windows=x86_64-pc-windows-gnu
host=$(rustc -vV | sed -n 's/^host: //p')
export CARGO_TARGET_DIR=$target

command -v x86_64-w64-mingw32-gcc > /dev/null || { echo "mingw's compiler is needed: apt-get install gcc-mingw-w64-x86-64" >&2; exit 1; }
rustup target add "$windows" > /dev/null 2>&1 || { echo "the target $windows could not be installed" >&2; exit 1; }
if [ -n "$(ls -A "$out" 2> /dev/null)" ]; then echo "$out is not empty" >&2; exit 1; fi

mkdir -p "$target" "$out"
work=$(mktemp -d "$target/release.XXXXXX")
stop() {
  code=$?
  git worktree remove --force "$work/source" 2> /dev/null || true
  rm -rf "$work"
  exit "$code"
}
trap stop EXIT
git worktree add --quiet --detach "$work/source" "$tag"
cd "$work/source"
# The same tag gives the same archives.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# One number for the program, the wheel and the tag.
numbers=$(cat Cargo.toml crates/tailrank-python/Cargo.toml | sed -n 's/^version = "\(.*\)"$/\1/p' | sort -u)
[ "$(wc -l <<< "$numbers")" = 1 ] || { echo "Cargo.toml and crates/tailrank-python/Cargo.toml have different versions:" $numbers >&2; exit 1; }
version=$numbers
if [ "$tag" != "v$version" ] && ! { [ "$built" = debug ] && [ "$tag" = HEAD ]; }; then
  echo "the tag is $tag, the version $version: the tag of a release is v$version" >&2
  exit 1
fi

echo "== the program"
pack() {
  folder=$work/tailrank-$version-$1
  mkdir "$folder"
  cp "$2" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$folder/"
  find "$folder" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
}
# In the wheel's workspace, where crates of others have the features that the wheel wants: each is compiled once for both.
program=(--manifest-path crates/tailrank-python/Cargo.toml -p tailrank --bin tailrank)
cargo build --locked --quiet ${profile[@]+"${profile[@]}"} "${program[@]}"
pack "$host" "$target/$built/tailrank"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner -czf "$out/tailrank-$version-$host.tar.gz" "tailrank-$version-$host"
cargo build --locked --quiet ${profile[@]+"${profile[@]}"} "${program[@]}" --target "$windows"
pack "$windows" "$target/$windows/$built/tailrank.exe"
(cd "$work" && python3 -m zipfile -c "$out/tailrank-$version-$windows.zip" "tailrank-$version-$windows")

echo "== the source distribution and the wheels"
python3 -m venv "$work/build"
"$work/build/bin/pip" install --quiet "maturin>=1.9,<2" "twine>=6"
maturin=$work/build/bin/maturin
"$maturin" sdist --manifest-path crates/tailrank-python/Cargo.toml --out "$out"
# From the sources alone, as an index serves them.
tar -C "$work" -xzf "$out/tailrank-$version.tar.gz"
for also in "" "--target $windows"; do
  # shellcheck disable=SC2086
  (cd "$work/tailrank-$version" && "$maturin" build --quiet --locked ${profile[@]+"${profile[@]}"} $also --out "$out")
done
"$work/build/bin/twine" check --strict "$out/tailrank-$version.tar.gz" "$out"/*.whl
ls "$out"/*-win_amd64.whl > /dev/null
scripts/check/python.sh --bare --wheel "$(ls "$out"/*.whl | grep -v win_amd64)"

(cd "$out" && sha256sum -- *.tar.gz *.zip *.whl > SHA256SUMS && cat SHA256SUMS)
