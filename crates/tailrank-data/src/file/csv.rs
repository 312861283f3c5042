//! CSV: a header line, then rows. What the file looks like is found out here, polars reads the cells, and what they mean is said here.

use std::{borrow::Cow, collections::BTreeMap, io::Cursor, sync::Arc};

use polars::prelude::{
    CsvParseOptions, CsvReadOptions, DataFrame, DataType, Field, PolarsResult, Schema, SerReader, Series,
    StringChunked,
};
use rayon::prelude::*;

use super::{
    As, Column, NumberFormat, Texts,
    cells::{Cells, Fault},
    column::is_missing,
    found,
    guard::asked,
    number::{Written, looks_like_number, trimmed, written},
};
use crate::{DataError, Result, Warning};

/// Where the body starts and how its cells are separated.
pub(super) struct Layout {
    body: usize,
    separator: u8,
    /// Cells of the header line, those without a name included.
    columns: usize,
}

/// What is wrong with a row, counted from 0.
struct Bad {
    row: usize,
    problem: Problem,
}

enum Problem {
    Quotes(Fault),
    /// More cells than the header, and those beyond it not empty.
    Long(usize),
    /// A value in a column (from 0) that the header gives no name.
    Nameless(usize),
}

const FORM: &str = "CSV";
const MARKS: &str = "close it, and write a quotation mark inside a quoted cell twice";

/// Rows that tell whether a column is worth reading as numbers at once.
const SAMPLE: usize = 100;

impl Layout {
    /// Column names and layout from the first line.
    pub(super) fn of(file: &str, text: &str) -> Result<(Vec<String>, Self)> {
        // Excel reads, and some programs write, a first line that only names the separator.
        let told = text.get(..5).filter(|line| line.starts_with("sep=")).map(|line| line.as_bytes()[4]);
        let start = told.and_then(|_| text.find('\n')).map_or(0, |end| end + 1);
        let rest = &text[start..];
        let end = rest.find('\n').unwrap_or(rest.len());
        let line = rest[..end].trim_end_matches('\r');
        if line.contains('\u{fffd}') {
            let fix = "save the file as UTF-8 CSV, or give a Parquet file";
            return Err(bad(file, "the header line is not UTF-8 text", fix));
        }
        let no_header = || bad(file, "has no header line", "the first line must name the columns");
        if line.trim().is_empty() {
            return Err(no_header());
        }
        let separator = told.unwrap_or_else(|| separator_of(line));
        let mut names = header_cells(line, separator).ok_or_else(|| {
            bad(file, "the header line has an open quotation mark", "close the quotation mark")
        })?;
        let columns = names.len();
        let after = (start + end + 1).min(text.len());
        let body = after + ticker_lines(&mut names, &text[after..], separator);
        // Spreadsheets leave separators behind for columns that were once filled.
        while names.len() > 1 && names.last().is_some_and(String::is_empty) {
            names.pop();
        }
        if names == [""] && columns > 1 {
            return Err(no_header());
        }
        Ok((names, Self { body, separator, columns }))
    }

    /// Reads the wanted columns, in the order asked; `notes` is told where numbers are not written with a plain point.
    pub(super) fn read(
        &self,
        file: &str,
        text: &str,
        names: &[String],
        wanted: &[(usize, As)],
        format: NumberFormat,
        notes: &mut Vec<Warning>,
    ) -> Result<Vec<Column>> {
        let body = self.without_blank_end(&text[self.body..]);
        if body.bytes().all(|b| b.is_ascii_whitespace()) {
            return Ok(wanted.iter().map(|_| Column::Numbers(Vec::new())).collect());
        }
        let body = self.checked(body, names.len(), wanted).map_err(|bad| self.error(file, &bad))?;
        let mut columns = self.columns(file, &body, wanted, format)?;
        for (column, (i, _)) in columns.iter().zip(wanted) {
            if let Column::Text(cells) = column
                && let Some(row) = cells.iter().position(|cell| cell.contains('\u{fffd}'))
            {
                let fix = "save the file as UTF-8";
                return Err(value(file, row, &names[*i], cells.get(row), "is not UTF-8 text", fix));
            }
        }
        if format == NumberFormat::Auto {
            self.other_formats(file, &body, names, wanted, &mut columns, notes)?;
        }
        Ok(columns)
    }

