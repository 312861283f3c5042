//! REC curves: the share of cases whose error stays within a tolerance (REC05 Fig. 1; Bi & Bennett 2003), on
//! all cases or on chosen ranges of the target (REC05 Fig. 5, 6, 8); and where in the target errors of one
//! size occur (REC05 Fig. 7, 9).

use std::cmp::Ordering;

use tailrank_metrics::rec::{
    Interval, RecError, StepCurve, Verdict, dominance, partial_rec_curve, partial_y_cdf as y_cdf, rec_curve,
};

use super::*;

const REC_CURVES: &str = "REC curves";
const PARTIAL_REC: &str = "partial REC curves";
const PARTIAL_Y_CDF: &str = "partial Y CDF";

/// A variant's curve.
#[derive(Clone, Debug)]
pub struct VariantCurve<'a, C = StepCurve> {
    /// Whose.
    pub variant: Variant<'a>,
    /// The curve.
    pub curve: C,
}

impl VariantCurve<'_> {
    /// The share of all cases that the curve counts.
    fn share(&self) -> f64 {
        self.curve.cases() as f64 / self.curve.total() as f64
    }

    /// Where a share `p` of the counted cases is reached.
    fn quantile(&self, p: f64) -> Option<f64> {
        self.curve.quantile(p * self.share())
    }
}

/// Draws REC curves up to the tolerance that holds 99 % of every variant's cases.
pub fn rec_curves(heading: Heading<'_>, error: Quantity<'_>, curves: &[VariantCurve<'_>]) -> Result<Figure> {
    let reach = reach(REC_CURVES, curves)?;
    let mean = |c: &VariantCurve<'_>| error.value(c.curve.area_over());
    let looks = lines::looks(curves.iter().map(|c| c.variant));
    let entry = |(c, look): (&VariantCurve<'_>, &LineLook<'_>)| {
        look.entry(&format!("{}, area over {}", look.label, mean(c)))
    };
    let entries: Vec<Entry<'_>> = curves.iter().zip(&looks).map(entry).collect();
    let (mut svg, y) = chart::start(REC_CURVES, 640.0, heading, finding(error, curves), "", &entries);
    let panel = Panel::new(70.0, y + 6.0, svg.width - 24.0, y + 326.0, (0.0, reach), (0.0, 1.0));
    panel.axes(&mut svg, &error, &Quantity::percent("cases within the error"));
    let hint = |c: &VariantCurve<'_>| format!("{}: mean error {}", c.variant.label, mean(c));
    lines::draw_steps(&mut svg, &panel, curves, hint);
    let row = |c: &VariantCurve<'_>| {
        let half = c.curve.quantile(0.5).map_or_else(|| "–".to_owned(), |e| error.value(e));
        format!("{}: half of the cases within {half}, mean {}", c.variant.label, mean(c))
    };
    svg.finish(panel.bottom() + 46.0, &format!("{}.", joined(curves, "; ", row)))
}

/// The largest error shown: within it lie 99 % of every curve's own cases.
fn reach(figure: &str, curves: &[VariantCurve<'_>]) -> Result<f64> {
    require(figure, !curves.is_empty(), "there is no curve to draw")?;
    let of = |c: &VariantCurve<'_>| c.quantile(0.99).or_else(|| c.curve.largest());
    let reach = curves.iter().filter_map(of).fold(0.0, f64::max);
    Ok(if reach > 0.0 { reach } else { 1.0 })
}

fn finding(error: Quantity<'_>, curves: &[VariantCurve<'_>]) -> String {
    if let [a, b] = curves {
        let found = dominance(&a.curve, &b.curve);
        let (a, b) = (a.variant.label, b.variant.label);
        return match (found.verdict, found.crossings.as_slice()) {
            (Verdict::First, _) => format!("{a} is nowhere below {b}: it dominates"),
            (Verdict::Second, _) => format!("{b} is nowhere below {a}: it dominates"),
            (Verdict::Equal, _) => format!("{a} and {b} have the same errors"),
            (Verdict::Cross, [at]) => {
                let lead = found.leads.iter().map(|l| l.order).find(|order| order.is_ne());
                let (near, far) = if lead.is_some_and(Ordering::is_gt) { (a, b) } else { (b, a) };
                format!("{near} has more errors within {}, {far} beyond", error.value(*at))
            }
            (Verdict::Cross, _) => {
                let who = if found.first_by >= found.second_by { a } else { b };
                let by = percent(found.first_by.max(found.second_by));
                format!("The curves cross; the largest lead is {who}'s, by {by} of the cases")
            }
        };
    }
    let best = curves.iter().min_by(|a, b| a.curve.area_over().total_cmp(&b.curve.area_over()));
    best.map_or_else(String::new, |c| {
        let mean = error.value(c.curve.area_over());
        format!("{} has the smallest mean error: {mean}", c.variant.label)
    })
}

