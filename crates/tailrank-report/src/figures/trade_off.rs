//! One measure against the other in real units: intervals as crosses, the Pareto front, the baselines, and a
//! halo round all that cannot be told from the best.

use indexmap::IndexMap;
use tailrank_score::score::VariantId;

use super::*;

const FIGURE: &str = "trade-off";
const WIDTH: f64 = 730.0;
const HEIGHT: f64 = 400.0;
const HALO: Mark = Mark::filled(Marker::Circle, SHADE, 1.0);

/// What is known of one variant beside its two scores.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TradeOffPoint {
    /// Interval of the first score.
    pub a: Option<(f64, f64)>,
    /// Interval of the second score.
    pub b: Option<(f64, f64)>,
    /// Whether it is tied with the best by the second measure.
    pub tied: bool,
    /// Whether it is a baseline.
    pub reference: bool,
}

/// The input of [`trade_off()`].
#[derive(Clone, Debug)]
pub struct TradeOff<'a> {
    /// Candidates and baselines with their scores across and up.
    pub scores: MeasurePair<'a>,
    /// Units of the two measures.
    pub units: [Quantity<'a>; 2],
    /// What is known beside the scores, variant by variant.
    pub points: Vec<TradeOffPoint>,
}

/// The first pair of measures.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let Some((a, b)) = task.pairs().next() else { return Ok(()) };
    let shown = task.scores.distinct_with_references();
    let tied = task.tied(b);
    let point = |&v: &VariantId| TradeOffPoint {
        a: task.interval(a, v),
        b: task.interval(b, v),
        tied: tied.contains(&v),
        reference: task.scores.references[v],
    };
    let [of_a, of_b] = [a, b].map(|measure| Scores::of_variants(task.scores, measure, &shown));
    let variants = shown.iter().map(|&v| task.variant(v)).collect();
    let data = TradeOff {
        scores: MeasurePair { variants, a: of_a, b: of_b },
        units: [task.unit(a), task.unit(b)],
        points: shown.iter().map(point).collect(),
    };
    sheet.add("", trade_off(sheet.heading, &data))
}