    /// The body without the blank lines and rows of empty cells that spreadsheets leave at its end.
    fn without_blank_end<'a>(&self, body: &'a str) -> &'a str {
        let blank = |b: &u8| b.is_ascii_whitespace() || *b == self.separator;
        let last = body.as_bytes().iter().rposition(|b| !blank(b)).unwrap_or(0);
        let end = body.as_bytes()[last..].iter().position(|b| *b == b'\n');
        &body[..end.map_or(body.len(), |end| last + end + 1)]
    }

    /// Columns that were asked for as numbers and came as text may be numbers in another format.
    fn other_formats(
        &self,
        file: &str,
        body: &str,
        names: &[String],
        wanted: &[(usize, As)],
        columns: &mut [Column],
        notes: &mut Vec<Warning>,
    ) -> Result<()> {
        let mut found: Vec<(usize, Written)> = Vec::new();
        for (place, column) in columns.iter().enumerate() {
            if let (Column::Text(cells), As::Number) = (column, wanted[place].1) {
                found.push((place, written(present(cells), None)));
            }
        }
        let has = |format| found.iter().any(|(_, w)| matches!(w, Written::As(f) if *f == format));
        let likely = match (has(NumberFormat::Point), has(NumberFormat::Comma), self.separator) {
            (false, true, _) => Some(NumberFormat::Comma),
            (true, false, _) => Some(NumberFormat::Point),
            // Where commas separate cells, one inside a cell is no decimal sign; semicolons are there to leave it free.
            (_, _, b',') => Some(NumberFormat::Point),
            (_, _, b';') => Some(NumberFormat::Comma),
            _ => None,
        };
        let mut told: Vec<(NumberFormat, Vec<String>)> = Vec::new();
        let mut convert = |place: usize, cells: &Texts, format: NumberFormat| {
            let name = names[wanted[place].0].clone();
            match told.iter_mut().find(|(f, _)| *f == format) {
                Some((_, columns)) => columns.push(name),
                None => told.push((format, vec![name])),
            }
            Column::Numbers(cells.iter().map(|c| format.parse(c).unwrap_or(f64::NAN)).collect())
        };
        let mut comma = false;
        for (place, how) in found {
            let Column::Text(cells) = &columns[place] else { continue };
            let format = match how {
                Written::NotNumbers => continue,
                Written::As(format) => format,
                Written::Either(row) => likely.ok_or_else(|| {
                    let problem = "may have a decimal comma or a mark for thousands";
                    let fix = "say with decimal which it is, comma or point";
                    value(file, row, &names[wanted[place].0], cells.get(row), problem, fix)
                })?,
            };
            comma |= format == NumberFormat::Comma;
            columns[place] = convert(place, cells, format);
        }
        // Beside decimal commas, `1.234` is a thousand and some.
        let plain: Vec<usize> = (0..columns.len())
            .filter(|c| comma && wanted[*c].1 == As::Number && matches!(columns[*c], Column::Numbers(_)))
            .collect();
        if !plain.is_empty() {
            let again: Vec<(usize, As)> = plain.iter().map(|c| (wanted[*c].0, As::Text)).collect();
            for (place, text) in
                plain.into_iter().zip(self.columns(file, body, &again, NumberFormat::Auto)?)
            {
                let Column::Text(cells) = text else { continue };
                if matches!(written(present(&cells), None), Written::Either(_)) {
                    columns[place] = convert(place, &cells, NumberFormat::Comma);
                }
            }
        }
        notes.extend(told.into_iter().map(|(format, columns)| Warning::NumbersWritten {
            file: file.to_owned(),
            columns,
            format,
        }));
        Ok(())
    }

    /// The body, if every row has as many cells as the header and quotation marks are closed. A mark inside a cell without marks around
    /// it, as in `5" pipe`, is data here and a fault to polars: such a body is written anew.
    fn checked<'a>(
        &self,
        body: &'a str,
        named: usize,
        wanted: &[(usize, As)],
    ) -> std::result::Result<Cow<'a, str>, Bad> {
        if !body.contains('"') {
            for (row, line) in body.split('\n').enumerate() {
                if line.bytes().filter(|b| *b == self.separator).count() >= named {
                    self.check_row(row, named, line.split(char::from(self.separator)))?;
                }
            }
            return Ok(Cow::Borrowed(body));
        }
        let mut is_regular = true;
        self.each_row(body, wanted, |row, cells| {
            is_regular &= cells.iter().all(|(text, doubled)| *doubled || !text.contains('"'));
            self.check_row(row, named, cells.iter().map(|(text, _)| *text))
        })?;
        if is_regular {
            return Ok(Cow::Borrowed(body));
        }
        let mut anew = String::with_capacity(body.len() + body.len() / 8);
        self.each_row(body, wanted, |_, cells| {
            for (i, (text, doubled)) in cells.iter().enumerate() {
                if i > 0 {
                    anew.push(char::from(self.separator));
                }
                let text =
                    if *doubled { Cow::Borrowed(*text) } else { Cow::Owned(text.replace('"', "\"\"")) };
                anew.push('"');
                anew.push_str(&text);
                anew.push('"');
            }
            anew.push('\n');
            Ok(())
        })?;
        Ok(Cow::Owned(anew))
    }

    /// Visits the cells of every row, each with whether marks inside it are written twice.
    fn each_row<'a>(
        &self,
        body: &'a str,
        wanted: &[(usize, As)],
        mut visit: impl FnMut(usize, &[(&'a str, bool)]) -> std::result::Result<(), Bad>,
    ) -> std::result::Result<(), Bad> {
        let mut cells = Cells::new(body, self.separator, |line: &str| self.is_row(line, wanted));
        let (mut row, mut found) = (0, Vec::new());
        while !cells.is_done() {
            let cell = cells.next().map_err(|fault| Bad { row, problem: Problem::Quotes(fault) })?;
            found.push((cell.text, cell.doubled));
            if cell.ends_row {
                visit(row, &found)?;
                found.clear();
                row += 1;
            }
        }
        // A separator at the very end opens a last cell that nothing follows.
        if found.is_empty() { Ok(()) } else { visit(row, &found) }
    }

    /// Cells beyond those with a name must be blank.
    fn check_row<'a>(
        &self,
        row: usize,
        named: usize,
        cells: impl Iterator<Item = &'a str>,
    ) -> std::result::Result<(), Bad> {
        let (mut count, mut long) = (0, false);
        for (column, cell) in cells.enumerate() {
            count = column + 1;
            if column >= named && !cell.trim().is_empty() {
                if column < self.columns {
                    return Err(Bad { row, problem: Problem::Nameless(column) });
                }
                long = true;
            }
        }
        if long { Err(Bad { row, problem: Problem::Long(count) }) } else { Ok(()) }
    }

    /// The wanted columns of a checked body, in the order asked. A column asked for as numbers is text where a cell is none.
    fn columns(
        &self,
        file: &str,
        body: &str,
        wanted: &[(usize, As)],
        format: NumberFormat,
    ) -> Result<Vec<Column>> {
        let as_text =
            |i: usize| wanted.iter().any(|(at, kind)| *at == i && matches!(kind, As::Text | As::Date));
        let plain =
            |i: usize| format == NumberFormat::Auto && !as_text(i) && self.begins_with_numbers(body, i);
        let mut types = BTreeMap::new();
        for (i, _) in wanted {
            types.entry(*i).or_insert_with(|| if plain(*i) { DataType::Float64 } else { DataType::String });
        }
        let mut read = self.scan(file, body, &types)?;
        // What polars cannot read as a number may be a word for "missing" or a number in another format.
        types.retain(|i, kind| *kind == DataType::Float64 && read[i].null_count() > 0);
        types.values_mut().for_each(|kind| *kind = DataType::String);
        if !types.is_empty() {
            read.extend(self.scan(file, body, &types)?);
        }
        wanted.par_iter().map(|(i, kind)| asked(file, FORM, || column_of(&read[i], *kind, format))).collect()
    }

    /// Whether the first rows have a plain number each.
    fn begins_with_numbers(&self, body: &str, column: usize) -> bool {
        body.split('\n').take(SAMPLE).filter(|line| !line.is_empty()).all(|line| {
            let cell = line.split(char::from(self.separator)).nth(column).unwrap_or_default();
            NumberFormat::Auto.parse(cell.trim_matches('"')).is_some()
        })
    }

    /// What polars reads: these columns (from 0) as these types, missing where a cell is empty or of another type.
    fn scan(
        &self,
        file: &str,
        body: &str,
        types: &BTreeMap<usize, DataType>,
    ) -> Result<BTreeMap<usize, Series>> {
        // polars takes these beginnings for packed bytes.
        let packed = body.starts_with("x^") || body.starts_with("x\u{1}");
        let body = if packed { Cow::Owned(format!("\n{body}")) } else { Cow::Borrowed(body) };
        let name = |i: usize| i.to_string().into();
        let fields = (0..self.columns)
            .map(|i| Field::new(name(i), types.get(&i).cloned().unwrap_or(DataType::Float64)));
        let marks = body.contains('"').then_some(b'"');
        let options = CsvReadOptions::default()
            .with_has_header(false)
            .with_raise_if_empty(false)
            .with_ignore_errors(true)
            .with_skip_lines(usize::from(packed))
            .with_schema(Some(Arc::new(fields.collect::<Schema>())))
            .with_projection(Some(Arc::new(types.keys().copied().collect())))
            .with_parse_options(
                CsvParseOptions::default()
                    .with_separator(self.separator)
                    .with_quote_char(marks)
                    .with_truncate_ragged_lines(true),
            );
        let read = || {
            let frame: DataFrame =
                options.into_reader_with_file_handle(Cursor::new(body.as_bytes())).finish()?;
            let series = |i: &usize| Ok((*i, frame.column(&i.to_string())?.as_materialized_series().clone()));
            types.keys().map(series).collect()
        };
        asked(file, FORM, read)
    }

    /// Whether a line that begins inside a quoted cell would be a row by itself: it has every wanted cell, of which the
    /// first and deciding one is a date beside a number, or a number.
    fn is_row(&self, line: &str, wanted: &[(usize, As)]) -> bool {
        let cells: Vec<&str> = line.split(char::from(self.separator)).collect();
        let bare = |cell: &str| looks_like_number(cell.trim().trim_matches('"'));
        let Some(((key, kind), others)) = wanted.split_first() else { return false };
        wanted.iter().all(|(i, _)| *i < cells.len())
            && match kind {
                As::Date => {
                    cells[*key].bytes().any(|b| b.is_ascii_digit())
                        && others.iter().any(|(i, _)| bare(cells[*i]))
                }
                As::Number | As::Plain | As::Text => looks_like_number(cells[*key]),
            }
    }

    fn error(&self, file: &str, found: &Bad) -> DataError {
        let row = found.row + 1;
        match found.problem {
            Problem::Quotes(fault) => bad(file, format!("row {row} {}", fault.problem()), MARKS),
            Problem::Long(cells) => {
                let problem = format!("row {row} has {cells} cells, the header names {}", self.columns);
                bad(file, problem, "quote cells that contain the separator, or name every column")
            }
            Problem::Nameless(column) => {
                let problem = format!("row {row} has a value in column {}, which has no name", column + 1);
                bad(file, problem, "name every column")
            }
        }
    }
}

