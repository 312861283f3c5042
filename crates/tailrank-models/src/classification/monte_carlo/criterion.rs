//! What makes one candidate better than another.

use tailrank_metrics::classification::BinaryCounts;

/// The measure by which a candidate is chosen on the training rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Criterion {
    /// Share of rows classified rightly.
    Accuracy,
    /// F₁ of the positive class.
    F,
    /// F₁ of the negative class.
    NegativeF,
    /// Accuracy less a tenth of the average relationship index (OARP11).
    Oarp,
}

impl Criterion {
    /// The measure's value; an undefined one, such as the F of a class that is never called, is below every
    /// other.
    pub fn value(self, counts: &BinaryCounts) -> f64 {
        let score = match self {
            Self::Accuracy => counts.accuracy().value(),
            Self::F => f1(counts.tp, counts.fp, counts.fn_),
            Self::NegativeF => f1(counts.tn, counts.fn_, counts.fp),
            Self::Oarp => counts.oarp().value(),
        };
        score.unwrap_or(f64::NEG_INFINITY)
    }
}

/// F₁ = 2·hits/(2·hits + false + missed): one division of whole numbers, so that equal values have equal bits
/// and the first candidate of equals is found.
fn f1(hits: u64, false_calls: u64, missed: u64) -> Option<f64> {
    let called = hits + false_calls > 0;
    called.then(|| (2 * hits) as f64 / (2 * hits + false_calls + missed) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_the_measures() {
        let counts = BinaryCounts { tp: 7, fp: 2, tn: 11, fn_: 4 };
        let swapped = BinaryCounts { tp: 11, fp: 4, tn: 7, fn_: 2 };
        let of = |c: &BinaryCounts| c.f(1.0).unwrap().value().unwrap();
        assert!((Criterion::F.value(&counts) - of(&counts)).abs() < 1e-15);
        assert!((Criterion::NegativeF.value(&counts) - of(&swapped)).abs() < 1e-15);
        assert_eq!(Criterion::Accuracy.value(&counts), 0.75);
        assert_eq!(Criterion::Oarp.value(&counts), counts.oarp().value().unwrap());
        assert!((Criterion::Oarp.value(&swapped) - Criterion::Oarp.value(&counts)).abs() < 1e-15);
    }

    #[test]
    fn a_class_never_called_has_the_least_f() {
        let silent = BinaryCounts { tp: 0, fp: 0, tn: 9, fn_: 1 };
        let wrong = BinaryCounts { tp: 0, fp: 9, tn: 0, fn_: 1 };
        assert!(Criterion::F.value(&silent) < Criterion::F.value(&wrong));
        assert_eq!(Criterion::F.value(&wrong), 0.0);
        assert!(Criterion::NegativeF.value(&silent) > 0.9);
    }
}
