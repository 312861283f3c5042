//! Precision, recall and F for regression (PR09 eq. 6, 10, 11).

use pulp::Arch;

use crate::{
    Accuracy, MetricError, Relevance, Result, Score, Undefined,
    error::{check_finite, check_pair},
    relevance::check_event_threshold,
};

/// Precision, recall, F and the counts behind them.
///
/// An *event* is a case with φ(y) ≥ t_E, a *signal* one with φ(ŷ) ≥ t_E. A *hit* is a signal whose true value is an
/// event and whose accuracy α is above 0: the right alarm, near enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrecisionRecall {
    /// PR09 eq. 10; undefined without signals.
    pub precision: Score,
    /// PR09 eq. 6; undefined without events.
    pub recall: Score,
    /// PR09 eq. 11; undefined if precision or recall is.
    pub f: Score,
    /// Cases with φ(y) ≥ t_E.
    pub events: usize,
    /// Cases with φ(ŷ) ≥ t_E.
    pub signals: usize,
    /// Signals that are events and have α > 0.
    pub hits: usize,
}

/// Precision, recall and F of `predicted` at the event threshold `t_e`.
///
/// ```
/// use tailrank_metrics::{Accuracy, Relevance, precision_recall};
/// let relevance = Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4)?;
/// let accuracy = Accuracy::smooth(0.5, 8.0)?;
/// let scores = precision_recall(&[-2.4, 0.1, 2.9], &[-2.2, 0.0, 1.0], &relevance, &accuracy, 0.75, 0.5)?;
/// assert_eq!((scores.events, scores.signals, scores.hits), (2, 1, 1));
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
    let mut sums = Sums::default();
    // Blocks that stay in the cache: no vector as long as the data is made.
    let mut buffers = [[0.0; BLOCK]; 4];
    for (ys, zs) in truth.chunks(BLOCK).zip(predicted.chunks(BLOCK)) {
        let [phi_y, phi_z, losses, alpha] = buffers.each_mut().map(|buffer| &mut buffer[..ys.len()]);
        relevance.phi_into(ys, phi_y);
        relevance.phi_into(zs, phi_z);
        for ((loss, y), z) in losses.iter_mut().zip(ys).zip(zs) {
            *loss = (z - y).abs();
        }
        accuracy.alpha_into(losses, alpha);
        sums.add_all(phi_y, phi_z, alpha, t_e);
    }
    sums.scores(beta)
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
    Ok(match (precision, recall) {
        (undefined @ Score::Undefined(_), _) | (_, undefined @ Score::Undefined(_)) => undefined,
        (Score::Value(p), Score::Value(r)) => Score::Value(f_value(p, r, beta)),
    })
}

pub(crate) fn f_value(precision: f64, recall: f64, beta: f64) -> f64 {
    if precision == 0.0 || recall == 0.0 {
        return 0.0;
    }
    let weight = beta * beta;
    (weight + 1.0) * precision * recall / (weight * precision + recall)
}

pub(crate) fn check_beta(beta: f64) -> Result<()> {
    if beta >= 0.0 && beta.is_finite() {
        return Ok(());
    }
    Err(MetricError::Parameter {
        name: "beta",
        value: beta,
        expected: "beta must be 0 or more (below 1 favours precision, above 1 recall)",
    })
}

/// φ(y), φ(ŷ) and α of every case.
pub(crate) struct Parts {
    pub(crate) phi_truth: Vec<f64>,
    pub(crate) phi_predicted: Vec<f64>,
    pub(crate) alpha: Vec<f64>,
}

impl Parts {
    pub(crate) fn new(truth: &[f64], predicted: &[f64], relevance: &Relevance, accuracy: &Accuracy) -> Self {
        let losses: Vec<f64> = truth.iter().zip(predicted).map(|(y, z)| (z - y).abs()).collect();
        let mut phi_truth = vec![0.0; truth.len()];
        let mut phi_predicted = vec![0.0; truth.len()];
        let mut alpha = vec![0.0; truth.len()];
        relevance.phi_into(truth, &mut phi_truth);
        relevance.phi_into(predicted, &mut phi_predicted);
        accuracy.alpha_into(&losses, &mut alpha);
        Self { phi_truth, phi_predicted, alpha }
    }
}

