//! The end of a run in the terminal: the answer, then one line per task.

use tailrank_engine::{plan::Plan, run::Results, score::Verdict};
use tailrank_metrics::Measure;

use super::table::{Align, digits, layout, p_value, percent};

/// The headline and the table of the first pair of measures.
pub(crate) fn summary(plan: &Plan, results: &Results, width: usize) -> String {
    let Some(&(a, b)) = plan.pairs.first() else { return String::new() };
    let verdicts: Vec<&Verdict> =
        results.verdicts.iter().filter(|v| (v.chosen_by, v.judged_by) == (a, b)).collect();
    let mut text = headline(results, &verdicts, a, b);
    text.push_str("\n\n");
    text.push_str(&verdict_table(results, &verdicts, a, b, width));
    let failed = results.failures().count();
    if failed > 0 {
        text.push_str(&format!("\n\n{failed} fit(s) failed; the first reasons:"));
        for (t, v, reason) in results.failures().take(5) {
            text.push_str(&format!("\n  {} · {}: {reason}", results.tasks[t], results.variants[v].label));
        }
    }
    text
}

/// The answer in one or two sentences, made from the numbers.
fn headline(results: &Results, verdicts: &[&Verdict], a: Measure, b: Measure) -> String {
    let decided: Vec<&&Verdict> =
        verdicts.iter().filter(|v| v.best_chosen.is_some() && v.best_judged.is_some()).collect();
    let (sa, sb) = (a.info().symbol, b.info().symbol);
    if decided.is_empty() {
        return format!("No task has scores by both {sa} and {sb}.");
    }
    let changed = decided.iter().filter(|v| v.best_chosen != v.best_judged).count();
    let answer = if changed > 0 { "Yes" } else { "No" };
    let mut text = format!(
        "Does the measure change the winner? {answer}, on {changed} of {} task(s): {sa} and {sb} pick different models.",
        decided.len()
    );
    let mut regrets: Vec<f64> = decided.iter().filter_map(|v| v.regret).collect();
    regrets.sort_by(f64::total_cmp);
    if let Some(median) = regrets.get(regrets.len() / 2) {
        text.push_str(&format!(
            "\nChoosing by {sa} instead of {sb} loses {} of {sb} on the median task.",
            percent(Some(*median))
        ));
    }
    let silent = decided
        .iter()
        .filter(|v| v.best_chosen.is_some_and(|best| results.scores[v.task].signals[best] == Some(0)))
        .count();
    if silent > 0 {
        text.push_str(&format!("\nThe best model by {sa} never signals an event on {silent} task(s)."));
    }
    text
}

fn verdict_table(results: &Results, verdicts: &[&Verdict], a: Measure, b: Measure, width: usize) -> String {
    let (by_a, by_b) = (format!("best by {}", a.info().symbol), format!("best by {}", b.info().symbol));
    let headings = [
        ("task", Align::Left),
        (by_a.as_str(), Align::Left),
        (by_b.as_str(), Align::Left),
        ("ρ", Align::Right),
        ("τ", Align::Right),
        ("p Holm", Align::Right),
        ("top", Align::Right),
        ("signals", Align::Right),
        ("regret", Align::Right),
    ];
    let label = |v: Option<usize>| v.map_or_else(|| "–".to_owned(), |v| results.variants[v].label.clone());
    let rows: Vec<Vec<String>> = verdicts
        .iter()
        .map(|v| {
            let signals = |best: Option<usize>| {
                best.and_then(|best| results.scores[v.task].signals[best])
                    .map_or_else(|| "–".to_owned(), |s| s.to_string())
            };
            let two = |e: Option<f64>| e.map_or_else(|| "–".to_owned(), |e| format!("{e:.2}"));
            vec![
                results.tasks[v.task].clone(),
                label(v.best_chosen),
                label(v.best_judged),
                two(v.rho.as_ref().and_then(|t| t.estimate)),
                two(v.tau.as_ref().and_then(|t| t.estimate)),
                p_value(v.tau_holm_p),
                v.top.as_ref().map_or_else(|| "–".to_owned(), |t| format!("{}/{}", digits_or_int(t.shared), t.k)),
                format!("{}|{}", signals(v.best_chosen), signals(v.best_judged)),
                percent(v.regret),
            ]
        })
        .collect();
    let mut text = layout(&headings, &rows, width);
    text.push_str(
        "\n\nρ, τ: rank correlation of the two rankings; top: shared among the best; signals: of the two\nwinners; \
         regret: share of the best score lost. Variants of one family are not independent,\nso p describes, it does \
         not prove.",
    );
    text
}

fn digits_or_int(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { digits(Some(value)) }
}
