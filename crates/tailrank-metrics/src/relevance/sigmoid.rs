//! Sigmoid relevance (PR09 eq. 4–5).

use super::EventRange;
use crate::{
    MetricError, Result,
    error::{check_setting, is_positive},
    exp,
};

/// Which extremes of the target matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema),
    serde(rename_all = "lowercase")
)]
pub enum Extremes {
    /// Small values only.
    Low,
    /// Large values only.
    High,
    /// Both tails.
    #[default]
    Both,
}

impl Extremes {
    /// Whether low values matter.
    pub const fn low(self) -> bool {
        matches!(self, Self::Low | Self::Both)
    }

    /// Whether high values matter.
    pub const fn high(self) -> bool {
        matches!(self, Self::High | Self::Both)
    }
}

/// One or two logistic curves; with two, φ is the larger.
///
/// Each side is `1/(1 + exp(−s·(y − c)))` with `s = ±ln(1/Δ − 1)/|c·k|` (PR09 eq. 4 and 5): φ(c) = ½, and φ falls to Δ at
/// the distance |c·k| towards the centre of the distribution. PR09's text asks for φ(c + c·k) ≈ 0 on the low side, which
/// for a negative c lies further out; eq. 5 with its bars does not.
#[derive(Clone, Debug, PartialEq)]
pub struct Sigmoid {
    low: Option<f64>,
    high: Option<f64>,
    k: f64,
    delta: f64,
    /// Slopes; zero for a side that is not there.
    low_slope: f64,
    high_slope: f64,
}

impl Sigmoid {
    pub(super) fn new(low: Option<f64>, high: Option<f64>, k: f64, delta: f64) -> Result<Self> {
        check_setting(is_positive(k), "k", k, "k must be above 0")?;
        let is_inside = delta > 0.0 && delta < 0.5;
        check_setting(is_inside, "delta", delta, "delta must lie between 0 and 0.5, both excluded")?;
        if low.is_none() && high.is_none() {
            let problem = "a sigmoid needs a centre and none is given";
            return Err(MetricError::no_relevance(problem, "set `low`, `high` or both"));
        }
        for (name, centre) in [("low centre", low), ("high centre", high)] {
            let expected = "the sigmoid's width is |c·k|, so its centre must be finite and other than 0; \
                            shift the target or use a `range` or `table` relevance";
            let Some(value) = centre else { continue };
            check_setting(value != 0.0 && value.is_finite(), name, value, expected)?;
        }
        if let (Some(low), Some(high)) = (low, high) {
            check_setting(low < high, "low centre", low, "the low centre must be below the high centre")?;
        }
        // ln(1/Δ − 1): the logit that PR09 reaches at the distance |c·k| from the centre.
        let logit = (1.0 / delta - 1.0).ln();
        let slope = |c: Option<f64>| c.map_or(0.0, |c| logit / (c * k).abs());
        Ok(Self { low, high, k, delta, low_slope: slope(low), high_slope: slope(high) })
    }

    /// The centres, where φ = ½.
    pub const fn centres(&self) -> (Option<f64>, Option<f64>) {
        (self.low, self.high)
    }

    /// The shape k: φ has fallen to Δ at the distance |c·k| from a centre.
    pub const fn k(&self) -> f64 {
        self.k
    }

    /// The residual relevance Δ.
    pub const fn delta(&self) -> f64 {
        self.delta
    }

    /// Slopes of the low and the high side; zero for a side that is not there.
    pub(super) const fn slopes(&self) -> (f64, f64) {
        (self.low_slope, self.high_slope)
    }

    /// φ as a function whose settings are loop constants. The logistic is monotone, so the larger of two
    /// sides is the logistic of the larger exponent: one exponential per value.
    pub(super) fn function(&self) -> impl Fn(f64) -> f64 + use<> {
        // A side that is absent has slope 0 and an intercept that no real exponent falls below.
        const ABSENT: f64 = -1e300;
        let (low_slope, high_slope) = (self.low_slope, self.high_slope);
        let (low, low_floor) = (self.low.unwrap_or(0.0), if self.low.is_some() { 0.0 } else { ABSENT });
        let (high, high_floor) = (self.high.unwrap_or(0.0), if self.high.is_some() { 0.0 } else { ABSENT });
        #[inline(always)]
        move |y: f64| {
            let a = high_slope * (y - high) + high_floor;
            let b = low_slope * (low - y) + low_floor;
            exp::logistic(if b > a { b } else { a })
        }
    }

    /// Where φ ≥ t, for 0 < t < 1.
    pub(super) fn event_bounds(&self, t: f64) -> Vec<EventRange> {
        let logit = (t / (1.0 - t)).ln();
        let mut ranges = Vec::new();
        if let Some(c) = self.low {
            ranges.push(EventRange { from: f64::NEG_INFINITY, to: c - logit / self.low_slope });
        }
        if let Some(c) = self.high {
            ranges.push(EventRange { from: c + logit / self.high_slope, to: f64::INFINITY });
        }
        ranges
    }
}
