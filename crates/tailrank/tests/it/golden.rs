//! The screens of real runs, at 80 columns, with and without colours. `TAILRANK_BLESS=1` writes them anew.

use std::{fs, path::PathBuf};

use crate::{Desk, ends_with, repository, text};

const BLESS: &str = "TAILRANK_BLESS";

/// The time is the one thing of a screen that changes from run to run.
fn without_time(screen: &str) -> String {
    let (first, rest) = screen.split_once('\n').unwrap();
    let (facts, _time) = first.rsplit_once(" · ").unwrap();
    format!("{facts} · TIME\n{rest}")
}

fn check(name: &str, arguments: &[&str]) {
    let desk = Desk::new();
    for (ending, colours) in [("txt", false), ("colour.txt", true)] {
        let mut command = desk.tailrank(arguments);
        command.env("COLUMNS", "80").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        if colours {
            command.env("CLICOLOR_FORCE", "1");
        }
        let screen = text(&ends_with(0, &mut command).stdout);
        assert_eq!(screen.contains('\u{1b}'), colours, "{screen}");
        if !colours {
            assert!(screen.lines().count() <= 22, "{screen}");
            assert!(screen.lines().all(|l| l.chars().count() <= 80), "{screen}");
            let is_verdict = |l: &str| l.starts_with("USE ") || l.starts_with("NO MODEL");
            assert!(screen.lines().take(5).any(is_verdict), "{screen}");
        }
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("tests/it/golden")
            .join(format!("{name}.{ending}"));
        let screen = without_time(&screen);
        if std::env::var_os(BLESS).is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &screen).unwrap();
        }
        let golden = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(screen, golden, "{} changed; look at it, then set {BLESS}=1", path.display());
    }
    // Where colours are not wanted there are none.
    let mut plain = desk.tailrank(arguments);
    let screen = text(&ends_with(0, plain.env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1")).stdout);
    assert!(!screen.contains('\u{1b}'), "{screen}");
}

#[test]
fn the_screen_of_one_task() {
    let file = repository().join("experiments/abalone.toml");
    check("abalone", &["run", file.to_str().unwrap(), "--out", "runs/abalone"]);
}

#[test]
#[ignore = "a minute of CPU: cargo test --test it -- --ignored golden"]
fn the_screen_of_several_tasks() {
    check("stock-returns", &["reproduce", "stock-returns", "--out", "runs/stock-returns"]);
}
