//! Numbers as people write them: `1234.5`, `1,234.5`, `1.234,5`, `1 234,5`, `1'234.5`, `$1,234.50`, `3.5 %`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How numbers are written in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NumberFormat {
    /// Whichever of the two fits the whole column; refused if both do and mean different numbers.
    #[default]
    #[serde(skip)]
    Auto,
    /// A decimal point; thousands may be marked by commas, blanks or apostrophes.
    Point,
    /// A decimal comma; thousands may be marked by points, blanks or apostrophes.
    Comma,
}

impl std::fmt::Display for NumberFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Auto => "any",
            Self::Point => "marks for thousands or signs of units",
            Self::Comma => "a decimal comma",
        })
    }
}

impl NumberFormat {
    /// The number in `text`, if it is written this way.
    ///
    /// ```
    /// use tailrank_data::NumberFormat;
    /// assert_eq!(NumberFormat::Comma.parse("1.234,5"), Some(1234.5));
    /// assert_eq!(NumberFormat::Point.parse("1,234.5"), Some(1234.5));
    /// assert_eq!(NumberFormat::Point.parse("1,23"), None);
    /// assert_eq!(NumberFormat::Point.parse("-$1,234.50"), Some(-1234.5));
    /// ```
    pub fn parse(self, text: &str) -> Option<f64> {
        let text = trimmed(text);
        match self {
            // Words such as `nan` and `infinity` are numbers to Rust, too.
            Self::Auto => text.parse().ok(),
            Self::Point => marked(text, '.', ','),
            Self::Comma => marked(text, ',', '.'),
        }
    }
}

/// Without blanks around it, which few cells have: a letter of ASCII above the blank is none.
pub(super) fn trimmed(text: &str) -> &str {
    let bare = |byte: &u8| (b'!'..=b'~').contains(byte);
    match text.as_bytes() {
        [first, .., last] if bare(first) && bare(last) => text,
        _ => text.trim(),
    }
}

/// What a column's cells, all of them present, say about how its numbers are written.
pub(super) enum Written {
    /// All are numbers of this format.
    As(NumberFormat),
    /// The cell (from 0) that means two different numbers, and no other decides.
    Either(usize),
    /// Some cell is not a number in any format.
    NotNumbers,
}

/// Goes through a column once.
pub(super) fn written<'a>(cells: impl Iterator<Item = (usize, &'a str)>) -> Written {
    let (mut point, mut comma, mut differ, mut unit) = (true, true, None, None);
    for (row, cell) in cells {
        // Dollars beside euros, or shares beside percentages, are not numbers of one scale.
        let own = unit_of(cell).0;
        if *unit.get_or_insert(own) != own {
            return Written::NotNumbers;
        }
        let (by_point, by_comma) = (NumberFormat::Point.parse(cell), NumberFormat::Comma.parse(cell));
        point &= by_point.is_some();
        comma &= by_comma.is_some();
        if !point && !comma {
            return Written::NotNumbers;
        }
        if differ.is_none() && by_point != by_comma {
            differ = Some(row);
        }
    }
    match (point, comma, differ) {
        (true, false, _) | (true, true, None) => Written::As(NumberFormat::Point),
        (false, true, _) => Written::As(NumberFormat::Comma),
        (true, true, Some(row)) => Written::Either(row),
        (false, false, _) => Written::NotNumbers,
    }
}

/// Whether a cell looks like a number in some format.
pub(crate) fn looks_like_number(cell: &str) -> bool {
    let cell = cell.trim();
    [NumberFormat::Auto, NumberFormat::Point, NumberFormat::Comma].iter().any(|f| f.parse(cell).is_some())
}

fn is_mark(c: char, mark: char) -> bool {
    c == mark || matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\'' | '’')
}

/// The sign of a unit before or behind a number, and the number without it and without a sign of its own.
fn unit_of(text: &str) -> (Option<char>, &str) {
    const UNITS: [char; 6] = ['%', '‰', '€', '$', '£', '¥'];
    let unsigned = text.trim_start_matches(['-', '+', '−']).trim_start();
    let first = unsigned.chars().next().filter(|c| UNITS.contains(c));
    let last = unsigned.chars().next_back().filter(|c| UNITS.contains(c));
    match (first, last) {
        (Some(unit), _) => (Some(unit), unsigned[unit.len_utf8()..].trim()),
        (None, Some(unit)) => (Some(unit), unsigned[..unsigned.len() - unit.len_utf8()].trim()),
        (None, None) => (None, unsigned),
    }
}

