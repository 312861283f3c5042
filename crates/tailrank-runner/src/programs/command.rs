//! Any program as a family: it gets training and test files and returns predictions.
//!
//! The program is started directly, never through a shell, in the folder of the experiment. Its arguments may
//! hold `{train}` (inputs and the target column `y`), `{test}` (inputs), `{out}` (where it writes one
//! prediction per test row under the heading `prediction`), `{seed}`, `{info}` (a JSON file about task, seed
//! and columns), and `{name}` for every parameter of the variant.

use rand::Rng;
use regex::Regex;
use tailrank_experiment::families::{ProgramSpec, fill, is_path};
use tailrank_models::{
    Cost, Family, Fit, FitContext, Job, ModelError, ParamSpec, Result, Shape, forward_to_family,
};

use super::*;

/// Where and how a program runs.
#[derive(Clone, Debug)]
pub struct Workplace {
    /// The folder it runs in, which its paths are relative to.
    pub folder: PathBuf,
    /// Where the files between us and the program go; the system's place for temporary files if none.
    pub scratch: Option<PathBuf>,
    /// A program, with its arguments, that calls [`supervise`](super::supervise) with what follows `--`, so
    /// that no program outlives a run that is killed; without it programs are started directly.
    pub supervisor: Vec<OsString>,
    /// Memory that the supervisor holds a program to.
    pub memory_mb: Option<usize>,
    /// Fires when the run is stopped: what becomes of a program then is not its own end.
    pub interrupt: Cancel,
    /// The machine.
    pub host: Arc<dyn Host>,
}

/// A program that fits one variant at a time.
#[derive(Clone, Debug)]
pub struct CommandFamily {
    spec: ProgramSpec,
    workplace: Workplace,
}

/// What a program did by itself: its row.
fn own(problem: impl Into<String>) -> ModelError {
    ModelError::Numerical { family: "command", problem: problem.into() }
}

/// The machine had no room, process or thread: not a result.
fn machine(problem: String) -> ModelError {
    ModelError::System { problem }
}

/// How long a program that failed is not yet believed, because the run may be about to stop: where a signal
/// ended it, and otherwise.
const LONG: Duration = Duration::from_secs(1);
const SHORT: Duration = Duration::from_millis(100);

/// Room that a machine must have for a program's failure to be its own.
const PROBE_BYTES: usize = 1 << 16;

/// What a program may write for each test row, and beside the rows: far more than any prediction takes.
const BYTES_PER_ROW: u64 = 1 << 12;
const BYTES_BESIDE: u64 = 1 << 20;

impl CommandFamily {
    /// The family that runs a program at a workplace.
    pub fn new(spec: ProgramSpec, workplace: Workplace) -> Self {
        Self { spec, workplace }
    }

    /// One variant. What a program does is its row only where nothing else can have ended it.
    fn fit(&self, files: &Files, variant: &Params, context: &FitContext) -> Result<Fit> {
        self.run_program(files, variant, context).map(Fit::converged).map_err(|e| match e {
            ModelError::Numerical { .. } if self.is_stopped_within(SHORT, context) => ModelError::Cancelled,
            ModelError::Numerical { .. } => self.check_room(files).err().unwrap_or(e),
            _ => e,
        })
    }

    fn is_stopped_within(&self, patience: Duration, context: &FitContext) -> bool {
        fires_soon(patience, || context.cancel.is_cancelled() || self.workplace.interrupt.is_cancelled())
    }

    /// A program whose disk is full fails in its own words, and yet not by its own fault; unless it has
    /// filled the disk itself, or removed the folder.
    fn check_room(&self, files: &Files) -> Result<()> {
        let probe = || {
            let path = files.folder.path().join("probe");
            let room = self.workplace.host.write(&path, &[0; PROBE_BYTES]);
            let _ = fs::remove_file(&path);
            room
        };
        let Err(first) = probe() else { return Ok(()) };
        if first.kind() == io::ErrorKind::NotFound && !files.folder.path().exists() {
            return Ok(());
        }
        let is_its_own = files.remove_others() >= PROBE_BYTES as u64;
        let room = if is_its_own { probe() } else { Err(first) };
        room.map_err(|e| machine(format!("no room is left for the files of a program: {e}")))
    }

