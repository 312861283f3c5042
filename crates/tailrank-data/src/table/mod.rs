//! Tables: numeric and categorical inputs, a numeric target or classes.
//!
//! A table keeps its columns raw. What is filled in and which levels exist is learned from training rows,
//! by [`Encoder`].

mod append;
mod dependence;
mod encode;
mod read;
mod times;

use std::{collections::HashSet, sync::Arc};

use jiff::civil::{Date, DateTime};

use crate::{
    DateFormat, Missing, NumberFormat, Timeline,
    hash::{ContentHash, Hasher},
};

pub use dependence::LabelSpan;
use dependence::{RowDependence, steps};
pub use encode::{Coding, Encoder, Fill, FillRule};
pub use read::read_table_bytes;
pub(crate) use read::table;

/// What a target is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A number.
    Regression,
    /// One of these classes; a target value is a place in this list.
    Classification {
        /// Class names, sorted (as numbers, if all are).
        classes: Vec<String>,
    },
}

/// What a target should be taken for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TargetKind {
    /// Numbers are regression, anything else is classes.
    #[default]
    Auto,
    /// Numbers.
    Regression,
    /// Classes, even if written as numbers.
    Classification,
}

/// Where the times of rows come from. A table whose rows have times is put in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RowDates {
    /// Nowhere: rows are taken in the order of the file, and nothing is known of their time.
    Ignored,
    /// A column named like a date (also one that is ignored) or the only one that holds nothing but dates, if
    /// there is one.
    #[default]
    Known,
    /// The column of this name.
    Column(String),
}

/// Which columns are what.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableOptions {
    /// The target column.
    pub target: String,
    /// What the target is.
    pub kind: TargetKind,
    /// Input columns; none named means all but the target and the ignored ones.
    pub inputs: Vec<String>,
    /// Columns to leave out, such as identifiers.
    pub ignore: Vec<String>,
    /// Columns that are categories though written as numbers.
    pub categorical: Vec<String>,
    /// Where the times of rows come from; such a column is not an input.
    pub date: RowDates,
    /// The column that says what a row is about, such as a symbol, where several are seen on each date; no
    /// input unless it is listed under `categorical`.
    pub entity: Option<String>,
    /// The column whose rows belong together, such as those of one patient; no input unless it is listed
    /// under `categorical`.
    pub group: Option<String>,
    /// How far ahead of its row a target reaches.
    pub label_span: Option<LabelSpan>,
    /// How dates are written.
    pub date_format: DateFormat,
    /// How numbers are written.
    pub numbers: NumberFormat,
    /// What to do with rows that have no target, or no time where rows have times.
    pub missing: Missing,
    /// Largest size of a file, also once unpacked; by default
    /// [`DEFAULT_MAX_BYTES`](crate::DEFAULT_MAX_BYTES).
    pub max_bytes: Option<u64>,
}

impl TableOptions {
    /// All columns but `target` are inputs.
    pub fn new(target: impl Into<String>) -> Self {
        Self { target: target.into(), ..Self::default() }
    }
}

/// Rows of inputs and a target, as read.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub(crate) name: String,
    pub(crate) target_name: String,
    pub(crate) kind: Kind,
    pub(crate) targets: Vec<f64>,
    /// Shared by all that are made of the same file.
    pub(crate) columns: Arc<[TableColumn]>,
    /// When each row was seen, ascending.
    pub(crate) times: Option<Vec<DateTime>>,
    /// Which rows belong together, and how far their labels reach.
    pub(crate) dependence: RowDependence,
    /// Where each row stands in the file, from 0, where that is not its own number.
    pub(crate) file_rows: Option<Vec<usize>>,
}

/// One input column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableColumn {
    pub(crate) name: String,
    pub(crate) values: Values,
    /// Rows without a value.
    missing: usize,
}

impl TableColumn {
    pub(crate) fn new(name: String, values: Values) -> Self {
        let missing = match &values {
            Values::Numeric(values) => values.iter().filter(|v| v.is_nan()).count(),
            Values::Categorical { codes, .. } => codes.iter().filter(|code| code.is_none()).count(),
        };
        Self { name, values, missing }
    }
}

/// The values of an input column, as read.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers; a gap is NaN.
    Numeric(Vec<f64>),
    /// Categories; a gap is `None`.
    Categorical {
        /// One per row: its category's place in `levels`.
        codes: Vec<Option<u32>>,
        /// The categories of the whole table, in order.
        levels: Vec<String>,
    },
}

impl Values {
    fn of_rows(&self, rows: impl Iterator<Item = usize>) -> Self {
        match self {
            Self::Numeric(values) => Self::Numeric(rows.map(|row| values[row]).collect()),
            Self::Categorical { codes, levels } => {
                Self::Categorical { codes: rows.map(|row| codes[row]).collect(), levels: levels.clone() }
            }
        }
    }
}

