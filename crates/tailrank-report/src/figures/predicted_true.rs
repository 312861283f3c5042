//! Every prediction against the truth, with the events' bands: hits, false alarms and missed events stand
//! out.
//!
//! All cases of one outcome are one path, one mark per pixel at most.

use std::collections::BTreeSet;

use tailrank_metrics::{Accuracy, Relevance, Settings, relevance::EventRange};

use super::{relevance::ranges, task::Winner, *};

const FIGURE: &str = "predicted against true";
/// Width over the truth, and over time.
const WIDTHS: [f64; 2] = [540.0, 690.5];
const HEIGHT: f64 = 361.2;

/// The input of [`predicted_true()`].
#[derive(Clone, Copy, Debug)]
pub struct PredictedTrue<'a> {
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
    /// Days of the cases: signals and missed events over time, on the line of the truth. None draws
    /// prediction over truth.
    pub dates: Option<&'a [Date]>,
}

/// The winners of a task.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    task.winners().iter().try_for_each(|winner| add(task, sheet, winner, None))
}

/// The winner that the page shows, along time; folds that are not in the order of time have no line.
pub(super) fn draw_over_time(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let (dates @ Some(_), [_]) = (task.dates.as_deref(), &task.parts[..]) else { return Ok(()) };
    task.winners().last().map_or(Ok(()), |winner| add(task, sheet, winner, dates))
}

