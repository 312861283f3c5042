//! Rank by one measure against rank by the other (PR09 Fig. 2, right).

use tailrank_stats::{spearman_rho, top_k_overlap};

use super::{
    Figure, Heading, Scores, Variant,
    axis::Tick,
    chart::{self, BODY, Entry, Panel},
    data::{problem, same_length},
    style::{Families, GUIDE, INK, Look, MUTED, Marker, digits},
    svg::{Anchor, Pen, Svg, Type},
    text,
};
use crate::Result;

const FIGURE: &str = "rank scatter";
const SIDE: f64 = 400.0;

/// The input of [`rank_scatter()`].
#[derive(Clone, Debug)]
pub struct RankScatter<'a> {
    /// Title and context.
    pub heading: Heading<'a>,
    /// All variants.
    pub variants: Vec<Variant<'a>>,
    /// Their scores by the measure on the x axis.
    pub a: Scores<'a>,
    /// Their scores by the measure on the y axis.
    pub b: Scores<'a>,
    /// Where the lines that mark the best stand: 10 in PR09.
    pub top: usize,
}

/// Draws the rank of every variant by two measures, with the diagonal of equal ranks and the lines of the best.
pub fn rank_scatter(data: &RankScatter<'_>) -> Result<Figure> {
    let n = data.variants.len();
    same_length(FIGURE, "the first measure", data.a.values.len(), n)?;
    same_length(FIGURE, "the second measure", data.b.values.len(), n)?;
    if n == 0 {
        return Err(problem(FIGURE, &"there is no variant to show"));
    }
    let (ra, rb) = (data.a.ranks(FIGURE)?, data.b.ranks(FIGURE)?);
    let rho = spearman_rho(&ra, &rb).ok();
    let top = data.top.min(n);
    let families = Families::of(&data.variants);
    let undefined = |v: usize| data.a.values[v].is_none() || data.b.values[v].is_none();

    let mut svg = Svg::new(SIDE + 118.0);
    let shared = top_k_overlap(&ra, &rb, top).ok().map(|t| t.shared);
    let note = shared.map_or_else(String::new, |s| format!("the two top {top} share {} of {top}", places(s)));
    let (title, y) = chart::heading(&mut svg, &data.heading, finding(data, rho, n), &note);
    let mut entries = chart::families(&families);
    if (0..n).any(undefined) {
        let grey = Look { colour: INK, marker: Marker::Circle };
        entries.push(Entry::marker("hollow: a score is undefined, ranked last", grey, true));
    }
    let y = chart::legend(&mut svg, &entries, y);

    let end = n as f64;
    let range = (0.5 - 0.012 * end, end + 0.5 + 0.012 * end);
    let panel = Panel::new(68.0, y + 6.0, 68.0 + SIDE, y + 6.0 + SIDE, range, range);
    let ticks = rank_ticks(n);
    let (left, right, high, low) = (panel.left(), panel.right(), panel.top(), panel.bottom());
    let dashed = Pen::new(GUIDE, 1.0).dashed("5 4");
    svg.line(panel.at(range.0, range.0), panel.at(range.1, range.1), dashed);
    if top < n {
        let (x, y) = panel.at(top as f64 + 0.5, top as f64 + 0.5);
        svg.line((x, low), (x, high), dashed);
        svg.line((left, y), (right, y), dashed);
        svg.text(
            x + 4.0,
            high + 11.0,
            &format!("top {top} by {}", data.a.symbol),
            Type::new(10.5).colour(MUTED),
        );
        let label = format!("top {top} by {}", data.b.symbol);
        svg.text(right - 4.0, y - 4.0, &label, Type::new(10.5).colour(MUTED).anchor(Anchor::End).halo());
    }
    panel.x_axis(&mut svg, &ticks, &format!("rank by {} (1 is best)", data.a.symbol));
    panel.y_axis(&mut svg, &ticks, &format!("rank by {} (1 is best)", data.b.symbol), 40.0);
    for v in 0..n {
        let variant = data.variants[v];
        let (x, y) = panel.at(ra[v], rb[v]);
        let score = |s: Option<f64>| s.map_or_else(|| "undefined".to_owned(), digits);
        let hint = format!(
            "{}: {} {} (rank {}), {} {} (rank {})",
            variant.label,
            data.a.symbol,
            score(data.a.values[v]),
            places(ra[v]),
            data.b.symbol,
            score(data.b.values[v]),
            places(rb[v])
        );
        svg.hint(&hint, |svg| svg.marker(families.look(variant.family), x, y, 4.3, undefined(v)));
    }
    let points: Vec<(f64, f64)> = (0..n).map(|v| panel.at(ra[v], rb[v])).collect();
    let mut taken: Vec<(f64, f64)> = Vec::new();
    for (order, scores, ranks) in
        [(data.a.order(FIGURE)?, &data.a, (&ra, &rb)), (data.b.order(FIGURE)?, &data.b, (&ra, &rb))]
    {
        let Some(&best) = order.first().filter(|&&v| scores.values[v].is_some()) else { continue };
        let name = format!("best by {}: {}", scores.symbol, data.variants[best].label);
        let name = text::fit(&name, BODY, 0.8 * SIDE);
        let at = panel.at(ranks.0[best], ranks.1[best]);
        let (x, y, anchor) = free_place(&panel, at, BODY * text::BOLD, &name, &points, &taken);
        taken.push((x, y));
        svg.line(at, (x + if anchor == Anchor::End { 3.0 } else { -3.0 }, y - 4.0), Pen::new(INK, 0.8));
        svg.text(x, y, &name, Type::new(BODY).anchor(anchor).bold().halo());
    }
    let description = format!(
        "Rank of {n} variants by {} (across) and by {} (up). Spearman's rank correlation is {}. {}",
        data.a.symbol,
        data.b.symbol,
        rho.map_or_else(|| "undefined".to_owned(), two),
        note
    );
    svg.finish(FIGURE, low + 46.0, &title, &description)
}

