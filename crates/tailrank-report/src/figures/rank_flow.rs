//! How ranks move from measure to measure: one axis per measure, one line per variant.

use std::collections::BTreeSet;

use tailrank_metrics::Measure;
use tailrank_score::score::VariantId;

use super::*;

const FIGURE: &str = "rank flow";
/// With more variants than this only the first by each measure are named.
const ALL_NAMED: usize = 24;

/// The input of [`rank_flow()`].
#[derive(Clone, Debug)]
pub struct RankFlow<'a> {
    /// All variants.
    pub variants: Vec<Variant<'a>>,
    /// Their scores, measure by measure, in the order of the axes.
    pub measures: Vec<Scores<'a>>,
    /// Between which ranks each variant stands by each measure, over resamples; empty where that is not
    /// known. Strong lines are ribbons as wide as this.
    pub ranges: Vec<Vec<Option<(f64, f64)>>>,
}

/// Every measure's ranks of a task.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    sheet.add("", rank_flow_of_task(task, sheet.heading))
}

/// The flow of a task under another heading.
pub(crate) fn rank_flow_of_task(task: &TaskView<'_>, heading: Heading<'_>) -> Result<Figure> {
    let scores = task.scores;
    let known = task.inference();
    let range = |m: Measure, v: VariantId| {
        let range = known?.measure(m)?.ranks[known?.place(v, scores)?]?;
        Some((range.lower, range.upper))
    };
    let of_measure = |&m: &Measure| scores.distinct().into_iter().map(|v| range(m, v)).collect();
    // Without inference nothing is known of any rank.
    let is_known = known.is_some_and(|k| scores.measures.iter().any(|&m| k.measure(m).is_some()));
    let measured = scores.measures.iter().filter(|_| is_known);
    let data = RankFlow {
        variants: scored_variants(&task.subject.results.names.variants, scores),
        measures: scores.measures.iter().map(|&m| Scores::of_task(scores, m)).collect(),
        ranges: measured.map(of_measure).collect(),
    };
    rank_flow(heading, &data)
}

