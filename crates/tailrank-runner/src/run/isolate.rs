//! A cell in a process of its own, so that an abort, a crash or a want of memory ends that cell and nothing
//! else.
//!
//! The parent sends the cell on the child's standard input: the model grid it belongs to, its parameters and
//! its rows. The child fits it by the code that fits cells in the parent, and answers on its standard output
//! with the bytes of the cell's file. It loads no data and knows no store, so the same results are stored
//! either way.

use std::{
    ffi::{OsStr, OsString},
    io::{self, Read, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    process::{Child, Command, ExitStatus, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use tailrank_experiment::{
    config::{GridScalar, ModelGrid},
    families::Families,
    threads::is_thread_exhaustion,
};
use tailrank_models::{
    Cancel, Family, FitContext, MatrixView, ParamValue, Params, RawColumn, RawInputs, RawValues, RowNames,
    TrainSet,
};

use super::{fit::fit_rows, learning::RecipeInputs, schedule::panic_text, work_clock::cancel_after};
use crate::store::cell_file::{self, CellFailure, CellVariant, FailureKind};
use crate::{
    EngineError, Result,
    programs::{
        CommandFamily, Workplace,
        process::{
            Listener, complaints_of, ended, last_lines, leave_stopping_to_the_parent, may_have_been_stopped,
            own_process_group, stop,
        },
    },
};

/// What a child may use.
#[derive(Clone, Debug)]
pub(super) struct Isolation {
    /// The program and its arguments.
    pub(super) program: Vec<OsString>,
    /// Memory of the child.
    pub(super) memory_mb: usize,
    /// Whether the system ends a child that takes more.
    pub(super) held_to_memory: bool,
    /// Time a child gets to answer after its deadline, before it is killed.
    pub(super) grace: Duration,
    /// Fires when the user stops the run: children are killed at once.
    pub(super) interrupt: Cancel,
}

/// Rows to learn from and rows to predict, all with `cols` inputs.
pub(super) struct CellRows<'a> {
    pub(super) cols: usize,
    pub(super) train: &'a [f64],
    pub(super) targets: &'a [f64],
    pub(super) test: &'a [f64],
    pub(super) test_rows: usize,
    /// The steps around the family, if any.
    pub(super) learning: Option<&'a RecipeInputs>,
    /// The inputs before they became numbers, for families that ask for them.
    pub(super) raw: Option<&'a RawInputs>,
    /// What the rows are called.
    pub(super) names: &'a RowNames,
}

/// Everything about a cell but its rows.
#[derive(Serialize, Deserialize)]
struct Header {
    /// As text, because TOML's whole numbers end at 2^63.
    seed: String,
    memory_mb: u64,
    held_to_memory: bool,
    deadline_ms: Option<u64>,
    cols: usize,
    train_rows: usize,
    test_rows: usize,
    task: String,
    inputs: Vec<String>,
    raw: Option<Vec<SentColumn>>,
    workplace: Option<SentWorkplace>,
    learning: Option<RecipeInputs>,
    grid: ModelGrid,
    variants: Vec<IndexMap<String, GridScalar>>,
}

/// A column before it became numbers; its values follow the rows.
#[derive(Serialize, Deserialize)]
struct SentColumn {
    name: String,
    /// Of categories.
    levels: Option<Vec<String>>,
}

impl SentColumn {
    fn new(column: &RawColumn) -> Self {
        let levels = match &column.values {
            RawValues::Numbers(_) => None,
            RawValues::Categories { levels, .. } => Some(levels.to_vec()),
        };
        Self { name: column.name.clone(), levels }
    }

    fn unpack(&self, numbers: Vec<f64>) -> RawColumn {
        let values = match &self.levels {
            None => RawValues::Numbers(numbers),
            Some(levels) => {
                let code = |v: &f64| (*v >= 0.0).then_some(*v as u32);
                RawValues::Categories {
                    codes: numbers.iter().map(code).collect(),
                    levels: levels.clone().into(),
                }
            }
        };
        RawColumn { name: self.name.clone(), values }
    }
}

/// The values of a column as they are sent: codes as numbers, −1 for a gap.
fn sent_values(column: &RawColumn) -> Vec<f64> {
    match &column.values {
        RawValues::Numbers(values) => values.clone(),
        RawValues::Categories { codes, .. } => codes.iter().map(|c| c.map_or(-1.0, f64::from)).collect(),
    }
}

/// A [`Workplace`] as text.
#[derive(Serialize, Deserialize)]
struct SentWorkplace {
    folder: String,
    scratch: Option<String>,
    supervisor: Vec<String>,
}

impl SentWorkplace {
    /// None where a path is no text: then programs run as the child does.
    fn new(workplace: &Workplace) -> Option<Self> {
        let text = |path: &OsStr| path.to_str().map(str::to_owned);
        Some(Self {
            folder: text(workplace.folder.as_os_str())?,
            scratch: workplace.scratch.as_ref().and_then(|path| text(path.as_os_str())),
            supervisor: workplace.supervisor.iter().map(|word| text(word)).collect::<Option<_>>()?,
        })
    }

    fn unpack(self) -> Workplace {
        Workplace {
            folder: self.folder.into(),
            scratch: self.scratch.map(Into::into),
            supervisor: self.supervisor.into_iter().map(Into::into).collect(),
            ..Workplace::default()
        }
    }
}

/// Fits a cell in a child process. What becomes of the child becomes a row; where the machine or the user is
/// to blame, one that is never stored.
pub(super) fn fit(
    isolation: &Isolation,
    grid: &ModelGrid,
    workplace: &Workplace,
    params: &[Params],
    rows: &CellRows<'_>,
    seed: u64,
    deadline: Option<Duration>,
    cancel: &Cancel,
) -> Vec<CellVariant> {
    let test_rows = rows.test_rows;
    let header = Header {
        seed: seed.to_string(),
        memory_mb: isolation.memory_mb as u64,
        held_to_memory: isolation.held_to_memory,
        deadline_ms: deadline.map(|d| d.as_millis().try_into().unwrap_or(u64::MAX)),
        cols: rows.cols,
        train_rows: rows.targets.len(),
        test_rows,
        task: rows.names.task.clone(),
        inputs: rows.names.inputs.clone(),
        raw: rows.raw.map(|raw| raw.train.iter().map(SentColumn::new).collect()),
        workplace: SentWorkplace::new(workplace),
        learning: rows.learning.cloned(),
        grid: grid.clone(),
        variants: params.iter().map(scalars).collect(),
    };
    let failed = |failure: &CellFailure| -> Vec<CellVariant> {
        params.iter().map(|p| CellVariant { params: p.to_string(), outcome: Err(failure.clone()) }).collect()
    };
    let mut variants = match converse(isolation, workplace, &header, rows, cancel) {
        Ok(bytes) => cell_file::decode_answer(&bytes, test_rows, params).unwrap_or_else(|e| {
            failed(&CellFailure::new(FailureKind::Error, &format!("its process answered wrongly: {e}")))
        }),
        Err(failure) => failed(&failure),
    };
    // The stack of a thread counts as memory: where threads can be had outside, the child's own limit kept it
    // from having one.
    let lacks_threads = |v: &CellVariant| v.system_error().is_some_and(is_thread_exhaustion);
    if isolation.held_to_memory && variants.iter().any(lacks_threads) && can_start_a_thread() {
        variants = failed(&beyond_memory(isolation));
    }
    variants
}

fn can_start_a_thread() -> bool {
    thread::Builder::new().spawn(|| ()).is_ok_and(|thread| thread.join().is_ok())
}

fn converse(
    isolation: &Isolation,
    workplace: &Workplace,
    header: &Header,
    rows: &CellRows<'_>,
    cancel: &Cancel,
) -> std::result::Result<Vec<u8>, CellFailure> {
    let machine = |problem: String| CellFailure::new(FailureKind::System, &problem);
    let (program, arguments) =
        isolation.program.split_first().ok_or_else(|| machine("no program fits single cells".to_owned()))?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    own_process_group(&mut command);
    let mut child = workplace
        .host
        .spawn(&mut command)
        .map_err(|e| machine(format!("cannot start a process for the cell: {e}")))?;
    let listeners =
        complaints_of(&mut child).and_then(|c| Ok((c, Listener::new(child.stdout.take(), usize::MAX)?)));
    let (complaints, answer) = match listeners {
        Ok(listeners) => listeners,
        Err(e) => {
            stop(&mut child, false);
            return Err(machine(format!("cannot listen to the process of a cell: {e}")));
        }
    };
    if let Some(pipe) = child.stdin.take() {
        // A child that ended early leaves a closed pipe; how it ended says more.
        let _ = send(header, rows, pipe);
    }
    let status =
        wait(&mut child, isolation, cancel)?.map_err(|e| machine(format!("cannot wait for a cell: {e}")))?;
    if status.success() {
        // All of it is in the pipe; on a busy machine the listener may need its time.
        return Ok(answer.heard(Duration::from_secs(60)));
    }
    if may_have_been_stopped(status) && is_interrupted_soon(isolation) {
        return Err(CellFailure::new(FailureKind::Timeout, STOPPED));
    }
    let said = last_lines(complaints);
    Err(ending(status, &said, isolation))
}

const STOPPED: &str = "stopped by the user";

/// Whether the run is stopped within a moment: a signal to all of its processes may reach a child before us.
fn is_interrupted_soon(isolation: &Isolation) -> bool {
    let ended = Instant::now();
    while !isolation.interrupt.is_cancelled() && ended.elapsed() < Duration::from_secs(1) {
        thread::sleep(Duration::from_millis(5));
    }
    isolation.interrupt.is_cancelled()
}

/// Waits for the child; a failure when it was stopped instead.
fn wait(
    child: &mut Child,
    isolation: &Isolation,
    cancel: &Cancel,
) -> std::result::Result<io::Result<ExitStatus>, CellFailure> {
    let mut pause = Duration::from_micros(200);
    let mut overdue: Option<Instant> = None;
    loop {
        match ended(child) {
            Ok(None) => {}
            Ok(Some(status)) => return Ok(Ok(status)),
            Err(e) => return Ok(Err(e)),
        }
        if isolation.interrupt.is_cancelled() {
            stop(child, false);
            return Err(CellFailure::new(FailureKind::Timeout, STOPPED));
        }
        // A child that looks at its clock answers by itself, with the variants it has finished.
        if cancel.is_cancelled() && overdue.get_or_insert_with(Instant::now).elapsed() >= isolation.grace {
            stop(child, false);
            return Err(CellFailure::new(FailureKind::Timeout, "passed the time limit and did not stop"));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// Why a child ended without an answer.
fn ending(status: ExitStatus, said: &str, isolation: &Isolation) -> CellFailure {
    // What Rust's allocator says before it aborts.
    if isolation.held_to_memory && said.contains("memory allocation of") {
        return beyond_memory(isolation);
    }
    match signal_of(status) {
        Some(number) => {
            let reason = match number {
                4 => "ended by signal 4 (illegal instruction)".to_owned(),
                6 => "ended by signal 6 (abort)".to_owned(),
                8 => "ended by signal 8 (arithmetic error)".to_owned(),
                9 => "ended by signal 9 (killed, probably out of memory)".to_owned(),
                7 | 10 | 11 => format!("ended by signal {number} (bad memory access)"),
                _ => format!("ended by signal {number}"),
            };
            CellFailure::new(FailureKind::Signal, &reason)
        }
        // What goes wrong inside a fit is part of the child's answer.
        None => {
            CellFailure::new(FailureKind::System, &format!("the process of a cell ended with {status}{said}"))
        }
    }
}

fn beyond_memory(isolation: &Isolation) -> CellFailure {
    let mb = isolation.memory_mb;
    let limit = if mb.is_multiple_of(1024) { format!("{} GB", mb / 1024) } else { format!("{mb} MB") };
    CellFailure::new(FailureKind::Memory, &format!("used more than the {limit} limit"))
}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}

fn send(header: &Header, rows: &CellRows<'_>, pipe: impl Write) -> io::Result<()> {
    let text = toml::to_string(header).map_err(io::Error::other)?;
    let mut pipe = io::BufWriter::new(pipe);
    pipe.write_all(&(text.len() as u64).to_le_bytes())?;
    pipe.write_all(text.as_bytes())?;
    for value in [rows.train, rows.targets, rows.test].into_iter().flatten() {
        pipe.write_all(&value.to_le_bytes())?;
    }
    for column in rows.raw.into_iter().flat_map(|raw| raw.train.iter().chain(&raw.test)) {
        for value in sent_values(column) {
            pipe.write_all(&value.to_le_bytes())?;
        }
    }
    pipe.flush()
}

/// The child's side: reads a cell, fits it, answers with the bytes of its file. Sets the limits of this very
/// process, so call it in a process that does nothing else.
///
/// # Errors
/// When the input is no cell, or the answer cannot be written.
pub fn fit_one_cell(mut input: impl Read, mut output: impl Write) -> Result<()> {
    let bad = |e: &dyn std::fmt::Display| EngineError::internal("isolated cell", e);
    leave_stopping_to_the_parent();
    let mut length = [0; 8];
    input.read_exact(&mut length).map_err(|e| bad(&e))?;
    let mut text = String::new();
    input.by_ref().take(u64::from_le_bytes(length)).read_to_string(&mut text).map_err(|e| bad(&e))?;
    let header: Header = toml::from_str(&text).map_err(|e| bad(&e))?;
    limit_process(header.held_to_memory.then_some(header.memory_mb)).map_err(|e| bad(&e))?;
    let mut numbers = |n: usize| -> Result<Vec<f64>> {
        let mut bytes = vec![0; n * 8];
        input.read_exact(&mut bytes).map_err(|e| bad(&e))?;
        let words = bytes.as_chunks::<8>().0;
        Ok(words.iter().map(|word| f64::from_le_bytes(*word)).collect())
    };
    let train = numbers(header.train_rows * header.cols)?;
    let targets = numbers(header.train_rows)?;
    let test = numbers(header.test_rows * header.cols)?;
    let mut columns = |sent: &[SentColumn], rows: usize| -> Result<Vec<RawColumn>> {
        sent.iter().map(|column| Ok(column.unpack(numbers(rows)?))).collect()
    };
    let raw = match &header.raw {
        Some(sent) => {
            let train = columns(sent, header.train_rows)?;
            Some(Arc::new(RawInputs { train, test: columns(sent, header.test_rows)? }))
        }
        None => None,
    };
    let names = Some(Arc::new(RowNames { task: header.task, inputs: header.inputs }));

    let workplace = header.workplace.map(SentWorkplace::unpack).unwrap_or_default();
    let grid = &header.grid;
    let family: Arc<dyn Family> = match grid.program() {
        Some(program) => Arc::new(CommandFamily::new(program, workplace)),
        None => Families::built_in().find(&grid.family, grid.engine.as_deref()).map_err(|e| bad(&e))?,
    };
    let params: Vec<Params> = header.variants.iter().map(params).collect();
    let cancel = match header.deadline_ms {
        Some(ms) => cancel_after(Duration::from_millis(ms)),
        None => Ok(Cancel::default()),
    };
    let memory_bytes = usize::try_from(header.memory_mb).unwrap_or(usize::MAX).saturating_mul(1 << 20);
    let seed = header.seed.parse().map_err(|e: std::num::ParseIntError| bad(&e))?;
    let x = MatrixView::new(header.train_rows, header.cols, &train).map_err(|e| bad(&e))?;
    let test = MatrixView::new(header.test_rows, header.cols, &test).map_err(|e| bad(&e))?;
    let failed = |kind: FailureKind, reason: &str| {
        params.iter().map(|p| CellVariant::failed(p.to_string(), kind, reason)).collect()
    };
    let variants = match cancel {
        Err(e) => failed(FailureKind::System, &format!("failed to spawn thread: {e}")),
        Ok(cancel) => {
            let context = FitContext { seed, memory_bytes, cancel, raw, names };
            let fit = || {
                fit_rows(
                    &*family,
                    header.learning.as_ref(),
                    TrainSet::new(x, &targets),
                    test,
                    &params,
                    &context,
                )
            };
            catch_unwind(AssertUnwindSafe(fit)).unwrap_or_else(|payload| {
                let text = panic_text(&*payload);
                match is_thread_exhaustion(&text) {
                    true => failed(FailureKind::System, &text),
                    false => failed(FailureKind::Panic, &format!("panicked: {text}")),
                }
            })
        }
    };
    let bytes = cell_file::encode_answer(header.test_rows, &variants)?;
    output.write_all(&bytes).and_then(|()| output.flush()).map_err(|e| bad(&e))
}

/// Limits memory, and ends with the parent: a killed run leaves no fit behind.
#[cfg(unix)]
fn limit_process(memory_mb: Option<u64>) -> std::result::Result<(), nix::errno::Errno> {
    use nix::sys::resource::{Resource, setrlimit};
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL)?;
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    // Data, not address space: threads reserve far more addresses for their stacks and heaps than they ever
    // use.
    let bytes = memory_mb.map(|mb| mb.saturating_mul(1 << 20));
    bytes.map_or(Ok(()), |bytes| setrlimit(Resource::RLIMIT_DATA, bytes, bytes))
}

#[cfg(not(unix))]
fn limit_process(_: Option<u64>) -> std::result::Result<(), std::convert::Infallible> {
    Ok(())
}

fn scalars(params: &Params) -> IndexMap<String, GridScalar> {
    let scalar = |value: &ParamValue| match value {
        ParamValue::Flag(v) => GridScalar::Flag(*v),
        ParamValue::Int(v) => GridScalar::Int(*v),
        ParamValue::Real(v) => GridScalar::Real(*v),
        ParamValue::Text(v) => GridScalar::Text(v.clone()),
    };
    params.iter().map(|(name, value)| (name.to_owned(), scalar(value))).collect()
}

fn params(scalars: &IndexMap<String, GridScalar>) -> Params {
    let mut params = Params::new();
    for (name, value) in scalars {
        params.insert(name, value.to_param());
    }
    params
}
