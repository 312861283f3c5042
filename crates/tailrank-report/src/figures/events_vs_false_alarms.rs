//! What acting on a model gives: events caught against false alarms, in counts, and at which cost which model
//! is to be taken.

use tailrank_score::score::VariantId;

use super::*;
use crate::Rate;

const FIGURE: &str = "what you get";
const WIDTH: f64 = 730.0;
const HEIGHT: f64 = 340.0;

/// One model: events caught and false alarms in the whole test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Got<'a> {
    /// The model.
    pub variant: Variant<'a>,
    /// Hits and near misses.
    pub caught: usize,
    /// Signals without an event.
    pub false_alarms: usize,
    /// Whether it is a baseline.
    pub reference: bool,
}

/// The input of [`events_vs_false_alarms()`].
#[derive(Clone, Debug)]
pub struct EventsVsFalseAlarms<'a> {
    /// All models.
    pub models: Vec<Got<'a>>,
    /// Names of the models to act on, with the cost from which on; empty where none is to be used.
    pub steps: Vec<(f64, Option<&'a str>)>,
    /// Events in the whole test.
    pub events: usize,
    /// What counts are set in proportion to.
    pub rate: Rate,
}

/// Every model of a task.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let (names, scores) = (&task.subject.results.names, task.scores);
    let got = |v: VariantId| {
        let c = scores.counts[v]?;
        let (caught, reference) = (c.hits + c.near_misses, scores.references[v]);
        Some(Got { variant: task.variant(v), caught, false_alarms: c.false_alarms, reference })
    };
    let answer = &task.subject.results.answer;
    // Where no model is to be used, none is recommended at any cost.
    let used = task.decision().is_some_and(|d| d.recommended().is_some());
    let ladder = answer.ladders.iter().find(|l| used && l.task == task.number);
    let rungs = ladder.map(|l| &l.rungs[..]).unwrap_or_default();
    let data = EventsVsFalseAlarms {
        models: scores.distinct_with_references().into_iter().filter_map(got).collect(),
        steps: rungs.iter().map(|r| (r.from, r.model.map(|v| names.label(v)))).collect(),
        events: scores.counts.iter().flatten().map(|c| c.events).next().unwrap_or(scores.events),
        rate: task.subject.rate(task.number),
    };
    sheet.add("", events_vs_false_alarms(sheet.heading, &data))
}

