#!/usr/bin/env bash
# The committed summaries of the studies, results/<study>/: claims.md and the files it links to; and the table of studies in README.md.
#
#   scripts/summaries.sh [STUDY…]           run every study (or those named) afresh and write its summary
#   scripts/summaries.sh --check [STUDY…]   compare with the committed files instead; ends with 1 if any byte differs
#   scripts/summaries.sh --twice [STUDY…]   run everything twice, with other numbers of jobs, and compare all results
#   scripts/summaries.sh --times [STUDY…]   measure the CPU time of each and write it where `list studies` reads it
#   scripts/summaries.sh --readme           write README's table from the committed summaries, without a run
#
# TAILRANK names a program that is built already; runs go to a folder that is removed afterwards, or to RUNS if set.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=write
case "${1:-}" in
--check | --twice | --times | --readme)
    mode=${1#--}
    shift
    ;;
esac

# README's rows between the markers: how the paper's findings stand, as claims.md says.
readme_rows() {
    echo '<!-- studies: written by scripts/summaries.sh -->'
    echo '| study | paper | its findings |'
    echo '|---|---|---|'
    for study in $(sed -n 's/^    ("\([a-z-]*\)", include_str.*/\1/p' crates/tailrank/src/studies/mod.rs); do
        file=results/$study/claims.md
        [ -f "$file" ] || continue
        paper=$(sed -n '3s/^[^(]*(\(.*\))$/\1/p' "$file")
        found=$(sed -n "s/^Of the paper's \([0-9]* findings: .*\)\.$/\1/p; s/^The paper's one \(finding: .*\)\.$/1 \1/p" "$file" | head -1)
        echo "| [\`$study\`](results/$study/claims.md) | $paper | $found |"
    done
    echo '<!-- /studies -->'
}

# README.md with these rows in the place of the old ones.
readme() {
    readme_rows >"$1.rows"
    awk -v rows="$1.rows" '
        /^<!-- studies:/ { while ((getline line < rows) > 0) print line; skip = 1 }
        !skip { print }
        /^<!-- \/studies -->/ { skip = 0 }' README.md >"$1"
    rm "$1.rows"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ $mode = readme ]; then
    readme "$scratch/README.md" && cp "$scratch/README.md" README.md
    exit 0
fi
if [ -z "${TAILRANK:-}" ]; then
    cargo build --release --workspace --bin tailrank
    TAILRANK=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release/tailrank
fi
RUNS=${RUNS:-$scratch/runs}
mkdir -p "$RUNS"
if [ $# -eq 0 ]; then
    mapfile -t studies < <(COLUMNS=200 "$TAILRANK" list studies | awk 'NR > 1 && /^[a-z]/ { print $1 }')
    set -- "${studies[@]}"
fi

# The files of a study's summary: claims.md and what it links to.
summary() { echo claims.md && grep -o '([A-Za-z0-9_-]*\.\(csv\|svg\|md\))' "$1/claims.md" | tr -d '()' | sort -u; }

status=0
times=crates/tailrank/src/studies/times.csv
for study in "$@"; do
    echo "== $study"
    [ $mode != times ] || rm -rf "${RUNS:?}/$study"
    TIMEFORMAT='%U %S'
    # A failed fit (exit code 3) is a row of the results.
    { time "$TAILRANK" reproduce "$study" --quiet --out "$RUNS/$study" >"$RUNS/$study.txt"; } 2>"$RUNS/$study.time" || [ $? -eq 3 ] || {
        cat "$RUNS/$study.time" >&2
        exit 1
    }
    found=$RUNS/$study/study
    case $mode in
    write)
        # Only files of an earlier summary go; what else was put there stays.
        if [ -f "results/$study/claims.md" ]; then
            for file in $(summary "results/$study"); do rm -f "results/$study/$file"; done
        fi
        mkdir -p "results/$study"
        for file in $(summary "$found"); do cp "$found/$file" "results/$study/"; done
        ;;
    check)
        for file in $(summary "$found"); do cmp "$found/$file" "results/$study/$file" || status=1; done
        for file in $(summary "results/$study"); do
            [ -f "$found/$file" ] || { echo "results/$study/$file is no longer made" && status=1; }
        done
        ;;
    times)
        seconds=$(tail -1 "$RUNS/$study.time" | awk '{ printf "%.1f", $1 + $2 }')
        grep -v "^$study," $times >"$scratch/times.csv"
        echo "$study,$seconds" >>"$scratch/times.csv"
        (head -1 "$scratch/times.csv" && tail -n +2 "$scratch/times.csv" | sort) >$times
        ;;
    twice)
        "$TAILRANK" reproduce "$study" --quiet --jobs 1 --out "$RUNS/$study.again" >/dev/null
        for part in study results report; do
            [ ! -d "$RUNS/$study/$part" ] || diff -rq -x timings.js -x files.json "$RUNS/$study/$part" "$RUNS/$study.again/$part" || status=1
        done
        ;;
    esac
done
case $mode in
write) readme "$scratch/README.md" && cp "$scratch/README.md" README.md ;;
check) readme "$scratch/README.md" && diff README.md "$scratch/README.md" || status=1 ;;
esac
exit $status
