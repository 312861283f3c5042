//! Utility of every pair of true and predicted value: a heat map with iso-lines (UT08 Fig. 4).

use tailrank_metrics::rec::{Interval, even_grid};

use super::{
    contour::{Grid, draw_labels},
    *,
};

const FIGURE: &str = "utility surface";
/// Bands of colour on each side of zero.
const BANDS: usize = 10;
/// Values along each axis of a task's surface.
const POINTS: usize = 80;

/// The input of [`utility_surface()`].
#[derive(Clone, Copy, Debug)]
pub struct UtilitySurface<'a> {
    /// Title and context.
    pub heading: Heading<'a>,
    /// What the target is.
    pub target: Quantity<'a>,
    /// True values, ascending.
    pub truth: &'a [f64],
    /// Predicted values, ascending.
    pub predicted: &'a [f64],
    /// One row per true value, one height per prediction, as `Ut08::surface` gives them.
    pub heights: &'a [Vec<f64>],
}

/// All but the outermost values of a task.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let Some(settings) = task.settings() else { return Ok(()) };
    let (Some(phi), Some(utility)) = (&settings.relevance, settings.utility) else { return Ok(()) };
    let mut sorted = task.truth.clone();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted.get((sorted.len().saturating_sub(1) as f64 * share) as usize).copied();
    let range = at(0.002).zip(at(0.998)).and_then(|(low, high)| Interval::new(low, high).ok());
    let Some(Ok(values)) = range.map(|range| even_grid(range, POINTS)) else { return Ok(()) };
    let Ok(heights) = utility.surface(&values, &values, phi) else { return Ok(()) };
    let target = task.quantity(&task.target);
    let heading = sheet.heading;
    let data = UtilitySurface { heading, target, truth: &values, predicted: &values, heights: &heights };
    sheet.add("", utility_surface(&data))
}

/// Draws a utility surface: violet is benefit, brown with dashed lines is cost.
pub fn utility_surface(data: &UtilitySurface<'_>) -> Result<Figure> {
    finite(FIGURE, "the true values", data.truth)?;
    finite(FIGURE, "the predictions", data.predicted)?;
    same_length(FIGURE, "the surface", data.heights.len(), data.truth.len())?;
    for row in data.heights {
        same_length(FIGURE, "a row of the surface", row.len(), data.predicted.len())?;
        finite(FIGURE, "the surface", row)?;
    }
    // True values run across, predictions up.
    let (w, h) = (data.truth.len(), data.predicted.len());
    require(FIGURE, w > 1 && h > 1, "at least two values are needed along each axis")?;
    let heights: Vec<f64> = (0..h).flat_map(|j| (0..w).map(move |i| data.heights[i][j])).collect();
    let (least, most) = extent(heights.iter().copied()).unwrap_or((0.0, 1.0));
    let reach = least.abs().max(most.abs()).max(1e-12);

    let gain = short(if least < 0.0 { most.max(0.0) } else { most });
    let finding = match least < 0.0 {
        true => format!("A hit earns up to {gain}, an error costs up to {}", short(-least)),
        false => format!("A hit earns up to {gain}, no prediction costs anything"),
    };
    let note = "solid lines: benefit, dashed: cost";
    let (mut svg, y) = chart::start(FIGURE, data.heading.width(600.0), &data.heading, finding, note, &[]);

    let side = svg.width - 200.0;
    let [x, up] = [data.truth, data.predicted].map(|v| (v[0], v[v.len() - 1]));
    let panel = Panel::new(74.0, y + 8.0, 74.0 + side, y + 8.0 + side, x, up);
    let colours: Vec<String> =
        (0..=2 * BANDS).map(|k| diverging((k as f64 - BANDS as f64) / BANDS as f64)).collect();
    let band = |u: f64| ((u / reach + 1.0) * BANDS as f64).round() as usize;
    let grid = Grid { xs: data.truth, ys: data.predicted, heights: &heights };
    grid.fill(&mut svg, &panel, band, &colours);
    let mut labels = Vec::new();
    // No line at zero, where the surface is flat over all irrelevant values.
    for level in [-0.8, -0.6, -0.4, -0.2, 0.2, 0.4, 0.6, 0.8] {
        let at = level * reach;
        let pen = Pen::new(INK, 0.9).dashed(if level < 0.0 { "4 2.5" } else { "" });
        grid.draw_iso_line(&mut svg, &panel, at, &short(at), pen, &mut labels);
    }
    let (from, to) = (panel.x.low.max(panel.y.low), panel.x.high.min(panel.y.high));
    svg.line(panel.at(from, from), panel.at(to, to), Pen::new("#ffffff", 1.2).dashed("2 3"));
    let (tx, ty) = (panel.x.ticks(5, data.target.scale), panel.y.ticks(5, data.target.scale));
    let named = |what: &str| format!("{what} {}", data.target.label());
    panel.x_axis(&mut svg, &tx, &named("true"));
    panel.y_axis(&mut svg, &ty, &named("predicted"), 46.0);
    draw_labels(&mut svg, &labels);
    let (left, top) = (panel.right() + 26.0, panel.top());
    panel.colour_key(&mut svg, left, &colours);
    for level in [-1.0, -0.5, 0.0, 0.5, 1.0] {
        let y = top + side * (0.5 - 0.5 * level * (2.0 * BANDS as f64) / (2 * BANDS + 1) as f64);
        svg.text(left + 22.0, y + 4.0, &short(level * reach), Type::new(SMALL));
    }
    svg.text(left + 62.0, panel.middle().1, "utility U", Type::new(12.0).anchor(Anchor::Middle).turned(90.0));
    let (name, least, most) = (data.target.name, digits(least), digits(most));
    let description =
        format!("Utility of a prediction over true and predicted {name}: from {least} to {most}.");
    svg.finish(panel.bottom() + 46.0, &description)
}
