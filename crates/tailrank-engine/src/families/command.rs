//! Any program as a family: it gets training and test files and returns predictions.
//!
//! The program is started directly, never through a shell, in a folder of its own. Its arguments may hold
//! `{train}` (inputs and the target column `y`), `{test}` (inputs), `{out}` (where it writes one prediction per test row
//! under the heading `prediction`), `{seed}`, and `{name}` for every parameter of the variant.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use rand::Rng;
use tailrank_data::frame::{self, Column, Frame};
use tailrank_models::{
    Cost, Family, Fit, FitContext, MatrixView, ModelError, ParamSpec, Params, Result, Shape, TrainSet,
};

use super::process::{collect_stderr, last_lines, own_process_group, stop};

/// Which files the program is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Text with a heading.
    Csv,
    /// Apache Parquet.
    Parquet,
}

/// A program that fits one variant at a time.
#[derive(Clone, Debug)]
pub struct CommandFamily {
    argv: Vec<String>,
    format: FileFormat,
}

impl CommandFamily {
    /// A family that runs `argv`.
    pub fn new(argv: Vec<String>, format: FileFormat) -> Self {
        Self { argv, format }
    }

    /// What a cell's key says of this family: another program or argument is another cell.
    pub fn identity(&self) -> String {
        format!("{:?} {:?}", self.format, self.argv)
    }

    /// Whether the program can be found, before hours of training.
    pub fn find_program(&self) -> std::result::Result<(), String> {
        let Some(program) = self.argv.first() else {
            return Err("command is empty: name a program and its arguments".to_owned());
        };
        if !self.argv.iter().any(|a| a.contains("{out}")) {
            return Err("no argument holds {out}, the file the program writes its predictions to".to_owned());
        }
        let is_path = Path::new(program).components().count() > 1;
        let found = if is_path {
            Path::new(program).is_file()
        } else {
            let path = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
        };
        if found {
            Ok(())
        } else {
            Err(format!("program '{program}' was not found; install it or give its full path"))
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
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        own_process_group(&mut command);
        let mut child = command.spawn().map_err(|e| fail(format!("cannot start '{program}': {e}")))?;
        let complaints = collect_stderr(&mut child);
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if context.cancel.is_cancelled() => {
                    stop(&mut child);
                    return Err(ModelError::Cancelled);
                }
                Ok(None) => thread::sleep(Duration::from_millis(5)),
                Err(e) => return Err(fail(format!("cannot wait for '{program}': {e}"))),
            }
        };
        if !status.success() {
            let said = complaints.join().unwrap_or_default();
            return Err(fail(format!("'{program}' ended with {status}{}", last_lines(&said))));
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
        // A parameter that no argument uses would give variants that differ in name only.
        match variant.iter().find(|(name, _)| !self.argv.iter().any(|a| a.contains(&format!("{{{name}}}")))) {
            Some((name, value)) => Err(ModelError::Parameter {
                family: "command",
                name: name.to_owned(),
                value: value.to_string(),
                expected: format!("put {{{name}}} into one of the command's arguments"),
            }),
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
        match Files::write(train, test, self.format) {
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
    ) -> std::result::Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|e| format!("cannot make a temporary folder: {e}"))?;
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