/// Draws the rank of every variant by several measures.
pub fn rank_flow(heading: Heading<'_>, data: &RankFlow<'_>) -> Result<Figure> {
    let (n, m) = (data.variants.len(), data.measures.len());
    require(FIGURE, n > 0 && m > 1, "at least two measures and one variant are needed")?;
    for scores in &data.measures {
        same_length(FIGURE, scores.symbol, scores.values.len(), n)?;
    }
    for of_measure in &data.ranges {
        same_length(FIGURE, "the ranges of ranks", of_measure.len(), n)?;
    }
    let ranks: Vec<Vec<f64>> = data.measures.iter().map(|s| s.ranks(FIGURE)).collect::<Result<_>>()?;
    let best: Vec<Option<usize>> =
        data.measures.iter().map(|s| Ok(s.scored(FIGURE)?.next())).collect::<Result<_>>()?;
    // The first by each measure are drawn strongly.
    let strong: BTreeSet<usize> = best.iter().flatten().copied().collect();
    let families = Families::of(data.variants.iter().copied());
    let named: Vec<usize> = (0..n).filter(|v| n <= ALL_NAMED || strong.contains(v)).collect();

    let names = named.iter().map(|&v| text::width(data.variants[v].label, SMALL * text::BOLD));
    let names = names.fold(40.0, f64::max).min(190.0 * heading.shrink(900.0));
    // A narrow figure has names at its right end alone.
    let narrow = heading.width(900.0) < 600.0;
    let beside = if narrow { [0.0, names] } else { [names; 2] };
    let around = 2.0 * (MARGIN + 56.0) + beside[0] + beside[1];
    let room = heading.width(560.0 + around) - around;
    let step = (room / (m - 1) as f64).clamp(if narrow { 22.0 } else { 76.0 }, 220.0);
    let first = MARGIN + beside[0] + 56.0;
    let width = first + step * (m - 1) as f64 + beside[1] + 56.0 + MARGIN;
    heading.check_room(FIGURE, width)?;
    let finding = match strong.len() {
        0 => "No measure gives any model a score".to_owned(),
        1 => format!("All {m} measures put the same model first"),
        w => format!("{m} measures put {w} different models first"),
    };
    let lines = if n > ALL_NAMED { "strong lines: the first by each measure" } else { "" };
    let ribbons =
        if data.ranges.is_empty() { "" } else { "ribbons: where their ranks lie over resamples of the test" };
    let note = chart::join(&[lines, ribbons], "; ");
    let (mut svg, y) =
        chart::start(FIGURE, width.max(520.0), heading, finding, &note, &chart::families(&families));
    // Symbols stand upright where they do not fit across.
    let widest = data.measures.iter().map(|s| text::width(s.symbol, BODY * text::BOLD)).fold(0.0, f64::max);
    let upright = narrow && widest > step - 6.0;
    let top = y + if upright { widest + 16.0 } else { 34.0 };
    let gap = if n <= ALL_NAMED { 17.0 } else { (440.0 / n as f64).max(5.0) };
    let bottom = top + gap * n.saturating_sub(1).max(1) as f64;
    let scale = Scale::new((1.0, n.max(2) as f64), (top, bottom));
    let x = |k: usize| first + step * k as f64;
    for (k, scores) in data.measures.iter().enumerate() {
        svg.line((x(k), top - 6.0), (x(k), bottom + 6.0), Pen::new(GUIDE, 0.8));
        if upright {
            svg.text(x(k) + 4.0, top - 12.0, scores.symbol, Type::new(BODY).bold().turned(-90.0));
            continue;
        }
        let symbol = text::fit(scores.symbol, BODY, step - 6.0);
        svg.text(x(k), top - 14.0, &symbol, Type::new(BODY).bold().anchor(Anchor::Middle));
    }
    let flow = |svg: &mut Svg, v: usize, is_strong: bool| {
        let look = families.look(data.variants[v].family);
        let points: Vec<Point> = (0..m).map(|k| (x(k), scale.at(ranks[k][v]))).collect();
        let path = s_curves(&points);
        let said = joined(data.measures.iter().zip(&ranks), ", ", |(s, r)| {
            let undefined = if s.values[v].is_none() { ", undefined" } else { "" };
            format!("{} {}{undefined}", s.symbol, places(r[v]))
        });
        let name = data.variants[v].label;
        svg.named(name, &format!("{name}: rank by {said}"), |svg| {
            if is_strong {
                svg.stroke_path(&path, Pen::new("#ffffff", 4.6));
                svg.stroke_path(&path, Pen::new(look.colour, 2.6));
            } else {
                svg.stroke_path(&path, Pen::new(look.colour, 1.0).faint(0.55));
            }
            let r = match n <= ALL_NAMED {
                _ if is_strong => 4.6,
                true => 3.2,
                false => 1.9,
            };
            // Marks of one look are one path.
            for hollow in [false, true] {
                let of_look = (0..m).filter(|&k| data.measures[k].values[v].is_none() == hollow);
                let places: Vec<Point> = of_look.map(|k| points[k]).collect();
                svg.marks(Mark::of_family(look, hollow), &places, r);
            }
        });
    };
    for &v in strong.iter().filter(|_| data.ranges.len() == m) {
        let range = |k: usize| data.ranges[k][v].unwrap_or((ranks[k][v], ranks[k][v]));
        let upper: Vec<Point> = (0..m).map(|k| (x(k), scale.within(range(k).0) - 2.0)).collect();
        let lower: Vec<Point> = (0..m).map(|k| (x(k), scale.within(range(k).1) + 2.0)).collect();
        svg.fill_path(&ribbon(&upper, &lower), families.look(data.variants[v].family).colour, 0.17, None);
    }
    for v in (0..n).filter(|v| !strong.contains(v)) {
        flow(&mut svg, v, false);
    }
    for &v in &strong {
        flow(&mut svg, v, true);
    }
    let mut last = bottom;
    for (k, anchor, side) in [(0, Anchor::End, -1.0), (m - 1, Anchor::Start, 1.0)] {
        let wishes: Vec<f64> = named.iter().map(|&v| scale.at(ranks[k][v])).collect();
        let placed = spread(&wishes, 14.0, top - 4.0, f64::INFINITY);
        last = placed.iter().copied().fold(bottom, f64::max);
        for ((&v, &wish), &y) in named.iter().zip(&wishes).zip(&placed) {
            svg.line((x(k) + 7.0 * side, wish), (x(k) + 20.0 * side, y), Pen::new(GUIDE, 0.6));
            let name = text::fit(data.variants[v].label, SMALL * text::BOLD, names + 2.0);
            let set = Type::new(SMALL).anchor(anchor);
            let set = if strong.contains(&v) { set.bold() } else { set.colour(MUTED) };
            let rank = Type::new(SMALL).anchor(Anchor::Middle).colour(MUTED);
            svg.text(x(k) + 37.0 * side, y + 4.0, &places(ranks[k][v]), rank);
            if beside[usize::from(side > 0.0)] > 0.0 {
                svg.text(x(k) + 54.0 * side, y + 4.0, &name, set);
            }
        }
    }
    let firsts = joined(data.measures.iter().zip(&best), ", ", |(s, b)| {
        format!("{}: {}", s.leading(), b.map_or("none", |v| data.variants[v].label))
    });
    let description = format!("Ranks of {n} models (1 at the top) by {m} measures; {firsts}.");
    svg.finish(last + 24.0, &description)
}

/// A smooth line that is level at every point.
fn s_curves(points: &[Point]) -> Path {
    let mut path = Path::through(&points[..points.len().min(1)]);
    add_curves(&mut path, points);
    path
}

fn add_curves(path: &mut Path, points: &[Point]) {
    for w in points.windows(2) {
        let middle = 0.5 * (w[0].0 + w[1].0);
        path.curve((middle, w[0].1), (middle, w[1].1), w[1]);
    }
}

/// The area between two smooth lines.
fn ribbon(upper: &[Point], lower: &[Point]) -> Path {
    let mut path = s_curves(upper);
    let back: Vec<Point> = lower.iter().rev().copied().collect();
    if let Some(&(x, y)) = back.first() {
        path.line_to(x, y);
    }
    add_curves(&mut path, &back);
    path.close();
    path
}