/// Draws every variant by two measures.
pub fn trade_off(heading: Heading<'_>, data: &TradeOff<'_>) -> Result<Figure> {
    let n = data.scores.checked(FIGURE)?;
    let MeasurePair { variants, a: by_a, b: by_b } = &data.scores;
    same_length(FIGURE, "what is known of the variants", data.points.len(), n)?;
    // A variant without a score by a measure whose higher end is better stands at 0, hollow.
    let worst = if by_b.better == Better::Higher { Some(0.0) } else { None };
    let place = |v: usize| Some((by_a.values[v]?, by_b.values[v].or(worst)?));
    let placed: Vec<(usize, Point)> = (0..n).filter_map(|v| Some((v, place(v)?))).collect();
    let any_second = placed.iter().any(|&(v, _)| by_b.values[v].is_some());
    require(FIGURE, placed.len() > 1 && any_second, "fewer than two variants have both scores")?;
    let is_candidate = |v: usize| !data.points[v].reference;
    let is_hollow = |v: usize| !is_candidate(v) || by_b.values[v].is_none();
    let front = front(data, &placed);
    let mut winners: Vec<(usize, String)> = Vec::new();
    for scores in [by_a, by_b] {
        // A baseline that is ahead stands in the figure, too.
        let best = scores.scored(FIGURE)?.find(|&v| is_candidate(v));
        winners.extend(best.map(|v| (v, leading(scores.better, scores.symbol, false))));
    }
    let crossed = |v: usize| front.contains(&v) || winners.iter().any(|w| w.0 == v) || !is_candidate(v);
    // Intervals of what is named decide the limits, but none may push the points into a corner.
    let limits = |value: fn((f64, f64)) -> f64, range: fn(&TradeOffPoint) -> Option<(f64, f64)>| {
        let points = extent(placed.iter().map(|&(_, at)| value(at)))?;
        let room = 1.5 * (points.1 - points.0).max(1e-12 * points.1.abs());
        let crosses = placed.iter().filter(|&&(v, _)| crossed(v));
        let ends = crosses.filter_map(|&(v, _)| range(&data.points[v])).flat_map(|(low, high)| [low, high]);
        let kept = ends.map(|e| e.clamp(points.0 - room, points.1 + room));
        extent(kept.chain([points.0, points.1])).map(|e| padded(e, 0.04))
    };
    let (Some(x), Some(y)) = (limits(|at| at.0, |p| p.a), limits(|at| at.1, |p| p.b)) else {
        return Err(problem(FIGURE, &"no score is finite"));
    };

    let families = Families::of(placed.iter().map(|&(v, _)| variants[v]));
    let mut entries = chart::families(&families);
    let tied: Vec<usize> = placed.iter().map(|p| p.0).filter(|&v| data.points[v].tied).collect();
    let (tie, hollow) =
        (format!("tied by {}", by_b.symbol), format!("hollow: a baseline, or no {}", by_b.symbol));
    entries.extend((!tied.is_empty()).then(|| Entry::swatch(&tie, SHADE)));
    entries.extend(placed.iter().any(|&(v, _)| is_hollow(v)).then(|| Entry::hollow(&hollow)));
    let front_pen = Pen::new(INK, 1.2).dashed("5 4");
    entries.push(Entry::line("undominated", front_pen, None));
    let finding = finding(data, &winners);
    let (mut svg, top) = chart::start(FIGURE, WIDTH, heading, finding, "", &entries);
    let panel = Panel::new(76.0, top + 8.0, svg.width - 34.0, top + 8.0 + HEIGHT, x, y);
    let name = |scores: &Scores<'_>, unit: &Quantity<'_>| {
        let unit = if unit.unit.is_empty() { String::new() } else { format!(" in {}", unit.unit) };
        format!("{}{unit} ({})", scores.symbol, scores.direction())
    };
    let (across, up) = (name(by_a, &data.units[0]), name(by_b, &data.units[1]));
    let quantity = |label, unit: &Quantity<'_>| Quantity { name: label, unit: "", scale: unit.scale };
    panel.axes(&mut svg, &quantity(&across, &data.units[0]), &quantity(&up, &data.units[1]));
    let pixel = |v: usize| place(v).map(|(a, b)| panel.at(a, b));
    tied.iter().filter_map(|&v| pixel(v)).for_each(|at| svg.marks(HALO, &[at], 10.0));
    let mut line: Vec<Point> = front.iter().filter_map(|&v| pixel(v)).collect();
    line.sort_by(|p, q| p.0.total_cmp(&q.0));
    if line.len() > 1 {
        svg.stroke_path(&Path::through(&line), front_pen);
    }
    for &(v, (a, b)) in placed.iter().filter(|&&(v, _)| crossed(v)) {
        let pen = Pen::new(families.look(variants[v].family).colour, 1.3).faint(0.7);
        let (px, py) = panel.at(a, b);
        if let Some((low, high)) = data.points[v].a {
            svg.line((panel.x.within(low), py), (panel.x.within(high), py), pen);
        }
        if let Some((low, high)) = data.points[v].b.filter(|_| by_b.values[v].is_some()) {
            svg.line((px, panel.y.within(low)), (px, panel.y.within(high)), pen);
        }
    }
    let points: Vec<Point> = placed.iter().map(|&(_, (a, b))| panel.at(a, b)).collect();
    for (&(v, _), &(px, py)) in placed.iter().zip(&points) {
        let label = variants[v].label;
        let said = |scores: &Scores<'_>, unit: &Quantity<'_>| {
            format!("{} {}", scores.symbol, or_undefined(scores.values[v].map(|s| unit.value(s))))
        };
        let hint = format!("{label}: {}, {}", said(by_a, &data.units[0]), said(by_b, &data.units[1]));
        let look = families.look(variants[v].family);
        svg.named(label, &hint, |svg| svg.marker(look, px, py, 4.4, is_hollow(v)));
    }
    let mut named: IndexMap<usize, String> = IndexMap::new();
    for (v, leading) in &winners {
        let name = named.entry(*v).and_modify(|name| name.push_str(&format!(" and {leading}")));
        name.or_insert_with(|| format!("{}: {leading}", variants[*v].label));
    }
    let baselines = placed.iter().filter(|&&(v, _)| !is_candidate(v));
    named.extend(baselines.map(|&(v, _)| (v, variants[v].label.to_owned())));
    let mut callouts = Callouts::new(&panel, &points);
    for (v, name) in named {
        let Some(at) = pixel(v) else { continue };
        let set = if is_candidate(v) { Type::new(BODY).bold() } else { Type::new(BODY) };
        let name = text::fit(&name, BODY, (280.0 * heading.shrink(WIDTH)).max(200.0));
        callouts.draw(&mut svg, at, &name, set, Pen::new(INK, 0.7));
    }
    let (a, b, [n, best, tied]) = (by_a.symbol, by_b.symbol, [placed.len(), front.len(), tied.len()]);
    let description = format!(
        "{n} models by {a} (across) and {b} (up); {best} of them are undominated, {tied} are tied by {b}."
    );
    svg.finish(panel.bottom() + 46.0, &description)
}

