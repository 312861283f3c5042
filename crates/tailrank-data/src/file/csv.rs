//! CSV: the header is read here, the body by polars.

use std::{borrow::Cow, io::Cursor, sync::Arc};

use polars::prelude::*;

use super::{As, Column, guarded, quotes};
use crate::{DataError, Result};

/// Where the body starts and how its cells are separated.
pub(super) struct Layout {
    body: usize,
    separator: u8,
    /// Cells of the header line, those without a name included.
    columns: usize,
}

impl Layout {
    /// Column names and layout from the first line.
    pub(super) fn of(file: &str, bytes: &[u8]) -> Result<(Vec<String>, Self)> {
        let start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let rest = &bytes[start..];
        let end = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        let line = std::str::from_utf8(&rest[..end])
            .map_err(|_| {
                bad(
                    file,
                    "the header line is not UTF-8 text",
                    "save the file as UTF-8 CSV, or give a Parquet file",
                )
            })?
            .trim_end_matches('\r');
        let no_header = || bad(file, "has no header line", "the first line must name the columns");
        if line.trim().is_empty() {
            return Err(no_header());
        }
        let separator = separator_of(line);
        let mut names = cells(line, separator).ok_or_else(|| {
            bad(file, "the header line has an open quotation mark", "close the quotation mark")
        })?;
        let columns = names.len();
        // Spreadsheets leave separators behind for columns that were once filled.
        while names.len() > 1 && names.last().is_some_and(String::is_empty) {
            names.pop();
        }
        if names == [""] && columns > 1 {
            return Err(no_header());
        }
        Ok((names, Self { body: (start + end + 1).min(bytes.len()), separator, columns }))
    }

    /// Numbers are parsed by polars at full speed; if a cell is no number, all is read again as text so that
    /// the caller can name the row.
    pub(super) fn read(
        &self,
        file: &str,
        bytes: &[u8],
        names: &[String],
        wanted: &[(usize, As)],
    ) -> Result<Vec<Column>> {
        let body = &bytes[self.body..];
        if body.iter().all(u8::is_ascii_whitespace) {
            return Ok(wanted.iter().map(|_| Column::Numbers(Vec::new())).collect());
        }
        // Bytes that are no text may stand in columns that nobody reads.
        let text = String::from_utf8_lossy(body);
        let lossy = matches!(text, Cow::Owned(_));
        let quoted = quotes::scan(text.as_bytes(), self.separator, |line| self.is_row(line, wanted))
            .map_err(|fault| {
                let fix = "close it, and write a quotation mark inside a quoted cell twice";
                bad(file, format!("row {} {}", fault.row, fault.problem), fix)
            })?;
        // Columns without a name are looked at only to be sure that they are empty.
        let nameless = (names.len()..self.columns).map(|i| (i, As::Text));
        let all: Vec<(usize, As)> = wanted.iter().copied().chain(nameless).collect();
        let frame = match self.frame(file, &quoted.body, &all, true) {
            Ok(frame) => frame,
            Err(_) => {
                if let Some((row, found)) = self.ragged(&quoted.body) {
                    let problem = format!("row {row} has {found} cells, the header names {}", self.columns);
                    return Err(bad(
                        file,
                        problem,
                        "quote cells that contain the separator, or name every column",
                    ));
                }
                self.frame(file, &quoted.body, &all, false)?
            }
        };
        if frame.height() < quoted.records {
            let problem = format!("{} rows were read of {}", frame.height(), quoted.records);
            return Err(bad(file, problem, "remove quotation marks and line ends from its cells"));
        }
        let mut columns = columns_of(file, &frame, &all)?;
        for (column, (i, _)) in columns.iter().zip(&all).filter(|_| lossy) {
            if let Some(row) = column.find(|cell| cell.contains('\u{fffd}')) {
                return Err(DataError::Value {
                    file: file.to_owned(),
                    row: row + 1,
                    column: names.get(*i).cloned().unwrap_or_default(),
                    value: column.text(row),
                    problem: "is not UTF-8 text".into(),
                    fix: "save the file as UTF-8".into(),
                });
            }
        }
        for (column, (i, _)) in columns.drain(wanted.len()..).zip(&all[wanted.len()..]) {
            if let Some(row) = column.find(|cell| !cell.trim().is_empty()) {
                let problem = format!("row {} has a value in column {}, which has no name", row + 1, i + 1);
                return Err(bad(file, problem, "name every column"));
            }
        }
        Ok(columns)
    }

