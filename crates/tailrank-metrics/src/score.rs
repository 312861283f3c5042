//! A score is a number or a named reason why there is none.

use std::{cmp::Ordering, fmt};

/// Which end of a measure is the good one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Better {
    /// Errors, costs.
    Lower,
    /// Precision, utility, correlation.
    Higher,
}

/// Why a score has no value. Undefined is a state of its own: never 0, never NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Undefined {
    /// No prediction reaches the event threshold t_E, so precision has an empty denominator.
    NoSignals,
    /// No true value reaches the event threshold t_E, so recall has an empty denominator.
    NoEvents,
    /// The target (or the reference predictor's error) does not vary.
    ZeroVariance,
    /// The predictions do not vary.
    ConstantPredictions,
    /// Every case has relevance zero.
    ZeroRelevance,
    /// A class has no case, so a rate over it has an empty denominator.
    EmptyClass,
    /// The trading rule never traded.
    NoTrades,
    /// The measure needs something this run does not have.
    MissingInput,
    /// There is no error at all, so a share of it has an empty denominator.
    NoError,
    /// The value is too large for a floating-point number.
    Overflow,
    /// The cases come from several test periods or folds, and the measure follows one account through time.
    SeveralPeriods,
    /// A rate of hits or false alarms is 0 or 1, where the index has no value.
    CertainRate,
    /// The measure is not a function of sums over the cases, and only such are resampled.
    NoTerms,
    /// Fewer than three signals: no line can be laid through them.
    FewSignals,
}

impl Undefined {
    /// The reason as one phrase for tables and hovers.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NoSignals => "no prediction reaches the event threshold",
            Self::NoEvents => "no true value reaches the event threshold",
            Self::ZeroVariance => "the target does not vary",
            Self::ConstantPredictions => "the predictions do not vary",
            Self::ZeroRelevance => "every case has zero relevance",
            Self::EmptyClass => "a class has no case",
            Self::NoTrades => "the rule never traded",
            Self::MissingInput => "an input of the measure is missing",
            Self::NoError => "there is no error to take a share of",
            Self::Overflow => "the value is too large for a number",
            Self::CertainRate => "a rate of hits or false alarms is 0 or 1",
            Self::NoTerms => "the measure is not made of sums over the cases",
            Self::FewSignals => "there are fewer than three signals",
            Self::SeveralPeriods => "several test periods are not one account's life",
        }
    }
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

/// A measure's answer for one vector of predictions.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Score {
    /// The value.
    Value(f64),
    /// No value, and why.
    Undefined(Undefined),
}

impl Score {
    /// The mean of the defined ones; a repeat without a signal counts as 0 among repeats that have signals.
    ///
    /// ```
    /// use tailrank_metrics::{Score, Undefined};
    /// let silent = Score::Undefined(Undefined::NoSignals);
    /// assert_eq!(Score::mean_of_repeats([Score::Value(0.5), silent].into_iter()), Score::Value(0.25));
    /// assert_eq!(Score::mean_of_repeats([silent, silent].into_iter()), silent);
    /// ```
    pub fn mean_of_repeats(scores: impl Iterator<Item = Self> + Clone) -> Self {
        let values = Self::counted(scores.clone());
        if values.is_empty() {
            return scores.into_iter().next().unwrap_or(Self::Undefined(Undefined::MissingInput));
        }
        Self::finite(values.iter().sum::<f64>() / values.len() as f64)
    }

