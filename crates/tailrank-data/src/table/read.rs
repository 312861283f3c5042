//! From a file to a table: which columns are numbers, which are categories, when rows were seen.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashSet},
};

use jiff::civil::{Date, DateTime};

use super::{
    Kind, RowDependence, Table, TableColumn, TableOptions, TargetKind, Values,
    times::{RowTimes, date_column},
};
use crate::{
    DataError, Loaded, Missing, Result, Warning,
    file::{Column, NO_ROWS, ReadAs, Source, is_missing, looks_like_number},
    names::quoted,
};

/// More levels than this and a column is an identifier.
const MAX_LEVELS: usize = 1000;

/// Reads a table from CSV, Parquet or Arrow IPC, plain or gzipped; `file` serves for messages and as the
/// name.
///
/// ```
/// use tailrank_data::{Kind, TableOptions, read_table_bytes};
/// let csv = b"size,colour,cost\n1,red,2\n,blue,3\n";
/// let table = read_table_bytes("t.csv", csv, &TableOptions::new("cost"))?.value;
/// assert_eq!((table.rows(), table.missing()), (2, 1));
/// assert_eq!(table.kind(), &Kind::Regression);
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
pub fn read_table_bytes(file: &str, bytes: &[u8], options: &TableOptions) -> Result<Loaded<Table>> {
    table(&Source::from_bytes(file, bytes, options.max_bytes)?, options)
}

pub(crate) fn table(source: &Source, options: &TableOptions) -> Result<Loaded<Table>> {
    let mut warnings = source.notes.clone();
    let target = source.position(&options.target)?;
    let named_date = date_column(source, options, target)?;
    let mut inputs = input_columns(source, options, target)?;
    let forced = options.categorical.iter().map(|n| source.position(n)).collect::<Result<HashSet<_>>>()?;
    let declared = |name: &Option<String>| name.as_ref().map(|name| source.position(name)).transpose();
    let (entity, group) = (declared(&options.entity)?, declared(&options.group)?);
    if options.inputs.is_empty() {
        let is_declared = |i: &usize| Some(*i) == entity || Some(*i) == group;
        inputs.retain(|i| Some(*i) != named_date && (!is_declared(i) || forced.contains(i)));
    }
    let as_target = if options.kind == TargetKind::Classification { ReadAs::Text } else { ReadAs::Number };
    let mut wanted = vec![(target, as_target)];
    let kind_of = |i: &usize| (*i, if forced.contains(i) { ReadAs::Text } else { ReadAs::Number });
    wanted.extend(inputs.iter().map(kind_of));
    wanted.extend(named_date.map(|date| (date, ReadAs::Date)));
    let mut columns = source.read(&wanted, options.numbers, &mut warnings)?;
    let labels = |at: Option<usize>| -> Result<Option<(usize, Column)>> {
        let Some(at) = at else { return Ok(None) };
        Ok(source.read(&[(at, ReadAs::Text)], options.numbers, &mut Vec::new())?.pop().map(|c| (at, c)))
    };
    let (entity, group) = (labels(entity)?, labels(group)?);
    let rows = columns.first().map_or(0, Column::len);
    if rows == 0 {
        return Err(source.refused(NO_ROWS, "give at least one row"));
    }
    let date = named_date.and_then(|at| columns.pop().map(|column| (at, column)));
    let mut columns = columns.into_iter();
    let first = columns.next().unwrap_or(Column::Numbers(Vec::new()));
    let mut read: Vec<(usize, Column)> = inputs.into_iter().zip(columns).collect();
    if options.inputs.is_empty() {
        drop_index(source, options, &mut read, &mut warnings);
    }
    let times = RowTimes::of(source, options, date, &mut read)?;
    let labels: Vec<&(usize, Column)> = entity.iter().chain(&group).collect();
    let order = rows_in_order(source, options, (target, &first), times.as_ref(), &labels, &mut warnings)?;
    let numbered = |labels: &Option<(usize, Column)>| labels.as_ref().map(|(_, c)| numbers_of(c, &order));
    let dependence = RowDependence {
        entities: numbered(&entity),
        groups: numbered(&group),
        label_span: options.label_span,
    };
    let (kind, targets) = target_values(source, options, first, &order)?;
    if read.is_empty() {
        return Err(no_input(source));
    }
    let columns = read
        .into_iter()
        .map(|(i, column)| table_column(source, &source.names[i], column, &order, forced.contains(&i)))
        .collect::<Result<_>>()?;
    let table = Table {
        name: source.file.clone(),
        target_name: options.target.clone(),
        kind,
        targets,
        columns,
        times: times.map(|times| order.iter().filter_map(|row| times.stamps[*row]).collect()),
        dependence,
        file_rows: (order.len() != rows || !order.is_sorted()).then_some(order),
    };
    Ok(Loaded { value: table, warnings })
}

