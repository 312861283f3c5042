//! Precision and recall at every event threshold t_E: against each other, and each over t_E.

use tailrank_metrics::{PrCurve, PrPoint, pr_curve};

use super::*;

const FIGURE: &str = "precision-recall curves";
/// Round the points at the run's own t_E.
const RING: Mark = Mark::stroke(Shape::Outline(Marker::Circle), Pen::new(INK, 1.4));

/// The winners of a task.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let Some(settings) = task.settings() else { return Ok(()) };
    let (Some(phi), Some(alpha)) = (&settings.relevance, &settings.accuracy) else { return Ok(()) };
    let curves = task.curves(|z| pr_curve(&task.truth, z, phi, alpha))?;
    sheet.add("", pr_curves(sheet.heading, &curves, settings.t_e))
}

/// Draws precision against recall, and both over t_E; the run's own t_E is marked on every curve.
pub fn pr_curves(heading: Heading<'_>, curves: &[VariantCurve<'_, PrCurve>], t_e: f64) -> Result<Figure> {
    require(FIGURE, !curves.is_empty(), "there is no curve to draw")?;
    let looks = lines::looks(curves.iter().map(|c| c.variant));
    let areas = curves.iter().filter_map(|c| Some((c.variant.label, c.curve.area.value()?)));
    let finding = match (areas.max_by(|a, b| a.1.total_cmp(&b.1)), curves.len()) {
        (None, _) => "No model ever signals an event".to_owned(),
        (Some((name, area)), 1) => {
            format!("{name} has an area of {} below its precision–recall curve", digits(area))
        }
        (Some((name, area)), _) => {
            format!("{name} has the largest area below its precision–recall curve: {}", digits(area))
        }
    };
    let mut entries = lines::entries(&looks);
    entries.push(Entry::mark(format!("at t_E = {t_e}"), RING, 12.0, 6.0));
    let recall = |p: &PrPoint| p.recall.value();
    let precision = |p: &PrPoint| p.precision.value();
    // Rare events are hard to predict: axes up to 100 % would often show nothing but their corner.
    let most = |of: fn(&PrPoint) -> Option<f64>| {
        let all = curves.iter().flat_map(|c| &c.curve.points).filter_map(of);
        (1.08 * all.fold(0.0, f64::max)).clamp(0.01, 1.0)
    };
    let threshold = (Quantity::new("event threshold t_E", ""), 1.0);
    let [recalled, precise] = [("recall", most(recall)), ("precision", most(precision))]
        .map(|(name, end)| (Quantity::percent(name), end));
    let described = [
        ("precision against recall", recalled, precise),
        ("precision over t_E", threshold, precise),
        ("recall over t_E", threshold, recalled),
    ];
    let (mut svg, panels) = chart::three_panels(FIGURE, heading, finding, &entries, described);
    for p in &panels[1..] {
        let x = p.x.at(t_e);
        svg.line((x, p.top()), (x, p.bottom()), Pen::new(GUIDE, 1.0).dashed("5 4"));
    }
    for (c, look) in curves.iter().zip(&looks) {
        let points = &c.curve.points;
        let plane = |p: &PrPoint| Some(panels[0].at(recall(p)?, precision(p)?));
        let pairs: Vec<Point> = points.iter().filter_map(plane).collect();
        draw_plane(&mut svg, &pairs, look);
        for (panel, of) in [(&panels[1], precision as fn(&PrPoint) -> Option<f64>), (&panels[2], recall)] {
            // Thresholds fall along the curve; the panel runs from left to right.
            let line: Vec<Point> =
                points.iter().rev().filter_map(|p| Some(panel.at(p.t_e, of(p)?))).collect();
            lines::draw(&mut svg, panel, &line, look, look.label);
        }
        // The point in force at t_E is the last one whose threshold is not below it.
        if let Some(at) = points.iter().rfind(|p| p.t_e >= t_e).and_then(plane) {
            svg.marks(RING, &[at], 6.0);
        }
    }
    let never = |c: &&VariantCurve<'_, PrCurve>| c.curve.points.iter().all(|p| precision(p).is_none());
    let silent = joined(curves.iter().filter(never), ", ", |c| c.variant.label.to_owned());
    if !silent.is_empty() {
        let (x, y) = (panels[0].left() + 6.0, panels[0].top() + 12.0);
        let set = Type::new(11.0).colour(MUTED).halo();
        svg.text(x, y, &format!("no signal at any t_E: {silent}"), set);
    }
    let rows = joined(curves, "; ", |c| {
        format!("{}: area {}", c.variant.label, or_undefined(c.curve.area.value().map(digits)))
    });
    let description = format!("Precision and recall at every event threshold. {rows}.");
    svg.finish(panels[2].bottom() + 46.0, &description)
}

/// A curve that may turn back, so its markers follow its length.
fn draw_plane(svg: &mut Svg, points: &[Point], look: &LineLook<'_>) {
    let line = lines::thinned(points);
    if line.is_empty() {
        return;
    }
    svg.hint(look.label, |svg| {
        // Curves that turn back on themselves are drawn finer.
        svg.stroke_path(&Path::through(&line), Pen { width: 1.1, ..look.pen() });
        for k in 0..4 {
            let (x, y) = line[k * (line.len() - 1) / 3];
            svg.marker(look.look, x, y, 3.6, false);
        }
    });
}
