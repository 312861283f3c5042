//! Named columns in and out of files: the form in which results leave the project and predictions enter it.
//!
//! CSV is written with the shortest digits that read back to the same number; Parquet without timestamps or
//! other things that differ from run to run, so that equal frames give equal bytes.

use std::{collections::HashSet, fmt::Write as _};

use polars::prelude::{
    Column as Series, DataFrame, KeyValueMetadata, ParquetCompression, ParquetWriter, StatisticsOptions,
};

use crate::{
    DataError, NumberFormat, Result,
    file::{Column as FileColumn, DEFAULT_MAX_BYTES, ReadAs, Source},
};

/// A column of a [`Frame`].
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Numbers; NaN is a missing value.
    Real(Vec<f64>),
    /// Whole numbers.
    Int(Vec<i64>),
    /// Text; empty is a missing value.
    Text(Vec<String>),
}

impl Column {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Real(v) => v.len(),
            Self::Int(v) => v.len(),
            Self::Text(v) => v.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cells as text: names that are all numbers come back from a file as numbers.
    pub fn texts(&self) -> Vec<String> {
        match self {
            Self::Real(v) => {
                v.iter().map(|x| if x.is_nan() { String::new() } else { x.to_string() }).collect()
            }
            Self::Int(v) => v.iter().map(ToString::to_string).collect(),
            Self::Text(v) => v.clone(),
        }
    }
}

/// Named columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    columns: Vec<(String, Column)>,
}

impl Frame {
    /// A frame of these columns.
    pub fn new(columns: Vec<(String, Column)>) -> Result<Self> {
        let rows = columns.first().map_or(0, |(_, c)| c.len());
        let mut names = HashSet::with_capacity(columns.len());
        for (name, column) in &columns {
            if column.len() != rows {
                return Err(bad(format!("column {name:?} has {} rows, the first has {rows}", column.len())));
            }
            if !names.insert(name) {
                return Err(bad(format!("two columns are named {name:?}")));
            }
        }
        Ok(Self { columns })
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.columns.first().map_or(0, |(_, c)| c.len())
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// The columns with their names.
    pub fn columns(&self) -> &[(String, Column)] {
        &self.columns
    }

    /// The column called `name`.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|(n, _)| n == name).map(|(_, c)| c)
    }

    /// The column at `place`, from 0.
    pub fn column_at(&self, place: usize) -> Option<&Column> {
        self.columns.get(place).map(|(_, c)| c)
    }
}

/// The frame as CSV for people who open it in a spreadsheet: text that one would take for a formula
/// (`=cmd()`, `+1+1`, `-x`, `@f`) stands behind an apostrophe, which tells it to show text, and control
/// characters are escaped, so that a terminal shows them too. Numbers stay as they are, also those in columns
/// of text.
///
/// ```
/// use tailrank_data::frame::{Column, Frame, to_spreadsheet_csv};
/// let names = Column::Text(vec!["=1+1".to_owned(), "-0.5".to_owned(), "svm".to_owned()]);
/// let mad = Column::Real(vec![-1.5, 0.2, 3.0]);
/// let frame = Frame::new(vec![("model".to_owned(), names), ("mad".to_owned(), mad)])?;
/// assert_eq!(to_spreadsheet_csv(&frame)?, b"model,mad\n'=1+1,-1.5\n-0.5,0.2\nsvm,3\n");
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
pub fn to_spreadsheet_csv(frame: &Frame) -> Result<Vec<u8>> {
    let columns = frame.columns.iter().map(|(name, column)| {
        let column = match column {
            Column::Text(cells) => Column::Text(cells.iter().map(|cell| shown_as_text(cell)).collect()),
            numbers => numbers.clone(),
        };
        (shown_as_text(name), column)
    });
    // Two headings may become one.
    to_csv(&Frame { columns: columns.collect() })
}

/// A cell that a spreadsheet shows as it is. Some drop leading blanks and then look for a formula.
fn shown_as_text(cell: &str) -> String {
    let inner = cell.trim_start();
    let is_formula = inner.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    let mark = if is_formula && inner.trim_end().parse::<f64>().is_err() { "'" } else { "" };
    let letter = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    mark.chars().chain(cell.chars()).map(letter).collect()
}

