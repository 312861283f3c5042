//! How each measure follows from sums over the cases. To add such a measure: one arm here, one row in the registry.

use super::term::{Sums, Term};
use crate::registry::Measure;
use crate::score::{Score, Undefined};
use crate::{precision_recall, trading};

use Term::*;

/// The sums that a measure needs and the score that follows from them.
pub(super) struct Form {
    pub(super) terms: &'static [Term],
    pub(super) finish: fn(&Sums) -> Score,
}

const fn form(terms: &'static [Term], finish: fn(&Sums) -> Score) -> Option<Form> {
    Some(Form { terms, finish })
}

/// The form of a measure; none for medians, curves and whatever depends on the order of the cases.
pub(super) fn of_measure(measure: Measure) -> Option<Form> {
    match measure {
        Measure::Mad => form(&[Case, Absolute], |s| mean(s, Absolute)),
        Measure::Mse => form(&[Case, Squared], |s| mean(s, Squared)),
        Measure::Rmse => form(&[Case, Squared], |s| mean(s, Squared).map(f64::sqrt)),
        Measure::Rse => form(&[Squared, ReferenceSquared], |s| relative(s, Squared, ReferenceSquared)),
        Measure::Rrse => {
            form(&[Squared, ReferenceSquared], |s| relative(s, Squared, ReferenceSquared).map(f64::sqrt))
        }
        Measure::Rae => form(&[Absolute, ReferenceAbsolute], |s| relative(s, Absolute, ReferenceAbsolute)),
        Measure::Correlation => {
            form(&[Case, Truth, TruthSquared, Predicted, PredictedSquared, Product], correlation)
        }
        Measure::LinLin => form(&[Case, LinLin], |s| mean(s, LinLin)),
        Measure::QuadQuad => form(&[Case, QuadQuad], |s| mean(s, QuadQuad)),
        Measure::Linex => form(&[Case, Linex], |s| mean(s, Linex)),
        Measure::Precision => form(&[Signal, SignalRelevance, Confirmed], precision_recall::precision),
        Measure::Recall => form(&[Event, EventRelevance, Recalled], precision_recall::recall),
        Measure::F => {
            form(&[Signal, SignalRelevance, Confirmed, Event, EventRelevance, Recalled], precision_recall::f)
        }
        Measure::EventMad => {
            form(&[Event, EventAbsolute], |s| Score::ratio(s[EventAbsolute], s[Event], Undefined::NoEvents))
        }
        Measure::Utility => form(&[Case, Utility], |s| mean(s, Utility)),
        Measure::UbaMu => form(&[Case, UbaUtility], |s| mean(s, UbaUtility)),
        Measure::UbaNmu => form(&[Case, UbaUtility], |s| mean(s, UbaUtility).map(|u| (u + 1.0) / 2.0)),
        Measure::UbaPrecision => form(&[UbaSignalled, UbaConfirmed], uba_precision),
        Measure::UbaRecall => form(&[UbaRelevant, UbaRecalled], uba_recall),
        Measure::UbaF => form(&[UbaSignalled, UbaConfirmed, UbaRelevant, UbaRecalled], |s| {
            precision_recall::f_of(uba_precision(s), uba_recall(s), s.beta)
        }),
        Measure::Sera => form(&[Sera], |s| Score::finite(s[Sera])),
        Measure::SeraShare => form(&[Sera, Squared], |s| {
            // Both sums may overflow together; their ratio would then be no number.
            match Score::ratio(s[Sera], s[Squared], Undefined::NoError) {
                Score::Value(share) => Score::finite(share),
                undefined => undefined,
            }
        }),
        Measure::BeyondRate => form(&[Trade, TradeBeyond], |s| trading::per_signal(s, TradeBeyond)),
        Measure::WrongSideRate => form(&[Trade, TradeWrong], |s| trading::per_signal(s, TradeWrong)),
        Measure::MissedRate => {
            form(&[Move, MissedMove], |s| Score::ratio(s[MissedMove], s[Move], Undefined::NoEvents))
        }
        Measure::ReturnPerTrade => form(&[Trade, Profit], |s| trading::per_signal(s, Profit)),
        Measure::TotalReturn => form(&[Profit], |s| Score::finite(s[Profit])),
        _ => None,
    }
}

fn mean(s: &Sums, term: Term) -> Score {
    Score::finite(s[term] / s[Case])
}

fn relative(s: &Sums, error: Term, reference: Term) -> Score {
    if s[reference] == 0.0 {
        return Score::Undefined(Undefined::ZeroVariance);
    }
    Score::finite(s[error] / s[reference])
}

/// Below this share of the sum of squares, a sum of squared deviations is rounding: the values are all the same.
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

fn uba_precision(s: &Sums) -> Score {
    Score::ratio(s[UbaConfirmed], s[UbaSignalled], Undefined::NoSignals)
}

fn uba_recall(s: &Sums) -> Score {
    Score::ratio(s[UbaRecalled], s[UbaRelevant], Undefined::NoEvents)
}
