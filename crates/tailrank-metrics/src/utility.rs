//! Utility of predictions: what being right is worth and being wrong costs, where it matters.
//!
//! Two definitions are in use: [`Ut08`] (the paper's) and [`Uba`] (the later definition of the same authors'
//! R package).

use crate::{
    Relevance, Result, Score,
    error::{check_finite, check_pair, check_setting, is_positive},
    exp::one_minus_exp,
    relevance::Pchip,
};

/// With the default decay, an exact prediction earns (1 − Δ)·B.
const DELTA: f64 = 1e-4;

/// The settings of UT08's utility.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ut08 {
    benefit: f64,
    t: f64,
    p: f64,
    eta: f64,
}

impl Ut08 {
    /// Largest benefit `benefit` (B), largest admissible error `t`, weight `p` of missed events against false
    /// alarms, and decay `eta`; without it, ζ(0) = (1 − 1e-4)·B.
    ///
    /// ```
    /// use tailrank_metrics::utility::Ut08;
    /// let utility = Ut08::new(1.0, 15.0, 0.6, None)?;
    /// assert!((utility.zeta(0.0) - 0.9999).abs() < 1e-12);
    /// assert_eq!(utility.zeta(15.0), 0.0);
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn new(benefit: f64, t: f64, p: f64, eta: Option<f64>) -> Result<Self> {
        check_setting(is_positive(benefit), "B", benefit, "the largest benefit must be above 0")?;
        let expected = "the largest admissible error must be above 0, in the target's unit";
        check_setting(is_positive(t), "t", t, expected)?;
        check_p(p)?;
        let eta = eta.unwrap_or(-DELTA.ln() / t);
        check_setting(is_positive(eta), "eta", eta, "the decay must be above 0")?;
        Ok(Self { benefit, t, p, eta })
    }

    /// Benefit (positive) or cost (negative) of an absolute error (UT08 eq. 1).
    #[inline(always)]
    pub fn zeta(&self, loss: f64) -> f64 {
        // At L = t the exponential gives 0, whatever the sign.
        let slack = self.t - loss;
        (self.benefit * one_minus_exp(-self.eta * slack.abs())).copysign(slack) + 0.0
    }

    /// Utility of one prediction from φ(y), φ(ŷ) and the absolute error (UT08 eq. 2).
    #[inline(always)]
    pub fn of_parts(&self, phi_truth: f64, phi_predicted: f64, loss: f64) -> f64 {
        let smaller = if phi_truth < phi_predicted { phi_truth } else { phi_predicted };
        let mixed = (1.0 - self.p) * phi_predicted + self.p * phi_truth;
        let weight = if loss <= self.t { smaller } else { mixed };
        weight * self.zeta(loss)
    }

    /// Utility of every prediction.
    pub fn utilities(&self, truth: &[f64], predicted: &[f64], relevance: &Relevance) -> Result<Vec<f64>> {
        check_pair(truth, predicted)?;
        let utility =
            |(&y, &z): (&f64, &f64)| self.of_parts(relevance.phi(y), relevance.phi(z), (y - z).abs());
        Ok(truth.iter().zip(predicted).map(utility).collect())
    }

    /// Mean utility Ū.
    ///
    /// ```
    /// use tailrank_metrics::{Relevance, utility::Ut08};
    /// let relevance = Relevance::table(&[(0.0, 0.0), (10.0, 1.0)])?;
    /// let utility = Ut08::new(1.0, 1.0, 0.5, None)?;
    /// let near = utility.mean(&[9.0, 1.0], &[9.1, 4.0], &relevance)?;
    /// let far = utility.mean(&[9.0, 1.0], &[6.0, 1.1], &relevance)?;
    /// assert!(near.value() > far.value());
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn mean(&self, truth: &[f64], predicted: &[f64], relevance: &Relevance) -> Result<Score> {
        let utilities = self.utilities(truth, predicted, relevance)?;
        Ok(Score::Value(utilities.iter().sum::<f64>() / utilities.len() as f64))
    }

