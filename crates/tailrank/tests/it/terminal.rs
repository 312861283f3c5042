use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

use crate::{BASELINES, Desk, desk_with, ends_with};

#[test]
fn a_narrow_terminal_gets_narrow_lines() {
    let desk = desk_with(BASELINES);
    for arguments in [&["run", "e.toml"][..], &["check", "e.toml"], &["list", "metrics"], &["list", "data"]] {
        for columns in ["50", "80"] {
            let out = ends_with(0, desk.tailrank(arguments).env("COLUMNS", columns));
            let shown = crate::text(&out.stdout);
            for line in shown.lines().filter(|l| !l.starts_with(" Report ") && !l.starts_with(" Details ")) {
                assert!(
                    line.chars().count() <= columns.parse().unwrap(),
                    "{arguments:?} at {columns}: {line}"
                );
            }
        }
    }
}

#[test]
fn without_a_terminal_progress_is_plain_lines() {
    let desk = desk_with(BASELINES);
    let said = desk.stderr(&["run", "e.toml"], 0);
    assert!(said.starts_with("3 fits to do, 0 done before\n"), "{said}");
    assert!(!said.contains('\u{1b}'), "no escape codes in a log: {said}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let desk = Desk::new();
    for arguments in [&["list", "schema"][..], &["list", "models"], &["man"], &["completions", "zsh"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tailrank"))
            .args(arguments)
            .current_dir(desk.folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {:?}", output.status);
        assert!(output.stderr.is_empty(), "{}", crate::text(&output.stderr));
    }
}

#[test]
fn a_run_outlives_its_terminal() {
    let desk =
        desk_with("[[models]]\nfamily = \"debug\"\ngrid = { id = [0, 1, 2, 3, 4, 5], fault = \"error\" }\n");
    let mut child = desk
        .tailrank(&["run", "e.toml", "--jobs", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Every failed fit is a line, and nobody reads any of them.
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert_eq!(desk.read("runs/try/results/scores.csv").lines().count(), 7, "all cells were fitted");
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_that_cannot_be_written_is_an_error() {
    let desk = desk_with(BASELINES);
    for arguments in
        [&["init", "table.csv", "--target", "level"][..], &["list", "models"], &["run", "e.toml"]]
    {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = ends_with(1, desk.tailrank(arguments).stdout(full));
        let said = crate::text(&output.stderr);
        assert!(said.contains("error: cannot write to standard output"), "{arguments:?}: {said}");
    }
}

#[test]
fn names_cannot_command_the_terminal() {
    let desk = desk_with(BASELINES);
    let evil = desk.read("e.toml").replace("name = \"t\"", r#"name = "t\u001b[31mRED\u0007\nx""#);
    desk.write("e.toml", evil);
    for arguments in [&["check", "e.toml"][..], &["run", "e.toml"], &["run", "e.toml", "--only", "\u{1b}[5m"]]
    {
        let output = desk.tailrank(arguments).output().unwrap();
        for shown in [crate::text(&output.stdout), crate::text(&output.stderr)] {
            assert!(!shown.contains(['\u{1b}', '\u{7}']), "{arguments:?}: {shown:?}");
        }
    }
    let summary = desk.stdout(&["run", "e.toml", "--json"], 0);
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["comparisons"][0]["task"], "t\u{1b}[31mRED\u{7}\nx", "JSON keeps the name");
}
