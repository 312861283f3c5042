//! Partial distributions of the target: where errors of one size occur (REC05 Fig. 7, 9).

use tailrank_metrics::rec::Interval;

use super::{
    Figure, Heading, Quantity, Variant, VariantCurve,
    axis::extent,
    chart::{self, Panel},
    data::problem,
    lines,
    partial_rec::interval,
    style::percent,
    svg::Svg,
};
use crate::Result;

const FIGURE: &str = "partial Y CDF";

/// The input of [`partial_y_cdf()`].
#[derive(Clone, Debug)]
pub struct PartialYCdf<'a> {
    /// Title and context.
    pub heading: Heading<'a>,
    /// What the error is.
    pub error: Quantity<'a>,
    /// What the target is.
    pub target: Quantity<'a>,
    /// The range of errors.
    pub range: Interval,
    /// The variants' curves.
    pub curves: Vec<VariantCurve<'a>>,
}

/// Draws where in the target's range errors of one size occur, variant by variant.
pub fn partial_y_cdf(data: &PartialYCdf<'_>) -> Result<Figure> {
    if data.curves.is_empty() {
        return Err(problem(FIGURE, &"there is no curve to draw"));
    }
    let variants: Vec<Variant<'_>> = data.curves.iter().map(|c| c.variant).collect();
    let looks = lines::looks(&variants);
    let ends = |p: f64| {
        data.curves
            .iter()
            .filter_map(move |c| c.curve.quantile(p * c.curve.cases() as f64 / c.curve.total() as f64))
    };
    let (low, high) = extent(ends(0.002).chain(ends(0.998))).unwrap_or((0.0, 1.0));
    let pad = 0.08 * (high - low);
    let height = |c: &VariantCurve<'_>| c.curve.cases() as f64 / c.curve.total() as f64;
    let most = data.curves.iter().map(height).fold(0.0, f64::max);
    let spread = |c: &VariantCurve<'_>| {
        let q = |p: f64| c.curve.quantile(p * height(c));
        Some(q(0.95)? - q(0.05)?)
    };
    let often = data.curves.iter().max_by(|a, b| height(a).total_cmp(&height(b)));
    let wide = data.curves.iter().filter_map(|c| Some((c, spread(c)?))).max_by(|a, b| a.1.total_cmp(&b.1));
    let range = interval(&data.error, "error", data.range);
    let finding = match (often, wide) {
        (Some(o), Some((w, _))) if o.variant != w.variant && data.curves.len() > 1 => format!(
            "{} reaches {range} most often ({}), {} over the widest range of the target",
            o.variant.label,
            percent(height(o)),
            w.variant.label
        ),
        (Some(o), Some(_)) if data.curves.len() > 1 => {
            format!(
                "{} reaches {range} most often ({}) and over the widest range",
                o.variant.label,
                percent(height(o))
            )
        }
        (Some(o), _) => format!("{} reaches {range} in {} of the cases", o.variant.label, percent(height(o))),
        (None, _) => String::new(),
    };
    let mut svg = Svg::new(640.0);
    let (title, y) = chart::heading(&mut svg, &data.heading, finding, "");
    let y = chart::legend(&mut svg, &lines::entries(&variants, &looks), y);
    let top = if most > 0.0 { 1.05 * most } else { 1.0 };
    let panel = Panel::new(70.0, y + 6.0, 616.0, y + 316.0, (low - pad, high + pad), (0.0, top));
    panel.axes(
        &mut svg,
        &data.target,
        &Quantity::percent(&format!("cases with {range} and a target up to y")),
    );
    for (k, c) in data.curves.iter().enumerate() {
        let points = lines::steps(&panel, c.curve.corners(), 0.0);
        let hint = format!("{}: {} of the cases", c.variant.label, percent(height(c)));
        lines::draw(&mut svg, &panel, &points, looks[k], &hint, (k, data.curves.len()));
    }
    let rows: Vec<String> = data
        .curves
        .iter()
        .map(|c| {
            let span = spread(c).map_or_else(|| "–".to_owned(), |s| data.target.value(s));
            format!(
                "{}: {} of the cases, the middle nine tenths of them over {span}",
                c.variant.label,
                percent(height(c))
            )
        })
        .collect();
    svg.finish(
        FIGURE,
        panel.bottom() + 46.0,
        &title,
        &format!("Targets at which {range}. {}.", rows.join("; ")),
    )
}
