//! Dates and times as people write them.

use std::fmt;

use jiff::{
    Timestamp, Unit,
    civil::{Date, DateTime, ISOWeekDate, Time, Weekday},
    fmt::strtime,
    tz::TimeZone,
};

use crate::{DataError, Result, names::shortened};

/// When a row was seen: a day, and where the file tells, a time of day and its distance from UTC in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stamp {
    pub(crate) date: Date,
    pub(crate) time: Option<Time>,
    pub(crate) offset: Option<i32>,
}

impl From<Date> for Stamp {
    fn from(date: Date) -> Self {
        Self { date, time: None, offset: None }
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.time.filter(|time| *time != Time::midnight()) {
            None => self.date.fmt(f),
            Some(time) => write!(f, "{} {time}", self.date),
        }
    }
}

impl Stamp {
    /// The day and time as written.
    pub(crate) fn shown(&self) -> DateTime {
        self.date.to_datetime(self.time.unwrap_or(Time::midnight()))
    }

    /// The day and time in UTC, where the stamp tells how far from it it is.
    pub(crate) fn instant(&self) -> DateTime {
        let seconds = i64::from(self.offset.unwrap_or(0));
        self.shown().saturating_sub(jiff::SignedDuration::from_secs(seconds))
    }
}

/// How dates are written in a file. A time of day may follow the day.
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
    /// A month, taken as its first day: `2008-07`, `2008M07`, `07/2008`, `Jul 2008`.
    Month,
    /// A quarter, taken as its first day: `2008Q3`, `2008-Q3`, `Q3 2008`.
    Quarter,
    /// An ISO week, taken as its Monday: `2008-W28`.
    Week,
    /// A year, taken as its first day: `2008` or `2008.0`. Not tried on columns that are not known to hold dates.
    Year,
    /// `200807`. Not tried on columns that are not known to hold dates.
    CompactMonth,
    /// Seconds or milliseconds since 1970. Not tried on columns that are not known to hold dates.
    Epoch,
    /// Any other, in the signs of strptime, such as `%d-%b-%y`.
    Pattern(String),
}

impl DateFormat {
    /// The forms that `Auto` tries on any column.
    pub const FORMS: [DateFormat; 9] = [
        DateFormat::YearFirst,
        DateFormat::Compact,
        DateFormat::DayFirst,
        DateFormat::MonthFirst,
        DateFormat::DayMonthName,
        DateFormat::MonthNameDay,
        DateFormat::Month,
        DateFormat::Quarter,
        DateFormat::Week,
    ];

    /// Forms that may be any number: tried last, and only where a column is named as the date.
    const NUMBERS: [DateFormat; 3] = [DateFormat::Year, DateFormat::CompactMonth, DateFormat::Epoch];

    /// The date in `text`, if it is written this way.
    ///
    /// ```
    /// use tailrank_data::{Date, DateFormat};
    /// let day = Date::constant(2008, 7, 11);
    /// assert_eq!(DateFormat::DayFirst.parse("11.07.2008"), Some(day));
    /// assert_eq!(DateFormat::Pattern("%d-%b-%y".into()).parse("11-Jul-08"), Some(day));
    /// assert_eq!(DateFormat::YearFirst.parse("2008-02-30"), None);
    /// assert_eq!(DateFormat::Month.parse("2008-07"), Some(Date::constant(2008, 7, 1)));
    /// ```
    pub fn parse(&self, text: &str) -> Option<Date> {
        self.stamp(text).map(|stamp| stamp.date)
    }

    /// The date in `text` with its time of day, if it is written this way.
    pub(crate) fn stamp(&self, text: &str) -> Option<Stamp> {
        let text = text.trim();
        match self {
            Self::Auto => Self::FORMS.iter().find_map(|f| f.stamp(text)),
            Self::Pattern(pattern) => {
                let parts = strtime::parse(pattern, text).ok()?;
                let offset = parts.offset().map(jiff::tz::Offset::seconds);
                Some(Stamp { date: parts.to_date().ok()?, time: parts.to_time().ok(), offset })
            }
            Self::Epoch => epoch(text),
            Self::Month | Self::Quarter | Self::Week | Self::Year | Self::CompactMonth => {
                self.period(text).map(Stamp::from)
            }
            form => {
                let (day, clock) = split_time(text)?;
                let date = form.day(day)?;
                let (time, offset) = clock.map_or((None, None), read_clock);
                Some(Stamp { date, time, offset })
            }
        }
    }