/// A column that polars has read.
fn column_of(series: &Series, kind: As, format: NumberFormat) -> PolarsResult<Column> {
    if series.dtype() == &DataType::Float64 {
        let mut values = found::numbers(series)?;
        // A missing value is the same NaN however it is written.
        values.iter_mut().filter(|value| value.is_nan()).for_each(|value| *value = f64::NAN);
        return Ok(Column::Numbers(values));
    }
    let texts: &StringChunked = series.str()?;
    if matches!(kind, As::Number | As::Plain) {
        let cell = |text: Option<&str>| number(trimmed(text.unwrap_or_default()), kind, format);
        if let Some(values) = texts.iter().map(cell).collect() {
            return Ok(Column::Numbers(values));
        }
    }
    Ok(Column::Text(texts.iter().map(Option::unwrap_or_default).collect()))
}

/// The number in a cell, NaN where it is missing.
fn number(cell: &str, kind: As, format: NumberFormat) -> Option<f64> {
    if cell.is_empty() {
        return Some(f64::NAN);
    }
    match format.parse(cell) {
        // A missing value is the same NaN however it is written.
        Some(value) => Some(if value.is_nan() { f64::NAN } else { value }),
        None => (kind == As::Number && is_missing(cell)).then_some(f64::NAN),
    }
}