    fn run_program(&self, files: &Files, variant: &Params, context: &FitContext) -> Result<Vec<f64>> {
        let Files { train, test, out, info, test_rows, .. } = files;
        let seed = context.rng("command", &variant.to_string(), 0).next_u32();
        let filled = |name: &str| match name {
            "train" => Some(train.clone()),
            "test" => Some(test.clone()),
            "out" => Some(out.clone()),
            "seed" => Some(seed.to_string()),
            "info" => Some(info.clone()),
            _ => variant.get(name).map(ToString::to_string),
        };
        let argv: Vec<String> = self.spec.argv.iter().map(|argument| fill(argument, filled)).collect();
        if self.spec.knows_task() {
            let text = format!("{:#}\n", files.told(seed, variant));
            let written = self.workplace.host.write(Path::new(info), text.as_bytes());
            written.map_err(|e| machine(format!("cannot write {info}: {e}")))?;
        }
        let (program, arguments) =
            argv.split_first().ok_or_else(|| own("command is empty: name a program"))?;
        // The file of an earlier variant must not pass for this one's.
        let _ = fs::remove_file(out);
        let is_supervised = !self.workplace.supervisor.is_empty();
        let child = self.workplace.host.spawn(&mut self.command(program, arguments)).map_err(|e| {
            let problem = format!("cannot start '{program}': {e}");
            // A supervisor is this very program: whatever keeps it from being started is not the model's.
            if is_supervised || blames_the_machine(&e) { machine(problem) } else { own(problem) }
        })?;
        let is_over = || context.cancel.is_cancelled();
        let ended = attend(child, &format!("'{program}'"), is_supervised, is_over).map_err(machine)?;
        let ended = ended.ok_or(ModelError::Cancelled)?;
        let status = ended.status;
        if !status.success() {
            let said = self.without_places(&ended.last_lines(), files);
            if status.code() == Some(NOT_STARTED)
                && let Some((_, why)) = said.split_once(NOT_STARTED_WORDS)
            {
                return Err(machine(format!("cannot start '{program}':{why}")));
            }
            if may_have_been_stopped(status) && self.is_stopped_within(LONG, context) {
                return Err(ModelError::Cancelled);
            }
            return Err(own(format!("'{program}' ended with {status}{said}")));
        }
        let predictions = self.read_predictions(Path::new(out), *test_rows)?;
        let n = predictions.len();
        if n != *test_rows {
            return Err(own(format!("'{program}' wrote {n} predictions for {test_rows} test rows")));
        }
        Ok(predictions)
    }

    /// A program's words without what differs between two runs of it: temporary files, the experiment's
    /// folder, addresses.
    fn without_places(&self, said: &str, files: &Files) -> String {
        let Files { train, test, out, info, folder, .. } = files;
        let mut text = said.replace(train, "{train}").replace(test, "{test}").replace(out, "{out}");
        text = text.replace(info, "{info}").replace(&folder.path().display().to_string(), "{tmp}");
        if let Some(name) = folder.path().file_name().and_then(|n| n.to_str()) {
            text = text.replace(name, "{tmp}");
        }
        let folder = self.workplace.folder.display().to_string();
        if folder.len() > 1 {
            text = text.replace(&format!("{folder}/"), "").replace(&folder, ".");
        }
        without_addresses(&text)
    }

