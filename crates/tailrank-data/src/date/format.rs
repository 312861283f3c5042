//! How dates are written.

use jiff::{
    Timestamp,
    civil::{Date, ISOWeekDate, Weekday},
    fmt::strtime,
    tz::TimeZone,
};

use super::{
    clock::{Stamp, read_clock, split_time},
    words::{month_of, number, split_digits, split_words},
};
use crate::{DataError, Result, names::quoted};

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
    /// A year, taken as its first day: `2008` or `2008.0`. Not tried on columns that are not known to hold
    /// dates.
    Year,
    /// `200807`. Not tried on columns that are not known to hold dates.
    CompactMonth,
    /// Seconds or milliseconds since 1970. Not tried on columns that are not known to hold dates.
    Epoch,
    /// As `DayFirst`, with years of two digits: `11/07/08`. Years 70 to 99 are those of the 20th century, 00
    /// to 49 of the 21st; 50 to 69 could be either and are not read. Not tried on columns that are not known
    /// to hold dates, as all that follow.
    DayFirstShort,
    /// As `MonthFirst`, with years of two digits: `07/11/08`.
    MonthFirstShort,
    /// As `YearFirst`, with years of two digits: `08-07-11`.
    YearFirstShort,
    /// As `DayMonthName`, with years of two digits: `11-Jul-08`.
    DayMonthNameShort,
    /// Day and time in one number: `200807111605` or `20080711160500`.
    CompactTime,
    /// Year and day of the year: `2008-193` or `2008193`.
    Ordinal,
    /// Years with a fraction, as R writes time series: `2008.5` is July 2008.
    DecimalYear,
    /// Any other, in the signs of strptime, such as `%d-%b-%y`.
    Pattern(String),
}

impl DateFormat {
    /// The forms that `Auto` tries on any column.
    pub const FORMS: [DateFormat; 9] = {
        use DateFormat::*;
        [YearFirst, Compact, DayFirst, MonthFirst, DayMonthName, MonthNameDay, Month, Quarter, Week]
    };

    /// Forms that may be something else: tried last, one row after the other, and only where a column is
    /// known to hold dates. Those of a row are weighed against each other.
    pub(super) const KNOWN: [&[DateFormat]; 5] = {
        use DateFormat::*;
        [
            &[DayFirstShort, MonthFirstShort, YearFirstShort, DayMonthNameShort],
            &[CompactTime],
            &[Ordinal],
            &[Year, CompactMonth, Epoch],
            &[DecimalYear],
        ]
    };