/// Sums are kept in this many lanes, whatever the processor: the same bits everywhere, and vectorised.
const LANES: usize = 8;

/// Cases worked on at once; a multiple of the lanes, so that blocks and whole vectors give the same sums.
const BLOCK: usize = 1024;

#[derive(Clone, Copy, Default)]
struct Sums {
    recalled: [f64; LANES],
    relevant: [f64; LANES],
    confirmed: [f64; LANES],
    signalled: [f64; LANES],
    events: [f64; LANES],
    signals: [f64; LANES],
    hits: [f64; LANES],
}

impl Sums {
    #[inline(always)]
    fn add(&mut self, lane: usize, phi_y: f64, phi_z: f64, alpha: f64, t_e: f64) {
        let event = if phi_y >= t_e { 1.0 } else { 0.0 };
        let signal = if phi_z >= t_e { 1.0 } else { 0.0 };
        let near = if alpha > 0.0 { 1.0 } else { 0.0 };
        let (relevance_y, relevance_z) = (phi_y * event, phi_z * signal);
        self.recalled[lane] += alpha * relevance_y;
        self.relevant[lane] += relevance_y;
        self.confirmed[lane] += alpha * relevance_z;
        self.signalled[lane] += relevance_z;
        self.events[lane] += event;
        self.signals[lane] += signal;
        self.hits[lane] += event * signal * near;
    }

    fn add_all(&mut self, phi_truth: &[f64], phi_predicted: &[f64], alpha: &[f64], t_e: f64) {
        let n = phi_truth.len();
        let whole = n - n % LANES;
        Arch::new().dispatch(
            #[inline(always)]
            || {
                // A copy that lives in registers; through `self` every sum would go to memory and back.
                let mut sums = *self;
                let ys = phi_truth[..whole].chunks_exact(LANES);
                let zs = phi_predicted[..whole].chunks_exact(LANES);
                let alphas = alpha[..whole].chunks_exact(LANES);
                for ((y, z), a) in ys.zip(zs).zip(alphas) {
                    for lane in 0..LANES {
                        sums.add(lane, y[lane], z[lane], a[lane], t_e);
                    }
                }
                for i in whole..n {
                    sums.add(i - whole, phi_truth[i], phi_predicted[i], alpha[i], t_e);
                }
                *self = sums;
            },
        );
    }

    fn scores(&self, beta: f64) -> Result<PrecisionRecall> {
        let total = |lanes: [f64; LANES]| lanes.iter().sum::<f64>();
        let (events, signals) = (total(self.events) as usize, total(self.signals) as usize);
        let share = |part: f64, whole: f64, count: usize, none: Undefined| {
            Score::ratio(part, whole, if count == 0 { none } else { Undefined::ZeroRelevance })
        };
        let precision = share(total(self.confirmed), total(self.signalled), signals, Undefined::NoSignals);
        let recall = share(total(self.recalled), total(self.relevant), events, Undefined::NoEvents);
        let f = f_measure(precision, recall, beta)?;
        Ok(PrecisionRecall { precision, recall, f, events, signals, hits: total(self.hits) as usize })
    }
}

impl PrecisionRecall {
    /// The same from φ(y), φ(ŷ) and α, for callers that hold them already.
    ///
    /// ```
    /// use tailrank_metrics::PrecisionRecall;
    /// let scores = PrecisionRecall::from_parts(&[1.0, 0.0], &[1.0, 1.0], &[1.0, 0.0], 0.5, 1.0)?;
    /// assert_eq!(scores.precision.value(), Some(0.5));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn from_parts(
        phi_truth: &[f64],
        phi_predicted: &[f64],
        alpha: &[f64],
        t_e: f64,
        beta: f64,
    ) -> Result<Self> {
        check_event_threshold(t_e)?;
        check_beta(beta)?;
        for (name, values) in [("relevance of predictions", phi_predicted), ("accuracies", alpha)] {
            if values.len() != phi_truth.len() {
                return Err(MetricError::LengthMismatch {
                    left_name: "relevance of truth",
                    left: phi_truth.len(),
                    right_name: name,
                    right: values.len(),
                });
            }
        }
        check_finite("relevance of truth", phi_truth)?;
        let mut sums = Sums::default();
        sums.add_all(phi_truth, phi_predicted, alpha, t_e);
        sums.scores(beta)
    }
}