/// A number with this decimal sign, whose whole part may be in groups of three.
fn marked(text: &str, decimal: char, mark: char) -> Option<f64> {
    let (unit, unsigned) = unit_of(text);
    // `-$5` and `$-5`; a second sign before a bare number is a mistake.
    let inner = unit.and_then(|_| unsigned.strip_prefix(['-', '−']));
    let is_negative = text.starts_with(['-', '−']) || inner.is_some();
    let unsigned = inner.unwrap_or(unsigned);
    if unit.is_none() && text.strip_prefix(['-', '+', '−']).unwrap_or(text) != unsigned {
        return None;
    }
    let (size, exponent) = unsigned.find(['e', 'E']).map_or((unsigned, ""), |at| unsigned.split_at(at));
    let (whole, fraction) = size.split_once(decimal).unwrap_or((size, ""));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() && fraction.is_empty() || !digits(fraction) {
        return None;
    }
    let mut plain = String::with_capacity(text.len() + 1);
    if is_negative {
        plain.push('-');
    }
    match whole.chars().find(|c| is_mark(*c, mark)) {
        None if digits(whole) => plain.push_str(whole),
        None => return None,
        // One sign marks all groups.
        Some(sign) => {
            for (i, group) in whole.split(sign).enumerate() {
                let fits = if i == 0 { (1..=3).contains(&group.len()) } else { group.len() == 3 };
                if !fits || !digits(group) {
                    return None;
                }
                plain.push_str(group);
            }
        }
    }
    plain.push('.');
    plain.push_str(fraction);
    plain.push_str(exponent);
    plain.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_many_countries() {
        use NumberFormat::{Comma, Point};
        for (format, text, expected) in [
            (Point, "1,234,567.5", Some(1_234_567.5)),
            (Point, "-1'234.5", Some(-1234.5)),
            (Point, "1 234.5", Some(1234.5)),
            (Point, ".5", Some(0.5)),
            (Point, "5.", Some(5.0)),
            (Point, "1.5e-3", Some(0.0015)),
            (Point, "12,34", None),
            (Point, "1,2345", None),
            (Point, "1234,567", None),
            (Point, ",5", None),
            (Point, "", None),
            (Point, ".", None),
            (Point, "1,234'567", None),
            (Point, "inf", None),
            (Comma, "51,5", Some(51.5)),
            (Comma, "-1.234,5", Some(-1234.5)),
            (Comma, "−0,5", Some(-0.5)),
            (Comma, "1\u{a0}234\u{a0}567,25", Some(1_234_567.25)),
            (Comma, "1\u{202f}234,5", Some(1234.5)),
            (Comma, "1.234.567", Some(1_234_567.0)),
            (Comma, "0.5", None),
            (Comma, "1,5,5", None),
            (Comma, "1,5e3", Some(1500.0)),
            (Point, "$1,234.50", Some(1234.5)),
            (Point, "-$5", Some(-5.0)),
            (Point, "$-5", Some(-5.0)),
            (Point, "3.5 %", Some(3.5)),
            (Comma, "−1.234,5 €", Some(-1234.5)),
            (Point, "%", None),
            (Point, "$A", None),
            (Point, "--5", None),
            (Point, "$", None),
        ] {
            assert_eq!(format.parse(text), expected, "{format:?} {text}");
        }
    }

    #[test]
    fn a_column_decides_and_doubt_is_told() {
        let of = |cells: &[&'static str]| match written(cells.iter().copied().enumerate()) {
            Written::As(format) => Ok(format),
            Written::Either(row) => Err(Some(row)),
            Written::NotNumbers => Err(None),
        };
        assert_eq!(of(&["1,234", "51,5"]), Ok(NumberFormat::Comma));
        assert_eq!(of(&["1,234", "51.5"]), Ok(NumberFormat::Point));
        assert_eq!(of(&["7", "1,234", "2,345"]), Err(Some(1)));
        assert_eq!(of(&["1,5", "0.5"]), Err(None));
        assert_eq!(of(&["1,5", "about"]), Err(None));
        assert_eq!(of(&["$1.5", "$0"]), Ok(NumberFormat::Point));
        assert_eq!(of(&["$1.5", "€2"]), Err(None));
        assert_eq!(of(&["5 %", "0.05"]), Err(None));
    }
}