/// The frame as CSV.
pub fn to_csv(frame: &Frame) -> Result<Vec<u8>> {
    let mut out = String::new();
    let names: Vec<String> = frame.columns.iter().map(|(n, _)| quoted(n)).collect();
    out.push_str(&names.join(","));
    out.push('\n');
    for row in 0..frame.height() {
        for (i, (_, column)) in frame.columns.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            let written = match column {
                Column::Real(v) if v[row].is_nan() => Ok(()),
                Column::Real(v) => write_number(&mut out, v[row]),
                Column::Int(v) => write!(out, "{}", v[row]),
                Column::Text(v) => write!(out, "{}", quoted(&v[row])),
            };
            written.map_err(|e| bad(e.to_string()))?;
        }
        out.push('\n');
    }
    Ok(out.into_bytes())
}

/// The frame as Parquet, with `notes` in the file's key-value metadata.
pub fn to_parquet(frame: &Frame, notes: &[(&str, &str)]) -> Result<Vec<u8>> {
    parquet_of(DataFrame::try_from(frame)?, notes)
}

pub(crate) fn parquet_of(mut table: DataFrame, notes: &[(&str, &str)]) -> Result<Vec<u8>> {
    let notes = notes.iter().map(|(key, note)| ((*key).to_owned(), (*note).to_owned())).collect();
    let mut bytes = Vec::new();
    ParquetWriter::new(&mut bytes)
        .with_compression(ParquetCompression::Lz4Raw)
        .with_statistics(StatisticsOptions::empty())
        .with_key_value_metadata(Some(KeyValueMetadata::from_static(notes)))
        .finish(&mut table)
        .map_err(|e| bad(e.to_string()))?;
    Ok(bytes)
}

/// Reads CSV or Parquet, plain or gzipped; `name` stands for it in messages.
pub fn read(name: &str, bytes: &[u8]) -> Result<Frame> {
    let source = Source::from_bytes(name, bytes, DEFAULT_MAX_BYTES)?;
    let wanted: Vec<(usize, ReadAs)> = (0..source.own().len()).map(|i| (i, ReadAs::Plain)).collect();
    let columns = source.read(&wanted, NumberFormat::Auto, &mut Vec::new())?;
    let columns = columns.into_iter().zip(source.own()).map(|(column, name)| {
        let column = match column {
            FileColumn::Numbers(values) => Column::Real(values),
            other => text_or_numbers((0..other.len()).map(|row| other.text(row)).collect()),
        };
        (name.clone(), column)
    });
    Frame::new(columns.collect())
}

/// A column beside text may come back as text though it holds numbers; empty cells are missing.
fn text_or_numbers(cells: Vec<String>) -> Column {
    let number = |cell: &String| match cell.trim() {
        "" => Some(f64::NAN),
        text => text.parse().ok(),
    };
    let numbers: Option<Vec<f64>> = cells.iter().map(number).collect();
    match numbers {
        Some(values) if values.iter().any(|v| !v.is_nan()) => Column::Real(values),
        _ => Column::Text(cells),
    }
}

