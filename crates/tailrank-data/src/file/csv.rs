//! CSV: a header line, then rows. What the file looks like is found out here, polars reads the cells, and
//! what they mean is said here.

mod parse;

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use memchr::{memchr, memchr_iter};
use polars::prelude::{DataType, PolarsResult, Series};
use rayon::prelude::*;

use super::{
    Column, NumberFormat, ReadAs, Texts,
    cells::Cells,
    column::is_missing,
    guard::guarded,
    head::{Head, ticker_lines},
    kept::{Found, Kept, Wanted},
    large::LargeText,
    number::{Written, looks_like_number, trimmed, written},
    polars_column,
};
use crate::{DataError, Result, Warning};

/// Types by the place of their columns.
type Types = BTreeMap<usize, DataType>;

/// The rows of a file.
pub(super) enum Body<'a> {
    Whole(&'a str),
    Large(&'a LargeText),
}

/// Where the body starts and how its cells are separated.
pub(super) struct Layout {
    file: String,
    /// Names of the columns, without those that a spreadsheet left behind.
    pub(super) names: Vec<String>,
    body: usize,
    separator: u8,
    /// Cells of the header line, those without a name included.
    columns: usize,
}

const FORM: &str = "CSV";
const MARKS: &str = "close it, and write a quotation mark inside a quoted cell twice";

/// Rows that tell whether a column is worth reading as numbers at once.
const SAMPLE: usize = 100;

impl Layout {
    /// Column names and layout from the first line.
    pub(super) fn of(file: &str, text: &str) -> Result<Self> {
        let head = Head::of(text);
        let bad = |problem: &str, fix: &str| Err(DataError::file(file, problem, fix));
        let no_header = || bad("has no header line", "the first line must name the columns");
        if head.line.contains('\u{fffd}') {
            let fix = "save the file as UTF-8 CSV, or give a Parquet file";
            return bad("the header line is not UTF-8 text", fix);
        }
        if head.line.trim().is_empty() {
            return no_header();
        }
        let Some(mut names) = head.names else {
            return bad("the header line has an open quotation mark", "close the quotation mark");
        };
        let columns = names.len();
        let body = head.body + ticker_lines(&mut names, &text[head.body..], head.separator);
        // Spreadsheets leave separators behind for columns that were once filled.
        while names.len() > 1 && names.last().is_some_and(String::is_empty) {
            names.pop();
        }
        if names == [""] && columns > 1 {
            return no_header();
        }
        Ok(Self { file: file.to_owned(), names, body, separator: head.separator, columns })
    }

    /// Reads the wanted columns, in the order asked; `notes` is told where numbers are not written with a
    /// plain point.
    pub(super) fn read(
        &self,
        text: &Body<'_>,
        wanted: &[(usize, ReadAs)],
        format: NumberFormat,
        kept: &Kept,
        notes: &mut Vec<Warning>,
    ) -> Result<Vec<Arc<Column>>> {
        let checked;
        let body = match text {
            Body::Large(_) => text,
            Body::Whole(text) => {
                let body = self.without_blank_end(&text[self.body..]);
                if body.bytes().all(|b| b.is_ascii_whitespace()) {
                    return Ok(wanted.iter().map(|_| Arc::new(Column::Numbers(Vec::new()))).collect());
                }
                checked = self.checked(body, wanted)?;
                &Body::Whole(&checked)
            }
        };
        let read = |wanted: &[(usize, ReadAs)]| self.columns(body, wanted, format, kept);
        let mut columns = read(wanted)?;
        for (column, (i, _)) in columns.iter().zip(wanted) {
            if let Column::Text(cells) = &**column
                && let Some(row) = cells.iter().position(|cell| cell.contains('\u{fffd}'))
            {
                return Err(self.value(row, *i, cells, "is not UTF-8 text", "save the file as UTF-8"));
            }
        }
        if format == NumberFormat::Auto {
            self.other_formats(read, wanted, &mut columns, notes)?;
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
        read: impl Fn(&[(usize, ReadAs)]) -> Result<Vec<Arc<Column>>>,
        wanted: &[(usize, ReadAs)],
        columns: &mut [Arc<Column>],
        notes: &mut Vec<Warning>,
    ) -> Result<()> {
        let mut found: Vec<(usize, Written)> = Vec::new();
        for (place, column) in columns.iter().enumerate() {
            if let (Column::Text(cells), ReadAs::Number) = (&**column, wanted[place].1) {
                found.push((place, written(present(cells))));
            }
        }
        let has = |format| found.iter().any(|(_, w)| matches!(w, Written::As(f) if *f == format));
        let likely = match (has(NumberFormat::Point), has(NumberFormat::Comma), self.separator) {
            (false, true, _) => Some(NumberFormat::Comma),
            (true, false, _) => Some(NumberFormat::Point),
            // Where commas separate cells, one inside a cell is no decimal sign; semicolons are there to
            // leave it free.
            (_, _, b',') => Some(NumberFormat::Point),
            (_, _, b';') => Some(NumberFormat::Comma),
            _ => None,
        };
        let mut told: Vec<(NumberFormat, Vec<String>)> = Vec::new();
        let mut convert = |place: usize, cells: &Texts, format: NumberFormat| {
            let name = self.names[wanted[place].0].clone();
            match told.iter_mut().find(|(f, _)| *f == format) {
                Some((_, columns)) => columns.push(name),
                None => told.push((format, vec![name])),
            }
            Arc::new(Column::Numbers(cells.iter().map(|c| format.parse(c).unwrap_or(f64::NAN)).collect()))
        };
        let mut comma = false;
        for (place, how) in found {
            let Column::Text(cells) = &*columns[place] else { continue };
            let format = match how {
                Written::NotNumbers => continue,
                Written::As(format) => format,
                Written::Either(row) => likely.ok_or_else(|| {
                    let problem = "may have a decimal comma or a mark for thousands";
                    let fix = "say with decimal which it is, comma or point";
                    self.value(row, wanted[place].0, cells, problem, fix)
                })?,
            };
            comma |= format == NumberFormat::Comma;
            columns[place] = convert(place, cells, format);
        }
        // Beside decimal commas, `1.234` is a thousand and some.
        let is_plain =
            |c: &usize| wanted[*c].1 == ReadAs::Number && matches!(*columns[*c], Column::Numbers(_)) && comma;
        let plain: Vec<usize> = (0..columns.len()).filter(is_plain).collect();
        let again: Vec<(usize, ReadAs)> = plain.iter().map(|c| (wanted[*c].0, ReadAs::Text)).collect();
        let texts = if again.is_empty() { vec![] } else { read(&again)? };
        for (place, text) in plain.into_iter().zip(texts) {
            let Column::Text(cells) = &*text else { continue };
            if matches!(written(present(cells)), Written::Either(_)) {
                columns[place] = convert(place, cells, NumberFormat::Comma);
            }
        }
        let note = |(format, columns)| Warning::NumbersWritten { file: self.file.clone(), columns, format };
        notes.extend(told.into_iter().map(note));
        Ok(())
    }

    /// The body, if every row has as many cells as the header and quotation marks are closed. A mark inside a
    /// cell without marks around it, as in `5" pipe`, is data here and a fault to polars: such a body is
    /// written anew.
    fn checked<'a>(&self, body: &'a str, wanted: &[(usize, ReadAs)]) -> Result<Cow<'a, str>> {
        if memchr(b'"', body.as_bytes()).is_none() {
            for (row, line) in body.split('\n').enumerate() {
                if self.is_long(line) {
                    self.check_row(row, line.split(char::from(self.separator)))?;
                }
            }
            return Ok(Cow::Borrowed(body));
        }
        let mut is_regular = true;
        self.each_row(body, wanted, |row, cells| {
            is_regular &= cells.iter().all(|(text, doubled)| *doubled || !text.contains('"'));
            self.check_row(row, cells.iter().map(|(text, _)| *text))
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
                let text = if *doubled { (*text).to_owned() } else { text.replace('"', "\"\"") };
                anew.extend(["\"", &text, "\""]);
            }
            anew.push('\n');
            Ok(())
        })?;
        Ok(Cow::Owned(anew))
    }

    /// Whether a row without quotation marks has more cells than there are names.
    fn is_long(&self, line: &str) -> bool {
        memchr_iter(self.separator, line.as_bytes()).count() >= self.names.len()
    }

    /// Visits the cells of every row, each with whether marks inside it are written twice.
    fn each_row<'a>(
        &self,
        body: &'a str,
        wanted: &[(usize, ReadAs)],
        mut visit: impl FnMut(usize, &[(&'a str, bool)]) -> Result<()>,
    ) -> Result<()> {
        let mut cells = Cells::new(body, self.separator, |line: &str| self.is_row(line, wanted));
        let (mut row, mut found) = (0, Vec::new());
        while !cells.is_done() {
            let cell = cells.next().map_err(|fault| self.bad_row(row, fault, MARKS))?;
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
    fn check_row<'a>(&self, row: usize, cells: impl Iterator<Item = &'a str>) -> Result<()> {
        let (mut count, mut long) = (0, false);
        for (column, cell) in cells.enumerate() {
            count = column + 1;
            if column >= self.names.len() && !cell.trim().is_empty() {
                if column < self.columns {
                    let problem = format!("has a value in column {}, which has no name", column + 1);
                    return Err(self.bad_row(row, &problem, "name every column"));
                }
                long = true;
            }
        }
        if !long {
            return Ok(());
        }
        let fix =
            "quote cells that contain the separator, name every column, or delete lines above the header";
        Err(self.bad_row(row, &format!("has {count} cells, the header names {}", self.columns), fix))
    }

    /// The wanted columns of a checked body, in the order asked. A column asked for as numbers is text where
    /// a cell is none.
    fn columns(
        &self,
        body: &Body<'_>,
        wanted: &[(usize, ReadAs)],
        format: NumberFormat,
        kept: &Kept,
    ) -> Result<Vec<Arc<Column>>> {
        let as_text = |i: usize| {
            wanted.iter().any(|(at, kind)| *at == i && matches!(kind, ReadAs::Text | ReadAs::Date))
        };
        let first_lines = match body {
            Body::Whole(body) => body,
            Body::Large(text) => &text.head[self.body..],
        };
        let plain = |i: usize| {
            format == NumberFormat::Auto && !as_text(i) && self.begins_with_numbers(first_lines, i)
        };
        let mut kinds = Wanted::new();
        for (i, kind) in wanted {
            kinds.entry(*i).or_insert_with(|| if plain(*i) { *kind } else { ReadAs::Text });
        }
        let read = kept.or_read(&kinds, |kinds| self.scan(body, kinds))?;
        let column = |(i, kind): &(usize, ReadAs)| match &*read[i] {
            Column::Text(cells) if matches!(kind, ReadAs::Number | ReadAs::Plain) => {
                let numbers: Option<Vec<f64>> =
                    cells.iter().map(|cell| number(trimmed(cell), *kind, format)).collect();
                numbers.map_or_else(|| read[i].clone(), |numbers| Arc::new(Column::Numbers(numbers)))
            }
            _ => read[i].clone(),
        };
        Ok(wanted.par_iter().map(column).collect())
    }

    /// Whether the first rows have a plain number each.
    fn begins_with_numbers(&self, body: &str, column: usize) -> bool {
        body.split('\n').take(SAMPLE).filter(|line| !line.is_empty()).all(|line| {
            let cell = line.split(char::from(self.separator)).nth(column).unwrap_or_default();
            NumberFormat::Auto.parse(cell.trim_matches('"')).is_some()
        })
    }

    /// These columns (from 0), each once: numbers where they are wanted and every cell is one or missing,
    /// else texts.
    fn scan(&self, body: &Body<'_>, kinds: &Wanted) -> Result<Found> {
        let mut found = self.pass(body, kinds)?;
        let not_numbers = |i: &usize| !found.contains_key(i);
        let again: Wanted = kinds.keys().copied().filter(not_numbers).map(|i| (i, ReadAs::Text)).collect();
        if !again.is_empty() {
            found.extend(self.pass(body, &again)?);
        }
        Ok(found.into_iter().map(|(i, column)| (i, Arc::new(column))).collect())
    }

    /// As [`Layout::scan`], without the columns of which a cell is neither a number nor missing.
    fn pass(&self, body: &Body<'_>, kinds: &Wanted) -> Result<BTreeMap<usize, Column>> {
        let empty = |kind: &ReadAs| match kind {
            ReadAs::Text | ReadAs::Date => Column::Text(Texts::default()),
            ReadAs::Number | ReadAs::Plain => Column::Numbers(Vec::new()),
        };
        let mut found: BTreeMap<usize, Column> = kinds.iter().map(|(i, kind)| (*i, empty(kind))).collect();
        let mut add = |block: &str, is_checked: bool| {
            let dtype = |column: &Column| match column {
                Column::Numbers(_) => DataType::Float64,
                Column::Text(_) | Column::Stamps(_) => DataType::String,
            };
            let mut types: Types = found.iter().map(|(i, column)| (*i, dtype(column))).collect();
            if types.is_empty() {
                return Ok(());
            }
            let mut read = self.parse(block, &types, is_checked)?;
            // What polars cannot read as a number may be a word for "missing" or a number in another format.
            types.retain(|i, kind| *kind == DataType::Float64 && read[i].null_count() > 0);
            types.values_mut().for_each(|kind| *kind = DataType::String);
            if !types.is_empty() {
                read.extend(self.parse(block, &types, is_checked)?);
            }
            let is_read = |(i, column): (&usize, &mut Column)| {
                let is_number = guarded(&self.file, FORM, || add_cells(column, &read[i], kinds[i]))?;
                Ok((!is_number).then_some(*i))
            };
            let others = found.par_iter_mut().map(is_read).collect::<Result<Vec<Option<usize>>>>()?;
            others.into_iter().flatten().for_each(|i| drop(found.remove(&i)));
            Ok(())
        };
        match body {
            Body::Whole(body) => add(body, true)?,
            Body::Large(text) => text.each_block(self.body, self.separator, |block| {
                // polars looks at the number of cells where it reads all of them.
                let is_counted = kinds.len() == self.columns && self.names.len() == self.columns;
                let is_plain = || is_counted || !block.split('\n').any(|line| self.is_long(line));
                if memchr(b'"', block.as_bytes()).is_some() || !is_plain() {
                    return Err(text.is_not_plain());
                }
                add(block, !is_counted)
            })?,
        }
        Ok(found)
    }

    /// Whether a line that begins inside a quoted cell would be a row by itself: it has every wanted cell, of
    /// which the first and deciding one is a date beside a number, or a number.
    fn is_row(&self, line: &str, wanted: &[(usize, ReadAs)]) -> bool {
        let cells: Vec<&str> = line.split(char::from(self.separator)).collect();
        let bare = |cell: &str| looks_like_number(cell.trim().trim_matches('"'));
        let Some(((key, kind), others)) = wanted.split_first() else { return false };
        wanted.iter().all(|(i, _)| *i < cells.len())
            && match kind {
                ReadAs::Date => {
                    cells[*key].bytes().any(|b| b.is_ascii_digit())
                        && others.iter().any(|(i, _)| bare(cells[*i]))
                }
                ReadAs::Number | ReadAs::Plain | ReadAs::Text => looks_like_number(cells[*key]),
            }
    }

    fn bad_row(&self, row: usize, problem: &str, fix: &str) -> DataError {
        DataError::file(&self.file, format!("row {} {problem}", row + 1), fix)
    }

    fn value(&self, row: usize, column: usize, cells: &Texts, problem: &str, fix: &str) -> DataError {
        DataError::value(&self.file, row, &self.names[column], cells.get(row), problem, fix)
    }
}

/// Adds the cells of a block that polars has read; whether that is done, because all are of the column's
/// kind.
fn add_cells(column: &mut Column, series: &Series, kind: ReadAs) -> PolarsResult<bool> {
    match column {
        Column::Numbers(values) if series.dtype() == &DataType::Float64 => {
            let before = values.len();
            polars_column::extend_numbers(values, series.clone())?;
            values[before..].iter_mut().for_each(|value| *value = plain_nan(*value));
        }
        Column::Numbers(values) => {
            for cell in series.str()?.iter() {
                let cell = trimmed(cell.unwrap_or_default());
                let Some(value) = number(cell, kind, NumberFormat::Auto) else { return Ok(false) };
                values.push(value);
            }
        }
        Column::Text(texts) => texts.extend(series.str()?.iter().map(Option::unwrap_or_default)),
        Column::Stamps(_) => {}
    }
    Ok(true)
}

/// A missing value is the same NaN however it is written.
fn plain_nan(value: f64) -> f64 {
    if value.is_nan() { f64::NAN } else { value }
}

/// The number in a cell, NaN where it is missing.
fn number(cell: &str, kind: ReadAs, format: NumberFormat) -> Option<f64> {
    if cell.is_empty() {
        return Some(f64::NAN);
    }
    let missing = || (kind == ReadAs::Number && is_missing(cell)).then_some(f64::NAN);
    format.parse(cell).map(plain_nan).or_else(missing)
}

/// Cells with a value, trimmed, with their rows.
fn present(cells: &Texts) -> impl Iterator<Item = (usize, &str)> {
    cells.iter().map(str::trim).enumerate().filter(|(_, cell)| !is_missing(cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chunks read by many threads are one file, and a bad row in the last one is counted from the top.
    #[test]
    fn pieces_are_one_file() {
        let mut text = String::from("n,t\n");
        let rows = 300_000;
        (0..rows).for_each(|i| text += &format!("{i}.5,x{i}\n"));
        let layout = Layout::of("t", &text).unwrap();
        let wanted = [(1, ReadAs::Text), (0, ReadAs::Number), (1, ReadAs::Number), (0, ReadAs::Text)];
        let read = |text: &str| {
            layout.read(&Body::Whole(text), &wanted, NumberFormat::Auto, &Kept::default(), &mut Vec::new())
        };
        let columns = read(&text).unwrap();
        let Column::Numbers(numbers) = &*columns[1] else { panic!("numbers") };
        assert!(numbers.iter().enumerate().all(|(i, v)| *v == i as f64 + 0.5) && numbers.len() == rows);
        let Column::Text(texts) = &*columns[2] else { panic!("text") };
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
