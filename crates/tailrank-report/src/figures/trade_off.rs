//! One measure against the other in real units: intervals as crosses, the Pareto front, the baselines, and a halo round all that
//! cannot be told from the best.

use tailrank_metrics::Better;

use super::{
    Figure, Heading, Quantity, Scores, Variant,
    axis::{extent, padded},
    chart::{self, BODY, Entry, Panel},
    data::{problem, same_length},
    rank_scatter::free_place,
    style::{Families, INK, Look, Marker, SHADE, digits},
    svg::{Anchor, Path, Pen, Svg, Type},
    text,
};
use crate::Result;

const FIGURE: &str = "trade-off";
const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 400.0;

/// What is known of one variant beside its two scores.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TradeOffPoint {
    /// Interval of the first score.
    pub a: Option<(f64, f64)>,
    /// Interval of the second score.
    pub b: Option<(f64, f64)>,
    /// Whether it cannot be told from the best by the second measure.
    pub level: bool,
    /// Whether it is a baseline.
    pub reference: bool,
}

/// The input of [`trade_off()`].
#[derive(Clone, Debug)]
pub struct TradeOff<'a> {
    /// Title and context.
    pub heading: Heading<'a>,
    /// Candidates and baselines.
    pub variants: Vec<Variant<'a>>,
    /// Scores across.
    pub a: Scores<'a>,
    /// Scores up.
    pub b: Scores<'a>,
    /// Units of the two measures.
    pub units: [Quantity<'a>; 2],
    /// What is known beside the scores, variant by variant.
    pub points: Vec<TradeOffPoint>,
}

