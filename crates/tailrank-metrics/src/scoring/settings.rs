//! The settings that measures are computed from.

use crate::accuracy::Accuracy;
use crate::error::{Result, check_setting};
use crate::loss::Loss;
use crate::precision_recall::check_beta;
use crate::registry::{Measure, Need};
use crate::relevance::{Relevance, check_event_threshold};
use crate::trading::TradingRule;
use crate::utility::{Uba, Ut08};

/// The mean that the relative measures hold a model against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reference {
    /// The mean of the training targets: what a simple predictor could have known (WF's text).
    TrainingMean(f64),
    /// The mean of the test targets (WF Table 5.8 as printed).
    TestMean,
}

/// Everything a measure may need; what is `None` leaves the measures that need it undefined.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The relevance function φ.
    pub relevance: Option<Relevance>,
    /// The event threshold t_E.
    pub t_e: f64,
    /// The accuracy α, with its t_L.
    pub accuracy: Option<Accuracy>,
    /// The weight β of recall in F: below 1 favours precision.
    pub beta: f64,
    /// UT08's utility (B, t, p).
    pub utility: Option<Ut08>,
    /// uba's utility.
    pub uba: Option<Uba>,
    /// The mean for relative errors: give the training mean where there is one.
    pub reference: Option<Reference>,
    /// Cost c_o of over-prediction in LINLIN and QUAD-QUAD.
    pub over: f64,
    /// Cost c_u of under-prediction in LINLIN and QUAD-QUAD.
    pub under: f64,
    /// LINEX's shape a.
    pub linex_shape: f64,
    /// LINEX's scale b.
    pub linex_scale: f64,
    /// The level q of the relevance-weighted quantile score.
    pub quantile: f64,
    /// The trading rule.
    pub trading: Option<TradingRule>,
}

impl Default for Settings {
    /// t_E = 0.5, β = 1, equal costs of 1, LINEX with a = b = 1, exact SERA, the quantile 0.9; nothing that
    /// depends on the data.
    fn default() -> Self {
        Self {
            relevance: None,
            t_e: 0.5,
            accuracy: None,
            beta: 1.0,
            utility: None,
            uba: None,
            reference: None,
            over: 1.0,
            under: 1.0,
            linex_shape: 1.0,
            linex_scale: 1.0,
            quantile: 0.9,
            trading: None,
        }
    }
}

impl Settings {
    /// Checks every value; [`Scorer::new`](super::Scorer::new) does so too.
    pub fn check(&self) -> Result<()> {
        check_event_threshold(self.t_e)?;
        check_beta(self.beta)?;
        if let Some(Reference::TrainingMean(value)) = self.reference {
            check_setting(value.is_finite(), "training mean", value, "a finite number")?;
        }
        // LINLIN and QUAD-QUAD share their costs.
        self.linlin().check()?;
        self.linex().check()?;
        let is_inside = self.quantile > 0.0 && self.quantile < 1.0;
        check_setting(is_inside, "quantile", self.quantile, "a level between 0 and 1, both excluded")?;
        if let Some(rule) = self.trading {
            rule.check()?;
        }
        Ok(())
    }

    /// What `measure` needs and these settings lack.
    ///
    /// ```
    /// use tailrank_metrics::{Measure, Settings, registry::Need};
    ///
    /// let missing: Vec<Need> = Settings::default().missing(Measure::Sera).collect();
    /// assert_eq!(missing, [Need::Relevance]);
    /// ```
    pub fn missing(&self, measure: Measure) -> impl Iterator<Item = Need> + '_ {
        measure.info().needs.iter().copied().filter(|need| match need {
            Need::Relevance => self.relevance.is_none(),
            Need::Accuracy => self.accuracy.is_none(),
            Need::Utility => self.utility.is_none(),
            Need::Uba => self.uba.is_none(),
            Need::Reference => self.reference.is_none(),
            Need::Trading => self.trading.is_none(),
            Need::EventThreshold | Need::Beta | Need::Loss | Need::Linex | Need::Quantile => false,
        })
    }

    pub(super) const fn linlin(&self) -> Loss {
        Loss::LinLin { over: self.over, under: self.under }
    }

    pub(super) const fn linex(&self) -> Loss {
        Loss::Linex { shape: self.linex_shape, scale: self.linex_scale }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bad_value_is_named() {
        let message = |settings: Settings| settings.check().unwrap_err().to_string();
        let ok = Settings::default;
        ok().check().unwrap();
        assert_eq!(
            message(Settings { t_e: 1.5, ..ok() }),
            "t_E = 1.5 is not allowed: the event threshold must lie within 0 to 1"
        );
        assert_eq!(
            message(Settings { beta: -1.0, ..ok() }),
            "beta = -1 is not allowed: beta must be 0 or more (below 1 favours precision, above 1 recall)"
        );
        assert_eq!(
            message(Settings { reference: Some(Reference::TrainingMean(f64::INFINITY)), ..ok() }),
            "training mean = inf is not allowed: a finite number"
        );
        assert_eq!(
            message(Settings { under: -2.0, ..ok() }),
            "loss.under = -2 is not allowed: a finite number, at least 0"
        );
        assert_eq!(
            message(Settings { linex_shape: 0.0, ..ok() }),
            "linex.shape = 0 is not allowed: a finite number other than 0"
        );
        for quantile in [0.0, 1.0, f64::NAN] {
            let expected =
                format!("quantile = {quantile} is not allowed: a level between 0 and 1, both excluded");
            assert_eq!(message(Settings { quantile, ..ok() }), expected);
        }
        assert_eq!(
            message(Settings { over: f64::NAN, ..ok() }),
            "loss.over = NaN is not allowed: a finite number, at least 0"
        );
        assert_eq!(
            message(Settings { linex_scale: -1.0, ..ok() }),
            "linex.scale = -1 is not allowed: a finite number above 0"
        );
        let costly = TradingRule { cost: -0.01, ..TradingRule::new(0.02, 1) };
        assert_eq!(
            message(Settings { trading: Some(costly), ..ok() }),
            "trading.cost = -0.01 is not allowed: a finite return, at least 0"
        );
        assert_eq!(
            message(Settings { trading: Some(TradingRule::new(0.02, 0)), ..ok() }),
            "trading.horizon = 0 is not allowed: at least 1 row"
        );
    }

    #[test]
    fn defaults_are_the_documented_ones() {
        let s = Settings::default();
        assert_eq!((s.t_e, s.beta, s.over, s.under), (0.5, 1.0, 1.0, 1.0));
        assert_eq!((s.linex_shape, s.linex_scale, s.quantile), (1.0, 1.0, 0.9));
        assert!(s.relevance.is_none() && s.accuracy.is_none() && s.utility.is_none() && s.uba.is_none());
        assert!(s.reference.is_none() && s.trading.is_none());
    }
}
