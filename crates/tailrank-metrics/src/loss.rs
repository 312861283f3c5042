//! Asymmetric losses that PR09 §3 names (Christoffersen & Diebold 1996): over- and under-prediction cost
//! differently.

use crate::error::{Result, check_pair, check_setting, is_positive};
use crate::exp::one_minus_exp;
use crate::score::Score;

/// A loss of the signed error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loss {
    /// c_o·|y − ŷ| for ŷ > y, c_u·|y − ŷ| for ŷ < y (PR09 eq. 1).
    LinLin {
        /// Cost of over-prediction, c_o.
        over: f64,
        /// Cost of under-prediction, c_u.
        under: f64,
    },
    /// c_o·(y − ŷ)² for ŷ > y, c_u·(y − ŷ)² for ŷ < y.
    QuadQuad {
        /// Cost of over-prediction, c_o.
        over: f64,
        /// Cost of under-prediction, c_u.
        under: f64,
    },
    /// b·(exp(a·e) − a·e − 1) with the forecast error e = y − ŷ.
    ///
    /// a > 0 makes under-prediction grow exponentially and over-prediction almost linearly; a < 0 the
    /// reverse.
    Linex {
        /// Shape a, not zero.
        shape: f64,
        /// Scale b, positive.
        scale: f64,
    },
}

impl Loss {
    /// Checks the constants.
    pub fn check(self) -> Result<Self> {
        match self {
            Self::LinLin { over, under } | Self::QuadQuad { over, under } => {
                for (name, value) in [("loss.over", over), ("loss.under", under)] {
                    let is_allowed = value.is_finite() && value >= 0.0;
                    check_setting(is_allowed, name, value, "a finite number, at least 0")?;
                }
                let expected = "with loss.under = 0 too, every error would be free";
                check_setting(over != 0.0 || under != 0.0, "loss.over", over, expected)?;
            }
            Self::Linex { shape, scale } => {
                let is_allowed = shape.is_finite() && shape != 0.0;
                check_setting(is_allowed, "linex.shape", shape, "a finite number other than 0")?;
                check_setting(is_positive(scale), "linex.scale", scale, "a finite number above 0")?;
            }
        }
        Ok(self)
    }

    /// The loss of one prediction.
    #[inline]
    pub fn of(self, truth: f64, predicted: f64) -> f64 {
        let error = truth - predicted;
        match self {
            Self::LinLin { over, under } => (if error < 0.0 { over } else { under }) * error.abs(),
            Self::QuadQuad { over, under } => (if error < 0.0 { over } else { under }) * (error * error),
            Self::Linex { shape, scale } => scale * exp_beyond_linear(shape * error),
        }
    }

    /// The mean loss.
    ///
    /// ```
    /// use tailrank_metrics::loss::Loss;
    ///
    /// let linlin = Loss::LinLin { over: 1.0, under: 3.0 };
    /// // One over-prediction by 1, one under-prediction by 1.
    /// assert_eq!(linlin.mean(&[0.0, 0.0], &[1.0, -1.0])?.value(), Some(2.0));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn mean(self, truth: &[f64], predicted: &[f64]) -> Result<Score> {
        self.check()?;
        check_pair(truth, predicted)?;
        let sum: f64 = truth.iter().zip(predicted).map(|(&y, &z)| self.of(y, z)).sum();
        Ok(Score::finite(sum / truth.len() as f64))
    }
}

/// exp(x) − x − 1, without the cancellation that loses half the digits for small x.
///
/// Both forms are computed and one is chosen, so that loops over it vectorise.
#[inline(always)]
pub(crate) fn exp_beyond_linear(x: f64) -> f64 {
    // x²·Σ xʲ/(j + 2)!: at |x| = 0.5 the first term left out is below 1e-17 of the sum.
    let mut series = 0.0;
    for term in SERIES {
        series = series * x + term;
    }
    // At |x| = 0.5 the subtraction costs a factor below 5 in the last place.
    let difference = -one_minus_exp(x) - x;
    let value = if x.abs() > 0.5 { difference } else { x * x * series };
    // The exponential itself is held at e⁷⁰⁸.
    if x > 708.0 { f64::INFINITY } else { value }
}

/// 1/(j + 2)! for j = 13, …, 0.
const SERIES: [f64; 14] = {
    let mut terms = [0.0; 14];
    let mut factorial = 1.0;
    let mut j = 0;
    while j < 14 {
        factorial *= (j + 2) as f64;
        terms[13 - j] = 1.0 / factorial;
        j += 1;
    }
    terms
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linex_is_exact_for_small_and_large_errors() {
        // exp(x) − x − 1 to 20 digits (computed with 50-digit arithmetic).
        for (x, exact) in [
            (1e-8, 5.000_000_016_666_666_7e-17),
            (0.02, 2.013_400_267_558_101_8e-4),
            (-0.3, 4.081_822_068_171_786_5e-2),
            (0.5, 1.487_212_707_001_281_4e-1),
            (-0.6, 1.488_116_360_940_264_2e-1),
            (3.0, 16.085_536_923_187_668),
        ] {
            let got = exp_beyond_linear(x);
            assert!((got / exact - 1.0).abs() < 1e-15, "{x}: {got} against {exact}");
        }
    }

    #[test]
    fn constants_are_checked() {
        let message = |loss: Loss| loss.check().unwrap_err().to_string();
        assert_eq!(
            message(Loss::LinLin { over: -1.0, under: 1.0 }),
            "loss.over = -1 is not allowed: a finite number, at least 0"
        );
        assert_eq!(
            message(Loss::QuadQuad { over: 0.0, under: 0.0 }),
            "loss.over = 0 is not allowed: with loss.under = 0 too, every error would be free"
        );
        assert_eq!(
            message(Loss::Linex { shape: 0.0, scale: 1.0 }),
            "linex.shape = 0 is not allowed: a finite number other than 0"
        );
        assert!(Loss::Linex { shape: 1.0, scale: f64::NAN }.check().is_err());
    }

    #[test]
    fn sides_are_told_apart() {
        let quad = Loss::QuadQuad { over: 2.0, under: 5.0 };
        assert_eq!((quad.of(0.0, 3.0), quad.of(0.0, -3.0), quad.of(1.0, 1.0)), (18.0, 45.0, 0.0));
        let linex = Loss::Linex { shape: 1.0, scale: 1.0 };
        assert!(linex.of(2.0, 0.0) > linex.of(0.0, 2.0), "a > 0 punishes under-prediction");
    }

    #[test]
    fn an_exponential_that_overflows_is_undefined() {
        let score = Loss::Linex { shape: 1.0, scale: 1.0 }.mean(&[1000.0], &[0.0]).unwrap();
        assert_eq!(score.undefined(), Some(crate::Undefined::Overflow));
    }
}
