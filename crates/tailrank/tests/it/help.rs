use crate::Desk;

const COMMANDS: [&str; 11] =
    ["run", "reproduce", "check", "init", "score", "rank", "list", "slurm", "status", "completions", "man"];

#[test]
fn help_names_every_command_and_the_exit_codes() {
    let help = Desk::new().stdout(&["--help"], 0);
    for command in COMMANDS {
        assert!(help.lines().any(|l| l.trim_start().starts_with(command)), "{command} is missing:\n{help}");
    }
    assert!(help.contains("Exit codes: 0 all fine"), "{help}");
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
    for command in ["run", "check", "init", "score", "rank", "list", "slurm", "status", "completions"] {
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