    /// The utility surface: one row per true value, one column per prediction (UT08 Fig. 4).
    pub fn surface(&self, truth: &[f64], predicted: &[f64], relevance: &Relevance) -> Result<Vec<Vec<f64>>> {
        check_finite("truth", truth)?;
        check_finite("predictions", predicted)?;
        let mut phi_predicted = vec![0.0; predicted.len()];
        relevance.phi_into(predicted, &mut phi_predicted);
        let row = |&y: &f64| {
            let phi_truth = relevance.phi(y);
            let cells = predicted.iter().zip(&phi_predicted);
            cells.map(|(z, &phi)| self.of_parts(phi_truth, phi, (y - z).abs())).collect()
        };
        Ok(truth.iter().map(row).collect())
    }
}

/// Checks the weight p of missed events against false alarms.
pub(super) fn check_p(p: f64) -> Result<()> {
    let expected = "the weight of missed events must lie within 0 to 1";
    check_setting((0.0..=1.0).contains(&p), "p", p, expected)
}

/// The utility of R's uba package for one relevance function: benefits and costs within its bumps (Ribeiro
/// 2011).
///
/// φ enters unclamped, as uba takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Uba {
    phi: Pchip,
    bumps: Vec<Bump>,
    p: f64,
    tloss: f64,
}

/// Tolerance of a relevance function with a single bump: 3·sd(|y − ȳ|)·√(ln n / n).
///
/// ```
/// let tolerance = tailrank_metrics::utility::tloss(&[1.0, 2.0, 4.0, 8.0])?;
/// assert!(tolerance > 0.0);
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
pub fn tloss(targets: &[f64]) -> Result<f64> {
    check_finite("targets", targets)?;
    let n = targets.len() as f64;
    if targets.len() == 1 {
        return Ok(0.0);
    }
    let mean = targets.iter().sum::<f64>() / n;
    let deviations: Vec<f64> = targets.iter().map(|y| (y - mean).abs()).collect();
    let centre = deviations.iter().sum::<f64>() / n;
    let variance = deviations.iter().map(|d| (d - centre) * (d - centre)).sum::<f64>() / (n - 1.0);
    Ok(3.0 * variance.sqrt() * (n.ln() / n).sqrt())
}

impl Uba {
    /// Utility for `phi`, with the weight `p` of missed events against false alarms (uba's default 0.5) and
    /// `tloss` as [`tloss`] derives it from the training targets.
    ///
    /// ```
    /// use tailrank_metrics::{Relevance, utility::Uba};
    /// let relevance = Relevance::range(&[(-3.0, 1.0), (0.0, 0.0), (3.0, 1.0)], Some(&[0.0; 3]))?;
    /// let Relevance::Pchip(phi) = relevance else { unreachable!() };
    /// let uba = Uba::new(&phi, 0.5, 0.6)?;
    /// assert_eq!(uba.utility(3.0, 3.0), 1.0); // an exact prediction of a fully relevant value
    /// assert_eq!(uba.utility(3.0, -3.0), -1.0); // its opposite
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn new(phi: &Pchip, p: f64, tloss: f64) -> Result<Self> {
        check_p(p)?;
        check_finite("tloss", &[tloss])?;
        Ok(Self { bumps: bumps(phi, tloss), phi: phi.clone(), p, tloss })
    }

    /// The loss that the bumps were made with.
    pub const fn tloss(&self) -> f64 {
        self.tloss
    }

    /// Utility, within −1 to 1, of predicting `predicted` for `truth`.
    pub fn utility(&self, truth: f64, predicted: f64) -> f64 {
        self.case(truth, predicted)[2]
    }

