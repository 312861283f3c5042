//! The README says what works: its commands are typed as printed, and its output is what they print.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use crate::{Desk, ends_with, repository, studies::same_vectors, text};

/// What the README prints between fences of one kind, block by block.
fn fenced(kind: &str) -> Vec<String> {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let mut blocks: Vec<String> = Vec::new();
    let mut inside = None;
    for line in readme.lines() {
        match (line.strip_prefix("```"), inside) {
            (Some(name), None) => {
                inside = Some(name == kind);
                if name == kind {
                    blocks.push(String::new());
                }
            }
            (Some(_), Some(_)) => inside = None,
            (None, Some(true)) => blocks.last_mut().unwrap().push_str(&format!("{line}\n")),
            _ => {}
        }
    }
    assert!(inside.is_none(), "a fence is never closed");
    blocks
}

/// What is done with a line of a shell block.
#[derive(Debug, PartialEq)]
enum Line<'a> {
    /// Typed as it stands.
    Typed(&'a str),
    /// Builds or installs the program, which a test has.
    Builds,
    /// Longer than a test may take: only its words are looked at.
    Long(&'a str),
    /// Runs programs that a machine may not have.
    Foreign(&'a str),
}

/// The rules, in full: `cargo run … -- WORDS` is `tailrank WORDS`, any other line of cargo, pip and maturin
/// builds; the whole study of the stock returns takes minutes without a release build
/// (`scripts/summaries.sh --check` runs it); `--allow-commands` needs what the experiment names.
fn read(line: &str) -> Option<Line<'_>> {
    let words = line.strip_prefix("cargo run --release -p tailrank -- ");
    Some(match line.split_whitespace().next()? {
        _ if words == Some("reproduce") => Line::Long("reproduce"),
        "cargo" => words.map_or(Line::Builds, Line::Typed),
        "pip" | "maturin" => Line::Builds,
        "tailrank" if line.contains("--allow-commands") => Line::Foreign(&line["tailrank ".len()..]),
        "tailrank" => Line::Typed(&line["tailrank ".len()..]),
        _ => return None,
    })
}

/// A folder that holds what a clone has and the README speaks of.
fn clone() -> Desk {
    let desk = Desk::new();
    for folder in ["experiments", "scripts"] {
        fs::create_dir(desk.path(folder)).unwrap();
        for (path, bytes) in crate::files(&repository().join(folder)) {
            fs::create_dir_all(desk.path(folder).join(&path).parent().unwrap()).unwrap();
            fs::write(desk.path(folder).join(path), bytes).unwrap();
        }
    }
    desk
}

/// A line as a shell takes it, with its comment and with this test's program as `tailrank`, or the one that
/// `TAILRANK_PROGRAM` names: the release build, which is what the README speaks of.
fn typed(desk: &Desk, words: &str) -> Command {
    let program = crate::program();
    let program = Path::new(&program);
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("'{}' {words}", program.display()));
    command.current_dir(desk.folder.path()).env_remove("COLUMNS").stdin(Stdio::null());
    command
}

/// Whether the programs of `experiments/external.toml` are here.
fn has_foreign_programs() -> bool {
    let runs = |program: &str, arguments: &[&str]| {
        let status =
            Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    runs("python3", &["-c", "import sklearn, pandas"])
        && runs("Rscript", &["-e", "library(rpart); library(e1071)"])
}

/// Every command in the order of the README, in one folder, each ending with exit code 0.
#[test]
fn every_command_of_the_readme_works_as_printed() {
    let desk = clone();
    let mut ran = 0;
    for line in fenced("sh").iter().flat_map(|block| block.lines()) {
        match read(line).unwrap_or_else(|| panic!("not known here: {line}")) {
            Line::Builds => {}
            Line::Long(words) => {
                ends_with(0, desk.tailrank(&words.split(' ').collect::<Vec<_>>()).arg("--help"));
            }
            Line::Foreign(_) if !has_foreign_programs() => {
                let lacking = "scikit-learn, pandas, rpart or e1071 is missing";
                crate::skipped::for_good_reason(&format!("`{line}` is not run: {lacking}"));
            }
            Line::Typed(words) | Line::Foreign(words) => {
                let output = ends_with(0, &mut typed(&desk, words));
                ran += 1;
                // The tour's output stands below its command, and is promised to be what it prints.
                if words == "run experiments/abalone.toml" && same_vectors() {
                    printed_is_what_is_said(&text(&output.stdout));
                    let drawn = desk.path("runs/abalone/report/figures/1-abalone-rank-flow.svg");
                    let shown = repository().join("results/abalone/rank-flow.svg");
                    assert!(
                        fs::read(&drawn).unwrap() == fs::read(&shown).unwrap(),
                        "copy {}",
                        drawn.display()
                    );
                }
            }
        }
    }
    assert!(ran >= 18, "{ran} commands were run");
    assert!(desk.path("runs/mine/report/index.html").is_file() && desk.path("runs/other").is_dir());
}

/// The README's block is the golden screen of the run, its time aside.
fn printed_is_what_is_said(said: &str) {
    let printed = fenced("text").into_iter().find(|block| block.starts_with("abalone · ")).unwrap();
    let without_time = |text: &str| {
        let (first, rest) = text.trim_end().split_once('\n').unwrap();
        let (facts, _time) = first.rsplit_once(" · ").unwrap();
        format!("{facts}\n{rest}")
    };
    let (printed, said) = (without_time(&printed), without_time(said));
    assert_eq!(printed, said, "the README prints something else than the program");
}

/// Commands within the text, such as `tailrank list data`, are understood with all their options.
#[test]
fn every_command_in_the_readmes_text_is_understood() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap().replace('\n', " ");
    let mut commands = 0;
    for span in readme.split('`').skip(1).step_by(2).filter(|span| span.starts_with("tailrank ")) {
        let words: Vec<&str> = span.split_whitespace().skip(1).collect();
        ends_with(0, Desk::new().tailrank(&words).arg("--help"));
        // --help would hide an unknown option that stands after it, so options are looked up in the help
        // itself.
        let help = Desk::new().stdout(&[words[0], "--help"], 0);
        for option in words.iter().filter(|w| w.starts_with("--")) {
            assert!(help.contains(option), "{span}: {option}");
        }
        commands += 1;
    }
    assert!(commands >= 3, "found {commands}");
}

#[test]
fn lines_of_a_shell_block_are_told_apart() {
    for (line, expected) in [
        (
            "cargo run --release -p tailrank -- run experiments/quick.toml",
            Some(Line::Typed("run experiments/quick.toml")),
        ),
        ("cargo run --release -p tailrank -- reproduce", Some(Line::Long("reproduce"))),
        ("cargo test --workspace", Some(Line::Builds)),
        ("tailrank list data", Some(Line::Typed("list data"))),
        ("tailrnk list data", None),
    ] {
        assert_eq!(read(line), expected, "{line}");
    }
}