/// Cells with a value, trimmed, with their rows.
fn present(cells: &Texts) -> impl Iterator<Item = (usize, &str)> {
    cells.iter().map(str::trim).enumerate().filter(|(_, cell)| !is_missing(cell))
}

fn bad(file: &str, problem: impl Into<String>, fix: &str) -> DataError {
    DataError::File { file: file.to_owned(), problem: problem.into(), fix: fix.to_owned() }
}

/// The error for one cell; `row` counts from 0 here and from 1 in the message.
fn value(file: &str, row: usize, column: &str, cell: &str, problem: &str, fix: &str) -> DataError {
    DataError::Value {
        file: file.to_owned(),
        row: row + 1,
        column: column.to_owned(),
        value: cell.to_owned(),
        problem: problem.into(),
        fix: fix.into(),
    }
}

/// yfinance writes a header of three lines: `Price,Close,…`, `Ticker,KO,…` and `Date,,…`. The names become those of one
/// line, with the ticker where there are several; the answer is how long the other two lines are.
fn ticker_lines(names: &mut [String], rest: &str, separator: u8) -> usize {
    let mut lines = rest.split_inclusive('\n');
    let (Some(second), Some(third)) = (lines.next(), lines.next()) else { return 0 };
    let cells = |line: &str| header_cells(line, separator).filter(|cells| cells.len() == names.len());
    let (Some(tickers), Some(dates)) = (cells(second), cells(third)) else { return 0 };
    let known =
        names[0] == "Price" && tickers[0] == "Ticker" && ["Date", "Datetime"].contains(&dates[0].as_str());
    if !known || names.len() < 2 || dates[1..].iter().any(|cell| !cell.is_empty()) {
        return 0;
    }
    let several = tickers[1..].iter().any(|ticker| *ticker != tickers[1]);
    for (name, ticker) in names.iter_mut().zip(&tickers).skip(1).filter(|_| several) {
        *name = format!("{name} {ticker}");
    }
    names[0].clone_from(&dates[0]);
    second.len() + third.len()
}