    /// φ(y), φ(ŷ) (both unclamped) and U of a case.
    #[inline]
    pub(crate) fn case(&self, truth: f64, predicted: f64) -> [f64; 3] {
        let [phi_truth, phi_predicted] = [truth, predicted].map(|y| self.phi.phi_unclamped(y));
        let b = self.bumps.partition_point(|bump| bump.left <= truth).max(1) - 1;
        let error = (truth - predicted).abs();
        // Distances to the edge of this bump and to the neighbouring maximum, on the side of the prediction.
        let (edge, beyond) = if predicted <= truth {
            (self.bumps[b].left, b.checked_sub(1).map(|i| self.bumps[i].maximum))
        } else {
            let next = self.bumps.get(b + 1);
            (next.map_or(f64::INFINITY, |n| n.left), next.map(|n| n.maximum))
        };
        let distance = |to: f64| if to.is_finite() { (truth - to).abs() } else { f64::INFINITY };
        let tolerance = self.bumps[b].tolerance;
        let benefit_limit = distance(edge).min(tolerance);
        let cost_limit = distance(beyond.unwrap_or(f64::INFINITY)).min(tolerance);
        let benefit =
            if benefit_limit == 0.0 || error > benefit_limit { 0.0 } else { 1.0 - error / benefit_limit };
        let cost = if cost_limit == 0.0 || error > cost_limit { 1.0 } else { error / cost_limit };
        let utility = phi_truth * benefit - (self.p * phi_truth + (1.0 - self.p) * phi_predicted) * cost;
        [phi_truth, phi_predicted, utility]
    }
}

/// One bump: from its left edge (a minimum of φ) to the next bump's, with one maximum and a tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bump {
    /// Left edge; −∞ for the first bump.
    pub left: f64,
    /// Where φ is largest; infinite when the maximum lies outside the control points.
    pub maximum: f64,
    /// Largest error that still earns a benefit.
    pub tolerance: f64,
}

/// The bumps of `phi`; `tloss` is the tolerance when there is only one.
///
/// Only control points whose corrected slope is exactly zero count, as in uba: `range` points with slopes
/// derived from secants are invisible inside and may leave a single bump.
pub fn bumps(phi: &Pchip, tloss: f64) -> Vec<Bump> {
    const FIRST: Bump =
        Bump { left: f64::NEG_INFINITY, maximum: f64::NEG_INFINITY, tolerance: f64::INFINITY };
    let plateaus = plateaus(phi);
    let mut bumps = vec![];
    let mut current = FIRST;
    let mut rising = true;
    for pair in plateaus.windows(2) {
        let ((y, here), (_, next)) = (pair[0], pair[1]);
        if next < here && rising {
            current.maximum = y;
            if current.left.is_finite() {
                current.tolerance = (y - current.left).abs();
            }
            rising = false;
        } else if next > here && (!rising || bumps.is_empty()) {
            bumps.push(closed(current, y));
            current = Bump { left: y, ..FIRST };
            rising = true;
        }
    }
    if bumps.is_empty() {
        return vec![Bump { tolerance: tloss, ..current }];
    }
    let end = plateaus.last().map_or(f64::NAN, |p| p.0);
    if rising {
        let tolerance = 2.0 * (end - current.left).abs();
        bumps.push(Bump { maximum: end, tolerance, ..current });
    } else {
        bumps.push(closed(current, end));
        bumps.push(Bump { left: end, maximum: f64::INFINITY, ..FIRST });
    }
    if bumps[0].maximum.is_infinite() {
        bumps[0].tolerance = bumps[1].tolerance;
    }
    let last = bumps.len() - 1;
    if bumps[last].maximum.is_infinite() {
        bumps[last].tolerance = bumps[last - 1].tolerance;
    }
    bumps
}

/// `bump` once its right edge is known: twice the shorter way from its maximum to an edge.
fn closed(bump: Bump, right: f64) -> Bump {
    if !bump.maximum.is_finite() {
        return bump;
    }
    Bump { tolerance: 2.0 * (bump.maximum - right).abs().min(bump.tolerance), ..bump }
}

/// (mean y, φ) of each run of flat control points with one φ.
fn plateaus(phi: &Pchip) -> Vec<(f64, f64)> {
    let flat = phi.control_points().iter().zip(phi.corrected_slopes()).filter(|(_, slope)| **slope == 0.0);
    let mut runs: Vec<(f64, usize, f64)> = Vec::new();
    for (point, _) in flat {
        match runs.last_mut() {
            Some((sum, count, phi)) if *phi == point.phi => {
                *sum += point.y;
                *count += 1;
            }
            _ => runs.push((point.y, 1, point.phi)),
        }
    }
    runs.into_iter().map(|(sum, count, phi)| (sum / count as f64, phi)).collect()
}
