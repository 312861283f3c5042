//! Curves of several variants in one panel: colour and marker from the family, dashes within a family.

use super::*;

/// Dashes of the first, second, … variant of a family.
const DASHES: [&str; 4] = ["", "7 3", "2.5 2.5", "9 3 2 3"];

/// How one variant's curve is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineLook<'a> {
    pub(super) label: &'a str,
    pub(super) look: Look,
    dash: &'static str,
    /// Where it stands among the curves, from 0 to 1: keeps their markers apart.
    place: f64,
}

impl LineLook<'_> {
    pub(super) fn pen(&self) -> Pen<'static> {
        Pen::new(self.look.colour, 1.8).dashed(self.dash)
    }

    /// Its entry in the legend.
    pub(super) fn entry(&self, name: &str) -> Entry<'static> {
        Entry::line(name, self.pen(), Some(self.look))
    }
}

/// The looks of variants that share a panel.
pub(super) fn looks<'a>(variants: impl IntoIterator<Item = Variant<'a>>) -> Vec<LineLook<'a>> {
    let variants: Vec<Variant<'a>> = variants.into_iter().collect();
    let families = Families::of(variants.iter().copied());
    let of = |(i, v): (usize, &Variant<'a>)| {
        let before = variants[..i].iter().filter(|other| other.family == v.family).count();
        let place = (i as f64 + 0.5) / variants.len() as f64;
        LineLook { label: v.label, look: families.look(v.family), dash: DASHES[before % DASHES.len()], place }
    };
    variants.iter().enumerate().map(of).collect()
}

/// The legend of variants with their lines.
pub(super) fn entries(looks: &[LineLook<'_>]) -> Vec<Entry<'static>> {
    looks.iter().map(|look| look.entry(look.label)).collect()
}

/// Leaves out points within half a pixel of the last one kept; first and last stay.
pub(super) fn thinned(points: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for (i, &p) in points.iter().enumerate() {
        let far = kept.last().is_none_or(|k| (k.0 - p.0).abs() >= 0.5 || (k.1 - p.1).abs() >= 0.5);
        if far || i + 1 == points.len() {
            kept.push(p);
        }
    }
    kept
}

/// Draws a curve given in pixels, with a few markers along it.
pub(super) fn draw(svg: &mut Svg, panel: &Panel, points: &[Point], look: &LineLook<'_>, hint: &str) {
    let line = thinned(points);
    if line.is_empty() {
        return;
    }
    svg.hint(hint, |svg| {
        // Yellow and light blue vanish on white without a darker line below.
        svg.stroke_path(&Path::through(&line), Pen::new("#222222", 2.4).dashed(look.dash).faint(0.35));
        svg.stroke_path(&Path::through(&line), look.pen());
        const MARKS: usize = 5;
        let step = (panel.right() - panel.left()) / MARKS as f64;
        for k in 0..MARKS {
            let x = panel.left() + step * (k as f64 + look.place);
            if let Some(y) = height_at(&line, x) {
                svg.marker(look.look, x, y, 3.6, false);
            }
        }
    });
}

/// The height of a line at `x`, where it runs from left to right.
fn height_at(line: &[Point], x: f64) -> Option<f64> {
    let next = line.iter().position(|p| p.0 >= x)?;
    let before = line.get(next.checked_sub(1)?)?;
    let after = line[next];
    let share = if after.0 > before.0 { (x - before.0) / (after.0 - before.0) } else { 1.0 };
    Some(before.1 + share * (after.1 - before.1))
}

/// The pixels of a step function over a panel: from the left edge at `start` to the right edge.
pub(super) fn steps(panel: &Panel, corners: impl Iterator<Item = Point>, start: f64) -> Vec<Point> {
    let shown: Vec<Point> = corners.take_while(|c| c.0 <= panel.x.high).collect();
    let (before, inside) = shown.split_at(shown.partition_point(|c| c.0 < panel.x.low));
    let mut height = before.last().map_or(start, |c| c.1);
    let mut points = vec![panel.at(panel.x.low, height)];
    for &(x, y) in inside {
        points.extend([panel.at(x, height), panel.at(x, y)]);
        height = y;
    }
    points.push(panel.at(panel.x.high, height));
    points
}

/// Draws the step functions of several variants.
pub(super) fn draw_steps<'a>(
    svg: &mut Svg,
    panel: &Panel,
    curves: &[VariantCurve<'a>],
    hint: impl Fn(&VariantCurve<'a>) -> String,
) {
    for (c, look) in curves.iter().zip(looks(curves.iter().map(|c| c.variant))) {
        let points = steps(panel, c.curve.corners(), 0.0);
        draw(svg, panel, &points, &look, &hint(c));
    }
}
