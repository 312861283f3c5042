//! REC curves: the share of cases whose error stays within a tolerance (REC05 Fig. 1; Bi & Bennett 2003).

use std::cmp::Ordering;

use tailrank_metrics::rec::{StepCurve, Verdict, dominance};

use super::*;

const FIGURE: &str = "REC curves";

/// A variant's curve.
#[derive(Clone, Copy, Debug)]
pub struct VariantCurve<'a, C = StepCurve> {
    /// Whose.
    pub variant: Variant<'a>,
    /// The curve.
    pub curve: &'a C,
}

impl<'a> VariantCurve<'a> {
    /// Whose curves.
    pub(super) fn variants(curves: &[Self]) -> Vec<Variant<'a>> {
        curves.iter().map(|c| c.variant).collect()
    }

    /// The share of all cases that the curve counts.
    pub(super) fn share(&self) -> f64 {
        self.curve.cases() as f64 / self.curve.total() as f64
    }

    /// Where a share `p` of the counted cases is reached.
    pub(super) fn quantile(&self, p: f64) -> Option<f64> {
        self.curve.quantile(p * self.curve.cases() as f64 / self.curve.total() as f64)
    }
}

/// The input of [`rec_curves()`].
#[derive(Clone, Debug)]
pub struct RecCurves<'a> {
    /// Title and context.
    pub heading: Heading<'a>,
    /// What the error is.
    pub error: Quantity<'a>,
    /// The curves.
    pub curves: Vec<VariantCurve<'a>>,
}

/// Draws REC curves up to the tolerance that holds 99 % of every variant's cases.
pub fn rec_curves(data: &RecCurves<'_>) -> Result<Figure> {
    let reach = reach(FIGURE, &data.curves)?;
    let entries = lines::entries(&VariantCurve::variants(&data.curves));
    let (mut svg, y) = chart::start(FIGURE, 640.0, &data.heading, finding(data), "", &entries);
    let panel = Panel::new(70.0, y + 6.0, 616.0, y + 326.0, (0.0, reach), (0.0, 1.0));
    panel.axes(&mut svg, &data.error, &Quantity::percent("cases within the error"));
    let mean = |c: &VariantCurve<'_>| data.error.value(c.curve.area_over());
    let hint = |c: &VariantCurve<'_>| format!("{}: mean error {}", c.variant.label, mean(c));
    lines::draw_steps(&mut svg, &panel, &data.curves, hint);
    let row = |c: &VariantCurve<'_>| {
        let half = c.curve.quantile(0.5).map_or_else(|| "–".to_owned(), |e| data.error.value(e));
        format!("{}: half of the cases within {half}, mean {}", c.variant.label, mean(c))
    };
    svg.finish(panel.bottom() + 46.0, &format!("{}.", joined(&data.curves, "; ", row)))
}

/// The largest error shown: within it lie 99 % of every curve's own cases.
pub(super) fn reach(figure: &str, curves: &[VariantCurve<'_>]) -> Result<f64> {
    require(figure, !curves.is_empty(), "there is no curve to draw")?;
    let of = |c: &VariantCurve<'_>| c.quantile(0.99).or_else(|| c.curve.largest());
    let reach = curves.iter().filter_map(of).fold(0.0, f64::max);
    Ok(if reach > 0.0 { reach } else { 1.0 })
}

fn finding(data: &RecCurves<'_>) -> String {
    if let [a, b] = data.curves.as_slice() {
        let found = dominance(a.curve, b.curve);
        let (a, b) = (a.variant.label, b.variant.label);
        return match (found.verdict, found.crossings.as_slice()) {
            (Verdict::First, _) => format!("{a} is nowhere below {b}: it dominates"),
            (Verdict::Second, _) => format!("{b} is nowhere below {a}: it dominates"),
            (Verdict::Equal, _) => format!("{a} and {b} have the same errors"),
            (Verdict::Cross, [at]) => {
                let lead = found.leads.iter().map(|l| l.order).find(|order| order.is_ne());
                let (near, far) = if lead.is_some_and(Ordering::is_gt) { (a, b) } else { (b, a) };
                format!("{near} has more errors within {}, {far} beyond", data.error.value(*at))
            }
            (Verdict::Cross, _) => {
                let who = if found.first_by >= found.second_by { a } else { b };
                let by = percent(found.first_by.max(found.second_by));
                format!("The curves cross; the largest lead is {who}'s, by {by} of the cases")
            }
        };
    }
    let best = data.curves.iter().min_by(|a, b| a.curve.area_over().total_cmp(&b.curve.area_over()));
    best.map_or_else(String::new, |c| {
        let mean = data.error.value(c.curve.area_over());
        format!("{} has the smallest mean error: {mean}", c.variant.label)
    })
}
