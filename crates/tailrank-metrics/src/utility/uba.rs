//! The utility of R's uba package: benefits and costs within the bumps of φ (Ribeiro 2011).

use super::{
    bumps::{Bump, bumps},
    ut08::check_p,
};
use crate::{Result, error::check_finite, relevance::Pchip};

/// uba's utility for one relevance function.
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

    /// The bumps of φ.
    pub fn bumps(&self) -> &[Bump] {
        &self.bumps
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
