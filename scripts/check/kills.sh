#!/usr/bin/env bash
# Kills runs at work and writes what came of it to results/safety/kills.md. The tests fail where bytes differ, a cell is fitted twice, more
# than one unfinished folder is left, or a process lives on.
#
#     scripts/check/kills.sh [kills during fits, 1000] [kills from start to page, 100]
set -euo pipefail
cd "$(dirname "$0")/../.."

run() { # NUMBER TARGET TEST
  TAILRANK_KILLS=$1 cargo test --locked --workspace --test "$2" "$3" -- --nocapture
}
fits=$(run "${1:-1000}" engine kills_at_random | awk '/ kills at work in / { kills += $1; sessions += $6 } END { print kills " | " sessions }')
whole=$(run "${2:-100}" it kills_at_any_moment | awk '/ kills met a run at work/ { print $1 " | " $3 }')
mkdir -p results/safety
cat > results/safety/kills.md <<TABLE
# Kills

| what is killed, and when | kills at work | sessions | runs with other bytes | cells fitted twice | unfinished folders after a kill | processes left |
|---|---|---|---|---|---|---|
| the process, during fits | $fits | 0 | 0 | | |
| the process, its group, or all it started, from the start to the page | $whole | 0 | | at most 1, none after the next run | 0 |

Every run went on after its kills and ended with the bytes of one that was left alone. Counted on $(date -u +%F) at $(git rev-parse --short HEAD);
\`scripts/check/kills.sh ${1:-1000} ${2:-100}\` does it again. The tests that count are \`kill.rs\` of the engine and \`whose_fault.rs\` of the
command line.
TABLE
cat results/safety/kills.md
