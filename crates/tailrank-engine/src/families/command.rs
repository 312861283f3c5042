//! Any program as a family: it gets training and test files and returns predictions.
//!
//! The program is started directly, never through a shell, in the folder of the experiment. Its arguments may hold
//! `{train}` (inputs and the target column `y`), `{test}` (inputs), `{out}` (where it writes one prediction per test row
//! under the heading `prediction`), `{seed}`, `{info}` (a JSON file about task, seed and columns), and `{name}` for every
//! parameter of the variant.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use rand::Rng;
use tailrank_data::frame::{self, Column};
use tailrank_models::{
    Cancel, Cost, Family, Fit, FitContext, MatrixView, ModelError, ParamSpec, Params, Result, Shape, TrainSet,
};

use super::{
    command_files::{Files, Inputs, extension},
    host::{Host, RealHost, blames_the_machine},
    process::{complaints_of, ended, last_lines, may_have_been_stopped, own_process_group, stop},
    program_files::{ProgramFiles, is_path},
    python_modules::missing_module,
    supervise::{NOT_STARTED, NOT_STARTED_WORDS},
};
use crate::config::{FileFormat, ModelGrid};

/// Where and how a program runs.
#[derive(Clone, Debug)]
pub struct Workplace {
    /// The folder it runs in, which its paths are relative to; the current one if empty.
    pub folder: PathBuf,
    /// Where the files between us and the program go; the system's place for temporary files if none.
    pub scratch: Option<PathBuf>,
    /// A program, with its arguments, that calls [`supervise`](super::supervise) with what follows `--`, so that no program outlives a
    /// run that is killed; without it programs are started directly.
    pub supervisor: Vec<OsString>,
    /// Fires when the run is stopped: what becomes of a program then is not its own end.
    pub interrupt: Cancel,
    /// The machine.
    pub host: Arc<dyn Host>,
}

impl Default for Workplace {
    fn default() -> Self {
        Self {
            folder: PathBuf::new(),
            scratch: None,
            supervisor: Vec::new(),
            interrupt: Cancel::default(),
            host: Arc::new(RealHost),
        }
    }
}

/// A program that fits one variant at a time.
#[derive(Clone, Debug)]
pub struct CommandFamily {
    argv: Vec<String>,
    format: FileFormat,
    encoded: bool,
    workplace: Workplace,
}

/// How a program's fit ended without predictions.
enum Ending {
    /// By itself: its row. A signal from outside may be behind it.
    Own { problem: String, perhaps_stopped: bool },
    /// The machine had no room, process or thread: not a result.
    Machine(String),
    /// The run was stopped, or the time limit passed.
    Stopped,
}

/// How long a program that failed is not yet believed, because the run may be about to stop: where a signal ended it, and otherwise.
const LONG: Duration = Duration::from_secs(1);
const SHORT: Duration = Duration::from_millis(100);

/// Room that a machine must have for a program's failure to be its own.
const PROBE_BYTES: usize = 1 << 16;

/// What a program may write for each test row, and beside the rows: far more than any prediction takes.
const BYTES_PER_ROW: u64 = 1 << 12;
const BYTES_BESIDE: u64 = 1 << 20;

/// Names that arguments are filled with, beside the variant's own.
const RESERVED: [&str; 5] = ["train", "test", "out", "seed", "info"];

/// Arguments that end like this are scripts, which must be there.
const SCRIPTS: [&str; 9] = ["bash", "jl", "js", "lua", "pl", "py", "r", "rb", "sh"];

impl CommandFamily {
    /// A family that runs `argv`; with `encoded` its inputs are numbers called x1, x2, …, otherwise what the data holds.
    pub fn new(argv: Vec<String>, format: FileFormat, encoded: bool, workplace: Workplace) -> Self {
        Self { argv, format, encoded, workplace }
    }

    /// Whether the program is told what task it works on: then its predictions may depend on the task's name.
    pub(crate) fn knows_task(grid: &ModelGrid) -> bool {
        grid.command.iter().any(|argument| argument.contains("{info}"))
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
        self.find_scripts()?;
        match missing_module(&self.argv, &self.workplace.folder) {
            Some((module, importer)) => Err(format!(
                "{program} has no module '{module}', which {importer} imports; install it for {program}, or name the interpreter of \
                 the environment that has it"
            )),
            None => Ok(()),
        }
    }

