//! Any program as a family: it gets training and test files and returns predictions.
//!
//! The program is started directly, never through a shell, in the folder of the experiment. Its arguments may hold
//! `{train}` (inputs and the target column `y`), `{test}` (inputs), `{out}` (where it writes one prediction per test row
//! under the heading `prediction`), `{seed}`, and `{name}` for every parameter of the variant.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use rand::Rng;
use tailrank_data::frame::{self, Column, Frame};
use tailrank_models::{
    Cost, Family, Fit, FitContext, MatrixView, ModelError, ParamSpec, Params, Result, Shape, TrainSet,
};

use super::{
    process::{complaints_of, ended, last_lines, own_process_group, stop},
    program_files::{ProgramFiles, is_path},
};
use crate::{config::FileFormat, store::scratch_name};

/// Where and how a program runs.
#[derive(Clone, Debug, Default)]
pub struct Workplace {
    /// The folder it runs in, which its paths are relative to; the current one if empty.
    pub folder: PathBuf,
    /// Where the files between us and the program go; the system's place for temporary files if none.
    pub scratch: Option<PathBuf>,
    /// A program, with its arguments, that calls [`supervise`](super::supervise) with what follows `--`, so that no program outlives a
    /// run that is killed; without it programs are started directly.
    pub supervisor: Vec<OsString>,
}

/// A program that fits one variant at a time.
#[derive(Clone, Debug)]
pub struct CommandFamily {
    argv: Vec<String>,
    format: FileFormat,
    workplace: Workplace,
}

/// Names that arguments are filled with, beside the variant's own.
const RESERVED: [&str; 4] = ["train", "test", "out", "seed"];

/// Arguments that end like this are scripts, which must be there.
const SCRIPTS: [&str; 9] = ["bash", "jl", "js", "lua", "pl", "py", "r", "rb", "sh"];

impl CommandFamily {
    /// A family that runs `argv`.
    pub fn new(argv: Vec<String>, format: FileFormat, workplace: Workplace) -> Self {
        Self { argv, format, workplace }
    }

    /// What a cell's key says of this family: another program, argument or content of a script is another cell.
    pub fn identity(&self, files: &ProgramFiles) -> String {
        let command = format!("{:?} {:?}", self.format, self.argv);
        if files.is_empty() { command } else { format!("{command} {files:?}") }
    }

    /// Whether the program and its scripts can be found, before hours of training.
    pub fn find_program(&self) -> std::result::Result<(), String> {
        let Some(program) = self.argv.first() else {
            return Err("command is empty: name a program and its arguments".to_owned());
        };
        if !self.argv.iter().any(|a| a.contains("{out}")) {
            return Err("no argument holds {out}, the file the program writes its predictions to".to_owned());
        }
        if is_path(program) {
            let path = self.workplace.folder.join(program);
            if !path.is_file() {
                return Err(format!(
                    "program '{program}' was not found; its path is relative to the experiment file"
                ));
            }
            if !is_executable(&path) {
                return Err(format!(
                    "program '{program}' is not executable; run `chmod +x` on it, or name its interpreter before it"
                ));
            }
        } else {
            let path = std::env::var_os("PATH").unwrap_or_default();
            if !std::env::split_paths(&path).any(|folder| is_executable(&folder.join(program))) {
                return Err(format!("program '{program}' was not found; install it or give its full path"));
            }
        }
        let missing = self.argv.iter().skip(1).find(|argument| {
            let path = Path::new(argument);
            let ending = path.extension().and_then(|e| e.to_str()).map(str::to_lowercase);
            let is_script = ending.is_some_and(|e| SCRIPTS.contains(&e.as_str()));
            is_script && !argument.contains(['{', ' ', '=']) && !self.workplace.folder.join(path).exists()
        });
        match missing {
            Some(script) => {
                Err(format!("script '{script}' was not found; its path is relative to the experiment file"))
            }
            None => Ok(()),
        }
    }

    fn fit(&self, files: &Files, variant: &Params, test_rows: usize, context: &FitContext) -> Result<Fit> {
        let fail = |problem: String| ModelError::Numerical { family: "command", problem };
        let out = files.folder.path().join(format!("out.{}", extension(self.format)));
        let seed = context.rng("command", &variant.to_string(), 0).next_u32();
        let fill = |argument: &String| {
            let mut text = argument
                .replace("{train}", &files.train)
                .replace("{test}", &files.test)
                .replace("{out}", &out.display().to_string())
                .replace("{seed}", &seed.to_string());
            for (name, value) in variant.iter() {
                text = text.replace(&format!("{{{name}}}"), &value.to_string());
            }
            text
        };
        let argv: Vec<String> = self.argv.iter().map(fill).collect();
        let (program, arguments) =
            argv.split_first().ok_or_else(|| fail("command is empty: name a program".to_owned()))?;
        // The file of an earlier variant must not pass for this one's.
        let _ = fs::remove_file(&out);
        let mut child = self
            .command(program, arguments)
            .spawn()
            .map_err(|e| fail(format!("cannot start '{program}': {e}")))?;
        // Held to the end: when it closes, the supervisor ends the program.
        let lifeline = child.stdin.take();
        let complaints = complaints_of(&mut child);
        let status = loop {
            match ended(&mut child) {
                Ok(Some(status)) => break status,
                Ok(None) if context.cancel.is_cancelled() => {
                    stop(&mut child);
                    return Err(ModelError::Cancelled);
                }
                Ok(None) => thread::sleep(Duration::from_millis(5)),
                Err(e) => return Err(fail(format!("cannot wait for '{program}': {e}"))),
            }
        };
        drop(lifeline);
        if !status.success() {
            return Err(fail(format!("'{program}' ended with {status}{}", last_lines(complaints))));
        }
        let predictions = read_predictions(&out).map_err(fail)?;
        if predictions.len() != test_rows {
            return Err(fail(format!(
                "'{program}' wrote {} predictions for {test_rows} test rows",
                predictions.len()
            )));
        }
        Ok(Fit::converged(predictions))
    }

