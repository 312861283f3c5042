//! Utility of UT08: a benefit or cost from the error, weighted by relevance (eq. 1–2).

use crate::{
    Relevance, Result, Score,
    error::{check_finite, check_pair, check_setting, is_positive},
    exp::one_minus_exp,
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
