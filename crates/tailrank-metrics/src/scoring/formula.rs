//! How each measure is computed. To add a measure: one arm here, one row in the registry.

use super::scorer::Derived;
use crate::error::Result;
use crate::registry::{Measure, OwnMeasure};
use crate::score::{Score, Undefined};
use crate::term::{Sums, Term};
use crate::{precision_recall, trading};

use Term::*;

/// How a measure is computed.
pub(super) enum Formula {
    /// From sums over the cases.
    Sums(SumFormula),
    /// From all cases together: medians, curves and whatever depends on the order of the cases.
    Cases(fn(&mut Derived<'_>) -> Result<Score>),
    /// From all cases together, by a function registered from outside.
    Own(OwnMeasure),
}

/// The sums that a measure needs and the score that follows from them.
pub(super) struct SumFormula {
    pub(super) terms: &'static [Term],
    pub(super) finish: fn(&Sums) -> Score,
}

const fn sums(terms: &'static [Term], finish: fn(&Sums) -> Score) -> Formula {
    Formula::Sums(SumFormula { terms, finish })
}

/// The formula of a measure.
fn of_measure(measure: Measure) -> Formula {
    match measure {
        Measure::Mad => sums(&[Case, Absolute], |s| mean(s, Absolute)),
        Measure::Mse => sums(&[Case, Squared], |s| mean(s, Squared)),
        Measure::Rmse => sums(&[Case, Squared], |s| mean(s, Squared).map(f64::sqrt)),
        Measure::Rse => sums(&[Squared, ReferenceSquared], rse),
        Measure::Rrse => sums(&[Squared, ReferenceSquared], |s| rse(s).map(f64::sqrt)),
        Measure::Rae => sums(&[Absolute, ReferenceAbsolute], |s| {
            relative(s, Absolute, ReferenceAbsolute, Undefined::ZeroVariance)
        }),
        Measure::Correlation => {
            sums(&[Case, Truth, TruthSquared, Predicted, PredictedSquared, Product], correlation)
        }
        Measure::LinLin => sums(&[Case, LinLin], |s| mean(s, LinLin)),
        Measure::QuadQuad => sums(&[Case, QuadQuad], |s| mean(s, QuadQuad)),
        Measure::Linex => sums(&[Case, Linex], |s| mean(s, Linex)),
        Measure::Precision => sums(&[Signal, SignalRelevance, Confirmed], precision_recall::precision),
        Measure::Recall => sums(&[Event, EventRelevance, Recalled], precision_recall::recall),
        Measure::F => {
            sums(&[Signal, SignalRelevance, Confirmed, Event, EventRelevance, Recalled], precision_recall::f)
        }
        Measure::EventMad => {
            sums(&[Event, EventAbsolute], |s| Score::ratio(s[EventAbsolute], s[Event], Undefined::NoEvents))
        }
        Measure::Utility => sums(&[Case, Utility], |s| mean(s, Utility)),
        Measure::UbaMu => sums(&[Case, UbaUtility], |s| mean(s, UbaUtility)),
        Measure::UbaNmu => sums(&[Case, UbaUtility], |s| mean(s, UbaUtility).map(|u| (u + 1.0) / 2.0)),
        Measure::UbaPrecision => sums(&[UbaSignalled, UbaConfirmed], uba_precision),
        Measure::UbaRecall => sums(&[UbaRelevant, UbaRecalled], uba_recall),
        Measure::UbaF => sums(&[UbaSignalled, UbaConfirmed, UbaRelevant, UbaRecalled], |s| {
            precision_recall::f_of(uba_precision(s), uba_recall(s), s.beta)
        }),
        Measure::Sera => sums(&[Sera], |s| Score::finite(s[Sera])),
        Measure::SeraShare => sums(&[Sera, Squared], |s| relative(s, Sera, Squared, Undefined::NoError)),
        Measure::Rwse => sums(&[Case, Rwse], |s| mean(s, Rwse)),
        Measure::Rwae => sums(&[Case, Rwae], |s| mean(s, Rwae)),
        Measure::Rwqs => sums(&[Case, Rwqs], |s| mean(s, Rwqs)),
        Measure::Sedi => sums(&[Case, Event, Signal, Met], sedi),
        Measure::BeyondRate => sums(&[Trade, TradeBeyond], |s| trading::per_signal(s, TradeBeyond)),
        Measure::WrongSideRate => sums(&[Trade, TradeWrong], |s| trading::per_signal(s, TradeWrong)),
        Measure::MissedRate => {
            sums(&[Move, MissedMove], |s| Score::ratio(s[MissedMove], s[Move], Undefined::NoEvents))
        }
        Measure::ReturnPerTrade => sums(&[Trade, Profit], |s| trading::per_signal(s, Profit)),
        Measure::TotalReturn => sums(&[Profit], |s| Score::finite(s[Profit])),
        Measure::MedianAbsolute => Formula::Cases(|cases| Ok(cases.median_absolute())),
        Measure::PrArea => Formula::Cases(|cases| Ok(cases.pr_area())),
        Measure::Growth => Formula::Cases(|cases| cases.growth()),
        Measure::Own(own) => Formula::Own(own),
    }
}

fn mean(s: &Sums, term: Term) -> Score {
    Score::finite(s[term] / s[Case])
}

/// A ratio of two sums, which may overflow together; it would then be no number.
fn relative(s: &Sums, part: Term, whole: Term, why: Undefined) -> Score {
    if s[whole] == 0.0 { Score::Undefined(why) } else { Score::finite(s[part] / s[whole]) }
}

/// Relative squared error.
fn rse(s: &Sums) -> Score {
    relative(s, Squared, ReferenceSquared, Undefined::ZeroVariance)
}

/// Below this share of the sum of squares, a sum of squared deviations is rounding: the values are all the
/// same.
const SAME: f64 = 1e-13;

/// Pearson's correlation from moments about any centres.
fn correlation(s: &Sums) -> Score {
    let about_mean = |squares: f64, sum: f64| {
        let left = squares - sum * sum / s[Case];
        if left > SAME * squares { left } else { 0.0 }
    };
    let truth = about_mean(s[TruthSquared], s[Truth]);
    let predicted = about_mean(s[PredictedSquared], s[Predicted]);
    if truth == 0.0 {
        return Score::Undefined(Undefined::ZeroVariance);
    }
    // Deviations so small that their squares vanish count as none.
    let scale = predicted.sqrt() * truth.sqrt();
    if scale == 0.0 {
        return Score::Undefined(Undefined::ConstantPredictions);
    }
    // Rounding may carry a perfect correlation past one.
    Score::finite((s[Product] - s[Truth] * s[Predicted] / s[Case]) / scale).map(|r| r.clamp(-1.0, 1.0))
}

/// Ferro & Stephenson's index of the signals as warnings, near or far: H counts signals on events of their
/// flank.
fn sedi(s: &Sums) -> Score {
    if s[Event] == 0.0 {
        return Score::Undefined(Undefined::NoEvents);
    }
    if s[Signal] == 0.0 {
        return Score::Undefined(Undefined::NoSignals);
    }
    let (false_alarms, missed) = (s[Signal] - s[Met], s[Event] - s[Met]);
    let quiet = s[Case] - s[Met] - false_alarms - missed;
    // A signal on an event of the other flank is a false alarm and a miss: `quiet` counts it twice, so not
    // below 0.
    let (hit_rate, alarm_rate) = (s[Met] / s[Event], false_alarms / (false_alarms + quiet.max(0.0)));
    // Where every case is an event, the second rate has no cases and is not a number.
    let uncertain = |rate: f64| rate > 0.0 && rate < 1.0;
    if !uncertain(hit_rate) || !uncertain(alarm_rate) {
        return Score::Undefined(Undefined::CertainRate);
    }
    let [f, h, not_h, not_f] = [alarm_rate, hit_rate, 1.0 - hit_rate, 1.0 - alarm_rate].map(f64::ln);
    Score::Value((f - h + not_h - not_f) / (f + h + not_h + not_f))
}

/// The slope of y on ŷ over the signals, by least squares.
const CALIBRATION_SLOPE: SumFormula = SumFormula {
    terms: &[Signal, SignalTruth, SignalPredicted, SignalSquared, SignalProduct],
    finish: |s| {
        let n = s[Signal];
        if n == 0.0 {
            return Score::Undefined(Undefined::NoSignals);
        }
        if n < 3.0 {
            return Score::Undefined(Undefined::FewSignals);
        }
        let spread = s[SignalSquared] - s[SignalPredicted] * s[SignalPredicted] / n;
        if spread <= SAME * s[SignalSquared] {
            return Score::Undefined(Undefined::ConstantPredictions);
        }
        Score::finite((s[SignalProduct] - s[SignalTruth] * s[SignalPredicted] / n) / spread)
    },
};

fn uba_precision(s: &Sums) -> Score {
    Score::ratio(s[UbaConfirmed], s[UbaSignalled], Undefined::NoSignals)
}

fn uba_recall(s: &Sums) -> Score {
    Score::ratio(s[UbaRecalled], s[UbaRelevant], Undefined::NoEvents)
}

/// A number computed from predictions.
///
/// Not every number that describes a model ranks it: the slope of a well-calibrated model is 1, and both less
/// and more are worse. Such numbers have no row among the measures and stand beside them here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Statistic {
    /// A measure of the registry.
    Measure(Measure),
    /// The slope of y on ŷ over the signals: what y adds per unit of ŷ. Ideal is 1.
    CalibrationSlope,
}

impl Statistic {
    /// How it is computed.
    pub(super) fn formula(self) -> Formula {
        match self {
            Self::Measure(measure) => of_measure(measure),
            Self::CalibrationSlope => Formula::Sums(CALIBRATION_SLOPE),
        }
    }

    /// How it follows from sums, if it does.
    pub(super) fn sum_formula(self) -> Option<SumFormula> {
        match self.formula() {
            Formula::Sums(formula) => Some(formula),
            _ => None,
        }
    }

    /// The measure whose settings it needs.
    pub(super) const fn needs_of(self) -> Measure {
        match self {
            Self::Measure(measure) => measure,
            // φ and t_E alone, as SEDI.
            Self::CalibrationSlope => Measure::Sedi,
        }
    }

    /// Whether it is a function of sums over the cases, so that [`TermTable`](super::TermTable) can hold it.
    pub fn has_terms(self) -> bool {
        self.sum_formula().is_some()
    }
}

impl From<Measure> for Statistic {
    fn from(measure: Measure) -> Self {
        Self::Measure(measure)
    }
}

impl std::fmt::Display for Statistic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Measure(measure) => measure.fmt(f),
            Self::CalibrationSlope => f.pad("slope"),
        }
    }
}
