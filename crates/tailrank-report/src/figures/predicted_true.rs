//! Every prediction against the truth, with the events' bands: hits, false alarms and missed events stand out.
//!
//! All cases of one outcome are one path, one mark per pixel at most.

use std::collections::BTreeSet;

use tailrank_metrics::{Accuracy, Relevance};

use super::{
    Figure, Heading, Quantity, Variant,
    axis::{extent, padded, quantile},
    chart::{self, Entry, Panel},
    data::{finite, problem, same_length},
    relevance::ranges,
    style::{GUIDE, Marker, SHADE, count},
    svg::{Path, Pen, Svg},
};
use crate::Result;

const FIGURE: &str = "predicted against true";
const SIDE: f64 = 430.0;

/// The input of [`predicted_true()`].
#[derive(Clone, Copy, Debug)]
pub struct PredictedTrue<'a> {
    /// Title and context.
    pub heading: Heading<'a>,
    /// Whose predictions.
    pub variant: Variant<'a>,
    /// What the target is.
    pub target: Quantity<'a>,
    /// True values.
    pub truth: &'a [f64],
    /// Predictions.
    pub predicted: &'a [f64],
    /// The relevance function.
    pub relevance: &'a Relevance,
    /// The event threshold t_E.
    pub t_e: f64,
    /// How near a hit must be; without it every signal that meets an event is one.
    pub accuracy: Option<&'a Accuracy>,
}

/// What became of one case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Quiet,
    Missed,
    FalseAlarm,
    NearMiss,
    Hit,
}

/// How a case is marked. There may be thousands of missed events and false alarms: their marks are strokes.
#[derive(Clone, Copy, Debug)]
enum Mark {
    Dash,
    Cross,
    Hollow(Marker),
    Filled(Marker),
}

const OUTCOMES: [(Outcome, &str, &str, Mark); 4] = [
    (Outcome::Missed, "missed event", "#707070", Mark::Dash),
    (Outcome::FalseAlarm, "false alarm", "#b35806", Mark::Cross),
    (Outcome::NearMiss, "near miss: off by more than t_L", "#8d84c0", Mark::Hollow(Marker::Diamond)),
    (Outcome::Hit, "hit", "#4a3082", Mark::Filled(Marker::Square)),
];

/// Draws every case by truth (across) and prediction (up); bands are the ranges of events and of signals.
pub fn predicted_true(data: &PredictedTrue<'_>) -> Result<Figure> {
    finite(FIGURE, "the truth", data.truth)?;
    finite(FIGURE, "the predictions", data.predicted)?;
    same_length(FIGURE, "the predictions", data.predicted.len(), data.truth.len())?;
    let events = data.relevance.event_bounds(data.t_e).map_err(|e| problem(FIGURE, &e))?;
    let outcomes: Vec<Outcome> =
        data.truth.iter().zip(data.predicted).map(|(&y, &z)| outcome(data, y, z)).collect();
    let number = |o: Outcome| outcomes.iter().filter(|&&found| found == o).count();
    let (hits, near, alarms) = (number(Outcome::Hit), number(Outcome::NearMiss), number(Outcome::FalseAlarm));
    let signals = hits + near + alarms;
    let all_events = data.truth.iter().filter(|&&y| data.relevance.phi(y) >= data.t_e).count();
    let missed = all_events - hits - near;

    let mut svg = Svg::new(SIDE + 110.0);
    let name = data.variant.label;
    let finding = match (signals, all_events) {
        (0, e) => format!("{name} never signals: all {} events are missed", count(e)),
        (s, e) => {
            format!("{name}: {} signals for {} events, {} hits", count(s), count(e), count(hits))
        }
    };
    let (x_range, y_range) = (shown(data.truth), shown_predictions(data));
    let within = |range: (f64, f64), v: f64| range.0 <= v && v <= range.1;
    let outside = |(&y, &z): (&f64, &f64)| !within(x_range, y) || !within(y_range, z);
    let beyond = data.truth.iter().zip(data.predicted).filter(|&c| outside(c)).count();
    let mut note = format!("events: {} · {} cases", ranges(&data.target, &events), count(data.truth.len()));
    if beyond > 0 {
        note.push_str(&format!(", {} beyond the axes", count(beyond)));
    }
    let (title, y) = chart::heading(&mut svg, &data.heading, finding, &note);
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for (outcome, name, colour, look) in OUTCOMES {
        let n = number(outcome);
        if n > 0 {
            entries.push(Entry {
                name: format!("{name} ({})", count(n)),
                draw: Box::new(move |svg, x, y| {
                    let mut path = Path::default();
                    mark(&mut path, look, x + 5.0, y, 3.6);
                    paint(svg, &path, look, colour);
                }),
                width: 10.0,
            });
        }
    }
    entries.push(Entry {
        name: format!("no event, no signal ({})", count(number(Outcome::Quiet))),
        draw: Box::new(|svg, x, y| dots(svg, &[(x + 2.0, y - 2.0), (x + 6.0, y + 1.0), (x + 9.0, y - 3.0)])),
        width: 10.0,
    });
    entries.push(Entry::swatch("events (across), signals (up)", SHADE));
    let y = chart::legend(&mut svg, &entries, y);

    let panel = Panel::new(72.0, y + 6.0, 72.0 + SIDE, y + 6.0 + 0.84 * SIDE, x_range, y_range);
    let (left, right, top, bottom) = (panel.left(), panel.right(), panel.top(), panel.bottom());
    for e in &events {
        let (a, b) = (panel.x.within(e.from), panel.x.within(e.to));
        svg.rect(a, top, b - a, bottom - top, "#f1f1f1");
    }
    for e in &events {
        let (a, b) = (panel.y.within(e.to), panel.y.within(e.from));
        svg.rect(left, a, right - left, b - a, SHADE);
    }
    let (from, to) = (x_range.0.max(y_range.0), x_range.1.min(y_range.1));
    if from < to {
        svg.line(panel.at(from, from), panel.at(to, to), Pen::new(GUIDE, 1.0).dashed("5 4"));
    }
    let (tx, ty) = (panel.x.ticks(6, data.target.scale), panel.y.ticks(6, data.target.scale));
    panel.x_axis(&mut svg, &tx, &format!("true {}", data.target.label()));
    panel.y_axis(&mut svg, &ty, &format!("predicted {}", data.target.label()), 46.0);

    let places = |wanted: Outcome| {
        let mut seen = BTreeSet::new();
        let mut places = Vec::new();
        for (k, &found) in outcomes.iter().enumerate() {
            let (y, z) = (data.truth[k], data.predicted[k]);
            if found != wanted || !panel.x.holds(y) || !panel.y.holds(z) {
                continue;
            }
            let (x, y) = panel.at(y, z);
            if seen.insert((x.round() as i64, y.round() as i64)) {
                places.push((x, y));
            }
        }
        places
    };
    dots(&mut svg, &places(Outcome::Quiet));
    for (wanted, name, colour, look) in OUTCOMES {
        let mut path = Path::default();
        for (x, y) in places(wanted) {
            mark(&mut path, look, x, y, 2.9);
        }
        if !path.is_empty() {
            let hint = format!("{name}: {}", count(number(wanted)));
            svg.hint(&hint, |svg| paint(svg, &path, look, colour));
        }
    }
    let description = format!(
        "{} predictions of {name} against the truth: {hits} hits, {near} near misses, \
         {alarms} false alarms, {missed} missed events.",
        count(data.truth.len())
    );
    svg.finish(FIGURE, bottom + 46.0, &title, &description)
}

