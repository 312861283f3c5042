//! Partial distributions of the target: where errors of one size occur (REC05 Fig. 7, 9).

use tailrank_metrics::rec::Interval;

use super::{partial_rec::interval, *};

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
    require(FIGURE, !data.curves.is_empty(), "there is no curve to draw")?;
    let ends = |p: f64| data.curves.iter().filter_map(move |c| c.quantile(p));
    let (low, high) = extent(ends(0.002).chain(ends(0.998))).unwrap_or((0.0, 1.0));
    let pad = 0.08 * (high - low);
    let most = data.curves.iter().map(VariantCurve::share).fold(0.0, f64::max);
    let said_share = |c: &VariantCurve<'_>| percent(c.share());
    let spread = |c: &VariantCurve<'_>| {
        let q = |p: f64| c.curve.quantile(p * c.share());
        Some(q(0.95)? - q(0.05)?)
    };
    let often = data.curves.iter().max_by(|a, b| a.share().total_cmp(&b.share()));
    let wide = data.curves.iter().filter_map(|c| Some((c, spread(c)?))).max_by(|a, b| a.1.total_cmp(&b.1));
    let range = interval(&data.error, "error", data.range);
    let finding = often.map_or_else(String::new, |o| {
        let (name, share) = (o.variant.label, said_share(o));
        match wide.filter(|_| data.curves.len() > 1) {
            Some((w, _)) if o.variant != w.variant => format!(
                "{name} reaches {range} most often ({share}), {} over the widest range of the target",
                w.variant.label
            ),
            Some(_) => format!("{name} reaches {range} most often ({share}) and over the widest range"),
            None => format!("{name} reaches {range} in {share} of the cases"),
        }
    });
    let entries = lines::entries(&VariantCurve::variants(&data.curves));
    let (mut svg, y) = chart::start(FIGURE, 640.0, &data.heading, finding, "", &entries);
    let top = if most > 0.0 { 1.05 * most } else { 1.0 };
    let panel = Panel::new(70.0, y + 6.0, 616.0, y + 316.0, (low - pad, high + pad), (0.0, top));
    let up = format!("cases with {range} and a target up to y");
    panel.axes(&mut svg, &data.target, &Quantity::percent(&up));
    let hint = |c: &VariantCurve<'_>| format!("{}: {} of the cases", c.variant.label, said_share(c));
    lines::draw_steps(&mut svg, &panel, &data.curves, hint);
    let row = |c: &VariantCurve<'_>| {
        let span = spread(c).map_or_else(|| "–".to_owned(), |s| data.target.value(s));
        format!("{}, the middle nine tenths of them over {span}", hint(c))
    };
    let rows = joined(&data.curves, "; ", row);
    svg.finish(panel.bottom() + 46.0, &format!("Targets at which {range}. {rows}."))
}
