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
    /// As `DayFirst`, with years of two digits: `11/07/08`. Years 70 to 99 are those of the 20th century, 00 to 49 of the 21st; 50 to 69
    /// could be either and are not read. Not tried on columns that are not known to hold dates, as all that follow.
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

    /// Forms that may be something else: tried last, one row after the other, and only where a column is known to hold dates. Those of a
    /// row are weighed against each other.
    const KNOWN: [&[DateFormat]; 5] = [
        &[
            DateFormat::DayFirstShort,
            DateFormat::MonthFirstShort,
            DateFormat::YearFirstShort,
            DateFormat::DayMonthNameShort,
        ],
        &[DateFormat::CompactTime],
        &[DateFormat::Ordinal],
        &[DateFormat::Year, DateFormat::CompactMonth, DateFormat::Epoch],
        &[DateFormat::DecimalYear],
    ];

    /// The forms that a column which is known to hold dates, or not, is held against where this is said of it.
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
                let date = form.day(day)?;
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
    fn day(&self, day: &str) -> Option<Date> {
        let (y, m, d) = match self {
            Self::Compact if day.len() == 8 && day.is_ascii() => {
                (&day[..4], number(&day[4..6])?, number(&day[6..])?)
            }
            Self::YearFirst | Self::YearFirstShort => {
                let [y, m, d] = split_digits(day)?;
                (y, number(m)?, number(d)?)
            }
            Self::DayFirst | Self::DayFirstShort => {
                let [d, m, y] = split_digits(day)?;
                (y, number(m)?, number(d)?)
            }
            Self::MonthFirst | Self::MonthFirstShort => {
                let [m, d, y] = split_digits(day)?;
                (y, number(m)?, number(d)?)
            }
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
            (2, true) => match number(y)? {
                recent @ 0..50 => 2000 + recent,
                old @ 70..100 => 1900 + old,
                _ => return None,
            },
            _ => return None,
        };
        Date::new(year, i8::try_from(m).ok()?, i8::try_from(d).ok()?).ok()
    }

    fn has_short_years(&self) -> bool {
        matches!(
            self,
            Self::DayFirstShort | Self::MonthFirstShort | Self::YearFirstShort | Self::DayMonthNameShort
        )
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

/// `day-first`, `month-first`, `year-first`, `epoch`, `ordinal` and `decimal-year` by name, anything else as a pattern.
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
    let first = format.tried(false);
    // One form after the other where it was said, all at once where they must be weighed.
    let first: Vec<&[DateFormat]> =
        if *format == DateFormat::Auto { vec![&first] } else { first.chunks(1).collect() };
    let known: &[&[DateFormat]] = if *format == DateFormat::Auto { &DateFormat::KNOWN } else { &[] };
    let mut furthest = 0;
    for forms in first.iter().chain(known) {
        match read_forms(forms, &cells) {
            Dates::Unreadable(row) => furthest = furthest.max(row),
            // 2008.01 to 2008.12 are months that a point sets off, not days of January.
            Dates::Read(_)
                if *format == DateFormat::Auto
                    && forms[0] == DateFormat::DecimalYear
                    && cells().all(is_year_and_month) => {}
            read => return read,
        }
    }
    Dates::Unreadable(furthest)
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

/// What a clock shows.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    time: Time,
    /// 24:00 is the midnight at the end of the day.
    ends_day: bool,
    zone: Zone,
}

#[derive(Clone, Debug)]
enum Zone {
    Unknown,
    /// Seconds from UTC.
    Offset(i32),
    Place(TimeZone),
}

/// Why a text is not a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockFault {
    /// No clock shows it.
    Time,
    /// Its zone is not known.
    Zone,
}

impl ClockFault {
    /// What is wrong, and what to do.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Time => (
                "has a time of day that no clock shows",
                "write times from 00:00 to 23:59, or 24:00 for the end of the day",
            ),
            Self::Zone => (
                "has a time zone that is not known",
                "write its distance from UTC, such as -05:00, or a place, such as America/New_York",
            ),
        }
    }
}

impl Clock {
    /// This time on `date`.
    pub(crate) fn on(&self, date: Date) -> Option<Stamp> {
        let date = if self.ends_day { date.tomorrow().ok()? } else { date };
        let offset = match &self.zone {
            Zone::Unknown => None,
            Zone::Offset(seconds) => Some(*seconds),
            Zone::Place(place) => {
                Some(date.to_datetime(self.time).to_zoned(place.clone()).ok()?.offset().seconds())
            }
        };
        Some(Stamp { date, time: Some(self.time), offset })
    }
}

/// The time that a clock shows, and where it hangs.
pub(crate) fn read_clock(text: &str) -> std::result::Result<Clock, ClockFault> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.')).unwrap_or(text.len());
    let (clock, rest) = (&text[..end], text[end..].trim());
    // America begins with these letters, too.
    let word = rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    let (half, zone) = match word.to_ascii_lowercase().as_str() {
        "pm" => (Some(12), rest[2..].trim()),
        "am" => (Some(0), rest[2..].trim()),
        _ => (None, rest),
    };
    let (time, ends_day) = time_of(clock, half).ok_or(ClockFault::Time)?;
    Ok(Clock { time, ends_day, zone: zone_of(zone).ok_or(ClockFault::Zone)? })
}

