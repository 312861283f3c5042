//! Precision, recall and F for regression (PR09 eq. 6, 10, 11).

use std::ops::AddAssign;

use crate::{
    Accuracy, Relevance, Result, Score, Undefined,
    error::{check_pair, check_setting},
    lanes::BLOCK,
    relevance::check_event_threshold,
    term::{Sink, Sums, Term},
};

/// Precision, recall, F and the counts behind them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrecisionRecall {
    /// PR09 eq. 10; undefined without signals.
    pub precision: Score,
    /// PR09 eq. 6; undefined without events.
    pub recall: Score,
    /// PR09 eq. 11; undefined if precision or recall is.
    pub f: Score,
    /// Events, signals and how they met.
    pub counts: EventCounts,
}

/// Precision, recall and F of `predicted` at the event threshold `t_e`.
///
/// ```
/// use tailrank_metrics::{Accuracy, Relevance, precision_recall};
/// let relevance = Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4)?;
/// let accuracy = Accuracy::smooth(0.5, 8.0)?;
/// let scores = precision_recall(&[-2.4, 0.1, 2.9], &[-2.2, 0.0, 1.0], &relevance, &accuracy, 0.75, 0.5)?;
/// assert_eq!((scores.counts.events, scores.counts.signals, scores.counts.hits), (2, 1, 1));
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
pub fn precision_recall(
    truth: &[f64],
    predicted: &[f64],
    relevance: &Relevance,
    accuracy: &Accuracy,
    t_e: f64,
    beta: f64,
) -> Result<PrecisionRecall> {
    check_pair(truth, predicted)?;
    check_event_threshold(t_e)?;
    check_beta(beta)?;
    let mut sums = Sums::new(beta);
    // Blocks that stay in the cache: no vector as long as the data is made.
    let mut buffers = [[0.0; BLOCK]; 4];
    let kernel = signal_terms(t_e, accuracy.t_l(), relevance.valley());
    for (ys, zs) in truth.chunks(BLOCK).zip(predicted.chunks(BLOCK)) {
        let [phi_y, phi_z, losses, alpha] = buffers.each_mut().map(|buffer| &mut buffer[..ys.len()]);
        relevance.phi_into(ys, phi_y);
        relevance.phi_into(zs, phi_z);
        for ((loss, y), z) in losses.iter_mut().zip(ys).zip(zs) {
            *loss = (z - y).abs();
        }
        accuracy.alpha_into(losses, alpha);
        sums.take(SIGNAL_TERMS, [phi_y, phi_z, alpha, losses, ys, zs], &kernel);
    }
    Ok(PrecisionRecall::of_sums(&sums))
}

/// What [`signal_terms`] gives for each case.
pub(crate) const SIGNAL_TERMS: [Term; 8] = {
    use Term::*;
    [Event, Signal, Met, Hit, EventRelevance, Recalled, SignalRelevance, Confirmed]
};

/// The terms of a case from φ(y), φ(ŷ), α, |ŷ − y|, y and ŷ: the one place that says what a hit is
/// ([`EventCounts`]).
pub(crate) fn signal_terms(t_e: f64, t_l: f64, valley: f64) -> impl Fn([f64; 6]) -> [f64; 8] {
    #[inline(always)]
    move |[phi_y, phi_z, alpha, loss, y, z]| {
        let flag = |condition: bool| if condition { 1.0 } else { 0.0 };
        let (event, signal) = (flag(phi_y >= t_e), flag(phi_z >= t_e));
        let met = event * signal * flag((y > valley) == (z > valley));
        let hit = met * flag(loss <= t_l);
        let (relevance_y, relevance_z) = (phi_y * event, phi_z * signal);
        [event, signal, met, hit, relevance_y, alpha * relevance_y, relevance_z, alpha * relevance_z]
    }
}

impl PrecisionRecall {
    pub(crate) fn of_sums(sums: &Sums) -> Self {
        Self {
            precision: precision(sums),
            recall: recall(sums),
            f: f(sums),
            counts: EventCounts::of_sums(sums),
        }
    }
}

/// Precision from the sums over all cases.
pub(crate) fn precision(s: &Sums) -> Score {
    share(s[Term::Confirmed], s[Term::SignalRelevance], s[Term::Signal], Undefined::NoSignals)
}

/// Recall from the sums over all cases.
pub(crate) fn recall(s: &Sums) -> Score {
    share(s[Term::Recalled], s[Term::EventRelevance], s[Term::Event], Undefined::NoEvents)
}

