//! The answer of a run as typed facts: which model to use on each task, or that none is worth using, and why.
//!
//! One rule for every task and measure: the model with the best score is to be used if it beats chance and
//! every baseline, and, for measures of events, catches at least one of at least ten events. Words are made
//! elsewhere.

mod ladder;
mod picks;
mod rule;

/// One row per task and measure.
pub(super) fn table(names: &Names, answer: &Answer) -> Table {
    use Format::{Count, Name, Number, P};
    let label = |v: Option<VariantId>| v.map(|v| names.label(v));
    let count = |d: &Decision, of: fn(&Counts) -> usize| d.counts.as_ref().map(of);
    Table::of(&answer.decisions)
        .task(names, |d| d.task)
        .measure(|d| d.measure)
        .column(Name, "deciding", "deciding", |d| if d.deciding { "yes" } else { "no" })
        .means("whether the measure decides; the others are exploratory")
        .column(Name, "verdict", ("verdict", "the verdict"), |d| d.verdict.code())
        .column(Name, "reason", "reason", |d| d.verdict.reason().map(Reason::code))
        .means("why it is no model")
        .column(Name, "model", ("model", "the leading model"), |d| label(d.model))
        .column(Name, "family", "family", |d| d.model.map(|m| names.variants[m].group.as_str()))
        .means("its family")
        .column(Number, "score", ("score", "its score"), |d| d.score)
        .column(Number, "lower", ("from", "lower end of its interval"), |d| d.lower)
        .column(Number, "upper", ("to", "upper end of its interval"), |d| d.upper)
        .column(Number, "chance", ("chance", "median of the leading scores by chance"), |d| d.chance)
        .column(P, "p_chance", "p chance", |d| d.p_chance)
        .means("p against chance, the choice among all models counted")
        .column(Name, "baseline", ("baseline", "the leading baseline"), |d| label(d.baseline))
        .column(Number, "baseline_score", ("its score", "score of that baseline"), |d| d.baseline_score)
        .column(P, "p_baseline", "p baseline", |d| d.p_baseline)
        .means("the model's step-down adjusted p (Romano–Wolf), the largest over all baselines")
        .column(P, "p_verdict", ("p", "the larger of p_chance and p_baseline"), |d| d.p_verdict)
        .column(P, "p_adjusted", "p adj", |d| d.p_adjusted)
        .means("p_verdict corrected over tasks (Holm), for the deciding measure alone")
        .column(Name, "tied", "tied", |d| {
            d.tied.iter().map(|&v| names.label(v)).collect::<Vec<_>>().join("; ")
        })
        .means("other models in the confidence set")
        .column(Count, "events", ("events", "events in the test"), |d| d.events)
        .column(Count, "signals", ("signals", "signals of the model"), |d| count(d, |c| c.signals))
        .column(Count, "caught", ("caught", "events with a signal on their side"), |d| count(d, |c| c.caught))
        .column(Count, "false_alarms", "false alarms", |d| count(d, |c| c.false_alarms))
        .means("signals without an event on their side")
        .column(Count, "missed", "missed", |d| count(d, |c| c.missed))
        .means("events without a signal on their side")
        .column(Number, "cost_from", "cost from", |d| d.cost_from)
        .means("cost of a missed event, in false alarms, from which the model is the one to act on")
        .column(Number, "cost_to", "cost to", |d| d.cost_to)
        .means("the cost up to which it is; empty where there is none")
        .titled("decisions", "Verdict by each measure")
}

#[cfg(test)]
mod tests;
mod warning;

use tailrank_metrics::Measure;

use super::{Names, TaskId, VariantId};
use crate::table::{Format, Table};

pub use super::inference::Untestable;

pub(super) use ladder::alarms_table;
pub use ladder::{Ladder, Rung};
pub use picks::{Changes, Picks, TaskPicks, Undecided};
pub use rule::deciding_measure;
pub(super) use rule::{Asked, decide};
pub use warning::{GridEnd, Warning};

/// Whether a model is to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The model of the decision is worth using.
    Use,
    /// No model is, for this reason.
    NoModel(Reason),
}

impl Verdict {
    /// `use` or `no_model`, for files and scripts.
    pub fn code(self) -> &'static str {
        match self {
            Self::Use => "use",
            Self::NoModel(_) => "no_model",
        }
    }

    /// Why no model is to be used.
    pub fn reason(self) -> Option<Reason> {
        match self {
            Self::Use => None,
            Self::NoModel(reason) => Some(reason),
        }
    }
}

/// Why no model is to be used: the first of these that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The model with the best score catches no event, by a measure of events.
    NoEventCaught,
    /// The test has fewer than ten events, by a measure of events.
    FewEvents,
    /// Chance reaches the best score too often, the choice among all models counted.
    NotBetterThanChance,
    /// At least one baseline is not clearly worse.
    NotBetterThanBaseline,
    /// The data or the measure allow no test.
    NotTestable(Untestable),
}

