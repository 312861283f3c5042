//! Experiments from Python: planned, run with progress, stopped by Ctrl-C and resumed.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::PathBuf,
    sync::{Mutex, Once, PoisonError, mpsc},
    thread,
    time::Duration,
};

use pyo3::{
    exceptions::{PyKeyboardInterrupt, PyRuntimeError},
    prelude::*,
};
use tailrank::{
    cli,
    data::{
        BundledContent, bundled,
        frame::{self, Column, Frame},
    },
    experiment::{families::Families, plan},
    models::Cancel,
    runner::run::{CellReport, Observer, RunOptions},
};

use crate::{
    error::{Failure, Interrupted},
    estimator::Estimator,
    relevance::as_floats,
    run::Run,
};

/// An experiment: the text of its file, where its paths start, and the estimators it may name.
#[pyclass(frozen, module = "tailrank._tailrank")]
pub(crate) struct Experiment {
    inner: tailrank::Experiment,
}

/// What an experiment would do.
#[pyclass(frozen, get_all, module = "tailrank._tailrank")]
pub(crate) struct Plan {
    name: String,
    tasks: Vec<(String, usize, usize)>,
    variants: Vec<String>,
    cells: usize,
    seconds: f64,
    warnings: Vec<String>,
    programs: Vec<String>,
}

impl Plan {
    fn of(plan: &plan::Plan) -> Self {
        let programs: BTreeSet<String> = plan.variants.iter().filter_map(|v| v.program.clone()).collect();
        Self {
            name: plan.experiment.name.clone(),
            tasks: plan.tasks.iter().map(|t| (t.name.clone(), t.data.rows(), t.splits.len())).collect(),
            variants: plan.variants.iter().map(|v| v.label.clone()).collect(),
            cells: plan.cells.len(),
            seconds: plan.cost().cpu_seconds,
            warnings: plan.warnings.clone(),
            programs: programs.into_iter().collect(),
        }
    }
}

#[pymethods]
impl Experiment {
    /// `name` stands for the experiment in messages; `data` is a folder whose files go before the bundled data.
    #[new]
    #[pyo3(signature = (text, name, base, data = None, estimators = Vec::new()))]
    fn new(
        text: String,
        name: PathBuf,
        base: PathBuf,
        data: Option<PathBuf>,
        estimators: Vec<Bound<'_, PyAny>>,
    ) -> Result<Self, Failure> {
        let mut families = Families::built_in();
        for bridge in &estimators {
            families = families.with(Estimator::new(bridge)?)?;
        }
        let mut inner = tailrank::Experiment::from_text(text, base).named(name).families(families);
        if let Some(folder) = data {
            inner = inner.data_folder(folder);
        }
        Ok(Self { inner })
    }

    /// Loads the data, draws the splits and checks everything; trains nothing.
    fn plan(&self, py: Python<'_>) -> Result<Plan, Failure> {
        py.detach(|| Ok(Plan::of(&self.inner.plan()?)))
    }

    /// Fits what the folder does not hold yet and scores. `progress` is called with ("planned", cells, finished),
    /// ("started", name) and ("ended", name, failed, reason).
    #[pyo3(signature = (out, jobs, retry_failed, allow_commands, program, progress = None))]
    fn run(
        &self,
        py: Python<'_>,
        out: PathBuf,
        jobs: usize,
        retry_failed: bool,
        allow_commands: bool,
        program: Vec<OsString>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Run> {
        leave_panics_of_cells_to_their_rows();
        let cancel = Cancel::default();
        let options = RunOptions {
            jobs: jobs.max(1),
            retry_failed,
            cell_program: cli::cell_program(&program),
            ..RunOptions::default()
        };
        interruptible(py, &cancel, progress, |mut told| {
            let plan = self.inner.plan()?;
            let programs = Plan::of(&plan).programs;
            if !programs.is_empty() && !allow_commands {
                return Err(Failure::new(format!(
                    "this experiment runs programs ({}); read it, then give allow_commands=True",
                    programs.join(", ")
                )));
            }
            let opened = self.inner.open(plan, &out)?;
            let ran = opened.fit(&options, &cancel, &mut told)?;
            Ok(Run::new(opened.score(ran, &cancel)?))
        })
    }
}

/// What a run tells the thread that waits for it.
enum Event {
    Planned { cells: usize, finished: usize },
    Started(String),
    Ended { name: String, failed: usize, reason: Option<String> },
}

/// Passes on what a run tells.
pub(crate) struct Told(mpsc::Sender<Event>);

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
        let _ = self.0.send(Event::Planned { cells: plan.cells.len(), finished: finished.len() });
    }

    fn started(&mut self, plan: &plan::Plan, cell: usize) {
        let _ = self.0.send(Event::Started(name(plan, cell)));
    }

    fn ended(&mut self, plan: &plan::Plan, report: &CellReport) {
        let name = name(plan, report.cell);
        let _ = self.0.send(Event::Ended { name, failed: report.failed, reason: report.reason.clone() });
    }
}

fn tell(py: Python<'_>, progress: &Py<PyAny>, event: Event) -> PyResult<()> {
    match event {
        Event::Planned { cells, finished } => progress.call1(py, ("planned", cells, finished)),
        Event::Started(name) => progress.call1(py, ("started", name)),
        Event::Ended { name, failed, reason } => progress.call1(py, ("ended", name, failed, reason)),
    }
    .map(|_| ())
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
                Ok(event) => {
                    progress.as_ref().filter(|_| raised.is_none()).map_or(Ok(()), |p| tell(py, p, event))
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
pub(crate) fn leave_panics_of_cells_to_their_rows() {
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

/// Names of the bundled tables; other bundled data are series.
#[pyfunction]
pub(crate) fn bundled_tables() -> Vec<&'static str> {
    let tables = bundled().iter().filter(|b| b.content != BundledContent::Series);
    tables.map(|b| b.name).collect()
}

/// Writes columns as a CSV file that reads back to the same values: arrays of numbers (NaN is a gap) and lists of words (None is one).
#[pyfunction]
pub(crate) fn write_table(path: PathBuf, columns: Vec<(String, Bound<'_, PyAny>)>) -> PyResult<()> {
    let of = |(name, values): &(String, Bound<'_, PyAny>)| -> PyResult<(String, Column)> {
        let column = match values.extract::<Vec<Option<String>>>() {
            Ok(words) => Column::Text(words.into_iter().map(Option::unwrap_or_default).collect()),
            Err(_) => Column::Real(as_floats(values, name)?.as_slice()?.to_vec()),
        };
        Ok((name.clone(), column))
    };
    let columns = columns.iter().map(of).collect::<PyResult<Vec<_>>>()?;
    let bytes = Frame::new(columns)
        .and_then(|frame| frame::to_csv(&frame))
        .map_err(|e| PyErr::from(Failure::new(e.to_string())))?;
    Ok(std::fs::write(path, bytes)?)
}
