//! The one error type of this crate: what is wrong, where, and what to change.

use tailrank_metrics::MetricError;
pub(crate) use tailrank_metrics::{check_finite, check_lengths, check_setting};

/// A result of this crate.
pub type Result<T> = std::result::Result<T, StatsError>;

/// Input that no statistic can be computed from.
///
/// Rows are counted from 1, as a user counts the lines of a table.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StatsError {
    /// Input that the checks of all measures refuse: lengths, numbers that are not finite, settings outside
    /// their range.
    #[error(transparent)]
    Input(#[from] MetricError),
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
}

/// Checks that columns are finite and all have `rows` values; there is at least one.
pub(crate) fn check_columns<C: AsRef<[f64]>>(
    name: &'static str,
    columns: &[C],
    rows_name: &'static str,
    rows: usize,
) -> Result<()> {
    check_count(name, columns.len(), "this table", 1, "give at least one column")?;
    for (j, column) in columns.iter().map(AsRef::as_ref).enumerate() {
        check_lengths(name, column.len(), rows_name, rows)?;
        if let Some(i) = column.iter().position(|v| !v.is_finite()) {
            let (column, row, value) = (j + 1, i + 1, column[i]);
            return Err(StatsError::NonFiniteCell { name, column, row, value });
        }
    }
    Ok(())
}

/// Checks that there are at least `needed` rows.
pub(crate) const fn check_rows(
    name: &'static str,
    rows: usize,
    test: &'static str,
    needed: usize,
) -> Result<()> {
    check_count(name, rows, test, needed, "add cases")
}

/// [`check_rows`] where something else than more cases would help.
pub(crate) const fn check_count(
    name: &'static str,
    rows: usize,
    test: &'static str,
    needed: usize,
    fix: &'static str,
) -> Result<()> {
    if rows < needed { Err(StatsError::TooFew { name, rows, test, needed, fix }) } else { Ok(()) }
}

/// Checks a pair of parallel finite vectors of at least `needed` rows.
pub(crate) fn check_pair(x: &[f64], y: &[f64], test: &'static str, needed: usize) -> Result<()> {
    check_lengths("x", x.len(), "y", y.len())?;
    check_rows("x", x.len(), test, needed)?;
    check_finite("x", x)?;
    Ok(check_finite("y", y)?)
}

/// Checks a number of draws.
pub(crate) fn check_draws(draws: usize) -> Result<()> {
    Ok(check_setting(draws > 0, "draws", draws as f64, "draw at least once, usually 1000 times")?)
}

/// Checks that values vary by more than the rounding of equal ones.
pub(crate) fn check_spread(
    spread: f64,
    mean: f64,
    name: &'static str,
    test: &'static str,
    fix: &'static str,
) -> Result<()> {
    if spread <= 10.0 * f64::EPSILON * mean.abs() || spread == 0.0 {
        return Err(StatsError::Constant { name, test, fix });
    }
    Ok(())
}

/// Checks that a probability lies strictly between 0 and 1.
pub(crate) fn check_open_unit(name: &'static str, value: f64) -> Result<()> {
    let is_inside = value > 0.0 && value < 1.0;
    Ok(check_setting(is_inside, name, value, "choose a number above 0 and below 1, such as 0.05")?)
}
