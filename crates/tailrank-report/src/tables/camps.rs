//! The model to take by each camp of measures: how sure that is, how it stands beside luck and the best baseline, what to expect.

use tailrank_experiment::text::{count, digits};
use tailrank_metrics::EventCounts;
use tailrank_score::{
    score::{Camp, Results, TaskId, VariantId},
    table::{Format, Table, column},
};
use tailrank_stats::Interval;

use crate::Rate;

struct Row<'a> {
    task: TaskId,
    camp: &'a Camp,
    interval: Option<Interval>,
    rate: Rate,
}

impl Row<'_> {
    fn count(&self, of: fn(EventCounts) -> usize) -> Option<usize> {
        self.camp.counts.map(of)
    }

    fn rated(&self, of: fn(EventCounts) -> usize) -> Option<f64> {
        self.camp.counts.map(|c| of(c) as f64 * self.rate.factor)
    }
}

fn rows<'a>(results: &'a Results, rates: &[Rate]) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    for (decision, &rate) in results.decisions.iter().zip(rates) {
        let (task, scores) = (decision.task, &results.scores[decision.task]);
        for camp in &decision.camps {
            let measure = camp.measures[0];
            let known = results.inference.iter().find(|t| t.task == task);
            let interval = known
                .and_then(|known| known.measure(measure)?.intervals[known.place(camp.variant, scores)?]);
            rows.push(Row { task, camp, interval, rate });
        }
    }
    rows
}

/// One row per task and camp of measures; `rates` are those of the tasks.
pub fn camps(results: &Results, rates: &[Rate]) -> Table {
    type R<'a> = Row<'a>;
    let names = &results.names;
    let label = |v: VariantId| names.label(v).to_owned();
    let score = |r: &R<'_>| results.scores[r.task].score(r.camp.variant, r.camp.measures[0]);
    let level = |share: f64| format!("{:.0} %", 100.0 * share);
    let interval = format!("{} interval", level(results.inferred_by.level));
    Table::of(
        "camps",
        "The model to take by each camp of measures, and what to expect of it",
        rows(results, rates),
        vec![
            column("task", "task", Format::Name, "the task", |r: &R<'_>| names.task(r.task).to_owned()),
            column("measures", "by", Format::Name, "measures that choose one family", |r: &R<'_>| {
                let symbols: Vec<&str> = r.camp.measures.iter().map(|m| m.info().symbol).collect();
                symbols.join(", ")
            }),
            column("family", "family", Format::Name, "the family to take", |r: &R<'_>| r.camp.family.clone()),
            column("variant", "setting", Format::Name, "the best of its settings", |r: &R<'_>| {
                r.camp.label.clone()
            }),
            column(
                "level",
                "level",
                Format::Count,
                "other settings that cannot be told from it",
                |r: &R<'_>| r.camp.level.len(),
            ),
            column("level_settings", "level settings", Format::Name, "these settings", move |r: &R<'_>| {
                r.camp.level.iter().map(|&v| label(v)).collect::<Vec<_>>().join("; ")
            })
            .for_files(),
            column(
                "family_share",
                "P(best)",
                Format::Percent,
                "share of the resamples on which the family holds the best, by the first measure",
                |r: &R<'_>| r.camp.family_share,
            ),
            column("measure", "measure", Format::Name, "the first measure", |r: &R<'_>| {
                r.camp.measures[0].info().symbol
            }),
            column("score", "score", Format::Number, "the score by the first measure", score),
            column("lower", "lower", Format::Number, interval.clone(), |r: &R<'_>| {
                r.interval.map(|i| i.lower)
            })
            .for_files(),
            column("upper", "upper", Format::Number, interval.clone(), |r: &R<'_>| {
                r.interval.map(|i| i.upper)
            })
            .for_files(),
            column("interval", interval.clone(), Format::Name, interval, |r: &R<'_>| {
                r.interval.map(|i| format!("{} to {}", digits(i.lower), digits(i.upper)))
            })
            .for_people(),
            column("by_luck", "by luck", Format::Number, "the best score that luck gives", |r: &R<'_>| {
                r.camp.luck.as_ref().map(|l| l.by_luck)
            }),
            column("p_luck", "p", Format::P, "chance of such a score by luck", |r: &R<'_>| {
                r.camp.luck.as_ref().map(|l| l.p)
            }),
            column("reference", "best baseline", Format::Name, "the best baseline", |r: &R<'_>| {
                r.camp.beside.as_ref().map(|b| b.label.clone())
            }),
            column("reference_score", "its score", Format::Number, "score of that baseline", |r: &R<'_>| {
                r.camp.beside.as_ref().map(|b| b.score)
            }),
            column(
                "unbeaten",
                "no better than",
                Format::Name,
                "the best baseline, where the model is no better",
                |r: &R<'_>| r.camp.beside.as_ref().filter(|b| b.is_unbeaten()).map(|b| b.label.clone()),
            )
            .for_files(),
            column(
                "repeats",
                "repeats",
                Format::Count,
                "times that the test cases were divided and counted",
                |r: &R<'_>| r.camp.repeats,
            )
            .for_files(),
            column("signals", "signals", Format::Count, "signals it issues", |r: &R<'_>| {
                r.count(|c| c.signals)
            }),
            column("hits", "hits", Format::Count, "signals near enough to their event", |r: &R<'_>| {
                r.count(|c| c.hits)
            }),
            column(
                "near_misses",
                "near misses",
                Format::Count,
                "signals too far from their event",
                |r: &R<'_>| r.count(|c| c.near_misses),
            ),
            column("false_alarms", "false alarms", Format::Count, "signals without an event", |r: &R<'_>| {
                r.count(|c| c.false_alarms)
            }),
            column("missed", "missed", Format::Count, "events without a signal", |r: &R<'_>| {
                r.count(|c| c.missed)
            }),
            column("events", "events", Format::Count, "events in the test", |r: &R<'_>| {
                r.count(|c| c.events)
            }),
            column("rate", "rate", Format::Name, "what the last columns count in", |r: &R<'_>| r.rate.unit)
                .for_files(),
            column("hits_rate", "hits", Format::Number, "hits at that rate", |r: &R<'_>| r.rated(|c| c.hits))
                .for_files(),
            column(
                "near_misses_rate",
                "near misses",
                Format::Number,
                "near misses at that rate",
                |r: &R<'_>| r.rated(|c| c.near_misses),
            )
            .for_files(),
            column(
                "false_alarms_rate",
                "false alarms",
                Format::Number,
                "false alarms at that rate",
                |r: &R<'_>| r.rated(|c| c.false_alarms),
            )
            .for_files(),
            column("missed_rate", "missed", Format::Number, "missed events at that rate", |r: &R<'_>| {
                r.rated(|c| c.missed)
            })
            .for_files(),
        ],
    )
    .note(format!(
        "Intervals and P(best) come from {} of the test cases.",
        count(results.inferred_by.resamples, "resample")
    ))
}
