//! The tests of the rankings by MAD and by F: over all variants, without undefined scores, and within each
//! family.

use tailrank_score::score::holm;
use tailrank_stats::{Alternative, CorrelationMethod, TestResult, kendall_test};

use super::tau_of;
use crate::studies::prelude::*;

/// What the paper says of its test: disagreement on all, significant on all but four.
pub(super) fn claims(verdicts: &[&Comparison]) -> Vec<Claim> {
    let n = verdicts.len();
    let raw_p = |v: &Comparison| v.tau.as_ref().map(|t| t.p_value);
    let raw: Vec<Standing> = verdicts.iter().map(|v| opposed(tau_of(v), raw_p(v))).collect();
    let holm: Vec<Standing> = verdicts.iter().map(|v| opposed(tau_of(v), v.tau_holm_p)).collect();
    let lacking = |of: &[Standing]| of.len() - count_of(of, Standing::Agree);
    let alike = verdicts
        .iter()
        .filter(|v| tau_of(v).is_some_and(|t| t > 0.0) && v.tau_holm_p.is_some_and(|p| p < LEVEL));
    let mut range: Vec<f64> = verdicts.iter().filter_map(|v| tau_of(v)).collect();
    range.sort_by(f64::total_cmp);
    let span = match (range.first(), range.last()) {
        (Some(low), Some(high)) => format!("τ from {low:.2} to {high:.2}"),
        _ => "no τ".to_owned(),
    };
    let negative = range.iter().filter(|t| **t < 0.0).count();
    vec![
        claim("stock-returns/evidence").stands(all_of(&raw), &[&negative, &n, &span]),
        claim("stock-returns/four-lack")
            .holds(lacking(&holm) == 4, &[&lacking(&holm), &n, &lacking(&raw), &alike.count()]),
    ]
}

/// Kendall's test on a subset of the variants of every task.
pub(super) struct Subset {
    name: String,
    tests: Vec<Test>,
}

#[derive(Clone, Copy)]
struct Test {
    variants: usize,
    tau: Option<f64>,
    /// p corrected over the tasks.
    holm: Option<f64>,
}

/// The tests of all variants, of those with a defined F, and of each family with its undefined scores last.
pub(super) fn subsets(results: &Results, verdicts: &[&Comparison]) -> Vec<Subset> {
    let models = results.names.variants.iter().filter(|v| !v.reference);
    let subset = |name: &str, keep: &dyn Fn(VariantId, Option<f64>) -> bool| Subset {
        name: name.to_owned(),
        tests: tests(results, verdicts, keep),
    };
    let mut subsets = vec![subset("all", &|_, _| true), subset("with a defined F", &|_, f| f.is_some())];
    for family in distinct(models.map(|v| v.group.as_str())) {
        subsets.push(subset(family, &|v, _| results.names.variants[v].group == family));
    }
    subsets
}

fn tests(
    results: &Results,
    verdicts: &[&Comparison],
    keep: &dyn Fn(VariantId, Option<f64>) -> bool,
) -> Vec<Test> {
    let mut found = Vec::new();
    for v in verdicts {
        let scores = &results.scores[v.task];
        let f = scores.values(Measure::F);
        let kept: Vec<VariantId> = v.variants.iter().copied().filter(|&i| keep(i, f[i])).collect();
        let [a, b] = [Measure::Mad, Measure::F].map(|measure| ranks_of(scores, &kept, measure));
        // Fewer than three variants, or all of them tied, have no answer.
        let answer = kendall_test(&a, &b, CorrelationMethod::Auto, Alternative::TwoSided).ok();
        found.push((kept.len(), answer.filter(|answer| answer.estimate.is_some())));
    }
    let p: Vec<Option<f64>> = found.iter().map(|(_, answer)| Some(answer.as_ref()?.p_value)).collect();
    let test = |((variants, answer), holm): ((usize, Option<TestResult>), Option<f64>)| Test {
        variants,
        tau: answer.and_then(|answer| answer.estimate),
        holm,
    };
    found.into_iter().zip(holm(&p)).map(test).collect()
}

fn standings(tests: &[Test]) -> Vec<Standing> {
    tests.iter().map(|t| opposed(t.tau, t.holm)).collect()
}

/// Whether the disagreement is one of families and of silence alone: questions the paper leaves open.
pub(super) fn beyond_the_paper(subsets: &[Subset]) -> Vec<Claim> {
    let counts = |Subset { tests, .. }: &Subset| {
        let taus: Vec<f64> = tests.iter().filter_map(|t| t.tau).collect();
        let significant = count_of(&standings(tests), Standing::Agree);
        (taus.len(), taus.iter().filter(|tau| **tau < 0.0).count(), significant)
    };
    let (known, negative, significant) = counts(&subsets[1]);
    let families = &subsets[2..];
    let list: Vec<String> = families
        .iter()
        .map(|family| (&family.name, counts(family)))
        .map(|(name, (k, n, s))| format!("{name} {n} of {k} ({s} significant)"))
        .collect();
    let within: Vec<Standing> = families.iter().flat_map(|family| standings(&family.tests)).collect();
    vec![
        claim("stock-returns/signalling-models")
            .stands(most_of(&standings(&subsets[1].tests)), &[&negative, &known, &significant]),
        claim("stock-returns/within-family").stands(most_of(&within), &[&list.join(", ")]),
    ]
}

/// One row per task, three columns per subset.
pub(super) fn table(results: &Results, verdicts: &[&Comparison], subsets: &[Subset]) -> Table {
    let headings =
        |Subset { name, .. }: &Subset| ["n", "τ", "p (Holm)"].map(|what| format!("{name}: {what}"));
    let row = |(t, v): (usize, &&Comparison)| {
        let numbers = subsets.iter().flat_map(move |subset| {
            let Test { variants, tau, holm } = subset.tests[t];
            [variants.to_string(), two(tau), p_value(holm)]
        });
        [results.names.tasks[v.task].clone()].into_iter().chain(numbers)
    };
    let table = words::table("stock-returns/rank_tests").with_headings(subsets.iter().flat_map(headings));
    table.with_rows(verdicts.iter().enumerate().map(row))
}
