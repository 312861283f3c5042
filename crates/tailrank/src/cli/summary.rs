//! The end of a run in the terminal: the answer, then one line per task.

use tailrank_experiment::{plan::Plan, text::count};
use tailrank_score::score::{Results, TaskScores, VariantStatus};

use tailrank_report::failure_groups;

use super::table::{print, wrap};

/// The answer of the first pair of measures and its table.
#[must_use]
pub fn summary(results: &Results, width: usize) -> String {
    let Some(verdict) = results.verdicts.first() else { return String::new() };
    let mut text = missing(results).map(|m| wrap(&m, width) + "\n").unwrap_or_default();
    text.push_str(&answer(results, width));
    let table = results.comparison_table(verdict.chosen_by, verdict.judged_by);
    text.push_str(&format!("\n\n{}", print(&table, width)));
    let legend = "ρ, τ: rank correlation of the two rankings; top: shared among the best; signals: of the two winners. Variants of \
                  one family are not independent, so p describes, it does not prove.";
    text.push_str(&format!("\n\n{}", wrap(legend, width)));
    if let Some(table) = results.table("selection") {
        let measures = [verdict.chosen_by, verdict.judged_by].map(tailrank_metrics::Measure::id);
        let mut table = table;
        let by = table.place("measure").unwrap_or_default();
        table.rows.retain(|row| measures.iter().any(|m| row[by].value == (*m).into()));
        text.push_str(&format!("\n\n{}:\n{}", table.caption, print(&table, width)));
    }
    let failed = results.failures().count();
    if failed > 0 {
        const SHOWN: usize = 5;
        let groups = failure_groups(results);
        text.push_str(&format!("\n\n{} failed:", count(failed, "fit")));
        for group in groups.iter().take(SHOWN) {
            let line = format!("{}: {}", group.who(results), group.reason);
            text.push_str(&format!("\n  {}", wrap(&line, width - 2).replace('\n', "\n  ")));
        }
        if groups.len() > SHOWN {
            text.push_str(&format!("\n  and {} more, in scores.csv", count(groups.len() - SHOWN, "reason")));
        }
        text.push_str("\nTo fit them again: tailrank run EXPERIMENT --retry-failed");
    }
    text
}

/// The answer of the first pair of measures in sentences, of the others the first sentence; of a single task also what to do about it.
pub(crate) fn answer(results: &Results, width: usize) -> String {
    let [verdict, others @ ..] = &results.verdicts[..] else { return String::new() };
    let mut lines = vec![verdict.question()];
    lines.extend(verdict.sentences());
    for other in others {
        let (a, b) = (other.chosen_by.info().symbol, other.judged_by.info().symbol);
        lines.extend(other.sentences().first().map(|first| format!("{a} against {b}: {first}")));
    }
    match &results.decisions[..] {
        [] => {}
        [decision] => {
            lines.push("\nWhich model to take:".to_owned());
            lines.extend(decision.sentences());
        }
        _ => lines
            .push("Which model to take on each task is said on the page and in decisions.csv.".to_owned()),
    }
    wrap(&lines.join("\n"), width)
}

/// What the answer leaves out, if anything.
fn missing(results: &Results) -> Option<String> {
    let missing = results.missing_fits();
    let variants = results.names.variants.len();
    let fitted = |s: &TaskScores| s.status.iter().filter(|s| **s != VariantStatus::Missing).count();
    let first = results.scores.first().map_or(0, fitted);
    let alike = results.scores.iter().all(|s| fitted(s) == first);
    (missing > 0).then(|| {
        if alike {
            format!("{first} of {}; the rest are not fitted.", count(variants, "variant"))
        } else {
            let all = variants * results.scores.len();
            format!("{} of {} (variants on tasks); the rest are not done.", all - missing, count(all, "fit"))
        }
    })
}

/// Everything the summary says, and the other pairs of measures, for scripts. Undefined is null.
pub(crate) fn json(plan: &Plan, results: &Results) -> serde_json::Value {
    let mut found = results.json();
    found["name"] = plan.experiment.name.as_str().into();
    found["seed"] = plan.experiment.seed.into();
    found
}
