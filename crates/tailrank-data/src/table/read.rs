//! From a file to a table: which columns are numbers, which are categories.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use super::{Kind, Table, TableColumn, TableOptions, TargetKind, Values};
use crate::{
    DataError, Result,
    file::{As, Column, Source, is_missing},
    names::quoted,
};

/// More levels than this and a column is an identifier.
const MAX_LEVELS: usize = 1000;

/// Reads a table from CSV or Parquet, plain or gzipped.
///
/// ```no_run
/// use tailrank_data::{TableOptions, read_table};
/// let abalone = read_table("abalone.csv".as_ref(), &TableOptions::new("rings"))?;
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
pub fn read_table(path: &Path, options: &TableOptions) -> Result<Table> {
    table(&Source::open(path, options.max_bytes)?, options)
}

/// As [`read_table`], from memory; `file` serves for messages and as the name.
///
/// ```
/// use tailrank_data::{Kind, TableOptions, read_table_bytes};
/// let table = read_table_bytes("t.csv", b"size,colour,cost\n1,red,2\n,blue,3\n", &TableOptions::new("cost"))?;
/// assert_eq!((table.rows(), table.missing()), (2, 1));
/// assert_eq!(table.kind(), &Kind::Regression);
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
pub fn read_table_bytes(file: &str, bytes: &[u8], options: &TableOptions) -> Result<Table> {
    table(&Source::from_bytes(file.to_owned(), Cow::Borrowed(bytes), options.max_bytes)?, options)
}

fn table(source: &Source<'_>, options: &TableOptions) -> Result<Table> {
    let target = source.position(&options.target)?;
    let inputs = input_columns(source, options, target)?;
    for name in &options.categorical {
        source.position(name)?;
    }
    let wanted: Vec<(usize, As)> =
        std::iter::once(target).chain(inputs.iter().copied()).map(|i| (i, As::Text)).collect();
    let columns = source.read(&wanted)?;
    let rows = rows_of(&columns);
    let mut read = columns.into_iter();
    let no_rows = || DataError::File {
        file: source.file.clone(),
        problem: "has no rows below the header".into(),
        fix: "give at least one row".into(),
    };
    let first = read.next().filter(|_| rows > 0).ok_or_else(no_rows)?;
    let (kind, targets) = target_values(source, &options.target, &first, rows, options.kind)?;
    let columns = inputs
        .iter()
        .zip(read)
        .map(|(i, column)| {
            let name = source.names[*i].clone();
            let forced = options.categorical.contains(&name);
            Ok(TableColumn { values: values(source, &name, &column, rows, forced)?, name })
        })
        .collect::<Result<Vec<_>>>()?;
    Ok(Table { name: source.file.clone(), target_name: options.target.clone(), kind, targets, columns })
}

fn input_columns(source: &Source<'_>, options: &TableOptions, target: usize) -> Result<Vec<usize>> {
    let ignored = options.ignore.iter().map(|n| source.position(n)).collect::<Result<Vec<_>>>()?;
    let inputs = if options.inputs.is_empty() {
        (0..source.names.len()).filter(|i| *i != target && !ignored.contains(i)).collect::<Vec<_>>()
    } else {
        options.inputs.iter().map(|n| source.position(n)).collect::<Result<Vec<_>>>()?
    };
    if let Some(both) = inputs.iter().find(|i| **i == target || ignored.contains(i)) {
        let expected = "columns that are neither the target nor ignored".to_owned();
        return Err(DataError::Setting { name: "inputs", value: source.names[*both].clone(), expected });
    }
    if inputs.is_empty() {
        return Err(DataError::File {
            file: source.file.clone(),
            problem: "has no input column".into(),
            fix: "keep at least one column beside the target out of `ignore`".into(),
        });
    }
    Ok(inputs)
}

