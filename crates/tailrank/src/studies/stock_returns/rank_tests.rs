//! The tests of the rankings by MAD and by F: over all variants, without undefined scores, and within each family.

use tailrank_metrics::Measure;
use tailrank_report::claims::{Claim, Standing};
use tailrank_score::score::{Comparison, Results, VariantId};
use tailrank_stats::{Alternative, Correction, CorrelationMethod, adjust, kendall_test, rank_scores};

use super::rules;
use crate::studies::{
    Result, Table,
    decide::{finding, most_of, ours, p_value, two},
};

const LEVEL: f64 = 0.05;

/// What the paper says of its test: disagreement on all, significant on all but four.
pub(super) fn claims(verdicts: &[&Comparison]) -> Vec<Claim> {
    let n = verdicts.len();
    let tau = |v: &Comparison| v.tau.as_ref().and_then(|t| t.estimate);
    let negative = verdicts.iter().filter(|v| tau(v).is_some_and(|t| t < 0.0)).count();
    let significant = |p: fn(&Comparison) -> Option<f64>, sign: f64| {
        verdicts
            .iter()
            .filter(|v| tau(v).is_some_and(|t| t * sign > 0.0) && p(v).is_some_and(|p| p < LEVEL))
            .count()
    };
    let holm = significant(|v| v.tau_holm_p, -1.0);
    let raw = significant(|v| v.tau.as_ref().map(|t| t.p_value), -1.0);
    let against = significant(|v| v.tau_holm_p, 1.0);
    let mut range: Vec<f64> = verdicts.iter().filter_map(|v| tau(v)).collect();
    range.sort_by(f64::total_cmp);
    let span = match (range.first(), range.last()) {
        (Some(low), Some(high)) => format!("τ from {low:.2} to {high:.2}"),
        _ => "no τ".to_owned(),
    };
    let standings: Vec<Standing> =
        verdicts.iter().map(|v| rules::disagree(tau(v), v.tau.as_ref().map(|t| t.p_value))).collect();
    vec![
        finding("PR09 §5.2", "On all 12 data sets there is some evidence of disagreement between the rankings.").stands(
            rules::disagree_everywhere(&standings),
            format!("The rankings are opposed (τ < 0) on {negative} of {n} tasks; {span}."),
            "Kendall's τ-b of the two rankings, undefined F last; agree if below 0 at p < 0.05 on every task, differ if above 0 at p < 0.05 on \
             any, else too close",
        ),
        finding("PR09 §5.2", "On only 4 of the 12 the disagreement lacks statistical significance.").stands(
            rules::four_lack(n - holm),
            format!(
                "Not significant on {} of {n} after Holm ({} without correction); rankings significantly alike on {against}.",
                n - holm,
                n - raw
            ),
            "tasks without τ < 0 at p < 0.05; agree if exactly 4, differ otherwise. The paper does not name its test, and variants of one family \
             are not independent: p describes, it does not prove",
        ),
    ]
}

/// Kendall's test on a subset of the variants of every task.
pub(super) struct RankTests {
    /// Name of the subset, and per task: variants, τ, p and p corrected over the tasks.
    subsets: Vec<(String, Vec<Test>)>,
    tasks: Vec<String>,
}

#[derive(Clone, Copy, Default)]
struct Test {
    variants: usize,
    tau: Option<f64>,
    p: Option<f64>,
    holm: Option<f64>,
}

/// The tests of all variants, of those with a defined F, and of each family with its undefined scores last.
pub(super) fn table(results: &Results, verdicts: &[&Comparison]) -> Result<RankTests> {
    let mut families: Vec<&str> = Vec::new();
    for v in results.names.variants.iter().filter(|v| !v.reference) {
        if !families.contains(&v.group.as_str()) {
            families.push(&v.group);
        }
    }
    let mut subsets = Vec::new();
    let all = |_: VariantId, _: Option<f64>| true;
    subsets.push(("all".to_owned(), tests(results, verdicts, &all)?));
    let defined = |_: VariantId, f: Option<f64>| f.is_some();
    subsets.push(("with a defined F".to_owned(), tests(results, verdicts, &defined)?));
    for family in families {
        let of_family = |v: VariantId, _: Option<f64>| results.names.variants[v].group == family;
        subsets.push((family.to_owned(), tests(results, verdicts, &of_family)?));
    }
    Ok(RankTests { subsets, tasks: verdicts.iter().map(|v| results.names.tasks[v.task].clone()).collect() })
}

