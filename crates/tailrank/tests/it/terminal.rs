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
            for line in shown.lines().filter(|l| !l.starts_with("Tables: ") && !l.starts_with("Report: ")) {
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
    assert!(said.starts_with("2 cells to fit, 0 finished before\n"), "{said}");
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
