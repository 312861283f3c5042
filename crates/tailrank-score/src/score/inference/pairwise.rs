//! Each measure's pick against every other model, by the tests of [`PAIRED_TESTS`].
//!
//! Case by case where a measure is a mean of a loss or a gain per case; fold by fold, by any measure, where there are folds. F and
//! its kin have their confidence sets beside.

use std::borrow::Cow;

use tailrank_metrics::{Better, Measure, scoring::Statistic};
use tailrank_stats::{Correction, TestResult, adjust};

use super::{
    Question, Repeats, TaskInference, counted,
    design::label_span,
    in_task,
    paired_tests::{PAIRED_TESTS, Pair},
};
use crate::{
    Result,
    score::{Names, TaskId, VariantId},
    table::{ColumnOf, Format, Table, column},
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
    /// What each test says, in the order of [`PAIRED_TESTS`].
    pub tests: Vec<Option<Tested>>,
}

/// What a test says.
#[derive(Clone, Debug, PartialEq)]
pub struct Tested {
    /// Its answer.
    pub result: TestResult,
    /// Its p, corrected by Holm over the others.
    pub p_holm: f64,
}

impl Pairwise {
    /// What one test says, by its name in files.
    pub fn test(&self, id: &str) -> Option<&Tested> {
        self.tests[PAIRED_TESTS.iter().position(|t| t.id == id)?].as_ref()
    }
}

/// Tests of the winner against the others, by every measure that a test can look at.
pub(super) fn pairwise(
    question: &Question<'_>,
    repeats: &Repeats<'_>,
    found: &TaskInference,
) -> Result<Vec<Pairwise>> {
    let (mut all, variants) = (Vec::new(), found.variants.len());
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
        let tests = tested(&pairs.collect::<Vec<_>>());
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

/// What every test says of every pair, each corrected by Holm over the pairs that it has an answer for.
fn tested(pairs: &[Pair<'_>]) -> Vec<Vec<Option<Tested>>> {
    let mut all: Vec<Vec<Option<Tested>>> = vec![Vec::with_capacity(PAIRED_TESTS.len()); pairs.len()];
    for test in &PAIRED_TESTS {
        let answers: Vec<Option<TestResult>> = pairs.iter().map(test.run).collect();
        let p: Vec<f64> = answers.iter().flatten().map(|a| a.p_value).collect();
        let mut adjusted = adjust(&p, Correction::Holm).unwrap_or_default().into_iter();
        for (of_pair, answer) in all.iter_mut().zip(answers) {
            of_pair.push(answer.and_then(|result| adjusted.next().map(|p_holm| Tested { result, p_holm })));
        }
    }
    all
}

/// One row per task, measure and variant beside the winner.
pub(in crate::score) fn table(names: &Names, tasks: &[TaskInference]) -> Table {
    type P<'a> = &'a Pairwise;
    use Format::{Name, Number, P as Chance};
    let rows = || tasks.iter().flat_map(|t| &t.pairwise);
    let mut columns = vec![
        column("task", "task", Name, "the task", |r: &P<'_>| names.task(r.task).to_owned()),
        column("measure", "measure", Name, "the measure", |r: &P<'_>| r.measure.id()),
        column("leader", "pick", Name, "the model with the first rank", |r: &P<'_>| {
            names.label(r.winner).to_owned()
        }),
        column("other", "other", Name, "the other model", |r: &P<'_>| names.label(r.other).to_owned()),
    ];
    for (place, test) in PAIRED_TESTS.iter().enumerate() {
        // A test that never fits keeps its columns in files alone.
        let is_answered = rows().any(|r| r.tests[place].is_some());
        let (id, symbol, name) = (test.id, test.symbol, test.name);
        let sign = if test.signed { "; negative favours the pick" } else { "" };
        let statistic = column(id, symbol, Number, format!("statistic of {name}{sign}"), move |r: &P<'_>| {
            r.tests[place].as_ref().map(|t| t.result.statistic)
        });
        columns.push(shown(statistic, is_answered && test.signed));
        columns.push(
            column(format!("{id}_p"), format!("p({symbol})"), Chance, "its p", move |r: &P<'_>| {
                r.tests[place].as_ref().map(|t| t.result.p_value)
            })
            .for_files(),
        );
        let (id, heading) = (format!("{id}_p_holm"), format!("p Holm ({symbol})"));
        let meaning = format!("p of {name}, corrected by Holm over the others");
        let holm =
            column(id, heading, Chance, meaning, move |r: &P<'_>| r.tests[place].as_ref().map(|t| t.p_holm));
        columns.push(shown(holm, is_answered));
    }
    let caption = "Each measure's pick against every other model";
    Table::of("pairwise", caption, rows(), columns)
}

/// A column for everyone, or for files alone.
fn shown<'a, T>(column: ColumnOf<'a, T>, to_people: bool) -> ColumnOf<'a, T> {
    if to_people { column } else { column.for_files() }
}
