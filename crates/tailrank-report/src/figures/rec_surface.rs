//! A REC surface from above, with iso-lines (REC05 Fig. 2–4).

use tailrank_metrics::{
    rec::{Interval, RecError, RecSurface, even_grid},
    relevance::Flank,
};

use super::{
    contour::{Grid, draw_labels},
    *,
};

const FIGURE: &str = "REC surface";
const BANDS: usize = 20;
/// Values along each axis of a task's surface.
const POINTS: usize = 60;

/// The winners of a task.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let events = task.events()?;
    let is_low = events.is_none_or(|r| r.first().is_none_or(|r| r.from == f64::NEG_INFINITY));
    let tail = if is_low { Flank::Low } else { Flank::High };
    for winner in task.winners() {
        let Some(surface) = surface(&task.truth, winner.predicted) else { continue };
        let figure = rec_surface(sheet.heading, winner.variant, task.quantity(&task.target), &surface, tail);
        sheet.add(&format!(", {}", winner.note), figure)?;
    }
    Ok(())
}

/// The REC surface over the errors up to their 99.5 % quantile and all targets; none where either does not
/// vary.
fn surface(truth: &[f64], predicted: &[f64]) -> Option<RecSurface> {
    let mut errors: Vec<f64> = truth.iter().zip(predicted).map(|(y, z)| (z - y).abs()).collect();
    errors.sort_by(f64::total_cmp);
    let most = *errors.get(errors.len() * 995 / 1000)?;
    let (low, high) = extent(truth.iter().copied())?;
    let errors = even_grid(Interval::new(0.0, most).ok()?, POINTS).ok()?;
    let targets = even_grid(Interval::new(low, high).ok()?, POINTS).ok()?;
    RecSurface::new(truth, predicted, RecError::Absolute, errors, targets).ok()
}

/// Draws D(e, y) = P(ε ≤ e, Y ≤ y): the target across, the error up, darker for more cases.
pub fn rec_surface(
    heading: Heading<'_>,
    variant: Variant<'_>,
    target: Quantity<'_>,
    surface: &RecSurface,
    tail: Flank,
) -> Result<Figure> {
    let (errors, targets) = (surface.error_grid(), surface.target_grid());
    let enough = errors.len() > 1 && targets.len() > 1;
    require(FIGURE, enough, "at least two values are needed along each axis")?;
    let finite = errors.iter().chain(targets).all(|v| v.is_finite());
    require(FIGURE, finite, "the grids must be finite to be drawn")?;
    let heights = surface.heights();
    let (finding, description) = texts(variant.label, target.error(), medians(surface, tail), tail);
    let note = "lines: P(error ≤ e and target ≤ y)";
    let (mut svg, y) = chart::start(FIGURE, 640.0, heading, finding, note, &[]);
    let ends = |v: &[f64]| (v[0], v[v.len() - 1]);
    let panel = Panel::new(74.0, y + 8.0, svg.width - 100.0, y + 348.0, ends(targets), ends(errors));
    let colours: Vec<String> = (0..BANDS).map(|k| sequential((k as f64 + 0.5) / BANDS as f64)).collect();
    let grid = Grid { xs: targets, ys: errors, heights: &heights };
    grid.fill(&mut svg, &panel, |d| (d * BANDS as f64) as usize, &colours);
    let mut labels = Vec::new();
    for level in [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] {
        let label = format!("{:.0}%", 100.0 * level);
        grid.draw_iso_line(&mut svg, &panel, level, &label, Pen::new(INK, 0.8), &mut labels);
    }
    draw_labels(&mut svg, &labels);
    let (tx, ty) = (panel.x.ticks(6, target.scale), panel.y.ticks(6, target.error().scale));
    panel.x_axis(&mut svg, &tx, &format!("y: {}", target.label()));
    panel.y_axis(&mut svg, &ty, &format!("e: {}", target.error().label()), 46.0);
    let left = panel.right() + 24.0;
    panel.colour_key(&mut svg, left, &colours);
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let y = panel.bottom() - share * (panel.bottom() - panel.top());
        svg.text(left + 21.0, y + 4.0, &format!("{:.0}", 100.0 * share), Type::new(SMALL));
    }
    svg.text(left + 52.0, panel.middle().1, "cases (%)", Type::new(12.0).anchor(Anchor::Middle).turned(90.0));
    svg.finish(panel.bottom() + 46.0, &description)
}

/// The error within which half of the counted cases stay, to the grid's resolution.
fn median_error(surface: &RecSurface, slice: &[f64]) -> Option<f64> {
    let all = *slice.last()?;
    let half = slice.iter().position(|&d| all > 0.0 && d >= 0.5 * all)?;
    surface.error_grid().get(half).copied()
}

/// Medians of the error over all cases and over a tenth of the target.
fn medians(surface: &RecSurface, tail: Flank) -> Option<(f64, f64)> {
    let last_error = surface.error_grid().len() - 1;
    let by_target = surface.along_targets(last_error);
    let all = surface.along_errors(by_target.len() - 1);
    let tenth = match tail {
        Flank::Low => surface.along_errors(by_target.iter().position(|&d| d >= 0.1)?),
        Flank::High => {
            // What lies below is taken off.
            let most = 0.9 * by_target.last()?;
            let below = surface.along_errors(by_target.iter().rposition(|&d| d <= most)?);
            all.iter().zip(&below).map(|(a, b)| a - b).collect()
        }
    };
    Some((median_error(surface, &all)?, median_error(surface, &tenth)?))
}

/// The title, and what it does not say for readers who do not see the figure.
fn texts(name: &str, error: Quantity<'_>, medians: Option<(f64, f64)>, tail: Flank) -> (String, String) {
    let shares = format!("Share of cases of {name} with an error up to e and a target up to y.");
    let Some((all, tenth)) = medians else {
        return (format!("{name}: where its errors lie"), shares);
    };
    let how = match tenth / all {
        r if r >= 1.25 => "errs more",
        r if r <= 0.8 => "errs less",
        _ => "errs alike",
    };
    let tail = if tail == Flank::Low { "lowest" } else { "highest" };
    let [tenth, all] = [tenth, all].map(|median| error.value(median));
    let title =
        format!("{name} {how} on the {tail} tenth of the target: median error {tenth} against {all} overall");
    let medians = format!(
        "Half of all errors are within {all}. On the {tail} tenth of the target half are within {tenth}."
    );
    (title, format!("{shares} {medians}"))
}
