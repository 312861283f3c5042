//! A terminal is asked for what only the user knows; pipes and logs never are.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use crate::{Desk, ends_with, text, words};

/// A desk with a file of strangers on it.
fn desk_of(file: &str) -> Desk {
    let desk = Desk::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/strangers");
    fs::copy(folder.join(file), desk.path(file)).unwrap();
    desk
}

/// What a terminal shows, with its exit code, when this is typed; none without util-linux.
fn at_a_terminal(desk: &Desk, words: &str, typed: &str) -> Option<(i32, String)> {
    let line = format!("'{}' {words}", env!("CARGO_BIN_EXE_tailrank"));
    let child = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .current_dir(desk.folder.path())
        .env("COLUMNS", "80")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        crate::skipped::for_want_of("util-linux's script");
        return None;
    };
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Some((output.status.code().unwrap(), text(&output.stdout).replace('\r', "")))
}

#[test]
fn a_terminal_is_asked_for_the_target_by_number_or_name() {
    for typed in ["2\n", "Ozone\n", "ozone\n", "9\nOzon\n2\n"] {
        let desk = desk_of("airquality.csv");
        let Some((code, shown)) = at_a_terminal(&desk, "init airquality.csv --out e.toml", typed) else {
            return;
        };
        assert_eq!(code, 0, "{typed:?}: {shown}");
        assert!(shown.contains("2  Ozone     number"), "columns are numbered: {shown}");
        assert!(shown.contains("Type its number or name (Enter for none):"), "{shown}");
        assert!(shown.contains("predicting Ozone; next time give --target Ozone"), "{shown}");
        assert_eq!(shown.contains("'Ozon' is not a column's number or name"), typed.len() > 8, "{shown}");
        let question = &shown[..shown.find("(Enter for none)").unwrap()];
        assert!(question.lines().all(|line| line.chars().count() <= 80), "{question}");
        // The answer writes what the option writes.
        let asked = desk.read("e.toml");
        desk.stdout(&["init", "airquality.csv", "--target", "Ozone", "--name", "e", "--out", "o.toml"], 0);
        assert_eq!(asked, desk.read("o.toml"));
    }
}

#[test]
fn no_answer_is_the_refusal_and_an_answer_is_held_to_what_the_option_is() {
    for typed in ["\n", ""] {
        let desk = desk_of("airquality.csv");
        let Some((code, shown)) = at_a_terminal(&desk, "init airquality.csv --out e.toml", typed) else {
            return;
        };
        assert_eq!(code, 2, "{typed:?}: {shown}");
        assert!(shown.contains("error: airquality.csv: which column is to be predicted?"), "{shown}");
        assert!(shown.contains("tailrank init airquality.csv --target Ozone --out e.toml"), "{shown}");
        assert!(!desk.path("e.toml").exists());
    }
    let desk = desk_of("algae.csv");
    let Some((code, shown)) = at_a_terminal(&desk, "init algae.csv", "season\n") else { return };
    let refusal = desk.stderr(&["init", "algae.csv", "--target", "season"], 2);
    assert_eq!(code, 2, "{shown}");
    assert!(words(&shown).ends_with(&words(&refusal)), "{shown}\n{refusal}");
}

#[test]
fn pipes_and_quiet_users_are_never_asked() {
    let desk = desk_of("airquality.csv");
    let refusal = desk.stderr(&["init", "airquality.csv"], 2);
    fs::write(desk.path("answer"), "2\n").unwrap();
    let answer = fs::File::open(desk.path("answer")).unwrap();
    let output = ends_with(2, desk.tailrank(&["init", "airquality.csv"]).stdin(answer));
    assert_eq!(words(&text(&output.stderr)), words(&refusal));
    // A terminal whose questions go to a file, and one that wants results alone.
    for typed in ["init airquality.csv 2> said", "init airquality.csv --quiet"] {
        let Some((code, shown)) = at_a_terminal(&desk, typed, "2\n") else { return };
        assert_eq!(code, 2, "{typed}: {shown}");
        assert!(!shown.contains("Type its number"), "{typed}: {shown}");
    }
    assert_eq!(words(&desk.read("said")), words(&refusal));
}
