use crate::{Desk, ends_with, text};

const COMMANDS: [&str; 15] = [
    "run",
    "reproduce",
    "check",
    "init",
    "score",
    "rank",
    "report",
    "export",
    "explain",
    "compare",
    "list",
    "slurm",
    "status",
    "completions",
    "man",
];

#[test]
fn help_names_every_command_and_the_exit_codes() {
    let help = Desk::new().stdout(&["--help"], 0);
    for command in COMMANDS {
        assert!(help.lines().any(|l| l.trim_start().starts_with(command)), "{command} is missing:\n{help}");
    }
    assert!(help.contains("Exit codes: 0 success"), "{help}");
}

#[test]
fn every_command_explains_itself_with_an_example() {
    let desk = Desk::new();
    for command in COMMANDS {
        let help = desk.stdout(&[command, "--help"], 0);
        assert!(help.contains(&format!("Usage: tailrank {command}")), "{help}");
        assert!(help.contains("Example") && help.contains(&format!("  tailrank {command}")), "{help}");
    }
}

#[test]
fn commands_without_arguments_say_what_they_need() {
    let desk = Desk::new();
    for command in [
        "run",
        "check",
        "init",
        "score",
        "rank",
        "report",
        "export",
        "compare",
        "list",
        "slurm",
        "status",
        "completions",
    ] {
        let said = desk.stderr(&[command], 2);
        assert!(said.contains("required"), "{command}: {said}");
    }
    desk.stderr(&["rum"], 2);
}

#[test]
fn completions_and_manual_pages_are_generated() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = desk.stdout(&["completions", shell], 0);
        assert!(script.contains("tailrank") && script.contains("allow-commands"), "{shell}");
    }
    let page = desk.stdout(&["man"], 0);
    assert!(page.starts_with(".ie") || page.contains(".TH tailrank 1"), "{page}");
    assert!(desk.stdout(&["man", "run"], 0).contains("retry"), "the page of a command lists its options");
    assert!(desk.stderr(&["man", "rum"], 2).contains("no command is called 'rum'"));
}

#[test]
fn help_fits_eighty_columns_and_breaks_no_example() {
    let desk = Desk::new();
    for command in std::iter::once(None).chain(COMMANDS.map(Some)) {
        let arguments: Vec<&str> = command.into_iter().chain(["--help"]).collect();
        let help = text(&ends_with(0, desk.tailrank(&arguments).env("COLUMNS", "80")).stdout);
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{command:?}: {line}");
        }
        let examples = help.lines().skip_while(|l| !l.starts_with("Example")).skip(1);
        for line in examples.take_while(|l| !l.is_empty()) {
            assert!(line.starts_with("  tailrank "), "{command:?}: broken in {line:?}");
        }
    }
}

#[test]
fn the_cell_of_an_isolated_run_is_nobody_elses_business() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(!desk.stdout(&["completions", shell], 0).contains("__cell"), "{shell}");
    }
    assert!(!desk.stderr(&["man", "rum"], 2).contains("__cell"));
    assert!(desk.stderr(&["__cell"], 2).contains("for this program itself"));
}

/// A run is called as its experiment is, which is called as the file that `init` writes.
#[test]
fn the_sequence_in_the_help_goes_through() {
    let desk = Desk::new();
    desk.stdout(&["export", "data", "BA", "--out", "prices.csv"], 0);
    let help = desk.stdout(&["--help"], 0);
    let typed = |start: &str| {
        let line = help.lines().map(str::trim).find(|l| l.starts_with(&format!("tailrank {start}"))).unwrap();
        let command = line.split("   ").next().unwrap();
        command.split(' ').skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let init = typed("init");
    desk.stdout(&init.iter().map(String::as_str).chain(["--models", "linear"]).collect::<Vec<_>>(), 0);
    desk.stdout(&typed("check").iter().map(String::as_str).collect::<Vec<_>>(), 0);
    let run = typed("run");
    desk.stdout(&run.iter().map(String::as_str).chain(["--no-report"]).collect::<Vec<_>>(), 0);
    for command in ["report", "predict"] {
        assert!(desk.path(&typed(command)[1]).is_dir(), "{:?}", typed(command));
    }
}

#[test]
fn explain_names_the_command_that_explains_its_terms() {
    let desk = crate::desk_with(crate::BASELINES);
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    let said = desk.stdout(&["explain", "runs/try"], 0);
    assert!(said.ends_with("\nTerms: tailrank help TERM, such as tailrank help chance\n"), "{said}");
    assert!(desk.stdout(&["help", "chance"], 0).starts_with("### Chance\n"));
}
