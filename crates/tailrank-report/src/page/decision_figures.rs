//! The four figures behind a decision: who wins by which measure, what one measure costs by the other, how the score lies over the
//! grid, and what acting gives.

use tailrank_metrics::{Better, EpisodeCounts, EpisodeMeetings, relevance::Flank};
use tailrank_score::score::TaskInference;

use super::{
    static_figures::{Folder, quantity},
    *,
};
use crate::figures::{
    EventsVsFalseAlarms, Forest, ForestRow, Got, Grid, GridVariant, MeasurePair, RankFlow, TradeOff,
    TradeOffPoint,
};

/// Measures in units of the target.
const IN_UNITS: [&str; 5] = ["mad", "rmse", "mdae", "event_mad", "event_rmse"];

/// Adds them to the figures of a task.
pub(super) fn draw(loaded: &Loaded<'_>, folder: &mut Folder<'_>) -> Result<()> {
    let heading = folder.heading;
    folder.add("rank flow", figures::rank_flow(&rank_flow(loaded, heading)))?;
    if let Some(&(a, b)) = loaded.subject.pairs.first() {
        folder.add("trade-off", figures::trade_off(&trade_off(loaded, heading, a, b)))?;
        folder.add("score over the grid", figures::grid(&grid(loaded, heading, b)))?;
    }
    if let Some(figure) = episodes(loaded, heading) {
        folder.add(EPISODES, figure)?;
    }
    if let Some(data) = forest(loaded, heading) {
        folder.add(FOREST, figures::forest(&data))?;
    }
    folder.add("what you get", figures::events_vs_false_alarms(&events_vs_false_alarms(loaded, heading)))
}

/// The name of the figure of episodes and alarms.
pub(super) const EPISODES: &str = "episodes and alarms";

/// The episodes and alarms for the task's own page.
pub(super) fn episode_strip(loaded: &Loaded<'_>) -> Option<Figure> {
    episodes(loaded, Heading::of(loaded.name))?.ok()
}

/// Episodes and alarms of the model that the decision is about, for one sequence of rows in time order.
fn episodes(loaded: &Loaded<'_>, heading: Heading<'_>) -> Option<Result<Figure>> {
    let (plan, _) = loaded.subject.run()?;
    let task = &plan.tasks[loaded.number];
    let rule = plan.experiment.events_of(&task.name, &task.source)?;
    let results = loaded.subject.results;
    let model = results.answer.deciding(loaded.number)?.model?;
    let counted = results.episodes.iter().find(|e| e.task == loaded.number && e.variant == model)?;
    let (settings, predicted) = (loaded.settings()?, loaded.predicted(model)?);
    let phi = settings.relevance.as_ref()?;
    let met = [Flank::Low, Flank::High].map(|flank| {
        let flags = |values: &[f64]| EpisodeCounts::flags(values, phi, settings.t_e, flank);
        EpisodeMeetings::of(&flags(&loaded.truth), &flags(predicted), rule)
    });
    // The entities of a panel are counted apart; their rows make no single line of time.
    let drawn: usize = met.iter().map(|m| m.episodes.len()).sum();
    if drawn != counted.counts.episodes {
        return None;
    }
    Some(figures::episodes(&figures::EpisodeStrip {
        heading,
        variant: Variant::from(&results.names.variants[model]),
        dates: loaded.dates.as_deref(),
        rows: loaded.truth.len(),
        met: met.into(),
        note: &answer::episode_note(counted),
    }))
}

/// The name of the figure of scores with their intervals.
pub(super) const FOREST: &str = "scores with intervals";

/// Rows of it; more cannot be read on a page.
const MOST_ROWS: usize = 24;

