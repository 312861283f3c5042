//! The precision–recall curve: both measures at every event threshold t_E, and the area below.

use crate::{Accuracy, Relevance, Result, Score, Undefined, error::check_pair};

/// Precision and recall at one threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrPoint {
    /// The event threshold.
    pub t_e: f64,
    /// Precision there; undefined when no prediction reaches it.
    pub precision: Score,
    /// Recall there; undefined when no true value reaches it.
    pub recall: Score,
}

/// Precision and recall for every distinct relevance that a true or predicted value has, highest threshold first.
#[derive(Clone, Debug, PartialEq)]
pub struct PrCurve {
    /// The points, by falling t_E.
    pub points: Vec<PrPoint>,
    /// The area below, from 0 to 1.
    ///
    /// Recall is a ratio whose two sides both grow as t_E falls, so it may rise and fall along the curve. As is usual in
    /// retrieval, the area takes at each recall r the best precision of any point with recall at least r.
    pub area: Score,
}

/// Sweeps t_E over all distinct relevances above 0, in O(n log n).
///
/// ```
/// use tailrank_metrics::{Accuracy, Relevance, pr_curve};
/// let relevance = Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4)?;
/// let truth = [-2.5, -1.0, 0.2, 1.7, 3.0];
/// let curve = pr_curve(&truth, &truth, &relevance, &Accuracy::indicator(0.5)?)?;
/// assert_eq!(curve.area.value(), Some(1.0)); // exact predictions
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
pub fn pr_curve(
    truth: &[f64],
    predicted: &[f64],
    relevance: &Relevance,
    accuracy: &Accuracy,
) -> Result<PrCurve> {
    check_pair(truth, predicted)?;
    let losses: Vec<f64> = truth.iter().zip(predicted).map(|(y, z)| (z - y).abs()).collect();
    let [mut phi_truth, mut phi_predicted, mut alpha] = [(); 3].map(|()| vec![0.0; truth.len()]);
    relevance.phi_into(truth, &mut phi_truth);
    relevance.phi_into(predicted, &mut phi_predicted);
    accuracy.alpha_into(&losses, &mut alpha);
    let cases = phi_truth.into_iter().zip(phi_predicted).zip(alpha);
    Ok(PrCurve::of_cases(cases.map(|((phi_y, phi_z), alpha)| [phi_y, phi_z, alpha])))
}

impl PrCurve {
    /// The curve of cases given as φ(y), φ(ŷ) and α.
    pub(crate) fn of_cases(cases: impl Iterator<Item = [f64; 3]> + Clone) -> Self {
        let mut events = Sweep::new(cases.clone().map(|[phi_y, _, alpha]| (phi_y, alpha)));
        let mut signals = Sweep::new(cases.map(|[_, phi_z, alpha]| (phi_z, alpha)));
        let mut points = Vec::new();
        while let Some(t_e) = larger(events.next_phi(), signals.next_phi()) {
            let recall = events.down_to(t_e).unwrap_or(Score::Undefined(Undefined::NoEvents));
            let precision = signals.down_to(t_e).unwrap_or(Score::Undefined(Undefined::NoSignals));
            points.push(PrPoint { t_e, precision, recall });
        }
        let area = area(&points);
        Self { points, area }
    }
}

fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

/// (φ, α) by falling φ, with the running sums of φ and α·φ.
struct Sweep {
    cases: Vec<(f64, f64)>,
    next: usize,
    relevant: f64,
    accurate: f64,
}

impl Sweep {
    fn new(cases: impl Iterator<Item = (f64, f64)>) -> Self {
        let mut cases: Vec<(f64, f64)> = cases.filter(|c| c.0 > 0.0).collect();
        cases.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
        Self { cases, next: 0, relevant: 0.0, accurate: 0.0 }
    }

    fn next_phi(&self) -> Option<f64> {
        self.cases.get(self.next).map(|c| c.0)
    }

    /// Takes in every case with φ ≥ t and returns the ratio so far.
    fn down_to(&mut self, t: f64) -> Option<Score> {
        while let Some(&(phi, alpha)) = self.cases.get(self.next)
            && phi >= t
        {
            self.relevant += phi;
            self.accurate += alpha * phi;
            self.next += 1;
        }
        (self.next > 0).then(|| Score::Value(self.accurate / self.relevant))
    }
}

fn area(points: &[PrPoint]) -> Score {
    let mut pairs: Vec<(f64, f64)> =
        points.iter().filter_map(|p| Some((p.recall.value()?, p.precision.value()?))).collect();
    if pairs.is_empty() {
        let no_signals = points.iter().all(|p| p.precision.value().is_none());
        return Score::Undefined(if no_signals { Undefined::NoSignals } else { Undefined::NoEvents });
    }
    pairs.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let (mut area, mut best) = (0.0, 0.0f64);
    for (i, &(recall, precision)) in pairs.iter().enumerate() {
        best = best.max(precision);
        let next = pairs.get(i + 1).map_or(0.0, |p| p.0);
        area += (recall - next) * best;
    }
    Score::Value(area)
}
