//! Each measure's pick against every other model, by every [`PairedTest`].
//!
//! Case by case where a measure is a mean of a loss or a gain per case; fold by fold, by any measure, where
//! there are folds. F and its kin have their confidence sets beside.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tailrank_metrics::{Better, Measure, scoring::Statistic};
use tailrank_stats::{Correction, TestResult, Word, adjust, read_word};

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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pairwise {
    /// Which task.
    pub task: TaskId,
    /// The measure.
    pub measure: Measure,
    /// Its winner.
    pub winner: VariantId,
    /// The other variant.
    pub other: VariantId,
    /// What each test says.
    pub tests: Vec<Tested>,
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tested {
    /// The test's name in files.
    #[serde(deserialize_with = "read_word")]
    pub id: Word,
    /// Its statistic.
    pub statistic: f64,
    /// Its p.
    pub p: f64,
    /// Its p, corrected by Holm over all pairs of models.
    pub p_holm: f64,
}

impl Pairwise {
    /// What one test says, by its name in files.
    pub fn test(&self, id: &str) -> Option<&Tested> {
        self.tests.iter().find(|tested| tested.id == id)
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

/// What every test says of every pair, each corrected by Holm over `all` pairs of models: the pick was chosen
/// by the same cases, so that its pairs are the most extreme of all.
fn tested(pairs: &[Pair<'_>], all: usize) -> Vec<Vec<Tested>> {
    let mut tested = vec![Vec::new(); pairs.len()];
    for test in paired_tests() {
        let answers: Vec<Option<TestResult>> = pairs.iter().map(test.run).collect();
        let p: Vec<f64> = answers.iter().flatten().map(|a| a.p_value).collect();
        let mut adjusted = holm_among(&p, all).into_iter();
        for (of_pair, answer) in tested.iter_mut().zip(answers) {
            of_pair.extend(answer.and_then(|TestResult { statistic, p_value: p, .. }| {
                Some(Tested { id: test.id, statistic, p, p_holm: adjusted.next()? })
            }));
        }
    }
    tested
}

/// Holm's adjusted p of the smallest of `all` tests, the others of which have p = 1.
fn holm_among(p: &[f64], all: usize) -> Vec<f64> {
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
        let tested = |r: &&Pairwise| r.test(id).copied();
        table = table
            .column(Number, id, symbol, |r| tested(r).map(|t| t.statistic))
            .means(format!("statistic of {name}{sign}"))
            .audience(shown(is_answered && signed))
            .file_column(P, format!("{id}_p"), format!("p({symbol})"), |r| tested(r).map(|t| t.p))
            .means("its p")
            .column(P, format!("{id}_p_holm"), format!("p Holm ({symbol})"), |r| tested(r).map(|t| t.p_holm))
            .means(format!("p of {name}, corrected by Holm over all pairs of models"))
            .audience(shown(is_answered));
    }
    table.titled("pairwise", "Each measure's pick against every other model")
}

/// What a test says of every pair of some models.
#[derive(Clone, Debug, PartialEq)]
pub struct PairMatrix {
    /// What the test is called.
    pub test: &'static str,
    /// p of each model against each later one, corrected by Holm; none where there is no answer.
    pub p: Vec<Vec<Option<f64>>>,
}

/// What the models are compared by, model by model.
#[derive(Clone, Debug, PartialEq)]
pub enum Samples {
    /// A loss or a gain of each case, in time order, with the steps that a label reaches ahead.
    Cases(Vec<Vec<f64>>, usize),
    /// Scores on each fold, with the rows learned from and tested on over all folds.
    Folds(Vec<Vec<f64>>, (usize, usize)),
}

/// Tests every pair; `models` says among how many the samples were chosen, whose pairs are all corrected for.
pub fn pair_matrix(samples: &Samples, models: usize) -> Option<PairMatrix> {
    let values = match samples {
        Samples::Cases(values, _) | Samples::Folds(values, _) => values,
    };
    let places: Vec<(usize, usize)> =
        (0..values.len()).flat_map(|i| (i + 1..values.len()).map(move |j| (i, j))).collect();
    let pair = |&(i, j): &(usize, usize)| {
        let both = Some((values[i].as_slice(), values[j].as_slice()));
        match *samples {
            Samples::Cases(_, horizon) => {
                Pair { losses: both, folds: None, rows: (0, 0), horizon: Some(horizon) }
            }
            Samples::Folds(_, rows) => Pair { losses: None, folds: both, rows, horizon: None },
        }
    };
    for test in paired_tests() {
        let answers: Vec<Option<f64>> =
            places.iter().map(|place| Some((test.run)(&pair(place))?.p_value)).collect();
        let known: Vec<f64> = answers.iter().flatten().copied().collect();
        if known.is_empty() {
            continue;
        }
        let mut adjusted = holm_among(&known, models * models.saturating_sub(1) / 2).into_iter();
        let mut p = vec![vec![None; values.len()]; values.len()];
        for (&(i, j), answer) in places.iter().zip(&answers) {
            p[i][j] = answer.and_then(|_| adjusted.next());
        }
        return Some(PairMatrix { test: test.name, p });
    }
    None
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

    #[test]
    fn pairs_are_those_of_the_table_and_equal_models_have_no_answer() {
        let wave =
            |shift: f64| -> Vec<f64> { (0..400).map(|i| (f64::from(i) * 0.7).sin() + shift).collect() };
        let noisy: Vec<f64> = wave(1.0).iter().enumerate().map(|(i, v)| v + (i % 3) as f64).collect();
        let samples = vec![wave(0.0), noisy.clone(), wave(0.0)];
        let found = pair_matrix(&Samples::Cases(samples.clone(), 1), 3).unwrap();
        let pair = Pair { losses: Some((&samples[0], &noisy)), folds: None, rows: (0, 0), horizon: Some(1) };
        let p = (paired_tests()[0].run)(&pair).unwrap().p_value;
        assert_eq!(found.test, paired_tests()[0].name);
        // Two answers among three pairs: the smaller of two equal p counts three times.
        assert!((found.p[0][1].unwrap() - (3.0 * p).min(1.0)).abs() < 1e-15);
        assert_eq!(found.p[0][2], None);
        let folds = vec![vec![0.1, 0.2, 0.3, 0.2], vec![0.5, 0.7, 0.6, 0.8]];
        let found = pair_matrix(&Samples::Folds(folds, (300, 100)), 2).unwrap();
        assert_eq!(found.test, paired_tests()[2].name);
        assert_eq!(pair_matrix(&Samples::Cases(Vec::new(), 1), 0), None);
    }
}
