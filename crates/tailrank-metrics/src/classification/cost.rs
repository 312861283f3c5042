//! Cost curves (Drummond & Holte; WF §5.7): a classifier is a line, a suite of classifiers its lower
//! envelope.
//!
//! The horizontal axis is the probability cost function pc ∈ [0, 1], which carries class shares and costs
//! together; the vertical axis is the normalised expected cost, fn·pc + fp·(1 − pc). A line starts at its
//! false positive rate and ends at its false negative rate. Calling everything positive or nothing positive
//! are the two trivial lines.

use super::BinaryCounts;
use crate::error::{MetricError, Result, check_setting};

/// A classifier in cost space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostLine {
    /// False positive rate: the cost at pc = 0.
    pub fp_rate: f64,
    /// False negative rate: the cost at pc = 1.
    pub fn_rate: f64,
}

impl CostLine {
    /// Calls nothing positive.
    pub const ALWAYS_NEGATIVE: Self = Self { fp_rate: 0.0, fn_rate: 1.0 };
    /// Calls everything positive.
    pub const ALWAYS_POSITIVE: Self = Self { fp_rate: 1.0, fn_rate: 0.0 };

    /// Checks the rates.
    pub fn new(fp_rate: f64, fn_rate: f64) -> Result<Self> {
        for (name, value) in [("fp rate", fp_rate), ("fn rate", fn_rate)] {
            check_setting((0.0..=1.0).contains(&value), name, value, "a rate within 0 to 1")?;
        }
        Ok(Self { fp_rate, fn_rate })
    }

    /// Normalised expected cost at `pc`.
    pub fn cost(self, pc: f64) -> f64 {
        self.fn_rate * pc + self.fp_rate * (1.0 - pc)
    }

    /// The pc between which the classifier beats both trivial ones; none if it never does.
    ///
    /// ```
    /// use tailrank_metrics::classification::CostLine;
    ///
    /// // WF's classifier B: equal rates of a quarter.
    /// assert_eq!(CostLine::new(0.25, 0.25)?.operating_region(), Some((0.25, 0.75)));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn operating_region(self) -> Option<(f64, f64)> {
        let (fp, fn_) = (self.fp_rate, self.fn_rate);
        // fn·pc + fp·(1 − pc) < pc on the left, < 1 − pc on the right.
        let from = fp / (1.0 - fn_ + fp);
        let to = (1.0 - fp) / (1.0 - fp + fn_);
        (from < to).then_some((from, to))
    }
}

/// A stretch of the lower envelope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnvelopePiece {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// The cheapest classifier there.
    pub line: CostLine,
}

/// The lower envelope of the lines of a suite of classifiers.
#[derive(Clone, Debug, PartialEq)]
pub struct CostCurve {
    envelope: Vec<EnvelopePiece>,
}

impl CostCurve {
    /// The curve of classifiers given by their counts, each with cases of both classes; the two trivial ones
    /// always take part.
    pub fn from_counts(counts: impl IntoIterator<Item = BinaryCounts>) -> Result<Self> {
        let mut lines = Vec::new();
        for (i, c) in counts.into_iter().enumerate() {
            let (positive, negative) = (c.tp + c.fn_, c.tn + c.fp);
            if positive == 0 || negative == 0 {
                let problem = format!("{positive} positive and {negative} negative cases");
                return Err(MetricError::entry(
                    "counts",
                    i,
                    problem,
                    "a cost curve needs cases of both classes",
                ));
            }
            lines.push(CostLine {
                fp_rate: c.fp as f64 / negative as f64,
                fn_rate: c.fn_ as f64 / positive as f64,
            });
        }
        Ok(Self { envelope: lower_envelope(&lines) })
    }

    /// The lower envelope, from pc = 0 to pc = 1.
    pub fn envelope(&self) -> &[EnvelopePiece] {
        &self.envelope
    }

    /// The cost at `pc` of the best classifier for it.
    pub fn cost(&self, pc: f64) -> f64 {
        let k = self.envelope.partition_point(|piece| piece.to < pc);
        self.envelope.get(k).or(self.envelope.last()).map_or(f64::NAN, |piece| piece.line.cost(pc))
    }