/// F from the sums over all cases.
pub(crate) fn f(s: &Sums) -> Score {
    f_of(precision(s), recall(s), s.beta)
}

fn share(part: f64, whole: f64, count: f64, none: Undefined) -> Score {
    Score::ratio(part, whole, if count == 0.0 { none } else { Undefined::ZeroRelevance })
}

/// F = (β² + 1)·P·R / (β²·P + R) (PR09 eq. 11); 0 when P or R is 0, undefined when P or R is.
///
/// ```
/// use tailrank_metrics::{Score, f_measure};
/// assert_eq!(f_measure(Score::Value(0.5), Score::Value(0.5), 2.0)?, Score::Value(0.5));
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
pub fn f_measure(precision: Score, recall: Score, beta: f64) -> Result<Score> {
    check_beta(beta)?;
    Ok(f_of(precision, recall, beta))
}

/// [`f_measure`] with a β that has been checked.
pub(crate) fn f_of(precision: Score, recall: Score, beta: f64) -> Score {
    match (precision, recall) {
        (undefined @ Score::Undefined(_), _) | (_, undefined @ Score::Undefined(_)) => undefined,
        (Score::Value(p), Score::Value(r)) if p == 0.0 || r == 0.0 => Score::Value(0.0),
        (Score::Value(p), Score::Value(r)) => {
            let weight = beta * beta;
            Score::Value((weight + 1.0) * p * r / (weight * p + r))
        }
    }
}

pub(crate) const fn check_beta(beta: f64) -> Result<()> {
    let expected = "beta must be 0 or more (below 1 favours precision, above 1 recall)";
    check_setting(beta >= 0.0 && beta.is_finite(), "beta", beta, expected)
}

/// How events and signals met, in counts of cases.
///
/// | word | meaning |
/// |---|---|
/// | event | φ(y) ≥ t_E |
/// | signal | φ(ŷ) ≥ t_E |
/// | hit | a signal on an event, both on the same flank of φ, with an error of at most t_L |
/// | near miss | a signal on an event of its flank, with a larger error |
/// | false alarm | a signal on a case that is not an event, or is one on the other flank |
/// | missed | an event without a signal on its flank |
///
/// Every signal is a hit, a near miss or a false alarm; every event is a hit, a near miss or missed.
/// The flanks are those of [`Relevance::flank`](crate::Relevance::flank).
///
/// ```
/// use tailrank_metrics::{Accuracy, Relevance, precision_recall};
/// let relevance = Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4)?;
/// let accuracy = Accuracy::smooth(0.5, 8.0)?;
/// let truth = [3.0, 3.0, 3.0, 0.0, -3.0];
/// let predicted = [2.8, 2.2, 0.0, 3.0, 3.0];
/// let counts = precision_recall(&truth, &predicted, &relevance, &accuracy, 0.5, 1.0)?.counts;
/// assert_eq!((counts.events, counts.signals), (4, 4));
/// // 2.8 hits; 2.2 is too far from 3; signals on 0 and on the opposite event are false alarms.
/// assert_eq!((counts.hits, counts.near_misses, counts.false_alarms, counts.missed), (1, 1, 2, 2));
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EventCounts {
    /// Cases with φ(y) ≥ t_E.
    pub events: usize,
    /// Cases with φ(ŷ) ≥ t_E.
    pub signals: usize,
    /// Signals on an event of their flank, near enough.
    pub hits: usize,
    /// Signals on an event of their flank, too far from it.
    pub near_misses: usize,
    /// Signals on no event of their flank.
    pub false_alarms: usize,
    /// Events without a signal on their flank.
    pub missed: usize,
}

impl EventCounts {
    /// From the sums of the signal terms over all cases.
    pub(crate) fn of_sums(sums: &Sums) -> Self {
        // Counts are whole numbers far below 2⁵³: sums of ones are exact.
        let [events, signals, met, hits] =
            [Term::Event, Term::Signal, Term::Met, Term::Hit].map(|term| sums[term] as usize);
        Self {
            events,
            signals,
            hits,
            near_misses: met - hits,
            false_alarms: signals - met,
            missed: events - met,
        }
    }
}

impl AddAssign for EventCounts {
    fn add_assign(&mut self, other: Self) {
        self.events += other.events;
        self.signals += other.signals;
        self.hits += other.hits;
        self.near_misses += other.near_misses;
        self.false_alarms += other.false_alarms;
        self.missed += other.missed;
    }
}
