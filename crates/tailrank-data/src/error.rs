//! The one error type of this crate: which file, row, column and value, and what to change.

use std::fmt;

use jiff::civil::Date;

use crate::{
    Encoding, NumberFormat,
    names::{listed, quoted},
};

/// A result of this crate.
pub type Result<T> = std::result::Result<T, DataError>;

/// Data or settings that nothing sound can be made from.
///
/// Rows are counted from 1, below the header line.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// A file that cannot be opened or read as what it claims to be.
    #[error("{file}: {problem}; {fix}")]
    File {
        /// The file, as named by the user.
        file: String,
        /// What is wrong.
        problem: String,
        /// What to do.
        fix: String,
    },
    /// A column that is not there.
    #[error("{file}: no column {}; {}", quoted(.column), suggest(.nearest, .has))]
    UnknownColumn {
        /// The file.
        file: String,
        /// The name asked for.
        column: String,
        /// Names in the file that look like it, best first.
        nearest: Vec<String>,
        /// Every name in the file.
        has: Vec<String>,
    },
    /// A series that is not in a file of several.
    #[error("{file}: no series {}; {}", quoted(.symbol), suggest(.nearest, .has))]
    UnknownSymbol {
        /// The file.
        file: String,
        /// The name asked for.
        symbol: String,
        /// Names in the file that look like it, best first.
        nearest: Vec<String>,
        /// Every name in the file.
        has: Vec<String>,
    },
    /// A column that no name gives away.
    #[error("{file}: no column looks like the {what} (there is {}); name it in the setting `{what}`", listed(.has))]
    NoColumn {
        /// The file.
        file: String,
        /// What it should hold, as the setting is called.
        what: &'static str,
        /// The names that came into question.
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
    /// A split that cannot be used at all.
    #[error("split {split:?}: {problem}; {fix}")]
    Split {
        /// Description of the split.
        split: String,
        /// What is wrong.
        problem: String,
        /// What to do.
        fix: String,
    },
    /// A data set that is neither bundled nor in the user's folder.
    #[error("no data set {}; {}", quoted(.name), suggest(.nearest, .has))]
    UnknownDataset {
        /// The name asked for.
        name: String,
        /// Names that look like it, best first.
        nearest: Vec<String>,
        /// Every name there is.
        has: Vec<String>,
    },
}

fn suggest(nearest: &[String], has: &[String]) -> String {
    if nearest.is_empty() {
        format!("there is {}", listed(has))
    } else {
        format!("did you mean {}? There is {}", listed(nearest), listed(has))
    }
}

