//! Long work on another thread, while Python's hears of its progress and of signals.

use std::{
    sync::{Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

use pyo3::{
    call::PyCallArgs,
    exceptions::{PyKeyboardInterrupt, PyRuntimeError},
    prelude::*,
};
use tailrank::{
    experiment::plan::Plan,
    models::Cancel,
    runner::run::{CellReport, Observer},
};

use crate::error::{Interrupted, Result};

/// What a run tells the thread that waits for it: a call of what hears of progress.
type Event = Box<dyn FnOnce(&Bound<'_, PyAny>) -> PyResult<()> + Send>;

/// Passes on what a run tells.
pub(crate) struct Told(mpsc::Sender<Event>);

impl Told {
    fn tell(&self, facts: impl for<'py> PyCallArgs<'py> + Send + 'static) {
        let _ = self.0.send(Box::new(|progress| progress.call1(facts).map(|_| ())));
    }
}

impl Observer for Told {
    fn planned(&mut self, plan: &Plan, finished: &[usize]) {
        self.tell(("planned", plan.cells.len(), finished.len()));
    }

    fn started(&mut self, plan: &Plan, cell: usize) {
        self.tell(("started", plan.cell_name(cell)));
    }

    fn ended(&mut self, plan: &Plan, report: &CellReport) {
        self.tell(("ended", plan.cell_name(report.cell), report.failed, report.reason.clone()));
    }
}

/// How often Python is asked whether a signal came.
const LOOK: Duration = Duration::from_millis(50);

/// What becomes of work that is told to stop.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Stop {
    /// Its end is awaited: what it finished is kept.
    Awaited,
    /// Nothing is finished before its end: it ends by itself a little later.
    AtOnce,
}

/// Does long work on another thread while this one, Python's, hears of its progress and of signals. The first exception, be it
/// `KeyboardInterrupt` or of `progress`, stops the work.
pub(crate) fn stoppable<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    stop: Stop,
    work: impl FnOnce(Told, Cancel) -> Result<T> + Send + 'static,
) -> PyResult<T> {
    let cancel = Cancel::default();
    let stopped = cancel.clone();
    let (send, receive) = mpsc::channel();
    let receive = Mutex::new(receive);
    let worker = thread::Builder::new().name("tailrank".to_owned()).spawn(|| work(Told(send), stopped))?;
    let mut raised: Option<PyErr> = None;
    loop {
        let heard = py.detach(|| receive.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK));
        let said = match heard {
            Ok(tell) => progress.as_ref().filter(|_| raised.is_none()).map_or(Ok(()), |p| tell(p.bind(py))),
            Err(mpsc::RecvTimeoutError::Timeout) => Ok(()),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        };
        if raised.is_none()
            && let Err(e) = said.and_then(|()| py.check_signals())
        {
            cancel.cancel();
            raised = Some(e);
            if stop == Stop::AtOnce {
                break;
            }
        }
    }
    match raised {
        Some(e) => Err(interrupted(py, e)),
        None => match py.detach(|| worker.join()) {
            Ok(done) => Ok(done?),
            Err(_) => Err(PyRuntimeError::new_err("internal error: the work panicked")),
        },
    }
}

/// Ctrl-C as [`Interrupted`], with what Python raised as its cause; any other exception as it is.
fn interrupted(py: Python<'_>, raised: PyErr) -> PyErr {
    if !raised.is_instance_of::<PyKeyboardInterrupt>(py) || raised.is_instance_of::<Interrupted>(py) {
        return raised;
    }
    let told = Interrupted::new_err(
        "stopped; finished cells of a run are kept, and the same call goes on from there",
    );
    told.set_cause(py, Some(raised));
    told
}