    fn find_scripts(&self) -> std::result::Result<(), String> {
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

    /// One variant. What a program does is its row only where nothing else can have ended it.
    fn fit(&self, files: &Files, variant: &Params, test_rows: usize, context: &FitContext) -> Result<Fit> {
        match self.run_program(files, variant, test_rows, context) {
            Ok(predictions) => Ok(Fit::converged(predictions)),
            Err(Ending::Stopped) => Err(ModelError::Cancelled),
            Err(Ending::Machine(problem)) => Err(ModelError::System { problem }),
            Err(Ending::Own { problem, perhaps_stopped }) => {
                if self.is_stopped_soon(context, perhaps_stopped) {
                    return Err(ModelError::Cancelled);
                }
                // A program whose disk is full fails in its own words.
                let probe = files.folder.path().join("probe");
                let room = self.workplace.host.write(&probe, &[0; PROBE_BYTES]);
                let _ = fs::remove_file(&probe);
                match room {
                    Ok(()) => Err(ModelError::Numerical { family: "command", problem }),
                    Err(e) => Err(ModelError::System {
                        problem: format!("no room is left for the files of a program: {e}"),
                    }),
                }
            }
        }
    }

    /// Whether the run is stopped within a moment: a signal to all of its processes may reach a program before us.
    fn is_stopped_soon(&self, context: &FitContext, perhaps_stopped: bool) -> bool {
        let (ended, patience) = (Instant::now(), if perhaps_stopped { LONG } else { SHORT });
        loop {
            if context.cancel.is_cancelled() || self.workplace.interrupt.is_cancelled() {
                return true;
            }
            if ended.elapsed() >= patience {
                return false;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn run_program(
        &self,
        files: &Files,
        variant: &Params,
        test_rows: usize,
        context: &FitContext,
    ) -> std::result::Result<Vec<f64>, Ending> {
        let out = files.folder.path().join(format!("out.{}", extension(self.format)));
        let info = files.folder.path().join("info.json");
        let seed = context.rng("command", &variant.to_string(), 0).next_u32();
        let filled = |name: &str| match name {
            "train" => Some(files.train.clone()),
            "test" => Some(files.test.clone()),
            "out" => Some(out.display().to_string()),
            "seed" => Some(seed.to_string()),
            "info" => Some(info.display().to_string()),
            _ => variant.get(name).map(ToString::to_string),
        };
        let argv: Vec<String> = self.argv.iter().map(|argument| fill(argument, filled)).collect();
        if self.argv.iter().any(|argument| argument.contains("{info}")) {
            let text = format!("{:#}\n", files.info(seed, variant));
            let written = self.workplace.host.write(&info, text.as_bytes());
            written.map_err(|e| Ending::Machine(format!("cannot write {}: {e}", info.display())))?;
        }
        let own = |problem: String| Ending::Own { problem, perhaps_stopped: false };
        let (program, arguments) =
            argv.split_first().ok_or_else(|| own("command is empty: name a program".to_owned()))?;
        // The file of an earlier variant must not pass for this one's.
        let _ = fs::remove_file(&out);
        let mut child = self.workplace.host.spawn(&mut self.command(program, arguments)).map_err(|e| {
            let problem = format!("cannot start '{program}': {e}");
            // A supervisor is this very program: whatever keeps it from being started is not the model's.
            let machine = !self.workplace.supervisor.is_empty() || blames_the_machine(&e);
            if machine { Ending::Machine(problem) } else { own(problem) }
        })?;
        let complaints = match complaints_of(&mut child) {
            Ok(complaints) => complaints,
            Err(e) => {
                self.stop(&mut child);
                return Err(Ending::Machine(format!("cannot listen to '{program}': {e}")));
            }
        };
        // Held to the end: when it closes, the supervisor ends the program.
        let status = loop {
            match ended(&mut child) {
                Ok(Some(status)) => break status,
                Ok(None) if context.cancel.is_cancelled() => {
                    self.stop(&mut child);
                    return Err(Ending::Stopped);
                }
                Ok(None) => thread::sleep(Duration::from_millis(5)),
                Err(e) => return Err(Ending::Machine(format!("cannot wait for '{program}': {e}"))),
            }
        };
        if !status.success() {
            let said = self.without_places(&last_lines(complaints), files);
            if status.code() == Some(NOT_STARTED)
                && let Some((_, why)) = said.split_once(NOT_STARTED_WORDS)
            {
                return Err(Ending::Machine(format!("cannot start '{program}':{why}")));
            }
            let problem = format!("'{program}' ended with {status}{said}");
            return Err(Ending::Own { problem, perhaps_stopped: may_have_been_stopped(status) });
        }
        let predictions = self.read_predictions(&out, test_rows)?;
        if predictions.len() != test_rows {
            return Err(own(format!(
                "'{program}' wrote {} predictions for {test_rows} test rows",
                predictions.len()
            )));
        }
        Ok(predictions)
    }

    /// A program's words without what differs between two runs of it: temporary files, the experiment's folder, addresses.
    fn without_places(&self, said: &str, files: &Files) -> String {
        let temporary = files.folder.path().display().to_string();
        let mut text = said.replace(&files.train, "{train}").replace(&files.test, "{test}");
        for format in [FileFormat::Csv, FileFormat::Parquet] {
            text = text.replace(&format!("{temporary}/out.{}", extension(format)), "{out}");
        }
        text = text.replace(&format!("{temporary}/info.json"), "{info}").replace(&temporary, "{tmp}");
        if let Some(name) = files.folder.path().file_name().and_then(|n| n.to_str()) {
            text = text.replace(name, "{tmp}");
        }
        let folder = self.workplace.folder.display().to_string();
        if folder.len() > 1 {
            text = text.replace(&format!("{folder}/"), "").replace(&folder, ".");
        }
        without_addresses(&text)
    }

    fn stop(&self, child: &mut Child) {
        stop(child, !self.workplace.supervisor.is_empty());
    }

    fn read_predictions(&self, path: &Path, rows: usize) -> std::result::Result<Vec<f64>, Ending> {
        let own = |problem: String| Ending::Own { problem, perhaps_stopped: false };
        let most = (rows as u64).saturating_mul(BYTES_PER_ROW).saturating_add(BYTES_BESIDE);
        let bytes = self.workplace.host.read(path, most + 1).map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => own("the program ended well but wrote no {out} file".to_owned()),
            _ if blames_the_machine(&e) => Ending::Machine(format!("cannot read the {{out}} file: {e}")),
            _ => own(format!("its {{out}} file cannot be read: {e}")),
        })?;
        if bytes.len() as u64 > most {
            return Err(own(format!("its {{out}} file has more than {most} bytes for {rows} test rows")));
        }
        let name = format!("{{out}}.{}", extension(self.format));
        let frame = frame::read(&name, &bytes).map_err(|e| own(e.to_string()))?;
        let column =
            frame.column("prediction").or_else(|| if frame.width() == 1 { frame.column_at(0) } else { None });
        match column {
            Some(Column::Real(values)) => Ok(values.clone()),
            _ => Err(own("its output needs a numeric column named 'prediction'".to_owned())),
        }
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

    fn fit_grid(
        &self,
        train: TrainSet<'_>,
        test: MatrixView<'_>,
        variants: &[Params],
        context: &FitContext,
    ) -> Vec<Result<Fit>> {
        let inputs = match &context.raw {
            Some(raw) if !self.encoded => Inputs::as_they_are(raw),
            _ => {
                let names = context.names.as_ref().filter(|_| !self.encoded);
                Inputs::numbers(train.x, test, names.map_or(&[], |names| &names.inputs))
            }
        };
        let task = context.names.as_ref().map_or("", |names| &names.task);
        match Files::write(inputs, train.y, task, self.format, &self.workplace) {
            Ok(files) => variants.iter().map(|v| self.fit(&files, v, test.rows(), context)).collect(),
            Err(problem) => vec![Err(ModelError::System { problem }); variants.len()],
        }
    }
}

/// `0x7f3a12c8` → `0x…`, and the process that bash names before a signal.
fn without_addresses(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some(place) = rest.find("0x") {
        let digits = rest[place + 2..].bytes().take_while(u8::is_ascii_hexdigit).count();
        plain.push_str(&rest[..place + 2]);
        // Short numbers are constants.
        plain.push_str(if digits >= 6 { "…" } else { &rest[place + 2..place + 2 + digits] });
        rest = &rest[place + 2 + digits..];
    }
    plain.push_str(rest);
    let words: Vec<&str> = plain.split(' ').collect();
    let is_number = |word: &str, end: &str| {
        word.strip_suffix(end).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    // `line 3: 4711 Killed`
    let is_process = |i: usize| {
        let is_ending = words.get(i + 1).is_some_and(|w| w.starts_with(|c: char| c.is_ascii_uppercase()));
        i >= 2
            && words[i - 2] == "line"
            && is_number(words[i - 1], ":")
            && is_number(words[i], "")
            && is_ending
    };
    let kept: Vec<&str> = (0..words.len()).filter(|&i| !is_process(i)).map(|i| words[i]).collect();
    kept.join(" ")
}

/// An argument with its names filled in, in one pass: what a value holds is never filled in again.
pub(super) fn fill(argument: &str, value: impl Fn(&str) -> Option<String>) -> String {
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

    #[test]
    fn addresses_and_processes_are_left_out() {
        let said =
            "; <Model at 0x7f3a12c8d0> flag 0x1f; m.sh: line 3: 4711 Segmentation fault; line 3: 12 items";
        let plain = "; <Model at 0x…> flag 0x1f; m.sh: line 3: Segmentation fault; line 3: 12 items";
        assert_eq!(without_addresses(said), plain);
    }
}
