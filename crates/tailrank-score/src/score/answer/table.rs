//! `decisions.csv`: one row per task and measure, data without prose.

use super::{
    super::{Names, VariantId},
    Answer, Counts, Decision,
};
use crate::table::{Format, Table};

/// One row per task and measure.
pub(in crate::score) fn table(names: &Names, answer: &Answer) -> Table {
    use Format::{Count, Name, Number, P};
    let label = |v: Option<VariantId>| v.map(|v| names.label(v));
    let count = |d: &Decision, of: fn(&Counts) -> usize| d.counts.as_ref().map(of);
    Table::of(&answer.decisions)
        .task(names, |d| d.task)
        .measure(|d| d.measure)
        .column(Name, "deciding", "deciding", |d| if d.deciding { "yes" } else { "no" })
        .means("whether the measure decides; the others are exploratory")
        .column(Name, "verdict", ("verdict", "the verdict"), |d| d.verdict.code())
        .column(Name, "reason", "reason", |d| d.verdict.reason().map(super::Reason::code))
        .means("why it is no model")
        .column(Name, "model", ("model", "the leading model"), |d| label(d.model))
        .column(Name, "family", "family", |d| d.model.map(|m| names.variants[m].group.as_str()))
        .means("its family")
        .column(Number, "score", ("score", "its score"), |d| d.score)
        .column(Number, "lower", ("from", "lower end of its interval"), |d| d.lower)
        .column(Number, "upper", ("to", "upper end of its interval"), |d| d.upper)
        .column(Number, "chance", ("chance", "median of the leading scores by chance"), |d| d.chance)
        .column(P, "p_chance", "p chance", |d| d.p_chance)
        .means("p against chance, the choice among all models counted")
        .column(Name, "baseline", ("baseline", "the leading baseline"), |d| label(d.baseline))
        .column(Number, "baseline_score", ("its score", "score of that baseline"), |d| d.baseline_score)
        .column(P, "p_baseline", "p baseline", |d| d.p_baseline)
        .means("the model's step-down adjusted p (Romano–Wolf), the largest over all baselines")
        .column(P, "p_verdict", ("p", "the larger of p_chance and p_baseline"), |d| d.p_verdict)
        .column(P, "p_adjusted", "p adj", |d| d.p_adjusted)
        .means("p_verdict corrected over tasks (Holm), for the deciding measure alone")
        .column(Name, "tied", "tied", |d| {
            d.tied.iter().map(|&v| names.label(v)).collect::<Vec<_>>().join("; ")
        })
        .means("other models in the confidence set")
        .column(Count, "events", ("events", "events in the test"), |d| d.events)
        .column(Count, "signals", ("signals", "signals of the model"), |d| count(d, |c| c.signals))
        .column(Count, "caught", ("caught", "events with a signal on their side"), |d| count(d, |c| c.caught))
        .column(Count, "false_alarms", "false alarms", |d| count(d, |c| c.false_alarms))
        .means("signals without an event on their side")
        .column(Count, "missed", "missed", |d| count(d, |c| c.missed))
        .means("events without a signal on their side")
        .column(Number, "cost_from", "cost from", |d| d.cost_from)
        .means("cost of a missed event, in false alarms, from which the model is the one to act on")
        .column(Number, "cost_to", "cost to", |d| d.cost_to)
        .means("the cost up to which it is; empty where there is none")
        .titled("decisions", "Verdict by each measure")
}
