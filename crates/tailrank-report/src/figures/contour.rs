//! Surfaces on a grid: iso-lines (marching squares) and fills by bands.
//!
//! Crates for contours close every line along the border of the grid, as polygons; an iso-line on a chart
//! ends there.

use std::collections::BTreeMap;

use super::{Anchor, Panel, Path, Pen, Point, Svg, Type, thinned};

/// Heights over two ascending axes, row by row: `heights[j * xs.len() + i]` stands at (`xs[i]`, `ys[j]`).
pub(super) struct Grid<'a> {
    pub(super) xs: &'a [f64],
    pub(super) ys: &'a [f64],
    pub(super) heights: &'a [f64],
}

impl Grid<'_> {
    fn at(&self, i: usize, j: usize) -> f64 {
        self.heights[j * self.xs.len() + i]
    }

    /// The lines along which the surface has the height `level`, in data units.
    pub(super) fn iso_lines(&self, level: f64) -> Vec<Vec<Point>> {
        let mut pieces: Vec<[Edge; 2]> = Vec::new();
        for j in 0..self.ys.len().saturating_sub(1) {
            for i in 0..self.xs.len().saturating_sub(1) {
                self.cell(i, j, level, &mut pieces);
            }
        }
        let line = |chain: Vec<Edge>| chain.into_iter().map(|edge| self.crossing(edge, level)).collect();
        chains(&pieces).into_iter().map(line).collect()
    }

    fn cell(&self, i: usize, j: usize, level: f64, pieces: &mut Vec<[Edge; 2]>) {
        let above = |i, j| self.at(i, j) >= level;
        let corners = [above(i, j), above(i + 1, j), above(i + 1, j + 1), above(i, j + 1)];
        // Edges: below, right, above, left.
        let edges = [
            Edge { i, j, up: false },
            Edge { i: i + 1, j, up: true },
            Edge { i, j: j + 1, up: false },
            Edge { i, j, up: true },
        ];
        let crossed: Vec<Edge> =
            (0..4).filter(|&k| corners[k] != corners[(k + 1) % 4]).map(|k| edges[k]).collect();
        match crossed[..] {
            [a, b] => pieces.push([a, b]),
            [below, right, over, left] => {
                // A saddle: the mean height decides which corners hang together.
                let mean =
                    0.25 * (self.at(i, j) + self.at(i + 1, j) + self.at(i + 1, j + 1) + self.at(i, j + 1));
                if (mean >= level) == corners[0] {
                    pieces.push([below, right]);
                    pieces.push([over, left]);
                } else {
                    pieces.push([left, below]);
                    pieces.push([right, over]);
                }
            }
            _ => {}
        }
    }

    fn crossing(&self, edge: Edge, level: f64) -> Point {
        let (i2, j2) = if edge.up { (edge.i, edge.j + 1) } else { (edge.i + 1, edge.j) };
        let (a, b) = (self.at(edge.i, edge.j), self.at(i2, j2));
        let t = if a == b { 0.5 } else { ((level - a) / (b - a)).clamp(0.0, 1.0) };
        let mix = |from: f64, to: f64| from + t * (to - from);
        (mix(self.xs[edge.i], self.xs[i2]), mix(self.ys[edge.j], self.ys[j2]))
    }

    /// Fills the panel by bands of height: cells of one band and row are merged, one path per band.
    pub(super) fn fill(&self, svg: &mut Svg, panel: &Panel, band: impl Fn(f64) -> usize, colours: &[String]) {
        let mut paths = vec![Path::default(); colours.len()];
        let bounds = |values: &[f64], k: usize| {
            let mid = |a: usize, b: usize| 0.5 * (values[a] + values[b]);
            let low = if k == 0 { values[0] } else { mid(k - 1, k) };
            let high = if k + 1 == values.len() { values[k] } else { mid(k, k + 1) };
            (low, high)
        };
        // Runs of one band in a row; a run that goes on in the next row grows upwards.
        let mut open: Vec<(usize, usize, usize, usize)> = Vec::new();
        let mut close = |(of, first, last, from): (usize, usize, usize, usize), to: usize| {
            let (left, right) = (panel.x.at(bounds(self.xs, first).0), panel.x.at(bounds(self.xs, last).1));
            let (top, bottom) = (panel.y.at(bounds(self.ys, to).1), panel.y.at(bounds(self.ys, from).0));
            // A hair of overlap hides the seams.
            paths[of].rectangle(left, top - 0.3, right - left, bottom - top + 0.3);
        };
        for j in 0..self.ys.len() {
            let band_at = |i: usize| band(self.at(i, j)).min(colours.len() - 1);
            let mut runs = Vec::new();
            let mut i = 0;
            while i < self.xs.len() {
                let (of, first) = (band_at(i), i);
                while i < self.xs.len() && band_at(i) == of {
                    i += 1;
                }
                let going_on = open.iter().find(|o| (o.0, o.1, o.2) == (of, first, i - 1));
                runs.push(going_on.copied().unwrap_or((of, first, i - 1, j)));
            }
            for &ended in open.iter().filter(|o| !runs.contains(o)) {
                close(ended, j - 1);
            }
            open = runs;
        }
        for &run in &open {
            close(run, self.ys.len() - 1);
        }
        for (path, colour) in paths.iter().zip(colours) {
            svg.fill_path(path, colour, 1.0, None);
        }
    }

    /// Draws an iso-line with its label on its longest piece, where it meets no label in `taken`; adds its
    /// own.
    pub(super) fn draw_iso_line(
        &self,
        svg: &mut Svg,
        panel: &Panel,
        level: f64,
        label: &str,
        pen: Pen<'_>,
        taken: &mut Vec<Label>,
    ) {
        let pixels = |line: Vec<Point>| line.into_iter().map(|(x, y)| panel.at(x, y)).collect();
        let lines: Vec<Vec<Point>> = self.iso_lines(level).into_iter().map(pixels).collect();
        for line in &lines {
            svg.stroke_path(&Path::through(&thinned(line)), pen);
        }
        let longest = lines.iter().max_by(|a, b| length(a).total_cmp(&length(b)));
        let Some(longest) = longest.filter(|line| length(line) >= 60.0) else { return };
        let free = |&(x, y): &Point| {
            let clear = |((lx, ly), _): &Label| (lx - x).abs() > 34.0 || (ly - y).abs() > 14.0;
            let across = x > panel.left() + 18.0 && x < panel.right() - 18.0;
            let up = y > panel.top() + 12.0 && y < panel.bottom() - 12.0;
            across && up && taken.iter().all(clear)
        };
        let places = [50, 42, 58, 34, 66, 26, 74, 18, 82].map(|p| longest[p * (longest.len() - 1) / 100]);
        if let Some(&at) = places.iter().find(|p| free(p)) {
            taken.push((at, label.to_owned()));
        }
    }
}

