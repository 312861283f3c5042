//! Programs as families: what a plan knows of one. How it is run is the runner's to know.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tailrank_models::{Cost, Family, Fit, Job, ModelError, ParamSpec, Params, Result, Shape};

use super::{
    program_files::{ProgramFiles, is_path},
    python_modules::missing_module,
};

/// File format between this program and a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FileFormat {
    /// Text with a heading.
    #[default]
    Csv,
    /// Apache Parquet.
    Parquet,
}

/// A program that fits one variant at a time, as an experiment names it.
///
/// It is a family as far as a plan needs one: it checks parameters and forecasts costs. The runner's
/// `CommandFamily` fits by it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramSpec {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// The format of the files between this program and it.
    pub format: FileFormat,
    /// Whether its inputs are numbers called x1, x2, …; otherwise they are what the data holds.
    pub encoded: bool,
    /// Files and folders that it reads besides.
    pub files: Vec<String>,
    /// Environment variables that it depends on.
    pub env: Vec<String>,
}

/// Names that arguments are filled with, beside the variant's own.
const RESERVED: [&str; 5] = ["train", "test", "out", "seed", "info"];

/// Arguments that end like this are scripts, which must be there.
const SCRIPTS: [&str; 9] = ["bash", "jl", "js", "lua", "pl", "py", "r", "rb", "sh"];

impl ProgramSpec {
    /// Whether the program is told what task it works on: then its predictions may depend on the task's name.
    pub fn knows_task(&self) -> bool {
        self.argv.iter().any(|argument| argument.contains("{info}"))
    }

    /// What a cell's key says of this program: another program, argument or content of a script is another
    /// cell.
    pub fn cell_identity(&self, files: &ProgramFiles) -> String {
        let command = format!("{:?} {:?}", self.format, self.argv);
        if files.is_empty() { command } else { format!("{command} {files:?}") }
    }

    /// Whether the program and its scripts can be found, before hours of training.
    pub fn find_program(&self, folder: &Path) -> std::result::Result<(), String> {
        let Some(program) = self.argv.first() else {
            return Err("command is empty: name a program and its arguments".to_owned());
        };
        if !self.argv.iter().any(|a| a.contains("{out}")) {
            return Err("no argument holds {out}, the file the program writes its predictions to".to_owned());
        }
        if is_path(program) {
            let path = folder.join(program);
            if !path.is_file() {
                return Err(format!(
                    "program '{program}' was not found; its path is relative to the experiment file"
                ));
            }
            if !is_executable(&path) {
                return Err(format!(
                    "program '{program}' is not executable; run `chmod +x` on it, or name its interpreter \
                     before it"
                ));
            }
        } else {
            let path = std::env::var_os("PATH").unwrap_or_default();
            if !std::env::split_paths(&path).any(|place| is_executable(&place.join(program))) {
                return Err(format!("program '{program}' was not found; install it or give its full path"));
            }
        }
        self.find_scripts(folder)?;
        match missing_module(&self.argv, folder) {
            Some((module, importer)) => Err(format!(
                "{program} has no module '{module}', which {importer} imports; install it for {program}, or \
                 name the interpreter of the environment that has it"
            )),
            None => Ok(()),
        }
    }

    fn find_scripts(&self, folder: &Path) -> std::result::Result<(), String> {
        let missing = self.argv.iter().skip(1).find(|argument| {
            let path = Path::new(argument);
            let ending = path.extension().and_then(|e| e.to_str()).map(str::to_lowercase);
            let is_script = ending.is_some_and(|e| SCRIPTS.contains(&e.as_str()));
            is_script && !argument.contains(['{', ' ', '=']) && !folder.join(path).exists()
        });
        match missing {
            Some(script) => {
                Err(format!("script '{script}' was not found; its path is relative to the experiment file"))
            }
            None => Ok(()),
        }
    }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

impl Family for ProgramSpec {
    fn name(&self) -> &'static str {
        "command"
    }

    fn version(&self) -> u32 {
        // The second gets columns by their names and as they are.
        if self.encoded { 1 } else { 2 }
    }

    fn summary(&self) -> &'static str {
        "any program: gets training and test files, returns predictions"
    }

    fn parameters(&self) -> &'static [ParamSpec] {
        &[]
    }

    fn open_parameters(&self) -> bool {
        true
    }

    fn takes_raw(&self) -> bool {
        !self.encoded
    }

    fn check(&self, variant: &Params) -> Result<()> {
        let refused = |name: &str, value: String, expected: String| {
            Err(ModelError::Parameter { family: "command", name: name.to_owned(), value, expected })
        };
        if let Some((name, value)) = variant.iter().find(|(name, _)| RESERVED.contains(name)) {
            let expected = format!("{{{name}}} is filled in by tailrank; give the parameter another name");
            return refused(name, value.to_string(), expected);
        }
        // A parameter that no argument uses would give variants that differ in name only.
        match variant.iter().find(|(name, _)| !self.argv.iter().any(|a| a.contains(&format!("{{{name}}}")))) {
            Some((name, value)) => refused(
                name,
                value.to_string(),
                format!("put {{{name}}} into one of the command's arguments"),
            ),
            None => Ok(()),
        }
    }

    fn estimate(&self, _: Shape, variants: &[Params]) -> Cost {
        // Nothing is known of a program; ten seconds puts it before quick native cells.
        Cost { cpu_seconds: 10.0 * variants.len() as f64, bytes: 256 << 20 }
    }

    fn fit_grid(&self, _: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        let problem = "a plan runs no program; fit by the runner's CommandFamily".to_owned();
        vec![Err(ModelError::Numerical { family: "command", problem }); variants.len()]
    }
}

/// An argument with its names filled in, in one pass: what a value holds is never filled in again.
pub fn fill(argument: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let (mut text, mut rest) = (String::new(), argument);
    while let Some(start) = rest.find('{') {
        let (before, from) = rest.split_at(start);
        text.push_str(before);
        let filled = from.find('}').and_then(|end| Some((value(&from[1..end])?, &from[end + 1..])));
        rest = match filled {
            Some((value, after)) => {
                text.push_str(&value);
                after
            }
            None => {
                text.push('{');
                &from[1..]
            }
        };
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_filled_in_one_pass() {
        let value = |name: &str| match name {
            "k" => Some("7".to_owned()),
            "train" => Some("/tmp/{k}/train.csv".to_owned()),
            _ => None,
        };
        assert_eq!(fill("--in={train} -k {k}", value), "--in=/tmp/{k}/train.csv -k 7");
        assert_eq!(fill("{unknown} {{k}} {", value), "{unknown} {7} {");
        assert_eq!(fill("awk '{print $1}' {k}", value), "awk '{print $1}' 7");
    }
}