impl Table {
    /// The table's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same table under another name.
    #[must_use]
    pub fn renamed(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.targets.len()
    }

    /// Number of input columns before encoding.
    pub fn inputs(&self) -> usize {
        self.columns.len()
    }

    /// The target column's name.
    pub fn target_name(&self) -> &str {
        &self.target_name
    }

    /// What the target is.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The targets: numbers, or places in the list of classes.
    pub fn targets(&self) -> &[f64] {
        &self.targets
    }

    /// When each row was seen, ascending, if the table tells.
    pub fn times(&self) -> Option<&[DateTime]> {
        self.times.as_deref()
    }

    /// The day of each row, if the table tells.
    pub(crate) fn dates(&self) -> Option<Vec<Date>> {
        self.times.as_ref().map(|times| times.iter().map(|time| time.date()).collect())
    }

    /// When rows lie, which are in the order of their times if there are any, and which belong together.
    pub(crate) fn timeline(&self) -> Timeline {
        let RowDependence { entities, groups, .. } = self.dependence.clone();
        Timeline {
            rows: self.rows(),
            intervals: self.dependence.intervals(self.rows(), self.times()),
            origin_dates: self.dates(),
            steps: self.times().map(steps),
            entities,
            groups,
        }
    }

    /// Where `row` (from 0) stands in the file, from 1 below the header: rows may have been sorted or
    /// dropped.
    pub fn file_row(&self, row: usize) -> usize {
        self.file_rows.as_ref().map_or(row, |rows| rows[row]) + 1
    }

    /// Names of the input columns as read, before encoding.
    pub fn column_names(&self) -> Vec<&str> {
        self.columns.iter().map(|c| c.name.as_str()).collect()
    }

    /// The input columns of some rows as read, gaps kept.
    ///
    /// ```
    /// use tailrank_data::{TableOptions, Values, read_table_bytes};
    /// let csv = b"size,colour,cost\n1,red,2\n,blue,3\n5,red,4\n";
    /// let table = read_table_bytes("t.csv", csv, &TableOptions::new("cost"))?.value;
    /// let columns = table.raw_columns([2, 0]);
    /// assert_eq!(columns[0], ("size", Values::Numeric(vec![5.0, 1.0])));
    /// let levels = vec!["blue".to_owned(), "red".to_owned()];
    /// assert_eq!(columns[1], ("colour", Values::Categorical { codes: vec![Some(1), Some(1)], levels }));
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn raw_columns(&self, rows: impl IntoIterator<Item = usize, IntoIter: Clone>) -> Vec<(&str, Values)> {
        let rows = rows.into_iter();
        let of = |column: &'_ TableColumn| column.values.of_rows(rows.clone());
        self.columns.iter().map(|column| (column.name.as_str(), of(column))).collect()
    }

    /// Cells without a value, in all inputs.
    pub fn missing(&self) -> usize {
        self.columns.iter().map(|column| column.missing).sum()
    }

    /// The inputs, if each is a number in every row, so that nothing has to be learned to encode it.
    pub(crate) fn plain_columns(&self) -> Option<Vec<&[f64]>> {
        fn plain(column: &TableColumn) -> Option<&[f64]> {
            match &column.values {
                Values::Numeric(values) if column.missing == 0 => Some(values),
                _ => None,
            }
        }
        self.columns.iter().map(plain).collect()
    }

    /// Inputs after encoding, where these rows train.
    pub(crate) fn encoded_inputs(&self, train: impl Iterator<Item = usize> + Clone) -> usize {
        let inputs = |column: &TableColumn| match &column.values {
            Values::Numeric(_) => 1,
            Values::Categorical { codes, .. } => {
                train.clone().filter_map(|row| codes[row]).collect::<HashSet<_>>().len()
            }
        };
        self.columns.iter().map(inputs).sum()
    }

    /// A hash of everything the rows hold.
    ///
    /// Levels and codes are not led by their number, as the other parts are: the seeds of published runs are
    /// drawn from this hash.
    pub fn content_hash(&self) -> ContentHash {
        let mut hasher = Hasher::new("table");
        hasher.text(&self.target_name);
        if let Kind::Classification { classes } = &self.kind {
            hasher.count(classes.len());
            classes.iter().for_each(|c| hasher.text(c));
        }
        hasher.numbers(&self.targets);
        for column in self.columns.iter() {
            hasher.text(&column.name);
            match &column.values {
                Values::Numeric(values) => hasher.numbers(values),
                Values::Categorical { codes, levels } => {
                    levels.iter().for_each(|l| hasher.text(l));
                    codes.iter().for_each(|c| hasher.count(c.map_or(0, |c| c as usize + 1)));
                }
            }
        }
        hasher.finish()
    }
}