/// Every model of a task by the deciding measure.
fn forest<'a>(loaded: &Loaded<'a>, heading: Heading<'a>) -> Option<Forest<'a>> {
    let (results, scores) = (loaded.subject.results, loaded.scores);
    let decision = results.answer.deciding(loaded.number)?;
    let measure = decision.measure;
    let values = scores.values(measure);
    let sign = if measure.better() == Better::Higher { -1.0 } else { 1.0 };
    let mut shown = scores.distinct_with_references();
    let key = |v: VariantId| values[v].map_or(f64::INFINITY, |value| sign * value);
    shown.sort_by(|&a, &b| key(a).total_cmp(&key(b)));
    let left_out = shown.len().saturating_sub(MOST_ROWS);
    shown.truncate(MOST_ROWS);
    let row = |&v: &VariantId| ForestRow {
        name: results.names.label(v),
        variant: Variant::from(&results.names.variants[v]),
        score: values[v],
        interval: interval(loaded, measure, v),
        tied: decision.tied.contains(&v),
        reference: scores.references[v],
        chance: None,
        baseline: None,
    };
    let score = unit(loaded, measure);
    let leads = decision.model.zip(decision.score).map(|(model, value)| {
        let (name, end) = (results.names.label(model), answer::end(measure));
        format!("{name} has the {end} {}: {}", score.name, score.value(value))
    });
    Some(Forest {
        heading,
        score,
        better: measure.better(),
        finding: leads.unwrap_or_else(|| format!("No model has a {}", score.name)),
        rows: shown.iter().map(row).collect(),
        left_out,
        chance: decision.chance,
        baseline: decision.baseline_score,
    })
}

/// The leading model of every task by the deciding measure.
pub(super) fn forest_of_tasks<'a>(results: &'a Results, heading: Heading<'a>) -> Option<Forest<'a>> {
    let measure = results.answer.decide_by?;
    let decisions: Vec<&Decision> = results.answer.all_deciding().filter(|d| d.model.is_some()).collect();
    let row = |d: &&'a Decision| {
        Some(ForestRow {
            name: results.names.task(d.task),
            variant: Variant::from(&results.names.variants[d.model?]),
            score: d.score,
            interval: d.lower.zip(d.upper),
            tied: false,
            reference: false,
            chance: d.chance,
            baseline: d.baseline_score,
        })
    };
    let symbol = measure.info().symbol;
    Some(Forest {
        heading,
        score: Quantity::new(symbol, ""),
        better: measure.better(),
        finding: format!("The {} {symbol} on each task", answer::end(measure)),
        left_out: decisions.len().saturating_sub(MOST_ROWS),
        rows: decisions.iter().take(MOST_ROWS).filter_map(row).collect(),
        chance: None,
        baseline: None,
    })
}

/// The rank flow for the task's own page, where its lines can be clicked.
pub(super) fn flow(loaded: &Loaded<'_>) -> Option<Figure> {
    figures::rank_flow(&rank_flow(loaded, Heading::of(loaded.name))).ok()
}

fn known<'a>(loaded: &Loaded<'a>) -> Option<&'a TaskInference> {
    loaded.subject.results.inference.iter().find(|t| t.task == loaded.number)
}

fn interval(loaded: &Loaded<'_>, measure: Measure, variant: VariantId) -> Option<(f64, f64)> {
    answer::ends(loaded.subject.results, loaded.number, measure, variant)
}

fn unit<'a>(loaded: &Loaded<'_>, measure: Measure) -> Quantity<'a> {
    let symbol = measure.info().symbol;
    if IN_UNITS.contains(&measure.id()) { quantity(loaded, symbol) } else { Quantity::new(symbol, "") }
}

fn rank_flow<'a>(loaded: &Loaded<'a>, heading: Heading<'a>) -> RankFlow<'a> {
    let (results, scores) = (loaded.subject.results, loaded.scores);
    let range = |m: Measure, v: VariantId| {
        let known = known(loaded)?;
        let range = known.measure(m)?.ranks[known.place(v, scores)?]?;
        Some((range.lower, range.upper))
    };
    let of_measure = |&m: &Measure| scores.distinct().into_iter().map(|v| range(m, v)).collect();
    // Without inference nothing is known of any rank.
    let is_known = known(loaded).is_some_and(|k| scores.measures.iter().any(|&m| k.measure(m).is_some()));
    let measured = scores.measures.iter().filter(|_| is_known);
    RankFlow {
        heading,
        variants: figures::scored_variants(&results.names.variants, scores),
        measures: scores.measures.iter().map(|&m| Scores::of_task(scores, m)).collect(),
        ranges: measured.map(of_measure).collect(),
    }
}

