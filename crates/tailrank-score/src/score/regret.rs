//! What is lost on one measure by choosing on another.

use serde::{Deserialize, Serialize};
use tailrank_metrics::{Better, Measure, Score, Undefined};

use super::{Names, TaskId, TaskScores, VariantId};
use crate::{
    table::{Format, Table},
    text,
};

/// A loss of score: in units of the measure, and as a share of what there was to win.
///
/// No percentage of a score itself: a score may be 0 or cross it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Loss {
    /// How much worse than the best, in units of the measure; 0 or more.
    pub absolute: f64,
    /// The same as a share of the best score's gain over the best baseline, from 0 to 1; none where there is
    /// no such gain, or the choice is worse than the baseline.
    pub share: Option<f64>,
}

impl Loss {
    /// The same, with its share only where the gain that it is a share of is significant.
    pub(super) fn of_a_gain(self, is_significant: bool) -> Self {
        Self { share: self.share.filter(|_| is_significant), ..self }
    }
}

/// What taking one score instead of the best costs. A variant that never signals has a score of 0 where an
/// undefined one would leave the question open.
pub fn loss(taken: Score, best: Score, reference: Option<Score>, better: Better) -> Option<Loss> {
    let worse = |a: f64, b: f64| if better == Better::Higher { b - a } else { a - b };
    let (taken, best) = (counted(taken)?, best.value()?);
    let absolute = worse(taken, best);
    let way = reference.and_then(counted).map(|r| worse(r, best)).filter(|&way| way > 0.0);
    Some(Loss { absolute, share: way.map(|way| absolute / way).filter(|s| (0.0..=1.0).contains(s)) })
}

/// Scores of a choice and of the best by a measure, and what the choice loses.
pub(super) fn judged(
    scores: &TaskScores,
    chosen: Option<VariantId>,
    best: Option<VariantId>,
    by: Measure,
) -> (Option<Score>, Option<Score>, Option<Loss>) {
    let score = |v: Option<VariantId>| v.and_then(|v| scores.score(v, by));
    let (taken, top, reference) = (score(chosen), score(best), score(scores.best_reference(by)));
    (taken, top, taken.zip(top).and_then(|(taken, top)| loss(taken, top, reference, by.better())))
}

/// A score as a loss counts it: silence earns nothing.
pub fn counted(score: Score) -> Option<f64> {
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
        for (place, &chosen_by) in scores.measures.iter().enumerate() {
            let Some(chosen) = bests[place] else { continue };
            for (&judged_by, &best) in scores.measures.iter().zip(&bests) {
                let (chosen_score, best_score, loss) = judged(scores, Some(chosen), best, judged_by);
                let Some(chosen_score) = chosen_score else { continue };
                all.push(Regret { task, chosen_by, chosen, judged_by, best, chosen_score, best_score, loss });
            }
        }
    }
    all
}

/// One row per task and pair of measures.
pub(super) fn table(names: &Names, regrets: &[Regret]) -> Table {
    use Format::{Name, Number, Percent};
    let label = |v: Option<VariantId>| v.map(|v| names.label(v));
    Table::of(regrets)
        .task(names, |r| r.task)
        .column(Name, "chosen_by", ("chosen by", "the measure chosen by"), |r| r.chosen_by.id())
        .column(Name, "chosen", ("choice", "the model it picks"), |r| names.label(r.chosen))
        .column(Name, "judged_by", ("judged by", "the measure judged by"), |r| r.judged_by.id())
        .column(Name, "judged", ("its pick", "the pick of that one"), |r| label(r.best))
        .column(Number, "chosen_score", ("its score", "score of the choice"), |r| r.chosen_score)
        .column(Number, "judged_score", ("its score", "score of that pick"), |r| r.best_score)
        .column(Number, "regret", "regret", |r| r.loss.map(|l| l.absolute))
        .means("score lost, in units of the measure")
        .column(Percent, "regret_share", ("of the gain", SHARE), |r| r.loss.and_then(|l| l.share))
        .titled("regret", "Regret of choosing by one measure when judged by another")
}