/// Where a label beside `at` covers the fewest points and no other label: left or right of it, level, above or below.
pub(super) fn free_place(
    panel: &Panel,
    at: (f64, f64),
    size: f64,
    name: &str,
    points: &[(f64, f64)],
    taken: &[(f64, f64)],
) -> (f64, f64, Anchor) {
    let width = text::width(name, size);
    let offsets = [4.0, -12.0, 20.0, -26.0, 34.0, -42.0, 50.0, -58.0, 66.0];
    let places = offsets
        .iter()
        .flat_map(|&dy| [(at.0 + 12.0, at.1 + dy, Anchor::Start), (at.0 - 12.0, at.1 + dy, Anchor::End)]);
    let cost = |&(x, y, anchor): &(f64, f64, Anchor)| {
        let left = if anchor == Anchor::End { x - width } else { x };
        let inside =
            |p: &(f64, f64)| p.0 > left - 6.0 && p.0 < left + width + 6.0 && (p.1 - (y - 4.0)).abs() < 11.0;
        let outside = left < panel.left() + 2.0
            || left + width > panel.right() + 30.0
            || y - 12.0 < panel.top()
            || y + 4.0 > panel.bottom();
        let near = taken.iter().any(|t| (t.1 - y).abs() < 16.0);
        points.iter().filter(|p| inside(p)).count()
            + if outside { 1000 } else { 0 }
            + if near { 100 } else { 0 }
    };
    places.min_by_key(cost).unwrap_or((at.0, at.1, Anchor::Start))
}

/// 1 and round ranks up to n.
pub(super) fn rank_ticks(n: usize) -> Vec<Tick> {
    let step =
        [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].into_iter().find(|s| n / s <= 8).unwrap_or(n / 8);
    let mut at = vec![1];
    at.extend((1..=n / step.max(1)).map(|k| k * step).filter(|&k| k > 1 + step / 3));
    at.into_iter().map(|k| Tick { at: k as f64, label: k.to_string() }).collect()
}

/// A rank or a shared number of places: whole where it is.
pub(super) fn places(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// Two decimals with a true minus sign.
pub(super) fn two(value: f64) -> String {
    format!("{value:.2}").replace('-', "−")
}

fn finding(data: &RankScatter<'_>, rho: Option<f64>, n: usize) -> String {
    let (a, b) = (data.a.symbol, data.b.symbol);
    let Some(rho) = rho else { return format!("{a} and {b} cannot be compared: all variants are tied") };
    let how = match rho {
        r if r >= 0.9 => "rank alike",
        r if r >= 0.6 => "largely agree on the order of",
        r if r >= 0.3 => "agree only in part on the order of",
        r if r > -0.3 => "hardly agree on the order of",
        r if r > -0.6 => "tend to contradict each other on the order of",
        _ => "rank in nearly opposite order",
    };
    let text = match how {
        "rank alike" => format!("{a} and {b} rank the {n} variants alike"),
        "rank in nearly opposite order" => {
            format!("{a} and {b} rank the {n} variants in nearly opposite order")
        }
        _ => format!("{a} and {b} {how} {n} variants"),
    };
    format!("{text} (ρ = {})", two(rho))
}
