//! Choosing on a validation period, judged on the test: what a user who never sees the test would get.

use tailrank_metrics::{Measure, Score};

use super::{
    Names, TaskId, TaskScores, VariantId,
    regret::{Loss, SHARE, judged},
};
use crate::table::{Format, Table};

/// What choosing by one measure on the validation rows of one task gives on its test rows.
#[derive(Clone, Debug, PartialEq)]
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
pub(super) fn table(names: &Names, selection: &[Selection]) -> Table {
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
