//! Relevance as a piecewise cubic through control points, the `phi` of R's uba, UBL and IRon.

use super::{BoxPlot, BoxStats, EventRange, Extremes, box_plot, events::ranges_of_pieces};
use crate::{
    MetricError, Result,
    error::{check_finite, check_lengths},
};

/// A point that the relevance function passes through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControlPoint {
    /// Target value.
    pub y: f64,
    /// Relevance there.
    pub phi: f64,
    /// Slope there, before the monotonicity correction.
    pub slope: f64,
}

/// One cubic: φ(y) = a + s·(b + s·(c + s·d)) with s = y − `start`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cubic {
    pub(super) start: f64,
    pub(super) a: f64,
    pub(super) b: f64,
    pub(super) c: f64,
    pub(super) d: f64,
}

/// Piecewise cubic Hermite interpolation with the Fritsch–Carlson correction, in uba's order of steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Pchip {
    points: Vec<ControlPoint>,
    /// Slopes after the correction; uba finds its bumps where these are exactly zero.
    slopes: Vec<f64>,
    pub(super) knots: Vec<f64>,
    /// One piece before the first knot, one from each knot on.
    pub(super) pieces: Vec<Cubic>,
}

impl Pchip {
    /// Method `extremes`: relevance 1 at the whiskers (or adjusted fences) with outliers beyond, 0 at the
    /// median.
    pub(super) fn extremes(targets: &[f64], extremes: Extremes, coef: f64, kind: BoxPlot) -> Result<Self> {
        let stats = BoxStats::new(targets, coef, kind)?;
        box_plot::refuse_constant(stats.min, stats.max)?;
        let (low, high) = match kind {
            BoxPlot::Plain => (stats.lower_whisker, stats.upper_whisker),
            BoxPlot::Adjusted => (stats.lower_fence, stats.upper_fence),
        };
        // IRon puts φ = 1 at an adjusted fence whether or not a target lies beyond it; uba and UBL only when
        // one does.
        let always = kind == BoxPlot::Adjusted;
        let has_low = extremes.low() && (always || stats.min < stats.lower_fence);
        let has_high = extremes.high() && (always || stats.max > stats.upper_fence);
        if !(has_low || has_high) {
            let side = match extremes {
                Extremes::Low => "below",
                Extremes::High => "above",
                Extremes::Both => "outside",
            };
            let BoxStats { lower_fence, upper_fence, .. } = stats;
            let problem = format!(
                "no target lies {side} the box plot's fences [{lower_fence}, {upper_fence}], so every relevance would be 0"
            );
            let fix = "lower the coefficient of the whiskers, change `extremes`, or give control points";
            return Err(MetricError::no_relevance(problem, fix));
        }
        let first = if has_low { (low, 1.0) } else { (stats.min, 0.0) };
        let last = if has_high { (high, 1.0) } else { (stats.max, 0.0) };
        if (has_low && low >= stats.median) || (has_high && high <= stats.median) {
            let problem = format!("the box has no width: a whisker ends at the median {}", stats.median);
            return Err(MetricError::no_relevance(problem, "give control points"));
        }
        let mut points = vec![first, (stats.median, 0.0), last];
        // A sample whose minimum (maximum) is its median needs no third point; uba would divide by zero here.
        points.dedup();
        let slopes = vec![0.0; points.len()];
        Self::through(&points, &slopes)
    }

    /// Method `range`: the user's points; without slopes 0 at both ends and the mean of the neighbouring
    /// secants inside.
    pub(super) fn range(points: &[(f64, f64)], slopes: Option<&[f64]>) -> Result<Self> {
        super::table::check_points("control points", points)?;
        match slopes {
            Some(slopes) => {
                check_lengths("slopes", slopes.len(), "control points", points.len())?;
                check_finite("slopes", slopes)?;
                Self::through(points, slopes)
            }
            None => {
                let secants = secants(points);
                let mut slopes = vec![0.0; points.len()];
                for i in 1..points.len() - 1 {
                    slopes[i] = (secants[i - 1] + secants[i]) / 2.0;
                }
                Self::through(points, &slopes)
            }
        }
    }

