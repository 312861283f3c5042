//! Scores and ranks of every variant on every task, as tables.

use tailrank_metrics::{EventCounts, Measure};

use super::{Names, TaskId, TaskScores, VariantId};
use crate::table::{
    Format::{Count, Name, Number},
    Table, TableOf,
};

/// A variant on a task.
#[derive(Clone, Copy)]
struct Fit<'a> {
    task: TaskId,
    variant: VariantId,
    scores: &'a TaskScores,
}

impl Fit<'_> {
    fn counts(&self) -> Option<EventCounts> {
        self.scores.counts[self.variant]
    }
}

fn fits<'a>(names: &Names, tasks: &'a [TaskScores]) -> Vec<Fit<'a>> {
    let variants = names.variants.len();
    let of_task = |(task, scores)| VariantId::all(variants).map(move |variant| Fit { task, variant, scores });
    TaskId::all(tasks.len()).zip(tasks).flat_map(of_task).collect()
}

/// Task, variant, family and parameters: how every row of a variant begins.
fn naming<T>(table: TableOf<T>, names: &Names, of: fn(&T) -> (TaskId, VariantId)) -> TableOf<T> {
    table
        .task(names, |t| of(t).0)
        .model(names, |t| of(t).1)
        .family(names, |t| of(t).1)
        .file_column(Name, "parameters", "parameters", |t| names.variants[of(t).1].params.to_string())
        .means("its parameters")
}

fn measures(tasks: &[TaskScores]) -> Vec<Measure> {
    tasks.first().map(|s| s.measures.clone()).unwrap_or_default()
}

/// `MAD ↓`: a measure's symbol with its good end.
pub fn heading(measure: Measure) -> String {
    let arrow = if measure.better() == tailrank_metrics::Better::Lower { "↓" } else { "↑" };
    format!("{} {arrow}", measure.info().symbol)
}

/// One row per task and variant: how its fits ended, its signals, and every measure.
pub fn scores_table(names: &Names, tasks: &[TaskScores]) -> Table {
    let copies: Vec<Vec<usize>> = tasks.iter().map(TaskScores::copies).collect();
    let mut table = naming(Table::of(fits(names, tasks)), names, |f| (f.task, f.variant))
        .file_column(Name, "status", ("status", "how its fits ended"), |f| f.scores.status[f.variant].word())
        .file_column(Name, "reason", "reason", |f| f.scores.reason(f.variant))
        .means("why it failed, or why a score is undefined")
        .column(Count, "copies", "×", |f| {
            (!f.scores.scores[f.variant].is_empty()).then(|| copies[f.task][f.variant])
        })
        .means("models with the same predictions, itself included")
        .file_column(Count, "cases", ("cases", "test cases"), |f| f.scores.cases)
        .file_column(Count, "events", ("events", "test cases with φ(y) ≥ t_E"), |f| f.scores.events)
        .column(Count, "signals", "signals", |f| f.counts().map(|c| c.signals))
        .means("predictions with φ(ŷ) ≥ t_E")
        .column(Count, "hits", "hits", |f| f.counts().map(|c| c.hits))
        .means("signals on an event of their side, error at most t_L")
        .file_column(Count, "near_misses", "near", |f| f.counts().map(|c| c.near_misses))
        .means("signals on an event of their side, error above t_L")
        .file_column(Count, "false_alarms", "false", |f| f.counts().map(|c| c.false_alarms))
        .means("signals on no event, or on one of the other side")
        .file_column(Count, "missed", "missed", |f| f.counts().map(|c| c.missed))
        .means("events without a signal on their side");
    let repeated = tasks.iter().any(|t| t.repeats > 1);
    for (place, m) in measures(tasks).into_iter().enumerate() {
        let info = m.info();
        table = table
            .column(Number, info.id, (heading(m), info.name), |f| f.scores.score(f.variant, m))
            .better(info.better);
        if repeated {
            let (id, head) = (format!("{}_sd", info.id), format!("sd({})", info.symbol));
            let deviations = |f: &Fit<'_>| f.scores.deviations.get(f.variant.0)?.get(place).copied()?;
            table = table
                .file_column(Number, id, head, deviations)
                .means(format!("standard deviation of {} over the repeats", info.name));
        }
    }
    table.titled("scores", "Scores of every model")
}

/// One row per task and variant: its rank by every measure.
pub(super) fn ranks_table(names: &Names, tasks: &[TaskScores]) -> Table {
    let mut table = naming(Table::of(fits(names, tasks)), names, |f| (f.task, f.variant));
    for m in measures(tasks) {
        let ranks: Vec<Vec<Option<f64>>> = tasks.iter().map(|t| t.ranks(m)).collect();
        table = table
            .column(Count, m.id(), m.info().symbol, |f| ranks[f.task][f.variant])
            .means(format!("rank by {}, models with the same predictions counted once", m.info().name));
    }
    table.titled("ranks", "Ranks of every model")
}

/// One row per task, variant and fold, where there are folds. A fold without a signal is a fact here, and
/// voids nothing.
pub(super) fn folds_table(names: &Names, tasks: &[TaskScores]) -> Table {
    let rows = fits(names, tasks).into_iter().flat_map(|f| {
        let folds = f.scores.folds.get(f.variant.0).map_or(&[][..], Vec::as_slice);
        folds.iter().enumerate().map(move |(i, fold)| (f, i, fold))
    });
    let mut table = naming(Table::of(rows), names, |r| (r.0.task, r.0.variant))
        .column(Count, "fold", ("fold", "the part of the division, from 1, repeat after repeat"), |r| r.1 + 1)
        .column(Count, "events", ("events", "events of the fold"), |r| r.2.counts.map(|c| c.events))
        .column(Count, "signals", ("signals", "signals of the fold"), |r| r.2.counts.map(|c| c.signals))
        .column(Count, "hits", ("hits", "hits of the fold"), |r| r.2.counts.map(|c| c.hits));
    for (place, m) in measures(tasks).into_iter().enumerate() {
        table = table
            .column(Number, m.id(), (heading(m), m.info().name), |r| r.2.scores.get(place).copied())
            .better(m.better());
    }
    table.titled("folds", "Scores of every model, fold by fold")
}

#[cfg(test)]
mod tests;
