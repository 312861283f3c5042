//! Utility of every pair of true and predicted value: a heat map with iso-lines (UT08 Fig. 4).

use super::{
    Figure, Heading, Quantity,
    axis::extent,
    chart::{self, Panel, SMALL},
    contour::{Grid, Label},
    data::{finite, problem, same_length},
    ramp::diverging,
    style::{INK, digits},
    svg::{Anchor, Pen, Svg, Type},
};
use crate::Result;

const FIGURE: &str = "utility surface";
/// Bands of colour on each side of zero.
const BANDS: usize = 10;

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

/// Draws a utility surface: violet is benefit, brown with dashed lines is cost.
pub fn utility_surface(data: &UtilitySurface<'_>) -> Result<Figure> {
    finite(FIGURE, "the true values", data.truth)?;
    finite(FIGURE, "the predictions", data.predicted)?;
    same_length(FIGURE, "the surface", data.heights.len(), data.truth.len())?;
    for row in data.heights {
        same_length(FIGURE, "a row of the surface", row.len(), data.predicted.len())?;
        finite(FIGURE, "the surface", row)?;
    }
    if data.truth.len() < 2 || data.predicted.len() < 2 {
        return Err(problem(FIGURE, &"at least two values are needed along each axis"));
    }
    // True values run across, predictions up.
    let (w, h) = (data.truth.len(), data.predicted.len());
    let heights: Vec<f64> = (0..h).flat_map(|j| (0..w).map(move |i| data.heights[i][j])).collect();
    let (least, most) = extent(heights.iter().copied()).unwrap_or((0.0, 1.0));
    let reach = least.abs().max(most.abs()).max(1e-12);

    let mut svg = Svg::new(600.0);
    let finding = if least < 0.0 {
        format!(
            "A hit earns up to {}, an error costs up to {}",
            digits_short(most.max(0.0)),
            digits_short(-least)
        )
    } else {
        format!("A hit earns up to {}, no prediction costs anything", digits_short(most))
    };
    let (title, y) = chart::heading(&mut svg, &data.heading, finding, "solid lines: benefit, dashed: cost");

    const SIDE: f64 = 400.0;
    let range = |v: &[f64]| (v[0], v[v.len() - 1]);
    let panel =
        Panel::new(74.0, y + 8.0, 74.0 + SIDE, y + 8.0 + SIDE, range(data.truth), range(data.predicted));
    let colours: Vec<String> =
        (0..=2 * BANDS).map(|k| diverging((k as f64 - BANDS as f64) / BANDS as f64)).collect();
    let band = |u: f64| ((u / reach + 1.0) * BANDS as f64).round() as usize;
    let grid = Grid { xs: data.truth, ys: data.predicted, heights: &heights };
    grid.fill(&mut svg, &panel, band, &colours);
    let mut labels = Vec::new();
    for level in [-0.8, -0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8] {
        let at = level * reach;
        let pen = if level < 0.0 { Pen::new(INK, 0.9).dashed("4 2.5") } else { Pen::new(INK, 0.9) };
        // The surface is flat at zero over all irrelevant values; its edge, just beside zero, is what can be seen.
        if level != 0.0 {
            grid.draw_iso_line(&mut svg, &panel, at, &digits_short(at), pen, &mut labels);
        }
    }
    svg.line(
        panel.at(panel.x.low.max(panel.y.low), panel.x.low.max(panel.y.low)),
        panel.at(panel.x.high.min(panel.y.high), panel.x.high.min(panel.y.high)),
        Pen::new("#ffffff", 1.2).dashed("2 3"),
    );
    let tx = panel.x.ticks(5, data.target.scale);
    let ty = panel.y.ticks(5, data.target.scale);
    let named = |what: &str| format!("{what} {}", data.target.label());
    panel.x_axis(&mut svg, &tx, &named("true"));
    panel.y_axis(&mut svg, &ty, &named("predicted"), 46.0);
    Label::draw_all(&mut svg, &labels);
    // The key.
    let (left, top, height) = (panel.right() + 26.0, panel.top(), SIDE / (2 * BANDS + 1) as f64);
    for (k, colour) in colours.iter().enumerate() {
        svg.rect(left, top + SIDE - height * (k + 1) as f64, 16.0, height + 0.3, colour);
    }
    for level in [-1.0, -0.5, 0.0, 0.5, 1.0] {
        let y = top + SIDE * (0.5 - 0.5 * level * (2.0 * BANDS as f64) / (2 * BANDS + 1) as f64);
        svg.text(left + 22.0, y + 4.0, &digits_short(level * reach), Type::new(SMALL));
    }
    svg.text(left + 62.0, panel.middle().1, "utility U", Type::new(12.0).anchor(Anchor::Middle).turned(90.0));
    let description = format!(
        "Utility of a prediction over true and predicted {}: from {} to {}.",
        data.target.name,
        digits(least),
        digits(most)
    );
    svg.finish(FIGURE, panel.bottom() + 46.0, &title, &description)
}

fn digits_short(value: f64) -> String {
    let text = digits(value);
    if text.contains('.') && !text.contains('e') {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    text
}
