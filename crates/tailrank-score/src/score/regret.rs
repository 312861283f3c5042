//! What is lost on one measure by choosing on another.

use tailrank_metrics::{Better, Measure, Score, Undefined};

use super::{Names, TaskId, TaskScores, VariantId};
use crate::{
    table::{Format, Table, column},
    text,
};

/// A loss of score: in units of the measure, and as a share of what there was to win.
///
/// No percentage of a score itself: a score may be 0 or cross it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// How much worse than the best, in units of the measure; 0 or more.
    pub absolute: f64,
    /// The same as a share of the best score's gain over the best baseline, from 0 to 1; none where there is no such gain, or the
    /// choice is worse than the baseline.
    pub share: Option<f64>,
}

impl Loss {
    /// The same, with its share only where the gain that it is a share of is significant.
    pub(super) fn of_a_gain(self, is_significant: bool) -> Self {
        Self { share: self.share.filter(|_| is_significant), ..self }
    }
}

/// What taking one score instead of the best costs. A variant that never signals has a score of 0 where an undefined one would
/// leave the question open.
pub fn loss(taken: Score, best: Score, reference: Option<Score>, better: Better) -> Option<Loss> {
    let worse = |a: f64, b: f64| if better == Better::Higher { b - a } else { a - b };
    let (taken, best) = (counted(taken)?, best.value()?);
    let absolute = worse(taken, best);
    let way = reference.and_then(counted).map(|r| worse(r, best)).filter(|&way| way > 0.0);
    Some(Loss { absolute, share: way.map(|way| absolute / way).filter(|s| (0.0..=1.0).contains(s)) })
}

/// A score as a loss counts it: silence earns nothing.
pub(super) fn counted(score: Score) -> Option<f64> {
    match score {
        Score::Value(v) => Some(v),
        Score::Undefined(Undefined::NoSignals) => Some(0.0),
        Score::Undefined(_) => None,
    }
}

/// What choosing by one measure costs by another, on one task.
#[derive(Clone, Debug, PartialEq)]
pub struct Regret {
    /// Which task.
    pub task: TaskId,
    /// The measure chosen by.
    pub chosen_by: Measure,
    /// The variant it chooses.
    pub chosen: VariantId,
    /// The measure judged by.
    pub judged_by: Measure,
    /// The best variant by that measure.
    pub best: Option<VariantId>,
    /// Score of the chosen one by `judged_by`.
    pub chosen_score: Score,
    /// Score of the best one by `judged_by`.
    pub best_score: Option<Score>,
    /// What is lost.
    pub loss: Option<Loss>,
}

/// The regrets of all pairs of measures on all tasks.
pub fn regrets(tasks: &[TaskScores]) -> Vec<Regret> {
    let mut all = Vec::new();
    for (task, scores) in TaskId::all(tasks.len()).zip(tasks) {
        let bests: Vec<Option<VariantId>> = scores.measures.iter().map(|&m| scores.best(m)).collect();
        for (place, &a) in scores.measures.iter().enumerate() {
            let Some(chosen) = bests[place] else { continue };
            for (&b, &best) in scores.measures.iter().zip(&bests) {
                let Some(chosen_score) = scores.score(chosen, b) else { continue };
                let best_score = best.and_then(|v| scores.score(v, b));
                let reference = scores.best_reference(b).and_then(|v| scores.score(v, b));
                all.push(Regret {
                    task,
                    chosen_by: a,
                    chosen,
                    judged_by: b,
                    best,
                    chosen_score,
                    best_score,
                    loss: best_score.and_then(|best| loss(chosen_score, best, reference, b.better())),
                });
            }
        }
    }
    all
}

/// One row per task and pair of measures.
pub(super) fn table(names: &Names, regrets: &[Regret]) -> Table {
    let label = |v: Option<VariantId>| v.map(|v| names.label(v).to_owned());
    Table::of(
        "regret",
        "Regret of choosing by one measure when judged by another",
        regrets,
        vec![
            column("task", "task", Format::Name, "the task", |r: &&Regret| names.task(r.task).to_owned()),
            column("chosen_by", "chosen by", Format::Name, "the measure chosen by", |r: &&Regret| {
                r.chosen_by.id()
            }),
            column("chosen", "choice", Format::Name, "the model it picks", |r: &&Regret| {
                names.label(r.chosen).to_owned()
            }),
            column("judged_by", "judged by", Format::Name, "the measure judged by", |r: &&Regret| {
                r.judged_by.id()
            }),
            column("judged", "its pick", Format::Name, "the pick of that one", move |r: &&Regret| {
                label(r.best)
            }),
            column("chosen_score", "its score", Format::Number, "score of the choice", |r: &&Regret| {
                r.chosen_score
            }),
            column("judged_score", "its score", Format::Number, "score of that pick", |r: &&Regret| {
                r.best_score
            }),
            column(
                "regret",
                "regret",
                Format::Number,
                "score lost, in units of the measure",
                |r: &&Regret| r.loss.map(|l| l.absolute),
            ),
            column("regret_share", "of the gain", Format::Percent, SHARE, |r: &&Regret| {
                r.loss.and_then(|l| l.share)
            }),
        ],
    )
}

/// What a share of regret means.
pub(super) const SHARE: &str =
    "score lost as a share of the gain over the best baseline; empty where that gain is not significant";

/// Median losses over the tasks: one row per measure chosen by, one column per measure judged by, each in its own units.
pub(super) fn costs_table(names: &Names, regrets: &[Regret], measures: &[Measure]) -> Table {
    let lost = |a: Measure, b: Measure| {
        let of = regrets.iter().filter(|r| (r.chosen_by, r.judged_by) == (a, b));
        text::median(&of.filter_map(|r| r.loss.map(|l| l.absolute)).collect::<Vec<_>>())
    };
    let mut columns =
        vec![column("chosen_by", "chosen by", Format::Name, "the measure chosen by", |a: &Measure| a.id())];
    for &b in measures {
        let meaning = format!("{} lost, in its own units", b.info().name);
        columns
            .push(column(b.id(), b.info().symbol, Format::Number, meaning, move |&a: &Measure| lost(a, b)));
    }
    let over = if names.tasks.len() > 1 { ", on the median task" } else { "" };
    let caption = format!("Regret of choosing by one measure (rows) when judged by another (columns){over}");
    Table::of("costs", caption, measures.iter().copied(), columns)
}

#[cfg(test)]
mod tests;