/// The rows of the file (from 0) that the table has, in its order: without those that lack what is needed,
/// oldest first.
fn rows_in_order(
    source: &Source,
    options: &TableOptions,
    (target_at, target): (usize, &Column),
    times: Option<&RowTimes>,
    labels: &[&(usize, Column)],
    warnings: &mut Vec<Warning>,
) -> Result<Vec<usize>> {
    let mut kept: Vec<usize> = (0..target.len()).collect();
    let mut need = |column: usize, lacks: &dyn Fn(usize) -> bool, problem: &str, fix: &str| {
        let Some(first) = kept.iter().copied().find(|row| lacks(*row)) else { return Ok(()) };
        if options.missing == Missing::Refuse {
            return Err(source.cell_error(first, column, problem, fix));
        }
        let before = kept.len();
        kept.retain(|row| !lacks(*row));
        let (file, column, rows) = (source.file.clone(), source.names[column].clone(), before - kept.len());
        warnings.push(Warning::MissingDropped { file, column, rows, first: first + 1 });
        Ok(())
    };
    let no_target = |row: usize| match target {
        Column::Numbers(values) => values[row].is_nan(),
        other => is_missing(other.cell(row).trim()),
    };
    let fix = "a row without a target can neither teach nor test; drop it, or set missing = \"drop\"";
    need(target_at, &no_target, "is not a target value", fix)?;
    let fix = "fill it in, or set missing = \"drop\" to leave such rows out";
    for (at, column) in labels {
        let no_label = |row: usize| is_missing(column.cell(row).trim());
        need(*at, &no_label, "does not say which group the row belongs to", fix)?;
    }
    if let Some(times) = times {
        need(times.column, &|row| times.stamps[row].is_none(), "is not a date", fix)?;
    }
    if kept.is_empty() {
        let problem = format!("no row has a value in {}", quoted(&options.target));
        return Err(source.refused(problem, "name another column as `target`"));
    }
    if let Some(times) = times {
        let out_of_order = |i: &usize| times.stamps[kept[*i]] < times.stamps[kept[i - 1]];
        if let Some(i) = (1..kept.len()).find(out_of_order) {
            let (row, time) = (kept[i], times.stamps[kept[i]]);
            let date = time.map_or(Date::MIN, DateTime::date);
            warnings.push(Warning::Sorted { file: source.file.clone(), row: row + 1, date });
            kept.sort_by_key(|row| times.stamps[*row]);
        }
    }
    Ok(kept)
}

fn input_columns(source: &Source, options: &TableOptions, target: usize) -> Result<Vec<usize>> {
    let ignored = options.ignore.iter().map(|n| source.position(n)).collect::<Result<HashSet<_>>>()?;
    let inputs = if options.inputs.is_empty() {
        (0..source.own().len()).filter(|i| *i != target && !ignored.contains(i)).collect::<Vec<_>>()
    } else {
        options.inputs.iter().map(|n| source.position(n)).collect::<Result<Vec<_>>>()?
    };
    if let Some(both) = inputs.iter().find(|i| **i == target || ignored.contains(i)) {
        let expected = "columns that are neither the target nor ignored";
        return Err(DataError::setting("inputs", &source.names[*both], expected));
    }
    if inputs.is_empty() { Err(no_input(source)) } else { Ok(inputs) }
}

fn no_input(source: &Source) -> DataError {
    let fix = "keep at least one column beside the target and the date out of `ignore`";
    source.refused("has no input column", fix)
}

/// A first column without a name that only numbers or names the rows, as pandas and R write, is not an input.
fn drop_index(
    source: &Source,
    options: &TableOptions,
    read: &mut Vec<(usize, Column)>,
    warnings: &mut Vec<Warning>,
) {
    let Some((at, column)) = read.first() else { return };
    let name = source.names[*at].trim().to_lowercase();
    if *at != 0 || !["", "unnamed: 0", "rownames"].contains(&name.as_str()) || read.len() < 2 {
        return;
    }
    let distinct = match column {
        Column::Numbers(values) => {
            let bits: HashSet<u64> = values.iter().map(|v| v.to_bits()).collect();
            bits.len() == values.len() && values.iter().all(|v| v.fract() == 0.0)
        }
        Column::Text(texts) => texts.iter().collect::<HashSet<_>>().len() == texts.len(),
        Column::Stamps(_) => false,
    };
    let dates = matches!(column, Column::Text(_)) && super::times::is_dates(column, &options.date_format);
    if distinct && !dates {
        let (file, column) = (source.file.clone(), source.names[*at].clone());
        warnings.push(Warning::LeftOut { file, column, why: "only numbers or names the rows" });
        read.remove(0);
    }
}

