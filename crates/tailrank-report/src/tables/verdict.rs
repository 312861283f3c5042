//! Verdicts of one pair of measures: does the measure change the winner, task by task?

use tailrank_engine::run::Results;
use tailrank_metrics::Measure;

use super::content::{Align, Cell, Table, Value, slug};

/// One row per task: the two winners, rank correlation, shared top, signals, regret.
pub fn verdicts(results: &Results, chosen_by: Measure, judged_by: Measure, alpha: f64) -> Table {
    let (a, b) = (chosen_by.info().symbol, judged_by.info().symbol);
    let (by_a, by_b) = (format!("best by {a}"), format!("best by {b}"));
    let (signals_a, signals_b) = (format!("signals {a}"), format!("signals {b}"));
    let top = results.verdicts.iter().find_map(|v| v.top.as_ref()).map_or(0, |t| t.k);
    let top = format!("top {top} shared");
    let regret = format!("regret in {b}");
    let mut table = Table::new(
        &format!("verdicts-{}-{}", slug(chosen_by.id()), slug(judged_by.id())),
        format!("Winners by {a} and by {b}, and how the two rankings agree"),
        &[
            ("task", Align::Left),
            (&by_a, Align::Left),
            (&by_b, Align::Left),
            ("ρ", Align::Right),
            ("τ", Align::Right),
            ("p (Holm)", Align::Right),
            (&top, Align::Right),
            (&signals_a, Align::Right),
            (&signals_b, Align::Right),
            (&regret, Align::Right),
        ],
    );
    for v in results.verdicts.iter().filter(|v| (v.chosen_by, v.judged_by) == (chosen_by, judged_by)) {
        let label =
            |v: Option<usize>| v.map_or(Value::Undefined, |v| results.variants[v].label.as_str().into());
        let signals = |best: Option<usize>| {
            best.and_then(|b| results.scores[v.task].signals[b]).map_or(Value::Undefined, Value::Count)
        };
        let mut tau = Cell::from(Value::from(v.tau.as_ref().and_then(|t| t.estimate)));
        tau.significant = v.tau_holm_p.is_some_and(|p| p < alpha);
        let shared = v.top.as_ref().map_or(Value::Undefined, |t| {
            if t.shared.fract() == 0.0 { Value::Count(t.shared as usize) } else { Value::Number(t.shared) }
        });
        table.rows.push(vec![
            results.tasks[v.task].as_str().into(),
            label(v.best_chosen).into(),
            label(v.best_judged).into(),
            v.rho.as_ref().and_then(|t| t.estimate).into(),
            tau,
            v.tau_holm_p.map_or(Value::Undefined, Value::P).into(),
            shared.into(),
            signals(v.best_chosen).into(),
            signals(v.best_judged).into(),
            v.regret.map_or(Value::Undefined, Value::Percent).into(),
        ]);
    }
    if table.rows.iter().any(|r| r[4].significant) {
        table.notes.push(format!("* differs from 0 at α = {alpha}, Holm over the tasks."));
    }
    table
        .notes
        .push("Variants of one family are not independent, so p describes, it does not prove.".to_owned());
    table.notes.push(format!("regret: share of the best {b} lost by taking the best by {a}."));
    table
}