/// The shortest digits that read back to the same number; powers of ten where zeros would fill the line.
fn write_number(out: &mut String, value: f64) -> std::fmt::Result {
    let size = value.abs();
    if size != 0.0 && !(1e-5..1e16).contains(&size) {
        write!(out, "{value:e}")
    } else {
        write!(out, "{value}")
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn bad(problem: String) -> DataError {
    DataError::file("frame", problem, "give equal, separately named columns")
}

/// A data frame of polars with the same columns in the same order; NaN and empty text are missing values
/// there.
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

    fn try_from(frame: &Frame) -> Result<Self> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Frame {
        Frame::new(vec![
            ("a, \"b\"".to_owned(), Column::Text(vec!["x".to_owned(), "y, z".to_owned()])),
            ("n".to_owned(), Column::Int(vec![1, -2])),
            ("v".to_owned(), Column::Real(vec![0.1, f64::NAN])),
        ])
        .unwrap()
    }

    #[test]
    fn csv_quotes_and_leaves_missing_empty() {
        let text = String::from_utf8(to_csv(&sample()).unwrap()).unwrap();
        assert_eq!(text, "\"a, \"\"b\"\"\",n,v\nx,1,0.1\n\"y, z\",-2,\n");
    }

    #[test]
    fn a_spreadsheet_gets_text_where_it_would_see_a_formula() {
        let cells = [
            "=cmd|' /C calc'!A0",
            "+1+1",
            "-2+3",
            "@SUM(A1)",
            "\t=1\u{1b}[2J",
            "-1.5e-3",
            "+7",
            "a=b",
            "–",
            "-",
            "",
        ];
        let frame = Frame::new(vec![
            ("=x".to_owned(), Column::Text(cells.map(str::to_owned).to_vec())),
            ("n".to_owned(), Column::Int((0..11).map(|i| -i).collect())),
        ]);
        let text = String::from_utf8(to_spreadsheet_csv(&frame.unwrap()).unwrap()).unwrap();
        let expected = "'=x,n\n'=cmd|' /C calc'!A0,0\n'+1+1,-1\n'-2+3,-2\n'@SUM(A1),-3\n'\\t=1\\u{1b}[2J,-4\n-1.5e-3,-5\n+7,-6\na=b,-7\n\
                        –,-8\n'-,-9\n,-10\n";
        assert_eq!(text, expected);
        assert_eq!(to_spreadsheet_csv(&sample()).unwrap(), to_csv(&sample()).unwrap());
    }

    #[test]
    fn parquet_comes_back_with_its_notes_and_the_same_bytes() {
        let bytes = to_parquet(&sample(), &[("tailrank", "{}")]).unwrap();
        assert_eq!(bytes, to_parquet(&sample(), &[("tailrank", "{}")]).unwrap());
        assert_ne!(bytes, to_parquet(&sample(), &[]).unwrap());
        let back = read("t", &bytes).unwrap();
        assert_eq!(back.column("a, \"b\""), sample().column("a, \"b\""));
        assert_eq!(back.column("n"), Some(&Column::Real(vec![1.0, -2.0])));
        let Some(Column::Real(v)) = back.column("v") else { panic!("v is numbers") };
        assert!(v[0] == 0.1 && v[1].is_nan());
    }

    #[test]
    fn numbers_beside_text_stay_numbers() {
        let back = read("t", b"model,rmse,note\nA,67.8,\nB,,x\n").unwrap();
        let Some(Column::Real(rmse)) = back.column("rmse") else { panic!("rmse is numbers") };
        assert!(rmse[0] == 67.8 && rmse[1].is_nan());
        assert_eq!(back.column("note"), Some(&Column::Text(vec![String::new(), "x".to_owned()])));
    }

    #[test]
    fn columns_must_match() {
        let two = vec![("a".to_owned(), Column::Int(vec![1])), ("b".to_owned(), Column::Int(vec![]))];
        assert!(Frame::new(two).is_err());
    }

    #[test]
    fn what_goes_in_comes_out() {
        let frame = Frame::new(vec![
            ("name".to_owned(), Column::Text(vec!["a".into(), String::new()])),
            ("n".to_owned(), Column::Int(vec![1, -2])),
            ("x".to_owned(), Column::Real(vec![0.1, -0.0])),
        ])
        .unwrap();
        let table = DataFrame::try_from(&frame).unwrap();
        assert_eq!(
            table.column("name").unwrap().str().unwrap().iter().collect::<Vec<_>>(),
            [Some("a"), None]
        );
        assert_eq!(table.column("n").unwrap().i64().unwrap().iter().collect::<Vec<_>>(), [Some(1), Some(-2)]);
        assert_eq!(
            table.column("x").unwrap().f64().unwrap().iter().collect::<Vec<_>>(),
            [Some(0.1), Some(-0.0)]
        );
    }
}
