//! A cell in a process of its own, so that an abort, a crash or a want of memory ends that cell and nothing
//! else.
//!
//! The parent sends the cell on the child's standard input: the model grid it belongs to, its parameters and
//! its rows. The child fits it by the code that fits cells in the parent, and answers on its standard output
//! with the bytes of the cell's file. It loads no data and knows no store, so the same results are stored
//! either way.

use std::{
    io::{self, Read, Write},
    process::{Command, ExitStatus, Stdio},
};

use tailrank_experiment::{families::Families, threads::is_thread_exhaustion};

use super::*;
use crate::programs::process::{
    attend, fires_soon, leave_stopping_to_the_parent, limit_memory, may_have_been_stopped, own_process_group,
    signal_of, spawn, wait_until_closed,
};

/// How a cell is kept apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Isolation {
    /// Whether the system ends a child that takes more memory than a cell may.
    pub(super) held_to_memory: bool,
}

/// Time a child gets to answer once it is told to stop, before it is killed: less than the scheduler gives a
/// cell.
const GRACE: Duration = super::execute::GRACE.saturating_sub(Duration::from_millis(500));

/// Fits a cell in a child process. What becomes of the child becomes a row; where the machine or the user is
/// to blame, one that is never stored.
pub(super) fn fit(work: &CellWork, cell: &Cell, workplace: &Workplace, cancel: &Cancel) -> Vec<CellVariant> {
    let answered = converse(work, workplace, cancel).and_then(|bytes| {
        cell_file::decode_for(&bytes, &cell.key, work.test_rows, &cell.params)
            .map_err(|e| CellFailure::new(FailureKind::Error, &format!("its process answered wrongly: {e}")))
    });
    let failed = |failure: CellFailure| CellVariant::all_failed(&cell.params, &failure);
    let variants = answered.unwrap_or_else(failed);
    // The stack of a thread counts as memory: where threads can be had outside, the child's own limit kept it
    // from having one.
    let lacks_threads = |v: &CellVariant| v.system_error().is_some_and(is_thread_exhaustion);
    let can_start_one = || thread::Builder::new().spawn(|| ()).is_ok_and(|thread| thread.join().is_ok());
    if work.held_to_memory && variants.iter().any(lacks_threads) && can_start_one() {
        return failed(beyond_memory(work));
    }
    variants
}

fn converse(
    work: &CellWork,
    workplace: &Workplace,
    cancel: &Cancel,
) -> std::result::Result<Vec<u8>, CellFailure> {
    let machine = |problem: String| CellFailure::new(FailureKind::System, &problem);
    let (program, arguments) =
        workplace.supervisor.split_first().ok_or_else(|| machine("no program fits alone".to_owned()))?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    own_process_group(&mut command);
    let spawned = workplace.host.spawn(&mut command);
    let mut child = spawned.map_err(|e| machine(format!("cannot start a process for the fit: {e}")))?;
    let mut pipe = child.stdin.take();
    // A child that ended early leaves a closed pipe; how it ended says more.
    let _ = pipe.as_mut().map(|pipe| send(work, pipe));
    let mut told: Option<Instant> = None;
    let is_over = || {
        if cancel.is_cancelled() {
            // A child whose pipe closes answers by itself, with the variants it has finished.
            drop(pipe.take());
            told.get_or_insert_with(Instant::now);
        }
        workplace.interrupt.is_cancelled() || told.is_some_and(|told| told.elapsed() >= GRACE)
    };
    let ended = attend(child, "the process of a fit", false, is_over).map_err(machine)?;
    let stopped = |why: &str| Err(CellFailure::new(FailureKind::Timeout, why));
    let Some(ended) = ended else {
        let is_users = workplace.interrupt.is_cancelled();
        return stopped(if is_users { STOPPED } else { "passed the time limit and did not stop" });
    };
    if ended.status.success() {
        return Ok(ended.answer());
    }
    // A signal to all processes of a run may reach a child before us.
    let is_interrupted = || fires_soon(Duration::from_secs(1), || workplace.interrupt.is_cancelled());
    if may_have_been_stopped(ended.status) && is_interrupted() {
        return stopped(STOPPED);
    }
    Err(ending(ended.status, &ended.last_lines(), work))
}

const STOPPED: &str = "stopped by the user";