    fn through(points: &[(f64, f64)], given: &[f64]) -> Result<Self> {
        let secants = secants(points);
        let mut m = given.to_vec();
        for (i, &secant) in secants.iter().enumerate() {
            monotone(secant, &mut m, i);
        }
        let mut pieces = Vec::with_capacity(points.len() + 1);
        let straight = |i: usize| Cubic { start: points[i].0, a: points[i].1, b: m[i], c: 0.0, d: 0.0 };
        pieces.push(straight(0));
        for (i, &secant) in secants.iter().enumerate() {
            let h = points[i + 1].0 - points[i].0;
            let c = (3.0 * secant - 2.0 * m[i] - m[i + 1]) / h;
            let d = (m[i] - 2.0 * secant + m[i + 1]) / (h * h);
            pieces.push(Cubic { c, d, ..straight(i) });
        }
        pieces.push(straight(points.len() - 1));
        let points: Vec<ControlPoint> =
            points.iter().zip(given).map(|(&(y, phi), &slope)| ControlPoint { y, phi, slope }).collect();
        let knots = points.iter().map(|p| p.y).collect();
        Ok(Self { points, slopes: m, knots, pieces })
    }

    /// The control points as given (or derived), in ascending order.
    pub fn control_points(&self) -> &[ControlPoint] {
        &self.points
    }

    /// The slopes after the monotonicity correction, one per control point.
    pub fn corrected_slopes(&self) -> &[f64] {
        &self.slopes
    }

    /// φ as uba, UBL and IRon compute it, without clamping: points whose slopes are not zero at a minimum or
    /// maximum give values slightly outside [0, 1].
    #[inline]
    pub fn phi_unclamped(&self, y: f64) -> f64 {
        // A sum of comparisons: for the usual 3 to 8 points quicker than a search, and without branches.
        let piece: usize = self.knots.iter().map(|&knot| usize::from(y >= knot)).sum();
        self.pieces[piece].at(y)
    }

    pub(super) fn function(&self) -> impl Fn(f64) -> f64 {
        #[inline(always)]
        |y| self.phi_unclamped(y).clamp(0.0, 1.0)
    }

    /// (y, φ) at the control points and wherever φ turns between them: φ is monotone from each to the next.
    pub(super) fn turns(&self) -> Vec<(f64, f64)> {
        let mut breaks = Vec::new();
        for (i, piece) in self.pieces.iter().enumerate() {
            if i > 0 {
                breaks.push(piece.start);
            }
            let end = self.knots.get(i).copied().unwrap_or(f64::INFINITY);
            breaks.extend(
                piece.turning_points().into_iter().flatten().filter(|&y| y > piece.start && y < end && i > 0),
            );
        }
        breaks.sort_by(f64::total_cmp);
        breaks.into_iter().map(|y| (y, self.phi_unclamped(y))).collect()
    }

    /// Where φ ≥ t.
    pub(super) fn event_bounds(&self, t: f64) -> Vec<EventRange> {
        let breaks: Vec<f64> = self.turns().into_iter().map(|(y, _)| y).collect();
        let (first, last) = (self.pieces[0], self.pieces[self.pieces.len() - 1]);
        ranges_of_pieces(&breaks, (first.b, last.b), t, |y| self.phi_unclamped(y))
    }
}

impl Cubic {
    #[inline(always)]
    pub(super) fn at(&self, y: f64) -> f64 {
        let s = y - self.start;
        self.a + s * (self.b + s * (self.c + s * self.d))
    }

    /// Where the derivative vanishes.
    pub(super) fn turning_points(&self) -> [Option<f64>; 2] {
        let (a, b, c) = (3.0 * self.d, 2.0 * self.c, self.b);
        if a == 0.0 {
            return [(b != 0.0).then(|| self.start - c / b), None];
        }
        let discriminant = b * b - 4.0 * a * c;
        if discriminant < 0.0 {
            return [None, None];
        }
        let root = discriminant.sqrt();
        [Some(self.start + (-b - root) / (2.0 * a)), Some(self.start + (-b + root) / (2.0 * a))]
    }
}

fn secants(points: &[(f64, f64)]) -> Vec<f64> {
    points.windows(2).map(|w| (w[1].1 - w[0].1) / (w[1].0 - w[0].0)).collect()
}

/// Corrects the slopes at both ends of interval `i` in place, so that a later interval sees the change.
fn monotone(secant: f64, m: &mut [f64], i: usize) {
    if secant == 0.0 {
        m[i] = 0.0;
        m[i + 1] = 0.0;
        return;
    }
    // A slope against the secant is turned round, not set to zero: uba's rule.
    for slope in &mut m[i..=i + 1] {
        if *slope / secant < 0.0 {
            *slope = -*slope;
        }
    }
    let (a, b) = (m[i] / secant, m[i + 1] / secant);
    let (u, v) = (2.0 * a + b - 3.0, a + 2.0 * b - 3.0);
    if u > 0.0 && v > 0.0 && a * (u + v) < u * u {
        let scale = 3.0 * secant / (a * a + b * b).sqrt();
        m[i] = scale * a;
        m[i + 1] = scale * b;
    }
}
