//! The README and the experiment files say what works.

use std::fs;

use crate::{Desk, ends_with, repository};

/// Every `tailrank …` line in the README's shell blocks parses: `--help` at its end stops it before it does anything.
#[test]
fn every_command_in_the_readme_is_understood() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let mut commands = 0;
    let mut in_shell = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            in_shell = line.starts_with("```sh");
            continue;
        }
        let Some(rest) = line.strip_prefix("tailrank ").filter(|_| in_shell) else { continue };
        let words: Vec<&str> = rest.split_whitespace().take_while(|w| !["#", "|", ">"].contains(w)).collect();
        ends_with(0, Desk::new().tailrank(&words).arg("--help"));
        // --help would hide an unknown option that stands after it, so options are looked up in the help itself.
        let help = Desk::new().stdout(&[words[0], "--help"], 0);
        for option in words.iter().filter(|w| w.starts_with("--")) {
            assert!(help.contains(option), "{line}: {option}");
        }
        commands += 1;
    }
    assert!(commands >= 5, "found {commands}");
}