/// Something done to the data on load that the user should know of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Warning {
    /// A text file that is not UTF-8.
    Encoded {
        /// The file.
        file: String,
        /// What it was read as.
        encoding: Encoding,
    },
    /// Numbers with a decimal comma or marks for thousands.
    NumbersWritten {
        /// The file.
        file: String,
        /// The columns so written.
        columns: Vec<String>,
        /// How they were read.
        format: NumberFormat,
    },
    /// Rows were not in order of date and have been sorted.
    Sorted {
        /// The file.
        file: String,
        /// The first row, from 1, whose date is before the one above it.
        row: usize,
        /// Its date.
        date: Date,
    },
    /// Rows that repeat another one, value for value, were dropped.
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
    /// A column of a wide file without a number, left out.
    NotNumeric {
        /// The file.
        file: String,
        /// Column name.
        column: String,
    },
    /// A first column that only numbers or names the rows, left out.
    IndexDropped {
        /// The file.
        file: String,
        /// Column name, which may be empty.
        column: String,
    },
    /// Two columns differ only in case or punctuation; the first was taken.
    AlikeColumns {
        /// The file.
        file: String,
        /// The column taken.
        taken: String,
        /// The other one.
        other: String,
    },
    /// A table's rows have times, and some that train are later than some that test.
    LaterRowsTrain {
        /// The table.
        table: String,
        /// How many splits are so.
        splits: usize,
        /// Description of the first of them.
        split: String,
    },
    /// Targets of neighbouring dates are alike, and the table does not say how far ahead they reach.
    AlikeTargets {
        /// The table.
        table: String,
    },
    /// Test rows that are also training rows, input for input and target for target.
    RepeatedRows {
        /// The table.
        table: String,
        /// How many different rows are tested so.
        rows: usize,
        /// The first of them in the file, from 1.
        test: usize,
        /// The training row it repeats.
        train: usize,
    },
    /// A categorical column shows a level that training rows do not have; it is encoded as none of them.
    UnseenLevel {
        /// Column name.
        column: String,
        /// The level.
        level: String,
        /// The first row, from 1, that has it.
        row: usize,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encoded { file, encoding } => {
                write!(f, "{file}: it is not UTF-8 and was read as {encoding}")
            }
            Self::NumbersWritten { file, columns, format } => {
                write!(f, "{file}: numbers with {format} were read in {}", listed(columns))
            }
            Self::Sorted { file, row, date } => {
                write!(
                    f,
                    "{file}: row {row} ({date}) is older than the row above it; rows were sorted by date"
                )
            }
            Self::DuplicateDropped { file, rows: 1, row, date } => {
                write!(f, "{file}: row {row} repeats {date} with the same values; it was dropped")
            }
            Self::DuplicateDropped { file, rows, row, date } => {
                write!(
                    f,
                    "{file}: {rows} rows repeat dates with the same values and were dropped, the first is row {row} \
                     ({date})"
                )
            }
            Self::MissingDropped { file, column, rows: 1, first } => {
                write!(f, "{file}: row {first} has no {} and was dropped", quoted(column))
            }
            Self::MissingDropped { file, column, rows, first } => {
                write!(
                    f,
                    "{file}: {rows} rows without {} were dropped, the first is row {first}",
                    quoted(column)
                )
            }
            Self::Trimmed { file, column, leading, trailing } => {
                let ends = [("first", *leading), ("last", *trailing)];
                let ends = ends.iter().filter(|(_, rows)| *rows > 0);
                let ends: Vec<String> = ends.map(|(end, rows)| format!("{end} {rows}")).collect();
                write!(f, "{file}: column {} has no value in its {} rows", quoted(column), ends.join(" and "))
            }
            Self::NotNumeric { file, column } => {
                write!(f, "{file}: column {} has no number in it; it was left out", quoted(column))
            }
            Self::IndexDropped { file, column } => {
                write!(f, "{file}: column {} only numbers or names the rows; it was left out", quoted(column))
            }
            Self::AlikeColumns { file, taken, other } => {
                write!(
                    f,
                    "{file}: columns {} and {} read alike; the first was taken",
                    quoted(taken),
                    quoted(other)
                )
            }
            Self::LaterRowsTrain { table, splits, split } => {
                write!(
                    f,
                    "{table}: splits in which rows that train are later than rows that test: {splits}, {split:?} the first; \
                     to foretell later rows from earlier ones, split by fraction, by date or by windows"
                )
            }
            Self::AlikeTargets { table } => {
                write!(
                    f,
                    "{table}: targets of neighbouring dates are alike; if a target reaches over several rows, declare label_span, so \
                     that training rows whose target reaches into the test period are left out"
                )
            }
            Self::RepeatedRows { table, rows: 1, test, train } => {
                write!(
                    f,
                    "{table}: row {test}, which tests, repeats row {train}, which trains, in every input and the target; its \
                     error says little of new rows"
                )
            }
            Self::RepeatedRows { table, rows, test, train } => {
                write!(
                    f,
                    "{table}: {rows} test rows repeat a training row in every input and the target, as row {test} does \
                     row {train}; errors on them say little of new rows"
                )
            }
            Self::UnseenLevel { column, level, row } => {
                write!(
                    f,
                    "column {}: level {} (row {row}) is not in the training rows; it is encoded as none of them",
                    quoted(column),
                    quoted(level)
                )
            }
        }
    }
}

/// A value with what had to be done to get it.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded<T> {
    /// What was loaded.
    pub value: T,
    /// What the user should know.
    pub warnings: Vec<Warning>,
}

impl<T> Loaded<T> {
    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> Loaded<U> {
        Loaded { value: change(self.value), warnings: self.warnings }
    }
}