/// A label on an iso-line; all are drawn last, above every line.
pub(super) type Label = (Point, String);

pub(super) fn draw_labels(svg: &mut Svg, labels: &[Label]) {
    for ((x, y), text) in labels {
        svg.text(*x, y + 3.5, text, Type::new(10.0).anchor(Anchor::Middle).halo());
    }
}

fn length(line: &[Point]) -> f64 {
    line.windows(2).map(|w| (w[1].0 - w[0].0).hypot(w[1].1 - w[0].1)).sum()
}

/// A grid edge from (i, j) to the right, or up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Edge {
    i: usize,
    j: usize,
    up: bool,
}

/// Joins pieces that share an edge to chains, open ones first.
fn chains(pieces: &[[Edge; 2]]) -> Vec<Vec<Edge>> {
    let mut at: BTreeMap<Edge, Vec<usize>> = BTreeMap::new();
    for (k, piece) in pieces.iter().enumerate() {
        for edge in piece {
            at.entry(*edge).or_default().push(k);
        }
    }
    let mut used = vec![false; pieces.len()];
    let mut chains = Vec::new();
    let ends = at.iter().filter(|(_, of)| of.len() == 1).map(|(edge, _)| *edge);
    for start in ends.chain(pieces.iter().map(|p| p[0])) {
        let mut chain = vec![start];
        let mut edge = start;
        while let Some(&k) = at.get(&edge).and_then(|of| of.iter().find(|&&k| !used[k])) {
            used[k] = true;
            edge = if pieces[k][0] == edge { pieces[k][1] } else { pieces[k][0] };
            chain.push(edge);
        }
        if chain.len() > 1 {
            chains.push(chain);
        }
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_has_straight_lines() {
        let (xs, ys) = ([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0]);
        let heights: Vec<f64> = ys.iter().flat_map(|_| xs).collect();
        let lines = Grid { xs: &xs, ys: &ys, heights: &heights }.iso_lines(1.5);
        assert_eq!(lines, [vec![(1.5, 0.0), (1.5, 1.0), (1.5, 2.0)]]);
    }

    #[test]
    fn a_hill_has_a_closed_line() {
        let xs: Vec<f64> = (-10..=10).map(f64::from).collect();
        let heights: Vec<f64> =
            xs.iter().flat_map(|y| xs.iter().map(move |x| 50.0 - x * x - y * y)).collect();
        let lines = Grid { xs: &xs, ys: &xs, heights: &heights }.iso_lines(14.0);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].first(), lines[0].last());
        // The circle x² + y² = 36, up to the error of straight pieces.
        assert!(lines[0].iter().all(|(x, y)| (x.hypot(*y) - 6.0).abs() < 0.05));
    }

    #[test]
    fn no_line_above_the_surface() {
        let grid = Grid { xs: &[0.0, 1.0], ys: &[0.0, 1.0], heights: &[0.0; 4] };
        assert!(grid.iso_lines(1.0).is_empty());
    }
}