/// The most frequent of comma, semicolon, tab and bar outside quotation marks.
fn separator_of(line: &str) -> u8 {
    let mut best = (b',', 0);
    for candidate in *b",;\t|" {
        let mut quoted = false;
        let count = line
            .bytes()
            .filter(|b| {
                quoted ^= *b == b'"';
                !quoted && *b == candidate
            })
            .count();
        if count > best.1 {
            best = (candidate, count);
        }
    }
    best.0
}

/// The cells of one line; `None` if a quotation mark stays open.
fn header_cells(line: &str, separator: u8) -> Option<Vec<String>> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cells.last_mut()?.push('"');
            }
            '"' => quoted = !quoted,
            c if !quoted && c == char::from(separator) => cells.push(String::new()),
            c => cells.last_mut()?.push(c),
        }
    }
    (!quoted).then(|| cells.into_iter().map(|c| c.trim().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_cells_may_be_quoted_and_separated_by_other_signs() {
        assert_eq!(header_cells("a,\"b,c\",\"d\"\"e\"", b',').unwrap(), ["a", "b,c", "d\"e"]);
        assert_eq!(separator_of("Date;Close"), b';');
        assert_eq!(separator_of("\"a,b,c\"\td"), b'\t');
        assert!(header_cells("a,\"b", b',').is_none());
        let (names, layout) = Layout::of("t", "sep=;\r\na,b;c\n1;2\n").unwrap();
        assert_eq!((names, layout.separator), (vec!["a,b".to_owned(), "c".to_owned()], b';'));
    }

    /// Chunks read by many threads are one file, and a bad row in the last one is counted from the top.
    #[test]
    fn pieces_are_one_file() {
        let mut text = String::from("n,t\n");
        let rows = 300_000;
        (0..rows).for_each(|i| text += &format!("{i}.5,x{i}\n"));
        let (names, layout) = Layout::of("t", &text).unwrap();
        let wanted = [(1, As::Text), (0, As::Number), (1, As::Number), (0, As::Text)];
        let read = |text: &str| layout.read("t", text, &names, &wanted, NumberFormat::Auto, &mut Vec::new());
        let columns = read(&text).unwrap();
        let Column::Numbers(numbers) = &columns[1] else { panic!("numbers") };
        assert!(numbers.iter().enumerate().all(|(i, v)| *v == i as f64 + 0.5) && numbers.len() == rows);
        let Column::Text(texts) = &columns[2] else { panic!("text") };
        assert!(texts.iter().enumerate().all(|(i, t)| t == format!("x{i}")) && texts.len() == rows);
        assert_eq!(columns[0].cell(rows - 1), format!("x{}", rows - 1));
        assert_eq!(columns[3].cell(7), "7.5");
        text += "1,2,3\n";
        let message = read(&text).err().unwrap().to_string();
        assert!(
            message.starts_with(&format!("t: row {} has 3 cells, the header names 2", rows + 1)),
            "{message}"
        );
    }
}
