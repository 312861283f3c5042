//! Measures of classification: counts, rates, OP and OARP (OARP11), ROC, precision–recall and cost curves (WF
//! §5.7).

use crate::{
    EpisodeCounts,
    error::{MetricError, Result, check_finite, check_lengths, check_setting},
    precision_recall::f_measure,
    relevance::{Flank, Relevance},
    score::{Score, Undefined},
};

/// The counts of a two-class problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BinaryCounts {
    /// Positives predicted positive.
    pub tp: u64,
    /// Negatives predicted positive.
    pub fp: u64,
    /// Negatives predicted negative.
    pub tn: u64,
    /// Positives predicted negative.
    pub fn_: u64,
}

impl BinaryCounts {
    /// Counts truth against prediction, case by case.
    pub fn new(truth: &[bool], predicted: &[bool]) -> Result<Self> {
        check_lengths("truth", truth.len(), "predictions", predicted.len())?;
        if truth.is_empty() {
            return Err(MetricError::Empty { name: "truth", needed: 1 });
        }
        let mut counts = Self::default();
        for pair in truth.iter().zip(predicted) {
            match pair {
                (true, true) => counts.tp += 1,
                (false, true) => counts.fp += 1,
                (false, false) => counts.tn += 1,
                (true, false) => counts.fn_ += 1,
            }
        }
        Ok(counts)
    }

    /// All cases.
    pub const fn total(&self) -> u64 {
        self.tp + self.fp + self.tn + self.fn_
    }

    /// (tp + tn) / total.
    pub fn accuracy(&self) -> Score {
        share(self.tp + self.tn, self.total(), Undefined::EmptyClass)
    }

    /// tp / (tp + fp).
    pub fn precision(&self) -> Score {
        share(self.tp, self.tp + self.fp, Undefined::NoSignals)
    }

    /// tp / (tp + fn), the true positive rate.
    pub fn recall(&self) -> Score {
        share(self.tp, self.tp + self.fn_, Undefined::EmptyClass)
    }

    /// tn / (tn + fp).
    pub fn specificity(&self) -> Score {
        share(self.tn, self.tn + self.fp, Undefined::EmptyClass)
    }

    /// F_β = (β² + 1)·P·R / (β²·P + R); 0 when P = R = 0.
    pub fn f(&self, beta: f64) -> Result<Score> {
        f_measure(self.precision(), self.recall(), beta)
    }

    /// Optimised precision, accuracy − |Sp − Sn|/(Sp + Sn) (Ranawana & Palade 2006).
    ///
    /// Sn and Sp are recall and specificity; 0/0 := 0, so a classifier that is always wrong scores 0.
    pub fn optimised_precision(&self) -> Score {
        match (self.recall(), self.specificity()) {
            (Score::Value(sn), Score::Value(sp)) => {
                self.accuracy().map(|acc| acc - relationship_index(sp, sn))
            }
            _ => Score::Undefined(Undefined::EmptyClass),
        }
    }

    /// OARP = accuracy − AVRI/10 (OARP11 eq. 1–5, with x = 1), every 0/0 := 0.
    ///
    /// AVRI is the mean of the relationship indices of (p₁, r₂) and (p₂, r₁). Equations 1–2 print them
    /// without the absolute value that the paper's text and Table 1 need.
    ///
    /// ```
    /// use tailrank_metrics::classification::BinaryCounts;
    ///
    /// let b = BinaryCounts { tp: 90, fp: 0, tn: 5, fn_: 5 };
    /// assert_eq!(format!("{:.6}", b.oarp()), "0.934545"); // OARP11 Table 1
    /// ```
    pub fn oarp(&self) -> Score {
        self.accuracy().map(|acc| acc - self.avri() / 10.0)
    }

    /// The average relationship index of OARP11 eq. 3.
    pub fn avri(&self) -> f64 {
        let (p1, r1) = (or_zero(self.tp, self.tp + self.fp), or_zero(self.tp, self.tp + self.fn_));
        let (p2, r2) = (or_zero(self.tn, self.tn + self.fn_), or_zero(self.tn, self.tn + self.fp));
        (relationship_index(p1, r2) + relationship_index(p2, r1)) / 2.0
    }
}

/// RI = |a − b| / (a + b), 0 when both are 0.
fn relationship_index(a: f64, b: f64) -> f64 {
    if a + b == 0.0 { 0.0 } else { (a - b).abs() / (a + b) }
}

fn or_zero(part: u64, whole: u64) -> f64 {
    share(part, whole, Undefined::EmptyClass).value().unwrap_or(0.0)
}

