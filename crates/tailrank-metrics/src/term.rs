//! The sums that scores are made of: one number a case, added up over the cases.

use std::ops::{Index, IndexMut};

/// What one case adds to a sum. Most measures are a function of a few such sums
/// ([`TermTable`](crate::scoring::TermTable)).
///
/// Every case is measured with the settings of its own part: its φ, t_E, α, costs and reference mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Term {
    /// 1.
    Case,
    /// |ŷ − y|.
    Absolute,
    /// (ŷ − y)².
    Squared,
    /// LINLIN loss.
    LinLin,
    /// QUAD-QUAD loss.
    QuadQuad,
    /// LINEX loss.
    Linex,
    /// |y − m| for the reference mean m.
    ReferenceAbsolute,
    /// (y − m)² for the reference mean m.
    ReferenceSquared,
    /// y − c, c the mean of all true values.
    Truth,
    /// (y − c)².
    TruthSquared,
    /// ŷ − d, d the mean of all predictions.
    Predicted,
    /// (ŷ − d)².
    PredictedSquared,
    /// (y − c)·(ŷ − d).
    Product,
    /// 1 for an event.
    Event,
    /// 1 for a signal.
    Signal,
    /// 1 for a signal on an event of its flank.
    Met,
    /// 1 for a hit.
    Hit,
    /// φ(y) of an event.
    EventRelevance,
    /// α·φ(y) of an event.
    Recalled,
    /// φ(ŷ) of a signal.
    SignalRelevance,
    /// α·φ(ŷ) of a signal.
    Confirmed,
    /// |ŷ − y| of an event.
    EventAbsolute,
    /// φ(y)·(ŷ − y)², or SERA's weight by trapezoids in the place of φ.
    Sera,
    /// 2·|∫ φ(θ)·(y − θ) dθ| between ŷ and y.
    Rwse,
    /// |∫ φ(θ) dθ| between ŷ and y.
    Rwae,
    /// The quantile score with weight φ.
    Rwqs,
    /// y − c of a signal.
    SignalTruth,
    /// ŷ − d of a signal.
    SignalPredicted,
    /// (ŷ − d)² of a signal.
    SignalSquared,
    /// (y − c)·(ŷ − d) of a signal.
    SignalProduct,
    /// UT08's utility.
    Utility,
    /// uba's utility U.
    UbaUtility,
    /// |1 + φ(y)| of an event.
    UbaRelevant,
    /// |1 + U| of an event.
    UbaRecalled,
    /// |1 + φ(ŷ)| of a signal.
    UbaSignalled,
    /// |1 + U| of a signal.
    UbaConfirmed,
    /// 1 for a trading signal.
    Trade,
    /// 1 for a trading signal with a move beyond the threshold on its side.
    TradeBeyond,
    /// 1 for a trading signal whose return went the other way.
    TradeWrong,
    /// 1 for a move beyond the threshold.
    Move,
    /// 1 for a move without a trading signal.
    MissedMove,
    /// The return of a trading signal after costs.
    Profit,
}

impl Term {
    /// Number of terms.
    pub(crate) const COUNT: usize = Self::Profit as usize + 1;

    /// Whether the term depends on the true values alone, and is therefore the same for every vector of
    /// predictions.
    pub const fn of_truth(self) -> bool {
        use Term::*;
        matches!(self, Event | EventRelevance | UbaRelevant | Move) || matches!(self.group(), Group::Truth)
    }

    /// The terms that are computed together with this one.
    pub(crate) const fn group(self) -> Group {
        use Term::*;
        match self {
            Case | ReferenceAbsolute | ReferenceSquared | Truth | TruthSquared => Group::Truth,
            Absolute | Squared => Group::Errors,
            LinLin | QuadQuad => Group::Asymmetric,
            Linex => Group::Linex,
            Predicted | PredictedSquared | Product => Group::Moments,
            Event | Signal | Met | Hit | EventRelevance | Recalled | SignalRelevance | Confirmed => {
                Group::Signals
            }
            EventAbsolute | Sera => Group::Relevant,
            Rwse | Rwae | Rwqs => Group::Integrals,
            SignalTruth | SignalPredicted | SignalSquared | SignalProduct => Group::SignalMoments,
            Utility => Group::Utility,
            UbaUtility | UbaRelevant | UbaRecalled | UbaSignalled | UbaConfirmed => Group::Uba,
            Trade | TradeBeyond | TradeWrong | Move | MissedMove | Profit => Group::Trading,
        }
    }
}

/// Terms that share their inputs and are computed in one pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    Truth,
    Errors,
    Asymmetric,
    Linex,
    Moments,
    Signals,
    Relevant,
    Integrals,
    SignalMoments,
    Utility,
    Uba,
    Trading,
}

/// The sums of all terms, and the one setting that enters after summing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sums {
    values: [f64; Term::COUNT],
    /// The weight β of recall in F.
    pub(crate) beta: f64,
}

impl Sums {
    pub(crate) const fn new(beta: f64) -> Self {
        Self { values: [0.0; Term::COUNT], beta }
    }
}

impl Index<Term> for Sums {
    type Output = f64;

    fn index(&self, term: Term) -> &f64 {
        &self.values[term as usize]
    }
}

impl IndexMut<Term> for Sums {
    fn index_mut(&mut self, term: Term) -> &mut f64 {
        &mut self.values[term as usize]
    }
}

/// Where the terms of a group go: added up, or written down case by case.
///
/// Each group is written once, so a score and its resampled versions are made of the same numbers.
pub(crate) trait Sink {
    /// Takes the K terms that `kernel` gives for each case of the parallel `inputs`.
    fn take<const I: usize, const K: usize>(
        &mut self,
        terms: [Term; K],
        inputs: [&[f64]; I],
        kernel: impl Fn([f64; I]) -> [f64; K],
    );
}

impl Sink for Sums {
    #[inline(always)]
    fn take<const I: usize, const K: usize>(
        &mut self,
        terms: [Term; K],
        inputs: [&[f64]; I],
        kernel: impl Fn([f64; I]) -> [f64; K],
    ) {
        for (term, sum) in terms.into_iter().zip(crate::lanes::lane_sums(inputs, kernel)) {
            self[term] += sum;
        }
    }
}
