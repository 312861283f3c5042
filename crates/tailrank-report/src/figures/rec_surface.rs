//! A REC surface from above, with iso-lines (REC05 Fig. 2–4), and in space.

use tailrank_metrics::rec::{Interval, RecError, RecSurface, even_grid};

use super::{
    contour::{Grid, draw_labels},
    *,
};

const FROM_ABOVE: &str = "REC surface";
const IN_SPACE: &str = "REC surface in space";
const BANDS: usize = 20;
/// Values along each axis of a task's surface.
const POINTS: usize = 60;

/// The input of [`rec_surface()`] and [`rec_surface_3d()`].
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

/// The winners of a task.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let events = task.events()?;
    let lowest = events.is_none_or(|r| r.first().is_none_or(|r| r.from == f64::NEG_INFINITY));
    for winner in task.winners() {
        let Some(surface) = surface(&task.truth, winner.predicted) else { continue };
        let data = RecSurfaceFigure {
            heading: sheet.heading,
            variant: winner.variant,
            error: task.quantity("absolute error"),
            target: task.quantity(&task.target),
            surface: &surface,
            tail: if lowest { Tail::Lowest } else { Tail::Highest },
        };
        sheet.add(&format!(", {}", winner.note), rec_surface(&data))?;
    }
    Ok(())
}

