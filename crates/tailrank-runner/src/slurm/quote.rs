//! Names from users and file systems as data in job scripts: as one shell word, or as one value of an
//! `#SBATCH` line.

use std::path::Path;

use crate::{EngineError, Result};

/// A shell word that means exactly `text`.
///
/// ```
/// use tailrank_runner::slurm::shell_word;
/// assert_eq!(shell_word("/runs/a"), "/runs/a");
/// assert_eq!(shell_word("it's"), r"'it'\''s'");
/// ```
pub fn shell_word(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// A value as sbatch reads it from an `#SBATCH` line: in double quotes, where `\` escapes and `#` would start
/// a comment.
pub(super) fn directive(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\"").replace('#', r"\#"))
}

/// Refuses what would end a line of a script.
pub(super) fn one_line<'a>(option: &'static str, text: &'a str) -> Result<&'a str> {
    match text.chars().find(|c| c.is_control()) {
        Some(c) => Err(EngineError::Option {
            option,
            problem: format!("{text:?} holds the control character {c:?}; give one line of text"),
        }),
        None if text.is_empty() => Err(EngineError::Option { option, problem: "it is empty".to_owned() }),
        None => Ok(text),
    }
}

/// An absolute path that a script can hold.
pub(super) fn path<'a>(option: &'static str, path: &'a Path) -> Result<&'a str> {
    let refuse = |problem: String| EngineError::Option { option, problem };
    let text =
        path.to_str().ok_or_else(|| refuse(format!("{} is not UTF-8; use another path", path.display())))?;
    if !path.is_absolute() {
        return Err(refuse(format!("{text:?} is not an absolute path, so a job could not find it")));
    }
    // A backslash anywhere in --output switches off sbatch's %a.
    if text.contains('\\') {
        return Err(refuse(format!(
            "{text:?} holds a backslash, which sbatch reads as an escape; use another path"
        )));
    }
    one_line(option, text)
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(&b))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    const HOSTILE: &[&str] = &[
        "plain/path-1.toml",
        "two words",
        "it's",
        "$(touch owned)",
        "`touch owned`",
        "a\"b",
        "; touch owned #",
        "*",
        "~",
        "-rf",
        "naïve 株",
        "",
    ];

    #[test]
    fn a_shell_gives_every_name_back() {
        for name in HOSTILE {
            let script = format!("printf %s {}", shell_word(name));
            let output = Command::new("sh").args(["-c", &script]).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), *name, "{script}");
        }
    }

    #[test]
    fn directives_escape_what_sbatch_reads() {
        assert_eq!(directive("long"), "long");
        assert_eq!(directive("a b#c\"d"), r#""a b\#c\"d""#);
    }

    #[test]
    fn lines_and_odd_paths_are_refused() {
        assert!(one_line("partition", "a\n#SBATCH --uid=0").is_err());
        assert!(one_line("partition", "").is_err());
        assert!(path("out", Path::new("runs/x")).is_err());
        assert!(path("out", Path::new("/runs/a\\b")).is_err());
        assert!(path("out", Path::new("/runs/a\nb")).is_err());
        assert_eq!(path("out", Path::new("/runs/a b")).unwrap(), "/runs/a b");
    }
}