    fn command(&self, program: &str, arguments: &[String]) -> Command {
        let folder = &self.workplace.folder;
        // With another current folder it is left open what a relative path of a program is relative to.
        let program = if is_path(program) { folder.join(program) } else { PathBuf::from(program) };
        let mut command = match self.workplace.supervisor.split_first() {
            Some((supervisor, first)) => {
                let mut command = Command::new(supervisor);
                command.args(first).arg("--").arg(program).stdin(Stdio::piped());
                command
            }
            None => {
                let mut command = Command::new(program);
                command.stdin(Stdio::null());
                command
            }
        };
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::piped());
        if !folder.as_os_str().is_empty() {
            command.current_dir(folder);
        }
        own_process_group(&mut command);
        command
    }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

impl Family for CommandFamily {
    fn name(&self) -> &'static str {
        "command"
    }

    fn version(&self) -> u32 {
        1
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

    fn fit_grid(
        &self,
        train: TrainSet<'_>,
        test: MatrixView<'_>,
        variants: &[Params],
        context: &FitContext,
    ) -> Vec<Result<Fit>> {
        match Files::write(train, test, self.format, self.workplace.scratch.as_deref()) {
            Ok(files) => variants.iter().map(|v| self.fit(&files, v, test.rows(), context)).collect(),
            Err(problem) => {
                let error = ModelError::Numerical { family: "command", problem };
                variants.iter().map(|_| Err(error.clone())).collect()
            }
        }
    }
}

/// The files one cell's program reads; removed with their folder at the end.
struct Files {
    folder: tempfile::TempDir,
    train: String,
    test: String,
}

impl Files {
    fn write(
        train: TrainSet<'_>,
        test: MatrixView<'_>,
        format: FileFormat,
        scratch: Option<&Path>,
    ) -> std::result::Result<Self, String> {
        let mut builder = tempfile::Builder::new();
        let prefix = scratch_name();
        builder.prefix(&prefix);
        let folder = match scratch {
            Some(scratch) => builder.tempdir_in(scratch),
            None => builder.tempdir(),
        }
        .map_err(|e| format!("cannot make a temporary folder: {e}"))?;
        let mut training = columns(train.x);
        training.push(("y".to_owned(), Column::Real(train.y.to_vec())));
        let train = write_frame(folder.path(), "train", &training, format)?;
        let test = write_frame(folder.path(), "test", &columns(test), format)?;
        Ok(Self { folder, train, test })
    }
}

fn columns(x: MatrixView<'_>) -> Vec<(String, Column)> {
    (0..x.cols()).map(|j| (format!("x{}", j + 1), Column::Real(x.column(j)))).collect()
}

fn write_frame(
    folder: &Path,
    name: &str,
    columns: &[(String, Column)],
    format: FileFormat,
) -> std::result::Result<String, String> {
    let path = folder.join(format!("{name}.{}", extension(format)));
    let frame = Frame::new(columns.to_vec()).map_err(|e| e.to_string())?;
    let bytes = match format {
        FileFormat::Csv => frame::to_csv(&frame),
        FileFormat::Parquet => frame::to_parquet(&frame, &[]),
    }
    .map_err(|e| e.to_string())?;
    fs::write(&path, bytes).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    Ok(path.display().to_string())
}

fn read_predictions(path: &Path) -> std::result::Result<Vec<f64>, String> {
    let bytes = fs::read(path).map_err(|_| "the program ended well but wrote no {out} file".to_owned())?;
    let frame = frame::read(&path.display().to_string(), &bytes).map_err(|e| e.to_string())?;
    let column =
        frame.column("prediction").or_else(|| if frame.width() == 1 { frame.column_at(0) } else { None });
    match column {
        Some(Column::Real(values)) => Ok(values.clone()),
        _ => Err("its output needs a numeric column named 'prediction'".to_owned()),
    }
}

fn extension(format: FileFormat) -> &'static str {
    match format {
        FileFormat::Csv => "csv",
        FileFormat::Parquet => "parquet",
    }
}
