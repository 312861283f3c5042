//! Numbers as people write them: `1234.5`, `1,234.5`, `1.234,5`, `1 234,5`, `1'234.5`.

/// How numbers are written in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema),
    serde(rename_all = "lowercase")
)]
pub enum NumberFormat {
    /// Whichever of the two fits the whole column; refused if both do and mean different numbers.
    #[default]
    #[cfg_attr(feature = "serde", serde(skip))]
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
            Self::Point => "marks for thousands",
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
    /// ```
    pub fn parse(self, text: &str) -> Option<f64> {
        let text = trimmed(text);
        match self {
            // Words such as `nan` and `infinity` are numbers to Rust, too.
            Self::Auto => short(text).or_else(|| text.parse().ok()),
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

/// A number of at most fifteen digits without an exponent, which most cells are. Digits and power of ten are then exact,
/// so one division rounds as the whole number would (Clinger 1990), in a fraction of a general reader's time.
fn short(text: &str) -> Option<f64> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let unsigned = text.strip_prefix('-').unwrap_or(text).as_bytes();
    if unsigned.len() > 16 {
        return None;
    }
    let (mut digits, mut count, mut point) = (0u64, 0usize, None);
    for byte in unsigned {
        match byte {
            b'0'..=b'9' => {
                digits = digits * 10 + u64::from(byte - b'0');
                count += 1;
            }
            b'.' if point.is_none() => point = Some(count),
            _ => return None,
        }
    }
    if !(1..=15).contains(&count) {
        return None;
    }
    let size = digits as f64 / POWERS[count - point.unwrap_or(count)];
    Some(if text.starts_with('-') { -size } else { size })
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

/// Goes through a column once; `likely` decides where both formats fit.
pub(super) fn written<'a>(
    cells: impl Iterator<Item = (usize, &'a str)>,
    likely: Option<NumberFormat>,
) -> Written {
    let (mut point, mut comma, mut differ) = (true, true, None);
    for (row, cell) in cells {
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
        (true, true, Some(row)) => likely.map_or(Written::Either(row), Written::As),
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

/// A number with this decimal sign, whose whole part may be in groups of three.
fn marked(text: &str, decimal: char, mark: char) -> Option<f64> {
    let unsigned = text.strip_prefix(['-', '+', '−']).unwrap_or(text);
    let (size, exponent) = unsigned.find(['e', 'E']).map_or((unsigned, ""), |at| unsigned.split_at(at));
    let (whole, fraction) = size.split_once(decimal).unwrap_or((size, ""));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() && fraction.is_empty() || !digits(fraction) {
        return None;
    }
    let mut plain = String::with_capacity(text.len() + 1);
    if text.starts_with(['-', '−']) {
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
        ] {
            assert_eq!(format.parse(text), expected, "{format:?} {text}");
        }
    }

    proptest::proptest! {
        /// The short way gives what the general one gives, to the bit, or leaves it to that.
        #[test]
        fn short_numbers_are_exact(text in "-?[0-9]{0,9}\\.?[0-9]{0,9}") {
            let general = text.parse::<f64>().ok().map(f64::to_bits);
            proptest::prop_assert_eq!(NumberFormat::Auto.parse(&text).map(f64::to_bits), general, "{}", text);
        }
    }

    #[test]
    fn most_numbers_are_short() {
        for text in ["0", "-0", "5.", ".5", "-0.1", "123456789012345", "0.00000000000001", "51.25"] {
            assert_eq!(short(text).map(f64::to_bits), text.parse::<f64>().ok().map(f64::to_bits), "{text}");
        }
        for text in ["", "-", ".", "1e5", "1.2.3", "+5", "1234567890123456", " 5"] {
            assert_eq!(short(text), None, "{text}");
        }
    }

    #[test]
    fn a_column_decides_and_doubt_is_told() {
        let of = |cells: &[&'static str], likely| match written(cells.iter().copied().enumerate(), likely) {
            Written::As(format) => Ok(format),
            Written::Either(row) => Err(Some(row)),
            Written::NotNumbers => Err(None),
        };
        assert_eq!(of(&["1,234", "51,5"], None), Ok(NumberFormat::Comma));
        assert_eq!(of(&["1,234", "51.5"], None), Ok(NumberFormat::Point));
        assert_eq!(of(&["7", "1,234", "2,345"], None), Err(Some(1)));
        assert_eq!(of(&["1,234"], Some(NumberFormat::Comma)), Ok(NumberFormat::Comma));
        assert_eq!(of(&["1,5", "0.5"], None), Err(None));
        assert_eq!(of(&["1,5", "about"], None), Err(None));
    }
}
