use std::{
    fs,
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::Value;

use crate::{BASELINES, Desk, desk_with, ends_with, experiment, table_csv};

/// The screen without its first line, which tells the time.
fn body(summary: &str) -> &str {
    summary.split_once('\n').unwrap().1
}

#[test]
fn a_second_run_reuses_all_cells_and_says_the_same() {
    let desk = desk_with(BASELINES);
    assert_eq!(desk.fits(&["run", "e.toml"], 0), (2, 0));
    let scores = desk.read("runs/try/results/scores.csv");
    let first = desk.stdout(&["run", "e.toml"], 0);
    assert_eq!(desk.fits(&["run", "e.toml"], 0), (0, 2));
    let second = desk.stdout(&["run", "e.toml"], 0);
    assert_eq!(body(&first), body(&second));
    assert_eq!(scores, desk.read("runs/try/results/scores.csv"));
}

#[test]
fn failed_fits_are_rows_with_reasons_and_exit_code_3() {
    let debug = "[[models]]\nfamily = \"debug\"\ngrid = { fault = [\"none\", \"error\", \"panic\", \"nan\", \"short\"] }\n";
    let desk = desk_with(&format!("{BASELINES}{debug}"));
    let output = ends_with(3, &mut desk.tailrank(&["run", "e.toml", "--json"]));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let failures = summary["failures"].as_array().unwrap();
    assert_eq!(summary["failed_fits"], 4);
    assert_eq!(failures.len(), 4);
    let reasons: Vec<&str> = failures.iter().map(|f| f["reason"].as_str().unwrap()).collect();
    assert!(reasons.iter().any(|r| r.contains("failed on demand")), "{reasons:?}");
    assert!(reasons.iter().any(|r| r.contains("panicked on demand")), "{reasons:?}");
    assert!(output.stderr.is_empty(), "with --json nothing else is said");
    let verdict = &summary["comparisons"][0];
    assert_eq!(
        (&verdict["task"], &verdict["chosen_by"], &verdict["judged_by"]),
        (&"t".into(), &"mad".into(), &"f".into())
    );
    assert_eq!(verdict["chosen"], "linear");
    let shown = desk.stdout(&["run", "e.toml"], 3);
    assert!(shown.contains("4 fits failed"), "{shown}");
}

/// A program that gives no predictions until the file `ready` is there.
#[test]
#[cfg(unix)]
fn failed_fits_are_kept_until_asked_to_retry() {
    let desk = desk_with("");
    let ready = desk.path("ready");
    let command = format!(
        "[[models]]\nfamily = \"command\"\ncommand = [\"sh\", \"model.sh\", \"{{test}}\", \"{{out}}\", {ready:?}]\n"
    );
    desk.write("e.toml", experiment("try", &format!("{BASELINES}{command}")));
    desk.write(
        "model.sh",
        "[ -d \"$3\" ] && (echo prediction; tail -n +2 \"$1\" | sed 's/.*/0.5/') > \"$2\"\n",
    );
    let run = ["run", "e.toml", "--allow-commands"];
    desk.stdout(&run, 3);
    // A folder: files among the arguments belong to the program, and another program is another cell.
    fs::create_dir(&ready).unwrap();
    assert_eq!(desk.fits(&run, 3), (0, 3), "a failure is a result");
    assert_eq!(desk.fits(&[&run[..], &["--retry-failed"]].concat(), 0), (1, 2));
    assert_eq!(desk.fits(&run, 0), (0, 3));
}

#[test]
fn only_names_tasks_and_families() {
    let desk = desk_with(BASELINES);
    for (only, fitted, of) in [("t/linear", 1, 1), ("/base", 1, 2), ("t/", 2, 3), ("linear", 1, 1)] {
        let _ = fs::remove_dir_all(desk.path("runs"));
        assert_eq!(desk.fits(&["run", "e.toml", "--only", only], 0).0, fitted, "{only}");
        let shown = desk.stdout(&["run", "e.toml", "--only", only], 0);
        let said = format!("{of} of 3 models and baselines are fitted; the answer leaves out the rest.");
        assert_eq!(shown.contains(&said), of < 3, "{only}: {shown}");
    }
    let summary = desk.stdout(&["run", "e.toml", "--only", "nothing/linear"], 2);
    assert!(summary.is_empty());
}

#[test]
fn a_share_is_valid_json_in_any_folder() {
    let desk = desk_with(BASELINES);
    let out = "a folder with a very long name that has many spaces in it and goes on and on so that it wraps";
    let shown = desk.stdout(&["run", "e.toml", "--share", "1/1", "--json", "--out", out], 0);
    let facts: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!((&facts["run"], &facts["fitted"]), (&out.into(), &2.into()));
}

#[test]
fn quiet_says_results_only() {
    let desk = desk_with(BASELINES);
    let output = ends_with(0, &mut desk.tailrank(&["run", "e.toml", "--quiet"]));
    assert!(output.stderr.is_empty());
    assert!(!output.stdout.is_empty());
}

#[test]
fn an_interrupt_keeps_finished_cells() {
    // Cells that end at once, and one that never does.
    let desk = desk_with(
        "[[models]]\nfamily = \"linear\"\n[[models]]\nfamily = \"debug\"\nvariants = [{ fault = \"hang\" }]\n",
    );
    let mut child = Command::new(env!("CARGO_BIN_EXE_tailrank"))
        .args(["run", "e.toml", "--jobs", "2"])
        .current_dir(desk.folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    let stored =
        || fs::read_to_string(desk.path("runs/try/log/events.jsonl")).is_ok_and(|e| e.contains("stored"));
    while !stored() && started.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(20));
    }
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert!(said.contains("finished fits are kept"), "{said}");

    desk.write("e.toml", experiment("try", "[[models]]\nfamily = \"linear\"\n"));
    assert_eq!(desk.fits(&["run", "e.toml"], 0), (0, 1));
}