/// Draws every variant by two measures.
pub fn trade_off(data: &TradeOff<'_>) -> Result<Figure> {
    let n = data.variants.len();
    same_length(FIGURE, "the first measure", data.a.values.len(), n)?;
    same_length(FIGURE, "the second measure", data.b.values.len(), n)?;
    same_length(FIGURE, "what is known of the variants", data.points.len(), n)?;
    let defined: Vec<usize> = (0..n).filter(|&v| data.a.values[v].is_some()).collect();
    // Silence earns nothing: a variant without a score by a measure that rewards stands at 0, hollow.
    let worst = if data.b.better == Better::Higher { Some(0.0) } else { None };
    let place = |v: usize| Some((data.a.values[v]?, data.b.values[v].or(worst)?));
    let placed: Vec<(usize, (f64, f64))> = defined.iter().filter_map(|&v| Some((v, place(v)?))).collect();
    if placed.len() < 2 || !placed.iter().any(|&(v, _)| data.b.values[v].is_some()) {
        return Err(problem(FIGURE, &"fewer than two variants have both scores"));
    }
    let candidate = |v: usize| !data.points[v].reference;
    let front = front(data, &placed);
    let best = |scores: &Scores<'_>| -> Result<Option<usize>> {
        Ok(scores.order(FIGURE)?.into_iter().find(|&v| candidate(v) && scores.values[v].is_some()))
    };
    let winners: Vec<(usize, &str)> = [(best(&data.a)?, data.a.symbol), (best(&data.b)?, data.b.symbol)]
        .into_iter()
        .filter_map(|(v, s)| Some((v?, s)))
        .collect();
    let crossed =
        |v: usize| front.contains(&v) || winners.iter().any(|w| w.0 == v) || data.points[v].reference;
    let ends = |range: Option<(f64, f64)>| range.map(|(low, high)| vec![low, high]).unwrap_or_default();
    // Intervals of what is named decide the limits, but none may push the points into a corner.
    let limits = |value: &dyn Fn(usize) -> f64, range: &dyn Fn(usize) -> Option<(f64, f64)>| {
        let points = extent(placed.iter().map(|&(v, _)| value(v)))?;
        let room = 1.5 * (points.1 - points.0).max(1e-12 * points.1.abs());
        let crosses = placed.iter().filter(|&&(v, _)| crossed(v)).flat_map(|&(v, _)| ends(range(v)));
        let kept = crosses.map(|e| e.clamp(points.0 - room, points.1 + room));
        extent(kept.chain([points.0, points.1])).map(|e| padded(e, 0.04))
    };
    let x = limits(&|v| data.a.values[v].unwrap_or(f64::NAN), &|v| data.points[v].a);
    let y = limits(&|v| data.b.values[v].or(worst).unwrap_or(f64::NAN), &|v| data.points[v].b);
    let (Some(x), Some(y)) = (x, y) else { return Err(problem(FIGURE, &"no score is finite")) };

    let shown: Vec<Variant<'_>> = placed.iter().map(|&(v, _)| data.variants[v]).collect();
    let families = Families::of(&shown);
    let mut svg = Svg::new(WIDTH + 110.0);
    let (title, top) = chart::heading(&mut svg, &data.heading, finding(data, &winners), "");
    let mut entries = chart::families(&families);
    let level: Vec<usize> = placed.iter().map(|p| p.0).filter(|&v| data.points[v].level).collect();
    if !level.is_empty() {
        entries.push(Entry::swatch(&format!("tied by {}", data.b.symbol), SHADE));
    }
    if placed.iter().any(|&(v, _)| !candidate(v) || data.b.values[v].is_none()) {
        let grey = Look { colour: INK, marker: Marker::Circle };
        entries.push(Entry::marker(&format!("hollow: a baseline, or no {}", data.b.symbol), grey, true));
    }
    entries.push(Entry::line("best trade-offs", Pen::new(INK, 1.2).dashed("5 4"), None));
    let top = chart::legend(&mut svg, &entries, top);
    let panel = Panel::new(76.0, top + 8.0, 76.0 + WIDTH, top + 8.0 + HEIGHT, x, y);
    let name = |scores: &Scores<'_>, unit: &Quantity<'_>| {
        let unit = if unit.unit.is_empty() { String::new() } else { format!(" in {}", unit.unit) };
        format!("{}{unit} ({})", scores.symbol, scores.direction())
    };
    let (across, up) = (name(&data.a, &data.units[0]), name(&data.b, &data.units[1]));
    let quantity = |label, unit: &Quantity<'_>| Quantity { name: label, unit: "", scale: unit.scale };
    panel.axes(&mut svg, &quantity(&across, &data.units[0]), &quantity(&up, &data.units[1]));
    for &v in &level {
        if let Some((a, b)) = place(v) {
            let (x, y) = panel.at(a, b);
            let mut halo = Path::default();
            halo.marker(Marker::Circle, x, y, 10.0);
            svg.fill_path(&halo, SHADE, 1.0, None);
        }
    }
    let mut line: Vec<(f64, f64)> =
        front.iter().filter_map(|&v| place(v)).map(|(a, b)| panel.at(a, b)).collect();
    line.sort_by(|p, q| p.0.total_cmp(&q.0));
    if line.len() > 1 {
        svg.stroke_path(&Path::through(&line), Pen::new(INK, 1.2).dashed("5 4"));
    }
    for &(v, (a, b)) in placed.iter().filter(|&&(v, _)| crossed(v)) {
        let pen = Pen::new(families.look(data.variants[v].family).colour, 1.3).faint(0.7);
        let (px, py) = panel.at(a, b);
        if let Some((low, high)) = data.points[v].a {
            svg.line((panel.x.within(low), py), (panel.x.within(high), py), pen);
        }
        if let Some((low, high)) = data.points[v].b.filter(|_| data.b.values[v].is_some()) {
            svg.line((px, panel.y.within(low)), (px, panel.y.within(high)), pen);
        }
    }
    let score =
        |s: Option<f64>, unit: &Quantity<'_>| s.map_or_else(|| "undefined".to_owned(), |v| unit.value(v));
    for &(v, (a, b)) in &placed {
        let (px, py) = panel.at(a, b);
        let hint = format!(
            "{}: {} {}, {} {}",
            data.variants[v].label,
            data.a.symbol,
            score(data.a.values[v], &data.units[0]),
            data.b.symbol,
            score(data.b.values[v], &data.units[1])
        );
        let look = families.look(data.variants[v].family);
        let hollow = !candidate(v) || data.b.values[v].is_none();
        svg.named(data.variants[v].label, &hint, |svg| svg.marker(look, px, py, 4.4, hollow));
    }
    let points: Vec<(f64, f64)> = placed.iter().map(|&(_, (a, b))| panel.at(a, b)).collect();
    let mut named: Vec<(usize, String)> = Vec::new();
    for &(v, symbol) in &winners {
        match named.iter_mut().find(|(known, _)| *known == v) {
            Some((_, name)) => name.push_str(&format!(" and {symbol}")),
            None => named.push((v, format!("{}: best by {symbol}", data.variants[v].label))),
        }
    }
    let baselines = placed.iter().filter(|&&(v, _)| !candidate(v));
    named.extend(baselines.map(|&(v, _)| (v, data.variants[v].label.to_owned())));
    let mut taken = Vec::new();
    for (v, name) in named {
        let Some((a, b)) = place(v) else { continue };
        let (px, py) = panel.at(a, b);
        let name = text::fit(&name, BODY, 280.0);
        let (lx, ly, anchor) = free_place(&panel, (px, py), BODY * text::BOLD, &name, &points, &taken);
        taken.push((lx, ly));
        svg.line(
            (px, py),
            (lx + if anchor == Anchor::End { 3.0 } else { -3.0 }, ly - 4.0),
            Pen::new(INK, 0.7),
        );
        let set = Type::new(BODY).anchor(anchor).halo();
        svg.text(lx, ly, &name, if candidate(v) { set.bold() } else { set });
    }
    let description = format!(
        "{} models by {} (across) and {} (up); {} of them are undominated, {} are tied by {}.",
        placed.len(),
        data.a.symbol,
        data.b.symbol,
        front.len(),
        level.len(),
        data.b.symbol
    );
    svg.finish(FIGURE, panel.bottom() + 46.0, &title, &description)
}