/// Candidates that no other candidate beats by both measures.
fn front(data: &TradeOff<'_>, placed: &[(usize, Point)]) -> Vec<usize> {
    let sign = |better| if better == Better::Higher { -1.0 } else { 1.0 };
    let (sa, sb) = (sign(data.scores.a.better), sign(data.scores.b.better));
    let models = placed.iter().filter(|&&(v, _)| !data.points[v].reference);
    let candidates: Vec<(usize, f64, f64)> = models.map(|&(v, (a, b))| (v, sa * a, sb * b)).collect();
    let beaten = |&(v, a, b): &(usize, f64, f64)| {
        candidates.iter().any(|&(w, c, d)| w != v && c <= a && d <= b && (c < a || d < b))
    };
    candidates.iter().filter(|c| !beaten(c)).map(|c| c.0).collect()
}

fn finding(data: &TradeOff<'_>, winners: &[(usize, String)]) -> String {
    let (a, b) = (data.scores.a.symbol, data.scores.b.symbol);
    match winners {
        [(x, by_a), (y, by_b)] if x == y => {
            format!("{} has the {by_a} and the {by_b}", data.scores.variants[*x].label)
        }
        [(x, _), _] if data.points[*x].tied => format!("By {b} the picks are tied"),
        [(x, by_a), (y, by_b)] => {
            let score = |v: usize| data.scores.b.values[v].map(|score| digits(score * data.units[1].scale));
            let own = score(*x).map_or_else(|| format!("no {b}"), |score| format!("{b} {score}"));
            let best = score(*y).unwrap_or_default();
            format!("The model with the {by_a} has {own}; the {by_b} is {best}")
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
            scores: MeasurePair {
                variants: vec![Variant { label: "v", family: "f" }; 5],
                a: scores(Better::Lower, [1.0, 2.0, 2.0, 3.0, 0.5]),
                b: scores(Better::Higher, [0.1, 0.5, 0.4, 0.5, 0.9]),
            },
            units: [Quantity::new("a", ""), Quantity::new("b", "")],
            points: (0..5).map(|i| TradeOffPoint { reference: i == 4, ..TradeOffPoint::default() }).collect(),
        };
        let placed: Vec<(usize, Point)> =
            (0..5).filter_map(|v| Some((v, (data.scores.a.values[v]?, data.scores.b.values[v]?)))).collect();
        // The third is beaten by the second, the fourth by the second; the fifth beats all, but is a
        // baseline.
        assert_eq!(front(&data, &placed), [0, 1]);
    }
}
