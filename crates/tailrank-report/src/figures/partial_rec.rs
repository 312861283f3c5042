//! Partial REC curves: the error on chosen ranges of the target (REC05 Fig. 5, 6, 8).

use tailrank_metrics::rec::Interval;

use super::{rec_curves::reach, *};

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
    let variants = VariantCurve::variants(&first.curves);
    for panel in &data.panels {
        same_length(FIGURE, "a panel", panel.curves.len(), variants.len())?;
    }
    let range_of = |panel: &RangePanel<'_>| interval(&data.target, "Y", panel.range);
    let winners: Vec<Option<&str>> = data.panels.iter().map(best).collect();
    let found = || data.panels.iter().zip(&winners);
    let parts = found().filter_map(|(p, w)| Some(format!("{} where {}", (*w)?, range_of(p))));
    let finding = match winners[..] {
        _ if winners.iter().all(Option::is_none) => "No case lies in these ranges".to_owned(),
        [Some(w), _, ..] if winners.iter().all(|v| *v == Some(w)) => {
            format!("{w} has the smallest errors on all ranges shown")
        }
        _ => format!("Smallest errors: {}", joined(parts, "; ", |part| part)),
    };
    let (width, gap) = (300.0, 62.0);
    let whole_width = (78.0 + data.panels.len() as f64 * (width + gap) - gap + 24.0).max(520.0);
    let entries = lines::entries(&variants);
    let (mut svg, y) = chart::start(FIGURE, whole_width, &data.heading, finding, "", &entries);
    for (p, range) in data.panels.iter().enumerate() {
        let left = 72.0 + p as f64 * (width + gap);
        let most = range.curves.iter().map(VariantCurve::share).fold(0.0, f64::max);
        let cases = range.curves.iter().map(|c| c.curve.cases()).max().unwrap_or(0);
        let high = if most > 0.0 { 1.04 * most } else { 1.0 };
        let across = (0.0, reach(FIGURE, &range.curves)?);
        let panel = Panel::new(left, y + 26.0, left + width, y + 256.0, across, (0.0, high));
        let whole = range.curves.iter().all(|c| c.curve.total() == c.curve.cases());
        let name = if whole { "cases of the range" } else { "all cases" };
        panel.axes(&mut svg, &data.error, &Quantity::percent(name));
        panel.name(&mut svg, y + 14.0, &format!("{} ({} cases)", range_of(range), count(cases as usize)));
        lines::draw_steps(&mut svg, &panel, &range.curves, |c| c.variant.label.to_owned());
    }
    let row = |(p, w): (&RangePanel<'_>, &Option<&str>)| {
        format!("{}: smallest mean error {}", range_of(p), w.unwrap_or("none"))
    };
    let rows = joined(found(), "; ", row);
    svg.finish(y + 302.0, &format!("Distribution of the error by range of the target. {rows}."))
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