    fn frame(&self, file: &str, body: &[u8], wanted: &[(usize, As)], typed: bool) -> Result<DataFrame> {
        // Positions serve as names: the file's own may be anything.
        let mut schema: Schema =
            (0..self.columns).map(|i| Field::new(position_name(i), DataType::String)).collect();
        for (i, kind) in wanted {
            if typed && *kind == As::Number {
                schema.set_dtype_at_index(*i, DataType::Float64);
            }
        }
        let mut projection: Vec<usize> = wanted.iter().map(|(i, _)| *i).collect();
        projection.sort_unstable();
        projection.dedup();
        let options = CsvReadOptions::default()
            .with_has_header(false)
            .with_schema(Some(Arc::new(schema)))
            .with_projection(Some(Arc::new(projection)))
            .with_parse_options(CsvParseOptions::default().with_separator(self.separator));
        guarded(file, "CSV", || options.into_reader_with_file_handle(Cursor::new(body)).finish())
    }

    /// Whether a line that begins inside a quoted cell would be a row by itself: it has every wanted cell, of which the
    /// first and deciding one is a date beside a number, or a number.
    fn is_row(&self, line: &[u8], wanted: &[(usize, As)]) -> bool {
        let cells: Vec<&[u8]> = line.split(|b| *b == self.separator).collect();
        let is_number = |cell: &str| cell.trim().parse::<f64>().is_ok();
        let number = |cell: &[u8]| std::str::from_utf8(cell).is_ok_and(is_number);
        let bare =
            |cell: &[u8]| std::str::from_utf8(cell).is_ok_and(|c| is_number(c.trim().trim_matches('"')));
        let Some(((key, kind), others)) = wanted.split_first() else { return false };
        wanted.iter().all(|(i, _)| *i < cells.len())
            && match kind {
                As::Date => {
                    cells[*key].iter().any(u8::is_ascii_digit) && others.iter().any(|(i, _)| bare(cells[*i]))
                }
                As::Number | As::Text => number(cells[*key]),
            }
    }

    /// The first row with more cells than the header, from 1, and its number of cells. Blank lines count as rows.
    fn ragged(&self, body: &[u8]) -> Option<(usize, usize)> {
        let (mut row, mut found, mut quoted) = (1, 1, false);
        for byte in body {
            match byte {
                b'"' => quoted = !quoted,
                b'\n' if !quoted => {
                    if found > self.columns {
                        return Some((row, found));
                    }
                    (row, found) = (row + 1, 1);
                }
                b if *b == self.separator && !quoted => found += 1,
                _ => {}
            }
        }
        (found > self.columns).then_some((row, found))
    }
}

fn bad(file: &str, problem: impl Into<String>, fix: &str) -> DataError {
    DataError::File { file: file.to_owned(), problem: problem.into(), fix: fix.to_owned() }
}

fn position_name(i: usize) -> PlSmallStr {
    PlSmallStr::from_string(format!("{i}"))
}

fn columns_of(file: &str, frame: &DataFrame, wanted: &[(usize, As)]) -> Result<Vec<Column>> {
    wanted
        .iter()
        .map(|(i, _)| {
            guarded(file, "CSV", || {
                let column = frame.column(position_name(*i).as_str())?;
                if let Ok(numbers) = column.f64() {
                    Ok(Column::Numbers(numbers.iter().map(|v| v.unwrap_or(f64::NAN)).collect()))
                } else {
                    Ok(Column::Text(column.str()?.clone()))
                }
            })
        })
        .collect()
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
fn cells(line: &str, separator: u8) -> Option<Vec<String>> {
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
        assert_eq!(cells("a,\"b,c\",\"d\"\"e\"", b',').unwrap(), ["a", "b,c", "d\"e"]);
        assert_eq!(separator_of("Date;Close"), b';');
        assert_eq!(separator_of("\"a,b,c\"\td"), b'\t');
        assert!(cells("a,\"b", b',').is_none());
    }
}