/// The program itself, killed again and again in the middle of its work.
#[test]
fn a_killed_program_goes_on_where_it_was() {
    const KILLS: usize = 20;
    let ids: Vec<String> = (0..120).map(|id| id.to_string()).collect();
    let desk = desk_with(&format!(
        "[[models]]\nfamily = \"debug\"\ngrid = {{ sleep_ms = 30, id = [{}] }}\n",
        ids.join(", ")
    ));
    let run = |out: &str, jobs: &str| {
        let mut command = desk.tailrank(&["run", "e.toml", "--no-report", "--out", out, "--jobs", jobs]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    assert!(run("clean", "16").status().unwrap().success());
    let stored = || {
        let events = fs::read_to_string(desk.path("killed/log/events.jsonl")).unwrap_or_default();
        events.matches("\"stored\"").count()
    };
    for kill in 1..=KILLS {
        let before = stored();
        let mut child = run("killed", "2").spawn().unwrap();
        let began = Instant::now();
        // At least one cell further, so that every kill meets work and all of them together leave some.
        while stored() <= before + kill % 4 {
            assert!(began.elapsed() < Duration::from_secs(60) && child.try_wait().unwrap().is_none());
            sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().code(), None, "kill {kill} came too late");
    }
    assert!(stored() < 120, "the last kill must meet work");
    assert!(run("killed", "16").status().unwrap().success());
    // A kill between a cell's file and its line in the log leaves the line out; a second line would be a
    // second fit.
    let events = desk.read("killed/log/events.jsonl");
    let mut lines: Vec<&str> = events.lines().filter(|l| l.contains("\"stored\"")).collect();
    let logged = lines.len();
    assert!((120 - KILLS..=120).contains(&logged), "{logged} of 120 cells in the log");
    let key = |line: &&str| line.split("\"cell\":\"").nth(1).map(|rest| rest[..32].to_owned());
    lines.sort_by_key(key);
    lines.dedup_by_key(|line| key(line));
    assert_eq!(lines.len(), logged, "no cell was stored twice");
    assert!(crate::outputs(&desk.path("killed")) == crate::outputs(&desk.path("clean")));
}

#[test]
fn another_experiment_does_not_take_a_folder_over() {
    let desk = desk_with(BASELINES);
    desk.write("a.toml", experiment("a b", BASELINES));
    desk.write("b.toml", experiment("a-b", BASELINES));
    desk.stdout(&["run", "a.toml", "--no-report"], 0);
    let said = desk.stderr(&["run", "b.toml", "--no-report"], 2);
    assert!(said.contains("a.toml") && said.contains("--out"), "{said}");
    // Of an experiment whose file is gone the name still tells.
    fs::remove_file(desk.path("a.toml")).unwrap();
    let said = desk.stderr(&["run", "b.toml", "--no-report"], 1);
    assert!(said.contains("experiment 'a b'") && said.contains("--out"), "{said}");
}

#[test]
fn time_in_suspension_does_not_count_against_a_cell() {
    let endless =
        "[limits]\ncell_seconds = 3.0\n[[models]]\nfamily = \"debug\"\nvariants = [{ fault = \"hang\" }]\n";
    let desk = desk_with(endless);
    let started = Instant::now();
    let mut child = desk.tailrank(&["run", "e.toml", "--quiet"]).stdout(Stdio::null()).spawn().unwrap();
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
    let begun =
        || fs::read_to_string(desk.path("runs/try/log/events.jsonl")).is_ok_and(|e| e.contains("started"));
    while !begun() && started.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(10));
    }
    kill(pid, Signal::SIGSTOP).unwrap();
    let before = started.elapsed();
    sleep(Duration::from_secs(4));
    let resumed = Instant::now();
    kill(pid, Signal::SIGCONT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3), "the fit is stopped in the end");
    // Of the four seconds one counts at most, so what was left of three goes on.
    let left = Duration::from_secs(3 - 1).saturating_sub(before);
    assert!(resumed.elapsed() >= left, "stopped after {:?} of {left:?}", resumed.elapsed());
}