/// `16:00`, `16:00:00.5`, `1600`, `160000`, `930`; with 0 or 12 hours for the half of the day where it is written. The second answer is
/// whether it is the midnight at the day's end.
fn time_of(clock: &str, half: Option<i16>) -> Option<(Time, bool)> {
    let (whole, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let padded;
    let parts: Vec<&str> = if whole.contains(':') {
        whole.split(':').collect()
    } else {
        // Numbers lose the zero before 930 and 93000.
        padded = if whole.len() % 2 == 1 { format!("0{whole}") } else { whole.to_owned() };
        padded.as_bytes().chunks(2).filter_map(|pair| std::str::from_utf8(pair).ok()).collect()
    };
    let part = |i: usize| parts.get(i).map_or(Some(0), |part| number(part).filter(|_| part.len() <= 2));
    let (hour, minute, second) = (part(0)?, part(1)?, part(2)?);
    let hour = match half {
        Some(half) if (1..=12).contains(&hour) => hour % 12 + half,
        Some(_) => return None,
        None => hour,
    };
    let nanoseconds: i32 = format!("{fraction:0<9}").get(..9)?.parse().ok()?;
    if parts.len() > 3 {
        return None;
    }
    if (hour, minute, second, nanoseconds) == (24, 0, 0, 0) {
        return Some((Time::midnight(), true));
    }
    let small = |n: i16| i8::try_from(n).ok();
    Some((Time::new(small(hour)?, small(minute)?, small(second)?, nanoseconds).ok()?, false))
}

/// Nothing, a distance from UTC, or a place such as `America/New_York` or `[Europe/Paris]`.
fn zone_of(text: &str) -> Option<Zone> {
    if text.is_empty() {
        return Some(Zone::Unknown);
    }
    if let Some(seconds) = offset(text) {
        return Some(Zone::Offset(seconds));
    }
    // `+02:00[Europe/Paris]`: the distance says it all.
    if let Some((distance, _)) = text.split_once('[').filter(|(distance, _)| !distance.is_empty()) {
        return offset(distance.trim()).map(Zone::Offset);
    }
    let place = text.trim_start_matches('[').trim_end_matches(']');
    place.contains('/').then(|| TimeZone::get(place).ok().map(Zone::Place)).flatten()
}

/// Why a cell that begins with a day is not a date: what its clock gets wrong.
pub(crate) fn clock_fault(text: &str) -> Option<ClockFault> {
    let (day, clock) = split_time(text.trim())?;
    let is_day = || DateFormat::FORMS.iter().any(|form| form.stamp(day).is_some());
    clock.and_then(|clock| read_clock(clock).err()).filter(|_| is_day())
}

/// `200807111605` or `20080711160500`.
fn compact_time(text: &str) -> Option<Stamp> {
    let digits = text.strip_suffix(".0").unwrap_or(text);
    if !matches!(digits.len(), 12 | 14) || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let date = DateFormat::Compact.day(&digits[..8]).filter(|date| (1800..2200).contains(&date.year()))?;
    read_clock(&digits[8..]).ok()?.on(date)
}

/// `2008-193` or `2008193`.
fn ordinal(text: &str) -> Option<Date> {
    let digits = text.strip_suffix(".0").unwrap_or(text);
    let (year, day) = match digits.split_once('-') {
        Some((year, day)) => (year, day),
        None if digits.len() == 7 && digits.is_ascii() => digits.split_at(4),
        None => return None,
    };
    if year.len() != 4 || day.len() != 3 {
        return None;
    }
    let (year, day) = (number(year)?, number(day)?);
    let first = Date::new(year, 1, 1).ok().filter(|_| (1800..2200).contains(&year))?;
    (1..=first.days_in_year()).contains(&day).then(|| first.saturating_add(jiff::Span::new().days(day - 1)))
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
fn is_year_and_month(cell: &str) -> bool {
    let fraction = cell.trim().split_once('.').map_or("", |(_, fraction)| fraction);
    let month = |digits: &str| digits.parse::<u8>().is_ok_and(|month| month <= 12);
    fraction.len() <= 2 && (fraction.is_empty() || month(fraction))
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
            ("2008-07-11 16:00 America/New_York", (time(16, 0, 0, 0), Some(-4 * 3600))),
            ("2008-01-11 16:00[America/New_York]", (time(16, 0, 0, 0), Some(-5 * 3600))),
        ] {
            assert_eq!(read(text), Some(expected), "{text}");
        }
        let stamp = DateFormat::Auto.stamp("2008-07-11 22:30:00-04:00").unwrap();
        assert_eq!(stamp.instant(), Date::constant(2008, 7, 12).at(2, 30, 0, 0));
        assert_eq!(stamp.to_string(), "2008-07-11 22:30:00");
    }

    #[test]
    fn a_clock_that_is_wrong_is_an_error() {
        for text in
            ["25:00", "16:61", "24:01", "24:00:01", "12:00:99", "13:00 PM", "0:30 am", "1:2:3:4", "2500"]
        {
            let text = format!("2008-07-11 {text}");
            assert_eq!(DateFormat::Auto.stamp(&text), None, "{text}");
            assert_eq!(clock_fault(&text), Some(ClockFault::Time), "{text}");
        }
        for zone in ["EST", "CEST", "Mars/Olympus", "local time"] {
            let text = format!("2008-07-11 16:00 {zone}");
            assert_eq!(DateFormat::Auto.stamp(&text), None, "{text}");
            assert_eq!(clock_fault(&text), Some(ClockFault::Zone), "{text}");
        }
        assert_eq!(clock_fault("later 25:00"), None);
        for text in ["2008-07-31 24:00", "20080731 240000", "31.07.2008 24:00:00", "2008-07-31T24:00Z"] {
            let stamp =
                [DateFormat::Auto, DateFormat::DayFirst].iter().find_map(|form| form.stamp(text)).unwrap();
            assert_eq!(stamp.shown(), Date::constant(2008, 8, 1).at(0, 0, 0, 0), "{text}");
        }
        let shown =
            |text: &str| read_clock(text).ok().and_then(|clock| clock.on(Date::constant(2008, 7, 11))?.time);
        assert_eq!(shown("930"), Some(Time::constant(9, 30, 0, 0)));
        assert_eq!(shown("93000"), Some(Time::constant(9, 30, 0, 0)));
        assert_eq!(shown("9"), Some(Time::constant(9, 0, 0, 0)));
    }

    #[test]
    fn columns_that_are_known_to_hold_dates_may_write_them_in_more_ways() {
        let read = |format: &str, cells: &[&'static str]| {
            let format = if format.is_empty() { DateFormat::Auto } else { DateFormat::from(format) };
            match read_dates(&format, || cells.iter().copied()) {
                Dates::Read(dates) => Ok(dates
                    .iter()
                    .flatten()
                    .map(|stamp| stamp.shown().to_string())
                    .collect::<Vec<_>>()
                    .join(" ")),
                Dates::Ambiguous(row) => Err((row, true)),
                Dates::Unreadable(row) => Err((row, false)),
            }
        };
        let day = |text: &str| {
            Ok(text.split(' ').map(|day| format!("{day}T00:00:00")).collect::<Vec<_>>().join(" "))
        };
        for (format, cells, expected) in [
            (
                "",
                &["199706011928", "199706011929"][..],
                Ok("1997-06-01T19:28:00 1997-06-01T19:29:00".to_owned()),
            ),
            ("", &["19970601192805"], Ok("1997-06-01T19:28:05".to_owned())),
            (
                "",
                &["1960.000", "1960.083", "1960.917", "1961"],
                day("1960-01-01 1960-02-01 1960-12-01 1961-01-01"),
            ),
            (
                "",
                &["1960", "1960.25", "1960.5", "1960.75"],
                day("1960-01-01 1960-04-01 1960-07-01 1960-10-01"),
            ),
            ("decimal-year", &["1960.1"], day("1960-02-07")),
            // Months behind a point, or January in hundredths?
            ("", &["1960.01", "1960.02", "1960.12"], Err((0, false))),
            ("", &["2008-193", "2008-366"], day("2008-07-11 2008-12-31")),
            ("", &["2008193", "2009001"], day("2008-07-11 2009-01-01")),
            ("", &["2009-366"], Err((0, false))),
            ("", &["25/12/97", "01/02/03"], day("1997-12-25 2003-02-01")),
            ("", &["12/25/97", "01/02/03"], day("1997-12-25 2003-01-02")),
            ("", &["97-12-25", "98-01-02"], day("1997-12-25 1998-01-02")),
            ("", &["11-Jul-08"], day("2008-07-11")),
            ("", &["01/02/03", "02/02/03"], Err((0, true))),
            ("day-first", &["01/02/03"], day("2003-02-01")),
            ("month-first", &["01/02/03"], day("2003-01-02")),
            ("year-first", &["01/02/03"], day("2001-02-03")),
            // 1955 or 2055?
            ("", &["25/12/55"], Err((0, false))),
            // Months of a year, or the first days of January?
            ("", &["1/1/1957", "2/1/1957", "3/1/1957"], Err((1, true))),
            (
                "",
                &["2008-07-11 23:00", "2008-07-11 24:00"],
                Ok("2008-07-11T23:00:00 2008-07-12T00:00:00".to_owned()),
            ),
            ("", &["2008-07-11 23:00", "2008-07-11 25:00"], Err((1, false))),
        ] {
            assert_eq!(read(format, cells), expected, "{format} {cells:?}");
        }
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
