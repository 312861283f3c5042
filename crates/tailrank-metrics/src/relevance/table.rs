//! Relevance as the user's table: linear between the points, constant outside; or 1 inside given ranges and 0
//! elsewhere, which is classification as a special case.

use super::{EventRange, events::ranges_of_pieces};
use crate::{MetricError, Result};

/// (y, φ) pairs with straight lines between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    points: Vec<(f64, f64)>,
}

impl Table {
    pub(super) fn new(points: &[(f64, f64)]) -> Result<Self> {
        check_points("relevance table", points)?;
        Ok(Self { points: points.to_vec() })
    }

    /// The (y, φ) pairs, ascending in y.
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    pub(super) fn function(&self) -> impl Fn(f64) -> f64 {
        #[inline(always)]
        |y| {
            let after = self.points.partition_point(|p| p.0 <= y);
            if after == 0 {
                return if y.is_nan() { y } else { self.points[0].1 };
            }
            let (y0, phi0) = self.points[after - 1];
            let Some(&(y1, phi1)) = self.points.get(after) else { return phi0 };
            // Weights that sum to one keep φ between its neighbours.
            let w = (y - y0) / (y1 - y0);
            (phi0 * (1.0 - w) + phi1 * w).clamp(phi0.min(phi1), phi0.max(phi1))
        }
    }

    pub(super) fn event_bounds(&self, t: f64) -> Vec<EventRange> {
        let breaks: Vec<f64> = self.points.iter().map(|p| p.0).collect();
        ranges_of_pieces(&breaks, (0.0, 0.0), t, self.function())
    }
}

/// At least two points, finite, strictly ascending in y, φ within [0, 1].
pub(super) fn check_points(name: &'static str, points: &[(f64, f64)]) -> Result<()> {
    if points.len() < 2 {
        return Err(MetricError::Empty { name, needed: 2 });
    }
    for (i, &(y, phi)) in points.iter().enumerate() {
        let entry = |problem: String, fix| Err(MetricError::entry(name, i, problem, fix));
        if !y.is_finite() {
            return entry(format!("y is {y}"), "every y must be finite");
        }
        if !(0.0..=1.0).contains(&phi) {
            return entry(format!("relevance {phi} is outside 0 to 1"), "give a relevance from 0 to 1");
        }
        if i > 0 && y == points[i - 1].0 {
            return entry(format!("y = {y} stands twice"), "give each y once");
        }
        if i > 0 && y < points[i - 1].0 {
            return entry(format!("y = {y} stands after {}", points[i - 1].0), "sort the points by y");
        }
    }
    Ok(())
}

/// φ(y) = I(y in one of the closed ranges).
#[derive(Clone, Debug, PartialEq)]
pub struct Indicator {
    ranges: Vec<EventRange>,
}

impl Indicator {
    pub(super) fn new(ranges: &[(f64, f64)]) -> Result<Self> {
        const NAME: &str = "relevant ranges";
        if ranges.is_empty() {
            return Err(MetricError::Empty { name: NAME, needed: 1 });
        }
        for (i, &(from, to)) in ranges.iter().enumerate() {
            let entry = |problem: String, fix| Err(MetricError::entry(NAME, i, problem, fix));
            if from.is_nan() || to.is_nan() || from > to {
                return entry(format!("[{from}, {to}] is not a range"), "write the smaller end first");
            }
            if i > 0 && from <= ranges[i - 1].1 {
                return entry(
                    format!("[{from}, {to}] begins before the range ahead of it ends at {}", ranges[i - 1].1),
                    "sort the ranges and keep them apart",
                );
            }
        }
        Ok(Self { ranges: ranges.iter().map(|&(from, to)| EventRange { from, to }).collect() })
    }

    /// The ranges, ascending.
    pub fn ranges(&self) -> &[EventRange] {
        &self.ranges
    }

    pub(super) fn function(&self) -> impl Fn(f64) -> f64 {
        #[inline(always)]
        |y| {
            let inside = self.ranges.iter().fold(false, |inside, r| inside | ((y >= r.from) & (y <= r.to)));
            f64::from(u8::from(inside))
        }
    }
}
