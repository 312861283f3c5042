//! The one error type of this crate: which file, row, column and value, and what to change.

use jiff::civil::Date;

use crate::{
    NumberFormat,
    names::{listed, nearest, quoted},
};

/// A result of this crate.
pub type Result<T> = std::result::Result<T, DataError>;

/// Data or settings that nothing sound can be made from.
///
/// Rows are counted from 1, below the header line.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// A file that cannot be opened or read as what it claims to be, or a split that cannot be used at all.
    #[error("{what}: {problem}; {fix}")]
    Unusable {
        /// The file, as named by the user, or the description of the split.
        what: String,
        /// What is wrong.
        problem: String,
        /// What to do.
        fix: String,
    },
    /// A column, series or data set that is not there.
    #[error("{}no {what} {}; {}", before(.file), quoted(.name), suggest(.name, .has))]
    Unknown {
        /// The file, where one was looked into.
        file: Option<String>,
        /// What was asked for: a column, a series or a data set.
        what: &'static str,
        /// The name asked for.
        name: String,
        /// Every name there is.
        has: Vec<String>,
    },
    /// One cell of a file.
    #[error("{file}: row {row}, column {}: {} {problem}; {fix}", quoted(.column), quoted(.value))]
    Value {
        /// The file.
        file: String,
        /// Row, from 1 below the header.
        row: usize,
        /// Column name.
        column: String,
        /// The text or number met there.
        value: String,
        /// What is wrong with it.
        problem: Box<str>,
        /// What to do.
        fix: Box<str>,
    },
    /// A series without enough sessions for one row.
    #[error(
        "{name}: horizon {horizon} with a look-back of {look_back} needs at least {needed} sessions, and it has {sessions}; \
         give a longer series, fewer lags or a shorter horizon"
    )]
    TooShort {
        /// The series.
        name: String,
        /// Sessions it has.
        sessions: usize,
        /// Horizon asked for.
        horizon: usize,
        /// Sessions before the origin that the inputs reach back.
        look_back: usize,
        /// Sessions that would give one row.
        needed: usize,
    },
    /// An extra input that a series cannot give.
    #[error("{series}: input {}: {problem}; {fix}", .place + 1)]
    Input {
        /// The series it was asked of.
        series: String,
        /// Which of the extra inputs, from 0.
        place: usize,
        /// What is wrong.
        problem: String,
        /// What to do.
        fix: String,
    },
    /// A setting outside its range.
    #[error("{name} = {value} is not allowed: {expected}")]
    Setting {
        /// The setting as the user writes it.
        name: &'static str,
        /// The value given.
        value: String,
        /// What would be accepted.
        expected: String,
    },
    /// A split in which training has seen the test period.
    #[error(
        "split {split:?} leaks: rows of training that overlap the held-out period: {rows}, the first is row {row} ({why}); \
         purge them, or set leak = \"paper\" to keep them and mark the split"
    )]
    Leak {
        /// Description of the split.
        split: String,
        /// How many rows leak.
        rows: usize,
        /// The first of them, from 1.
        row: usize,
        /// How it overlaps.
        why: String,
    },
    /// Rows that a scheme cannot divide as it is told to.
    #[error("{0}")]
    Scheme(String),
}

impl DataError {
    pub(crate) fn file(file: &str, problem: impl Into<String>, fix: impl Into<String>) -> Self {
        Self::Unusable { what: file.to_owned(), problem: problem.into(), fix: fix.into() }
    }

    /// The error for one cell; `row` counts from 0 here and from 1 in the message.
    pub(crate) fn value(
        file: &str,
        row: usize,
        column: &str,
        cell: impl Into<String>,
        problem: &str,
        fix: &str,
    ) -> Self {
        let (file, column, value) = (file.to_owned(), column.to_owned(), cell.into());
        Self::Value { file, row: row + 1, column, value, problem: problem.into(), fix: fix.into() }
    }

    pub(crate) fn setting(name: &'static str, value: impl ToString, expected: impl Into<String>) -> Self {
        Self::Setting { name, value: value.to_string(), expected: expected.into() }
    }

    pub(crate) fn split(split: &str, problem: impl Into<String>, fix: &str) -> Self {
        Self::file(&format!("split {split:?}"), problem, fix)
    }
}

