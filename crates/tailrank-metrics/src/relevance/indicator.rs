//! Relevance 1 inside given ranges and 0 elsewhere: classification as a special case.

use super::EventRange;
use crate::{MetricError, Result};

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
