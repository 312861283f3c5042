//! The first lines of a CSV file: remarks, the separator, the names of the columns.

/// Where the names stand and what separates cells.
pub(super) struct Head<'a> {
    /// The line of names.
    pub(super) line: &'a str,
    /// Where the rows begin.
    pub(super) body: usize,
    pub(super) separator: u8,
    /// The names of the columns, an empty one for the names of rows that the line leaves out, as R's
    /// `write.table` writes them; none where a quotation mark stays open.
    pub(super) names: Option<Vec<String>>,
}

/// Rows that tell how the file is laid out.
const SAMPLE: usize = 5;

impl<'a> Head<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        // Excel reads, and some programs write, a first line that only names the separator.
        let told = text.get(..5).filter(|line| line.starts_with("sep=")).map(|line| line.as_bytes()[4]);
        let mut start = told.and_then(|_| text.find('\n')).map_or(0, |end| end + 1);
        let line_at = |at: usize| {
            let rest = &text[at..];
            rest[..rest.find('\n').unwrap_or(rest.len())].trim_end_matches('\r')
        };
        let after =
            |at: usize| (at + text[at..].find('\n').map_or(text.len() - at, |end| end + 1)).min(text.len());
        // Remarks, of which the last may be the names: it has as many cells as the row below it.
        while line_at(start).starts_with('#') && after(start) < text.len() {
            let (remark, next) = (line_at(start)[1..].trim_start(), line_at(after(start)));
            let separator = told.unwrap_or_else(|| separator_of(next));
            let cells = |line: &str| header_cells(line, separator).unwrap_or_default();
            let is_value =
                |cell: &String| cell.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
            let (names, values) = (cells(remark), cells(next));
            let fits = values.len() > 1 && names.len() == values.len() && !names.iter().any(is_value);
            if !next.starts_with('#') && fits && values.iter().any(is_value) {
                start += line_at(start).len() - remark.len();
                break;
            }
            start = after(start);
        }
        let (line, body) = (line_at(start), after(start));
        let separator = told.unwrap_or_else(|| match separator_of(line_at(body)) {
            // One name above two cells, as R writes a series with names of its rows.
            b'\t' if !line.contains([',', ';', '|']) => b'\t',
            _ => separator_of(line),
        });
        let mut names = header_cells(line, separator);
        if let Some(names) = &mut names
            && has_row_names(&text[body..], names.len(), separator)
        {
            names.insert(0, String::new());
        }
        Self { line, body, separator, names }
    }
}

/// Whether all of the first rows have one cell more than there are names, and the first of them differ.
fn has_row_names(rows: &str, named: usize, separator: u8) -> bool {
    // One number with a decimal comma is not a name and a number.
    let is_decimal = |line: &str| named == 1 && separator == b',' && !line.starts_with('"');
    if rows.lines().take(SAMPLE).any(is_decimal) {
        return false;
    }
    let lines = rows.lines().filter(|line| !line.trim().is_empty()).take(SAMPLE);
    let sample: Vec<Vec<String>> = lines.filter_map(|line| header_cells(line, separator)).collect();
    let has_name =
        |row: &Vec<String>| row.len() == named + 1 && row.last().is_some_and(|cell| !cell.is_empty());
    let differ = |i: usize| sample[..i].iter().all(|above| above[0] != sample[i][0]);
    sample.len() > 1 && sample.iter().all(has_name) && (0..sample.len()).all(differ)
}

/// A text whose cells are separated by blanks, with tabs instead; none where a comma, a semicolon, a tab or a
/// bar separates them, or where the first rows do not have the same number of cells, a number among them.
pub(super) fn by_blanks(text: &str) -> Option<String> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let names = words(lines.next()?)?.len();
    let sample: Vec<Vec<&str>> = lines.take(SAMPLE).map(words).collect::<Option<_>>()?;
    let cells = sample.first()?.len();
    let is_number = |word: &&str| word.parse::<f64>().is_ok();
    // `2008-07-11 16:00` is one cell, and no row begins with a name and a clock.
    let is_clock = |row: &Vec<&str>| row.get(1).is_some_and(|word| word.contains(':'));
    let is_row = |row: &Vec<&str>| row.len() == cells && row.iter().any(is_number);
    // One name above two words is that of a text, unless R has quoted the first as the row's own.
    let is_named = |row: &Vec<&str>| names > 1 || row[0].starts_with('"');
    let fits =
        names == cells || names + 1 == cells && sample.iter().all(is_named) && !sample.iter().any(is_clock);
    if cells < 2 || !fits || !sample.iter().all(is_row) {
        return None;
    }
    let mut anew = String::with_capacity(text.len());
    for line in text.lines() {
        match words(line) {
            Some(words) if !line.starts_with('#') => anew.push_str(&words.join("\t")),
            _ => anew.push_str(line),
        }
        anew.push('\n');
    }
    Some(anew)
}

