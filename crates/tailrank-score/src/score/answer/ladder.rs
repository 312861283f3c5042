//! Which model to act on at which cost of a missed event.

use super::super::{Names, TaskId, TaskScores, VariantId, inference::FEWEST_EVENTS};
use crate::table::{Format, Table};

/// The cost ladder of one task, from the cheapest missed event on.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// The task.
    pub task: TaskId,
    /// The rungs, by growing cost; the first starts at 0. Empty where no model catches ten events.
    pub rungs: Vec<Rung>,
}

/// What to act on from one cost of a missed event to that of the next rung.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// The least cost of a missed event, in false alarms: for each event that the model catches beyond the
    /// one before it, so many false alarms more.
    pub from: f64,
    /// The model; none where acting costs more than it saves.
    pub model: Option<VariantId>,
    /// Events that it catches, near or not, in all repeats.
    pub caught: usize,
    /// Its false alarms, in all repeats.
    pub false_alarms: usize,
}

impl Ladder {
    /// The models to act on as missed events grow dearer: corners of the convex hull of caught events over
    /// false alarms, from silence on.
    ///
    /// At price c of a missed event, in false alarms, a model costs c·missed + false alarms; each corner is
    /// the cheapest from its own price to that of the next. Models that catch fewer than ten events, on
    /// average over repeats, are left out: they would lead by chance.
    pub(in crate::score) fn new(task: TaskId, scores: &TaskScores) -> Self {
        let counts = |v: VariantId| {
            let c = scores.counts[v]?;
            let caught = c.hits + c.near_misses;
            (caught >= FEWEST_EVENTS * scores.repeats).then_some((v, caught, c.false_alarms))
        };
        let able: Vec<(VariantId, usize, usize)> = scores.distinct().into_iter().filter_map(counts).collect();
        let mut last = Rung { from: 0.0, model: None, caught: 0, false_alarms: 0 };
        let mut rungs = vec![last];
        loop {
            let price = |&(_, c, f): &(VariantId, usize, usize)| {
                (f as f64 - last.false_alarms as f64) / (c as f64 - last.caught as f64)
            };
            // Of equal prices the model that catches more; of equal models the first.
            let beyond = able.iter().filter(|m| m.1 > last.caught);
            let next = beyond.min_by(|a, b| price(a).total_cmp(&price(b)).then(b.1.cmp(&a.1)));
            let Some(next) = next else { break };
            let (model, caught, false_alarms) = (Some(next.0), next.1, next.2);
            last = Rung { from: price(next).max(0.0), model, caught, false_alarms };
            rungs.push(last);
        }
        // A model without a false alarm is worth acting on at any cost.
        if rungs.get(1).is_none_or(|first| first.from <= 0.0) {
            rungs.remove(0);
        }
        Self { task, rungs }
    }

    /// The costs between which a model is the one to act on; the upper end is none on the last rung.
    pub fn range(&self, model: VariantId) -> Option<(f64, Option<f64>)> {
        let place = self.rungs.iter().position(|r| r.model == Some(model))?;
        Some((self.rungs[place].from, self.rungs.get(place + 1).map(|next| next.from)))
    }
}

/// One row per task and model to act on.
pub(in crate::score) fn alarms_table(names: &Names, tasks: &[TaskScores], ladders: &[Ladder]) -> Table {
    use Format::{Count, Number};
    let rungs =
        |l: &'_ Ladder| l.rungs.iter().filter_map(|r| Some((l.task, *r, r.model?))).collect::<Vec<_>>();
    let a_year = |task: TaskId, n: usize| tasks[task].years.map(|years| n as f64 / years);
    Table::of(ladders.iter().flat_map(rungs))
        .task(names, |r| r.0)
        .column(Number, "price", "from price", |r| r.1.from)
        .means(
            "false alarms that a missed event must cost before it is the one to take; below the first \
            price, none is",
        )
        .model(names, |r| r.2)
        .column(Count, "caught", ("caught", "events with a signal on their side"), |r| r.1.caught)
        .column(Count, "missed", "missed", |r| tasks[r.0].counts[r.2].map(|c| c.missed))
        .means("events without one")
        .column(Count, "false_alarms", "false alarms", |r| r.1.false_alarms)
        .means("signals on no event of their side")
        .column(Number, "caught_a_year", "caught a year", |r| a_year(r.0, r.1.caught))
        .means("events caught a year")
        .column(Number, "false_alarms_a_year", "false alarms a year", |r| a_year(r.0, r.1.false_alarms))
        .means("false alarms a year")
        .titled("alarms", "Which model to act on, by the cost of a missed event in false alarms")
        .note("Prices are in false alarms. Models that catch fewer than ten events are left out.")
}
