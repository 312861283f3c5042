//! One row-major matrix for every family, and the rows it learns from; adapters convert to the types of other
//! crates.

use crate::{ModelError, Result};

/// An owned row-major matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

impl Matrix {
    /// Takes `data` as `rows` × `cols`, row after row.
    pub fn new(rows: usize, cols: usize, data: Vec<f64>) -> Result<Self> {
        check_len(rows, cols, data.len())?;
        Ok(Self { rows, cols, data })
    }

    /// Copies rows of equal length.
    pub fn from_rows<R: AsRef<[f64]>>(rows: &[R]) -> Result<Self> {
        let cols = rows.first().map_or(0, |r| r.as_ref().len());
        Self::new(rows.len(), cols, rows.iter().flat_map(AsRef::as_ref).copied().collect())
    }

    /// A borrowed view of the whole matrix.
    pub fn view(&self) -> MatrixView<'_> {
        MatrixView { rows: self.rows, cols: self.cols, data: &self.data }
    }

    /// Row-major values, for changing in place.
    pub fn as_mut_slice(&mut self) -> &mut [f64] {
        &mut self.data
    }
}

/// A borrowed row-major matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatrixView<'a> {
    rows: usize,
    cols: usize,
    data: &'a [f64],
}

impl<'a> MatrixView<'a> {
    /// Views `data` as `rows` × `cols`, row after row.
    pub fn new(rows: usize, cols: usize, data: &'a [f64]) -> Result<Self> {
        check_len(rows, cols, data.len())?;
        Ok(Self { rows, cols, data })
    }

    /// Number of rows.
    pub fn rows(self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn cols(self) -> usize {
        self.cols
    }

    /// All values, row after row.
    pub fn as_slice(self) -> &'a [f64] {
        self.data
    }

    /// Row `i`.
    pub fn row(self, i: usize) -> &'a [f64] {
        &self.data[i * self.cols..(i + 1) * self.cols]
    }

    /// The value at row `i`, column `j`.
    pub fn at(self, i: usize, j: usize) -> f64 {
        self.data[i * self.cols + j]
    }

    /// Column `j`, copied.
    pub fn column(self, j: usize) -> Vec<f64> {
        (0..self.rows).map(|i| self.at(i, j)).collect()
    }

    /// These rows, copied in the order given.
    pub(crate) fn select(self, rows: &[usize]) -> Result<Matrix> {
        let mut values = Vec::with_capacity(rows.len() * self.cols);
        rows.iter().for_each(|&row| values.extend_from_slice(self.row(row)));
        Matrix::new(rows.len(), self.cols, values)
    }

    /// An owned copy.
    pub fn to_matrix(self) -> Matrix {
        Matrix { rows: self.rows, cols: self.cols, data: self.data.to_vec() }
    }

    /// All values, column after column, copied.
    pub fn to_column_major(self) -> Vec<f64> {
        let mut out = vec![0.0; self.data.len()];
        for i in 0..self.rows {
            for (j, v) in self.row(i).iter().enumerate() {
                out[j * self.rows + i] = *v;
            }
        }
        out
    }

    /// Row and column, counted from 1, of the first value that is infinite or NaN, and the value.
    pub(crate) fn first_not_finite(self) -> Option<(usize, usize, f64)> {
        let i = self.data.iter().position(|v| !v.is_finite())?;
        Some((i / self.cols + 1, i % self.cols + 1, self.data[i]))
    }

    /// The rows one after another.
    pub fn iter_rows(self) -> impl ExactSizeIterator<Item = &'a [f64]> {
        (0..self.rows).map(move |i| self.row(i))
    }
}

fn check_len(rows: usize, cols: usize, len: usize) -> Result<()> {
    if rows.checked_mul(cols) == Some(len) {
        return Ok(());
    }
    Err(ModelError::data(format!("{rows} × {cols} inputs need {rows}·{cols} values, got {len}")))
}

/// Rows in ascending order of finite `values`, equal ones in their own order; 0 and −0 are one value.
pub(crate) fn ascending(values: &[f64]) -> Vec<u32> {
    let mut rows: Vec<(u64, u32)> = values.iter().map(|v| ascending_bits(*v)).zip(0..).collect();
    rows.sort_unstable();
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Whole numbers in the order of finite floats.
fn ascending_bits(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// Training inputs, targets and case weights.
///
/// ```
/// use tailrank_models::{FitContext, Matrix, Params, TrainSet, family, fit_grid};
///
/// let x = Matrix::from_rows(&[[1.0], [2.0], [3.0]])?;
/// let train = TrainSet::new(x.view(), &[1.0, 2.0, 6.0]).with_weights(&[1.0, 1.0, 2.0]);
/// let fits = fit_grid(family("baseline", None)?, train, x.view(), &[Params::new()], &FitContext::new(1))?;
/// assert_eq!(fits[0].as_ref().unwrap().predictions, [3.75; 3]);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TrainSet<'a> {
    /// Inputs, one row per case.
    pub x: MatrixView<'a>,
    /// Targets, parallel to the rows.
    pub y: &'a [f64],
    /// How much each row counts, parallel to the rows: a row of weight 2 counts as two equal rows. `None`:
    /// each counts 1.
    pub weights: Option<&'a [f64]>,
}

impl<'a> TrainSet<'a> {
    /// Rows that count alike.
    pub fn new(x: MatrixView<'a>, y: &'a [f64]) -> Self {
        Self { x, y, weights: None }
    }

    /// The same rows with a weight for each.
    #[must_use]
    pub fn with_weights(self, weights: &'a [f64]) -> Self {
        Self { weights: Some(weights), ..self }
    }

    /// How much row `i` counts.
    #[inline]
    pub(crate) fn weight(self, i: usize) -> f64 {
        self.weights.map_or(1.0, |w| w[i])
    }

    /// Sum of the weights: the number of rows where they count alike.
    pub(crate) fn cases(self) -> f64 {
        self.weights.map_or(self.y.len() as f64, |w| w.iter().sum())
    }

    /// Checks that rows, targets and test rows fit together and that every value is finite.
    pub(crate) fn check(self, test: MatrixView<'_>) -> Result<()> {
        let fail = |problem: String| Err(ModelError::data(problem));
        let (rows, inputs) = (self.x.rows(), self.x.cols());
        if rows != self.y.len() {
            return fail(format!("{rows} training rows but {} targets", self.y.len()));
        }
        if rows == 0 || inputs == 0 {
            return fail(format!("{rows} training rows × {inputs} inputs: both must be at least 1"));
        }
        if test.cols() != inputs {
            return fail(format!("test rows have {} inputs, training rows {inputs}", test.cols()));
        }
        if let Some(i) = self.y.iter().position(|v| !v.is_finite()) {
            return fail(format!("training target row {} is {}", i + 1, self.y[i]));
        }
        for (name, x) in [("training", self.x), ("test", test)] {
            if let Some((row, col, value)) = x.first_not_finite() {
                return fail(format!("{name} input row {row}, column {col} is {value}"));
            }
        }
        Ok(())
    }
}
