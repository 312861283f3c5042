//! Which figures a run has: those of [`FIGURES`](super::FIGURES) and any that a program registers.

use std::sync::{PoisonError, RwLock};

use tailrank_score::{score::TaskId, table::slug};

use super::{FIGURES, Figure, Heading, Paper, TaskView};
use crate::{PageInput, ReportError, Result, error::problem};

/// Figures registered so far. They live as long as the program, as the built-in ones do.
static REGISTERED: RwLock<Vec<&'static FigureSpec>> = RwLock::new(Vec::new());

type DrawRun = fn(&PageInput<'_>, &mut Sheet<'_>) -> Result<()>;
type DrawTask = fn(&TaskView<'_>, &mut Sheet<'_>) -> Result<()>;

/// A figure of a run: what it is called, and how it is filled and drawn.
///
/// ```
/// use tailrank_report::figures::{Draw, FigureSpec, RelevanceFigure, relevance};
///
/// let strict_events = FigureSpec {
///     name: "strict events",
///     question: "",
///     draw: Draw::Task(|task, sheet| {
///         let Some(phi) = task.settings().and_then(|s| s.relevance.as_ref()) else { return Ok(()) };
///         let target = task.quantity(&task.target);
///         let data = RelevanceFigure { target, values: &task.truth, relevance: phi, t_e: 0.9 };
///         sheet.add("", relevance(sheet.heading, &data))
///     }),
/// };
/// strict_events.register()?;
/// assert!(strict_events.register().is_err(), "the name is taken");
/// # Ok::<(), tailrank_report::ReportError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FigureSpec {
    /// Its name in lists; files are named after it.
    pub name: &'static str,
    /// The question it answers on the first screen; empty for a figure that is not shown there.
    pub question: &'static str,
    /// How it is drawn.
    pub draw: Draw,
}

/// What a figure is drawn from.
#[derive(Clone, Copy, Debug)]
pub enum Draw {
    /// All tasks of a run together; only where there are several.
    Run(DrawRun),
    /// One task, again for each.
    Task(DrawTask),
}

impl FigureSpec {
    pub(super) const fn of_run(name: &'static str, draw: DrawRun) -> Self {
        Self { name, question: "", draw: Draw::Run(draw) }
    }

    pub(super) const fn of_task(name: &'static str, draw: DrawTask) -> Self {
        Self { name, question: "", draw: Draw::Task(draw) }
    }

    pub(super) const fn answers(self, question: &'static str) -> Self {
        Self { question, ..self }
    }

    /// Adds a figure to every page and export that this program writes from now on.
    ///
    /// # Errors
    /// A name that is empty or taken.
    pub fn register(self) -> Result<()> {
        if self.name.is_empty() || all().iter().any(|known| known.name == self.name) {
            return Err(problem(self.name, &"the name is empty or taken; give the figure another"));
        }
        REGISTERED.write().unwrap_or_else(PoisonError::into_inner).push(Box::leak(Box::new(self)));
        Ok(())
    }
}

/// Every figure, in the order of lists.
fn all() -> Vec<&'static FigureSpec> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    FIGURES.iter().chain(registered.iter().copied()).collect()
}

/// Takes the drawings of one figure.
pub struct Sheet<'s> {
    /// Title and context of every drawing.
    pub heading: Heading<'s>,
    spec: &'static FigureSpec,
    /// What the names of files begin with.
    prefix: &'s str,
    drawings: Vec<Drawing>,
}

impl Sheet<'_> {
    /// Adds a drawing. `detail` tells several of one figure apart and follows its name, such as
    /// `, highest F`. A drawing that these data do not allow, or the paper is too narrow for, is left out,
    /// and the others are kept.
    ///
    /// # Errors
    /// Any other reason why there is no drawing.
    pub fn add(&mut self, detail: &str, figure: Result<Figure>) -> Result<()> {
        if !matches!(figure, Ok(_) | Err(ReportError::Figure { .. } | ReportError::TooNarrow { .. })) {
            return figure.map(|_| ());
        }
        let stem = format!("{}{}", self.prefix, slug(&format!("{}{detail}", self.spec.name)));
        self.drawings.push(Drawing { spec: self.spec, detail: detail.to_owned(), stem, figure });
        Ok(())
    }
}

/// One drawing of a figure.
pub(crate) struct Drawing {
    pub(crate) spec: &'static FigureSpec,
    /// What tells it from the figure's other drawings.
    pub(crate) detail: String,
    /// Its file, without the ending.
    pub(crate) stem: String,
    pub(crate) figure: Result<Figure>,
}

/// Draws the figures over all tasks of a run.
pub(crate) fn draw_run(subject: &PageInput<'_>, paper: Option<Paper>) -> Result<Vec<Drawing>> {
    let tasks = subject.results.names.tasks.len();
    if tasks < 2 || subject.pairs.is_empty() {
        return Ok(Vec::new());
    }
    drawn("", &format!("{}, {tasks} tasks", subject.name), paper, |spec, sheet| match spec.draw {
        Draw::Run(draw) => draw(subject, sheet),
        Draw::Task(_) => Ok(()),
    })
}

/// Draws the figures of one task that are `wanted`.
pub(crate) fn draw_task(
    task: &TaskView<'_>,
    paper: Option<Paper>,
    wanted: impl Fn(&FigureSpec) -> bool,
) -> Result<Vec<Drawing>> {
    let prefix = format!("{}-{}-", task.number.0 + 1, slug(task.name));
    drawn(&prefix, &task.context(), paper, |spec, sheet| match spec.draw {
        Draw::Task(draw) if wanted(spec) => draw(task, sheet),
        _ => Ok(()),
    })
}

/// Figures of one task of a table of predictions by their names, as its page has them; one that these data do
/// not allow is left out.
///
/// # Errors
/// Any other reason why there is no figure.
pub fn task_figures(subject: PageInput<'_>, task: TaskId, names: &[&str]) -> Result<Vec<Figure>> {
    let task = TaskView::load(subject, task, None)?;
    let drawings = draw_task(&task, None, |spec| names.contains(&spec.name))?;
    Ok(drawings.into_iter().filter_map(|drawing| drawing.figure.ok()).collect())
}

fn drawn(
    prefix: &str,
    context: &str,
    paper: Option<Paper>,
    draw: impl Fn(&FigureSpec, &mut Sheet<'_>) -> Result<()>,
) -> Result<Vec<Drawing>> {
    let heading = Heading { paper, ..Heading::of(context) };
    let mut drawings = Vec::new();
    for spec in all() {
        let mut sheet = Sheet { heading, spec, prefix, drawings };
        if let Err(problem) = draw(spec, &mut sheet) {
            sheet.add("", Err(problem))?;
        }
        drawings = sheet.drawings;
    }
    Ok(drawings)
}