    /// The sample standard deviation over the repeats, counted as in their mean; none with fewer than two.
    pub fn deviation_of_repeats(scores: impl Iterator<Item = Self> + Clone) -> Option<f64> {
        let values = Self::counted(scores);
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        (n > 1.0).then(|| (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt())
    }

    /// The values of repeats; empty where none is defined.
    fn counted(scores: impl Iterator<Item = Self> + Clone) -> Vec<f64> {
        if scores.clone().all(|s| s.value().is_none()) {
            return Vec::new();
        }
        let of = |s: Self| match s {
            Self::Value(v) => Some(v),
            Self::Undefined(Undefined::NoSignals) => Some(0.0),
            Self::Undefined(_) => None,
        };
        scores.filter_map(of).collect()
    }

    /// The value, if there is one.
    pub const fn value(self) -> Option<f64> {
        match self {
            Self::Value(v) => Some(v),
            Self::Undefined(_) => None,
        }
    }

    /// The reason, if there is no value.
    pub const fn undefined(self) -> Option<Undefined> {
        match self {
            Self::Value(_) => None,
            Self::Undefined(why) => Some(why),
        }
    }

    /// `numerator / denominator`, or `why` when the denominator is zero.
    pub fn ratio(numerator: f64, denominator: f64, why: Undefined) -> Self {
        if denominator == 0.0 { Self::Undefined(why) } else { Self::Value(numerator / denominator) }
    }

    /// The value, or [`Undefined::Overflow`] when it is not finite.
    pub const fn finite(value: f64) -> Self {
        if value.is_finite() { Self::Value(value) } else { Self::Undefined(Undefined::Overflow) }
    }

    /// Applies `f` to a defined value.
    #[must_use]
    pub fn map(self, f: impl FnOnce(f64) -> f64) -> Self {
        match self {
            Self::Value(v) => Self::Value(f(v)),
            undefined @ Self::Undefined(_) => undefined,
        }
    }

    /// Orders two scores best first; undefined stands behind every defined score.
    pub fn compare(self, other: Self, better: Better) -> Ordering {
        match (self.value(), other.value()) {
            (Some(a), Some(b)) => match better {
                Better::Lower => a.total_cmp(&b),
                Better::Higher => b.total_cmp(&a),
            },
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        }
    }
}

impl From<f64> for Score {
    fn from(value: f64) -> Self {
        Self::Value(value)
    }
}

impl fmt::Display for Score {
    /// The value with the formatter's precision, or an en dash.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(v) => fmt::Display::fmt(v, f),
            Self::Undefined(_) => f.pad("–"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undefined_ranks_last_either_way() {
        let none = Score::Undefined(Undefined::NoSignals);
        for better in [Better::Lower, Better::Higher] {
            assert_eq!(Score::Value(-1e9).compare(none, better), Ordering::Less);
            assert_eq!(Score::Value(1e9).compare(none, better), Ordering::Less);
        }
    }

    #[test]
    fn prints_as_a_dash() {
        assert_eq!(format!("{:>6.3}", Score::Undefined(Undefined::NoEvents)), "     –");
        assert_eq!(format!("{:.3}", Score::Value(0.25)), "0.250");
    }

    #[test]
    fn repeats_are_averaged_by_hand() {
        let (silent, no_events) =
            (Score::Undefined(Undefined::NoSignals), Score::Undefined(Undefined::NoEvents));
        let mean = |scores: &[Score]| Score::mean_of_repeats(scores.iter().copied());
        let deviation = |scores: &[Score]| Score::deviation_of_repeats(scores.iter().copied());
        let values = [1.0, 2.0, 6.0].map(Score::Value);
        // Mean 3, squares 4 + 1 + 9 = 14 over 2.
        assert_eq!(mean(&values), Score::Value(3.0));
        assert_eq!(deviation(&values), Some(7.0_f64.sqrt()));
        // Silence counts as 0, what has no event does not count.
        let mixed = [Score::Value(4.0), silent, no_events];
        assert_eq!((mean(&mixed), deviation(&mixed)), (Score::Value(2.0), Some(8.0_f64.sqrt())));
        assert_eq!((mean(&[no_events, silent]), deviation(&[no_events, silent])), (no_events, None));
        assert_eq!((mean(&values[..1]), deviation(&values[..1])), (Score::Value(1.0), None));
        assert_eq!(mean(&[]), Score::Undefined(Undefined::MissingInput));
    }
}
