//! The small rank scatter in a row of the verdict table.

use tailrank_experiment::text::two_decimals;
use tailrank_score::score::{Comparison, Results};

use super::{escape::text, overview::families};

const SIZE: f64 = 56.0;

/// Ranks by one measure against ranks by the other, one path per family.
pub(super) fn small(results: &Results, comparison: &Comparison) -> String {
    let n = comparison.variants.len();
    if n < 2 {
        return String::new();
    }
    let at = |rank: f64| 3.0 + (SIZE - 6.0) * (rank - 1.0) / (n as f64 - 1.0);
    let mut paths = String::new();
    for (family, look) in families(results).iter() {
        let mut d = String::new();
        for (i, &v) in comparison.variants.iter().enumerate() {
            if results.names.variants[v].group == family {
                let (x, y) = (at(comparison.ranks_chosen[i]), SIZE - at(comparison.ranks_judged[i]));
                d.push_str(&format!("M{x:.1} {y:.1}h0"));
            }
        }
        if !d.is_empty() {
            paths.push_str(&format!("<path d=\"{d}\" stroke=\"{}\"/>", look.colour));
        }
    }
    let (a, b) = (comparison.chosen_by.info().symbol, comparison.judged_by.info().symbol);
    let rho = comparison.rho.as_ref().and_then(|r| r.estimate);
    let label = match rho {
        Some(rho) => format!("Ranks by {a} (across) against ranks by {b} (up): ρ = {}", two_decimals(rho)),
        None => format!("Ranks by {a} (across) against ranks by {b} (up)"),
    };
    format!(
        "<svg class=\"scatter\" viewBox=\"0 0 {SIZE} {SIZE}\" role=\"img\" aria-label=\"{0}\"><title>{0}</title>\
         <path class=\"diagonal\" d=\"M3 {1}L{1} 3\"/>{paths}</svg>",
        text(&label),
        SIZE - 3.0
    )
}
