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

/// Precision and recall for every distinct relevance that a true or predicted value has, highest threshold
/// first.
#[derive(Clone, Debug, PartialEq)]
pub struct PrCurve {
    /// The points, by falling t_E.
    pub points: Vec<PrPoint>,
    /// The area below, from 0 to 1.
    ///
    /// Recall is a ratio whose two sides both grow as t_E falls, so it may rise and fall along the curve. As
    /// is usual in retrieval, the area takes at each recall r the best precision of any point with recall at
    /// least r.
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
    let (mut points, mut below) = (Vec::new(), AreaBelow::default());
    walk(&TruthOrder::new(phi_truth.into_iter()), &phi_predicted, &alpha, |point| {
        below.take(point);
        points.push(point);
    });
    Ok(PrCurve { points, area: below.area() })
}

/// The area below the curve alone, of many predictions against one truth: what the truth says of the order of
/// the cases is known.
pub(crate) fn area_below(order: &TruthOrder, phi_predicted: &[f64], alpha: &[f64]) -> Score {
    let mut below = AreaBelow::default();
    walk(order, phi_predicted, alpha, |point| below.take(point));
    below.area()
}

/// Visits every threshold, the highest first.
fn walk(order: &TruthOrder, phi_predicted: &[f64], alpha: &[f64], mut visit: impl FnMut(PrPoint)) {
    let (mut events, mut signals) = (order.events(alpha), Sweep::new(phi_predicted, alpha));
    while let Some(t_e) = larger(events.next_phi(), signals.next_phi()) {
        let recall = events.down_to(t_e).map_or(Score::Undefined(Undefined::NoEvents), Score::Value);
        let precision = signals.down_to(t_e).map_or(Score::Undefined(Undefined::NoSignals), Score::Value);
        visit(PrPoint { t_e, precision, recall });
    }
}

fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

/// Sorts pairs by falling first number, then by falling second.
fn sort_falling(pairs: &mut [(f64, f64)]) {
    pairs.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
}

/// The cases with φ(y) above 0 by falling φ(y): the same for all predictions of one truth.
#[derive(Clone, Debug)]
pub(crate) struct TruthOrder {
    /// φ(y) and the case.
    cases: Vec<(f64, usize)>,
}

impl TruthOrder {
    pub(crate) fn new(phi: impl Iterator<Item = f64>) -> Self {
        let mut cases: Vec<(f64, usize)> = phi.enumerate().map(|(i, phi)| (phi, i)).collect();
        cases.retain(|c| c.0 > 0.0);
        cases.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        Self { cases }
    }

    /// The events with the α of one vector of predictions.
    fn events(&self, alpha: &[f64]) -> Sweep {
        let mut cases: Vec<(f64, f64)> = self.cases.iter().map(|&(phi, i)| (phi, alpha[i])).collect();
        cases.chunk_by_mut(|a, b| a.0 == b.0).filter(|equals| equals.len() > 1).for_each(sort_falling);
        Sweep::sorted(cases)
    }
}

/// (φ, α) by falling φ, with the running sums of φ and α·φ.
struct Sweep {
    cases: Vec<(f64, f64)>,
    next: usize,
    relevant: f64,
    accurate: f64,
    ratio: Option<f64>,
}

impl Sweep {
    fn new(phi: &[f64], alpha: &[f64]) -> Self {
        let cases = phi.iter().copied().zip(alpha.iter().copied());
        let mut cases: Vec<(f64, f64)> = cases.filter(|c| c.0 > 0.0).collect();
        sort_falling(&mut cases);
        Self::sorted(cases)
    }

    const fn sorted(cases: Vec<(f64, f64)>) -> Self {
        Self { cases, next: 0, relevant: 0.0, accurate: 0.0, ratio: None }
    }

    fn next_phi(&self) -> Option<f64> {
        self.cases.get(self.next).map(|c| c.0)
    }

    /// Takes in every case with φ ≥ t and returns the ratio so far.
    fn down_to(&mut self, t: f64) -> Option<f64> {
        let before = self.next;
        while let Some(&(phi, alpha)) = self.cases.get(self.next)
            && phi >= t
        {
            self.relevant += phi;
            self.accurate += alpha * phi;
            self.next += 1;
        }
        if self.next > before {
            self.ratio = Some(self.accurate / self.relevant);
        }
        self.ratio
    }
}

/// Recall and the best precision at it, threshold by threshold.
#[derive(Default)]
struct AreaBelow {
    pairs: Vec<(f64, f64)>,
    any_signal: bool,
}

impl AreaBelow {
    fn take(&mut self, point: PrPoint) {
        self.any_signal |= point.precision.value().is_some();
        let (Some(recall), Some(precision)) = (point.recall.value(), point.precision.value()) else { return };
        match self.pairs.last_mut() {
            // Of several points with one recall the most precise counts.
            Some(last) if last.0 == recall => last.1 = last.1.max(precision),
            _ => self.pairs.push((recall, precision)),
        }
    }

    fn area(mut self) -> Score {
        if self.pairs.is_empty() {
            let why = if self.any_signal { Undefined::NoEvents } else { Undefined::NoSignals };
            return Score::Undefined(why);
        }
        sort_falling(&mut self.pairs);
        let (mut area, mut best) = (0.0, 0.0f64);
        for (i, &(recall, precision)) in self.pairs.iter().enumerate() {
            best = best.max(precision);
            let next = self.pairs.get(i + 1).map_or(0.0, |p| p.0);
            area += (recall - next) * best;
        }
        Score::Value(area)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The area by its definition: at each recall the best precision of any point with at least that recall.
    fn by_definition(points: &[PrPoint]) -> f64 {
        let pairs: Vec<(f64, f64)> =
            points.iter().filter_map(|p| Some((p.recall.value()?, p.precision.value()?))).collect();
        let mut recalls: Vec<f64> = pairs.iter().map(|p| p.0).collect();
        recalls.sort_by(|a, b| b.total_cmp(a));
        recalls.dedup();
        let best = |recall: f64| pairs.iter().filter(|p| p.0 >= recall).map(|p| p.1).fold(0.0, f64::max);
        let next = |i: usize| recalls.get(i + 1).copied().unwrap_or(0.0);
        recalls.iter().enumerate().map(|(i, &r)| (r - next(i)) * best(r)).sum()
    }

    #[test]
    fn the_area_is_that_of_its_definition() {
        let mut state = 7_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / (1_u64 << 31) as f64
        };
        for round in 0..40 {
            // Some rounds have few values, and so many ties; some values have no relevance, some differ in
            // the last bits alone.
            let levels = [3.0, 10.0, 1e9][round % 3];
            let mut level = || {
                let value = (random() * levels).floor() / levels;
                if round % 4 == 0 { f64::from_bits(value.to_bits() + (random() * 3.0) as u64) } else { value }
            };
            let cases: Vec<[f64; 3]> = (0..1 + 37 * round).map(|_| [level(), level(), level()]).collect();
            let column = |k: usize| cases.iter().map(|c| c[k]).collect::<Vec<f64>>();
            let order = TruthOrder::new(column(0).into_iter());
            let mut points = Vec::new();
            walk(&order, &column(1), &column(2), |point| points.push(point));
            if let Some(area) = area_below(&order, &column(1), &column(2)).value() {
                assert!((area - by_definition(&points)).abs() <= 1e-12, "round {round}: {area}");
            }
        }
    }
}
