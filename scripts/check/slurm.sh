#!/usr/bin/env bash
# Runs an experiment on a real Slurm, started here on one machine, and compares the gathered results with a local run, byte by byte:
#
#   scripts/check/slurm.sh                    TAILRANK_BIN names the program; target/debug/tailrank by default
#
# One task is cancelled midway and requeued, one is requeued while it runs, one is run a second time by hand, and in a second submission
# one task is lost for good. Then tasks of the arena are spread: the eight of arena-quick, or all with
# ARENA=experiments/arena.toml. Skipped where Slurm or munge is not installed (Debian: slurm-wlm, munge).
set -euo pipefail

program=${TAILRANK_BIN:-$(dirname "$0")/../../target/debug/tailrank}
PATH=$PATH:/usr/sbin:/sbin
for tool in sbatch scontrol squeue scancel slurmctld slurmd munged; do
  if ! command -v "$tool" > /dev/null; then
    echo "skipped: $tool is not installed (Debian: apt-get install slurm-wlm munge)"
    exit 0
  fi
done
if [ ! -x "$program" ]; then
  echo "error: $program is not there; build it with cargo build --workspace, or set TAILRANK_BIN" >&2
  exit 1
fi
program=$(realpath "$program")
arena=$(realpath "${ARENA:-$(dirname "$0")/../../experiments/arena-quick.toml}")

top=$(mktemp -d)
# Set before anything can call Slurm: no command of this script ever speaks to another cluster, where the user may have jobs.
export SLURM_CONF="$top/slurm.conf"
unset SLURM_CLUSTERS SCANCEL_USER SLURM_CONF_SERVER
started=
# Every character of this name must survive the scripts: the quote, the comment sign, the pattern of log names.
lab="$top/it's a #1 run, 50% \"done\" \$HOME"
mkdir -p "$lab"

say() { printf '%4ss  %s\n' "$SECONDS" "$1"; }

fail() {
  echo "FAILED: $1" >&2
  tail -n 20 "$top"/log/*.log "$lab"/runs/*/slurm/*/out/*.log >&2 || true
  exit 1
}

stop() {
  code=$?
  trap - EXIT
  if [ -n "$started" ] && [ "$SLURM_CONF" = "$top/slurm.conf" ]; then
    scancel --quiet --user="$(id -un)" 2> /dev/null || true
  fi
  for file in slurmctld.pid slurmd.pid munge/pid; do
    if [ -s "$top/$file" ]; then kill "$(cat "$top/$file")" 2> /dev/null || true; fi
  done
  sleep 1
  rm -rf "$top"
  exit "$code"
}
trap stop EXIT

# until_true SECONDS WHAT COMMAND…
until_true() {
  local limit=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" > /dev/null 2>&1; do
    [ "$SECONDS" -lt "$limit" ] || fail "waited in vain for: $what"
    sleep 0.2
  done
}

free_port() {
  local port
  while port=$((20000 + RANDOM % 20000)); (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null; do :; done
  echo "$port"
}

start_cluster() {
  local host me
  host=$(hostname -s) me=$(id -un)
  mkdir -p "$top"/{state,spool,log,munge}
  # Others may pass through to the socket; nobody else reads the key.
  chmod 711 "$top" "$top/munge"
  head -c 1024 /dev/urandom > "$top/munge/key"
  chmod 600 "$top/munge/key"
  munged --force --key-file="$top/munge/key" --socket="$top/munge/socket" --pid-file="$top/munge/pid" \
    --log-file="$top/log/munged.log" --seed-file="$top/munge/seed" 2> /dev/null
  cat > "$top/slurm.conf" << CONF
ClusterName=tailrank
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
AuthType=auth/munge
AuthInfo=socket=$top/munge/socket
SlurmUser=$me
SlurmdUser=$me
StateSaveLocation=$top/state
SlurmdSpoolDir=$top/spool
SlurmctldPidFile=$top/slurmctld.pid
SlurmdPidFile=$top/slurmd.pid
SlurmctldLogFile=$top/log/slurmctld.log
SlurmdLogFile=$top/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=5
MinJobAge=3600
NodeName=$host NodeAddr=127.0.0.1 CPUs=4
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
  slurmctld -c
  started=yes
  slurmd -c
  until_true 30 "the node to be idle" sh -c 'sinfo --noheader --format=%T | grep -qx idle'
}

write_experiment() {
  awk 'BEGIN { print "a,b,level"; for (i = 0; i < 400; i++) print cos(i * 0.7) "," sin(i * 0.3) "," 3 * sin(i * 1.3) + cos(i * 0.7) }' > "$lab/table.csv"
  cat > "$lab/e.toml" << 'TOML'
name = "cluster"
seed = 7
[data]
tables = [{ name = "t", file = "table.csv", target = "level" }]
[split]
kind = "kfold"
folds = 2
[relevance]
low = -1.5
high = 1.5
[measures]
list = ["mad", "rmse", "precision", "recall", "f"]
t_l = 0.8
[compare]
pairs = [["mad", "f"]]
permutations = 100
[[models]]
family = "forest"
grid = { trees = [20, 50] }
[[models]]
family = "nnet"
grid = { size = [2, 3], decay = [0.1] }
[[models]]
family = "linear"
[[models]]
family = "debug"
grid = { sleep_ms = 2500, id = [0, 1, 2, 3, 4, 5] }
TOML
}

# submit NAME [EXPERIMENT]: submits to runs/NAME; sets run, array and gather.
submit() {
  run="$lab/runs/$1"
  local answer
  answer=$(cd "$lab" && "$program" slurm "${2:-e.toml}" --out "runs/$1" --array-size 4 --max-running 3 --time 60 --partition main \
    --sbatch='--comment="two words"' --submit)
  array=$(sed -n 's/.*array job \([0-9]*\),.*/\1/p' <<< "$answer")
  gather=$(sed -n 's/.*gather job \([0-9]*\).*/\1/p' <<< "$answer")
  [ -n "$array" ] && [ -n "$gather" ] || fail "submission said: $answer"
  say "submitted array $array and gather $gather"
}

