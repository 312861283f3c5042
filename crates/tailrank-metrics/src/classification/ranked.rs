//! Cases ranked by a score: the counts at every threshold, and the curves of their rates.

use super::{BinaryCounts, CostCurve};
use crate::{
    EpisodeCounts,
    error::{Result, check_finite, check_lengths},
    relevance::{Flank, Relevance},
    score::{Score, Undefined},
};

/// A point of a curve of rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatePoint {
    /// Horizontal: false positive rate, recall or share of the cases.
    pub x: f64,
    /// Vertical: true positive rate, precision or lift.
    pub y: f64,
    /// Cases with a score at or above this are called positive; infinite at the start.
    pub threshold: f64,
}

/// The counts at every threshold of a score, cases of equal score taken together.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedCounts {
    /// (threshold, tp, fp), from calling nothing positive to calling everything positive.
    steps: Vec<(f64, u64, u64)>,
}

impl RankedCounts {
    /// Ranks cases by score, largest first.
    ///
    /// ```
    /// use tailrank_metrics::classification::RankedCounts;
    ///
    /// let ranked = RankedCounts::new(&[true, false, true, false], &[0.9, 0.8, 0.7, 0.1])?;
    /// assert_eq!(ranked.roc_area().value(), Some(0.75));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn new(truth: &[bool], scores: &[f64]) -> Result<Self> {
        check_lengths("truth", truth.len(), "scores", scores.len())?;
        check_finite("scores", scores)?;
        let mut ranked: Vec<(f64, bool)> = scores.iter().copied().zip(truth.iter().copied()).collect();
        ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        let mut steps = vec![(f64::INFINITY, 0, 0)];
        let (mut tp, mut fp) = (0, 0);
        for (i, &(score, positive)) in ranked.iter().enumerate() {
            tp += u64::from(positive);
            fp += u64::from(!positive);
            if ranked.get(i + 1).is_none_or(|next| next.0 != score) {
                steps.push((score, tp, fp));
            }
        }
        Ok(Self { steps })
    }

    /// Ranks cases by how far their predictions reach to one side; positive are its events, those with φ(y) ≥
    /// `t_e`.
    ///
    /// ```
    /// use tailrank_metrics::{Relevance, classification::RankedCounts, relevance::Flank};
    ///
    /// let high = Relevance::sigmoid(None, Some(2.0), 0.5, 1e-4)?;
    /// let ranked = RankedCounts::of_events(&[3.0, 0.0, 2.5, 1.0], &[1.2, 1.0, 0.9, -1.0], &high, 0.5, Flank::High)?;
    /// assert_eq!(ranked.roc_area().value(), Some(0.75));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn of_events(
        truth: &[f64],
        predicted: &[f64],
        phi: &Relevance,
        t_e: f64,
        flank: Flank,
    ) -> Result<Self> {
        check_finite("truth", truth)?;
        let towards = if flank == Flank::Low { -1.0 } else { 1.0 };
        let scores: Vec<f64> = predicted.iter().map(|z| towards * z).collect();
        Self::new(&EpisodeCounts::flags(truth, phi, t_e, flank), &scores)
    }

    /// Positive and negative cases.
    fn totals(&self) -> (u64, u64) {
        self.steps.last().map_or((0, 0), |&(_, tp, fp)| (tp, fp))
    }

    /// The counts at every threshold.
    pub fn counts(&self) -> impl ExactSizeIterator<Item = (f64, BinaryCounts)> + '_ {
        let (positive, negative) = self.totals();
        self.steps
            .iter()
            .map(move |&(t, tp, fp)| (t, BinaryCounts { tp, fp, tn: negative - fp, fn_: positive - tp }))
    }

    /// The ROC curve (false positive rate, true positive rate); none without positives or without negatives.
    pub fn roc(&self) -> Option<Vec<RatePoint>> {
        let (positive, negative) = self.totals();
        let point = |tp, fp| (fp as f64 / negative as f64, tp as f64 / positive as f64);
        (positive > 0 && negative > 0).then(|| rates(&self.steps, point))
    }

    /// Area under the ROC curve: the share of (positive, negative) pairs ranked rightly, ties counting half.
    pub fn roc_area(&self) -> Score {
        let (positive, negative) = self.totals();
        // Twice the number of pairs ranked rightly is a whole number, so the sum has no rounding.
        let twice: u128 =
            self.steps.windows(2).map(|w| u128::from(w[1].2 - w[0].2) * u128::from(w[0].1 + w[1].1)).sum();
        let pairs = u128::from(positive) * u128::from(negative);
        Score::ratio(twice as f64, 2.0 * pairs as f64, Undefined::EmptyClass)
    }

    /// The precision–recall curve (recall, precision), from the first signal on; none without positives.
    pub fn precision_recall(&self) -> Option<Vec<RatePoint>> {
        let (positive, _) = self.totals();
        let point = |tp, fp| (tp as f64 / positive as f64, tp as f64 / (tp + fp) as f64);
        (positive > 0).then(|| rates(&self.steps[1..], point))
    }

    /// The lift curve (share of the cases called positive, how many times more positives they hold than as
    /// many cases at random), from the first signal on; none without positives (WF §5.7).
    pub fn lift(&self) -> Option<Vec<RatePoint>> {
        let (positive, negative) = self.totals();
        let cases = (positive + negative) as f64;
        let point = |tp, fp| {
            let share = (tp + fp) as f64 / cases;
            (share, tp as f64 / positive as f64 / share)
        };
        (positive > 0).then(|| rates(&self.steps[1..], point))
    }

    /// The cost curve of the classifiers that the thresholds make.
    pub fn cost_curve(&self) -> Result<CostCurve> {
        CostCurve::from_counts(self.counts().map(|(_, c)| c))
    }
}

