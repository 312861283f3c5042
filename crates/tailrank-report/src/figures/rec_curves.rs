//! REC curves: the share of cases whose error stays within a tolerance (REC05 Fig. 1; Bi & Bennett 2003).

use tailrank_metrics::rec::{StepCurve, Verdict, dominance};

use super::{
    Figure, Heading, Quantity, Variant,
    chart::{self, Panel},
    data::problem,
    lines,
    style::percent,
    svg::Svg,
};
use crate::Result;

const FIGURE: &str = "REC curves";

/// A variant's curve.
#[derive(Clone, Copy, Debug)]
pub struct VariantCurve<'a> {
    /// Whose.
    pub variant: Variant<'a>,
    /// The curve.
    pub curve: &'a StepCurve,
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
    let reach = reach(FIGURE, &data.curves, 0.99)?;
    let variants: Vec<Variant<'_>> = data.curves.iter().map(|c| c.variant).collect();
    let looks = lines::looks(&variants);
    let mut svg = Svg::new(640.0);
    let (title, y) = chart::heading(&mut svg, &data.heading, finding(data), "");
    let y = chart::legend(&mut svg, &lines::entries(&variants, &looks), y);
    let panel = Panel::new(70.0, y + 6.0, 616.0, y + 326.0, (0.0, reach), (0.0, 1.0));
    panel.axes(&mut svg, &data.error, &Quantity::percent("cases within the error"));
    for (k, c) in data.curves.iter().enumerate() {
        let points = lines::steps(&panel, c.curve.corners(), 0.0);
        let hint = format!("{}: mean error {}", c.variant.label, data.error.value(c.curve.area_over()));
        lines::draw(&mut svg, &panel, &points, looks[k], &hint, (k, data.curves.len()));
    }
    let rows: Vec<String> = data
        .curves
        .iter()
        .map(|c| {
            let half = c.curve.quantile(0.5).map_or_else(|| "–".to_owned(), |e| data.error.value(e));
            format!(
                "{}: half of the cases within {half}, mean {}",
                c.variant.label,
                data.error.value(c.curve.area_over())
            )
        })
        .collect();
    svg.finish(FIGURE, panel.bottom() + 46.0, &title, &format!("{}.", rows.join("; ")))
}

/// The largest error shown: within it lies a share `p` of every curve's own cases.
pub(super) fn reach(figure: &str, curves: &[VariantCurve<'_>], p: f64) -> Result<f64> {
    if curves.is_empty() {
        return Err(problem(figure, &"there is no curve to draw"));
    }
    let of = |c: &VariantCurve<'_>| {
        let share = p * c.curve.cases() as f64 / c.curve.total() as f64;
        c.curve.quantile(share).or_else(|| c.curve.largest())
    };
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
                let first_leads = found.leads.iter().find(|l| l.order != std::cmp::Ordering::Equal);
                let a_first = first_leads.is_some_and(|l| l.order == std::cmp::Ordering::Greater);
                let (near, far) = if a_first { (a, b) } else { (b, a) };
                format!("{near} has more errors within {}, {far} beyond", data.error.value(*at))
            }
            (Verdict::Cross, _) => {
                let (who, by) = if found.first_by >= found.second_by {
                    (a, found.first_by)
                } else {
                    (b, found.second_by)
                };
                format!("The curves cross; the largest lead is {who}'s, by {} of the cases", percent(by))
            }
        };
    }
    let best = data.curves.iter().min_by(|a, b| a.curve.area_over().total_cmp(&b.curve.area_over()));
    best.map_or_else(String::new, |c| {
        let mean = data.error.value(c.curve.area_over());
        format!("{} has the smallest mean error: {mean}", c.variant.label)
    })
}
