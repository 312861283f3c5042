//! Frames from polars and for polars: a table that a program holds already goes in, and results go on, without a file between.

use polars::prelude::{Column as Series, DataFrame, DataType, PolarsResult};

use crate::{
    DataError,
    frame::{Column, Frame},
    names::quoted,
};

/// Whole numbers without gaps stay whole; other numbers and truth values become [`Column::Real`] with NaN where they are missing; text,
/// categories, dates and times become [`Column::Text`], empty where they are missing. Lists, structures and the like are refused by name.
///
/// ```
/// use polars::prelude::df;
/// use tailrank_data::frame::{Column, Frame};
/// let frame = Frame::try_from(&df!("model" => ["svm", "cart"], "mad" => [Some(0.5), None])?)?;
/// assert_eq!(frame.column("model"), Some(&Column::Text(vec!["svm".into(), "cart".into()])));
/// assert!(matches!(frame.column("mad"), Some(Column::Real(v)) if v[0] == 0.5 && v[1].is_nan()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl TryFrom<&DataFrame> for Frame {
    type Error = DataError;

    fn try_from(table: &DataFrame) -> Result<Self, DataError> {
        let columns = table.columns().iter().map(|series| {
            let column = column_of(series).map_err(|e| unreadable(series, &e.to_string()))?;
            let column = column.ok_or_else(|| unreadable(series, "it is neither numbers nor text"))?;
            Ok((series.name().to_string(), column))
        });
        Self::new(columns.collect::<Result<_, DataError>>()?)
    }
}

/// The same columns in the same order; NaN and empty text are missing values there.
///
/// ```
/// use polars::prelude::DataFrame;
/// use tailrank_data::frame::{Column, Frame};
/// let frame = Frame::new(vec![("mad".to_owned(), Column::Real(vec![0.5, f64::NAN]))])?;
/// let table = DataFrame::try_from(&frame)?;
/// assert_eq!((table.height(), table.column("mad")?.null_count()), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl TryFrom<&Frame> for DataFrame {
    type Error = DataError;

    fn try_from(frame: &Frame) -> Result<Self, DataError> {
        let columns = frame.columns().iter().map(|(name, column)| {
            let name = name.as_str().into();
            match column {
                Column::Real(v) => {
                    Series::new(name, v.iter().map(|x| (!x.is_nan()).then_some(*x)).collect::<Vec<_>>())
                }
                Column::Int(v) => Series::new(name, v.as_slice()),
                Column::Text(v) => {
                    let cells = v.iter().map(|x| (!x.is_empty()).then_some(x.as_str()));
                    Series::new(name, cells.collect::<Vec<_>>())
                }
            }
        });
        DataFrame::new(frame.height(), columns.collect())
            .map_err(|e| DataError::file("data frame", e.to_string(), "give equal, separately named columns"))
    }
}

fn column_of(series: &Series) -> PolarsResult<Option<Column>> {
    let dtype = series.dtype();
    Ok(Some(match dtype {
        _ if dtype.is_integer() && series.null_count() == 0 => {
            let whole = series.strict_cast(&DataType::Int64)?;
            Column::Int(whole.i64()?.iter().flatten().collect())
        }
        _ if dtype.is_primitive_numeric() || dtype.is_bool() => {
            let numbers = series.cast(&DataType::Float64)?;
            Column::Real(numbers.f64()?.iter().map(|v| v.unwrap_or(f64::NAN)).collect())
        }
        DataType::String
        | DataType::Categorical(..)
        | DataType::Enum(..)
        | DataType::Date
        | DataType::Datetime(..) => {
            let texts = series.cast(&DataType::String)?;
            Column::Text(texts.str()?.iter().map(|v| v.unwrap_or_default().to_owned()).collect())
        }
        _ => return Ok(None),
    }))
}

fn unreadable(series: &Series, why: &str) -> DataError {
    let problem = format!("column {} has the type {}: {why}", quoted(series.name()), series.dtype());
    DataError::file("data frame", problem, "cast it to numbers or to text")
}

#[cfg(test)]
mod tests {
    use polars::prelude::{IntoColumn, NamedFrom, df};

    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        let frame = Frame::new(vec![
            ("name".to_owned(), Column::Text(vec!["a".into(), String::new()])),
            ("n".to_owned(), Column::Int(vec![1, -2])),
            ("x".to_owned(), Column::Real(vec![0.1, -0.0])),
        ])
        .unwrap();
        assert_eq!(Frame::try_from(&DataFrame::try_from(&frame).unwrap()).unwrap(), frame);
    }

    #[test]
    fn gaps_are_missing_and_dates_are_text() {
        let days = polars::prelude::Series::new("day".into(), [0i32, 19_000]).cast(&DataType::Date).unwrap();
        let mut table = df!("whole" => [Some(1i32), None], "yes" => [true, false]).unwrap();
        table.with_column(days.into_column()).unwrap();
        let frame = Frame::try_from(&table).unwrap();
        assert!(matches!(frame.column("whole"), Some(Column::Real(v)) if v[0] == 1.0 && v[1].is_nan()));
        assert_eq!(frame.column("yes"), Some(&Column::Real(vec![1.0, 0.0])));
        assert_eq!(frame.column("day"), Some(&Column::Text(vec!["1970-01-01".into(), "2022-01-08".into()])));
    }

    #[test]
    fn whole_numbers_too_large_are_refused_by_name() {
        let table = df!("big" => [u64::MAX]).unwrap();
        let said = Frame::try_from(&table).unwrap_err().to_string();
        assert!(said.contains("column \"big\" has the type u64") && said.contains("cast it to"), "{said}");
    }
}
