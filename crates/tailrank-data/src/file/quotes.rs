//! Quotation marks in CSV: which open a cell, which are data, and which would swallow lines.
//!
//! polars takes every quotation mark as the begin or end of quoted text when it looks for line ends, so one in the
//! middle of a cell, such as `5" pipe`, would join lines. Here RFC 4180 decides: a mark opens a quoted cell only where
//! the cell begins.

use std::borrow::Cow;

/// A body that polars reads as RFC 4180 means it.
#[derive(Debug, PartialEq)]
pub(super) struct Quoted<'a> {
    /// The body; cells with quotation marks as data are quoted.
    pub(super) body: Cow<'a, [u8]>,
    /// Records that are not blank: at least so many rows must come out. 0 where no quotation mark can hide one.
    pub(super) records: usize,
}

/// A quotation mark that cannot be understood.
#[derive(Debug, PartialEq)]
pub(super) struct Fault {
    /// The row in which it opens, from 1.
    pub(super) row: usize,
    pub(super) problem: &'static str,
}

const NEVER_CLOSED: &str = "opens a quotation mark that is never closed";
const TEXT_AFTER: &str = "has text after a closing quotation mark";
const ROWS_INSIDE: &str = "opens a quotation mark that runs over lines which look like rows";

/// Goes through the body once, if it has a quotation mark at all. A line that `is_row` must not begin inside a cell.
pub(super) fn scan(body: &[u8], separator: u8, is_row: impl Fn(&[u8]) -> bool) -> Result<Quoted<'_>, Fault> {
    if !body.contains(&b'"') {
        return Ok(Quoted { body: Cow::Borrowed(body), records: 0 });
    }
    let mut rewritten = Vec::new();
    let mut copied = 0;
    let (mut at, mut row, mut records, mut blank) = (0, 1, 0, true);
    while at < body.len() {
        let fault = |problem| Fault { row, problem };
        let end = if body[at] == b'"' {
            blank = false;
            let close = closing(body, at).ok_or(fault(NEVER_CLOSED))?;
            if rows_inside(body, at, close, &is_row) {
                return Err(fault(ROWS_INSIDE));
            }
            let mut end = close + 1;
            if body[end..].starts_with(b"\r\n") || body[end..] == *b"\r" {
                end += 1;
            }
            if !body.get(end).is_none_or(|b| *b == separator || *b == b'\n') {
                return Err(fault(TEXT_AFTER));
            }
            end
        } else {
            let end = body[at..]
                .iter()
                .position(|b| *b == separator || *b == b'\n')
                .map_or(body.len(), |length| at + length);
            let cell = body[at..end].strip_suffix(b"\r").unwrap_or(&body[at..end]);
            blank &= cell.trim_ascii().is_empty();
            if cell.contains(&b'"') {
                rewritten.extend_from_slice(&body[copied..at]);
                rewritten.push(b'"');
                for byte in cell {
                    rewritten.extend_from_slice(if *byte == b'"' {
                        b"\"\""
                    } else {
                        std::slice::from_ref(byte)
                    });
                }
                rewritten.push(b'"');
                copied = at + cell.len();
            }
            end
        };
        if body.get(end).is_none_or(|b| *b == b'\n') {
            records += usize::from(!blank);
            (row, blank) = (row + 1, true);
        }
        at = end + 1;
    }
    let body = if copied == 0 {
        Cow::Borrowed(body)
    } else {
        rewritten.extend_from_slice(&body[copied..]);
        Cow::Owned(rewritten)
    };
    Ok(Quoted { body, records })
}

/// Where the quoted cell that opens at `open` closes; two marks in a row are one inside the cell.
fn closing(body: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    loop {
        at += body.get(at..)?.iter().position(|b| *b == b'"')?;
        if body.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

/// Whether a line that begins inside the cell is a row: then a mark was forgotten and another one, lines below, has
/// closed it.
fn rows_inside(body: &[u8], open: usize, close: usize, is_row: impl Fn(&[u8]) -> bool) -> bool {
    if !body[open..close].contains(&b'\n') {
        return false;
    }
    let end = body[close..].iter().position(|b| *b == b'\n').map_or(body.len(), |length| close + length);
    body[open..end].split(|b| *b == b'\n').skip(1).any(is_row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanned(body: &str) -> Result<(String, usize), (usize, &'static str)> {
        match scan(body.as_bytes(), b',', |line| line.split(|b| *b == b',').count() > 2) {
            Ok(quoted) => Ok((String::from_utf8(quoted.body.into_owned()).unwrap(), quoted.records)),
            Err(fault) => Err((fault.row, fault.problem)),
        }
    }

    #[test]
    fn a_mark_inside_a_cell_is_data() {
        assert_eq!(scanned("1,2,5\" x\n3,4,6\" y"), Ok(("1,2,\"5\"\" x\"\n3,4,\"6\"\" y\"".to_owned(), 2)));
        assert_eq!(scanned("1,2,5\"\r\n3,4,b\r\n"), Ok(("1,2,\"5\"\"\"\r\n3,4,b\r\n".to_owned(), 2)));
    }

    #[test]
    fn quoted_cells_may_hold_separators_marks_and_line_ends() {
        for body in [
            "\"1\",\"a,b\",3\n",
            "1,\"say \"\"x\"\"\",3\r\n",
            "1,\"two\nlines\",3",
            "1,2,\"3\"\r\n",
            "1,2,\"\"\r",
        ] {
            assert_eq!(scanned(body), Ok((body.to_owned(), 1)), "{body:?}");
        }
        assert_eq!(scanned("\n\"1\",2,3\n\n \n"), Ok(("\n\"1\",2,3\n\n \n".to_owned(), 1)));
    }

    #[test]
    fn a_mark_that_would_swallow_lines_is_named_with_its_row() {
        assert_eq!(scanned("1,2,3\n4,5,\"x\n7,8,9\n"), Err((2, NEVER_CLOSED)));
        assert_eq!(scanned("1,2,3\n4,5,\"x\" y\n"), Err((2, TEXT_AFTER)));
        assert_eq!(scanned("1,2,3\n4,5,\"x\n7,8,\"y\"\n"), Err((2, ROWS_INSIDE)));
        assert_eq!(scanned("1,2,3\n4,5,\"x\n7,8,9\n1,2,y\"\n"), Err((2, ROWS_INSIDE)));
        assert_eq!(scanned("1,\"x,3\n4,y\",6\n"), Err((1, ROWS_INSIDE)));
    }
}
