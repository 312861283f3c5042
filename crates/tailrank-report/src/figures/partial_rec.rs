//! Partial REC curves: the error on chosen ranges of the target (REC05 Fig. 5, 6, 8).

use tailrank_metrics::rec::Interval;

use super::{
    Figure, Heading, Quantity, Variant, VariantCurve,
    chart::{self, BODY, Panel},
    data::{problem, same_length},
    lines,
    rec_curves::reach,
    style::count,
    svg::{Anchor, Svg, Type},
};
use crate::Result;

const FIGURE: &str = "partial REC curves";

/// One range of the target and the curves on it.
#[derive(Clone, Debug)]
pub struct RangePanel<'a> {
    /// The range.
    pub range: Interval,
    /// The curves, the same variants in the same order in every panel.
    pub curves: Vec<VariantCurve<'a>>,
}

/// The input of [`partial_rec()`].
#[derive(Clone, Debug)]
pub struct PartialRec<'a> {
    /// Title and context.
    pub heading: Heading<'a>,
    /// What the error is.
    pub error: Quantity<'a>,
    /// What the target is.
    pub target: Quantity<'a>,
    /// One panel per range.
    pub panels: Vec<RangePanel<'a>>,
}

/// Draws partial REC curves, a panel per range of the target. Heights are shares of what the curves count as whole.
pub fn partial_rec(data: &PartialRec<'_>) -> Result<Figure> {
    let Some(first) = data.panels.first() else { return Err(problem(FIGURE, &"there is no range to draw")) };
    let variants: Vec<Variant<'_>> = first.curves.iter().map(|c| c.variant).collect();
    for panel in &data.panels {
        same_length(FIGURE, "a panel", panel.curves.len(), variants.len())?;
    }
    let looks = lines::looks(&variants);
    let winners: Vec<Option<&str>> = data.panels.iter().map(best).collect();
    let parts: Vec<String> = data
        .panels
        .iter()
        .zip(&winners)
        .filter_map(|(p, w)| Some(format!("{} where {}", (*w)?, interval(&data.target, "Y", p.range))))
        .collect();
    let finding = match (winners.first(), parts.is_empty()) {
        (_, true) => "No case lies in these ranges".to_owned(),
        (Some(Some(w)), _) if winners.iter().all(|v| *v == Some(w)) && winners.len() > 1 => {
            format!("{w} has the smallest errors on all ranges shown")
        }
        _ => format!("Smallest errors: {}", parts.join("; ")),
    };
    let (width, gap) = (300.0, 62.0);
    let mut svg = Svg::new((78.0 + data.panels.len() as f64 * (width + gap) - gap + 24.0).max(520.0));
    let (title, y) = chart::heading(&mut svg, &data.heading, finding, "");
    let y = chart::legend(&mut svg, &lines::entries(&variants, &looks), y);
    let mut bottom = y;
    for (p, range) in data.panels.iter().enumerate() {
        let left = 72.0 + p as f64 * (width + gap);
        let most =
            range.curves.iter().map(|c| c.curve.cases() as f64 / c.curve.total() as f64).fold(0.0, f64::max);
        let cases = range.curves.iter().map(|c| c.curve.cases()).max().unwrap_or(0);
        let reach = reach(FIGURE, &range.curves, 0.99)?;
        let panel = Panel::new(
            left,
            y + 26.0,
            left + width,
            y + 256.0,
            (0.0, reach),
            (0.0, if most > 0.0 { 1.04 * most } else { 1.0 }),
        );
        let whole = range.curves.iter().all(|c| c.curve.total() == c.curve.cases());
        let name = if whole { "cases of the range" } else { "all cases" };
        panel.axes(&mut svg, &data.error, &Quantity::percent(name));
        let label = format!("{} ({} cases)", interval(&data.target, "Y", range.range), count(cases as usize));
        svg.text(panel.middle().0, y + 14.0, &label, Type::new(BODY).bold().anchor(Anchor::Middle));
        for (k, c) in range.curves.iter().enumerate() {
            let points = lines::steps(&panel, c.curve.corners(), 0.0);
            lines::draw(&mut svg, &panel, &points, looks[k], c.variant.label, (k, range.curves.len()));
        }
        bottom = panel.bottom();
    }
    let rows: Vec<String> = data
        .panels
        .iter()
        .zip(&winners)
        .map(|(p, w)| {
            format!("{}: smallest mean error {}", interval(&data.target, "Y", p.range), w.unwrap_or("none"))
        })
        .collect();
    svg.finish(
        FIGURE,
        bottom + 46.0,
        &title,
        &format!("Distribution of the error by range of the target. {}.", rows.join("; ")),
    )
}

/// The variant with the smallest mean error on a range; none without cases.
fn best<'a>(panel: &RangePanel<'a>) -> Option<&'a str> {
    let with_cases =
        panel.curves.iter().filter_map(|c| Some((c.variant.label, c.curve.normalised()?.area_over())));
    with_cases.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(label, _)| label)
}

/// A range in words: `−1% < Y ≤ 1%`.
pub(super) fn interval(quantity: &Quantity<'_>, symbol: &str, range: Interval) -> String {
    let (above, up_to) = (range.above(), range.up_to());
    match (above.is_finite(), up_to.is_finite()) {
        (true, true) => format!("{} < {symbol} ≤ {}", quantity.limit(above), quantity.limit(up_to)),
        (true, false) => format!("{symbol} > {}", quantity.limit(above)),
        (false, true) => format!("{symbol} ≤ {}", quantity.limit(up_to)),
        (false, false) => format!("all {symbol}"),
    }
}
