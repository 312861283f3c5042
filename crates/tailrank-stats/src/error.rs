//! The one error type of this crate: what is wrong, where, and what to change.

/// A result of this crate.
pub type Result<T> = std::result::Result<T, StatsError>;

/// Input that no statistic can be computed from.
///
/// Rows are counted from 1, as a user counts the lines of a table.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StatsError {
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
    /// Fewer rows than the statistic can be computed from.
    #[error("{test} needs {needed} or more usable rows, and {name} has {rows}: {fix}")]
    TooFew {
        /// Name of the vector or table.
        name: &'static str,
        /// Rows that can be used.
        rows: usize,
        /// What was to be computed.
        test: &'static str,
        /// Fewest rows that would do.
        needed: usize,
        /// What to change.
        fix: &'static str,
    },
    /// More rows than an exact method is offered for.
    #[error(
        "{name} has {rows} rows but the exact {test} is offered up to {limit}: ask for the asymptotic method"
    )]
    TooMany {
        /// Name of the vector.
        name: &'static str,
        /// Its length.
        rows: usize,
        /// What was to be computed.
        test: &'static str,
        /// Most rows that are accepted.
        limit: usize,
    },
    /// A NaN or an infinity.
    #[error(
        "{name} row {row} is {value}: every value must be finite; drop that case, or rank it as undefined"
    )]
    NonFinite {
        /// Name of the vector.
        name: &'static str,
        /// Row, from 1.
        row: usize,
        /// The value met there.
        value: f64,
    },
    /// A NaN or an infinity in a table.
    #[error(
        "{name} column {column} row {row} is {value}: every value must be finite; leave that column out, or fill it first"
    )]
    NonFiniteCell {
        /// Name of the table.
        name: &'static str,
        /// Column, from 1.
        column: usize,
        /// Row, from 1.
        row: usize,
        /// The value met there.
        value: f64,
    },
    /// A question that the data given cannot answer.
    #[error("{what} is undefined: {reason}")]
    Degenerate {
        /// What was to be computed.
        what: &'static str,
        /// Why not, and what to change.
        reason: &'static str,
    },
    /// All values are tied, so the statistic would divide by zero.
    #[error("{name} does not vary, so {test} is undefined: {fix}")]
    Constant {
        /// Name of the vector.
        name: &'static str,
        /// What was to be computed.
        test: &'static str,
        /// What to change.
        fix: &'static str,
    },
    /// An exact distribution that holds only without ties was asked for tied values.
    #[error(
        "{name} has ties and the exact {test} distribution holds only without: use the asymptotic or the permutation method"
    )]
    Ties {
        /// Name of the vector.
        name: &'static str,
        /// What was to be computed.
        test: &'static str,
    },
    /// A setting outside its range.
    #[error("{name} = {value} is not allowed: {expected}")]
    Parameter {
        /// Name of the setting.
        name: &'static str,
        /// The value given.
        value: f64,
        /// What would be accepted.
        expected: &'static str,
    },
    /// A table row with another number of columns than the first.
    #[error(
        "row {row} has {columns} columns but row 1 has {expected}: give one score per model in every row"
    )]
    Ragged {
        /// Row, from 1.
        row: usize,
        /// Its columns.
        columns: usize,
        /// Columns of the first row.
        expected: usize,
    },
    /// One item stands twice in a list of distinct items.
    #[error("{name} row {row} repeats the item of row {first}: list every item once")]
    Repeated {
        /// Name of the list.
        name: &'static str,
        /// Row of the repetition, from 1.
        row: usize,
        /// Row where the item stood first, from 1.
        first: usize,
    },
}

/// Checks that every value is finite.
pub(crate) fn check_finite(name: &'static str, values: &[f64]) -> Result<()> {
    match values.iter().position(|v| !v.is_finite()) {
        Some(i) => Err(StatsError::NonFinite { name, row: i + 1, value: values[i] }),
        None => Ok(()),
    }
}

/// Checks that columns are finite and all have `rows` values; there is at least one.
pub(crate) fn check_columns<C: AsRef<[f64]>>(
    name: &'static str,
    columns: &[C],
    rows_name: &'static str,
    rows: usize,
) -> Result<()> {
    if columns.is_empty() {
        let fix = "give at least one column";
        return Err(StatsError::TooFew { name, rows: 0, test: "this table", needed: 1, fix });
    }
    for (j, column) in columns.iter().map(AsRef::as_ref).enumerate() {
        if column.len() != rows {
            let (left, right) = (column.len(), rows);
            return Err(StatsError::LengthMismatch { left_name: name, left, right_name: rows_name, right });
        }
        if let Some(i) = column.iter().position(|v| !v.is_finite()) {
            let (column, row, value) = (j + 1, i + 1, column[i]);
            return Err(StatsError::NonFiniteCell { name, column, row, value });
        }
    }
    Ok(())
}

/// Checks that there are at least `needed` rows.
pub(crate) fn check_rows(name: &'static str, rows: usize, test: &'static str, needed: usize) -> Result<()> {
    if rows < needed {
        return Err(StatsError::TooFew { name, rows, test, needed, fix: "add cases" });
    }
    Ok(())
}

/// Checks a pair of parallel finite vectors of at least `needed` rows.
pub(crate) fn check_pair(x: &[f64], y: &[f64], test: &'static str, needed: usize) -> Result<()> {
    if x.len() != y.len() {
        return Err(StatsError::LengthMismatch {
            left_name: "x",
            left: x.len(),
            right_name: "y",
            right: y.len(),
        });
    }
    check_rows("x", x.len(), test, needed)?;
    check_finite("x", x)?;
    check_finite("y", y)
}

/// Checks that a probability lies strictly between 0 and 1.
pub(crate) fn check_open_unit(name: &'static str, value: f64) -> Result<()> {
    if value > 0.0 && value < 1.0 {
        return Ok(());
    }
    Err(StatsError::Parameter { name, value, expected: "choose a number above 0 and below 1, such as 0.05" })
}
