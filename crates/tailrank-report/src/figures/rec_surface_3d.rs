//! A REC surface in space, as REC05 Fig. 2 has it: the bold line at the far end is the REC curve.

use super::*;

const FIGURE: &str = "REC surface in space";
/// Most facets along an axis; finer grids are taken every so many steps.
const FACETS: usize = 36;
/// How far the view is turned, and how steeply it looks down, in radians.
const TURN: f64 = 0.62;
const TILT: f64 = 0.50;

/// Draws D(e, y) as a surface in space, seen from small errors and low targets.
pub fn rec_surface_3d(data: &RecSurfaceFigure<'_>) -> Result<Figure> {
    rec_surface::check(FIGURE, data.surface)?;
    let (errors, targets) = (data.surface.error_grid(), data.surface.target_grid());
    let note = "height: P(error ≤ e and target ≤ y); the bold line is the REC curve";
    let finding = rec_surface::finding(data);
    let (mut svg, top) = chart::start(FIGURE, 640.0, &data.heading, finding, note, &[]);
    let view = View { centre: (320.0, top + 206.0), size: 270.0 };
    let unit = |grid: &[f64]| Scale::new((grid[0], grid[grid.len() - 1]), (0.0, 1.0));
    let (ue, uy) = (unit(errors), unit(targets));
    let (is, js) = (thin(errors.len()), thin(targets.len()));
    let at = |i: usize, j: usize| view.at(uy.at(targets[j]), ue.at(errors[i]), data.surface.at(i, j));

    // The floor, the two walls behind, and their lines.
    let floor = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)]
        .map(|(y, e, d)| view.at(y, e, d));
    let mut path = Path::default();
    path.polygon(&floor);
    svg.fill_path(&path, "#fafafa", 1.0, Some(Pen::new(RULE, 0.8)));
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
            let mut facet = Path::default();
            facet.polygon(&corners.map(|(i, j)| at(i, j)));
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
    svg.finish(bottom, &rec_surface::description(data))
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
