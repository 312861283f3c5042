//! Tables of results as columns, which Python makes data frames of.

use numpy::IntoPyArray;
use pyo3::prelude::*;
use tailrank::{
    data::frame::Column,
    score::table::{Format, Table},
};

use crate::error::Result;

/// A column by its name: numbers as an array, words as a list.
pub(crate) type Columns<'py> = Vec<(String, Bound<'py, PyAny>)>;

/// The columns that files hold. An undefined number is NaN, undefined words are None; whole numbers are integers.
pub(crate) fn columns<'py>(py: Python<'py>, table: &Table) -> Result<Columns<'py>> {
    let frame = table.frame()?;
    let of = |(place, (name, column)): (usize, &(String, Column))| {
        let values = match column {
            Column::Text(words) => {
                let words: Vec<Option<&String>> =
                    words.iter().map(|w| (!w.is_empty()).then_some(w)).collect();
                words.into_pyobject(py)?
            }
            Column::Int(numbers) => numbers.clone().into_pyarray(py).into_any(),
            Column::Real(numbers)
                if table.columns[place].format == Format::Count
                    && numbers.iter().all(|v| v.fract() == 0.0) =>
            {
                numbers.iter().map(|v| *v as i64).collect::<Vec<_>>().into_pyarray(py).into_any()
            }
            Column::Real(numbers) => numbers.clone().into_pyarray(py).into_any(),
        };
        Ok((name.clone(), values))
    };
    table.for_files().into_iter().zip(frame.columns()).map(of).collect()
}