impl Reason {
    /// The reason for files and scripts.
    pub fn code(self) -> &'static str {
        match self {
            Self::NoEventCaught => "no_event_caught",
            Self::FewEvents => "few_events",
            Self::NotBetterThanChance => "not_better_than_chance",
            Self::NotBetterThanBaseline => "not_better_than_baseline",
            Self::NotTestable(_) => "not_testable",
        }
    }
}

/// What became of a model's signals in one pass over the test; with repeats, rounded means over them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counts {
    /// Signals: `caught + false_alarms`.
    pub signals: usize,
    /// Events with a signal on their side.
    pub caught: usize,
    /// Signals without an event on their side.
    pub false_alarms: usize,
    /// Events without a signal on their side.
    pub missed: usize,
}

/// What one measure says of one task: a row of `decisions.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The task.
    pub task: TaskId,
    /// The measure.
    pub measure: Measure,
    /// Whether it is the deciding measure; the others are exploratory and not corrected over tasks.
    pub deciding: bool,
    /// Use the model, or none.
    pub verdict: Verdict,
    /// The model with the best score, whether or not it is to be used; none where no model has a score.
    pub model: Option<VariantId>,
    /// Its score.
    pub score: Option<f64>,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
    /// The middle of the best scores by chance.
    pub chance: Option<f64>,
    /// p against chance; the null is the maximum over all models.
    pub p_chance: Option<f64>,
    /// The baseline with the best score; none where there is no baseline with a score.
    pub baseline: Option<VariantId>,
    /// Its score.
    pub baseline_score: Option<f64>,
    /// The model's own step-down adjusted p (Romano & Wolf), the largest over all baselines.
    pub p_baseline: Option<f64>,
    /// The larger of `p_chance` and `p_baseline`; none where one of them is missing.
    pub p_verdict: Option<f64>,
    /// `p_verdict` corrected over the tasks (Holm) for the deciding measure; the same as `p_verdict` for the
    /// others.
    pub p_adjusted: Option<f64>,
    /// Other models in the model's confidence set, of those with the same predictions the first; baselines
    /// are not among them.
    pub tied: Vec<VariantId>,
    /// Events in one pass over the test; none without an event definition.
    pub events: Option<usize>,
    /// What became of the model's signals; none without an event definition.
    pub counts: Option<Counts>,
    /// Cost of a missed event, in false alarms, from which the model is the one to act on; none where it
    /// never is.
    pub cost_from: Option<f64>,
    /// The cost up to which it is; none where there is no such bound, or it never is.
    pub cost_to: Option<f64>,
}

impl Decision {
    /// The model, if it is to be used.
    pub fn recommended(&self) -> Option<VariantId> {
        self.model.filter(|_| self.verdict == Verdict::Use)
    }

    /// Whether the model's gain over every baseline is significant: only then is a share of that gain worth
    /// stating.
    pub fn gains_over_baseline(&self, alpha: f64) -> bool {
        self.p_baseline.is_some_and(|p| p < alpha)
    }
}

/// What a run tells its user.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The measure that decides; none where no measure is computed.
    pub decide_by: Option<Measure>,
    /// One decision per task and measure, task by task in the order of the measures.
    pub decisions: Vec<Decision>,
    /// Whether the ordinary measure picks another model, pair by pair.
    pub picks: Vec<Picks>,
    /// Which model to act on at which cost of a missed event, task by task; empty rungs where nothing can be
    /// said.
    pub ladders: Vec<Ladder>,
    /// What to know before a decision is believed, task by task.
    pub warnings: Vec<Vec<Warning>>,
}

impl Answer {
    /// What one measure says of one task.
    pub fn decision(&self, task: TaskId, measure: Measure) -> Option<&Decision> {
        let first = self.decisions.partition_point(|d| d.task < task);
        let mut of_task = self.decisions[first..].iter().take_while(|d| d.task == task);
        of_task.find(|d| d.measure == measure)
    }

    /// What the deciding measure says of one task.
    pub fn deciding(&self, task: TaskId) -> Option<&Decision> {
        self.decision(task, self.decide_by?)
    }

    /// What the deciding measure says, task by task.
    pub fn all_deciding(&self) -> impl Iterator<Item = &Decision> {
        self.decisions.iter().filter(|d| d.deciding)
    }

    /// Whether the best model's gain over every baseline is significant by a measure.
    pub fn has_gain(&self, task: TaskId, measure: Measure, alpha: f64) -> bool {
        self.decision(task, measure).is_some_and(|d| d.gains_over_baseline(alpha))
    }

    /// The pair of measures named first: the headline of the second question.
    pub fn first_picks(&self) -> Option<&Picks> {
        self.picks.first()
    }
}
