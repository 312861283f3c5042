//! The cells of CSV, one after the other, as RFC 4180 means them: a quotation mark opens a quoted cell only
//! where the cell begins, and is data anywhere else, as in `5" pipe`.

use memchr::memchr2;

/// One cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell<'a> {
    /// Its text without the quotation marks around it.
    pub(super) text: &'a str,
    /// Whether marks inside it are written twice.
    pub(super) doubled: bool,
    /// Whether it is the last of its row.
    pub(super) ends_row: bool,
}

/// What is wrong with a quotation mark that cannot be understood.
type Fault = &'static str;
const NEVER_CLOSED: Fault = "opens a quotation mark that is never closed";
const TEXT_AFTER: Fault = "has text after a closing quotation mark";
const ROWS_INSIDE: Fault = "opens a quotation mark that runs over lines which look like rows";

/// Reads `body` cell by cell. A line that `is_row` must not begin inside a quoted cell.
pub(super) struct Cells<'a, F> {
    body: &'a str,
    at: usize,
    separator: u8,
    is_row: F,
}

impl<'a, F: Fn(&str) -> bool> Cells<'a, F> {
    pub(super) fn new(body: &'a str, separator: u8, is_row: F) -> Self {
        Self { body, at: 0, separator, is_row }
    }

    /// Whether all has been read; a line end at the very end opens no further row.
    pub(super) fn is_done(&self) -> bool {
        self.at >= self.body.len()
    }

    /// The next cell.
    pub(super) fn next(&mut self) -> Result<Cell<'a>, Fault> {
        let bytes = self.body.as_bytes();
        if bytes.get(self.at) == Some(&b'"') {
            return self.quoted();
        }
        let rest = &bytes[self.at.min(bytes.len())..];
        let length = memchr2(self.separator, b'\n', rest).unwrap_or(rest.len());
        let end = self.at + length;
        let ends_row = bytes.get(end) != Some(&self.separator);
        let mut text = &self.body[self.at..end];
        if ends_row {
            text = text.strip_suffix('\r').unwrap_or(text);
        }
        self.at = end + 1;
        Ok(Cell { text, doubled: false, ends_row })
    }

    fn quoted(&mut self) -> Result<Cell<'a>, Fault> {
        let bytes = self.body.as_bytes();
        let open = self.at;
        let (close, doubled) = closing(bytes, open).ok_or(NEVER_CLOSED)?;
        if self.rows_inside(open, close) {
            return Err(ROWS_INSIDE);
        }
        let mut end = close + 1;
        if bytes[end..].starts_with(b"\r\n") || bytes[end..] == *b"\r" {
            end += 1;
        }
        let ends_row = match bytes.get(end) {
            Some(b) if *b == self.separator => false,
            None | Some(b'\n') => true,
            Some(_) => return Err(TEXT_AFTER),
        };
        self.at = end + 1;
        Ok(Cell { text: &self.body[open + 1..close], doubled, ends_row })
    }

    /// Whether a line that begins inside the cell is a row: then a mark was forgotten and another one, lines
    /// below, has closed it.
    fn rows_inside(&self, open: usize, close: usize) -> bool {
        let body = self.body;
        if !body[open..close].contains('\n') {
            return false;
        }
        let end = body[close..].find('\n').map_or(body.len(), |length| close + length);
        body[open..end].split('\n').skip(1).any(&self.is_row)
    }
}

/// Where the quoted cell that opens at `open` closes, and whether it holds marks written twice.
fn closing(body: &[u8], open: usize) -> Option<(usize, bool)> {
    let (mut at, mut doubled) = (open + 1, false);
    loop {
        at += body.get(at..)?.iter().position(|b| *b == b'"')?;
        if body.get(at + 1) != Some(&b'"') {
            return Some((at, doubled));
        }
        doubled = true;
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(body: &str) -> Result<Vec<Vec<String>>, Fault> {
        let mut cells = Cells::new(body, b',', |line: &str| line.split(',').count() > 2);
        let mut rows = vec![Vec::new()];
        while !cells.is_done() {
            let cell = cells.next()?;
            let text = if cell.doubled { cell.text.replace("\"\"", "\"") } else { cell.text.to_owned() };
            rows.last_mut().unwrap().push(text);
            if cell.ends_row && !cells.is_done() {
                rows.push(Vec::new());
            }
        }
        Ok(rows)
    }

    fn of(row: &[&str]) -> Vec<String> {
        row.iter().map(|c| (*c).to_owned()).collect()
    }

    #[test]
    fn a_mark_inside_a_cell_is_data() {
        assert_eq!(
            rows("1,2,5\" x\n3,4,6\" y"),
            Ok(vec![of(&["1", "2", "5\" x"]), of(&["3", "4", "6\" y"])])
        );
        assert_eq!(rows("1,2,5\"\r\n3,4,b\r\n"), Ok(vec![of(&["1", "2", "5\""]), of(&["3", "4", "b"])]));
    }

    #[test]
    fn quoted_cells_may_hold_separators_marks_and_line_ends() {
        for (body, expected) in [
            ("\"1\",\"a,b\",3\n", ["1", "a,b", "3"]),
            ("1,\"say \"\"x\"\"\",3\r\n", ["1", "say \"x\"", "3"]),
            ("1,\"two\nlines\",3", ["1", "two\nlines", "3"]),
            ("1,2,\"3\"\r\n", ["1", "2", "3"]),
            ("1,2,\"\"\r", ["1", "2", ""]),
        ] {
            assert_eq!(rows(body), Ok(vec![of(&expected)]), "{body:?}");
        }
        assert_eq!(rows("1,\n\n,2"), Ok(vec![of(&["1", ""]), of(&[""]), of(&["", "2"])]));
    }

    #[test]
    fn a_mark_that_would_swallow_lines_is_a_fault() {
        assert_eq!(rows("1,2,3\n4,5,\"x\n7,8,9\n"), Err(NEVER_CLOSED));
        assert_eq!(rows("1,2,3\n4,5,\"x\" y\n"), Err(TEXT_AFTER));
        assert_eq!(rows("1,2,3\n4,5,\"x\n7,8,\"y\"\n"), Err(ROWS_INSIDE));
        assert_eq!(rows("1,2,3\n4,5,\"x\n7,8,9\n1,2,y\"\n"), Err(ROWS_INSIDE));
        assert_eq!(rows("1,\"x,3\n4,y\",6\n"), Err(ROWS_INSIDE));
    }
}
