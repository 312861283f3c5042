//! REC surfaces of several variants cut at chosen targets: P(ε ≤ e, Y ≤ y) over e, one panel per y (REC05 §4).

use tailrank_metrics::rec::RecSurface;

use super::{
    Figure, Heading, Quantity, Variant,
    chart::{self, BODY, Panel},
    data::problem,
    lines,
    rec_surface::check,
    style::percent,
    svg::{Anchor, Svg, Type},
};
use crate::Result;

const FIGURE: &str = "REC iso-lines";

/// The input of [`rec_iso_lines()`].
#[derive(Clone, Debug)]
pub struct RecIsoLines<'a> {
    /// Title and context.
    pub heading: Heading<'a>,
    /// What the error is.
    pub error: Quantity<'a>,
    /// What the target is.
    pub target: Quantity<'a>,
    /// Variants and their surfaces, all on the same grids.
    pub surfaces: Vec<(Variant<'a>, &'a RecSurface)>,
    /// Places in the target grid at which the surfaces are cut.
    pub cuts: Vec<usize>,
}

/// Draws the iso-lines Y ≤ y of several surfaces, a panel per cut, all on one scale.
pub fn rec_iso_lines(data: &RecIsoLines<'_>) -> Result<Figure> {
    let Some((_, first)) = data.surfaces.first() else {
        return Err(problem(FIGURE, &"there is no surface to draw"));
    };
    let (errors, targets) = (first.error_grid(), first.target_grid());
    for (_, surface) in &data.surfaces {
        check(FIGURE, surface)?;
        if surface.error_grid() != errors || surface.target_grid() != targets {
            return Err(problem(FIGURE, &"the surfaces must share their grids"));
        }
    }
    if data.cuts.is_empty() || data.cuts.iter().any(|&j| j >= targets.len()) {
        return Err(problem(FIGURE, &"cuts must be places in the target grid"));
    }
    let variants: Vec<Variant<'_>> = data.surfaces.iter().map(|s| s.0).collect();
    let looks = lines::looks(&variants);
    let end = errors.len() - 1;
    // Small errors: those that a tenth of the cases of the first cut stay within, by the best variant.
    let cut = data.cuts[0];
    let most = data.surfaces.iter().map(|(_, s)| s.at(end, cut)).fold(0.0, f64::max);
    let small =
        (0..=end).find(|&i| data.surfaces.iter().any(|(_, s)| s.at(i, cut) >= 0.1 * most)).unwrap_or(end);
    let leader = data
        .surfaces
        .iter()
        .map(|(v, s)| (v.label, s.at(small, cut)))
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .filter(|_| most > 0.0);
    let upper = data.target.value(targets[cut]);
    let finding = leader.map_or_else(
        || format!("No case has a target up to {upper}"),
        |(name, _)| {
            let within = data.error.value(errors[small]);
            format!("On targets up to {upper}, {name} has the most errors within {within}")
        },
    );
    let panels = data.cuts.len();
    let width = 250.0;
    let mut svg = Svg::new((panels as f64 * (width + 34.0) + 36.0).max(520.0));
    let (title, y) = chart::heading(&mut svg, &data.heading, finding, "each panel on its own scale");
    let y = chart::legend(&mut svg, &lines::entries(&variants, &looks), y);
    let mut bottom = y;
    for (p, &j) in data.cuts.iter().enumerate() {
        let left = 70.0 + p as f64 * (width + 26.0 + 8.0);
        let most = data.surfaces.iter().map(|(_, s)| s.at(end, j)).fold(0.0, f64::max);
        let panel = Panel::new(
            left,
            y + 24.0,
            left + width - 26.0,
            y + 234.0,
            (0.0, errors[end]),
            (0.0, (1.05 * most).max(1e-9)),
        );
        let name = if p == 0 { "cases" } else { "" };
        let share = Quantity { name, unit: if p == 0 { "%" } else { "" }, scale: 100.0 };
        panel.axes(&mut svg, &data.error, &share);
        let label = format!("Y ≤ {}: {}", data.target.value(targets[j]), percent(most));
        svg.text(panel.middle().0, y + 14.0, &label, Type::new(BODY).bold().anchor(Anchor::Middle));
        for (k, (variant, surface)) in data.surfaces.iter().enumerate() {
            let mut points = vec![panel.at(0.0, 0.0)];
            points.extend(errors.iter().zip(surface.along_errors(j)).map(|(&e, d)| panel.at(e, d)));
            lines::draw(&mut svg, &panel, &points, looks[k], variant.label, (k, data.surfaces.len()));
        }
        bottom = panel.bottom();
    }
    let cuts: Vec<String> = data.cuts.iter().map(|&j| data.target.value(targets[j])).collect();
    let description = format!(
        "Share of cases with an error up to e and a target up to {}, for {}.",
        cuts.join(", "),
        variants.iter().map(|v| v.label).collect::<Vec<_>>().join(", ")
    );
    svg.finish(FIGURE, bottom + 46.0, &title, &description)
}
