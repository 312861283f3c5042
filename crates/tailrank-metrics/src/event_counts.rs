//! Events and signals in counts: the one definition of every word that is said about them.

use std::ops::AddAssign;

use crate::term::{Sums, Term};

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
