//! What can be computed from sums over the cases: measures, and numbers beside them that rank nothing.

use super::formula::{self, Formula, SumFormula};
use crate::registry::Measure;

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
            Self::Measure(measure) => formula::of_measure(measure),
            Self::CalibrationSlope => Formula::Sums(formula::CALIBRATION_SLOPE),
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