/// Draws events caught against false alarms, with the models to take as the cost of a missed event grows.
pub fn events_vs_false_alarms(heading: Heading<'_>, data: &EventsVsFalseAlarms<'_>) -> Result<Figure> {
    let signals = data.models.iter().any(|m| m.caught + m.false_alarms > 0);
    require(FIGURE, signals, "no model signals")?;
    let rate = data.rate.factor;
    let at = |m: &Got<'_>| (m.false_alarms as f64 * rate, m.caught as f64 * rate);
    let most = |models: &mut dyn Iterator<Item = &Got<'_>>| {
        models.map(at).fold((0.0, 0.0), |most: Point, p| (most.0.max(p.0), most.1.max(p.1)))
    };
    // A baseline that always signals would push everything else into a corner.
    let (wide, high) = match most(&mut data.models.iter().filter(|m| !m.reference)) {
        (wide, high) if wide + high == 0.0 => most(&mut data.models.iter()),
        of_models => of_models,
    };
    let is_shown = |m: &&Got<'_>| !m.reference || (at(m).0 <= 1.6 * wide && at(m).1 <= 1.6 * high);
    let shown: Vec<&Got<'_>> = data.models.iter().filter(is_shown).collect();
    let beyond = joined(data.models.iter().filter(|m| !is_shown(m)), "; ", |m| {
        format!("{} catches {} with {} false alarms", m.variant.label, digits(at(m).1), digits(at(m).0))
    });
    let notes = if beyond.is_empty() { beyond } else { format!("beyond the figure: {beyond}") };
    let (right, top) = most(&mut shown.iter().copied());
    let limits = |end: f64| (0.0, if end > 0.0 { 1.1 * end } else { 1.0 });
    let families = Families::of(shown.iter().map(|m| m.variant));
    let mut entries = chart::families(&families);
    let (pen, acted_on) = (Pen::new(INK, 1.4), "models to act on as a missed event costs more");
    entries.extend(shown.iter().any(|m| m.reference).then(|| Entry::hollow("hollow: a baseline")));
    entries.extend((!data.steps.is_empty()).then(|| Entry::line(acted_on, pen, None)));
    let (mut svg, y) = chart::start(FIGURE, WIDTH, heading, finding(data), &notes, &entries);
    let panel = Panel::new(70.0, y + 8.0, svg.width - 40.0, y + 8.0 + HEIGHT, limits(right), limits(top));
    let [alarms, caught] = ["false alarms", "events caught"].map(|what| format!("{what} {}", data.rate.unit));
    panel.axes(&mut svg, &Quantity::new(&alarms, ""), &Quantity::new(&caught, ""));
    let pixel = |m: &Got<'_>| panel.at(at(m).0, at(m).1);
    let of_step = |(_, name): &(f64, Option<&str>)| shown.iter().find(|m| Some(m.variant.label) == *name);
    let hull: Vec<&Got<'_>> = data.steps.iter().filter_map(of_step).copied().collect();
    if !hull.is_empty() {
        let line: Vec<_> = [panel.at(0.0, 0.0)].into_iter().chain(hull.iter().map(|m| pixel(m))).collect();
        svg.stroke_path(&Path::through(&line), pen);
    }
    let points: Vec<Point> = shown.iter().map(|m| pixel(m)).collect();
    for (m, &(x, y)) in shown.iter().zip(&points) {
        let (name, caught, events) = (m.variant.label, count(m.caught), count(data.events));
        let hint =
            format!("{name}: {caught} of {events} events caught, {} false alarms", count(m.false_alarms));
        let look = families.look(m.variant.family);
        svg.named(name, &hint, |svg| svg.marker(look, x, y, 4.6, m.reference));
    }
    let mut callouts = Callouts::new(&panel, &points);
    for (&(from, _), m) in data.steps.iter().filter(|s| s.1.is_some()).zip(&hull) {
        let name = format!("{} from {}", m.variant.label, digits(from));
        let name = text::fit(&name, 11.5, (260.0 * heading.shrink(WIDTH)).max(200.0));
        callouts.draw(&mut svg, pixel(m), &name, Type::new(11.5), Pen::new(GUIDE, 0.8));
    }
    let steps = joined(&data.steps, ", ", |(from, name)| {
        format!("from {} {}", digits(*from), name.unwrap_or("no model"))
    });
    let steps = if steps.is_empty() {
        steps
    } else {
        format!(" If a missed event costs so many false alarms: {steps}.")
    };
    let (models, unit, events) = (data.models.len(), data.rate.unit, count(data.events));
    let description = format!(
        "Events caught against false alarms of {models} models, {unit}; {events} events in all.{steps}"
    );
    svg.finish(panel.bottom() + 46.0, &description)
}

fn finding(data: &EventsVsFalseAlarms<'_>) -> String {
    match &data.steps[..] {
        [] | [(_, None)] => {
            let most = data.models.iter().filter(|m| !m.reference).map(|m| m.caught).max().unwrap_or(0);
            format!("No model catches more than {} of {} events", count(most), count(data.events))
        }
        [(_, Some(name)), ..] => format!("{name} catches events without a false alarm"),
        [_, (from, Some(name))] => {
            let from = digits(*from);
            format!("Acting pays, with {name}, once a missed event costs more than {from} false alarms")
        }
        [_, (from, _), rest @ ..] => format!(
            "Acting pays once a missed event costs more than {} false alarms; {} models in turn as it costs more",
            digits(*from),
            rest.len() + 1
        ),
    }
}