    fn read_predictions(&self, path: &Path, rows: usize) -> Result<Vec<f64>> {
        let most = (rows as u64).saturating_mul(BYTES_PER_ROW).saturating_add(BYTES_BESIDE);
        let bytes = self.workplace.host.read(path, most + 1).map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => own("the program ended well but wrote no {out} file"),
            _ if blames_the_machine(&e) => machine(format!("cannot read the {{out}} file: {e}")),
            _ => own(format!("its {{out}} file cannot be read: {e}")),
        })?;
        if bytes.len() as u64 > most {
            return Err(own(format!("its {{out}} file has more than {most} bytes for {rows} test rows")));
        }
        let name = format!("{{out}}.{}", extension(self.spec.format));
        let frame = frame::read(&name, &bytes).map_err(|e| own(e.to_string()))?;
        let column =
            frame.column("prediction").or_else(|| if frame.width() == 1 { frame.column_at(0) } else { None });
        match column {
            Some(Column::Real(values)) => Ok(values.clone()),
            _ => Err(own("its output needs a numeric column named 'prediction'")),
        }
    }

    fn command(&self, program: &str, arguments: &[String]) -> Command {
        let folder = &self.workplace.folder;
        // With another current folder it is left open what a relative path of a program is relative to.
        let program = if is_path(program) { folder.join(program) } else { PathBuf::from(program) };
        let mut words: Vec<OsString> = self.workplace.supervisor.clone();
        if !words.is_empty() {
            words.push("--".into());
        }
        words.push(program.into());
        let mut command = Command::new(&words[0]);
        let stdin = if words.len() > 1 { Stdio::piped() } else { Stdio::null() };
        command.args(&words[1..]).args(arguments).stdin(stdin).stdout(Stdio::null()).stderr(Stdio::piped());
        command.current_dir(folder);
        if let Some(mb) = self.workplace.memory_mb {
            command.env(MEMORY_MB, mb.to_string());
        }
        own_process_group(&mut command);
        command
    }
}

impl Family for CommandFamily {
    forward_to_family! {
        self => self.spec;
        name() -> &'static str;
        version() -> u32;
        summary() -> &'static str;
        parameters() -> &'static [ParamSpec];
        open_parameters() -> bool;
        check(variant: &Params) -> Result<()>;
        estimate(shape: Shape, variants: &[Params]) -> Cost;
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        let Job { train, test, context } = job;
        let raw = context.raw.clone().filter(|_| !self.spec.encoded);
        let encoded = raw.is_none();
        let inputs = raw.unwrap_or_else(|| {
            let names = context.names.as_ref().filter(|_| !self.spec.encoded);
            Arc::new(numbered(train.x, test, names.map_or(&[], |names| &names.inputs)))
        });
        let task = context.names.as_ref().map_or("", |names| &names.task);
        match Files::write(&inputs, encoded, train.y, test.rows(), task, self.spec.format, &self.workplace) {
            Ok(files) => variants.iter().map(|v| self.fit(&files, v, context)).collect(),
            Err(problem) => vec![Err(ModelError::System { problem }); variants.len()],
        }
    }
}

/// `0x7f3a12c8` → `0x…`, for short numbers are constants; and without the process that bash names before a
/// signal: `line 3: 4711 Killed`.
fn without_addresses(text: &str) -> String {
    let replaced = |text: &str, pattern: &str, by: &str| match Regex::new(pattern) {
        Ok(pattern) => pattern.replace_all(text, by).into_owned(),
        Err(_) => text.to_owned(),
    };
    let plain = replaced(text, "0x[0-9a-fA-F]{6,}", "0x…");
    replaced(&plain, r"\bline ([0-9]+): [0-9]+ ([A-Z])", "line $1: $2")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_processes_are_left_out() {
        let said =
            "; <Model at 0x7f3a12c8d0> flag 0x1f; m.sh: line 3: 4711 Segmentation fault; line 3: 12 items";
        let plain = "; <Model at 0x…> flag 0x1f; m.sh: line 3: Segmentation fault; line 3: 12 items";
        assert_eq!(without_addresses(said), plain);
    }
}
