//! Precision and recall at every event threshold t_E: against each other, and each over t_E.

use tailrank_metrics::{PrCurve, PrPoint};

use super::{
    Figure, Heading, Quantity, Variant,
    chart::{self, BODY, Entry, Panel},
    data::problem,
    lines::{self, LineLook},
    style::{GUIDE, INK, MUTED, digits},
    svg::{Anchor, Path, Pen, Svg, Type},
};
use crate::Result;

const FIGURE: &str = "precision-recall curves";
const SIDE: f64 = 290.0;

/// A variant's precision–recall curve.
#[derive(Clone, Copy, Debug)]
pub struct VariantPr<'a> {
    /// Whose.
    pub variant: Variant<'a>,
    /// The curve.
    pub curve: &'a PrCurve,
}

/// The input of [`pr_curves()`].
#[derive(Clone, Debug)]
pub struct PrCurves<'a> {
    /// Title and context.
    pub heading: Heading<'a>,
    /// The curves.
    pub curves: Vec<VariantPr<'a>>,
    /// The run's t_E, marked on every curve.
    pub t_e: f64,
}

/// Draws precision against recall, and both over t_E.
pub fn pr_curves(data: &PrCurves<'_>) -> Result<Figure> {
    if data.curves.is_empty() {
        return Err(problem(FIGURE, &"there is no curve to draw"));
    }
    let variants: Vec<Variant<'_>> = data.curves.iter().map(|c| c.variant).collect();
    let looks = lines::looks(&variants);
    let mut svg = Svg::new(3.0 * SIDE + 160.0);
    let best = data
        .curves
        .iter()
        .filter_map(|c| Some((c.variant.label, c.curve.area.value()?)))
        .max_by(|a, b| a.1.total_cmp(&b.1));
    let finding = match (best, data.curves.len()) {
        (None, _) => "No variant ever signals an event".to_owned(),
        (Some((name, area)), 1) => {
            format!("{name} has an area of {} below its precision–recall curve", digits(area))
        }
        (Some((name, area)), _) => {
            format!("{name} has the largest area below its precision–recall curve: {}", digits(area))
        }
    };
    let (title, y) = chart::heading(&mut svg, &data.heading, finding, "");
    let mut entries = lines::entries(&variants, &looks);
    entries.push(Entry {
        name: format!("at t_E = {}", data.t_e),
        draw: Box::new(|svg, x, y| ring(svg, (x + 6.0, y))),
        width: 12.0,
    });
    let y = chart::legend(&mut svg, &entries, y);
    // Rare events are hard to predict: axes up to 100 % would often show nothing but their corner.
    let all = || data.curves.iter().flat_map(|c| &c.curve.points);
    let most = |values: &mut dyn Iterator<Item = f64>| (1.08 * values.fold(0.0, f64::max)).clamp(0.01, 1.0);
    let highest_recall = most(&mut all().filter_map(|p| p.recall.value()));
    let highest_precision = most(&mut all().filter_map(|p| p.precision.value()));
    let panel = |k: usize, x: f64, top: f64| {
        let left = 66.0 + k as f64 * (SIDE + 44.0);
        Panel::new(left, y + 24.0, left + SIDE - 24.0, y + 24.0 + SIDE - 40.0, (0.0, x), (0.0, top))
    };
    let names = ["precision against recall", "precision over t_E", "recall over t_E"];
    let (none, percent) = (Quantity::new("event threshold t_E", ""), Quantity::percent);
    let of = |what: &'static str| {
        move |p: &PrPoint| if what == "recall" { p.recall.value() } else { p.precision.value() }
    };
    let panels = [
        panel(0, highest_recall, highest_precision),
        panel(1, 1.0, highest_precision),
        panel(2, 1.0, highest_recall),
    ];
    panels[0].axes(&mut svg, &percent("recall"), &percent("precision"));
    panels[1].axes(&mut svg, &none, &percent("precision"));
    panels[2].axes(&mut svg, &none, &percent("recall"));
    for (p, name) in panels.iter().zip(names) {
        svg.text(p.middle().0, y + 14.0, name, Type::new(BODY).bold().anchor(Anchor::Middle));
    }
    for p in &panels[1..] {
        let x = p.x.at(data.t_e);
        svg.line((x, p.top()), (x, p.bottom()), Pen::new(GUIDE, 1.0).dashed("5 4"));
    }
    for (k, c) in data.curves.iter().enumerate() {
        let place = (k, data.curves.len());
        let points = &c.curve.points;
        let pairs: Vec<(f64, f64)> = points
            .iter()
            .filter_map(|p| Some(panels[0].at(p.recall.value()?, p.precision.value()?)))
            .collect();
        draw_plane(&mut svg, &pairs, looks[k], c.variant.label);
        for (panel, what) in [(&panels[1], "precision"), (&panels[2], "recall")] {
            // Thresholds fall along the curve; the panel runs from left to right.
            let line: Vec<(f64, f64)> =
                points.iter().rev().filter_map(|p| Some(panel.at(p.t_e, of(what)(p)?))).collect();
            lines::draw(&mut svg, panel, &line, looks[k], c.variant.label, place);
        }
        // The point in force at t_E is the last one whose threshold is not below it.
        if let Some(at) = points.iter().rfind(|p| p.t_e >= data.t_e)
            && let (Some(r), Some(p)) = (at.recall.value(), at.precision.value())
        {
            ring(&mut svg, panels[0].at(r, p));
        }
    }
    let silent: Vec<&str> = data
        .curves
        .iter()
        .filter(|c| c.curve.points.iter().all(|p| p.precision.value().is_none()))
        .map(|c| c.variant.label)
        .collect();
    if !silent.is_empty() {
        let text = format!("no signal at any t_E: {}", silent.join(", "));
        svg.text(panels[0].left() + 6.0, panels[0].top() + 12.0, &text, Type::new(11.0).colour(MUTED).halo());
    }
    let rows: Vec<String> = data
        .curves
        .iter()
        .map(|c| {
            format!(
                "{}: area {}",
                c.variant.label,
                c.curve.area.value().map_or_else(|| "undefined".to_owned(), digits)
            )
        })
        .collect();
    let description = format!("Precision and recall at every event threshold. {}.", rows.join("; "));
    svg.finish(FIGURE, panels[0].bottom() + 46.0, &title, &description)
}

/// A curve that may turn back, so its markers follow its length.
fn draw_plane(svg: &mut Svg, points: &[(f64, f64)], look: LineLook, hint: &str) {
    let line = lines::thinned(points);
    if line.is_empty() {
        return;
    }
    svg.hint(hint, |svg| {
        // Curves that turn back on themselves are drawn finer.
        svg.stroke_path(&Path::through(&line), Pen { width: 1.1, ..look.pen() });
        for k in 0..4 {
            let (x, y) = line[k * (line.len() - 1) / 3];
            svg.marker(look.look, x, y, 3.6, false);
        }
    });
}

fn ring(svg: &mut Svg, (x, y): (f64, f64)) {
    let mut path = Path::default();
    path.marker(super::style::Marker::Circle, x, y, 6.0);
    svg.stroke_path(&path, Pen::new(INK, 1.4));
}
