//! What every hypothesis test here answers, in one shape, so that a report can say what was done.

use crate::Word;

/// Which departures from the null hypothesis count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Alternative {
    /// Either direction.
    #[default]
    TwoSided,
    /// The statistic is smaller than under the null (x below y, negative correlation).
    Less,
    /// The statistic is larger than under the null (x above y, positive correlation).
    Greater,
}

impl Alternative {
    /// The p value from both tails, each of which includes the observed value.
    pub(crate) fn p_value(self, lower: f64, upper: f64) -> f64 {
        match self {
            Self::TwoSided => (2.0 * lower.min(upper)).min(1.0),
            Self::Less => lower.min(1.0),
            Self::Greater => upper.min(1.0),
        }
    }

    /// Half a unit by which a discrete statistic that deviates by `deviation` is moved before the normal
    /// approximation.
    pub(crate) fn continuity(self, deviation: f64) -> f64 {
        match self {
            Self::TwoSided if deviation == 0.0 => 0.0,
            Self::TwoSided => 0.5_f64.copysign(deviation),
            Self::Less => -0.5,
            Self::Greater => 0.5,
        }
    }
}

/// The answer of a hypothesis test.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TestResult {
    /// The test, such as `"Kendall's rank correlation"`.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::read_word"))]
    pub test: Word,
    /// How the p value was found, such as `"exact"` or `"asymptotic"`.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::read_word"))]
    pub method: Word,
    /// The statistic.
    pub statistic: f64,
    /// The effect that the statistic stands for (τ, ρ, mean difference), where there is one.
    pub estimate: Option<f64>,
    /// Degrees of freedom; the numerator's for F.
    pub df: Option<f64>,
    /// Denominator degrees of freedom of F.
    pub df2: Option<f64>,
    /// The p value.
    pub p_value: f64,
    /// Which departures were counted.
    pub alternative: Alternative,
    /// Cases that entered the test.
    pub n: usize,
}

impl TestResult {
    /// An answer without estimate and degrees of freedom.
    pub(crate) const fn new(
        test: &'static str,
        method: &'static str,
        statistic: f64,
        p_value: f64,
        alternative: Alternative,
        n: usize,
    ) -> Self {
        Self { test, method, statistic, estimate: None, df: None, df2: None, p_value, alternative, n }
    }
}
