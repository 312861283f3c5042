//! The second question: does the ordinary measure pick another model?

use indexmap::IndexMap;
use tailrank_metrics::Measure;

use super::{
    super::{Comparison, TaskId, VariantId, regret::Loss},
    Answer, Decision, Reason, Verdict,
    rule::Asked,
};

/// The answer for one pair of measures, task by task.
#[derive(Clone, Debug, PartialEq)]
pub struct Picks {
    /// The ordinary measure.
    pub chosen_by: Measure,
    /// The measure that matters.
    pub judged_by: Measure,
    /// One answer per task, in order.
    pub tasks: Vec<TaskPicks>,
}

/// The answer on one task.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskPicks {
    /// The task.
    pub task: TaskId,
    /// Whether the ordinary measure picks another model.
    pub changes: Changes,
    /// The model picked by the ordinary measure.
    pub chosen: Option<VariantId>,
    /// The model picked by the measure that matters.
    pub judged: Option<VariantId>,
    /// What taking the first instead of the second loses by the measure that matters.
    pub loss: Option<Loss>,
}

/// Whether the ordinary measure picks another model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Changes {
    /// It does, and the measure that matters tells the two apart.
    Yes,
    /// Both pick the same model, or models with the same predictions.
    No,
    /// That is undecided.
    Undecided(Undecided),
}

/// Why it is undecided whether the ordinary measure picks another model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undecided {
    /// No model has a score by this measure.
    NoPick(Measure),
    /// The two picks are tied: the first is in the confidence set of the second.
    Tied,
    /// By the measure that matters no model is to be used.
    NoModel(Reason),
}

impl Changes {
    /// `yes`, `no` or `undecided`, for files and scripts.
    pub fn code(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Undecided(_) => "undecided",
        }
    }
}

impl Undecided {
    /// The reason for files and scripts.
    pub fn code(self) -> &'static str {
        match self {
            Self::NoPick(_) => "no_score",
            Self::Tied => "tied",
            Self::NoModel(reason) => reason.code(),
        }
    }
}

impl Picks {
    /// Tasks on which the answer is yes, no, and undecided.
    pub fn counts(&self) -> [usize; 3] {
        let count = |code: &str| self.tasks.iter().filter(|t| t.changes.code() == code).count();
        ["yes", "no", "undecided"].map(count)
    }
}

/// The answers of all pairs, in their order.
pub(super) fn picks(answer: &Answer, asked: Asked<'_>) -> Vec<Picks> {
    let mut all: IndexMap<(Measure, Measure), Vec<TaskPicks>> = IndexMap::new();
    for c in asked.comparisons {
        let decision = answer.decision(c.task, c.judged_by);
        let has_gain = answer.has_gain(c.task, c.judged_by, asked.alpha);
        let on_task = TaskPicks {
            task: c.task,
            changes: changes(c, decision),
            chosen: c.best_chosen,
            judged: c.best_judged,
            loss: c.loss.map(|loss| loss.of_a_gain(has_gain)),
        };
        all.entry((c.chosen_by, c.judged_by)).or_default().push(on_task);
    }
    all.into_iter().map(|((chosen_by, judged_by), tasks)| Picks { chosen_by, judged_by, tasks }).collect()
}

fn changes(c: &Comparison, decision: Option<&Decision>) -> Changes {
    let no_model = decision.and_then(|d| d.verdict.reason());
    match (c.best_chosen, c.best_judged) {
        // Where nobody catches anything, all scores are equal and the pick is arbitrary.
        _ if no_model == Some(Reason::NoEventCaught) => {
            Changes::Undecided(Undecided::NoModel(Reason::NoEventCaught))
        }
        (_, None) => Changes::Undecided(Undecided::NoPick(c.judged_by)),
        (None, _) => Changes::Undecided(Undecided::NoPick(c.chosen_by)),
        (Some(x), Some(y)) if x == y => Changes::No,
        (Some(x), _) if decision.is_some_and(|d| d.tied.contains(&x)) => Changes::Undecided(Undecided::Tied),
        _ => match decision.map(|d| d.verdict) {
            Some(Verdict::Use) => Changes::Yes,
            Some(Verdict::NoModel(reason)) => Changes::Undecided(Undecided::NoModel(reason)),
            None => Changes::Undecided(Undecided::NoPick(c.judged_by)),
        },
    }
}