    /// The forms that a column which is known to hold dates, or not, is held against where this is said of
    /// it.
    pub(crate) fn tried(&self, known: bool) -> Vec<Self> {
        match self {
            Self::Auto if known => {
                Self::FORMS.iter().chain(Self::KNOWN[..3].iter().copied().flatten()).cloned().collect()
            }
            Self::Auto => Self::FORMS.to_vec(),
            // Who says which comes first has said it of years of two digits, too.
            Self::DayFirst => vec![Self::DayFirst, Self::DayFirstShort],
            Self::MonthFirst => vec![Self::MonthFirst, Self::MonthFirstShort],
            Self::YearFirst => vec![Self::YearFirst, Self::YearFirstShort],
            one => vec![one.clone()],
        }
    }

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
            Self::CompactTime => compact_time(text),
            Self::Ordinal => ordinal(text).map(Stamp::from),
            Self::DecimalYear => decimal_year(text).map(Stamp::from),
            Self::Month | Self::Quarter | Self::Week | Self::Year | Self::CompactMonth => {
                self.period(text).map(Stamp::from)
            }
            form => {
                let (day, clock) = split_time(text)?;
                let date = form.day(day, short_year)?;
                clock.map_or(Some(Stamp::from(date)), |clock| read_clock(clock).ok()?.on(date))
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
    fn day(&self, day: &str, short: impl Fn(i16) -> Option<i16>) -> Option<Date> {
        let digits = |[y, m, d]: [usize; 3]| {
            let parts = split_digits(day)?;
            Some((parts[y], number(parts[m])?, number(parts[d])?))
        };
        let (y, m, d) = match self {
            Self::Compact if day.len() == 8 && day.is_ascii() => {
                (&day[..4], number(&day[4..6])?, number(&day[6..])?)
            }
            Self::YearFirst | Self::YearFirstShort => digits([0, 1, 2])?,
            Self::DayFirst | Self::DayFirstShort => digits([2, 1, 0])?,
            Self::MonthFirst | Self::MonthFirstShort => digits([2, 0, 1])?,
            Self::DayMonthName | Self::DayMonthNameShort => {
                let [d, m, y] = split_words(day)?;
                (y, month_of(m)?, number(d.trim_end_matches('.'))?)
            }
            Self::MonthNameDay => {
                let [m, d, y] = split_words(day)?;
                (y, month_of(m)?, number(d)?)
            }
            _ => return None,
        };
        let year = match (y.len(), self.has_short_years()) {
            (4, false) => number(y)?,
            (2, true) => short(number(y)?)?,
            _ => return None,
        };
        Date::new(year, i8::try_from(m).ok()?, i8::try_from(d).ok()?).ok()
    }

    /// Whether `day` has a year of two digits that may be of either century.
    pub(super) fn is_of_either_century(day: &str) -> bool {
        let either = |year| (50..70).contains(&year).then_some(1900 + year);
        Self::KNOWN[0].iter().any(|form| form.day(day, either).is_some())
    }

    fn has_short_years(&self) -> bool {
        Self::KNOWN[0].contains(self)
    }

    /// A pattern must be able to write a day and read it back.
    pub(crate) fn check(&self) -> Result<()> {
        let Self::Pattern(pattern) = self else { return Ok(()) };
        let day = Date::constant(2008, 7, 11);
        let written = day.to_zoned(TimeZone::UTC).and_then(|zoned| strtime::format(pattern, &zoned));
        if written.is_ok_and(|text| Date::strptime(pattern, text).is_ok_and(|read| read == day)) {
            return Ok(());
        }
        let expected =
            "give \"day-first\", \"month-first\" or a pattern for the whole date such as \"%d.%m.%Y\"";
        Err(DataError::setting("date_format", quoted(pattern), expected))
    }
}

/// The year that two digits mean, where nobody doubts it.
fn short_year(year: i16) -> Option<i16> {
    match year {
        0..50 => Some(2000 + year),
        70..100 => Some(1900 + year),
        _ => None,
    }
}

/// `day-first`, `month-first`, `year-first`, `epoch`, `ordinal` and `decimal-year` by name, anything else as
/// a pattern.
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
            "year-first" => Self::YearFirst,
            "epoch" => Self::Epoch,
            "ordinal" => Self::Ordinal,
            "decimal-year" => Self::DecimalYear,
            pattern => Self::Pattern(pattern.to_owned()),
        }
    }
}

/// `200807111605` or `20080711160500`.
fn compact_time(text: &str) -> Option<Stamp> {
    let digits = text.strip_suffix(".0").unwrap_or(text);
    if !matches!(digits.len(), 12 | 14) || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let part = |from: usize, to: usize| i8::try_from(number(&digits[from..to])?).ok();
    let year = number(&digits[..4]).filter(|year| (1800..2200).contains(year))?;
    let date = Date::new(year, part(4, 6)?, part(6, 8)?).ok()?;
    read_clock(&digits[8..]).ok()?.on(date)
}

/// `2008-193` or `2008193`.
fn ordinal(text: &str) -> Option<Date> {
    let digits = text.strip_suffix(".0").unwrap_or(text);
    let joined = || digits.split_at_checked(4).filter(|_| digits.len() == 7);
    let (year, day) = digits.split_once('-').or_else(joined).filter(|(y, d)| (y.len(), d.len()) == (4, 3))?;
    let year = number(year).filter(|year| (1800..2200).contains(year))?;
    Date::new(year, 1, 1).ok()?.with().day_of_year(number(day)?).build().ok()
}

/// `2008.5`: the month that begins there, or the day.
fn decimal_year(text: &str) -> Option<Date> {
    let value: f64 = text.parse().ok().filter(|value| (1500.0..2200.0).contains(value))?;
    let (year, months) = (value.floor(), value.fract() * 12.0);
    let first = Date::new(year as i16, 1, 1).ok()?;
    // Three digits behind the point are right to a hundredth of a month.
    if (months - months.round()).abs() < 0.01 {
        return Some(first.saturating_add(jiff::Span::new().months(months.round() as i64)));
    }
    let days = value.fract() * f64::from(first.days_in_year());
    Some(first.saturating_add(jiff::Span::new().days(days.round() as i64)))
}

/// Whether a cell may be a year and a month that a point sets off.
pub(super) fn is_year_and_month(cell: &str) -> bool {
    let fraction = cell.trim().split_once('.').map_or("", |(_, fraction)| fraction);
    let month = |digits: &str| digits.parse::<u8>().is_ok_and(|month| month <= 12);
    fraction.len() <= 2 && (fraction.is_empty() || month(fraction))
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
