//! The end of a run in the terminal: the answer, then one line per task.

use tailrank_engine::{
    plan::Plan,
    run::Results,
    score::{TaskScores, VariantStatus, Verdict},
};
use tailrank_metrics::{Measure, Score};

use super::{
    count,
    table::{Align, digits, layout, p_value, percent, wrap},
};

/// The headline and the table of the first pair of measures.
pub(crate) fn summary(plan: &Plan, results: &Results, width: usize) -> String {
    let Some(&(a, b)) = plan.pairs.first() else { return String::new() };
    let verdicts: Vec<&Verdict> =
        results.verdicts.iter().filter(|v| (v.chosen_by, v.judged_by) == (a, b)).collect();
    let mut text = missing(results).map(|m| wrap(&m, width) + "\n").unwrap_or_default();
    text.push_str(&wrap(&headline(results, &verdicts, a, b), width));
    text.push_str("\n\n");
    text.push_str(&verdict_table(results, &verdicts, a, b, width));
    if !results.selection.is_empty() {
        text.push_str("\n\n");
        text.push_str(&selection_table(results, a, b, width));
    }
    let failed = results.failures().count();
    if failed > 0 {
        const SHOWN: usize = 5;
        let first = if failed > SHOWN { "; the first reasons" } else { "" };
        text.push_str(&format!("\n\n{} failed{first}:", count(failed, "fit")));
        for (t, v, reason) in results.failures().take(SHOWN) {
            let line = format!("{} · {}: {reason}", results.tasks[t], results.variants[v].label);
            text.push_str(&format!("\n  {}", wrap(&line, width - 2).replace('\n', "\n  ")));
        }
    }
    text
}

/// Fits of variants on tasks that were never made.
fn missing_fits(results: &Results) -> usize {
    results.scores.iter().flat_map(|s| &s.status).filter(|s| **s == VariantStatus::Missing).count()
}

/// What the answer leaves out, if anything.
fn missing(results: &Results) -> Option<String> {
    let missing = missing_fits(results);
    let variants = results.variants.len();
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

/// The answer in one or two sentences, made from the numbers.
fn headline(results: &Results, verdicts: &[&Verdict], a: Measure, b: Measure) -> String {
    let decided: Vec<&&Verdict> =
        verdicts.iter().filter(|v| v.best_chosen.is_some() && v.best_judged.is_some()).collect();
    let (sa, sb) = (a.info().symbol, b.info().symbol);
    if decided.is_empty() {
        let undefined = if verdicts.iter().all(|v| v.best_judged.is_none()) { sb } else { sa };
        return format!(
            "Does the measure change the winner? Unknown: {undefined} is undefined for every variant (no signal, or no \
             fit); results/scores.csv has the reasons."
        );
    }
    let changed = decided.iter().filter(|v| v.best_chosen != v.best_judged).count();
    let many = decided.len() > 1;
    let mut text = match (changed, many) {
        (0, false) => format!("Does the measure change the winner? No: {sa} and {sb} pick the same model."),
        (0, true) => format!(
            "Does the measure change the winner? No: {sa} and {sb} pick the same model on every task."
        ),
        (_, false) => {
            format!("Does the measure change the winner? Yes: {sa} and {sb} pick different models.")
        }
        (_, true) => format!(
            "Does the measure change the winner? Yes: {sa} and {sb} pick different models on {changed} of {} tasks.",
            decided.len()
        ),
    };
    let mut regrets: Vec<f64> = decided.iter().filter_map(|v| v.regret).collect();
    regrets.sort_by(f64::total_cmp);
    if let Some(median) = regrets.get(regrets.len() / 2) {
        text.push_str(&format!(
            "\nChoosing by {sa} instead of {sb} loses {} of the best {sb}{}.",
            percent(Some(*median)),
            if many { " on the median task" } else { "" }
        ));
    }
    let silent = decided
        .iter()
        .filter(|v| v.best_chosen.is_some_and(|best| results.scores[v.task].signals[best] == Some(0)))
        .count();
    if silent > 0 {
        let place = if many { format!(" on {silent} of {} tasks", decided.len()) } else { String::new() };
        text.push_str(&format!("\nThe best model by {sa} never signals an event{place}."));
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
                v.top
                    .as_ref()
                    .map_or_else(|| "–".to_owned(), |t| format!("{}/{}", digits_or_int(t.shared), t.k)),
                format!("{}|{}", signals(v.best_chosen), signals(v.best_judged)),
                percent(v.regret),
            ]
        })
        .collect();
    let mut text = layout(&headings, &rows, width);
    let legend = "ρ, τ: rank correlation of the two rankings; top: shared among the best; signals: of the two winners; \
                  regret: share of the best score lost. Variants of one family are not independent, so p describes, it \
                  does not prove.";
    text.push_str("\n\n");
    text.push_str(&wrap(legend, width));
    text
}

