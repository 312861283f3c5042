//! Long work on another thread, while Python's hears of its progress and of signals.

use std::{
    sync::{Mutex, Once, PoisonError, mpsc},
    thread,
    time::Duration,
};

use pyo3::{
    call::PyCallArgs,
    exceptions::{PyKeyboardInterrupt, PyRuntimeError},
    prelude::*,
};
use tailrank::{
    experiment::plan,
    models::Cancel,
    runner::run::{CellReport, Observer},
};

use crate::error::{Failure, Interrupted};

/// What a run tells the thread that waits for it: a call of what hears of progress.
type Event = Box<dyn FnOnce(&Bound<'_, PyAny>) -> PyResult<()> + Send>;

/// Passes on what a run tells.
pub(crate) struct Told(mpsc::Sender<Event>);

impl Told {
    fn tell(&self, facts: impl for<'py> PyCallArgs<'py> + Send + 'static) {
        let _ = self.0.send(Box::new(|progress| progress.call1(facts).map(|_| ())));
    }
}

fn name(plan: &plan::Plan, cell: usize) -> String {
    let c = &plan.cells[cell];
    let variant = &plan.variants[c.variants[0]];
    let label = if c.variants.len() == 1 {
        variant.label.clone()
    } else {
        format!("{} ({} variants)", variant.group, c.variants.len())
    };
    format!("{} · {label}", plan.tasks[c.task].name)
}

impl Observer for Told {
    fn planned(&mut self, plan: &plan::Plan, finished: &[usize]) {
        self.tell(("planned", plan.cells.len(), finished.len()));
    }

    fn started(&mut self, plan: &plan::Plan, cell: usize) {
        self.tell(("started", name(plan, cell)));
    }

    fn ended(&mut self, plan: &plan::Plan, report: &CellReport) {
        self.tell(("ended", name(plan, report.cell), report.failed, report.reason.clone()));
    }
}

/// How often Python is asked whether a signal came.
const LOOK: Duration = Duration::from_millis(50);

/// Does long work on another thread while this one, Python's, hears of its progress and of signals. The first exception, be it
/// `KeyboardInterrupt` or of `progress`, stops the work: what it finished is kept.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    cancel: &Cancel,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(Told) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let (send, receive) = mpsc::channel();
    let receive = Mutex::new(receive);
    thread::scope(|scope| {
        let worker = scope.spawn(move || work(Told(send)));
        let mut raised: Option<PyErr> = None;
        loop {
            let heard =
                py.detach(|| receive.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK));
            let said = match heard {
                Ok(tell) => {
                    progress.as_ref().filter(|_| raised.is_none()).map_or(Ok(()), |p| tell(p.bind(py)))
                }
                Err(mpsc::RecvTimeoutError::Timeout) => Ok(()),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            };
            if raised.is_none()
                && let Err(e) = said.and_then(|()| py.check_signals())
            {
                cancel.cancel();
                raised = Some(e);
            }
        }
        let done = py.detach(|| worker.join());
        match (raised, done) {
            (Some(e), _) => Err(interrupted(py, e)),
            (None, Ok(done)) => done.map_err(PyErr::from),
            (None, Err(_)) => Err(PyRuntimeError::new_err("internal error: the run panicked")),
        }
    })
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

/// Does long work on another thread while this one hears of signals. Ctrl-C comes back at once: the work is told to stop and ends by itself
/// a little later.
pub(crate) fn abandonable<T: Send + 'static>(
    py: Python<'_>,
    cancel: &Cancel,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let (send, receive) = mpsc::channel();
    let receive = Mutex::new(receive);
    thread::Builder::new().name("tailrank".to_owned()).spawn(move || {
        // Nobody listens any more once the caller gave up.
        let _ = send.send(work());
    })?;
    loop {
        match py.detach(|| receive.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK)) {
            Ok(done) => return done.map_err(PyErr::from),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("internal error: the comparison panicked"));
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        if let Err(e) = py.check_signals() {
            cancel.cancel();
            return Err(interrupted(py, e));
        }
    }
}

/// A panic inside a cell becomes a row with its reason and is not printed besides.
pub(crate) fn install_panic_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !thread::current().name().is_some_and(|name| name.starts_with("cell-")) {
                usual(panic);
            }
        }));
    });
}