    /// The first day of a month, quarter, week or year.
    fn period(&self, text: &str) -> Option<Date> {
        let date = |year: &str, month: i16| {
            let year = if year.len() == 4 { number(year)? } else { return None };
            Date::new(year, i8::try_from(month).ok()?, 1).ok()
        };
        let two = |signs: &[char]| {
            let mut parts = text.split(signs).filter(|p| !p.is_empty());
            let both = (parts.next()?, parts.next()?);
            parts.next().is_none().then_some(both)
        };
        match self {
            Self::Month => {
                // Eurostat and the OECD write 2008M07.
                let (a, b) = match text.split_once('M') {
                    Some((year, month)) if number(year).is_some() && number(month).is_some() => (year, month),
                    _ => two(&['-', '/', ' ', ','])?,
                };
                match (number(a), number(b)) {
                    (Some(_), Some(month)) if a.len() == 4 && b.len() <= 2 => date(a, month),
                    (Some(month), Some(_)) if b.len() == 4 && a.len() <= 2 => date(b, month),
                    (None, Some(_)) => date(b, month_of(a)?),
                    (Some(_), None) => date(a, month_of(b)?),
                    _ => None,
                }
            }
            Self::Quarter => {
                let (a, b) = two(&['-', '/', ' ', ':'])
                    .or_else(|| text.find(['Q', 'q']).filter(|at| *at > 0).map(|at| text.split_at(at)))?;
                let quarter =
                    |text: &str| text.strip_prefix(['Q', 'q']).filter(|q| q.len() == 1).and_then(number);
                match (quarter(a), quarter(b)) {
                    (None, Some(q @ 1..=4)) => date(a, 3 * q - 2),
                    (Some(q @ 1..=4), None) => date(b, 3 * q - 2),
                    _ => None,
                }
            }
            Self::Week => {
                let (year, week) = text.split_once(['W', 'w'])?;
                let (year, week) = (year.trim_end_matches('-'), week.strip_suffix("-1").unwrap_or(week));
                let year = if year.len() == 4 { number(year)? } else { return None };
                let week = if (1..=2).contains(&week.len()) { number(week)? } else { return None };
                ISOWeekDate::new(year, i8::try_from(week).ok()?, Weekday::Monday).ok().map(Date::from)
            }
            // pandas writes whole numbers beside missing ones as 2008.0.
            Self::Year => date(text.strip_suffix(".0").unwrap_or(text), 1),
            Self::CompactMonth => match text.strip_suffix(".0").unwrap_or(text) {
                month if month.len() == 6 && month.is_ascii() => date(&month[..4], number(&month[4..])?),
                _ => None,
            },
            _ => None,
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
                (y, month_of(m)?, number(d.trim_end_matches('.'))?)
            }
            Self::MonthNameDay => {
                let [m, d, y] = split_words(day)?;
                (y, month_of(m)?, number(d)?)
            }
            _ => return None,
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

/// `day-first`, `month-first` and `epoch` by name, anything else as a pattern.
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
            "epoch" => Self::Epoch,
            pattern => Self::Pattern(pattern.to_owned()),
        }
    }
}

/// What became of a column of dates.
pub(crate) enum Dates {
    /// Every row, `None` where the cell is empty.
    Read(Vec<Option<Stamp>>),
    /// The row (from 0) that fits no form, or not the form of the others.
    Unreadable(usize),
    /// The row (from 0) that means two different days, and everything else does too.
    Ambiguous(usize),
}

/// Reads a column that holds dates, choosing the form if need be; `cells` goes through the column once per form.
pub(crate) fn read_dates<'a, I: Iterator<Item = &'a str>>(
    format: &DateFormat,
    cells: impl Fn() -> I,
) -> Dates {
    match format {
        DateFormat::Auto => match read_forms(&DateFormat::FORMS, &cells) {
            Dates::Unreadable(row) => match read_forms(&DateFormat::NUMBERS, &cells) {
                Dates::Unreadable(other) => Dates::Unreadable(row.max(other)),
                read => read,
            },
            read => read,
        },
        one => read_forms(std::slice::from_ref(one), &cells),
    }
}

