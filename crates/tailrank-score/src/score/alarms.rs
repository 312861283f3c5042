//! What acting on the signals costs: events caught against false alarms, and at which price of a missed event to take which model.

use super::{Names, TaskId, TaskScores, VariantId, inference::FEWEST_EVENTS};
use crate::table::{Format, Table, column};

/// A model that is the one to act on at some price of a missed event.
#[derive(Clone, Debug, PartialEq)]
pub struct Alarms {
    /// The model.
    pub variant: VariantId,
    /// Events that its signals caught, near or not.
    pub caught: usize,
    /// Signals on none.
    pub false_alarms: usize,
    /// False alarms that a missed event must cost before this model is the one to take: for each event that it catches beyond the
    /// model before it, so many false alarms more.
    pub price: f64,
}

/// The models to act on as missed events grow dearer: corners of the convex hull of caught events over false alarms, from silence on.
///
/// At price c of a missed event, in false alarms, a model costs c·missed + false alarms; each corner is the cheapest from its own
/// price to that of the next. Models that catch fewer than ten events, on average over repeats, are left out: they would lead by luck.
pub fn frontier(scores: &TaskScores) -> Vec<Alarms> {
    let counts = |v: VariantId| {
        let c = scores.counts[v]?;
        let caught = c.hits + c.near_misses;
        (caught >= FEWEST_EVENTS * scores.repeats).then_some((v, caught, c.false_alarms))
    };
    let able: Vec<(VariantId, usize, usize)> = scores.distinct().into_iter().filter_map(counts).collect();
    let mut corners: Vec<Alarms> = Vec::new();
    let (mut caught, mut false_alarms) = (0, 0);
    loop {
        let price = |&(_, c, f): &(VariantId, usize, usize)| {
            (f as f64 - false_alarms as f64) / (c as f64 - caught as f64)
        };
        // Of equal prices the model that catches more; of equal models the first.
        let beyond = able.iter().filter(|m| m.1 > caught);
        let next = beyond.min_by(|a, b| price(a).total_cmp(&price(b)).then(b.1.cmp(&a.1)));
        let Some(next) = next else { return corners };
        corners.push(Alarms {
            variant: next.0,
            caught: next.1,
            false_alarms: next.2,
            price: price(next).max(0.0),
        });
        (caught, false_alarms) = (next.1, next.2);
    }
}

/// One row per task and corner.
pub(super) fn table(names: &Names, tasks: &[TaskScores]) -> Table {
    use Format::{Count, Name, Number};
    type Row<'a> = (TaskId, &'a TaskScores, Alarms);
    let rows = TaskId::all(tasks.len())
        .zip(tasks)
        .flat_map(|(t, scores)| frontier(scores).into_iter().map(move |a| (t, scores, a)));
    let a_year = |scores: &TaskScores, n: usize| scores.years.map(|years| n as f64 / years);
    Table::of(
        "alarms",
        "Which model to act on, by the cost of a missed event in false alarms",
        rows,
        vec![
            column("task", "task", Name, "the task", |r: &Row<'_>| names.task(r.0).to_owned()),
            column(
                "price",
                "from price",
                Number,
                "false alarms that a missed event must cost before it is the one to take; below the first price, none is",
                |r: &Row<'_>| r.2.price,
            ),
            column("variant", "model", Name, "the model", |r: &Row<'_>| {
                names.label(r.2.variant).to_owned()
            }),
            column("caught", "caught", Count, "events with a signal on their side", |r: &Row<'_>| r.2.caught),
            column("missed", "missed", Count, "events without one", |r: &Row<'_>| {
                r.1.counts[r.2.variant].map(|c| c.missed)
            }),
            column("false_alarms", "false alarms", Count, "signals on no event of their side", |r: &Row<'_>| {
                r.2.false_alarms
            }),
            column("caught_a_year", "caught a year", Number, "events caught a year", move |r: &Row<'_>| {
                a_year(r.1, r.2.caught)
            }),
            column(
                "false_alarms_a_year",
                "false alarms a year",
                Number,
                "false alarms a year",
                move |r: &Row<'_>| a_year(r.1, r.2.false_alarms),
            ),
        ],
    )
    .note("Prices are in false alarms. Models that catch fewer than ten events are left out.")
}