    /// Area under the envelope: the cost of the best choice averaged over pc, between 0 and 1/4.
    pub fn area(&self) -> f64 {
        self.envelope.iter().map(|p| (p.to - p.from) * (p.line.cost(p.from) + p.line.cost(p.to)) / 2.0).sum()
    }
}

/// The minimum of lines over [0, 1], by descending slope (the order in which they become cheapest).
fn lower_envelope(lines: &[CostLine]) -> Vec<EnvelopePiece> {
    let mut by_start: Vec<CostLine> = lines.to_vec();
    by_start.extend([CostLine::ALWAYS_NEGATIVE, CostLine::ALWAYS_POSITIVE]);
    by_start.sort_unstable_by(|a, b| a.fp_rate.total_cmp(&b.fp_rate).then(a.fn_rate.total_cmp(&b.fn_rate)));
    // A line that starts and ends no lower than an earlier one is never cheaper: what is left falls in fn.
    let mut hull: Vec<(f64, CostLine)> = Vec::new();
    for line in by_start {
        if hull.last().is_some_and(|(_, l)| line.fn_rate >= l.fn_rate) {
            continue;
        }
        let mut from = 0.0;
        while let Some(&(start, top)) = hull.last() {
            from = meeting(top, line);
            if from > start {
                break;
            }
            hull.pop();
            from = 0.0;
        }
        hull.push((from, line));
    }
    let ends = hull.iter().skip(1).map(|&(from, _)| from).chain([1.0]);
    let pieces = hull.iter().zip(ends).map(|(&(from, line), to)| EnvelopePiece { from, to, line });
    pieces.filter(|piece| piece.from < piece.to).collect()
}

/// The pc at which `later`, with the higher start and the lower end, becomes as cheap as `earlier`.
fn meeting(earlier: CostLine, later: CostLine) -> f64 {
    let rise = later.fp_rate - earlier.fp_rate;
    rise / (rise + earlier.fn_rate - later.fn_rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_envelope_is_the_pointwise_minimum() {
        let lines: Vec<CostLine> =
            [(0.3, 0.3), (0.1, 0.6), (0.5, 0.05), (0.4, 0.5), (0.1, 0.6), (0.0, 1.0), (0.2, 0.42)]
                .map(|(fp, fn_)| CostLine::new(fp, fn_).unwrap())
                .to_vec();
        let curve = CostCurve { envelope: lower_envelope(&lines) };
        for k in 0..=1000_u16 {
            let pc = f64::from(k) / 1000.0;
            let least = lines.iter().map(|l| l.cost(pc)).fold(pc.min(1.0 - pc), f64::min);
            assert!((curve.cost(pc) - least).abs() < 1e-15, "at {pc}");
        }
        let pieces = curve.envelope();
        assert_eq!((pieces[0].from, pieces[pieces.len() - 1].to), (0.0, 1.0));
        assert!(pieces.windows(2).all(|w| w[0].to == w[1].from));
    }

    #[test]
    fn trivial_classifiers_cost_a_quarter_on_average() {
        let area = |lines: &[CostLine]| CostCurve { envelope: lower_envelope(lines) }.area();
        assert_eq!(area(&[]), 0.25);
        assert_eq!(area(&[CostLine::new(0.0, 0.0).unwrap()]), 0.0);
        assert_eq!(CostLine::new(0.6, 0.4).unwrap().operating_region(), None);
    }

    #[test]
    fn bad_rates_are_named() {
        let err = CostLine::new(1.5, 0.0).unwrap_err();
        assert_eq!(err.to_string(), "fp rate = 1.5 is not allowed: a rate within 0 to 1");
        let err = CostCurve::from_counts([BinaryCounts { tp: 1, ..Default::default() }]).unwrap_err();
        assert_eq!(
            err.to_string(),
            "counts entry 1: 1 positive and 0 negative cases; a cost curve needs cases of both classes"
        );
    }
}