fn target_values(
    source: &Source<'_>,
    name: &str,
    column: &Column,
    rows: usize,
    kind: TargetKind,
) -> Result<(Kind, Vec<f64>)> {
    let cells = cells(column, rows);
    if let Some(row) = cells.iter().position(Option::is_none) {
        let fix = "a row without a target can neither teach nor test; drop it";
        return Err(source.value_error(row, name, column.text(row), "is no target", fix));
    }
    let numbers: Vec<Option<f64>> = cells.iter().map(|c| c.as_deref().and_then(number)).collect();
    let regression = match kind {
        TargetKind::Auto => numbers.iter().filter(|n| n.is_some()).count() * 2 >= numbers.len(),
        TargetKind::Regression => true,
        TargetKind::Classification => false,
    };
    if regression {
        if let Some(row) = numbers.iter().position(|n| !n.is_some_and(f64::is_finite)) {
            let fix = "a regression target is a number in every row; correct it or drop the row";
            return Err(source.value_error(row, name, column.text(row), "is not a finite number", fix));
        }
        return Ok((Kind::Regression, numbers.into_iter().flatten().collect()));
    }
    let classes = levels(&cells).unwrap_or_default();
    if classes.len() < 2 {
        let found = if cells.iter().all(|c| c == &cells[0]) { "1 class".to_owned() } else { many_levels() };
        return Err(DataError::File {
            file: source.file.clone(),
            problem: format!("target {} is not numbers and has {found}", quoted(name)),
            fix: "name a column of numbers as `target`, or for classification one with 2 … 1000 classes"
                .into(),
        });
    }
    let codes = codes(&cells, &classes).into_iter().map(|c| c.map_or(f64::NAN, f64::from)).collect();
    Ok((Kind::Classification { classes }, codes))
}

fn values(source: &Source<'_>, name: &str, column: &Column, rows: usize, forced: bool) -> Result<Values> {
    let cells = cells(column, rows);
    let numbers: Vec<Option<f64>> = cells.iter().map(|c| c.as_deref().and_then(number)).collect();
    let present = cells.iter().flatten().count();
    let numeric = numbers.iter().flatten().count();
    if !forced && numeric * 2 >= present {
        let no_number = |row: &usize| cells[*row].is_some() && !numbers[*row].is_some_and(f64::is_finite);
        if let Some(row) = (0..cells.len()).find(no_number) {
            let fix = format!("correct it, or list {} under `categorical`", quoted(name));
            let problem = "is not a finite number, though most of the column is";
            return Err(source.value_error(row, name, column.text(row), problem, &fix));
        }
        return Ok(Values::Numeric(numbers.into_iter().map(|n| n.unwrap_or(f64::NAN)).collect()));
    }
    let Some(levels) = levels(&cells) else {
        return Err(DataError::File {
            file: source.file.clone(),
            problem: format!("column {} has {}", quoted(name), many_levels()),
            fix: "if it is an identifier, list it under `ignore`".into(),
        });
    };
    Ok(Values::Categorical { codes: codes(&cells, &levels), levels })
}

/// Rows up to the last that has any value: blank lines at the end of a file are no rows.
fn rows_of(columns: &[Column]) -> usize {
    let rows = columns.first().map_or(0, Column::len);
    let blank = |row: usize| columns.iter().all(|c| c.cell(row).trim().is_empty());
    (0..rows).rev().find(|row| !blank(*row)).map_or(0, |row| row + 1)
}

/// Trimmed texts of the first `rows` rows, `None` where missing; text is not copied, there may be much of it.
fn cells(column: &Column, rows: usize) -> Vec<Option<Cow<'_, str>>> {
    let trimmed = |text| match text {
        Cow::Borrowed(text) => Cow::Borrowed(str::trim(text)),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    };
    (0..rows).map(|row| Some(trimmed(column.cell(row))).filter(|cell| !is_missing(cell))).collect()
}

fn number(cell: &str) -> Option<f64> {
    cell.parse().ok()
}

/// Distinct cells, sorted as numbers if all are, else as text; none if there are too many.
fn levels(cells: &[Option<Cow<'_, str>>]) -> Option<Vec<String>> {
    let mut distinct: BTreeSet<&str> = BTreeSet::new();
    for cell in cells.iter().flatten() {
        distinct.insert(cell);
        if distinct.len() > MAX_LEVELS {
            return None;
        }
    }
    let mut levels: Vec<String> = distinct.into_iter().map(str::to_owned).collect();
    if let Some(mut keyed) =
        levels.iter().map(|l| number(l).map(|n| (n, l.clone()))).collect::<Option<Vec<_>>>()
    {
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        levels = keyed.into_iter().map(|(_, l)| l).collect();
    }
    Some(levels)
}

fn many_levels() -> String {
    format!("more than {MAX_LEVELS} levels")
}

fn codes(cells: &[Option<Cow<'_, str>>], levels: &[String]) -> Vec<Option<u32>> {
    let places: BTreeMap<&str, u32> = levels.iter().map(String::as_str).zip(0u32..).collect();
    cells.iter().map(|c| c.as_deref().and_then(|c| places.get(c).copied())).collect()
}
