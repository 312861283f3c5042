//! Dates as people write them.

use jiff::civil::Date;

/// How dates are written in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DateFormat {
    /// Whichever of the forms below fits every row; refused if both day-first and month-first fit.
    #[default]
    Auto,
    /// `2008-07-11`, `2008/07/11` or `2008.07.11`; a time after it is ignored.
    YearFirst,
    /// `20080711`; a time after it is ignored.
    Compact,
    /// `11/07/2008`, `11.07.2008` or `11-07-2008`.
    DayFirst,
    /// `07/11/2008`, `07.11.2008` or `07-11-2008`.
    MonthFirst,
    /// `11-Jul-2008`, `11 July 2008`.
    DayMonthName,
    /// `Jul 11, 2008`, `July 11 2008`.
    MonthNameDay,
    /// Any other, in the signs of strptime, such as `%d-%b-%y`.
    Pattern(String),
}

/// The forms that `Auto` tries.
static FORMS: [DateFormat; 6] = [
    DateFormat::YearFirst,
    DateFormat::Compact,
    DateFormat::DayFirst,
    DateFormat::MonthFirst,
    DateFormat::DayMonthName,
    DateFormat::MonthNameDay,
];

impl DateFormat {
    /// The date in `text`, if it is written this way.
    ///
    /// ```
    /// use tailrank_data::{Date, DateFormat};
    /// let day = Date::constant(2008, 7, 11);
    /// assert_eq!(DateFormat::DayFirst.parse("11.07.2008"), Some(day));
    /// assert_eq!(DateFormat::Pattern("%d-%b-%y".into()).parse("11-Jul-08"), Some(day));
    /// assert_eq!(DateFormat::YearFirst.parse("2008-02-30"), None);
    /// ```
    pub fn parse(&self, text: &str) -> Option<Date> {
        let text = text.trim();
        match self {
            Self::Auto => FORMS.iter().find_map(|f| f.parse(text)),
            Self::YearFirst => {
                let [y, m, d] = split_digits(date_part(text))?;
                if y.len() == 4 { date(y, m, d) } else { None }
            }
            Self::Compact => {
                let day = date_part(text);
                if day.len() == 8 && day.is_ascii() { date(&day[..4], &day[4..6], &day[6..]) } else { None }
            }
            Self::DayFirst => {
                let [d, m, y] = split_digits(text)?;
                if y.len() == 4 { date(y, m, d) } else { None }
            }
            Self::MonthFirst => {
                let [m, d, y] = split_digits(text)?;
                if y.len() == 4 { date(y, m, d) } else { None }
            }
            Self::DayMonthName => {
                let [d, m, y] = split_words(text)?;
                if y.len() == 4 { from_numbers(number(y)?, month_of(m)?, number(d)?) } else { None }
            }
            Self::MonthNameDay => {
                let [m, d, y] = split_words(text)?;
                if y.len() == 4 { from_numbers(number(y)?, month_of(m)?, number(d)?) } else { None }
            }
            Self::Pattern(pattern) => Date::strptime(pattern, text).ok(),
        }
    }
}

/// What became of a column of dates.
pub(crate) enum Dates {
    /// Every row, `None` where the cell is empty.
    Read(Vec<Option<Date>>),
    /// The row (from 0) that fits no form, or not the form of the others.
    Unreadable(usize),
    /// The row (from 0) that means two different days, and everything else does too.
    Ambiguous(usize),
}