fn tests(
    results: &Results,
    verdicts: &[&Comparison],
    keep: &dyn Fn(VariantId, Option<f64>) -> bool,
) -> Result<Vec<Test>> {
    let mut found = Vec::new();
    for v in verdicts {
        let scores = &results.scores[v.task];
        let (mad, f) = (scores.values(Measure::Mad), scores.values(Measure::F));
        let kept: Vec<VariantId> = v.variants.iter().copied().filter(|&i| keep(i, f[i])).collect();
        let pick = |values: &[Option<f64>]| kept.iter().map(|&i| values[i]).collect::<Vec<_>>();
        let a = rank_scores(&pick(&mad), Measure::Mad.better()).unwrap_or_default();
        let b = rank_scores(&pick(&f), Measure::F.better()).unwrap_or_default();
        // Fewer than three variants, or all of them tied, have no answer.
        let test = kendall_test(&a, &b, CorrelationMethod::Auto, Alternative::TwoSided).ok();
        let tau = test.as_ref().and_then(|t| t.estimate);
        found.push(Test {
            variants: kept.len(),
            tau,
            p: test.filter(|_| tau.is_some()).map(|t| t.p_value),
            holm: None,
        });
    }
    let tested: Vec<usize> = (0..found.len()).filter(|&i| found[i].p.is_some()).collect();
    let p: Vec<f64> = tested.iter().filter_map(|&i| found[i].p).collect();
    if !p.is_empty() {
        for (&i, corrected) in tested.iter().zip(adjust(&p, Correction::Holm)?) {
            found[i].holm = Some(corrected);
        }
    }
    Ok(found)
}

/// By the corrected test of each.
fn on_most(tests: &[Test]) -> Standing {
    most_of(&tests.iter().map(|t| rules::disagree(t.tau, t.holm)).collect::<Vec<_>>())
}

/// Whether the disagreement is one of families and of silence alone: questions the paper leaves open.
pub(super) fn beyond_the_paper(tests: &RankTests) -> Vec<Claim> {
    let count = |of: &[Test]| {
        let known = of.iter().filter(|t| t.tau.is_some()).count();
        let negative = of.iter().filter(|t| t.tau.is_some_and(|tau| tau < 0.0)).count();
        let significant = of
            .iter()
            .filter(|t| t.tau.is_some_and(|tau| tau < 0.0) && t.holm.is_some_and(|p| p < LEVEL))
            .count();
        (known, negative, significant)
    };
    let (known, negative, significant) = count(&tests.subsets[1].1);
    let families: Vec<(&String, (usize, usize, usize))> =
        tests.subsets[2..].iter().map(|(name, of)| (name, count(of))).collect();
    let list: Vec<String> =
        families.iter().map(|(name, (k, n, s))| format!("{name} {n} of {k} ({s} significant)")).collect();
    vec![
        ours("beyond the paper", "The rankings also disagree among the models that do signal.").stands(
            on_most(&tests.subsets[1].1),
            format!(
                "Without undefined F: τ < 0 on {negative} of {known} tasks, significant on {significant}."
            ),
            "rank_tests.csv; agree if τ < 0 at p < 0.05 (Holm) on more than half of the tasks, differ if τ is significantly above 0 on at least \
             half, else too close",
        ),
        ours("beyond the paper", "The rankings also disagree within a family, where only the settings vary.")
            .stands(
                on_most(&tests.subsets[2..].iter().flat_map(|(_, of)| of.iter().copied()).collect::<Vec<_>>()),
                format!("τ < 0: {}.", list.join(", ")),
                "rank_tests.csv; agree if τ < 0 at p < 0.05 (Holm) in more than half of the tests that have an answer, differ if τ is \
                 significantly above 0 in at least half, else too close",
            ),
    ]
}

impl RankTests {
    /// One row per task, three columns per subset.
    pub(super) fn into_table(self) -> Table {
        let mut headings = vec!["task".to_owned()];
        for (name, _) in &self.subsets {
            headings.extend([format!("{name}: n"), format!("{name}: τ"), format!("{name}: p (Holm)")]);
        }
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        let title = "Kendall's τ-b between the rankings by MAD and by F, undefined F last";
        let mut table = Table::new("rank_tests", title, &headings);
        for (t, task) in self.tasks.iter().enumerate() {
            let mut row = vec![task.clone()];
            for (_, of) in &self.subsets {
                row.extend([of[t].variants.to_string(), two(of[t].tau), p_value(of[t].holm)]);
            }
            table.row(row);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_tests_decide_or_leave_it_open() {
        let test =
            |tau: f64, holm: f64| Test { variants: 9, tau: Some(tau), p: Some(holm), holm: Some(holm) };
        let (against, alike, open) = (test(-0.8, 1e-3), test(0.8, 1e-3), test(-0.2, 0.6));
        assert_eq!(on_most(&[against, against, open]), Standing::Agree);
        assert_eq!(on_most(&[alike, alike, open]), Standing::Differ);
        assert_eq!(on_most(&[against, open, open]), Standing::TooClose);
        assert_eq!(on_most(&[Test::default()]), Standing::NotTestable);
    }
}
