//! The one error type of this crate: what is wrong, where, and what to change; and the checks that other
//! crates share.

use crate::lanes::lane_sums;

/// A result of this crate.
pub type Result<T> = std::result::Result<T, MetricError>;

/// Input that no measure can be computed from.
///
/// Rows are counted from 1, as a user counts the lines of a table.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricError {
    /// Two vectors that must be parallel are not.
    #[error("{left_name} has {left} rows but {right_name} has {right}: give one value per case in both")]
    LengthMismatch {
        /// Name of the first vector.
        left_name: &'static str,
        /// Its length.
        left: usize,
        /// Name of the second vector.
        right_name: &'static str,
        /// Its length.
        right: usize,
    },
    /// Predictions that do not come in the parts that the truth has.
    #[error("parts of the truth: {truth}, of the predictions: {predictions}; give one slice per part")]
    PartMismatch {
        /// Parts of the truth.
        truth: usize,
        /// Parts of the predictions.
        predictions: usize,
    },
    /// A vector without any row.
    #[error("{name} is empty: give {needed} or more rows")]
    Empty {
        /// Name of the vector.
        name: &'static str,
        /// Fewest rows that would do.
        needed: usize,
    },
    /// A NaN or an infinity.
    #[error("{name} row {row} is {value}: every value must be finite; drop or impute that case")]
    NonFinite {
        /// Name of the vector.
        name: &'static str,
        /// Row, from 1.
        row: usize,
        /// The value met there.
        value: f64,
    },
    /// A setting outside its range.
    #[error("{name} = {value} is not allowed: {expected}")]
    Parameter {
        /// Name of the setting as the user writes it.
        name: &'static str,
        /// The value given.
        value: f64,
        /// What would be accepted.
        expected: &'static str,
    },
    /// A setting outside its range, at one place of a list.
    #[error("{name} entry {index}: {problem}; {fix}")]
    Entry {
        /// Name of the list.
        name: &'static str,
        /// Position, from 1.
        index: usize,
        /// What is wrong there.
        problem: String,
        /// What to change.
        fix: &'static str,
    },
    /// A relevance function cannot be derived from these targets.
    #[error("no relevance function can be derived: {problem}; {fix}")]
    NoRelevance {
        /// What is missing.
        problem: String,
        /// Which setting to change.
        fix: String,
    },
    /// A name that is in no row of the registry.
    #[error("no measure is called `{id}`: {}", suggestion(*nearest))]
    UnknownMeasure {
        /// The name given.
        id: String,
        /// The most similar name, if any is similar.
        nearest: Option<&'static str>,
    },
    /// A name that no further measure can have.
    #[error("a measure cannot be registered as `{id}`: use a name in lower case that no other measure has")]
    MeasureName {
        /// The name given.
        id: String,
    },
}

impl MetricError {
    /// An entry of a list that cannot be used; entries are counted from 0 here.
    pub(crate) fn entry(name: &'static str, place: usize, problem: String, fix: &'static str) -> Self {
        Self::Entry { name, index: place + 1, problem, fix }
    }

    pub(crate) fn no_relevance(problem: impl Into<String>, fix: &str) -> Self {
        Self::NoRelevance { problem: problem.into(), fix: fix.to_owned() }
    }
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(
        || "look it up in the list of measures".to_owned(),
        |name| format!("did you mean `{name}`?"),
    )
}

/// Checks that `values` has rows and that each is finite.
pub fn check_finite(name: &'static str, values: &[f64]) -> Result<()> {
    if values.is_empty() {
        return Err(MetricError::Empty { name, needed: 1 });
    }
    // One pass without a branch per value, in lanes that do not wait for each other: a non-finite value makes
    // v·0 non-zero (NaN).
    if lane_sums([values], |[v]| [v * 0.0]) == [0.0] {
        return Ok(());
    }
    match values.iter().position(|v| !v.is_finite()) {
        Some(i) => Err(MetricError::NonFinite { name, row: i + 1, value: values[i] }),
        None => Ok(()),
    }
}

/// Checks that two vectors are parallel.
pub const fn check_lengths(
    left_name: &'static str,
    left: usize,
    right_name: &'static str,
    right: usize,
) -> Result<()> {
    if left == right {
        Ok(())
    } else {
        Err(MetricError::LengthMismatch { left_name, left, right_name, right })
    }
}

/// Checks a truth vector and its predictions: parallel, non-empty, finite.
pub(crate) fn check_pair(truth: &[f64], predicted: &[f64]) -> Result<()> {
    check_lengths("truth", truth.len(), "predictions", predicted.len())?;
    check_finite("truth", truth)?;
    check_finite("predictions", predicted)
}

/// Checks a setting: an error says what is `expected` unless it is `allowed`.
pub const fn check_setting(
    allowed: bool,
    name: &'static str,
    value: f64,
    expected: &'static str,
) -> Result<()> {
    if allowed { Ok(()) } else { Err(MetricError::Parameter { name, value, expected }) }
}

/// A number above 0.
pub(crate) const fn is_positive(value: f64) -> bool {
    value > 0.0 && value.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_row_is_named() {
        let err = check_pair(&[1.0, 2.0], &[1.0, f64::NAN]).unwrap_err();
        assert_eq!(
            err.to_string(),
            "predictions row 2 is NaN: every value must be finite; drop or impute that case"
        );
        assert!(check_pair(&[1.0, f64::INFINITY], &[1.0, 2.0]).is_err());
        assert!(check_pair(&[], &[]).is_err());
        assert!(check_pair(&[1.0], &[1.0, 2.0]).is_err());
    }
}