/// What choosing on the validation rows gives on the test, by the measures of the headline.
fn selection_table(results: &Results, a: Measure, b: Measure, width: usize) -> String {
    let headings = [
        ("task", Align::Left),
        ("by", Align::Left),
        ("chosen on validation", Align::Left),
        ("test", Align::Right),
        ("best on test", Align::Left),
        ("test", Align::Right),
        ("regret", Align::Right),
    ];
    let label = |v: Option<usize>| v.map_or_else(|| "–".to_owned(), |v| results.variants[v].label.clone());
    let value = |s: Option<Score>| digits(s.and_then(Score::value));
    let chosen = results.selection.iter().filter(|s| s.measure == a || s.measure == b);
    let rows: Vec<Vec<String>> = chosen
        .map(|s| {
            vec![
                results.tasks[s.task].clone(),
                s.measure.info().symbol.to_owned(),
                label(s.chosen),
                value(s.test_score),
                label(s.best),
                value(s.best_score),
                percent(s.regret),
            ]
        })
        .collect();
    format!("Chosen without seeing the test:\n{}", layout(&headings, &rows, width))
}

/// Everything the summary says, and the other pairs of measures, for scripts. Undefined is null.
pub(crate) fn json(plan: &Plan, results: &Results) -> serde_json::Value {
    let label = |v: Option<usize>| v.map(|v| results.variants[v].label.as_str());
    let verdicts: Vec<serde_json::Value> = results
        .verdicts
        .iter()
        .map(|v| {
            let signals = |best: Option<usize>| best.and_then(|best| results.scores[v.task].signals[best]);
            let by = |best: Option<usize>, measure: Measure| {
                best.and_then(|best| results.scores[v.task].score(best, measure)).and_then(Score::value)
            };
            serde_json::json!({
                "task": results.tasks[v.task],
                "chosen_by": v.chosen_by.id(),
                "judged_by": v.judged_by.id(),
                "best_chosen": label(v.best_chosen),
                "best_judged": label(v.best_judged),
                "best_chosen_score": by(v.best_chosen, v.chosen_by),
                "best_judged_score": by(v.best_judged, v.judged_by),
                "rho": v.rho.as_ref().and_then(|t| t.estimate),
                "tau": v.tau.as_ref().and_then(|t| t.estimate),
                "tau_p": v.tau.as_ref().map(|t| t.p_value),
                "tau_p_holm": v.tau_holm_p,
                "top_k": v.top.as_ref().map(|t| t.k),
                "top_shared": v.top.as_ref().map(|t| t.shared),
                "signals_best_chosen": signals(v.best_chosen),
                "signals_best_judged": signals(v.best_judged),
                "regret": v.regret,
            })
        })
        .collect();
    let selection: Vec<serde_json::Value> = results
        .selection
        .iter()
        .map(|s| {
            let value = |score: Option<Score>| score.and_then(Score::value);
            serde_json::json!({
                "task": results.tasks[s.task],
                "measure": s.measure.id(),
                "chosen": label(s.chosen),
                "validation_score": value(s.validation_score),
                "test_score": value(s.test_score),
                "test_rank": s.test_rank,
                "best": label(s.best),
                "best_score": value(s.best_score),
                "regret": s.regret,
            })
        })
        .collect();
    let tasks: Vec<serde_json::Value> = results
        .tasks
        .iter()
        .zip(&results.scores)
        .map(|(name, s)| serde_json::json!({ "task": name, "cases": s.cases, "events": s.events }))
        .collect();
    let failures: Vec<serde_json::Value> = results
        .failures()
        .map(|(t, v, reason)| {
            serde_json::json!({ "task": results.tasks[t], "variant": results.variants[v].label, "reason": reason })
        })
        .collect();
    serde_json::json!({
        "name": plan.experiment.name,
        "seed": plan.experiment.seed,
        "variants": plan.variants.len(),
        "tasks": tasks,
        "verdicts": verdicts,
        "selection": selection,
        "failures": failures,
        "missing_fits": missing_fits(results),
    })
}

fn digits_or_int(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { digits(Some(value)) }
}