task_is() { squeue --noheader --array --states=all --job "$1" --format='%K %T' | grep -qE "^$2 ($3)\$"; }
# Events of a task, of all its starts: each process has a log of its own.
events_of() { cat "$run/log/workers/slurm-$array-$1"-*.events.jsonl; }
has_started() { events_of "$1" | grep '"started"'; }
gathered() { grep -qE 'JobState=(COMPLETED|FAILED|CANCELLED|TIMEOUT|NODE_FAIL)' <<< "$(scontrol show job "$gather")"; }

# check_results [LOCAL]: compares the gathered run with a local one.
check_results() {
  # Code 3: finished, with fits that failed, which the results hold as rows.
  grep -qE 'JobState=COMPLETED|ExitCode=3:0' <<< "$(scontrol show job "$gather")" || fail "the gather job failed"
  for part in cells results; do
    diff -r "$lab/runs/${1:-local}/$part" "$run/$part" > "$top/log/diff.log" || fail "$part differ from the local run"
  done
  local said
  said=$("$program" status "$run")
  grep -qE '([0-9,]+) of \1 groups of fits done( \([0-9]+ failed\))? · 0 running · 0 left' <<< "$said" || fail "status says: $said"
  if grep -q 'lost worker' <<< "$said"; then fail "a worker is missed after the end: $said"; fi
  say "$(find "$run/cells" "$run/results" -type f | wc -l) files of results are the same, byte for byte"
}

start_cluster
say "$(sinfo --version) is up"
write_experiment
(cd "$lab" && "$program" run e.toml --out runs/local --jobs 4 --quiet > /dev/null)
say "local run done"

submit requeued
until_true 60 "tasks 2 and 3 to fit" eval 'has_started 2 && has_started 3'
"$program" status "$run"
grep -q '"worker": "slurm-' <<< "$("$program" status "$run" --json)" || fail "status names no worker"
# The same task once more, at the same time, as if Slurm had started it twice.
(cd "$lab" && env SLURM_ARRAY_JOB_ID="$array" SLURM_ARRAY_TASK_ID=1 "$program" run e.toml --out "$run" --shares "$run"/slurm/*/shares.json \
  --share 1/4 --jobs 2 --quiet > "$top/log/by-hand.log" 2>&1) &
by_hand=$!
scancel "${array}_2"
until_true 30 "task 2 to be cancelled" task_is "$array" 2 CANCELLED
say "task 2 cancelled midway: $("$program" status "$run" | head -n 1)"
for task in 2 3; do
  scontrol requeue "${array}_$task"
  until_true 30 "task $task to wait again" task_is "$array" "$task" PENDING
  # Slurm lets a requeued task wait for minutes, until the credential of its first start has expired for sure.
  scontrol update JobId="${array}_$task" StartTime=now
done
say "task 2 requeued after its end, task 3 while it ran"
wait "$by_hand" || fail "the task run by hand failed"
until_true 180 "the gather job" gathered
for task in 2 3; do
  [ "$(events_of "$task" | grep -c '"opened"')" -ge 2 ] || fail "task $task was not started again"
done
check_results

submit lost
until_true 60 "task 1 to fit" has_started 1
scancel --signal=KILL --full "${array}_1"
say "task 1 killed without warning and never started again"
until_true 180 "the gather job" gathered
grep -q '"stored"' "$run/log/events.jsonl" || fail "the gather job had nothing to fit: no task was lost"
check_results

cp "$arena" "$lab/arena.toml"
(cd "$lab" && "$program" run arena.toml --out runs/local-arena --jobs 2 --quiet > /dev/null) || [ $? = 3 ] || fail "the local run"
say "local run of $(basename "$arena") done"
submit arena arena.toml
until_true 3000 "the gather job" gathered
check_results local-arena
say "passed"