/// Candidates that no other candidate beats by both measures.
fn front(data: &TradeOff<'_>, placed: &[(usize, (f64, f64))]) -> Vec<usize> {
    let sign = |better| if better == Better::Higher { -1.0 } else { 1.0 };
    let (sa, sb) = (sign(data.a.better), sign(data.b.better));
    let candidates: Vec<(usize, f64, f64)> = placed
        .iter()
        .filter(|&&(v, _)| !data.points[v].reference)
        .map(|&(v, (a, b))| (v, sa * a, sb * b))
        .collect();
    let beaten = |&(v, a, b): &(usize, f64, f64)| {
        candidates.iter().any(|&(w, c, d)| w != v && c <= a && d <= b && (c < a || d < b))
    };
    candidates.iter().filter(|c| !beaten(c)).map(|c| c.0).collect()
}

fn finding(data: &TradeOff<'_>, winners: &[(usize, &str)]) -> String {
    let (a, b) = (data.a.symbol, data.b.symbol);
    match winners {
        [(x, _), (y, _)] if x == y => format!("{} is best by {a} and by {b}", data.variants[*x].label),
        [(x, _), _] if data.points[*x].level => {
            format!("By {b} the picks are tied")
        }
        [(x, _), (y, _)] => {
            let of = |v: usize| match data.b.values[v] {
                Some(score) => format!("{b} {}", digits(score * data.units[1].scale)),
                None => format!("no {b}"),
            };
            format!("The best by {a} has {}, the best by {b} has {}", of(*x), of(*y))
        }
        _ => format!("{a} against {b}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_holds_what_no_candidate_beats_by_both() {
        let scores =
            |better, values: [f64; 5]| Scores { symbol: "S", better, values: values.map(Some).to_vec() };
        let data = TradeOff {
            heading: Heading::of(""),
            variants: vec![Variant { label: "v", family: "f" }; 5],
            a: scores(Better::Lower, [1.0, 2.0, 2.0, 3.0, 0.5]),
            b: scores(Better::Higher, [0.1, 0.5, 0.4, 0.5, 0.9]),
            units: [Quantity::new("a", ""), Quantity::new("b", "")],
            points: (0..5).map(|i| TradeOffPoint { reference: i == 4, ..TradeOffPoint::default() }).collect(),
        };
        let placed: Vec<(usize, (f64, f64))> =
            (0..5).filter_map(|v| Some((v, (data.a.values[v]?, data.b.values[v]?)))).collect();
        // The third is beaten by the second, the fourth by the second; the fifth beats all, but is a baseline.
        assert_eq!(front(&data, &placed), [0, 1]);
    }
}