fn add(task: &TaskView<'_>, sheet: &mut Sheet<'_>, of: &Winner<'_>, dates: Option<&[Date]>) -> Result<()> {
    let Some(Settings { relevance: Some(relevance), t_e, accuracy, .. }) = task.settings() else {
        return Ok(());
    };
    let data = PredictedTrue {
        variant: of.variant,
        target: task.quantity(&task.target),
        truth: &task.truth,
        predicted: of.predicted,
        relevance,
        t_e: *t_e,
        accuracy: accuracy.as_ref(),
        dates,
    };
    sheet.add(&format!(", {}", of.note), predicted_true(sheet.heading, &data))
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

const OUTCOMES: [(Outcome, &str, Mark); 4] = [
    (Outcome::Missed, "missed event", Mark::stroke(Shape::Dash, Pen::new(MISSED, 1.3).faint(0.85))),
    (Outcome::FalseAlarm, "false alarm", Mark::stroke(Shape::Cross, Pen::new(BAD, 1.3).faint(0.85))),
    (
        Outcome::NearMiss,
        "near miss: off by more than t_L",
        Mark::hollow(Marker::Diamond, 0.6, Pen::new(NEAR, 0.8)),
    ),
    (Outcome::Hit, "hit", Mark::filled(Marker::Square, GOOD, 0.85)),
];

/// Neither event nor signal.
const NOTHING: Mark = Mark::stroke(Shape::Dot, Pen::new(QUIET, 2.2));

/// Draws every case by truth (across) and prediction (up); bands are the ranges of events and of signals.
pub fn predicted_true(heading: Heading<'_>, data: &PredictedTrue<'_>) -> Result<Figure> {
    finite(FIGURE, "the truth", data.truth)?;
    finite(FIGURE, "the predictions", data.predicted)?;
    same_length(FIGURE, "the predictions", data.predicted.len(), data.truth.len())?;
    let n = data.truth.len();
    let events = data.relevance.event_bounds(data.t_e).map_err(|e| problem(FIGURE, &e))?;
    let outcomes: Vec<Outcome> =
        data.truth.iter().zip(data.predicted).map(|(&y, &z)| outcome(data, y, z)).collect();
    let number = |o: Outcome| outcomes.iter().filter(|&&found| found == o).count();
    let (hits, near, alarms) = (number(Outcome::Hit), number(Outcome::NearMiss), number(Outcome::FalseAlarm));
    let all_events = data.truth.iter().filter(|&&y| data.relevance.phi(y) >= data.t_e).count();
    let missed = all_events - hits - near;

    let name = data.variant.label;
    let finding = match (hits + near + alarms, count(all_events)) {
        (0, events) => format!("{name} never signals: all {events} events are missed"),
        (n, events) => format!("{name}: {} signals for {events} events, {} hits", count(n), count(hits)),
    };
    let time = data.dates.map(|dates| Time::new(FIGURE, Some(dates), n)).transpose()?;
    // Over time a missed event stands at the truth, a signal at its prediction.
    let spot = |k: usize| match &time {
        Some(time) if outcomes[k] == Outcome::Missed => (time.at(k), data.truth[k]),
        Some(time) => (time.at(k), data.predicted[k]),
        None => (data.truth[k], data.predicted[k]),
    };
    let (wide, x_range, y_range) = match &time {
        Some(time) => (WIDTHS[1], time.range(), shown(data.truth)),
        None => (WIDTHS[0], shown(data.truth), shown_predictions(data, &events)),
    };
    let within = |range: (f64, f64), v: f64| (range.0..=range.1).contains(&v);
    let outside = |&k: &usize| !within(x_range, spot(k).0) || !within(y_range, spot(k).1);
    let beyond = (0..n).filter(outside).count();
    let mut note = format!("events: {} · {} cases", ranges(&data.target, &events), count(n));
    if beyond > 0 {
        note.push_str(&format!(", {} beyond the axes", count(beyond)));
    }
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for (outcome, name, mark) in OUTCOMES.into_iter().filter(|o| number(o.0) > 0) {
        entries.push(Entry::mark(format!("{name} ({})", count(number(outcome))), mark, 10.0, 3.6));
    }
    if time.is_some() {
        entries.push(Entry::line("truth", Pen::new(QUIET, 1.0), None));
        entries.push(Entry::swatch("events", SHADE));
    } else {
        let name = format!("no event, no signal ({})", count(number(Outcome::Quiet)));
        entries.push(Entry::new(name, 10.0, |svg, x, y| {
            svg.marks(NOTHING, &[(x + 2.0, y - 2.0), (x + 6.0, y + 1.0), (x + 9.0, y - 3.0)], 0.0);
        }));
        entries.push(Entry::swatch("events (across), signals (up)", SHADE));
    }
    let (mut svg, y) = chart::start(FIGURE, wide, heading, finding, &note, &entries);

    let panel = Panel::new(72.0, y + 6.0, svg.width - 38.0, y + 6.0 + HEIGHT, x_range, y_range);
    let (left, right, top, bottom) = (panel.left(), panel.right(), panel.top(), panel.bottom());
    for e in events.iter().filter(|_| time.is_none()) {
        let (a, b) = (panel.x.within(e.from), panel.x.within(e.to));
        svg.rect(a, top, b - a, bottom - top, "#f1f1f1");
    }
    for e in &events {
        let (a, b) = (panel.y.within(e.to), panel.y.within(e.from));
        svg.rect(left, a, right - left, b - a, SHADE);
    }
    let (ty, label) = (panel.y.ticks(6, data.target.scale), data.target.label());
    if let Some(time) = &time {
        time.axes(&mut svg, &panel, &ty, &label);
        svg.stroke_path(&time.line(&panel, data.truth.iter().copied()), Pen::new(QUIET, 0.7));
    } else {
        let (from, to) = (x_range.0.max(y_range.0), x_range.1.min(y_range.1));
        if from < to {
            svg.line(panel.at(from, from), panel.at(to, to), Pen::new(GUIDE, 1.0).dashed("5 4"));
        }
        panel.x_axis(&mut svg, &panel.x.ticks(6, data.target.scale), &format!("true {label}"));
        panel.y_axis(&mut svg, &ty, &format!("predicted {label}"), 46.0);
    }

    let places = |wanted: Outcome| {
        let mut seen = BTreeSet::new();
        let is_inside = |&(across, up): &Point| panel.x.holds(across) && panel.y.holds(up);
        let spots = (0..n).filter(|&k| outcomes[k] == wanted).map(spot).filter(is_inside);
        let mut pixels: Vec<Point> = spots.map(|(across, up)| panel.at(across, up)).collect();
        pixels.retain(|(x, y)| seen.insert((x.round() as i64, y.round() as i64)));
        pixels
    };
    if time.is_none() {
        svg.marks(NOTHING, &places(Outcome::Quiet), 0.0);
    }
    for (wanted, name, mark) in OUTCOMES {
        let places = places(wanted);
        if !places.is_empty() {
            let hint = format!("{name}: {}", count(number(wanted)));
            svg.hint(&hint, |svg| svg.marks(mark, &places, 2.9));
        }
    }
    let description = format!(
        "{} predictions of {name} against the truth: {hits} hits, {near} near misses, \
         {alarms} false alarms, {missed} missed events.",
        count(n)
    );
    svg.finish(bottom + 46.0, &description)
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
fn shown_predictions(data: &PredictedTrue<'_>, events: &[EventRange]) -> (f64, f64) {
    let (low, high) = shown(data.predicted);
    let (x_low, x_high) = shown(data.truth);
    let inside = events.iter().flat_map(|e| [e.from, e.to]).filter(|v| *v > x_low && *v < x_high);
    match extent(inside.chain([low, high])) {
        Some(range) if range.1 > range.0 => padded(range, 0.08),
        _ => (low, high),
    }
}
