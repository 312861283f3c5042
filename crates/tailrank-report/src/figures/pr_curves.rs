//! Precision and recall at every event threshold t_E: against each other, and each over t_E.

use tailrank_metrics::{PrCurve, PrPoint, pr_curve};

use super::*;

const FIGURE: &str = "precision-recall curves";

/// A variant's precision–recall curve.
pub type VariantPr<'a> = VariantCurve<'a, PrCurve>;

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

/// The winners of a task.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let (winners, Some(settings)) = (task.winners(), task.settings()) else { return Ok(()) };
    let (Some(phi), Some(alpha)) = (&settings.relevance, &settings.accuracy) else { return Ok(()) };
    let found = task.curves(&winners, |z| pr_curve(&task.truth, z, phi, alpha))?;
    let curves = winners.iter().zip(&found).map(|(w, curve)| VariantPr { variant: w.variant, curve });
    let data = PrCurves { heading: sheet.heading, curves: curves.collect(), t_e: settings.t_e };
    sheet.add("", pr_curves(&data))
}

/// Draws precision against recall, and both over t_E.
pub fn pr_curves(data: &PrCurves<'_>) -> Result<Figure> {
    require(FIGURE, !data.curves.is_empty(), "there is no curve to draw")?;
    let variants: Vec<Variant<'_>> = data.curves.iter().map(|c| c.variant).collect();
    let looks = lines::looks(&variants);
    let areas = data.curves.iter().filter_map(|c| Some((c.variant.label, c.curve.area.value()?)));
    let finding = match (areas.max_by(|a, b| a.1.total_cmp(&b.1)), data.curves.len()) {
        (None, _) => "No model ever signals an event".to_owned(),
        (Some((name, area)), 1) => {
            format!("{name} has an area of {} below its precision–recall curve", digits(area))
        }
        (Some((name, area)), _) => {
            format!("{name} has the largest area below its precision–recall curve: {}", digits(area))
        }
    };
    let mut entries = lines::entries(&variants);
    let at_t_e = format!("at t_E = {}", data.t_e);
    entries.push(Entry::new(at_t_e, 12.0, |svg, x, y| ring(svg, (x + 6.0, y))));
    let width = chart::width_of_three(&data.heading);
    let (mut svg, y) = chart::start(FIGURE, width, &data.heading, finding, "", &entries);
    let recall = |p: &PrPoint| p.recall.value();
    let precision = |p: &PrPoint| p.precision.value();
    // Rare events are hard to predict: axes up to 100 % would often show nothing but their corner.
    let most = |of: fn(&PrPoint) -> Option<f64>| {
        let all = data.curves.iter().flat_map(|c| &c.curve.points).filter_map(of);
        (1.08 * all.fold(0.0, f64::max)).clamp(0.01, 1.0)
    };
    let (none, percent) = (Quantity::new("event threshold t_E", ""), Quantity::percent);
    let panels = chart::three_panels(
        &mut svg,
        y,
        ["precision against recall", "precision over t_E", "recall over t_E"],
        [(percent("recall"), most(recall)), (none, 1.0), (none, 1.0)],
        [
            (percent("precision"), most(precision)),
            (percent("precision"), most(precision)),
            (percent("recall"), most(recall)),
        ],
    );
    for p in &panels[1..] {
        let x = p.x.at(data.t_e);
        svg.line((x, p.top()), (x, p.bottom()), Pen::new(GUIDE, 1.0).dashed("5 4"));
    }
    for (k, c) in data.curves.iter().enumerate() {
        let points = &c.curve.points;
        let plane = |p: &PrPoint| Some(panels[0].at(recall(p)?, precision(p)?));
        let pairs: Vec<(f64, f64)> = points.iter().filter_map(plane).collect();
        draw_plane(&mut svg, &pairs, looks[k], c.variant.label);
        for (panel, of) in [(&panels[1], precision as fn(&PrPoint) -> Option<f64>), (&panels[2], recall)] {
            // Thresholds fall along the curve; the panel runs from left to right.
            let line: Vec<(f64, f64)> =
                points.iter().rev().filter_map(|p| Some(panel.at(p.t_e, of(p)?))).collect();
            lines::draw(&mut svg, panel, &line, looks[k], c.variant.label, (k, data.curves.len()));
        }
        // The point in force at t_E is the last one whose threshold is not below it.
        if let Some(at) = points.iter().rfind(|p| p.t_e >= data.t_e).and_then(plane) {
            ring(&mut svg, at);
        }
    }
    let never = |c: &&VariantPr<'_>| c.curve.points.iter().all(|p| precision(p).is_none());
    let silent = joined(data.curves.iter().filter(never), ", ", |c| c.variant.label.to_owned());
    if !silent.is_empty() {
        let (x, y) = (panels[0].left() + 6.0, panels[0].top() + 12.0);
        let set = Type::new(11.0).colour(MUTED).halo();
        svg.text(x, y, &format!("no signal at any t_E: {silent}"), set);
    }
    let rows = joined(&data.curves, "; ", |c| {
        format!("{}: area {}", c.variant.label, or_undefined(c.curve.area.value().map(digits)))
    });
    let description = format!("Precision and recall at every event threshold. {rows}.");
    svg.finish(panels[2].bottom() + 46.0, &description)
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

fn ring(svg: &mut Svg, at: (f64, f64)) {
    svg.stroke_path(&Path::markers(Marker::Circle, &[at], 6.0), Pen::new(INK, 1.4));
}