/// One range of the target and the curves on it.
#[derive(Clone, Debug)]
pub struct RangePanel<'a> {
    /// The range.
    pub range: Interval,
    /// The curves, the same variants in the same order in every panel.
    pub curves: Vec<VariantCurve<'a>>,
}

/// Draws partial REC curves, a panel per range of the target. Heights are shares of what the curves count as
/// whole.
pub fn partial_rec(heading: Heading<'_>, target: Quantity<'_>, panels: &[RangePanel<'_>]) -> Result<Figure> {
    let Some(first) = panels.first() else {
        return Err(problem(PARTIAL_REC, &"there is no range to draw"));
    };
    for panel in panels {
        same_length(PARTIAL_REC, "a panel", panel.curves.len(), first.curves.len())?;
    }
    let range_of = |panel: &RangePanel<'_>| interval(&target, "Y", panel.range);
    let winners: Vec<Option<&str>> = panels.iter().map(best).collect();
    let found = || panels.iter().zip(&winners);
    let parts = found().filter_map(|(p, w)| Some(format!("{} where {}", (*w)?, range_of(p))));
    let finding = match winners[..] {
        _ if winners.iter().all(Option::is_none) => "No case lies in these ranges".to_owned(),
        [Some(w), _, ..] if winners.iter().all(|v| *v == Some(w)) => {
            format!("{w} has the smallest errors on all ranges shown")
        }
        _ => format!("Smallest errors: {}", joined(parts, "; ", |part| part)),
    };
    let (width, gap, down) = (300.0, 62.0, 288.0);
    let side_by_side = (78.0 + panels.len() as f64 * (width + gap) - gap + 24.0).max(520.0);
    let whole_width = heading.width(side_by_side);
    let columns = (((whole_width - 102.0 + gap) / (width + gap)) as usize).clamp(1, panels.len());
    let entries = lines::entries(&lines::looks(first.curves.iter().map(|c| c.variant)));
    let (mut svg, y) = chart::start(PARTIAL_REC, whole_width, heading, finding, "", &entries);
    for (p, range) in panels.iter().enumerate() {
        let left = 72.0 + (p % columns) as f64 * (width + gap);
        let y = y + (p / columns) as f64 * down;
        let most = range.curves.iter().map(VariantCurve::share).fold(0.0, f64::max);
        let cases = range.curves.iter().map(|c| c.curve.cases()).max().unwrap_or(0);
        let high = if most > 0.0 { 1.04 * most } else { 1.0 };
        let across = (0.0, reach(PARTIAL_REC, &range.curves)?);
        let panel = Panel::new(left, y + 26.0, left + width, y + 256.0, across, (0.0, high));
        let whole = range.curves.iter().all(|c| c.curve.total() == c.curve.cases());
        let name = if whole { "cases of the range" } else { "all cases" };
        panel.axes(&mut svg, &target.error(), &Quantity::percent(name));
        panel.name(&mut svg, y + 14.0, &format!("{} ({} cases)", range_of(range), count(cases as usize)));
        lines::draw_steps(&mut svg, &panel, &range.curves, |c| c.variant.label.to_owned());
    }
    let row = |(p, w): (&RangePanel<'_>, &Option<&str>)| {
        format!("{}: smallest mean error {}", range_of(p), w.unwrap_or("none"))
    };
    let rows = joined(found(), "; ", row);
    svg.finish(
        y + 302.0 + ((panels.len() - 1) / columns) as f64 * down,
        &format!("Distribution of the error by range of the target. {rows}."),
    )
}

/// The variant with the smallest mean error on a range; none without cases.
fn best<'a>(panel: &RangePanel<'a>) -> Option<&'a str> {
    let with_cases =
        panel.curves.iter().filter_map(|c| Some((c.variant.label, c.curve.normalised()?.area_over())));
    with_cases.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(label, _)| label)
}

