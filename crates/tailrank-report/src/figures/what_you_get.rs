//! What acting on a model gives: events caught against false alarms, in counts, and at which cost which model is to be taken.

use tailrank_score::score::{Alarms, TaskScores, VariantId, frontier};

use super::{
    Figure, Heading, Quantity, Variant,
    chart::{self, Entry, Panel},
    data::problem,
    rank_scatter::free_place,
    style::{Families, GUIDE, INK, Look, Marker, count, digits},
    svg::{Anchor, Path, Pen, Svg, Type},
    text,
};
use crate::{Rate, Result};

const FIGURE: &str = "what you get";
const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 340.0;

/// The model to take from one cost of a missed event upwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recommendation {
    /// The least cost of a missed event, in false alarms.
    pub from: f64,
    /// The model; none where acting costs more than it saves.
    pub variant: Option<VariantId>,
    /// Events that it catches: hits and near misses.
    pub caught: usize,
    /// Its false alarms.
    pub false_alarms: usize,
}

/// What to act on as a missed event grows dearer: nothing below the first price of the engine's [`frontier`], then its models. Empty
/// where no model catches enough events to tell.
pub fn recommendations(scores: &TaskScores) -> Vec<Recommendation> {
    steps(frontier(scores))
}

fn steps(corners: Vec<Alarms>) -> Vec<Recommendation> {
    // A model without a false alarm is worth acting on at any price.
    let silent = corners.first().filter(|first| first.price > 0.0).map(|_| Recommendation {
        from: 0.0,
        variant: None,
        caught: 0,
        false_alarms: 0,
    });
    let models = corners.into_iter().map(|a| Recommendation {
        from: a.price,
        variant: Some(a.variant),
        caught: a.caught,
        false_alarms: a.false_alarms,
    });
    silent.into_iter().chain(models).collect()
}

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

/// The input of [`what_you_get()`].
#[derive(Clone, Debug)]
pub struct WhatYouGet<'a> {
    /// Title and context.
    pub heading: Heading<'a>,
    /// All models.
    pub models: Vec<Got<'a>>,
    /// Names of the models to take, with the cost from which on.
    pub steps: Vec<(f64, Option<&'a str>)>,
    /// Events in the whole test.
    pub events: usize,
    /// What counts are set in proportion to.
    pub rate: Rate,
}

