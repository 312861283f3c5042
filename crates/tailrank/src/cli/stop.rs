//! Signals: finished cells are kept, and no phase takes longer than two seconds to end.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use tailrank_experiment::{EngineError, threads::SMALL_STACK};
use tailrank_models::Cancel;

use super::{Failure, print_error};

/// What scoring and the page get to notice that they should stop. Their outputs are put in place whole, so
/// that nothing is lost by an end at any moment.
const PATIENCE: Duration = Duration::from_millis(1200);

/// The same of fitting: cells have 1.2 seconds, then the log says how the session ended.
const PATIENCE_WITH_CELLS: Duration = Duration::from_millis(1800);

/// Tells a command that it should stop.
#[derive(Clone, Default)]
pub(crate) struct Stop {
    /// Set by the first signal.
    pub(crate) cancel: Cancel,
    is_fitting: Arc<AtomicBool>,
}

impl Stop {
    /// Listens to Ctrl-C and TERM: the first one lets running cells end, a second one does not wait for them.
    pub(crate) fn on_signal() -> Self {
        Self::or_end(|| EngineError::Interrupted.into())
    }

    /// [`on_signal`](Self::on_signal) of a calculation, of which nothing is kept.
    pub(crate) fn of_calculation() -> Self {
        Self::or_end(|| Failure::Stopped)
    }

    fn or_end(failure: fn() -> Failure) -> Self {
        let stop = Self::default();
        let shared = stop.clone();
        // A second handler cannot be set; the first one of the process stays.
        let _ = ctrlc::set_handler(move || {
            if shared.cancel.is_cancelled() {
                end();
            }
            shared.cancel.cancel();
            let is_fitting = shared.is_fitting.load(Ordering::Relaxed);
            // On a thread of its own, so that a second signal is still handled.
            let wait = move || {
                thread::sleep(if is_fitting { PATIENCE_WITH_CELLS } else { PATIENCE });
                print_error(&failure());
                end();
            };
            let _ = thread::Builder::new().stack_size(SMALL_STACK).spawn(wait);
        });
        stop
    }

    /// While cells are fitted, each has its own time to stop, and the log says how the session ended.
    pub(crate) fn while_fitting<T>(&self, fit: impl FnOnce() -> T) -> T {
        self.is_fitting.store(true, Ordering::Relaxed);
        let done = fit();
        self.is_fitting.store(false, Ordering::Relaxed);
        done
    }
}

#[allow(clippy::exit, reason = "what does not stop would keep the process; whatever is in place is whole")]
fn end() -> ! {
    std::process::exit(INTERRUPTED)
}

/// As shells call a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;