fn trade_off<'a>(loaded: &Loaded<'a>, heading: Heading<'a>, a: Measure, b: Measure) -> TradeOff<'a> {
    let (results, scores) = (loaded.subject.results, loaded.scores);
    let shown = scores.distinct_with_references();
    let of = |m: Measure| Scores::of_variants(scores, m, &shown);
    let tied = tied(loaded, b);
    let point = |&v: &VariantId| TradeOffPoint {
        a: interval(loaded, a, v),
        b: interval(loaded, b, v),
        tied: tied.contains(&v),
        reference: scores.references[v],
    };
    let variants = shown.iter().map(|&v| Variant::from(&results.names.variants[v])).collect();
    TradeOff {
        scores: MeasurePair { heading, variants, a: of(a), b: of(b) },
        units: [unit(loaded, a), unit(loaded, b)],
        points: shown.iter().map(point).collect(),
    }
}

/// Candidates that are tied with the best by a measure.
fn tied(loaded: &Loaded<'_>, measure: Measure) -> Vec<VariantId> {
    let level = loaded.subject.results.inferred_by.set_level;
    let of = |known: &TaskInference| {
        Some(known.measure(measure)?.in_set(level).into_iter().map(|p| known.variants[p]).collect())
    };
    known(loaded).and_then(of).unwrap_or_default()
}

fn grid<'a>(loaded: &Loaded<'a>, heading: Heading<'a>, measure: Measure) -> Grid<'a> {
    let (names, scores) = (&loaded.subject.results.names, loaded.scores);
    let (values, tied) = (scores.values(measure), tied(loaded, measure));
    let variant = |v: VariantId| GridVariant {
        variant: Variant::from(&names.variants[v]),
        parameters: &names.variants[v].params,
        score: values[v],
        interval: interval(loaded, measure, v),
        tied: tied.contains(&scores.same_as[v]),
    };
    Grid {
        heading,
        score: unit(loaded, measure),
        better: measure.better(),
        variants: scores.candidates().into_iter().map(variant).collect(),
        by_chance: known(loaded).and_then(|k| Some(k.measure(measure)?.chance.as_ref()?.chance)),
        baseline: scores.best_reference(measure).and_then(|v| values[v]),
    }
}

fn events_vs_false_alarms<'a>(loaded: &Loaded<'a>, heading: Heading<'a>) -> EventsVsFalseAlarms<'a> {
    let (names, scores) = (&loaded.subject.results.names, loaded.scores);
    let got = |v: VariantId| {
        let (c, variant, reference) = (scores.counts[v]?, &names.variants[v], scores.references[v]);
        let (caught, false_alarms) = (c.hits + c.near_misses, c.false_alarms);
        Some(Got { variant: variant.into(), caught, false_alarms, reference })
    };
    let models: Vec<Got<'a>> = scores.distinct_with_references().into_iter().filter_map(got).collect();
    let answer = &loaded.subject.results.answer;
    // Where no model is to be used, none is recommended at any cost.
    let used = answer.deciding(loaded.number).is_some_and(|d| d.recommended().is_some());
    let ladder = answer.ladders.iter().find(|l| used && l.task == loaded.number);
    let rungs = ladder.map(|l| &l.rungs[..]).unwrap_or_default();
    EventsVsFalseAlarms {
        heading,
        models,
        steps: rungs.iter().map(|r| (r.from, r.model.map(|v| names.label(v)))).collect(),
        events: scores.counts.iter().flatten().map(|c| c.events).next().unwrap_or(scores.events),
        rate: loaded.subject.rate(loaded.number),
    }
}