/// Draws events caught against false alarms, with the models to take as the cost of a missed event grows.
pub fn what_you_get(data: &WhatYouGet<'_>) -> Result<Figure> {
    if data.models.iter().all(|m| m.caught + m.false_alarms == 0) {
        return Err(problem(FIGURE, &"no model signals"));
    }
    let rate = data.rate.factor;
    let at = |m: &Got<'_>| (m.false_alarms as f64 * rate, m.caught as f64 * rate);
    let most = |of: fn((f64, f64)) -> f64, models: &mut dyn Iterator<Item = &Got<'_>>| {
        models.map(|m| of(at(m))).fold(0.0, f64::max)
    };
    let wide = most(|p| p.0, &mut data.models.iter().filter(|m| !m.reference));
    let high = most(|p| p.1, &mut data.models.iter().filter(|m| !m.reference));
    // A baseline that always signals would push everything else into a corner.
    let (wide, high) = if wide + high == 0.0 {
        (most(|p| p.0, &mut data.models.iter()), most(|p| p.1, &mut data.models.iter()))
    } else {
        (wide, high)
    };
    let shown: Vec<&Got<'_>> = data
        .models
        .iter()
        .filter(|m| !m.reference || (at(m).0 <= 1.6 * wide && at(m).1 <= 1.6 * high))
        .collect();
    let beyond: Vec<String> = data
        .models
        .iter()
        .filter(|m| m.reference && !shown.iter().any(|s| std::ptr::eq(*s, *m)))
        .map(|m| {
            format!("{} catches {} with {} false alarms", m.variant.label, digits(at(m).1), digits(at(m).0))
        })
        .collect();
    let limits = |of: fn((f64, f64)) -> f64| {
        let end = shown.iter().map(|m| of(at(m))).fold(0.0, f64::max);
        (0.0, if end > 0.0 { 1.1 * end } else { 1.0 })
    };
    let variants: Vec<Variant<'_>> = shown.iter().map(|m| m.variant).collect();
    let families = Families::of(&variants);
    let mut svg = Svg::new(WIDTH + 110.0);
    let notes =
        if beyond.is_empty() { String::new() } else { format!("beyond the figure: {}", beyond.join("; ")) };
    let (title, y) = chart::heading(&mut svg, &data.heading, finding(data), &notes);
    let mut entries = chart::families(&families);
    if shown.iter().any(|m| m.reference) {
        entries.push(Entry::marker("hollow: a baseline", Look { colour: INK, marker: Marker::Circle }, true));
    }
    entries.push(Entry::line("models to take as a missed event costs more", Pen::new(INK, 1.4), None));
    let y = chart::legend(&mut svg, &entries, y);
    let panel = Panel::new(70.0, y + 8.0, 70.0 + WIDTH, y + 8.0 + HEIGHT, limits(|p| p.0), limits(|p| p.1));
    let (alarms, caught) =
        (format!("false alarms {}", data.rate.unit), format!("events caught {}", data.rate.unit));
    panel.axes(&mut svg, &Quantity::new(&alarms, ""), &Quantity::new(&caught, ""));
    let hull: Vec<&Got<'_>> = data
        .steps
        .iter()
        .filter_map(|(_, name)| shown.iter().find(|m| Some(m.variant.label) == *name).copied())
        .collect();
    let mut line = vec![panel.at(0.0, 0.0)];
    line.extend(hull.iter().map(|m| panel.at(at(m).0, at(m).1)));
    svg.stroke_path(&Path::through(&line), Pen::new(INK, 1.4));
    let points: Vec<(f64, f64)> = shown.iter().map(|m| panel.at(at(m).0, at(m).1)).collect();
    for (m, &(x, y)) in shown.iter().zip(&points) {
        let hint = format!(
            "{}: {} of {} events caught, {} false alarms",
            m.variant.label,
            count(m.caught),
            count(data.events),
            count(m.false_alarms)
        );
        let look = families.look(m.variant.family);
        svg.named(m.variant.label, &hint, |svg| svg.marker(look, x, y, 4.6, m.reference));
    }
    let mut taken = Vec::new();
    for (&(from, _), m) in data.steps.iter().filter(|s| s.1.is_some()).zip(&hull) {
        let name = text::fit(&format!("{} from {}", m.variant.label, digits(from)), 11.5, 260.0);
        let (x, y) = panel.at(at(m).0, at(m).1);
        let (lx, ly, anchor) = free_place(&panel, (x, y), 11.5, &name, &points, &taken);
        taken.push((lx, ly));
        svg.line(
            (x, y),
            (lx + if anchor == Anchor::End { 3.0 } else { -3.0 }, ly - 4.0),
            Pen::new(GUIDE, 0.8),
        );
        svg.text(lx, ly, &name, Type::new(11.5).anchor(anchor).halo());
    }
    let steps: Vec<String> = data
        .steps
        .iter()
        .map(|(from, name)| format!("from {} {}", digits(*from), name.unwrap_or("no model")))
        .collect();
    let description = format!(
        "Events caught against false alarms of {} models, {}; {} events in all. If a missed event costs so many false alarms: {}.",
        data.models.len(),
        data.rate.unit,
        count(data.events),
        steps.join(", ")
    );
    svg.finish(FIGURE, panel.bottom() + 46.0, &title, &description)
}

fn finding(data: &WhatYouGet<'_>) -> String {
    match &data.steps[..] {
        [] | [(_, None)] => "No model catches enough events to say what acting on it is worth".to_owned(),
        [(_, Some(name)), ..] => format!("{name} catches events without a false alarm"),
        [_, (from, Some(name))] => {
            format!(
                "Acting pays, with {name}, once a missed event costs more than {} false alarms",
                digits(*from)
            )
        }
        [_, (from, _), rest @ ..] => format!(
            "Acting pays once a missed event costs more than {} false alarms; {} models in turn as it costs more",
            digits(*from),
            rest.len() + 1
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_acted_on_below_the_first_price() {
        let corner =
            |v: usize, price: f64| Alarms { variant: VariantId(v), caught: 10 + v, false_alarms: 30, price };
        let told = |corners: Vec<Alarms>| -> Vec<(f64, Option<VariantId>)> {
            steps(corners).into_iter().map(|s| (s.from, s.variant)).collect()
        };
        assert_eq!(
            told(vec![corner(0, 2.5), corner(1, 4.0)]),
            [(0.0, None), (2.5, Some(VariantId(0))), (4.0, Some(VariantId(1)))]
        );
        assert_eq!(told(vec![corner(0, 0.0)]), [(0.0, Some(VariantId(0)))]);
        assert_eq!(told(Vec::new()), []);
    }
}
