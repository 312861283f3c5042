use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use crate::{BASELINES, Desk, desk_with, ends_with, experiment, files, outputs, table_csv};

const MODELS: &str = "[[models]]\nfamily = \"debug\"\ngrid = { sleep_ms = 5, id = [0, 1, 2, 3, 4] }\n\
                      [[models]]\nfamily = \"linear\"\n";

/// Stands for a cluster: runs the tasks of an array one after another, and any other job at once.
const SBATCH: &str = r#"#!/bin/sh
for script in "$@"; do :; done
echo "$@" >> sbatch.log
last=$(sed -n 's/^#SBATCH --array=1-\([0-9]*\).*/\1/p' "$script")
if [ -n "$last" ]; then
  for task in $(seq "$last"); do SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$task sh "$script" > /dev/null 2>> jobs.log; done
  echo "7;here"
else
  sh "$script" > gather.log 2>> jobs.log && echo 8
fi
"#;

#[test]
fn a_dry_run_prints_the_scripts_and_writes_nothing() {
    let desk = desk_with(MODELS);
    let said = desk.stdout(&["slurm", "e.toml", "--dry-run", "--array-size", "2", "--time", "1:00:00"], 0);
    for part in [
        "#SBATCH --array=1-2\n",
        "#SBATCH --time=1:00:00\n",
        "--share \"$SLURM_ARRAY_TASK_ID\"/2",
        "--dependency=afterany:\"$array\"",
        "6 groups of fits in 2 tasks",
    ] {
        assert!(said.contains(part), "{part} is missing:\n{said}");
    }
    assert!(!desk.path("runs").exists());
}

