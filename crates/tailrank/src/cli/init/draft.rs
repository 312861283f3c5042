//! An experiment in the making: everything but its choice of relevance, which is the first that passes the check.

use std::{
    fs::{self, OpenOptions},
    io::{self, ErrorKind, Write},
    path::{Component, Path, PathBuf},
};

use tailrank_data::Library;
use tailrank_engine::{EngineError, plan::Plan};

use super::super::{Failure, Result};

/// The sections of an experiment file.
pub(super) struct Draft {
    /// Name of the experiment and of its data.
    pub(super) name: String,
    /// What the file holds, for the first line.
    pub(super) about: String,
    /// `series` or `tables`.
    pub(super) kind: &'static str,
    /// Further keys of the data's entry, each after a comma.
    pub(super) columns: String,
    /// Sections between `[data]` and `[relevance]`, and notes on the columns.
    pub(super) split: String,
    /// `[relevance]` sections, the best first.
    pub(super) relevances: Vec<String>,
    /// Sections after `[relevance]`.
    pub(super) rest: String,
}

impl Draft {
    /// The experiment with the first relevance that passes its check; `file` is the data as seen from the folder `base`.
    ///
    /// # Errors
    /// What the check says when none passes.
    pub(super) fn checked(
        &self,
        file: &Path,
        base: &Path,
        library: &Library,
    ) -> std::result::Result<String, String> {
        let mut refused = None;
        for relevance in &self.relevances {
            let text = self.text(file, relevance);
            match Plan::from_text(&text, Path::new("experiment.toml"), base, library) {
                Ok(_) => return Ok(text),
                Err(e) => refused = refused.or(Some(e)),
            }
        }
        Err(match refused {
            None => "its values never change: there is nothing to predict".to_owned(),
            Some(EngineError::Experiment { problems, .. }) => {
                let list: Vec<String> = problems.iter().map(|p| p.message.clone()).collect();
                format!("no experiment can be made of it: {}", list.join("; "))
            }
            Some(other) => other.to_string(),
        })
    }

    fn text(&self, file: &Path, relevance: &str) -> String {
        format!(
            r##"# An experiment for {file}: {about}.
# Look at it with `tailrank check`, then run it with `tailrank run`. Paths are relative to this file.
name = {name}
seed = 1

[data]
{kind} = [{{ name = {name}, file = {file}{columns} }}]
{split}

{relevance}

{rest}"##,
            file = quoted(&file.display().to_string()),
            about = self.about,
            name = quoted(&self.name),
            kind = self.kind,
            columns = self.columns,
            split = self.split,
            rest = self.rest,
        )
    }
}

/// A TOML basic string.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The folder a file stands in; the current one for a bare name.
pub(super) fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// `file` as seen from `folder`; both as typed in the current folder.
pub(super) fn seen_from(folder: &Path, file: &Path) -> io::Result<PathBuf> {
    if file.is_absolute() {
        return Ok(file.to_owned());
    }
    let (from, to) = (fs::canonicalize(folder)?, fs::canonicalize(folder_of(file))?);
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let down = to.components().skip(shared);
    let mut path: PathBuf = up.chain(down).collect();
    path.push(file.file_name().unwrap_or_default());
    Ok(path)
}

/// Writes a file that must not be there yet: an experiment once edited is dear.
pub(super) fn write_new(path: &Path, text: &str) -> Result<()> {
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => Failure::Usage(format!(
            "{} is there already; remove it, or give --out another name",
            path.display()
        )),
        _ => Failure::Other(format!("cannot write {}: {e}", path.display())),
    })
}
