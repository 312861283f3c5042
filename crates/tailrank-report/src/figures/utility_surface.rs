//! Utility of every pair of true and predicted value: a heat map with iso-lines (UT08 Fig. 4).

use tailrank_metrics::{
    Settings,
    rec::{Interval, even_grid},
};

use super::{
    contour::{Grid, draw_labels},
    *,
};

const FIGURE: &str = "utility surface";
/// Bands of colour on each side of zero.
const BANDS: usize = 10;
/// Values along each axis of a task's surface.
const POINTS: usize = 80;

/// All but the outermost values of a task.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let Some(Settings { relevance: Some(phi), utility: Some(utility), .. }) = task.settings() else {
        return Ok(());
    };
    let mut sorted = task.truth.clone();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted.get((sorted.len().saturating_sub(1) as f64 * share) as usize).copied();
    let range = at(0.002).zip(at(0.998)).and_then(|(low, high)| Interval::new(low, high).ok());
    let Some(Ok(values)) = range.map(|range| even_grid(range, POINTS)) else { return Ok(()) };
    let Ok(heights) = utility.surface(&values, &values, phi) else { return Ok(()) };
    sheet.add("", utility_surface(sheet.heading, task.quantity(&task.target), &values, &heights))
}

/// Draws a utility surface: violet is benefit, brown with dashed lines is cost. `values` ascend, and
/// `heights` has a row for each true one and in it a height for each predicted one, as `Ut08::surface` gives
/// them.
pub fn utility_surface(
    heading: Heading<'_>,
    target: Quantity<'_>,
    values: &[f64],
    heights: &[Vec<f64>],
) -> Result<Figure> {
    let n = values.len();
    finite(FIGURE, "the values", values)?;
    same_length(FIGURE, "the surface", heights.len(), n)?;
    for row in heights {
        same_length(FIGURE, "a row of the surface", row.len(), n)?;
        finite(FIGURE, "the surface", row)?;
    }
    require(FIGURE, n > 1, "at least two values are needed along each axis")?;
    // True values run across, predictions up.
    let heights: Vec<f64> = (0..n).flat_map(|j| (0..n).map(move |i| heights[i][j])).collect();
    let (least, most) = extent(heights.iter().copied()).unwrap_or((0.0, 1.0));
    let reach = least.abs().max(most.abs()).max(1e-12);

    let gain = short(if least < 0.0 { most.max(0.0) } else { most });
    let finding = match least < 0.0 {
        true => format!("A hit earns up to {gain}, an error costs up to {}", short(-least)),
        false => format!("A hit earns up to {gain}, no prediction costs anything"),
    };
    let note = "solid lines: benefit, dashed: cost";
    let (mut svg, y) = chart::start(FIGURE, 600.0, heading, finding, note, &[]);

    let side = svg.width - 200.0;
    let ends = (values[0], values[n - 1]);
    let panel = Panel::new(74.0, y + 8.0, 74.0 + side, y + 8.0 + side, ends, ends);
    let colours: Vec<String> =
        (0..=2 * BANDS).map(|k| diverging((k as f64 - BANDS as f64) / BANDS as f64)).collect();
    let band = |u: f64| ((u / reach + 1.0) * BANDS as f64).round() as usize;
    let grid = Grid { xs: values, ys: values, heights: &heights };
    grid.fill(&mut svg, &panel, band, &colours);
    let mut labels = Vec::new();
    // No line at zero, where the surface is flat over all irrelevant values.
    for level in [-0.8, -0.6, -0.4, -0.2, 0.2, 0.4, 0.6, 0.8] {
        let at = level * reach;
        let pen = Pen::new(INK, 0.9).dashed(if level < 0.0 { "4 2.5" } else { "" });
        grid.draw_iso_line(&mut svg, &panel, at, &short(at), pen, &mut labels);
    }
    svg.line(panel.at(ends.0, ends.0), panel.at(ends.1, ends.1), Pen::new("#ffffff", 1.2).dashed("2 3"));
    let (ticks, name) = (panel.x.ticks(5, target.scale), target.label());
    panel.x_axis(&mut svg, &ticks, &format!("true {name}"));
    panel.y_axis(&mut svg, &ticks, &format!("predicted {name}"), 46.0);
    draw_labels(&mut svg, &labels);
    let (left, top) = (panel.right() + 26.0, panel.top());
    panel.colour_key(&mut svg, left, &colours);
    for level in [-1.0, -0.5, 0.0, 0.5, 1.0] {
        let y = top + side * (0.5 - 0.5 * level * (2.0 * BANDS as f64) / (2 * BANDS + 1) as f64);
        svg.text(left + 22.0, y + 4.0, &short(level * reach), Type::new(SMALL));
    }
    svg.text(left + 62.0, panel.middle().1, "utility U", Type::new(12.0).anchor(Anchor::Middle).turned(90.0));
    let (name, least, most) = (target.name, digits(least), digits(most));
    let description =
        format!("Utility of a prediction over true and predicted {name}: from {least} to {most}.");
    svg.finish(panel.bottom() + 46.0, &description)
}