fn share(part: u64, whole: u64, why: Undefined) -> Score {
    Score::ratio(part as f64, whole as f64, why)
}

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

    /// Ranks cases by how far their predictions reach to one side; positive are its events, those with φ(y) ≥ `t_e`.
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

    /// The lift curve (share of the cases called positive, how many times more positives they hold than as many cases at random),
    /// from the first signal on; none without positives (WF §5.7).
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

// Cost curves (Drummond & Holte; WF §5.7): a classifier is a line, a suite of classifiers its lower
// envelope.
//
// The horizontal axis is the probability cost function pc ∈ [0, 1], which carries class shares and costs
// together; the vertical axis is the normalised expected cost, fn·pc + fp·(1 − pc). A line starts at its
// false positive rate and ends at its false negative rate. Calling everything positive or nothing positive
// are the two trivial lines.

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

/// The lines of a suite of classifiers and their lower envelope.
#[derive(Clone, Debug, PartialEq)]
pub struct CostCurve {
    lines: Vec<CostLine>,
    envelope: Vec<EnvelopePiece>,
}

impl CostCurve {
    /// The curve of some classifiers; the two trivial ones always take part in the envelope.
    pub fn new(lines: Vec<CostLine>) -> Self {
        let envelope = lower_envelope(&lines);
        Self { lines, envelope }
    }

    /// The curve of classifiers given by their counts; each needs cases of both classes.
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
        Ok(Self::new(lines))
    }

    /// The classifiers, in the order given.
    pub fn lines(&self) -> &[CostLine] {
        &self.lines
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
    fn empty_denominators_are_named() {
        let silent = BinaryCounts { tp: 0, fp: 0, tn: 3, fn_: 2 };
        assert_eq!(silent.precision().undefined(), Some(Undefined::NoSignals));
        assert_eq!(silent.f(1.0).unwrap().undefined(), Some(Undefined::NoSignals));
        assert_eq!(silent.recall(), Score::Value(0.0));
        let no_positive = BinaryCounts { tp: 0, fp: 1, tn: 3, fn_: 0 };
        assert_eq!(no_positive.optimised_precision().undefined(), Some(Undefined::EmptyClass));
        let all_wrong = BinaryCounts { tp: 0, fp: 3, tn: 0, fn_: 2 };
        assert_eq!(all_wrong.f(1.0).unwrap(), Score::Value(0.0));
        assert_eq!(all_wrong.optimised_precision(), Score::Value(0.0));
        assert_eq!(all_wrong.oarp(), Score::Value(0.0));
    }

    #[test]
    fn optimised_precision_punishes_imbalance() {
        // Sn = 1, Sp = 0.5, accuracy 0.75, RI = 1/3.
        let op = BinaryCounts { tp: 2, fp: 1, tn: 1, fn_: 0 }.optimised_precision();
        assert!((op.value().unwrap() - (0.75 - 1.0 / 3.0)).abs() < 1e-15);
    }

    #[test]
    fn beta_is_checked() {
        let err = BinaryCounts::default().f(-1.0).unwrap_err();
        assert_eq!(
            err.to_string(),
            "beta = -1 is not allowed: beta must be 0 or more (below 1 favours precision, above 1 recall)"
        );
    }

    #[test]
    fn cases_are_counted_by_kind() {
        let counts = BinaryCounts::new(
            &[true, true, true, true, false, false, false, true, false, true],
            &[true, false, false, true, true, false, false, false, false, true],
        );
        assert_eq!(counts.unwrap(), BinaryCounts { tp: 3, fp: 1, tn: 3, fn_: 3 });
        let message =
            |truth: &[bool], predicted: &[bool]| BinaryCounts::new(truth, predicted).unwrap_err().to_string();
        assert_eq!(
            message(&[true], &[]),
            "truth has 1 rows but predictions has 0: give one value per case in both"
        );
        assert!(message(&[], &[]).starts_with("truth"), "{}", message(&[], &[]));
    }
}

#[cfg(test)]
mod tests_of_curves {
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

#[cfg(test)]
mod tests_of_cost {
    use super::*;

    #[test]
    fn the_envelope_is_the_pointwise_minimum() {
        let lines: Vec<CostLine> =
            [(0.3, 0.3), (0.1, 0.6), (0.5, 0.05), (0.4, 0.5), (0.1, 0.6), (0.0, 1.0), (0.2, 0.42)]
                .map(|(fp, fn_)| CostLine::new(fp, fn_).unwrap())
                .to_vec();
        let curve = CostCurve::new(lines.clone());
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
        assert_eq!(CostCurve::new(vec![]).area(), 0.25);
        assert_eq!(CostCurve::new(vec![CostLine::new(0.0, 0.0).unwrap()]).area(), 0.0);
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
