//! Choosing on a validation period, judged on the test: what a user who never sees the test would get.

use tailrank_metrics::{Measure, Score};

use super::{
    Names, TaskId, TaskScores, VariantId,
    regret::{Loss, SHARE, loss},
};
use crate::table::{Format, Table, column};

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
    let of = |v: Option<VariantId>| v.and_then(|v| test.score(v, measure));
    let (test_score, best_score) = (of(chosen), of(best));
    let reference = of(test.best_reference(measure));
    Selection {
        task,
        measure,
        chosen,
        validation_score: chosen.and_then(|v| validation.score(v, measure)),
        test_rank: chosen.and_then(|v| test.ranks(measure)[v]),
        loss: test_score.zip(best_score).and_then(|(t, b)| loss(t, b, reference, measure.better())),
        test_score,
        best,
        best_score,
    }
}

/// One row per task and measure.
pub(super) fn table(names: &Names, selection: &[Selection]) -> Table {
    let label = |v: Option<VariantId>| v.map(|v| names.label(v).to_owned());
    Table::of(
        "selection",
        "Chosen without seeing the test",
        selection,
        vec![
            column("task", "task", Format::Name, "the task", |s: &&Selection| names.task(s.task).to_owned()),
            column("measure", "by", Format::Name, "the measure chosen and judged by", |s: &&Selection| {
                s.measure.id()
            }),
            column("chosen", "chosen on validation", Format::Name, "the pick on the validation rows", {
                move |s: &&Selection| label(s.chosen)
            }),
            column("validation_score", "validation", Format::Number, "its score there", |s: &&Selection| {
                s.validation_score
            })
            .for_files(),
            column("test_score", "test", Format::Number, "its score on the test", |s: &&Selection| {
                s.test_score
            }),
            column("test_rank", "rank", Format::Count, "its rank on the test", |s: &&Selection| s.test_rank),
            column(
                "test_pick",
                "pick on test",
                Format::Name,
                "the pick on the test rows",
                move |s: &&Selection| label(s.best),
            ),
            column("pick_score", "its score", Format::Number, "score of that pick", |s: &&Selection| {
                s.best_score
            }),
            column(
                "regret",
                "regret",
                Format::Number,
                "score lost by not knowing the test",
                |s: &&Selection| s.loss.map(|l| l.absolute),
            ),
            column("regret_share", "of the gain", Format::Percent, SHARE, |s: &&Selection| {
                s.loss.and_then(|l| l.share)
            })
            .for_files(),
        ],
    )
}