/// The words of a line, quoted ones whole; none where another sign separates its cells.
fn words(line: &str) -> Option<Vec<&str>> {
    let (mut found, mut start, mut quoted) = (Vec::new(), None, false);
    for (at, c) in line.char_indices() {
        quoted ^= c == '"';
        match (c, start) {
            (',' | ';' | '\t' | '|', _) if !quoted => return None,
            (' ' | '\r', Some(from)) if !quoted => {
                found.push(&line[from..at]);
                start = None;
            }
            (' ' | '\r', None) if !quoted => {}
            (_, None) => start = Some(at),
            _ => {}
        }
    }
    found.extend(start.map(|from| &line[from..]));
    (!quoted).then_some(found)
}

/// yfinance writes a header of three lines: `Price,Close,…`, `Ticker,KO,…` and `Date,,…`. The names become
/// those of one line, with the ticker where there are several; the answer is how long the other two lines
/// are.
pub(super) fn ticker_lines(names: &mut [String], rest: &str, separator: u8) -> usize {
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
    let count = |candidate: &u8| {
        let mut quoted = false;
        let mut separates = |byte: &u8| {
            quoted ^= *byte == b'"';
            !quoted && byte == candidate
        };
        line.as_bytes().iter().filter(|byte| separates(byte)).count()
    };
    // Of several that come as often, the last one is taken.
    b"|\t;,".iter().copied().max_by_key(count).unwrap_or(b',')
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
        let head = Head::of("sep=;\r\na,b;c\n1;2\n");
        assert_eq!((head.names.unwrap(), head.separator), (vec!["a,b".to_owned(), "c".to_owned()], b';'));
    }

    #[test]
    fn remarks_stand_above_the_names() {
        for (text, names) in [
            ("# from NOAA\n# day, level\n2008-07-11,5\n", vec!["day", "level"]),
            ("#day,level\n2008-07-11,5\n", vec!["day", "level"]),
            ("# from NOAA, monthly\nday,level\n2008-07-11,5\n", vec!["day", "level"]),
            ("# from NOAA\nday,level\n2008-07-11,5\n", vec!["day", "level"]),
            ("#\n", vec!["#"]),
        ] {
            assert_eq!(Head::of(text).names.unwrap(), names, "{text:?}");
        }
    }

    #[test]
    fn rows_may_begin_with_a_name_of_their_own() {
        let names = |text: &str| Head::of(text).names.unwrap();
        assert_eq!(names("a,b\n\"x\",1,2\n\"y\",3,4\n"), ["", "a", "b"]);
        assert_eq!(names("a,b\n1,2,\n3,4,\n"), ["a", "b"]);
        assert_eq!(names("a,b\n1,2,5\n1,3,4\n"), ["a", "b"], "names differ");
        assert_eq!(names("a,b\n1,2,5\n"), ["a", "b"]);
        assert_eq!(names("a\n1,5\n2,5\n"), ["a"], "decimal commas");
        assert_eq!(names("\"a\"\n\"1\",5\n\"2\",5\n"), ["", "a"]);
        assert_eq!(names("\"a\"\n\"1\"\t5\n\"2\"\t5\n"), ["", "a"]);
    }

    #[test]
    fn blanks_separate_cells_where_nothing_else_does() {
        assert!(by_blanks("\"a\"\n\"1\" 5\n").is_some());
        assert_eq!(
            by_blanks("year  flow\n1871   1120\n1872 1160.5\n").unwrap(),
            "year\tflow\n1871\t1120\n1872\t1160.5\n"
        );
        assert_eq!(
            by_blanks("\"a b\" c\n\"1\" 2 3\n\"2\" 3 4\n").unwrap(),
            "\"a b\"\tc\n\"1\"\t2\t3\n\"2\"\t3\t4\n"
        );
        for text in [
            "who\nname 0\nname 1\n",
            "date value\n2008-07-11 16:00 5\n2008-07-12 16:00 6\n",
            "my value\n5\n6\n",
            "a b\nx y\n",
            "a,b c\n1,2 3\n",
            "",
        ] {
            assert_eq!(by_blanks(text), None, "{text:?}");
        }
    }
}
