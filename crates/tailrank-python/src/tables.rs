//! Tables of results as columns, which Python makes data frames of.

use numpy::IntoPyArray;
use pyo3::prelude::*;
use tailrank::score::table::{Format, Table, Value};

use crate::error::Result;

/// A column by its name: numbers as an array, words as a list.
pub(crate) type Columns<'py> = Vec<(String, Bound<'py, PyAny>)>;

/// The columns that files hold. An undefined number is NaN, undefined words are None; whole numbers are integers.
pub(crate) fn columns<'py>(py: Python<'py>, table: &Table) -> Result<Columns<'py>> {
    let of = |place: usize| {
        let column = &table.columns[place];
        let cells = table.rows.iter().map(|row| &row[place].value);
        let values = if column.format.is_text() {
            let words = cells.map(|value| match value {
                Value::Text(text) => Some(text.clone()),
                Value::Number(number) => Some(number.to_string()),
                Value::Undefined(_) => None,
            });
            words.collect::<Vec<_>>().into_pyobject(py)?
        } else {
            let numbers: Vec<f64> =
                cells.map(|value| if let Value::Number(v) = value { *v } else { f64::NAN }).collect();
            if column.format == Format::Count && numbers.iter().all(|v| v.fract() == 0.0) {
                numbers.iter().map(|v| *v as i64).collect::<Vec<_>>().into_pyarray(py).into_any()
            } else {
                numbers.into_pyarray(py).into_any()
            }
        };
        Ok((column.id.clone(), values))
    };
    table.for_files().into_iter().map(of).collect()
}
