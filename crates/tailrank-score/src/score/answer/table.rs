//! `decisions.csv`: one row per task and measure, data without prose.

use super::{
    super::{Names, VariantId},
    Answer, Counts, Decision,
};
use crate::table::{Format, Table, column};

/// One row per task and measure.
pub(in crate::score) fn table(names: &Names, answer: &Answer) -> Table {
    use Format::{Count, Name, Number, P};
    type D<'a> = &'a Decision;
    let label = |v: Option<VariantId>| v.map(|v| names.label(v).to_owned());
    let count = |d: &D<'_>, of: fn(&Counts) -> usize| d.counts.as_ref().map(of);
    Table::of(
        "decisions",
        "Which model to use by each measure, or that none is worth using",
        &answer.decisions,
        vec![
            column("task", "task", Name, "the task", |d: &D<'_>| names.task(d.task).to_owned()),
            column("measure", "measure", Name, "the measure", |d: &D<'_>| d.measure.id()),
            column(
                "deciding",
                "deciding",
                Name,
                "whether the measure decides; the others are exploratory",
                |d: &D<'_>| if d.deciding { "yes" } else { "no" },
            ),
            column("verdict", "verdict", Name, "use or no_model", |d: &D<'_>| d.verdict.code()),
            column("reason", "reason", Name, "why no model is to be used", |d: &D<'_>| {
                d.verdict.reason().map(super::Reason::code)
            }),
            column("model", "model", Name, "the model with the best score", move |d: &D<'_>| label(d.model)),
            column("family", "family", Name, "its family", |d: &D<'_>| {
                d.model.map(|m| names.variants[m].group.clone())
            }),
            column("score", "score", Number, "its score", |d: &D<'_>| d.score),
            column("lower", "from", Number, "lower end of its interval", |d: &D<'_>| d.lower),
            column("upper", "to", Number, "upper end of its interval", |d: &D<'_>| d.upper),
            column("chance", "chance", Number, "median of the best scores by chance", |d: &D<'_>| d.chance),
            column(
                "p_chance",
                "p chance",
                P,
                "p against chance, the choice among all models counted",
                |d: &D<'_>| d.p_chance,
            ),
            column("baseline", "baseline", Name, "the baseline with the best score", move |d: &D<'_>| {
                label(d.baseline)
            }),
            column("baseline_score", "its score", Number, "score of that baseline", |d: &D<'_>| {
                d.baseline_score
            }),
            column(
                "p_baseline",
                "p baseline",
                P,
                "the model's step-down adjusted p (Romano–Wolf), the largest over all baselines",
                |d: &D<'_>| d.p_baseline,
            ),
            column("p_verdict", "p", P, "the larger of p_chance and p_baseline", |d: &D<'_>| d.p_verdict),
            column(
                "p_adjusted",
                "p adj",
                P,
                "p_verdict corrected over tasks (Holm), for the deciding measure alone",
                |d: &D<'_>| d.p_adjusted,
            ),
            column("tied", "tied", Name, "other models in the confidence set", move |d: &D<'_>| {
                d.tied.iter().map(|&v| names.label(v)).collect::<Vec<_>>().join("; ")
            }),
            column("events", "events", Count, "events in the test", |d: &D<'_>| d.events),
            column("signals", "signals", Count, "signals of the model", move |d: &D<'_>| {
                count(d, |c| c.signals)
            }),
            column("caught", "caught", Count, "events with a signal on their side", move |d: &D<'_>| {
                count(d, |c| c.caught)
            }),
            column(
                "false_alarms",
                "false alarms",
                Count,
                "signals without an event on their side",
                move |d: &D<'_>| count(d, |c| c.false_alarms),
            ),
            column("missed", "missed", Count, "events without a signal on their side", move |d: &D<'_>| {
                count(d, |c| c.missed)
            }),
            column(
                "cost_from",
                "cost from",
                Number,
                "cost of a missed event, in false alarms, from which the model is the one to act on",
                |d: &D<'_>| d.cost_from,
            ),
            column(
                "cost_to",
                "cost to",
                Number,
                "the cost up to which it is; empty where there is none",
                |d: &D<'_>| d.cost_to,
            ),
        ],
    )
}
