#!/usr/bin/env bash
# Fuzzes what is read from files:
#
#   scripts/check/fuzz.sh [seconds] [target …]       300 seconds of each target by default; 0 builds and ends
#   FUZZ_SEED=1 scripts/check/fuzz.sh 60             the same inputs each time, as far as a minute goes
#
# Targets: experiment (experiment files), cell (cells of a run), manifest (run.json and the records of files), predictions
# (tables of predictions and scores), series (CSV), parquet, ipc (Arrow).
#
# The project's crates are instrumented for coverage and linked with libFuzzer (crate libfuzzer-sys, a C++ compiler is needed); all
# other crates are taken from target/ as the tests have built them, so that a build takes a minute or two and no nightly toolchain.
# The crates have no unsafe code of their own, so memory needs no sanitizer. What is found is kept in fuzz/artifacts; the corpus in
# fuzz/corpus grows from run to run.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-300}
shift || true
known="experiment cell manifest predictions series parquet ipc"
targets=${*:-$known}
for target in $targets; do
    case " $known " in
        *" $target "*) ;;
        *) echo "fuzz.sh: no target '$target'; choose among $known" >&2; exit 2 ;;
    esac
done

# A workspace like the project's own with one more member: the wrapper below instruments members alone.
place=target/fuzz
mkdir -p "$place/fuzz"
ln -sfn ../../crates "$place/crates"
ln -sfn ../../experiments "$place/experiments"
ln -sfn ../../../fuzz/fuzz_targets "$place/fuzz/fuzz_targets"
# What is fuzzed reads and plans; it trains nothing, so the models need no effort.
sed 's|^members = .*|members = ["crates/*", "fuzz"]|; s|^opt-level = 3$|opt-level = 1|; s|^codegen-units = 1$|codegen-units = 16|' \
    Cargo.toml > "$place/Cargo.toml"
sed '/^# Not a member/,$d' fuzz/Cargo.toml > "$place/fuzz/Cargo.toml"
[ -e "$place/Cargo.lock" ] || cp Cargo.lock "$place/Cargo.lock"
cat > "$place/instrument" <<'WRAPPER'
#!/bin/sh
exec "$@" --cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares
WRAPPER
chmod +x "$place/instrument"
built=${CARGO_TARGET_DIR:-$PWD/target}
bins=()
for target in $targets; do bins+=(--bin "fuzz-$target"); done
CARGO_TARGET_DIR=$built RUSTC_WORKSPACE_WRAPPER=$PWD/$place/instrument \
    cargo build --manifest-path "$place/Cargo.toml" --workspace "${bins[@]}"
[ "$seconds" != 0 ] || exit 0

failed=0
for target in $targets; do
    corpus=fuzz/corpus/$target
    mkdir -p "$corpus" "fuzz/artifacts/$target"
    options=()
    case $target in
        experiment)
            cp experiments/*.toml crates/tailrank-score/tests/fixtures/released/experiment.toml "$corpus/"
            # The words of the seeds are the words of the format.
            cat "$corpus"/*.toml | grep -oE '[A-Za-z_]{2,}' | sort -u | sed 's/.*/"&"/' > "$place/experiment.dict"
            options=(-dict="$place/experiment.dict")
            ;;
        cell) find crates/tailrank-score/tests/fixtures/released crates/tailrank-data/tests/fixtures -name '*.parquet' -exec cp -t "$corpus" {} + ;;
        manifest) cp crates/tailrank-score/tests/fixtures/released/run.json "$corpus/" ;;
        predictions)
            cp fuzz/seeds/*.* "$corpus/"
            cp fuzz/seeds/predictions/* crates/tailrank-data/tests/fixtures/parquet/*.parquet "$corpus/"
            ;;
        series | parquet | ipc)
            for file in fuzz/seeds/*.* crates/tailrank-data/tests/malformed/* crates/tailrank-data/tests/fixtures/parquet/*.parquet; do
                case $file in
                    *.message) ;;
                    *) cp "$file" "$corpus/" ;;
                esac
            done
            ;;
    esac
    echo "fuzz.sh: $target for $seconds seconds"
    "$built/debug/fuzz-$target" "$corpus" "${options[@]}" -artifact_prefix="fuzz/artifacts/$target/" -max_total_time="$seconds" \
        -seed="${FUZZ_SEED:-0}" -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 || {
        echo "fuzz.sh: $target failed; what it read last:"
        find "fuzz/artifacts/$target" -type f -newer "$built/debug/fuzz-$target" -exec base64 {} +
        failed=1
    }
done
exit $failed
