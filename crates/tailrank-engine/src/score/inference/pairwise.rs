//! The winner against every other variant, case by case: Diebold and Mariano's test and Wilcoxon's.
//!
//! For measures that are means of a loss or a gain per case; F and its kin are not, and have their confidence sets.

use tailrank_metrics::{
    Better, Measure, Scorer,
    scoring::{Statistic, TermTable},
};
use tailrank_stats::{
    Alternative, Correction, LongRunVariance, TestResult, WilcoxonMethod, ZeroMethod, adjust,
    diebold_mariano, wilcoxon_signed_rank,
};

use super::{Question, TaskInference, in_task};
use crate::{
    Result,
    score::{Names, TaskId, VariantId},
    table::{Format, Table, column},
};

/// The winner by a measure against another variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairwise {
    /// Which task.
    pub task: TaskId,
    /// The measure.
    pub measure: Measure,
    /// Its winner.
    pub winner: VariantId,
    /// The other variant.
    pub other: VariantId,
    /// Diebold and Mariano's test with the correction of Harvey, Leybourne and Newbold; two-sided.
    pub diebold_mariano: Option<TestResult>,
    /// Its p, corrected by Holm over the others.
    pub diebold_mariano_holm: Option<f64>,
    /// Wilcoxon's signed-rank test of the losses; two-sided.
    pub wilcoxon: Option<TestResult>,
    /// Its p, corrected by Holm over the others.
    pub wilcoxon_holm: Option<f64>,
}

/// Tests of the winner against the others, by every measure that is a mean over the cases.
pub(super) fn pairwise(
    question: &Question<'_>,
    scorer: &Scorer<'_>,
    predicted: &[Vec<&[f64]>],
    found: &TaskInference,
) -> Result<Vec<Pairwise>> {
    let mut all = Vec::new();
    for &measure in &question.scores.measures {
        let Some(winner) = question.scores.best(measure) else { continue };
        let Some(place) = found.place(winner, question.scores) else { continue };
        let terms = |predicted: &[Vec<&[f64]>]| {
            TermTable::new(scorer, predicted, &[Statistic::from(measure)]).map_err(|e| in_task(question, e))
        };
        // One column of its own per variant is a loss or a gain of each case; the first variant tells.
        if terms(&predicted[..1])?.columns_per_variant() != 1 {
            continue;
        }
        let table = terms(predicted)?;
        let losses: Vec<&[f64]> = table.iter().skip(table.columns() - predicted.len()).collect();
        let mut rows: Vec<Pairwise> = (0..predicted.len())
            .filter(|&i| i != place)
            .map(|i| against(question, found, measure, (place, i), (losses[place], losses[i])))
            .collect();
        holm(&mut rows, |r| r.diebold_mariano.as_ref(), |r, p| r.diebold_mariano_holm = Some(p));
        holm(&mut rows, |r| r.wilcoxon.as_ref(), |r, p| r.wilcoxon_holm = Some(p));
        all.extend(rows);
    }
    Ok(all)
}

fn against(
    question: &Question<'_>,
    found: &TaskInference,
    measure: Measure,
    (winner, other): (usize, usize),
    (of_winner, of_other): (&[f64], &[f64]),
) -> Pairwise {
    // A gain of the winner is a loss of the other.
    let (x, y) = match measure.better() {
        Better::Lower => (of_winner, of_other),
        Better::Higher => (of_other, of_winner),
    };
    let (two_sided, horizon) = (Alternative::TwoSided, question.horizon.unwrap_or(1));
    Pairwise {
        task: question.task,
        measure,
        winner: found.variants[winner],
        other: found.variants[other],
        // Equal losses, or too few cases, leave these without an answer.
        diebold_mariano: diebold_mariano(x, y, horizon, LongRunVariance::Rectangular, two_sided).ok(),
        diebold_mariano_holm: None,
        wilcoxon: wilcoxon_signed_rank(x, y, ZeroMethod::Wilcox, WilcoxonMethod::Auto, two_sided).ok(),
        wilcoxon_holm: None,
    }
}

fn holm(rows: &mut [Pairwise], test: fn(&Pairwise) -> Option<&TestResult>, put: fn(&mut Pairwise, f64)) {
    let tested: Vec<usize> = (0..rows.len()).filter(|&i| test(&rows[i]).is_some()).collect();
    let p: Vec<f64> = tested.iter().filter_map(|&i| test(&rows[i]).map(|t| t.p_value)).collect();
    if let Ok(adjusted) = adjust(&p, Correction::Holm) {
        for (&i, p) in tested.iter().zip(adjusted) {
            put(&mut rows[i], p);
        }
    }
}

/// One row per task, measure and variant beside the winner.
pub(in crate::score) fn table(names: &Names, tasks: &[TaskInference]) -> Table {
    type P<'a> = &'a Pairwise;
    use Format::{Name, Number, P as Chance};
    let p = |t: &Option<TestResult>| t.as_ref().map(|t| t.p_value);
    Table::of(
        "pairwise",
        "The winner by each measure against every other variant, case by case",
        tasks.iter().flat_map(|t| &t.pairwise),
        vec![
            column("task", "task", Name, "the task", |r: &P<'_>| names.task(r.task).to_owned()),
            column("measure", "measure", Name, "the measure", |r: &P<'_>| r.measure.id()),
            column("winner", "winner", Name, "its winner", |r: &P<'_>| names.label(r.winner).to_owned()),
            column("other", "other", Name, "the other variant", |r: &P<'_>| names.label(r.other).to_owned()),
            column(
                "dm",
                "DM",
                Number,
                "Diebold and Mariano's statistic: negative says that the winner loses less",
                |r: &P<'_>| r.diebold_mariano.as_ref().map(|t| t.statistic),
            ),
            column("dm_p", "p(DM)", Chance, "its p", move |r: &P<'_>| p(&r.diebold_mariano)).for_files(),
            column("dm_p_holm", "p Holm", Chance, "its p, corrected by Holm over the others", |r: &P<'_>| {
                r.diebold_mariano_holm
            }),
            column("wilcoxon_p", "p(W)", Chance, "p of Wilcoxon's signed-rank test", move |r: &P<'_>| {
                p(&r.wilcoxon)
            })
            .for_files(),
            column(
                "wilcoxon_p_holm",
                "p Holm (W)",
                Chance,
                "the same, corrected by Holm over the others",
                |r: &P<'_>| r.wilcoxon_holm,
            ),
        ],
    )
}
