//! Dates as people write them.

use jiff::{civil::Date, fmt::strtime, tz::TimeZone};

use crate::{DataError, Result, names::shortened};

/// How dates are written in a file. A time of day after the date is ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DateFormat {
    /// Whichever of the forms below fits every row; refused if both day-first and month-first fit.
    #[default]
    Auto,
    /// `2008-07-11`, `2008/07/11` or `2008.07.11`.
    YearFirst,
    /// `20080711`.
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

impl DateFormat {
    /// The forms that `Auto` tries.
    pub const FORMS: [DateFormat; 6] = [
        DateFormat::YearFirst,
        DateFormat::Compact,
        DateFormat::DayFirst,
        DateFormat::MonthFirst,
        DateFormat::DayMonthName,
        DateFormat::MonthNameDay,
    ];

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
            Self::Auto => Self::FORMS.iter().find_map(|f| f.parse(text)),
            Self::Pattern(pattern) => Date::strptime(pattern, text).ok(),
            form => form.day(without_time(text)?),
        }
    }

    /// The date in `day`, which has no time of day.
    fn day(&self, day: &str) -> Option<Date> {
        let (y, m, d) = match self {
            Self::Compact if day.len() == 8 && day.is_ascii() => {
                (&day[..4], number(&day[4..6])?, number(&day[6..])?)
            }
            Self::YearFirst => {
                let [y, m, d] = split_digits(day)?;
                (y, number(m)?, number(d)?)
            }
            Self::DayFirst => {
                let [d, m, y] = split_digits(day)?;
                (y, number(m)?, number(d)?)
            }
            Self::MonthFirst => {
                let [m, d, y] = split_digits(day)?;
                (y, number(m)?, number(d)?)
            }
            Self::DayMonthName => {
                let [d, m, y] = split_words(day)?;
                (y, month_of(m)?, number(d)?)
            }
            Self::MonthNameDay => {
                let [m, d, y] = split_words(day)?;
                (y, month_of(m)?, number(d)?)
            }
            Self::Auto | Self::Compact | Self::Pattern(_) => return None,
        };
        let year = if y.len() == 4 { number(y)? } else { return None };
        Date::new(year, i8::try_from(m).ok()?, i8::try_from(d).ok()?).ok()
    }

    /// A pattern must be able to write a day and read it back.
    pub(crate) fn check(&self) -> Result<()> {
        let Self::Pattern(pattern) = self else { return Ok(()) };
        let day = Date::constant(2008, 7, 11);
        let written = day.to_zoned(TimeZone::UTC).and_then(|zoned| strtime::format(pattern, &zoned));
        if written.is_ok_and(|text| Date::strptime(pattern, text).is_ok_and(|read| read == day)) {
            return Ok(());
        }
        Err(DataError::Setting {
            name: "date_format",
            value: format!("{:?}", shortened(pattern)),
            expected:
                "give \"day-first\", \"month-first\" or a pattern for the whole date such as \"%d.%m.%Y\""
                    .into(),
        })
    }
}

/// `day-first` and `month-first` by name, anything else as a pattern.
///
/// ```
/// use tailrank_data::DateFormat;
/// assert_eq!(DateFormat::from("day-first"), DateFormat::DayFirst);
/// assert_eq!(DateFormat::from("%d.%m.%Y"), DateFormat::Pattern("%d.%m.%Y".into()));
/// ```
impl From<&str> for DateFormat {
    fn from(text: &str) -> Self {
        match text {
            "day-first" => Self::DayFirst,
            "month-first" => Self::MonthFirst,
            pattern => Self::Pattern(pattern.to_owned()),
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
        DateFormat::Auto => &DateFormat::FORMS[..],
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

/// `text` without the time of day, if it has one; `None` if something else follows the date.
fn without_time(text: &str) -> Option<&str> {
    let at = match text.find(':') {
        // Month names come with blanks too: the time begins after the last sign before its colon.
        Some(colon) => text[..colon].rfind(['T', ' '])?,
        // `20080711 160000`, `2008-07-11T16`.
        None => match text.rfind(['T', ' ']) {
            Some(at) if text[..at].bytes().all(|b| b.is_ascii_digit() || b"-/.".contains(&b)) => at,
            _ => return Some(text),
        },
    };
    let (day, time) = (text[..at].trim_end(), &text[at + 1..]);
    is_time(time).then(|| day.strip_suffix(',').unwrap_or(day))
}

/// `16:00`, `160000`, `16:00:00.5 PM`, `16:00:00-05:00`, `16:00 America/New_York`.
fn is_time(text: &str) -> bool {
    let clock = text.find(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.')).unwrap_or(text.len());
    let digits = text[..clock].bytes().filter(u8::is_ascii_digit).count();
    let zone = text[clock..].trim();
    let known = |b: u8| b.is_ascii_alphanumeric() || b"+-:/_ []".contains(&b);
    text.starts_with(|c: char| c.is_ascii_digit()) && (1..=15).contains(&digits) && zone.bytes().all(known)
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
            "20080711 160000",
            "11-Jul-2008 16:00",
            "11 JUL 2008 16:00:00.5",
            "Jul 11, 2008, 4:00 PM",
            "July 11 2008T16:00 America/New_York",
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
            "2001-01-01 about",
            "2001-01-01 about 5:00",
            "2001-01-01Tomorrow",
            "Jul 11, 2008 later",
        ] {
            assert_eq!(DateFormat::Auto.parse(text), None, "{text}");
        }
    }

    #[test]
    fn times_follow_the_other_forms_too() {
        let day = Some(Date::constant(2008, 7, 11));
        assert_eq!(DateFormat::DayFirst.parse("11/07/2008 16:00"), day);
        assert_eq!(DateFormat::MonthFirst.parse("7/11/2008 4:00:00 PM"), day);
    }

    #[test]
    fn a_pattern_that_cannot_read_a_day_is_blamed() {
        for good in ["%d.%m.%Y", "%d-%b-%y", "%Y-%m-%d %H:%M", "%A, %B %d %Y"] {
            assert_eq!(DateFormat::from(good).check(), Ok(()), "{good}");
        }
        for bad in ["%Y-%m", "%Q", "dayfirst", "", "%"] {
            let message = DateFormat::from(bad).check().unwrap_err().to_string();
            assert!(message.starts_with(&format!("date_format = {bad:?} is not allowed")), "{message}");
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
