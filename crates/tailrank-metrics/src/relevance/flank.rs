//! The two flanks of φ: which side of its valley a value lies on.

use super::{Indicator, Relevance, Sigmoid};

/// The side of φ's valley.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flank {
    /// At or below the valley: small values matter here.
    Low,
    /// Above the valley: large values matter here.
    High,
}

impl Relevance {
    /// The flank of φ that `y` lies on.
    ///
    /// The flanks meet in the middle of φ's valley: the lowest stretch with more relevant values on both
    /// sides, the widest if several are equally low. A φ without a valley has one flank: low where φ falls,
    /// high otherwise.
    ///
    /// ```
    /// use tailrank_metrics::{Relevance, relevance::Flank};
    /// let both = Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4)?;
    /// assert_eq!((both.flank(-2.5), both.flank(2.5)), (Flank::Low, Flank::High));
    /// let low_only = Relevance::sigmoid(Some(-2.0), None, 0.5, 1e-4)?;
    /// assert_eq!(low_only.flank(2.5), Flank::Low);
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn flank(&self, y: f64) -> Flank {
        if y > self.valley() { Flank::High } else { Flank::Low }
    }

    /// The value above which the high flank begins; infinite for a φ with one flank.
    pub fn valley(&self) -> f64 {
        match self {
            Self::Sigmoid(sigmoid) => sigmoid.valley(),
            Self::Pchip(pchip) => lowest_valley(&pchip.turns()),
            Self::Table(table) => lowest_valley(table.points()),
            Self::Indicator(indicator) => indicator.valley(),
        }
    }
}

impl Sigmoid {
    /// Where the two logistic curves cross.
    pub(super) fn valley(&self) -> f64 {
        match (self.centres(), self.slopes()) {
            ((Some(low), Some(high)), (a, b)) => (a * low + b * high) / (a + b),
            ((Some(_), None), _) => f64::INFINITY,
            _ => f64::NEG_INFINITY,
        }
    }
}

impl Indicator {
    /// The middle of the widest gap between ranges.
    fn valley(&self) -> f64 {
        let ranges = self.ranges();
        let width = |w: &[super::EventRange]| w[1].from - w[0].to;
        match ranges.windows(2).reduce(|best, gap| if width(gap) > width(best) { gap } else { best }) {
            Some(gap) => gap[0].to + width(gap) / 2.0,
            None if ranges.iter().all(|r| r.from == f64::NEG_INFINITY && r.to < f64::INFINITY) => {
                f64::INFINITY
            }
            None => f64::NEG_INFINITY,
        }
    }
}

/// The middle of the lowest valley of a φ that is monotone between `points` and level or steeper outside.
fn lowest_valley(points: &[(f64, f64)]) -> f64 {
    let mut best: Option<(f64, f64, f64)> = None;
    let mut from = 0;
    while from < points.len() {
        let level = points[from].1;
        let mut to = from;
        while to + 1 < points.len() && points[to + 1].1 == level {
            to += 1;
        }
        let higher = |side: &[(f64, f64)]| side.iter().any(|p| p.1 > level);
        if higher(&points[..from]) && higher(&points[to + 1..]) {
            let (left, right) = (points[from].0, points[to].0);
            let better = |&(lowest, a, b): &(f64, f64, f64)| {
                level < lowest || (level == lowest && right - left > b - a)
            };
            if best.as_ref().is_none_or(better) {
                best = Some((level, left, right));
            }
        }
        from = to + 1;
    }
    match (best, points) {
        (Some((_, left, right)), _) => left + (right - left) / 2.0,
        (None, [first, .., last]) if first.1 > last.1 => f64::INFINITY,
        _ => f64::NEG_INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_valley_lies_between_the_flanks() {
        let table = |points: &[(f64, f64)]| Relevance::table(points).unwrap().valley();
        assert_eq!(table(&[(-3.0, 1.0), (-1.0, 0.0), (2.0, 0.0), (3.0, 1.0)]), 0.5);
        // The lower of two valleys, then the wider.
        assert_eq!(table(&[(0.0, 1.0), (1.0, 0.2), (2.0, 1.0), (3.0, 0.1), (4.0, 1.0)]), 3.0);
        assert_eq!(table(&[(0.0, 1.0), (1.0, 0.0), (2.0, 1.0), (3.0, 0.0), (4.0, 0.0), (5.0, 1.0)]), 3.5);
        // One flank: rising, falling, a single bump.
        assert_eq!(table(&[(0.0, 0.0), (1.0, 1.0)]), f64::NEG_INFINITY);
        assert_eq!(table(&[(0.0, 1.0), (1.0, 0.0)]), f64::INFINITY);
        assert_eq!(table(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]), f64::NEG_INFINITY);
    }

    #[test]
    fn every_kind_has_its_valley() {
        let sigmoid = |low, high| Relevance::sigmoid(low, high, 0.5, 1e-4).unwrap().valley();
        // Slopes are inverse to |c|: with centres −1 and 3 the curves cross at (−1/1 + 3/3)/(1 + 1/3) = 0.
        assert_eq!(sigmoid(Some(-1.0), Some(3.0)), 0.0);
        assert_eq!(sigmoid(Some(1.0), Some(3.0)), 1.5);
        assert_eq!((sigmoid(Some(1.0), None), sigmoid(None, Some(1.0))), (f64::INFINITY, f64::NEG_INFINITY));
        let indicator = |ranges: &[(f64, f64)]| Relevance::indicator(ranges).unwrap().valley();
        assert_eq!(indicator(&[(f64::NEG_INFINITY, -2.0), (3.0, f64::INFINITY)]), 0.5);
        assert_eq!(indicator(&[(f64::NEG_INFINITY, -2.0)]), f64::INFINITY);
        assert_eq!(indicator(&[(2.0, 3.0)]), f64::NEG_INFINITY);
        let pchip = Relevance::range(&[(-3.0, 1.0), (1.0, 0.0), (3.0, 1.0)], Some(&[0.0; 3])).unwrap();
        assert_eq!(pchip.valley(), 1.0);
    }

    #[test]
    fn of_two_valleys_of_one_depth_the_wider_counts() {
        let points = [(0.0, 1.0), (1.0, 0.0), (4.0, 0.0), (5.0, 1.0), (6.0, 0.0), (7.0, 0.0), (8.0, 1.0)];
        assert_eq!(Relevance::table(&points).unwrap().valley(), 2.5);
        let mirrored: Vec<(f64, f64)> = points.iter().rev().map(|&(y, phi)| (-y, phi)).collect();
        assert_eq!(Relevance::table(&mirrored).unwrap().valley(), -2.5);
    }
}