/// As [`read_dates`], for a column that may hold anything: numbers alone are not taken for dates.
pub(crate) fn read_forms<'a, I: Iterator<Item = &'a str>>(
    forms: &[DateFormat],
    cells: &impl Fn() -> I,
) -> Dates {
    let Some((first_row, first)) = cells().enumerate().find(|(_, c)| !c.trim().is_empty()) else {
        return Dates::Read(cells().map(|_| None).collect());
    };
    let mut read: Option<Vec<Option<Stamp>>> = None;
    let mut furthest = first_row;
    for form in forms.iter().filter(|f| f.stamp(first).is_some()) {
        let mut dates = Vec::with_capacity(cells().size_hint().0);
        let mut bad = None;
        for (row, cell) in cells().enumerate() {
            match form.stamp(cell) {
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

/// Day and time of day, if it has one; `None` if something else follows the day.
fn split_time(text: &str) -> Option<(&str, Option<&str>)> {
    let at = match text.find(':') {
        // Month names come with blanks too: the time begins after the last sign before its colon.
        Some(colon) => text[..colon].rfind(['T', ' '])?,
        // `20080711 160000`, `2008-07-11T16`.
        None => match text.rfind(['T', ' ']) {
            Some(at) if text[..at].bytes().all(|b| b.is_ascii_digit() || b"-/.".contains(&b)) => at,
            _ => return Some((text, None)),
        },
    };
    let (day, time) = (text[..at].trim_end(), &text[at + 1..]);
    is_time(time).then(|| (day.strip_suffix(',').unwrap_or(day), Some(time)))
}

/// `16:00`, `160000`, `16:00:00.5 PM`, `16:00:00-05:00`, `16:00 America/New_York`.
fn is_time(text: &str) -> bool {
    let clock = text.find(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.')).unwrap_or(text.len());
    let digits = text[..clock].bytes().filter(u8::is_ascii_digit).count();
    let zone = text[clock..].trim();
    let known = |b: u8| b.is_ascii_alphanumeric() || b"+-:/_ []".contains(&b);
    text.starts_with(|c: char| c.is_ascii_digit()) && (1..=15).contains(&digits) && zone.bytes().all(known)
}

/// The time that a clock shows, and its distance from UTC in seconds; none where it is not a time of day.
pub(crate) fn read_clock(text: &str) -> (Option<Time>, Option<i32>) {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.')).unwrap_or(text.len());
    let (clock, rest) = (&text[..end], text[end..].trim());
    let (whole, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let parts: Vec<&str> = if whole.contains(':') {
        whole.split(':').collect()
    } else {
        // 16, 1600, 160000
        whole.as_bytes().chunks(2).filter_map(|pair| std::str::from_utf8(pair).ok()).collect()
    };
    let part = |i: usize| parts.get(i).map_or(Some(0), |p| number(p));
    let afternoon = rest.get(..2).map(str::to_ascii_lowercase);
    let hour = part(0).map(|hour| match afternoon.as_deref() {
        Some("pm") if hour < 12 => hour + 12,
        Some("am") if hour == 12 => 0,
        _ => hour,
    });
    let nanoseconds = format!("{fraction:0<9}").get(..9).and_then(|digits| digits.parse::<i32>().ok());
    let small = |n: Option<i16>| n.and_then(|n| i8::try_from(n).ok());
    let time = match (small(hour), small(part(1)), small(part(2)), nanoseconds) {
        (Some(h), Some(m), Some(s), Some(n)) if parts.len() <= 3 => Time::new(h, m, s, n).ok(),
        _ => None,
    };
    let zone = match afternoon.as_deref() {
        Some("pm" | "am") => rest[2..].trim(),
        _ => rest,
    };
    (time, offset(zone))
}

/// `Z`, `UTC`, `+02:00`, `-0500`, `+02`.
fn offset(zone: &str) -> Option<i32> {
    if matches!(zone, "Z" | "z" | "UTC" | "GMT") {
        return Some(0);
    }
    let (sign, digits) = match zone.as_bytes().first()? {
        b'+' => (1, &zone[1..]),
        b'-' => (-1, &zone[1..]),
        _ => return None,
    };
    let digits: String = digits.chars().filter(|c| *c != ':').collect();
    let hours = i32::from(number(digits.get(..2)?)?);
    let minutes = i32::from(digits.get(2..4).map_or(Some(0), number)?);
    (digits.len() <= 4 && hours <= 15 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// Seconds since 1970, or milliseconds where there are too many digits for seconds.
fn epoch(text: &str) -> Option<Stamp> {
    let whole = text.strip_suffix(".0").unwrap_or(text);
    if !whole.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let instant = match whole.len() {
        9 | 10 => Timestamp::from_second(whole.parse().ok()?),
        12 | 13 => Timestamp::from_millisecond(whole.parse().ok()?),
        _ => return None,
    };
    let shown = instant.ok()?.to_zoned(TimeZone::UTC).datetime();
    Some(Stamp { date: shown.date(), time: Some(shown.time()), offset: Some(0) })
}

/// How far apart the rows of a series usually are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Frequency {
    /// More than one row on a day.
    Intraday,
    /// About one row a day, weekends or not.
    Daily,
    /// About one row a week.
    Weekly,
    /// About one row a month.
    Monthly,
    /// About one row a quarter.
    Quarterly,
    /// About one row a year.
    Yearly,
    /// None of these, or fewer than three rows.
    Irregular,
}

/// The median distance of ascending days, in words.
pub(crate) fn frequency(dates: &[Date]) -> Frequency {
    let mut days: Vec<i32> = dates
        .windows(2)
        .filter_map(|w| w[0].until((Unit::Day, w[1])).ok())
        .map(|span| span.get_days())
        .collect();
    if days.len() < 2 {
        return Frequency::Irregular;
    }
    let middle = days.len() / 2;
    match *days.select_nth_unstable(middle).1 {
        ..=0 => Frequency::Intraday,
        1..=2 => Frequency::Daily,
        6..=8 => Frequency::Weekly,
        28..=32 => Frequency::Monthly,
        89..=93 => Frequency::Quarterly,
        360..=372 => Frequency::Yearly,
        _ => Frequency::Irregular,
    }
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
    /// English, German, French and Spanish, without accents.
    const MONTHS: [&str; 12] = [
        "january januar janvier enero",
        "february februar fevrier febrero",
        "march marz mars marzo maerz",
        "april avril abril",
        "may mai mayo",
        "june juni juin junio",
        "july juli juillet julio",
        "august aout agosto",
        "september septembre septiembre",
        "october oktober octobre octubre",
        "november novembre noviembre",
        "december dezember decembre diciembre",
    ];
    let name = without_accents(name.trim_end_matches('.'));
    // `juin` and `juillet` begin alike: what is shortened must still tell them apart.
    let fits = |month: &str| month == name || (name.len() >= 3 && name != "jui" && month.starts_with(&*name));
    let found = (1..).zip(MONTHS).find(|(_, names)| names.split(' ').any(fits));
    found.map(|(i, _)| i)
}

/// In small letters, with the accents of western Europe taken off.
pub(crate) fn without_accents(text: &str) -> String {
    let plain = |c| match c {
        'à' | 'á' | 'â' | 'ä' | 'ã' | 'å' => 'a',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'ò' | 'ó' | 'ô' | 'ö' | 'õ' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        other => other,
    };
    text.chars().flat_map(char::to_lowercase).map(plain).collect()
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
        assert_eq!(dates[0].map(|s| s.date), Some(Date::constant(2008, 2, 1)));
        let Dates::Read(dates) = read(&["01/02/2008", "02/13/2008"]) else { panic!("month first fits") };
        assert_eq!(dates[0].map(|s| s.date), Some(Date::constant(2008, 1, 2)));
        assert!(matches!(read(&["01/01/2008", "01/02/2008"]), Dates::Ambiguous(1)));
        assert!(matches!(read(&["13/01/2008", "01/13/2008"]), Dates::Unreadable(1)));
    }

    #[test]
    fn months_quarters_weeks_and_years() {
        let first = |y, m| Some(Date::constant(y, m, 1));
        for text in [
            "2008-07",
            "2008/7",
            "2008M07",
            "07/2008",
            "Jul 2008",
            "July, 2008",
            "2008 Juli",
            "juil. 2008",
            "Jul-2008",
        ] {
            assert_eq!(DateFormat::Auto.parse(text), first(2008, 7), "{text}");
        }
        for text in ["2008Q3", "2008-Q3", "2008 q3", "Q3 2008", "2008:Q3"] {
            assert_eq!(DateFormat::Auto.parse(text), first(2008, 7), "{text}");
        }
        for text in ["2008-W28", "2008W28", "2008-W28-1"] {
            assert_eq!(DateFormat::Auto.parse(text), Some(Date::constant(2008, 7, 7)), "{text}");
        }
        // Numbers are not dates unless a column is known to hold them.
        for text in
            ["2008", "200807", "12.2008", "2008.07", "1215734400", "2008-13", "Q5 2008", "2008-W60", "may"]
        {
            assert_eq!(DateFormat::Auto.parse(text), None, "{text}");
        }
        let read = |cells: &[&'static str]| match read_dates(&DateFormat::Auto, || cells.iter().copied()) {
            Dates::Read(dates) => dates.into_iter().flatten().map(|s| s.date).collect::<Vec<_>>(),
            _ => Vec::new(),
        };
        assert_eq!(read(&["2007", "2008"]), [Date::constant(2007, 1, 1), Date::constant(2008, 1, 1)]);
        assert_eq!(read(&["200712", "200801"]), [Date::constant(2007, 12, 1), Date::constant(2008, 1, 1)]);
        assert_eq!(
            read(&["1215734400", "1215820800"]),
            [Date::constant(2008, 7, 11), Date::constant(2008, 7, 12)]
        );
        assert_eq!(read(&["1215734400000"]), [Date::constant(2008, 7, 11)]);
    }

    #[test]
    fn months_in_four_languages() {
        for (text, month) in [
            ("11 März 2008", 3),
            ("11. Dez. 2008", 12),
            ("11 août 2008", 8),
            ("11 févr. 2008", 2),
            ("11 juin 2008", 6),
            ("11 dic 2008", 12),
            ("11-ene-2008", 1),
        ] {
            assert_eq!(DateFormat::Auto.parse(text), Some(Date::constant(2008, month, 11)), "{text}");
        }
        assert_eq!(DateFormat::Auto.parse("11 jui 2008"), None);
    }

    #[test]
    fn times_of_day_and_their_distance_from_utc() {
        let read = |text: &str| DateFormat::Auto.stamp(text).map(|s| (s.time, s.offset));
        let time = |h, m, s, n| Some(Time::constant(h, m, s, n));
        for (text, expected) in [
            ("2008-07-11", (None, None)),
            ("2008-07-11 16:05", (time(16, 5, 0, 0), None)),
            ("2008-07-11T16:05:09.25Z", (time(16, 5, 9, 250_000_000), Some(0))),
            ("20080711 160509", (time(16, 5, 9, 0), None)),
            ("11 Jul 2008 4:05 PM", (time(16, 5, 0, 0), None)),
            ("11 Jul 2008 12:05 am", (time(0, 5, 0, 0), None)),
            ("2008-07-11 09:30:00-04:00", (time(9, 30, 0, 0), Some(-4 * 3600))),
            ("2008-07-11 09:30:00+0530", (time(9, 30, 0, 0), Some(5 * 3600 + 1800))),
            ("2008-07-11 16:00 America/New_York", (time(16, 0, 0, 0), None)),
            ("2008-07-11 25:00", (None, None)),
        ] {
            assert_eq!(read(text), Some(expected), "{text}");
        }
        let stamp = DateFormat::Auto.stamp("2008-07-11 22:30:00-04:00").unwrap();
        assert_eq!(stamp.instant(), Date::constant(2008, 7, 12).at(2, 30, 0, 0));
        assert_eq!(stamp.to_string(), "2008-07-11 22:30:00");
    }

    #[test]
    fn distances_of_days_have_names() {
        let every = |days: i32| {
            let start = Date::constant(2008, 1, 1);
            frequency(&start.series(jiff::Span::new().days(days)).take(9).collect::<Vec<_>>())
        };
        assert_eq!(
            (every(1), every(7), every(91)),
            (Frequency::Daily, Frequency::Weekly, Frequency::Quarterly)
        );
        let months: Vec<Date> =
            Date::constant(2008, 1, 1).series(jiff::Span::new().months(1)).take(12).collect();
        assert_eq!(frequency(&months), Frequency::Monthly);
        assert_eq!(frequency(&months[..2]), Frequency::Irregular);
    }
}