/// Why a child ended without an answer.
fn ending(status: ExitStatus, said: &str, work: &CellWork) -> CellFailure {
    // What Rust's allocator says before it aborts.
    if work.held_to_memory && said.contains("memory allocation of") {
        return beyond_memory(work);
    }
    let Some(number) = signal_of(status) else {
        // What goes wrong inside a fit is part of the child's answer.
        let problem = format!("the process of a fit ended with {status}{said}");
        return CellFailure::new(FailureKind::System, &problem);
    };
    let meaning = match number {
        4 => " (illegal instruction)",
        6 => " (abort)",
        8 => " (arithmetic error)",
        9 => " (killed, probably out of memory)",
        7 | 10 | 11 => " (bad memory access)",
        _ => "",
    };
    CellFailure::new(FailureKind::Signal, &format!("ended by signal {number}{meaning}"))
}

fn beyond_memory(work: &CellWork) -> CellFailure {
    let mb = work.memory_mb;
    let limit = if mb.is_multiple_of(1024) { format!("{} GB", mb / 1024) } else { format!("{mb} MB") };
    CellFailure::new(FailureKind::Memory, &format!("used more than the {limit} limit"))
}

fn send(work: &CellWork, pipe: impl Write) -> io::Result<()> {
    let text = toml::to_string(work).map_err(io::Error::other)?;
    let mut pipe = io::BufWriter::new(pipe);
    pipe.write_all(&(text.len() as u64).to_le_bytes())?;
    pipe.write_all(text.as_bytes())?;
    for value in [&work.train, &work.targets, &work.test].into_iter().flatten() {
        pipe.write_all(&value.to_le_bytes())?;
    }
    pipe.flush()
}

/// The child's side: reads a cell, fits it, answers with the bytes of its file. Once the input closes it
/// stops, and answers with the variants that it has finished. Sets the limits of this very process, so call
/// it in a process that does nothing else.
///
/// # Errors
/// When the input is no cell, or the answer cannot be written.
pub fn fit_one_cell(mut input: impl Read + Send + 'static, mut output: impl Write) -> Result<()> {
    let bad = |e: &dyn std::fmt::Display| EngineError::internal("isolated cell", e);
    leave_stopping_to_the_parent();
    let mut length = [0; 8];
    input.read_exact(&mut length).map_err(|e| bad(&e))?;
    let mut text = String::new();
    input.by_ref().take(u64::from_le_bytes(length)).read_to_string(&mut text).map_err(|e| bad(&e))?;
    let mut work: CellWork = toml::from_str(&text).map_err(|e| bad(&e))?;
    // A killed run leaves no fit behind.
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL).map_err(|e| bad(&e))?;
    limit_memory(work.held_to_memory.then_some(work.memory_mb as u64)).map_err(|e| bad(&e))?;
    let mut numbers = |n: usize| -> Result<Vec<f64>> {
        let mut bytes = vec![0; n * 8];
        input.read_exact(&mut bytes).map_err(|e| bad(&e))?;
        let words = bytes.as_chunks::<8>().0;
        Ok(words.iter().map(|word| f64::from_le_bytes(*word)).collect())
    };
    let cols = work.inputs.len();
    work.train = numbers(work.train_rows * cols)?;
    work.targets = numbers(work.train_rows)?;
    work.test = numbers(work.test_rows * cols)?;
    let (name, engine) = (&work.grid.family, work.grid.engine.as_deref());
    let family = Families::built_in().find(name, engine).map_err(|e| bad(&e))?;
    let seed = work.seed.parse().map_err(|e: std::num::ParseIntError| bad(&e))?;
    let cancel = Cancel::default();
    let stop = cancel.clone();
    let listening = spawn("lifeline", move || {
        wait_until_closed(input);
        stop.cancel();
    });
    let fitted = match listening {
        Ok(_) => catch_unwind(AssertUnwindSafe(|| work.fit(&*family, seed, None, cancel)))
            .map_err(|payload| CellFailure::panicked(&panic_text(&*payload))),
        Err(e) => Err(CellFailure::new(FailureKind::System, &format!("failed to spawn thread: {e}"))),
    };
    let variants = fitted.unwrap_or_else(|failure| CellVariant::all_failed(&work.variants, &failure));
    let key = CellKey::parse(&work.key).ok_or_else(|| bad(&"no key"))?;
    let bytes = cell_file::encode(&key, work.test_rows, &variants)?;
    output.write_all(&bytes).and_then(|()| output.flush()).map_err(|e| bad(&e))
}