fn rates(steps: &[(f64, u64, u64)], point: impl Fn(u64, u64) -> (f64, f64)) -> Vec<RatePoint> {
    let rate = |&(threshold, tp, fp): &(f64, u64, u64)| {
        let (x, y) = point(tp, fp);
        RatePoint { x, y, threshold }
    };
    steps.iter().map(rate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked() -> RankedCounts {
        let truth = [true, true, false, true, false, false, true, false];
        RankedCounts::new(&truth, &[0.9, 0.8, 0.7, 0.7, 0.5, 0.4, 0.4, 0.1]).unwrap()
    }

    #[test]
    fn roc_area_counts_pairs() {
        // Pairs: 16; right 12, tied 2 (0.7 and 0.4) → (12 + 1)/16, checked by hand.
        assert_eq!(ranked().roc_area(), Score::Value(13.0 / 16.0));
        let roc = ranked().roc().unwrap();
        assert_eq!((roc[0].x, roc[0].y), (0.0, 0.0));
        assert_eq!((roc[roc.len() - 1].x, roc[roc.len() - 1].y), (1.0, 1.0));
        let trapezoids: f64 = roc.windows(2).map(|w| (w[1].x - w[0].x) * (w[0].y + w[1].y) / 2.0).sum();
        assert!((trapezoids - 13.0 / 16.0).abs() < 1e-15);
    }

    #[test]
    fn one_class_alone_has_no_curve() {
        let ranked = RankedCounts::new(&[true, true], &[0.1, 0.2]).unwrap();
        assert!(ranked.roc().is_none());
        let lift: Vec<(f64, f64)> = ranked.lift().unwrap().iter().map(|p| (p.x, p.y)).collect();
        assert_eq!(lift, [(0.5, 1.0), (1.0, 1.0)]);
        assert_eq!(ranked.roc_area().undefined(), Some(Undefined::EmptyClass));
        assert!(RankedCounts::new(&[true], &[f64::NAN]).is_err());
    }

    /// A single positive, found second.
    #[test]
    fn one_positive_has_a_curve() {
        let ranked = RankedCounts::new(&[false, true], &[0.9, 0.2]).unwrap();
        let points: Vec<(f64, f64)> = ranked.precision_recall().unwrap().iter().map(|p| (p.x, p.y)).collect();
        assert_eq!(points, [(0.0, 0.0), (1.0, 0.5)]);
        assert_eq!(RankedCounts::new(&[false], &[0.9]).unwrap().precision_recall(), None);
    }
}
