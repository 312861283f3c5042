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

/// The summary without its first line, which tells times and reuse.
fn body(summary: &str) -> &str {
    summary.split_once('\n').unwrap().1
}

#[test]
fn a_second_run_reuses_all_cells_and_says_the_same() {
    let desk = desk_with(BASELINES);
    let first = desk.stdout(&["run", "e.toml"], 0);
    assert!(first.contains("2 cells fitted, 0 reused"), "{first}");
    let scores = desk.read("runs/try/results/scores.csv");
    let second = desk.stdout(&["run", "e.toml"], 0);
    assert!(second.contains("0 cells fitted, 2 reused"), "{second}");
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
    let verdict = &summary["verdicts"][0];
    assert_eq!(
        (&verdict["task"], &verdict["chosen_by"], &verdict["judged_by"]),
        (&"t".into(), &"mad".into(), &"f".into())
    );
    assert_eq!(verdict["best_chosen"], "linear");
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
        "[ -e \"$3\" ] && (echo prediction; tail -n +2 \"$1\" | sed 's/.*/0.5/') > \"$2\"\n",
    );
    let run = ["run", "e.toml", "--allow-commands"];
    desk.stdout(&run, 3);
    fs::write(&ready, "").unwrap();
    let again = desk.stdout(&run, 3);
    assert!(again.contains("0 cells fitted, 3 reused"), "a failure is a result: {again}");
    let retried = desk.stdout(&[&run[..], &["--retry-failed"]].concat(), 0);
    assert!(retried.contains("1 cell fitted, 2 reused"), "{retried}");
    let last = desk.stdout(&run, 0);
    assert!(last.contains("0 cells fitted, 3 reused"), "{last}");
}

#[test]
fn only_names_tasks_and_families() {
    let desk = desk_with(BASELINES);
    for (only, fitted, of) in [("t/linear", 1, 1), ("/base", 1, 2), ("t/", 2, 3), ("linear", 1, 1)] {
        let _ = fs::remove_dir_all(desk.path("runs"));
        let shown = desk.stdout(&["run", "e.toml", "--only", only], 0);
        let cells = if fitted == 1 { "1 cell fitted".to_owned() } else { format!("{fitted} cells fitted") };
        assert!(shown.contains(&cells), "{only}: {shown}");
        let said = format!("{of} of 3 variants; the rest are not fitted.");
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
    assert!(said.contains("finished cells are kept"), "{said}");

    desk.write("e.toml", experiment("try", "[[models]]\nfamily = \"linear\"\n"));
    let again = desk.stdout(&["run", "e.toml"], 0);
    assert!(again.contains("0 cells fitted, 1 reused"), "{again}");
}

#[test]
fn an_interrupt_while_scoring_writes_no_tables() {
    let desk = desk_with(BASELINES);
    // Permutations that take seconds hold the run where everything is fitted and nothing is written.
    let slow = desk.read("e.toml").replace("[compare]", "[compare]\npermutations = 80_000_000");
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
            .is_ok_and(|e| e.matches("stored").count() == 2)
    };
    while !stored() && started.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(20));
    }
    sleep(Duration::from_millis(150));
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert!(said.contains("finished cells are kept"), "{said}");
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