/// What a share of regret means.
pub(super) const SHARE: &str =
    "score lost as a share of the gain over the best baseline; empty where that gain is not significant";

/// Median losses over the tasks: one row per measure chosen by, one column per measure judged by, each in its
/// own units.
pub(super) fn costs_table(names: &Names, regrets: &[Regret], measures: &[Measure]) -> Table {
    use Format::{Name, Number};
    let lost = |a: Measure, b: Measure| {
        let of = regrets.iter().filter(|r| (r.chosen_by, r.judged_by) == (a, b));
        text::median(&of.filter_map(|r| r.loss.map(|l| l.absolute)).collect::<Vec<_>>())
    };
    let mut table = Table::of(measures.iter().copied()).column(
        Name,
        "chosen_by",
        ("chosen by", "the measure chosen by"),
        |a| a.id(),
    );
    for &b in measures {
        table = table
            .column(Number, b.id(), b.info().symbol, |&a| lost(a, b))
            .means(format!("{} lost, in its own units", b.info().name));
    }
    let over = if names.tasks.len() > 1 { ", on the median task" } else { "" };
    let caption = format!("Regret of choosing by one measure (rows) when judged by another (columns){over}");
    table.titled("costs", caption)
}

/// What choosing by one measure on the validation rows of one task gives on its test rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Selection {
    /// Which task.
    pub task: TaskId,
    /// The measure chosen and judged by.
    pub measure: Measure,
    /// The best variant on the validation rows; none when all are undefined there.
    pub chosen: Option<VariantId>,
    /// Its score on the validation rows.
    pub validation_score: Option<Score>,
    /// Its score on the test rows.
    pub test_score: Option<Score>,
    /// Its rank on the test rows, among all variants that have scores.
    pub test_rank: Option<f64>,
    /// The best variant on the test rows: the choice of one who knows the answers.
    pub best: Option<VariantId>,
    /// Score of that one on the test rows.
    pub best_score: Option<Score>,
    /// What choosing on the validation rows loses.
    pub loss: Option<Loss>,
}

/// The choices of every measure on one task.
pub fn selections(task: TaskId, validation: &TaskScores, test: &TaskScores) -> Vec<Selection> {
    test.measures.iter().map(|&measure| selection(task, measure, validation, test)).collect()
}

fn selection(task: TaskId, measure: Measure, validation: &TaskScores, test: &TaskScores) -> Selection {
    let (chosen, best) = (validation.best(measure), test.best(measure));
    let (test_score, best_score, loss) = judged(test, chosen, best, measure);
    Selection {
        task,
        measure,
        chosen,
        validation_score: chosen.and_then(|v| validation.score(v, measure)),
        test_rank: chosen.and_then(|v| test.ranks(measure)[v]),
        test_score,
        best,
        best_score,
        loss,
    }
}

/// One row per task and measure.
pub(super) fn selection_table(names: &Names, selection: &[Selection]) -> Table {
    use Format::{Count, Name, Number, Percent};
    let label = |v: Option<VariantId>| v.map(|v| names.label(v));
    Table::of(selection)
        .task(names, |s| s.task)
        .column(Name, "measure", ("by", "the measure chosen and judged by"), |s| s.measure.id())
        .column(Name, "chosen", "chosen on validation", |s| label(s.chosen))
        .means("the pick on the validation rows")
        .file_column(Number, "validation_score", ("validation", "its score there"), |s| s.validation_score)
        .column(Number, "test_score", ("test", "its score on the test"), |s| s.test_score)
        .column(Count, "test_rank", ("rank", "its rank on the test"), |s| s.test_rank)
        .column(Name, "test_pick", ("pick on test", "the pick on the test rows"), |s| label(s.best))
        .column(Number, "pick_score", ("its score", "score of that pick"), |s| s.best_score)
        .column(Number, "regret", "regret", |s| s.loss.map(|l| l.absolute))
        .means("score lost by not knowing the test")
        .file_column(Percent, "regret_share", ("of the gain", SHARE), |s| s.loss.and_then(|l| l.share))
        .titled("selection", "Chosen without seeing the test")
}

#[cfg(test)]
mod tests;
