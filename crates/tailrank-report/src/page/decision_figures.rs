//! The four figures behind a decision: who wins by which measure, what one measure costs by the other, how the score lies over the
//! grid, and what acting gives.

use tailrank_metrics::{Better, Measure};
use tailrank_score::score::{MeasureInference, TaskInference, VariantId};
use tailrank_stats::Interval;

use super::{loaded::Loaded, static_figures::quantity};
use crate::{
    Result,
    figures::{
        self, Figure, Got, Grid, GridVariant, Heading, Quantity, RankFlow, Scores, TradeOff, TradeOffPoint,
        Variant, WhatYouGet,
    },
};

/// Measures in units of the target.
const IN_UNITS: [&str; 5] = ["mad", "rmse", "mdae", "event_mad", "event_rmse"];

/// Gives each figure to `add`, with its name.
pub(super) fn draw(
    loaded: &Loaded<'_>,
    heading: Heading<'_>,
    add: &mut dyn FnMut(&str, Result<Figure>) -> Result<()>,
) -> Result<()> {
    add("rank flow", figures::rank_flow(&rank_flow(loaded, heading)))?;
    if let Some(&(a, b)) = loaded.subject.pairs.first() {
        add("trade-off", figures::trade_off(&trade_off(loaded, heading, a, b)))?;
        add("score over the grid", figures::grid(&grid(loaded, heading, b)))?;
    }
    add("what you get", figures::what_you_get(&what_you_get(loaded, heading)))
}

/// The rank flow for the task's own page, where its lines can be clicked.
pub(super) fn flow(loaded: &Loaded<'_>) -> Option<Figure> {
    figures::rank_flow(&rank_flow(loaded, Heading::of(loaded.name))).ok()
}

fn known<'a>(loaded: &Loaded<'a>) -> Option<&'a TaskInference> {
    loaded.subject.results.inference.iter().find(|t| t.task == loaded.number)
}

fn ends(interval: Interval) -> (f64, f64) {
    (interval.lower, interval.upper)
}

fn unit<'a>(loaded: &Loaded<'_>, measure: Measure) -> Quantity<'a> {
    let symbol = measure.info().symbol;
    if IN_UNITS.contains(&measure.id()) { quantity(loaded, symbol) } else { Quantity::new(symbol, "") }
}

fn rank_flow<'a>(loaded: &Loaded<'a>, heading: Heading<'a>) -> RankFlow<'a> {
    let (results, scores) = (loaded.subject.results, loaded.scores);
    let distinct = scores.distinct();
    let range = |known: &TaskInference, of: &MeasureInference, v: VariantId| {
        let range = of.ranks[known.place(v, scores)?]?;
        Some((range.lower, range.upper))
    };
    let of_measure = |&m: &Measure| -> Option<Vec<Option<(f64, f64)>>> {
        let known = known(loaded)?;
        let of = known.measure(m)?;
        Some(distinct.iter().map(|&v| range(known, of, v)).collect())
    };
    let ranges: Vec<_> = scores.measures.iter().map(of_measure).collect();
    let ranges = if ranges.iter().all(Option::is_none) {
        Vec::new()
    } else {
        ranges.into_iter().map(|r| r.unwrap_or_else(|| vec![None; distinct.len()])).collect()
    };
    RankFlow {
        heading,
        variants: figures::scored_variants(&results.names.variants, scores),
        measures: scores.measures.iter().map(|&m| Scores::of_task(scores, m)).collect(),
        highlight: Vec::new(),
        ranges,
    }
}

fn trade_off<'a>(loaded: &Loaded<'a>, heading: Heading<'a>, a: Measure, b: Measure) -> TradeOff<'a> {
    let (results, scores) = (loaded.subject.results, loaded.scores);
    let shown = scores.distinct_with_references();
    let of = |m: Measure| {
        let values = scores.values(m);
        Scores {
            symbol: m.info().symbol,
            better: m.better(),
            values: shown.iter().map(|&v| values[v]).collect(),
        }
    };
    let interval = |m: Measure, v: VariantId| {
        let known = known(loaded)?;
        known.measure(m)?.intervals[known.place(v, scores)?].map(ends)
    };
    let level = level(loaded, b);
    let point = |&v: &VariantId| TradeOffPoint {
        a: interval(a, v),
        b: interval(b, v),
        level: level.contains(&v),
        reference: scores.references[v],
    };
    TradeOff {
        heading,
        variants: shown.iter().map(|&v| Variant::from(&results.names.variants[v])).collect(),
        a: of(a),
        b: of(b),
        units: [unit(loaded, a), unit(loaded, b)],
        points: shown.iter().map(point).collect(),
    }
}

/// Candidates that cannot be told from the best by a measure.
fn level(loaded: &Loaded<'_>, measure: Measure) -> Vec<VariantId> {
    let level = loaded.subject.results.inferred_by.set_level;
    let of = |known: &TaskInference| {
        Some(known.measure(measure)?.in_set(level).into_iter().map(|p| known.variants[p]).collect())
    };
    known(loaded).and_then(of).unwrap_or_default()
}

fn grid<'a>(loaded: &Loaded<'a>, heading: Heading<'a>, measure: Measure) -> Grid<'a> {
    let (names, scores) = (&loaded.subject.results.names, loaded.scores);
    let (values, level) = (scores.values(measure), level(loaded, measure));
    let known = known(loaded).and_then(|k| Some((k, k.measure(measure)?)));
    let variant = |v: VariantId| GridVariant {
        variant: Variant::from(&names.variants[v]),
        parameters: &names.variants[v].params,
        score: values[v],
        interval: known.and_then(|(k, of)| of.intervals[k.place(v, scores)?]).map(ends),
        level: level.contains(&scores.same_as[v]),
    };
    Grid {
        heading,
        score: unit(loaded, measure),
        higher: measure.better() == Better::Higher,
        variants: scores.candidates().into_iter().map(variant).collect(),
        by_luck: known.and_then(|(_, of)| of.chance.as_ref()).map(|l| l.chance),
        baseline: scores.best_reference(measure).and_then(|v| values[v]),
    }
}

fn what_you_get<'a>(loaded: &Loaded<'a>, heading: Heading<'a>) -> WhatYouGet<'a> {
    let (names, scores) = (&loaded.subject.results.names, loaded.scores);
    let got = |v: VariantId| {
        let c = scores.counts[v]?;
        Some(Got {
            variant: Variant::from(&names.variants[v]),
            caught: c.hits + c.near_misses,
            false_alarms: c.false_alarms,
            reference: scores.references[v],
        })
    };
    let models: Vec<Got<'a>> = scores.distinct_with_references().into_iter().filter_map(got).collect();
    let steps = figures::recommendations(scores);
    WhatYouGet {
        heading,
        models,
        steps: steps
            .into_iter()
            .map(|s| (s.from, s.variant.map(|v| names.variants[v].label.as_str())))
            .collect(),
        events: scores.counts.iter().flatten().map(|c| c.events).next().unwrap_or(scores.events),
        rate: loaded.subject.rate(loaded.number),
    }
}
