//! φ as polynomials, piece by piece, with the integrals up to each knot.

use super::{Indicator, Pchip, Table, events::bisect, integral::Stretch, pchip::Cubic};

/// Polynomials of degree three between knots, each already within [0, 1].
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pieces {
    knots: Vec<f64>,
    /// One piece before the first knot, one from each knot on.
    pieces: Vec<Cubic>,
    /// ∫ φ and ∫∫ φ from the first knot to each knot.
    up_to: Vec<(f64, f64)>,
}

/// Up to this many knots inside a stretch are summed piece by piece, to the last digit; beyond, the sums up
/// to each knot are subtracted, whose digits the distance from the first knot costs.
const FEW: usize = 32;

impl Pieces {
    /// `pieces[i]` holds from `knots[i − 1]` to `knots[i]`.
    fn new(knots: Vec<f64>, pieces: Vec<Cubic>) -> Self {
        let mut up_to = Vec::with_capacity(knots.len());
        let (mut area, mut double) = (0.0, 0.0);
        for (i, &knot) in knots.iter().enumerate() {
            if i > 0 {
                let width = knot - knots[i - 1];
                let stretch = pieces[i].over(knots[i - 1], knot);
                double += width * area + stretch.to_upper;
                area += stretch.area;
            }
            up_to.push((area, double));
        }
        Self { knots, pieces, up_to }
    }

    pub(super) fn of_table(table: &Table) -> Self {
        let points = table.points();
        let mut pieces = vec![Cubic::level(points[0].0, points[0].1)];
        for pair in points.windows(2) {
            let ((y0, phi0), (y1, phi1)) = (pair[0], pair[1]);
            pieces.push(Cubic { b: (phi1 - phi0) / (y1 - y0), ..Cubic::level(y0, phi0) });
        }
        pieces.extend(points.last().map(|&(y, phi)| Cubic::level(y, phi)));
        Self::new(points.iter().map(|p| p.0).collect(), pieces)
    }

    pub(super) fn of_indicator(indicator: &Indicator) -> Self {
        let mut knots = Vec::new();
        let mut levels = vec![0.0];
        for range in indicator.ranges() {
            if range.from == f64::NEG_INFINITY {
                levels = vec![1.0];
            } else if range.from.is_finite() {
                knots.push(range.from);
                levels.push(1.0);
            }
            if range.to.is_finite() {
                knots.push(range.to);
                levels.push(0.0);
            }
        }
        // A single range over the whole axis needs a knot all the same.
        if knots.is_empty() {
            knots.push(0.0);
            levels.push(levels[0]);
        }
        let starts = knots.iter().take(1).chain(&knots);
        let pieces = starts.zip(levels).map(|(&start, level)| Cubic::level(start, level)).collect();
        Self::new(knots, pieces)
    }

    /// The cubics of `pchip`, cut where they leave [0, 1].
    pub(super) fn of_pchip(pchip: &Pchip) -> Self {
        let (mut knots, mut pieces) = (Vec::new(), Vec::new());
        let edges = &pchip.knots;
        for (i, cubic) in pchip.pieces.iter().enumerate() {
            let from = if i == 0 { f64::NEG_INFINITY } else { edges[i - 1] };
            let to = edges.get(i).copied().unwrap_or(f64::INFINITY);
            let mut start = from;
            for end in cubic.leaves_unit_range(from, to).into_iter().chain([to]) {
                if start > f64::NEG_INFINITY {
                    knots.push(start);
                }
                pieces.push(cubic.within_unit_range(start, end));
                start = end;
            }
        }
        Self::new(knots, pieces)
    }

    pub(super) fn first_knot(&self) -> f64 {
        self.knots[0]
    }

