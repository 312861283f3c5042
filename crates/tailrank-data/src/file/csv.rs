//! CSV: a header line, then rows, read in pieces by all cores.

use rayon::prelude::*;

use super::{
    As, Column, NumberFormat, Texts,
    cells::{Cell, Cells, Fault},
    column::is_missing,
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

/// What is wrong with a row, counted from 0 within the piece it was found in.
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

const MARKS: &str = "close it, and write a quotation mark inside a quoted cell twice";

/// Large enough to be worth a thread, small enough to share the work.
const PIECE: usize = 1 << 20;

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
        let is_row = |line: &str| self.is_row(line, wanted);
        let pass = |columns: &[(usize, As)]| self.pass(body, names.len(), columns, format, is_row);
        let mut columns = pass(wanted).map_err(|bad| self.error(file, &bad))?;
        // Numbers are parsed where they are met; a column in which that failed is read once more, as text.
        let failed: Vec<usize> = (0..columns.len()).filter(|c| columns[*c].is_none()).collect();
        if !failed.is_empty() {
            let again: Vec<(usize, As)> = failed.iter().map(|c| (wanted[*c].0, As::Text)).collect();
            let texts = pass(&again).map_err(|bad| self.error(file, &bad))?;
            failed.iter().zip(texts).for_each(|(c, text)| columns[*c] = text);
        }
        let mut columns: Vec<Column> = columns.into_iter().flatten().collect();
        for (column, (i, _)) in columns.iter().zip(wanted) {
            if let Column::Text(cells) = column
                && let Some(row) = cells.iter().position(|cell| cell.contains('\u{fffd}'))
            {
                let fix = "save the file as UTF-8";
                return Err(value(file, row, &names[*i], cells.get(row), "is not UTF-8 text", fix));
            }
        }
        if format == NumberFormat::Auto {
            self.other_formats(file, body, names, wanted, &mut columns, notes)?;
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
            let is_row = |line: &str| self.is_row(line, wanted);
            let texts = self.pass(body, names.len(), &again, NumberFormat::Auto, is_row);
            for (place, text) in plain.into_iter().zip(texts.map_err(|bad| self.error(file, &bad))?) {
                let Some(Column::Text(cells)) = text else { continue };
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

    /// Reads columns in pieces. None stands for a column that was asked for as numbers and holds something else.
    fn pass(
        &self,
        body: &str,
        named: usize,
        wanted: &[(usize, As)],
        format: NumberFormat,
        is_row: impl Fn(&str) -> bool + Sync,
    ) -> std::result::Result<Vec<Option<Column>>, Bad> {
        let places = Places::new(self.columns, wanted);
        let pieces = pieces_of(body);
        let read: Vec<_> = pieces
            .into_par_iter()
            .map(|piece| self.piece(piece, named, wanted, &places, format, &is_row))
            .collect();
        let mut rows = 0;
        let mut all: Vec<Builder> = wanted.iter().map(|(_, kind)| Builder::new(*kind)).collect();
        for piece in read {
            let (found, columns) = piece.map_err(|bad| Bad { row: bad.row + rows, ..bad })?;
            rows += found;
            if all.iter().all(Builder::is_empty) {
                all = columns;
            } else {
                all.iter_mut().zip(columns).for_each(|(builder, more)| builder.append(more));
            }
        }
        Ok(all.into_iter().map(Builder::finish).collect())
    }

    fn piece(
        &self,
        body: &str,
        named: usize,
        wanted: &[(usize, As)],
        places: &Places,
        format: NumberFormat,
        is_row: impl Fn(&str) -> bool,
    ) -> std::result::Result<(usize, Vec<Builder>), Bad> {
        let mut builders: Vec<Builder> = wanted.iter().map(|(_, kind)| Builder::new(*kind)).collect();
        let mut cells = Cells::new(body, self.separator, is_row);
        let mut row = 0;
        while !cells.is_done() {
            let (mut column, mut long) = (0, false);
            loop {
                let cell = cells.next().map_err(|fault| Bad { row, problem: Problem::Quotes(fault) })?;
                if column < named {
                    places.each(column, |place| builders[place].push(cell, wanted[place].1, format));
                } else if !cell.text.trim().is_empty() {
                    if column < self.columns {
                        return Err(Bad { row, problem: Problem::Nameless(column) });
                    }
                    long = true;
                }
                column += 1;
                if cell.ends_row {
                    break;
                }
            }
            if long {
                return Err(Bad { row, problem: Problem::Long(column) });
            }
            for missing in column..named {
                places.each(missing, |place| builders[place].push(EMPTY, wanted[place].1, format));
            }
            row += 1;
        }
        Ok((row, builders))
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

const EMPTY: Cell<'static> = Cell { text: "", doubled: false, ends_row: false };

/// Where each column of the file goes among those wanted; one may be wanted more than once.
struct Places {
    first: Vec<usize>,
    next: Vec<usize>,
}

const NOWHERE: usize = usize::MAX;

impl Places {
    fn new(columns: usize, wanted: &[(usize, As)]) -> Self {
        let (mut first, mut next) = (vec![NOWHERE; columns], vec![NOWHERE; wanted.len()]);
        for (place, (column, _)) in wanted.iter().enumerate() {
            next[place] = std::mem::replace(&mut first[*column], place);
        }
        Self { first, next }
    }

    fn each(&self, column: usize, mut visit: impl FnMut(usize)) {
        let mut place = self.first[column];
        while place != NOWHERE {
            visit(place);
            place = self.next[place];
        }
    }
}

/// A column that grows.
enum Builder {
    Numbers(Vec<f64>),
    Text(Texts),
    /// Asked for as numbers, and a cell is not one.
    Failed,
}

impl Builder {
    fn new(kind: As) -> Self {
        match kind {
            As::Number | As::Plain => Self::Numbers(Vec::new()),
            As::Text | As::Date => Self::Text(Texts::default()),
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Numbers(values) => values.is_empty(),
            Self::Text(texts) => texts.len() == 0,
            Self::Failed => false,
        }
    }

    fn push(&mut self, cell: Cell<'_>, kind: As, format: NumberFormat) {
        match self {
            Self::Failed => {}
            Self::Text(texts) if cell.doubled => texts.push(&cell.text.replace("\"\"", "\"")),
            Self::Text(texts) => texts.push(cell.text),
            Self::Numbers(values) => match number(trimmed(cell.text), kind, format) {
                Some(value) => values.push(value),
                None => *self = Self::Failed,
            },
        }
    }

    fn append(&mut self, more: Self) {
        match (&mut *self, more) {
            (Self::Numbers(values), Self::Numbers(more)) => values.extend(more),
            (Self::Text(texts), Self::Text(more)) => texts.append(&more),
            _ => *self = Self::Failed,
        }
    }

    fn finish(self) -> Option<Column> {
        match self {
            Self::Numbers(values) => Some(Column::Numbers(values)),
            Self::Text(texts) => Some(Column::Text(texts)),
            Self::Failed => None,
        }
    }
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

/// Pieces that end where a line does. A quoted cell may hold line ends, so a body with quotation marks is one piece.
fn pieces_of(body: &str) -> Vec<&str> {
    if body.len() < 2 * PIECE || body.contains('"') {
        return vec![body];
    }
    let (mut pieces, mut rest) = (Vec::new(), body);
    while rest.len() > PIECE {
        let from = PIECE.min(rest.len());
        let Some(end) = rest.as_bytes()[from..].iter().position(|b| *b == b'\n') else { break };
        let (piece, after) = rest.split_at(from + end + 1);
        pieces.push(piece);
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(rest);
    }
    pieces
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

    /// Many pieces give what one gives, and a bad row in the last one is counted from the top.
    #[test]
    fn pieces_are_one_file() {
        let mut text = String::from("n,t\n");
        let rows = 300_000;
        (0..rows).for_each(|i| text += &format!("{i}.5,x{i}\n"));
        let (names, layout) = Layout::of("t", &text).unwrap();
        assert!(pieces_of(&text[layout.body..]).len() > 2);
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
