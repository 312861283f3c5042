#!/usr/bin/env bash
# The committed summaries of the studies, results/<study>/: claims.md and the files it links to.
#
#   scripts/summaries.sh [STUDY…]           run every study (or those named) afresh and write its summary
#   scripts/summaries.sh --check [STUDY…]   compare with the committed files instead; ends with 1 if any byte differs
#   scripts/summaries.sh --twice [STUDY…]   run everything twice, with other numbers of jobs, and compare all results
#
# TAILRANK names a program that is built already; runs go to a folder that is removed afterwards, or to RUNS if set.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=write
case "${1:-}" in
--check | --twice)
    mode=${1#--}
    shift
    ;;
esac
if [ -z "${TAILRANK:-}" ]; then
    cargo build --release --workspace --bin tailrank
    TAILRANK=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release/tailrank
fi
if [ -z "${RUNS:-}" ]; then
    RUNS=$(mktemp -d)
    trap 'rm -rf "$RUNS"' EXIT
fi
if [ $# -eq 0 ]; then
    mapfile -t studies < <(COLUMNS=200 "$TAILRANK" list studies | awk 'NR > 1 && /^[a-z]/ { print $1 }')
    set -- "${studies[@]}"
fi

# The files of a study's summary.
summary() { echo claims.md && grep -o '([a-z0-9_-]*\.\(csv\|svg\))' "$1/claims.md" | tr -d '()' | sort -u; }

status=0
for study in "$@"; do
    echo "== $study"
    "$TAILRANK" reproduce "$study" --quiet --out "$RUNS/$study" >"$RUNS/$study.txt"
    found=$RUNS/$study/study
    case $mode in
    write)
        rm -rf "results/$study" && mkdir -p "results/$study"
        for file in $(summary "$found"); do cp "$found/$file" "results/$study/"; done
        ;;
    check)
        for file in $(summary "$found"); do cmp "$found/$file" "results/$study/$file" || status=1; done
        ;;
    twice)
        "$TAILRANK" reproduce "$study" --quiet --jobs 1 --out "$RUNS/$study.again" >/dev/null
        for part in study results report; do
            [ ! -d "$RUNS/$study/$part" ] || diff -rq -x timings.js -x files.json "$RUNS/$study/$part" "$RUNS/$study.again/$part" || status=1
        done
        ;;
    esac
done
exit $status