/// A range in words: `−1% < Y ≤ 1%`.
fn interval(quantity: &Quantity<'_>, symbol: &str, range: Interval) -> String {
    let (above, up_to) = (range.above(), range.up_to());
    match (above.is_finite(), up_to.is_finite()) {
        (true, true) => format!("{} < {symbol} ≤ {}", quantity.limit(above), quantity.limit(up_to)),
        (true, false) => format!("{symbol} > {}", quantity.limit(above)),
        (false, true) => format!("{symbol} ≤ {}", quantity.limit(up_to)),
        (false, false) => format!("all {symbol}"),
    }
}

/// The input of [`partial_y_cdf()`].
#[derive(Clone, Debug)]
pub struct PartialYCdf<'a> {
    /// What the target is.
    pub target: Quantity<'a>,
    /// The range of errors.
    pub range: Interval,
    /// The variants' curves.
    pub curves: Vec<VariantCurve<'a>>,
}

/// Draws where in the target's range errors of one size occur, variant by variant.
pub fn partial_y_cdf(heading: Heading<'_>, data: &PartialYCdf<'_>) -> Result<Figure> {
    require(PARTIAL_Y_CDF, !data.curves.is_empty(), "there is no curve to draw")?;
    let ends = |p: f64| data.curves.iter().filter_map(move |c| c.quantile(p));
    let (low, high) = extent(ends(0.002).chain(ends(0.998))).unwrap_or((0.0, 1.0));
    let most = data.curves.iter().map(VariantCurve::share).fold(0.0, f64::max);
    let said_share = |c: &VariantCurve<'_>| percent(c.share());
    let spread = |c: &VariantCurve<'_>| Some(c.quantile(0.95)? - c.quantile(0.05)?);
    let often = data.curves.iter().max_by(|a, b| a.share().total_cmp(&b.share()));
    let wide = data.curves.iter().filter_map(|c| Some((c, spread(c)?))).max_by(|a, b| a.1.total_cmp(&b.1));
    let range = interval(&data.target.error(), "error", data.range);
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
    let entries = lines::entries(&lines::looks(data.curves.iter().map(|c| c.variant)));
    let (mut svg, y) = chart::start(PARTIAL_Y_CDF, 640.0, heading, finding, "", &entries);
    let top = if most > 0.0 { 1.05 * most } else { 1.0 };
    let across = padded((low, high), 0.08);
    let panel = Panel::new(70.0, y + 6.0, svg.width - 24.0, y + 316.0, across, (0.0, top));
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

/// All cases of a task.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let curves = task.curves(|z| rec_curve(&task.truth, z, RecError::Absolute))?;
    let error = task.quantity("absolute error");
    sheet.add("", rec_curves(sheet.heading, error, &curves))
}

/// The events of a task, a panel for each side.
pub(super) fn draw_events(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let Some(events) = task.events()? else { return Ok(()) };
    let on_range = |range: Interval| {
        let curves = task.curves(|z| partial_rec_curve(&task.truth, z, RecError::Absolute, range))?;
        Ok(RangePanel { range, curves })
    };
    let ranges = events.iter().filter_map(|r| Interval::new(r.from, r.to).ok());
    let panels: Vec<RangePanel<'_>> = ranges.map(on_range).collect::<Result<_>>()?;
    sheet.add("", partial_rec(sheet.heading, task.quantity(&task.target), &panels))
}

/// Errors of a task within the tolerance.
pub(super) fn draw_small_errors(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let Some(alpha) = task.settings().and_then(|s| s.accuracy) else { return Ok(()) };
    let range = Interval::at_most(alpha.t_l()).map_err(|e| task.failed(e))?;
    let curves = task.curves(|z| y_cdf(&task.truth, z, RecError::Absolute, range))?;
    let target = task.quantity(&task.target);
    sheet.add("", partial_y_cdf(sheet.heading, &PartialYCdf { target, range, curves }))
}
