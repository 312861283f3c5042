//! What the engine works on: an embedded series or a table, cut by a split.

use std::ops::Range;

use crate::{ContentHash, Embedding, Encoder, Kind, Result, Rows, Split, Table, Timeline, Warning};

/// Rows with inputs and a target, from a series or a table.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Dataset {
    /// Lagged returns.
    Series(Embedding),
    /// A table's columns.
    Table(Table),
}

impl From<Embedding> for Dataset {
    fn from(embedding: Embedding) -> Self {
        Self::Series(embedding)
    }
}

impl From<Table> for Dataset {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

impl Dataset {
    /// The series' or table's name.
    pub fn name(&self) -> &str {
        match self {
            Self::Series(e) => e.name(),
            Self::Table(t) => t.name(),
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.targets().len()
    }

    /// Targets of all rows.
    pub fn targets(&self) -> &[f64] {
        match self {
            Self::Series(e) => e.targets(),
            Self::Table(t) => t.targets(),
        }
    }

    /// The target's name.
    pub fn target_name(&self) -> String {
        match self {
            Self::Series(e) => e.target_name(),
            Self::Table(t) => t.target_name().to_owned(),
        }
    }

    /// Regression or classification.
    pub fn kind(&self) -> &Kind {
        match self {
            Self::Series(_) => &Kind::Regression,
            Self::Table(t) => t.kind(),
        }
    }

    /// What splits are drawn from and checked against.
    pub fn timeline(&self) -> Timeline {
        match self {
            Self::Series(e) => e.timeline(),
            Self::Table(t) => t.timeline(),
        }
    }

    /// A hash of the content, for the keys under which results are kept.
    pub fn content_hash(&self) -> ContentHash {
        match self {
            Self::Series(e) => e.content_hash(),
            Self::Table(t) => t.content_hash(),
        }
    }

    /// Builds the parts of a split; whatever has to be learned from data is learned from its training rows.
    ///
    /// ```
    /// use tailrank_data::{ByFraction, Dataset, Embedding, Leak, SplitRows, draw_splits, synthetic};
    /// let series = synthetic::series("S", 600, 1)?;
    /// let dataset = Dataset::from(Embedding::new(&series, 1, 24)?);
    /// let half = ByFraction { train: 0.5, validation: None };
    /// let split = draw_splits(&half, &SplitRows::new(&dataset.timeline(), 1), Leak::Purged)?.remove(0);
    /// let prepared = dataset.prepare(&split)?;
    /// assert_eq!(prepared.input_names.len(), 24);
    /// assert_eq!(prepared.train.inputs.len(), 24 * prepared.train.targets.len());
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn prepare(&self, split: &Split) -> Result<Prepared> {
        crate::check_leak(split, &self.timeline())?;
        match self {
            Self::Series(embedding) => {
                Ok(self.prepared(split, embedding.input_names(), |rows| embedding.materialise(rows.iter())))
            }
            Self::Table(table) => {
                let encoder = Encoder::fit(table, split.train.iter())?;
                let warnings = encoder.unseen(table, held_out(split));
                let encode = |rows: &Rows| encoder.encode(table, rows.iter());
                let prepared = self.prepared(split, encoder.names().to_vec(), encode);
                Ok(Prepared { categories: encoder.categories(), warnings, ..prepared })
            }
        }
    }

    /// What [`Dataset::prepare`] would refuse or warn of, without building anything.
    pub fn check(&self, split: &Split) -> Result<Vec<Warning>> {
        match self {
            Self::Table(table) if table.plain_columns().is_none() => {
                Ok(Encoder::fit(table, split.train.iter())?.unseen(table, held_out(split)))
            }
            Self::Table(_) | Self::Series(_) => Ok(Vec::new()),
        }
    }

    /// What makes the inputs of a row that are the same in every split: those of a series, and of a table of
    /// numbers without gaps.
    pub fn fixed_rows(&self) -> Option<Box<dyn Fn(usize) -> Vec<f64> + '_>> {
        match self {
            Self::Series(embedding) => Some(Box::new(|row| embedding.materialise([row]))),
            Self::Table(table) => table.plain_columns().map(|columns| {
                let row = move |row: usize| columns.iter().map(|values| values[row]).collect();
                Box::new(row) as Box<dyn Fn(usize) -> Vec<f64>>
            }),
        }
    }

    /// How many inputs a fit to these rows has: a column of words is one for each word among them.
    pub fn inputs(&self, train: impl Iterator<Item = usize> + Clone) -> usize {
        match self {
            Self::Series(embedding) => embedding.cols(),
            Self::Table(table) => table.encoded_inputs(train),
        }
    }

    fn prepared(&self, split: &Split, names: Vec<String>, inputs: impl Fn(&Rows) -> Vec<f64>) -> Prepared {
        let targets = self.targets();
        let part =
            |rows: &Rows| Part { inputs: inputs(rows), targets: rows.iter().map(|r| targets[r]).collect() };
        Prepared {
            input_names: names,
            categories: Vec::new(),
            train: part(&split.train),
            validation: split.validation.as_ref().map(part),
            test: part(&split.test),
            warnings: Vec::new(),
        }
    }
}

fn held_out(split: &Split) -> impl Iterator<Item = usize> + Clone + '_ {
    split.held_out().flat_map(Rows::iter)
}

/// One part of a split, built.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Inputs, row after row.
    pub inputs: Vec<f64>,
    /// One target per row.
    pub targets: Vec<f64>,
}

/// All parts of a split, built.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Prepared {
    /// Names of the inputs; their number is the number of columns.
    pub input_names: Vec<String>,
    /// Inputs that together stand for one category each, in their order; all others are quantities.
    pub categories: Vec<Range<usize>>,
    /// To train on.
    pub train: Part,
    /// To choose by.
    pub validation: Option<Part>,
    /// To judge by.
    pub test: Part,
    /// What the user should know.
    pub warnings: Vec<Warning>,
}