#[test]
fn an_interrupt_while_scoring_writes_no_tables() {
    const CELLS: usize = 150;
    let ids: Vec<String> = (0..CELLS).map(|i| i.to_string()).collect();
    let desk =
        desk_with(&format!("[[models]]\nfamily = \"debug\"\ngrid = {{ id = [{}] }}\n", ids.join(", ")));
    // Permutations that take seconds hold the run where everything is fitted and nothing is written.
    let slow = desk.read("e.toml").replace("[compare]", "[compare]\npermutations = 1_000_000");
    desk.write("e.toml", slow);
    let mut child = Command::new(env!("CARGO_BIN_EXE_tailrank"))
        .args(["run", "e.toml"])
        .current_dir(desk.folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    let stored = || {
        fs::read_to_string(desk.path("runs/try/log/events.jsonl"))
            .is_ok_and(|e| e.matches("stored").count() == CELLS)
    };
    while !stored() && started.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(20));
    }
    sleep(Duration::from_millis(100));
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert!(said.contains("finished fits are kept"), "{said}");
    assert!(!desk.path("runs/try/results/scores.csv").exists());
    assert!(!desk.path("runs/try/report").exists());
}

#[test]
fn names_never_become_paths() {
    for name in
        ["../x", "/etc/x", "<script>alert(1)</script>", "..", "a\"b'c", "naïve – 株", &"long".repeat(200)]
    {
        let desk = Desk::new();
        let inner = desk.path("inner");
        fs::create_dir(&inner).unwrap();
        fs::write(inner.join("table.csv"), table_csv(200)).unwrap();
        let text = experiment("NAME", BASELINES).replace("\"NAME\"", &toml_string(name));
        fs::write(inner.join("e.toml"), text).unwrap();
        ends_with(0, desk.tailrank(&["run", "e.toml"]).current_dir(&inner));
        let outside: Vec<_> =
            fs::read_dir(desk.folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(outside, ["inner"], "{name}");
        let runs: Vec<String> = fs::read_dir(inner.join("runs"))
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(runs.len(), 1, "{name}");
        assert!(!runs[0].contains(['/', '<', '>', '"', '.']) && runs[0].chars().count() <= 80, "{}", runs[0]);
    }
}

fn toml_string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