    #[inline]
    pub(super) fn over(&self, from: f64, to: f64) -> Stretch {
        let first = self.knots.partition_point(|&knot| knot <= from);
        let last = first + self.knots[first..].partition_point(|&knot| knot <= to);
        if first == last {
            return self.pieces[first].over(from, to);
        }
        // From the first knot inside to the last.
        let (a, b) = (self.knots[first], self.knots[last - 1]);
        if last - first <= FEW {
            let mut whole = self.pieces[first].over(from, a);
            for i in first + 1..=last {
                let (start, end) = (self.knots[i - 1], self.knots.get(i).map_or(to, |knot| knot.min(to)));
                whole = whole.join(start - from, self.pieces[i].over(start, end), end - start);
            }
            return whole;
        }
        let ((area_a, double_a), (area_b, double_b)) = (self.up_to[first], self.up_to[last - 1]);
        let (width, area) = (b - a, area_b - area_a);
        let to_upper = double_b - double_a - width * area_a;
        let between = Stretch { area, to_upper, to_lower: width * area - to_upper };
        let head = self.pieces[first].over(from, a);
        head.join(a - from, between, width).join(b - from, self.pieces[last].over(b, to), to - b)
    }
}

impl Cubic {
    const fn level(start: f64, phi: f64) -> Self {
        Self { start, a: phi, b: 0.0, c: 0.0, d: 0.0 }
    }

    /// The polynomial itself integrated over [from, to]: about `from`, so that no digit is lost over a short
    /// stretch.
    #[inline]
    fn over(&self, from: f64, to: f64) -> Stretch {
        let Self { start, a, b, c, d } = *self;
        let (s, h) = (from - start, to - from);
        let p0 = a + s * (b + s * (c + s * d));
        let p1 = b + s * (2.0 * c + s * 3.0 * d);
        let p2 = c + s * 3.0 * d;
        let square = h * h;
        Stretch {
            area: h * (p0 + h * (p1 / 2.0 + h * (p2 / 3.0 + h * (d / 4.0)))),
            to_upper: square * (p0 / 2.0 + h * (p1 / 6.0 + h * (p2 / 12.0 + h * (d / 20.0)))),
            to_lower: square * (p0 / 2.0 + h * (p1 / 3.0 + h * (p2 / 4.0 + h * (d / 5.0)))),
        }
    }

    /// Where the polynomial passes 0 or 1 between `from` and `to`, ascending.
    fn leaves_unit_range(&self, from: f64, to: f64) -> Vec<f64> {
        if from == f64::NEG_INFINITY || to == f64::INFINITY {
            // Outside the control points φ is straight.
            let pass = |level: f64| self.start + (level - self.a) / self.b;
            let mut passes: Vec<f64> =
                [0.0, 1.0].map(pass).into_iter().filter(|&y| y > from && y < to).collect();
            passes.sort_by(f64::total_cmp);
            return passes;
        }
        let turns = self.turning_points().into_iter().flatten().filter(|&y| y > from && y < to);
        let mut breaks: Vec<f64> = turns.chain([from, to]).collect();
        breaks.sort_by(f64::total_cmp);
        let mut passes = Vec::new();
        for pair in breaks.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let (at_a, at_b) = (self.at(a), self.at(b));
            for level in if at_a < at_b { [0.0, 1.0] } else { [1.0, 0.0] } {
                if (at_a < level) != (at_b < level) {
                    let rising = at_a < at_b;
                    passes.push(bisect(a, b, |y| (self.at(y) < level) == rising).1);
                }
            }
        }
        passes.retain(|&y| y > from && y < to);
        passes.dedup();
        passes
    }

    /// The polynomial, or the level that holds it inside [0, 1] between two passes.
    fn within_unit_range(&self, from: f64, to: f64) -> Self {
        let middle = match (from.is_finite(), to.is_finite()) {
            (true, true) => from + (to - from) / 2.0,
            (true, false) => from + 1.0,
            (false, true) => to - 1.0,
            (false, false) => self.start,
        };
        match self.at(middle) {
            phi if phi > 1.0 => Self::level(self.start, 1.0),
            phi if phi < 0.0 => Self::level(self.start, 0.0),
            _ => *self,
        }
    }
}
