//! Each measure's pick against every other model, by every [`PairedTest`].
//!
//! Case by case where a measure is a mean of a loss or a gain per case; fold by fold, by any measure, where there are folds. F and
//! its kin have their confidence sets beside.

use std::borrow::Cow;

use tailrank_metrics::{Better, Measure, scoring::Statistic};
use tailrank_stats::{Correction, TestResult, adjust};

use super::{
    FEWEST_BLOCKS, Question, Repeats, TaskInference, counted,
    design::label_span,
    in_task,
    paired_tests::{Pair, PairedTest, paired_tests},
};
use crate::{
    Result,
    score::{Names, TaskId, VariantId},
    table::{Audience, Format, Table},
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
    /// What each test says, by its name in files.
    pub tests: Vec<(&'static str, Tested)>,
}

/// What a test says.
#[derive(Clone, Debug, PartialEq)]
pub struct Tested {
    /// Its answer.
    pub result: TestResult,
    /// Its p, corrected by Holm over all pairs of models.
    pub p_holm: f64,
}

impl Pairwise {
    /// What one test says, by its name in files.
    pub fn test(&self, id: &str) -> Option<&Tested> {
        self.tests.iter().find(|(test, _)| *test == id).map(|(_, tested)| tested)
    }
}

/// Tests of the winner against the others, by every measure that a test can look at.
pub(super) fn pairwise(
    question: &Question<'_>,
    repeats: &Repeats<'_>,
    found: &TaskInference,
) -> Result<Vec<Pairwise>> {
    let (mut all, variants) = (Vec::new(), found.variants.len());
    // Means of too few blocks cannot be compared.
    if found.blocks.is_some_and(|blocks| blocks < FEWEST_BLOCKS) {
        return Ok(all);
    }
    let rows =
        (question.parts.iter().map(|p| p.train).sum(), question.parts.iter().map(|p| p.truth.len()).sum());
    for (m, &measure) in question.scores.measures.iter().enumerate() {
        let Some(winner) = question.scores.best(measure) else { continue };
        let Some(place) = found.place(winner, question.scores) else { continue };
        let terms = |variants: usize| {
            repeats.terms(0..variants, &[Statistic::from(measure)]).map_err(|e| in_task(question, e))
        };
        // One column of its own per variant is a loss or a gain of each case; the first variant tells.
        let has_losses = terms(1)?.tables.iter().all(|t| t.columns_per_variant() == 1);
        let terms = if has_losses { Some(terms(variants)?) } else { None };
        let losses: Option<Vec<Cow<'_, [f64]>>> = terms.as_ref().map(|terms| {
            let columns: Vec<Vec<&[f64]>> = terms.tables.iter().map(|t| t.iter().collect()).collect();
            let of = |v: usize| repeats.unit_means(|r, _| columns[r][columns[r].len() - variants + v].into());
            (0..variants).map(of).collect()
        });
        let of_variant =
            |&v: &VariantId| question.scores.folds[v].iter().map(|f| counted(f.scores[m])).collect();
        let folds: Option<Vec<Vec<f64>>> =
            (!question.scores.folds.is_empty()).then(|| found.variants.iter().map(of_variant).collect());
        if losses.is_none() && folds.is_none() {
            continue;
        }
        let others: Vec<usize> = (0..variants).filter(|&i| i != place).collect();
        let pairs = others.iter().map(|&i| Pair {
            losses: losses.as_ref().map(|l| turned(measure, &l[place], &l[i])),
            folds: folds.as_ref().map(|f| turned(measure, &f[place], &f[i])),
            rows,
            horizon: question
                .horizon
                .or_else(|| (repeats.in_time() && folds.is_none()).then(|| label_span(question))),
        });
        let tests = tested(&pairs.collect::<Vec<_>>(), variants * (variants - 1) / 2);
        all.extend(others.iter().zip(tests).map(|(&i, tests)| Pairwise {
            task: question.task,
            measure,
            winner: found.variants[place],
            other: found.variants[i],
            tests,
        }));
    }
    Ok(all)
}

/// A gain of the winner is a loss of the other.
fn turned<'a>(measure: Measure, winner: &'a [f64], other: &'a [f64]) -> (&'a [f64], &'a [f64]) {
    match measure.better() {
        Better::Lower => (winner, other),
        Better::Higher => (other, winner),
    }
}

/// What every test says of every pair, each corrected by Holm over `all` pairs of models: the pick was chosen by the same cases, so
/// that its pairs are the most extreme of all.
fn tested(pairs: &[Pair<'_>], all: usize) -> Vec<Vec<(&'static str, Tested)>> {
    let mut tested = vec![Vec::new(); pairs.len()];
    for test in paired_tests() {
        let answers: Vec<Option<TestResult>> = pairs.iter().map(test.run).collect();
        let p: Vec<f64> = answers.iter().flatten().map(|a| a.p_value).collect();
        let mut adjusted = holm_among(&p, all).into_iter();
        for (of_pair, answer) in tested.iter_mut().zip(answers) {
            let corrected = answer.and_then(|result| Some(Tested { result, p_holm: adjusted.next()? }));
            of_pair.extend(corrected.map(|tested| (test.id, tested)));
        }
    }
    tested
}

/// Holm's adjusted p of the smallest of `all` tests, the others of which have p = 1.
pub(super) fn holm_among(p: &[f64], all: usize) -> Vec<f64> {
    let mut padded = p.to_vec();
    padded.resize(all.max(p.len()), 1.0);
    adjust(&padded, Correction::Holm).unwrap_or_else(|_| vec![1.0; padded.len()])
}

/// One row per task, measure and variant beside the winner.
pub(in crate::score) fn table(names: &Names, tasks: &[TaskInference]) -> Table {
    use Format::{Name, Number, P};
    let rows = || tasks.iter().flat_map(|t| &t.pairwise);
    let mut table = Table::of(rows())
        .task(names, |r| r.task)
        .measure(|r| r.measure)
        .column(Name, "leader", ("pick", "the model with the first rank"), |r| names.label(r.winner))
        .column(Name, "other", ("other", "the other model"), |r| names.label(r.other));
    for PairedTest { id, symbol, name, signed, .. } in paired_tests() {
        // A test that never fits keeps its columns in files alone.
        let is_answered = rows().any(|r| r.test(id).is_some());
        let shown = |to_people: bool| if to_people { Audience::All } else { Audience::Files };
        let sign = if signed { "; negative favours the pick" } else { "" };
        let tested = |r: &&Pairwise| r.test(id).cloned();
        table = table
            .column(Number, id, symbol, |r| tested(r).map(|t| t.result.statistic))
            .means(format!("statistic of {name}{sign}"))
            .audience(shown(is_answered && signed))
            .file_column(P, format!("{id}_p"), format!("p({symbol})"), |r| {
                tested(r).map(|t| t.result.p_value)
            })
            .means("its p")
            .column(P, format!("{id}_p_holm"), format!("p Holm ({symbol})"), |r| tested(r).map(|t| t.p_holm))
            .means(format!("p of {name}, corrected by Holm over all pairs of models"))
            .audience(shown(is_answered));
    }
    table.titled("pairwise", "Each measure's pick against every other model")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_are_corrected_over_all_pairs() {
        // R: p.adjust(c(.001, .02, .004, 1, 1, 1), "holm")[1:3]
        let adjusted = holm_among(&[0.001, 0.02, 0.004], 6);
        for (found, expected) in adjusted.into_iter().zip([0.006, 0.08, 0.02]) {
            assert!((found - expected).abs() < 1e-15, "{found}");
        }
    }
}
