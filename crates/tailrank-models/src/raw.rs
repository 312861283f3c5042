//! Inputs as the data has them, before categories and gaps became numbers.

use std::sync::Arc;

/// One input column of some rows.
#[derive(Clone, Debug, PartialEq)]
pub struct RawColumn {
    /// Its name in the data.
    pub name: String,
    /// One value per row.
    pub values: RawValues,
}

/// The values of a column; gaps are kept.
#[derive(Clone, Debug, PartialEq)]
pub enum RawValues {
    /// Numbers; a gap is NaN.
    Numbers(Vec<f64>),
    /// Categories, each a place in `levels`; a gap is `None`.
    Categories {
        /// One per row.
        codes: Vec<Option<u32>>,
        /// The categories of the whole data set, in its order.
        levels: Arc<[String]>,
    },
}

/// What rows are called, for families that pass it on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowNames {
    /// The task the rows belong to.
    pub task: String,
    /// The columns of the inputs as numbers.
    pub inputs: Vec<String>,
}

/// The inputs of a cell's rows, for families that make their own numbers of them.
#[derive(Clone, Debug, PartialEq)]
pub struct RawInputs {
    /// Columns of the training rows, in the order of the encoded ones.
    pub train: Vec<RawColumn>,
    /// Columns of the test rows.
    pub test: Vec<RawColumn>,
}
