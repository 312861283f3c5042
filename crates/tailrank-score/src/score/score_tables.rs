//! Scores and ranks of every variant on every task, as tables.

use tailrank_metrics::{Measure, Score};

use super::{Names, TaskId, TaskScores, VariantId, evaluate::FoldScores};
use crate::table::{ColumnOf, Format, Table, column};

/// A variant on a task.
#[derive(Clone, Copy)]
struct Fit<'a> {
    task: TaskId,
    variant: VariantId,
    scores: &'a TaskScores,
}

fn fits<'a>(names: &Names, tasks: &'a [TaskScores]) -> Vec<Fit<'a>> {
    let variants = names.variants.len();
    let of_task = |(task, scores)| VariantId::all(variants).map(move |variant| Fit { task, variant, scores });
    TaskId::all(tasks.len()).zip(tasks).flat_map(of_task).collect()
}

/// Task, variant, family and parameters: how every row of a variant begins.
fn naming<'a, T: 'a>(names: &'a Names, of: fn(&T) -> (TaskId, VariantId)) -> Vec<ColumnOf<'a, T>> {
    use Format::Name;
    vec![
        column("task", "task", Name, "the task", move |t: &T| names.task(of(t).0).to_owned()),
        column("variant", "model", Name, "the model", move |t: &T| names.label(of(t).1).to_owned()),
        column("family", "family", Name, "its family", move |t: &T| names.variants[of(t).1].group.clone()),
        column("parameters", "parameters", Name, "its parameters", move |t: &T| {
            names.variants[of(t).1].params.to_string()
        })
        .for_files(),
    ]
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
    use Format::{Count, Name, Number};
    let mut columns = naming(names, |f: &Fit<'_>| (f.task, f.variant));
    let counts = |f: &Fit<'_>| f.scores.counts[f.variant];
    let copies: Vec<Vec<usize>> = tasks.iter().map(TaskScores::copies).collect();
    columns.extend([
        column("status", "status", Name, "how its fits ended", |f: &Fit<'_>| {
            f.scores.status[f.variant].word()
        })
        .for_files(),
        column("reason", "reason", Name, "why it failed, or why a score is undefined", |f: &Fit<'_>| {
            f.scores.reason(f.variant)
        })
        .for_files(),
        column(
            "copies",
            "×",
            Count,
            "models with the same predictions, itself included",
            move |f: &Fit<'_>| (!f.scores.scores[f.variant].is_empty()).then(|| copies[f.task.0][f.variant]),
        ),
        column("cases", "cases", Count, "test cases", |f: &Fit<'_>| f.scores.cases).for_files(),
        column("events", "events", Count, "test cases with φ(y) ≥ t_E", |f: &Fit<'_>| f.scores.events)
            .for_files(),
        column("signals", "signals", Count, "predictions with φ(ŷ) ≥ t_E", move |f: &Fit<'_>| {
            counts(f).map(|c| c.signals)
        }),
        column(
            "hits",
            "hits",
            Count,
            "signals on an event of their side, error at most t_L",
            move |f: &Fit<'_>| counts(f).map(|c| c.hits),
        ),
        column(
            "near_misses",
            "near",
            Count,
            "signals on an event of their side, error above t_L",
            move |f: &Fit<'_>| counts(f).map(|c| c.near_misses),
        )
        .for_files(),
        column(
            "false_alarms",
            "false",
            Count,
            "signals on no event, or on one of the other side",
            move |f: &Fit<'_>| counts(f).map(|c| c.false_alarms),
        )
        .for_files(),
        column("missed", "missed", Count, "events without a signal on their side", move |f: &Fit<'_>| {
            counts(f).map(|c| c.missed)
        })
        .for_files(),
    ]);
    let repeated = tasks.iter().any(|t| t.repeats > 1);
    for (place, m) in measures(tasks).into_iter().enumerate() {
        let info = m.info();
        let value = move |f: &Fit<'_>| f.scores.score(f.variant, m);
        columns.push(column(info.id, heading(m), Number, info.name, value).better(info.better));
        if repeated {
            let deviation = move |f: &Fit<'_>| {
                f.scores.deviations.get(f.variant.0).and_then(|d| d.get(place).copied().flatten())
            };
            let (id, head) = (format!("{}_sd", info.id), format!("sd({})", info.symbol));
            let meaning = format!("standard deviation of {} over the repeats", info.name);
            columns.push(column(id, head, Number, meaning, deviation).for_files());
        }
    }
    Table::of("scores", "Scores of every model", fits(names, tasks), columns)
}

/// One row per task and variant: its rank by every measure.
pub(super) fn ranks_table(names: &Names, tasks: &[TaskScores]) -> Table {
    let mut columns = naming(names, |f: &Fit<'_>| (f.task, f.variant));
    for m in measures(tasks) {
        let ranks: Vec<Vec<Option<f64>>> = tasks.iter().map(|t| t.ranks(m)).collect();
        let rank = move |f: &Fit<'_>| ranks[f.task][f.variant];
        let meaning = format!("rank by {}, models with the same predictions counted once", m.info().name);
        columns.push(column(m.id(), m.info().symbol, Format::Count, meaning, rank));
    }
    Table::of("ranks", "Ranks of every model", fits(names, tasks), columns)
}

/// One row per task, variant and fold, where there are folds. A fold without a signal is a fact here, and voids nothing.
pub(super) fn folds_table(names: &Names, tasks: &[TaskScores]) -> Table {
    use Format::{Count, Number};
    type Row<'a> = (Fit<'a>, usize, &'a FoldScores);
    let rows = fits(names, tasks).into_iter().flat_map(|f| {
        let folds = f.scores.folds.get(f.variant.0).map_or(&[][..], Vec::as_slice);
        folds.iter().enumerate().map(move |(i, fold)| (f, i, fold))
    });
    let mut columns = naming(names, |r: &Row<'_>| (r.0.task, r.0.variant));
    columns.extend([
        column(
            "fold",
            "fold",
            Count,
            "the part of the division, from 1, repeat after repeat",
            |r: &Row<'_>| r.1 + 1,
        ),
        column("events", "events", Count, "events of the fold", |r: &Row<'_>| r.2.counts.map(|c| c.events)),
        column("signals", "signals", Count, "signals of the fold", |r: &Row<'_>| {
            r.2.counts.map(|c| c.signals)
        }),
        column("hits", "hits", Count, "hits of the fold", |r: &Row<'_>| r.2.counts.map(|c| c.hits)),
    ]);
    for (place, m) in measures(tasks).into_iter().enumerate() {
        let value = move |r: &Row<'_>| -> Option<Score> { r.2.scores.get(place).copied() };
        columns.push(column(m.id(), heading(m), Number, m.info().name, value).better(m.better()));
    }
    Table::of("folds", "Scores of every model, fold by fold", rows, columns)
}

#[cfg(test)]
mod tests;