/// Reads a column of dates, choosing the form if need be; `cells` goes through the column once per form.
pub(crate) fn read_dates<'a, I: Iterator<Item = &'a str>>(
    format: &DateFormat,
    cells: impl Fn() -> I,
) -> Dates {
    let forms = match format {
        DateFormat::Auto => &FORMS[..],
        one => std::slice::from_ref(one),
    };
    let Some((first_row, first)) = cells().enumerate().find(|(_, c)| !c.trim().is_empty()) else {
        return Dates::Read(cells().map(|_| None).collect());
    };
    let mut read: Option<Vec<Option<Date>>> = None;
    let mut furthest = first_row;
    for form in forms.iter().filter(|f| f.parse(first).is_some()) {
        let mut dates = Vec::with_capacity(cells().size_hint().0);
        let mut bad = None;
        for (row, cell) in cells().enumerate() {
            match form.parse(cell) {
                None if !cell.trim().is_empty() => {
                    bad = Some(row);
                    break;
                }
                date => dates.push(date),
            }
        }
        match (bad, &read) {
            (Some(row), _) => furthest = furthest.max(row),
            (None, None) => read = Some(dates),
            (None, Some(other)) => {
                if let Some(row) = (0..dates.len()).find(|i| dates[*i] != other[*i]) {
                    return Dates::Ambiguous(row);
                }
            }
        }
    }
    read.map_or(Dates::Unreadable(furthest), Dates::Read)
}

/// `text` up to the time of day, if it has one.
fn date_part(text: &str) -> &str {
    text.find(['T', ' ']).map_or(text, |i| &text[..i])
}

/// Three runs of digits between two equal separators.
fn split_digits(text: &str) -> Option<[&str; 3]> {
    let at = text.find(['-', '/', '.'])?;
    let separator = char::from(*text.as_bytes().get(at)?);
    let (first, rest) = (&text[..at], &text[at + 1..]);
    let (second, third) = rest.split_once(separator)?;
    [first, second, third].iter().all(|p| !p.is_empty() && p.len() <= 4).then_some([first, second, third])
}

fn split_words(text: &str) -> Option<[&str; 3]> {
    let mut parts = text.split([' ', '-', ',', '/']).filter(|p| !p.is_empty());
    let three = [parts.next()?, parts.next()?, parts.next()?];
    parts.next().is_none().then_some(three)
}

fn number(digits: &str) -> Option<i16> {
    if digits.is_empty() || digits.len() > 4 {
        return None;
    }
    digits.bytes().try_fold(0i16, |n, b| b.is_ascii_digit().then(|| n * 10 + i16::from(b - b'0')))
}

fn date(y: &str, m: &str, d: &str) -> Option<Date> {
    from_numbers(number(y)?, number(m)?, number(d)?)
}

fn from_numbers(y: i16, m: i16, d: i16) -> Option<Date> {
    Date::new(y, i8::try_from(m).ok()?, i8::try_from(d).ok()?).ok()
}

fn month_of(name: &str) -> Option<i16> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let found = (1..).zip(MONTHS).find(|(_, m)| *m == name || (name.len() >= 3 && m[..3] == *name));
    found.map(|(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_one_day() {
        let day = Date::constant(2008, 7, 11);
        for text in [
            "2008-07-11",
            "2008/7/11",
            "2008-07-11 00:00:00-05:00",
            "2008-07-11T16:00",
            "20080711",
            "11-Jul-2008",
            "11 July 2008",
            "Jul 11, 2008",
            " 2008-07-11 ",
        ] {
            assert_eq!(DateFormat::Auto.parse(text), Some(day), "{text}");
        }
        for text in [
            "2008-13-01",
            "2008-02-30",
            "20081301",
            "",
            "July",
            "1/2/3/4",
            "11-Jux-2008",
            "٢٠٠٨-٠٧-١١",
            "+008-07-11",
        ] {
            assert_eq!(DateFormat::Auto.parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_column_decides_between_day_first_and_month_first() {
        let read = |cells: &[&'static str]| read_dates(&DateFormat::Auto, || cells.iter().copied());
        let Dates::Read(dates) = read(&["01/02/2008", "13/02/2008"]) else { panic!("day first fits") };
        assert_eq!(dates[0], Some(Date::constant(2008, 2, 1)));
        let Dates::Read(dates) = read(&["01/02/2008", "02/13/2008"]) else { panic!("month first fits") };
        assert_eq!(dates[0], Some(Date::constant(2008, 1, 2)));
        assert!(matches!(read(&["01/01/2008", "01/02/2008"]), Dates::Ambiguous(1)));
        assert!(matches!(read(&["13/01/2008", "01/13/2008"]), Dates::Unreadable(1)));
    }
}
