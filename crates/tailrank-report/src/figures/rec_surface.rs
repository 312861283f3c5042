//! A REC surface from above, with iso-lines (REC05 Fig. 2–4).

use tailrank_metrics::rec::RecSurface;

use super::{
    contour::{Grid, draw_labels},
    *,
};

const FIGURE: &str = "REC surface";
const BANDS: usize = 20;

/// The input of [`rec_surface()`] and [`rec_surface_3d()`](super::rec_surface_3d()).
#[derive(Clone, Copy, Debug)]
pub struct RecSurfaceFigure<'a> {
    /// Title and context.
    pub heading: Heading<'a>,
    /// Whose errors.
    pub variant: Variant<'a>,
    /// What the error is.
    pub error: Quantity<'a>,
    /// What the target is.
    pub target: Quantity<'a>,
    /// The surface, on finite grids.
    pub surface: &'a RecSurface,
    /// Which end of the target matters.
    pub tail: Tail,
}

/// An end of the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tail {
    /// Its lowest tenth.
    #[default]
    Lowest,
    /// Its highest tenth.
    Highest,
}

impl Tail {
    const fn name(self) -> &'static str {
        match self {
            Self::Lowest => "lowest",
            Self::Highest => "highest",
        }
    }
}

/// Draws D(e, y) = P(ε ≤ e, Y ≤ y): the target across, the error up, darker for more cases.
pub fn rec_surface(data: &RecSurfaceFigure<'_>) -> Result<Figure> {
    check(FIGURE, data.surface)?;
    let (errors, targets) = (data.surface.error_grid(), data.surface.target_grid());
    let heights = data.surface.heights();
    let note = "lines: P(error ≤ e and target ≤ y)";
    let (mut svg, y) = chart::start(FIGURE, 640.0, &data.heading, finding(data), note, &[]);
    let ends = |v: &[f64]| (v[0], v[v.len() - 1]);
    let panel = Panel::new(74.0, y + 8.0, 540.0, y + 348.0, ends(targets), ends(errors));
    let colours: Vec<String> = (0..BANDS).map(|k| sequential((k as f64 + 0.5) / BANDS as f64)).collect();
    let grid = Grid { xs: targets, ys: errors, heights: &heights };
    grid.fill(&mut svg, &panel, |d| (d * BANDS as f64) as usize, &colours);
    let mut labels = Vec::new();
    for level in [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] {
        let label = format!("{:.0}%", 100.0 * level);
        grid.draw_iso_line(&mut svg, &panel, level, &label, Pen::new(INK, 0.8), &mut labels);
    }
    draw_labels(&mut svg, &labels);
    let (tx, ty) = (panel.x.ticks(6, data.target.scale), panel.y.ticks(6, data.error.scale));
    panel.x_axis(&mut svg, &tx, &format!("y: {}", data.target.label()));
    panel.y_axis(&mut svg, &ty, &format!("e: {}", data.error.label()), 46.0);
    let left = panel.right() + 24.0;
    panel.colour_key(&mut svg, left, &colours);
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let y = panel.bottom() - share * (panel.bottom() - panel.top());
        svg.text(left + 21.0, y + 4.0, &format!("{:.0}", 100.0 * share), Type::new(SMALL));
    }
    svg.text(left + 52.0, panel.middle().1, "cases (%)", Type::new(12.0).anchor(Anchor::Middle).turned(90.0));
    svg.finish(panel.bottom() + 46.0, &description(data))
}

/// Refuses grids that cannot be drawn.
pub(super) fn check(figure: &str, surface: &RecSurface) -> Result<()> {
    let (errors, targets) = (surface.error_grid(), surface.target_grid());
    let enough = errors.len() > 1 && targets.len() > 1;
    require(figure, enough, "at least two values are needed along each axis")?;
    let finite = errors.iter().chain(targets).all(|v| v.is_finite());
    require(figure, finite, "the grids must be finite to be drawn")
}

/// The error within which half of the counted cases stay, to the grid's resolution.
fn median_error(surface: &RecSurface, slice: &[f64]) -> Option<f64> {
    let all = *slice.last()?;
    let half = slice.iter().position(|&d| all > 0.0 && d >= 0.5 * all)?;
    surface.error_grid().get(half).copied()
}

/// Medians of the error over all cases and over a tenth of the target.
fn medians(surface: &RecSurface, tail: Tail) -> Option<(f64, f64)> {
    let last_error = surface.error_grid().len() - 1;
    let by_target = surface.along_targets(last_error);
    let all = surface.along_errors(by_target.len() - 1);
    let tenth = match tail {
        Tail::Lowest => surface.along_errors(by_target.iter().position(|&d| d >= 0.1)?),
        Tail::Highest => {
            // What lies below is taken off.
            let most = 0.9 * by_target.last()?;
            let below = surface.along_errors(by_target.iter().rposition(|&d| d <= most)?);
            all.iter().zip(&below).map(|(a, b)| a - b).collect()
        }
    };
    Some((median_error(surface, &all)?, median_error(surface, &tenth)?))
}

pub(super) fn finding(data: &RecSurfaceFigure<'_>) -> String {
    let name = data.variant.label;
    let Some((all, low)) = medians(data.surface, data.tail) else {
        return format!("{name}: where its errors lie");
    };
    let how = match low / all {
        r if r >= 1.25 => "errs more",
        r if r <= 0.8 => "errs less",
        _ => "errs alike",
    };
    let (tail, low, all) = (data.tail.name(), data.error.value(low), data.error.value(all));
    format!("{name} {how} on the {tail} tenth of the target: median error {low} against {all} overall")
}

pub(super) fn description(data: &RecSurfaceFigure<'_>) -> String {
    let medians = medians(data.surface, data.tail).map_or_else(String::new, |(all, low)| {
        let (tail, low, all) = (data.tail.name(), data.error.value(low), data.error.value(all));
        format!(
            " Half of all errors are within {all}. On the {tail} tenth of the target half are within {low}."
        )
    });
    format!("Share of cases of {} with an error up to e and a target up to y.{medians}", data.variant.label)
}