/// The REC surface over the errors up to their 99.5 % quantile and all targets; none where either does not vary.
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
pub fn rec_surface(data: &RecSurfaceFigure<'_>) -> Result<Figure> {
    check(FROM_ABOVE, data.surface)?;
    let (errors, targets) = (data.surface.error_grid(), data.surface.target_grid());
    let heights = data.surface.heights();
    let note = "lines: P(error ≤ e and target ≤ y)";
    let (mut svg, y) =
        chart::start(FROM_ABOVE, data.heading.width(640.0), &data.heading, finding(data), note, &[]);
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
fn check(figure: &str, surface: &RecSurface) -> Result<()> {
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

fn finding(data: &RecSurfaceFigure<'_>) -> String {
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

fn description(data: &RecSurfaceFigure<'_>) -> String {
    let medians = medians(data.surface, data.tail).map_or_else(String::new, |(all, low)| {
        let (tail, low, all) = (data.tail.name(), data.error.value(low), data.error.value(all));
        format!(
            " Half of all errors are within {all}. On the {tail} tenth of the target half are within {low}."
        )
    });
    format!("Share of cases of {} with an error up to e and a target up to y.{medians}", data.variant.label)
}

/// Most facets along an axis; finer grids are taken every so many steps.
const FACETS: usize = 36;
/// How far the view is turned, and how steeply it looks down, in radians.
const TURN: f64 = 0.62;
const TILT: f64 = 0.50;

/// Draws D(e, y) as a surface in space, seen from small errors and low targets, as REC05 Fig. 2 has it: the bold line at the far end is
/// the REC curve.
pub fn rec_surface_3d(data: &RecSurfaceFigure<'_>) -> Result<Figure> {
    check(IN_SPACE, data.surface)?;
    let (errors, targets) = (data.surface.error_grid(), data.surface.target_grid());
    let note = "height: P(error ≤ e and target ≤ y); the bold line is the REC curve";
    let (mut svg, top) =
        chart::start(IN_SPACE, data.heading.width(640.0), &data.heading, finding(data), note, &[]);
    let shrink = data.heading.shrink(640.0);
    let view = View { centre: (0.5 * svg.width, top + 206.0 * shrink), size: 270.0 * shrink };
    let unit = |grid: &[f64]| Scale::new((grid[0], grid[grid.len() - 1]), (0.0, 1.0));
    let (ue, uy) = (unit(errors), unit(targets));
    let (is, js) = (thin(errors.len()), thin(targets.len()));
    let at = |i: usize, j: usize| view.at(uy.at(targets[j]), ue.at(errors[i]), data.surface.at(i, j));

    // The floor, the two walls behind, and their lines.
    let floor = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)]
        .map(|(y, e, d)| view.at(y, e, d));
    svg.fill_path(&Path::closed(&floor), "#fafafa", 1.0, Some(Pen::new(RULE, 0.8)));
    for level in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let line = [view.at(0.0, 1.0, level), view.at(1.0, 1.0, level), view.at(1.0, 0.0, level)];
        svg.stroke_path(&Path::through(&line), Pen::new(RULE, 0.8));
    }
    for (y, e) in [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0)] {
        svg.line(view.at(y, e, 0.0), view.at(y, e, 1.0), Pen::new(GUIDE, 0.8));
    }
    // Facets from far to near, so that nearer ones cover what is behind them.
    for &[i, i2] in pairs(&is).iter().rev() {
        for &[j, j2] in pairs(&js).iter().rev() {
            let corners = [(i, j), (i2, j), (i2, j2), (i, j2)];
            let facet = Path::closed(&corners.map(|(i, j)| at(i, j)));
            let [a, b, c, d] = corners.map(|(i, j)| data.surface.at(i, j));
            let colour = sequential(0.06 + 0.88 * (0.25 * (a + b + c + d)));
            svg.fill_path(&facet, &colour, 1.0, Some(Pen::new("#6b6b7a", 0.35)));
        }
    }
    let last = targets.len() - 1;
    let curve: Vec<(f64, f64)> = is.iter().map(|&i| at(i, last)).collect();
    svg.stroke_path(&Path::through(&curve), Pen::new(INK, 2.6));

    // Axes: target along the near left edge, error along the near right edge, height at the left.
    for tick in uy.ticks(4, data.target.scale) {
        let (x, y) = view.at(uy.at(tick.at), 0.0, 0.0);
        svg.line((x, y), (x - 3.0, y + 4.0), Pen::new(INK, 0.8));
        svg.text(x - 5.0, y + 14.0, &tick.label, Type::new(SMALL).anchor(Anchor::Middle));
    }
    // The last error tick would meet the zero of the height.
    let is_clear = |tick: &Tick| ue.at(tick.at) < 0.95;
    for tick in ue.ticks(4, data.error.scale).into_iter().filter(is_clear) {
        let (x, y) = view.at(0.0, ue.at(tick.at), 0.0);
        svg.line((x, y), (x - 4.0, y + 2.0), Pen::new(INK, 0.8));
        svg.text(x - 7.0, y + 7.0, &tick.label, Type::new(SMALL).anchor(Anchor::End));
    }
    let (near, left) = (view.at(0.0, 0.0, 0.0), view.at(0.0, 1.0, 0.0));
    for (from, to) in [(near, view.at(1.0, 0.0, 0.0)), (near, left), (left, view.at(0.0, 1.0, 1.0))] {
        svg.line(from, to, Pen::new(INK, 0.9));
    }
    for level in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let (x, y) = view.at(0.0, 1.0, level);
        svg.line((x - 4.0, y), (x, y), Pen::new(INK, 0.8));
        svg.text(x - 7.0, y + 4.0, &format!("{:.0}", 100.0 * level), Type::new(SMALL).anchor(Anchor::End));
    }
    let label = |svg: &mut Svg, at: (f64, f64), text: &str, anchor, turn| {
        svg.text(at.0, at.1, text, Type::new(BODY).anchor(anchor).turned(turn));
    };
    let (x, y) = view.at(0.55, 0.0, 0.0);
    label(&mut svg, (x + 14.0, y + 34.0), &format!("y: {}", data.target.label()), Anchor::Start, 0.0);
    let (x, y) = view.at(0.0, 0.45, 0.0);
    label(&mut svg, (x - 22.0, y + 34.0), &format!("e: {}", data.error.label()), Anchor::End, 0.0);
    let (x, y) = view.at(0.0, 1.0, 0.5);
    label(&mut svg, (x - 36.0, y), "cases (%)", Anchor::Middle, -90.0);
    let bottom = near.1.max(view.at(1.0, 0.0, 0.0).1) + 30.0;
    svg.finish(bottom, &description(data))
}

/// A parallel view of the unit cube.
struct View {
    centre: (f64, f64),
    size: f64,
}

impl View {
    /// The pixel of (target, error, height), all within 0 to 1.
    fn at(&self, y: f64, e: f64, d: f64) -> (f64, f64) {
        let (a, b) = (y - 0.5, e - 0.5);
        // The target runs to the right and away, the error to the left and away.
        let across = a * TURN.cos() - b * TURN.sin();
        let away = a * TURN.sin() + b * TURN.cos();
        let x = self.centre.0 + 1.25 * self.size * across;
        let z = self.centre.1 - self.size * (away * TILT.sin() + (0.85 * d - 0.42) * TILT.cos());
        (x, z)
    }
}

/// About `FACETS` places from first to last.
fn thin(n: usize) -> Vec<usize> {
    let step = n.div_ceil(FACETS).max(1);
    let mut places: Vec<usize> = (0..n).step_by(step).collect();
    if places.last() != Some(&(n - 1)) {
        places.push(n - 1);
    }
    places
}

fn pairs(places: &[usize]) -> Vec<[usize; 2]> {
    places.windows(2).map(|w| [w[0], w[1]]).collect()
}