fn target_values(
    source: &Source,
    options: &TableOptions,
    column: Column,
    order: &[usize],
) -> Result<(Kind, Vec<f64>)> {
    let (name, kind) = (&options.target, options.kind);
    let not_finite = |row: usize, column: &Column| {
        let fix = "a regression target is a number in every row; correct it or drop the row";
        Err(source.value_error(row, name, column.text(row), "is not a finite number", fix))
    };
    let column = match (column, kind) {
        (Column::Numbers(values), TargetKind::Auto | TargetKind::Regression) => {
            return match order.iter().find(|row| !values[**row].is_finite()) {
                Some(row) => not_finite(*row, &Column::Numbers(values)),
                None => Ok((Kind::Regression, in_order(values, order))),
            };
        }
        (column, _) => column,
    };
    let cells = cells(&column, order);
    // Not all cells are numbers: those that are not are either mistakes or classes.
    let numeric = |cell: &Option<Cow<'_, str>>| cell.as_deref().is_some_and(looks_like_number);
    let mostly = cells.iter().filter(|cell| numeric(cell)).count() * 2 >= cells.len();
    if kind == TargetKind::Regression || (kind == TargetKind::Auto && mostly) {
        let place = cells.iter().position(|cell| !numeric(cell)).unwrap_or(0);
        return not_finite(order[place], &column);
    }
    let classes = levels(&cells).unwrap_or_default();
    if classes.len() < 2 {
        let found = if cells.iter().all(|c| c == &cells[0]) { "1 class".to_owned() } else { many_levels() };
        let fix = "name a column of numbers as `target`, or for classification one with 2 … 1000 classes";
        return Err(source.refused(format!("target {} is not numbers and has {found}", quoted(name)), fix));
    }
    let codes = codes(&cells, &classes).into_iter().map(|c| c.map_or(f64::NAN, f64::from)).collect();
    Ok((Kind::Classification { classes }, codes))
}

/// A number for each row, the same for equal cells; numbers follow the first appearance.
fn numbers_of(column: &Column, order: &[usize]) -> Vec<usize> {
    let mut known = std::collections::HashMap::new();
    let mut number = |cell: String| {
        let next = known.len();
        *known.entry(cell).or_insert(next)
    };
    order.iter().map(|row| number(column.cell(*row).trim().to_owned())).collect()
}

/// The values of the table's rows; most tables have all rows, as the file has them.
fn in_order(values: Vec<f64>, order: &[usize]) -> Vec<f64> {
    if order.len() == values.len() && order.is_sorted() {
        values
    } else {
        order.iter().map(|row| values[*row]).collect()
    }
}

fn table_column(
    source: &Source,
    name: &str,
    column: Column,
    order: &[usize],
    forced: bool,
) -> Result<TableColumn> {
    let named = |values| TableColumn::new(name.to_owned(), values);
    let mistake = |row: usize, column: &Column| {
        let fix = format!("correct it, or list {} under `categorical`", quoted(name));
        let problem = "is not a finite number, though most of the column is";
        Err(source.value_error(row, name, column.text(row), problem, &fix))
    };
    let column = match column {
        Column::Numbers(values) if !forced => {
            // Most columns have neither gaps nor infinite values, which one look at all of them tells.
            if values.iter().fold(true, |all, value| all & value.is_finite()) {
                let values = Values::Numeric(in_order(values, order));
                return Ok(TableColumn { name: name.to_owned(), values, missing: 0 });
            }
            return match order.iter().find(|row| values[**row].is_infinite()) {
                Some(row) => mistake(*row, &Column::Numbers(values)),
                None => Ok(named(Values::Numeric(in_order(values, order)))),
            };
        }
        column => column,
    };
    let cells = cells(&column, order);
    let present = cells.iter().flatten().count();
    if !forced && cells.iter().flatten().filter(|cell| looks_like_number(cell)).count() * 2 >= present {
        let wrong = |cell: &Option<Cow<'_, str>>| cell.as_deref().is_some_and(|c| !looks_like_number(c));
        return mistake(order[cells.iter().position(wrong).unwrap_or(0)], &column);
    }
    let Some(levels) = levels(&cells) else {
        let problem = format!("column {} has {}", quoted(name), many_levels());
        return Err(source.refused(problem, "if it is an identifier, list it under `ignore`"));
    };
    Ok(named(Values::Categorical { codes: codes(&cells, &levels), levels }))
}

/// Trimmed texts of rows, `None` where missing; text is not copied, there may be much of it.
fn cells<'a>(column: &'a Column, order: &[usize]) -> Vec<Option<Cow<'a, str>>> {
    let trimmed = |text| match text {
        Cow::Borrowed(text) => Cow::Borrowed(str::trim(text)),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    };
    order.iter().map(|row| Some(trimmed(column.cell(*row))).filter(|cell| !is_missing(cell))).collect()
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
    let keyed = levels.iter().map(|l| Some((l.parse::<f64>().ok()?, l.clone())));
    if let Some(mut keyed) = keyed.collect::<Option<Vec<_>>>() {
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