fn outcome(data: &PredictedTrue<'_>, y: f64, z: f64) -> Outcome {
    let (event, signal) = (data.relevance.phi(y) >= data.t_e, data.relevance.phi(z) >= data.t_e);
    match (event, signal) {
        (false, false) => Outcome::Quiet,
        (true, false) => Outcome::Missed,
        (false, true) => Outcome::FalseAlarm,
        // A signal of the other side is a false alarm, and leaves its event missed.
        (true, true) if data.relevance.flank(y) != data.relevance.flank(z) => Outcome::FalseAlarm,
        (true, true) if data.accuracy.is_none_or(|a| (z - y).abs() <= a.t_l()) => Outcome::Hit,
        (true, true) => Outcome::NearMiss,
    }
}

/// The middle of the values, with room: heavy tails would leave the rest in a spot.
fn shown(values: &[f64]) -> (f64, f64) {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let range = (quantile(&sorted, 0.0005), quantile(&sorted, 0.9995));
    if range.1 > range.0 { padded(range, 0.04) } else { (range.0 - 0.5, range.1 + 0.5) }
}

/// Predictions often vary far less than the truth; the edges of the events stay in view.
fn shown_predictions(data: &PredictedTrue<'_>) -> (f64, f64) {
    let (low, high) = shown(data.predicted);
    let (x_low, x_high) = shown(data.truth);
    let edges = data.relevance.event_bounds(data.t_e).unwrap_or_default();
    let inside = edges.iter().flat_map(|e| [e.from, e.to]).filter(|v| *v > x_low && *v < x_high);
    match extent(inside.chain([low, high])) {
        Some(range) if range.1 > range.0 => padded(range, 0.08),
        _ => (low, high),
    }
}

fn mark(path: &mut Path, look: Mark, x: f64, y: f64, r: f64) {
    match look {
        Mark::Dash => path.dash(x, y, 0.7 * r),
        Mark::Cross => path.cross(x, y, 0.9 * r),
        Mark::Hollow(marker) | Mark::Filled(marker) => path.marker(marker, x, y, r),
    }
}

fn paint(svg: &mut Svg, path: &Path, look: Mark, colour: &str) {
    match look {
        Mark::Dash | Mark::Cross => svg.stroke_path(path, Pen::new(colour, 1.3).faint(0.85)),
        Mark::Hollow(_) => svg.fill_path(path, "#ffffff", 0.6, Some(Pen::new(colour, 0.8))),
        Mark::Filled(_) => svg.fill_path(path, colour, 0.85, None),
    }
}

/// Dots as strokes of no length with round ends: a dozen bytes each.
fn dots(svg: &mut Svg, places: &[(f64, f64)]) {
    let mut path = Path::default();
    for &(x, y) in places {
        path.dot(x, y);
    }
    if !path.is_empty() {
        svg.dot_path(&path, "#a8a8a8", 2.2);
    }
}