fn before(file: &Option<String>) -> String {
    file.as_ref().map_or(String::new(), |file| format!("{file}: "))
}

fn suggest(name: &str, has: &[String]) -> String {
    match &nearest(name, has)[..] {
        [] => format!("there is {}", listed(has)),
        near => format!("did you mean {}? There is {}", listed(near), listed(has)),
    }
}

/// Something done to the data on load that the user should know of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// A text file that is not UTF-8.
    #[error("{file}: it is not UTF-8 and was read as {encoding}")]
    Encoded {
        /// The file.
        file: String,
        /// What it was read as.
        encoding: &'static str,
    },
    /// Numbers with a decimal comma or marks for thousands.
    #[error("{file}: numbers with {format} were read in {}", listed(.columns))]
    NumbersWritten {
        /// The file.
        file: String,
        /// The columns so written.
        columns: Vec<String>,
        /// How they were read.
        format: NumberFormat,
    },
    /// Rows were not in order of date and have been sorted.
    #[error("{file}: row {row} ({date}) is older than the row above it; rows were sorted by date")]
    Sorted {
        /// The file.
        file: String,
        /// The first row, from 1, whose date is before the one above it.
        row: usize,
        /// Its date.
        date: Date,
    },
    /// Rows that repeat another one, value for value, were dropped.
    #[error("{file}: {}", of_rows(
        *.rows,
        format!("row {row} repeats {date} with the same values; it was dropped"),
        format!("{rows} rows repeat dates with the same values and were dropped, the first is row {row} ({date})")
    ))]
    DuplicateDropped {
        /// The file.
        file: String,
        /// How many rows.
        rows: usize,
        /// The first of them, from 1.
        row: usize,
        /// Its date.
        date: Date,
    },
    /// Rows without a value were dropped, as `missing = "drop"` asks.
    #[error("{file}: {}", of_rows(
        *.rows,
        format!("row {first} has no {} and was dropped", quoted(.column)),
        format!("{rows} rows without {} were dropped, the first is row {first}", quoted(.column))
    ))]
    MissingDropped {
        /// The file.
        file: String,
        /// Column name.
        column: String,
        /// How many rows.
        rows: usize,
        /// The first of them, from 1.
        first: usize,
    },
    /// A column of a wide file starts late or ends early.
    #[error("{file}: column {} has no value in its {} rows", quoted(.column), ends(*.leading, *.trailing))]
    Trimmed {
        /// The file.
        file: String,
        /// Column name.
        column: String,
        /// Rows without a value before the first one.
        leading: usize,
        /// Rows without a value after the last one.
        trailing: usize,
    },
    /// A column that was left out: one of a wide file without a number, or a first one that only numbers or
    /// names the rows.
    #[error("{file}: column {} {why}; it was left out", quoted(.column))]
    LeftOut {
        /// The file.
        file: String,
        /// Column name, which may be empty.
        column: String,
        /// What it is.
        why: &'static str,
    },
    /// Two columns differ only in case or punctuation; the first was taken.
    #[error("{file}: columns {} and {} read alike; the first was taken", quoted(.taken), quoted(.other))]
    AlikeColumns {
        /// The file.
        file: String,
        /// The column taken.
        taken: String,
        /// The other one.
        other: String,
    },
    /// A categorical column shows a level that training rows do not have; it is encoded as none of them.
    #[error(
        "column {}: level {} (row {row}) is not in the training rows; it is encoded as none of them",
        quoted(.column),
        quoted(.level)
    )]
    UnseenLevel {
        /// Column name.
        column: String,
        /// The level.
        level: String,
        /// The first row, from 1, that has it.
        row: usize,
    },
}

/// Rows at either end, such as `first 2 and last 3`.
fn ends(leading: usize, trailing: usize) -> String {
    let ends = [("first", leading), ("last", trailing)].into_iter().filter(|(_, rows)| *rows > 0);
    ends.map(|(end, rows)| format!("{end} {rows}")).collect::<Vec<_>>().join(" and ")
}

/// The first sentence where it is about one row, else the second.
fn of_rows(rows: usize, one: String, several: String) -> String {
    if rows == 1 { one } else { several }
}

/// A value with what had to be done to get it.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded<T> {
    /// What was loaded.
    pub value: T,
    /// What the user should know.
    pub warnings: Vec<Warning>,
}