#[test]
fn submitted_jobs_end_with_the_bytes_of_a_local_run() {
    // A folder whose name holds whatever a shell or sbatch could trip over.
    let desk = Desk::new();
    let inner = desk.path("it's a \"run\" #1 $(touch owned) 50%");
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("table.csv"), table_csv(200)).unwrap();
    fs::write(inner.join("e.toml"), experiment("x; touch owned", MODELS)).unwrap();
    fs::write(inner.join("sbatch"), SBATCH).unwrap();
    fs::set_permissions(inner.join("sbatch"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", inner.display(), std::env::var("PATH").unwrap());
    let type_in = |arguments: &[&str]| {
        let mut command = desk.tailrank(arguments);
        command.current_dir(&inner).env("PATH", &path);
        String::from_utf8(ends_with(0, &mut command).stdout).unwrap()
    };
    type_in(&["run", "e.toml", "--out", "local"]);
    let said = type_in(&["slurm", "e.toml", "--out", "far", "--array-size", "3", "--cpus", "2", "--submit"]);
    assert!(said.contains("Submitted: array job 7, gather job 8"), "{said}");
    let jobs = fs::read_to_string(inner.join("sbatch.log")).unwrap();
    assert!(jobs.lines().nth(1).unwrap().contains("--dependency=afterany:7 "), "{jobs}");
    assert!(outputs(&inner.join("local")) == outputs(&inner.join("far")));
    let gathered = fs::read_to_string(inner.join("gather.log")).unwrap();
    assert!(gathered.contains("6 models"), "{gathered}");
    let logs: Vec<String> =
        files(&inner.join("far/log/workers")).into_keys().map(|name| name.display().to_string()).collect();
    assert_eq!(logs.len(), 3);
    assert!(logs.iter().any(|l| l.starts_with("slurm-7-3-r0-") && l.ends_with(".events.jsonl")), "{logs:?}");
    assert!(!inner.join("owned").exists());

    let said = type_in(&["slurm", "e.toml", "--out", "far", "--submit"]);
    assert!(said.contains("All fits are stored"), "{said}");
}

#[test]
fn scripts_are_written_for_later_and_refuse_a_changed_experiment() {
    let desk = desk_with(BASELINES);
    let said = desk.stdout(&["slurm", "e.toml", "--array-size", "9"], 0);
    assert!(said.contains("2 groups of fits in 2 tasks"), "no task without a cell: {said}");
    let submit = said.split("Submit with: sh ").nth(1).unwrap().trim();
    assert!(Path::new(submit).is_file(), "{said}");
    let shares = Path::new(submit).with_file_name("shares.json");
    let shares = shares.to_str().unwrap();
    desk.stdout(&["run", "e.toml", "--shares", shares, "--share", "1/2"], 0);
    desk.write("e.toml", experiment("try", MODELS));
    for arguments in [vec!["--share", "2/2"], vec![]] {
        let command = [vec!["run", "e.toml", "--shares", shares], arguments].concat();
        let said = desk.stderr(&command, 2);
        assert!(said.contains("experiment was changed"), "{said}");
    }
}

#[test]
fn a_submission_that_fails_says_what_sbatch_said() {
    let desk = desk_with(BASELINES);
    desk.write("sbatch", "#!/bin/sh\necho 'invalid partition' >&2\nexit 1\n");
    fs::set_permissions(desk.path("sbatch"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", desk.folder.path().display(), std::env::var("PATH").unwrap());
    let mut slurm = desk.tailrank(&["slurm", "e.toml", "--submit"]);
    let output = ends_with(1, slurm.env("PATH", path).env("COLUMNS", "5000"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("invalid partition"));
}

#[test]
fn an_array_without_its_gather_job_is_said_with_what_to_do() {
    let desk = Desk::new();
    let inner = desk.path("it's $HOME");
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("table.csv"), table_csv(200)).unwrap();
    fs::write(inner.join("e.toml"), experiment("try", BASELINES)).unwrap();
    let sbatch =
        "#!/bin/sh\ncase \"$*\" in *--dependency*) echo 'over the limit' >&2; exit 1;; *) echo 7;; esac\n";
    fs::write(inner.join("sbatch"), sbatch).unwrap();
    fs::set_permissions(inner.join("sbatch"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", inner.display(), std::env::var("PATH").unwrap());
    let mut command = desk.tailrank(&["slurm", "e.toml", "--submit"]);
    let output = ends_with(1, command.current_dir(&inner).env("PATH", &path).env("COLUMNS", "5000"));
    let said = String::from_utf8(output.stderr).unwrap();
    for part in ["over the limit", "array job 7 is submitted, its gather job is not", "scancel 7"] {
        assert!(said.contains(part), "{part} is missing: {said}");
    }
    // The command that it says can be pasted.
    let paste = said.lines().find(|l| l.trim_start().starts_with("sbatch --dependency")).unwrap();
    let words = format!("printf '%s\\n' {}", paste.trim_start().strip_prefix("sbatch ").unwrap());
    let words = std::process::Command::new("sh").args(["-c", &words]).output().unwrap();
    let words = String::from_utf8(words.stdout).unwrap();
    let (dependency, script) = words.trim_end().split_once('\n').unwrap();
    assert_eq!(dependency, "--dependency=afterany:7");
    assert!(Path::new(script).is_file(), "{script}");
}

#[test]
fn the_gather_job_has_its_own_size() {
    let desk = desk_with(BASELINES);
    let sizes = ["--gather-cpus", "8", "--gather-time", "2-0", "--gather-memory", "32G", "--no-report"];
    let said = desk.stdout(&[&["slurm", "e.toml", "--dry-run", "--memory", "8G"], &sizes[..]].concat(), 0);
    let gather = &said[said.find("gather.sh").unwrap()..];
    for part in
        ["--cpus-per-task=8\n", "--time=2-0\n", "--mem=32G\n", "--jobs 8 --no-report\n", "--requeue\n"]
    {
        assert!(gather.contains(part), "{part} is missing:\n{said}");
    }
}

#[test]
fn less_memory_than_the_experiment_allows_is_warned_of() {
    let desk = desk_with(BASELINES);
    let said = desk.stderr(&["slurm", "e.toml", "--dry-run", "--memory", "1G"], 0).replace('\n', " ");
    assert!(said.contains("--memory 1G is 1024 MB") && said.contains("4096 MB"), "{said}");
    for enough in ["4G", "0"] {
        assert_eq!(desk.stderr(&["slurm", "e.toml", "--dry-run", "--memory", enough], 0), "");
    }
}

#[test]
fn a_run_that_is_being_fitted_is_warned_of() {
    let desk = desk_with("[[models]]\nfamily = \"debug\"\nvariants = [{ fault = \"hang\" }]\n");
    let mut child = desk.tailrank(&["run", "e.toml", "--share", "1/1", "--quiet"]).spawn().unwrap();
    let running = || {
        desk.tailrank(&["status", "runs/try"])
            .output()
            .is_ok_and(|o| crate::text(&o.stdout).contains("1 running"))
    };
    let started = std::time::Instant::now();
    while !running() && started.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let said = desk.stderr(&["slurm", "e.toml", "--dry-run"], 0);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(said.contains("warning: 1 worker"), "{said}");
    assert_eq!(desk.stderr(&["slurm", "e.toml", "--dry-run"], 0), "", "a worker that is gone is none");
}

#[test]
fn what_is_no_line_of_a_script_is_refused() {
    let desk = desk_with(BASELINES);
    for (option, value) in [
        ("--partition", "a\nb"),
        ("--account", ""),
        ("--sbatch", "--x\n#SBATCH --uid=0"),
        ("--sbatch", "touch owned"),
        ("--sbatch", "--array=1-9"),
        ("--time", "banana"),
        ("--gather-time", "4h"),
        ("--memory", "much"),
    ] {
        let said = desk.stderr(&["slurm", "e.toml", option, value], 2);
        assert!(said.contains(option), "{said}");
    }
    for wrong in ["0/2", "3/2", "x"] {
        assert!(desk.stderr(&["run", "e.toml", "--share", wrong], 2).contains("3/40"));
    }
    assert!(!desk.path("runs").exists());
}

#[test]
fn programs_need_leave_before_they_are_submitted() {
    let desk = desk_with(
        "[[models]]\nfamily = \"command\"\ncommand = [\"true\", \"{train}\", \"{test}\", \"{out}\"]\n",
    );
    assert!(desk.stderr(&["slurm", "e.toml", "--dry-run"], 2).contains("--allow-commands"));
    let said = desk.stdout(&["slurm", "e.toml", "--dry-run", "--allow-commands"], 0);
    assert!(said.contains("--jobs 1 --allow-commands"), "{said}");
}
