//! Times of day and their zones.

use std::fmt;

use jiff::{
    civil::{Date, DateTime, Time},
    fmt::temporal::DateTimeParser,
    tz::{Offset, TimeZone},
};

use super::words::number;

/// Day and time of day, if it has one; `None` if something else follows the day.
pub(super) fn split_time(text: &str) -> Option<(&str, Option<&str>)> {
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
    /// A distance from UTC or a place, where either is written.
    zone: Option<TimeZone>,
}

/// Why a text is not a time of day, and what to do.
pub(crate) type ClockFault = (&'static str, &'static str);
pub(super) const NO_TIME: ClockFault = (
    "has a time of day that no clock shows",
    "write times from 00:00 to 23:59, or 24:00 for the end of the day",
);
pub(super) const NO_ZONE: ClockFault = (
    "has a time zone that is not known",
    "write its distance from UTC, such as -05:00, or a place, such as America/New_York",
);

impl Clock {
    /// This time on `date`.
    pub(crate) fn on(&self, date: Date) -> Option<Stamp> {
        let date = if self.ends_day { date.tomorrow().ok()? } else { date };
        let shown = date.to_datetime(self.time);
        let offset = match &self.zone {
            None => None,
            Some(zone) => Some(shown.to_zoned(zone.clone()).ok()?.offset().seconds()),
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
    let (time, ends_day) = time_of(clock, half).ok_or(NO_TIME)?;
    Ok(Clock { time, ends_day, zone: zone_of(zone).ok_or(NO_ZONE)? })
}

/// `16:00`, `16:00:00.5`, `1600`, `160000`, `930`; with 0 or 12 hours for the half of the day where it is
/// written. The second answer is whether it is the midnight at the day's end.
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
fn zone_of(text: &str) -> Option<Option<TimeZone>> {
    if text.is_empty() {
        return Some(None);
    }
    // `+02:00[Europe/Paris]`: the distance says it all.
    let distance = text.split_once('[').map_or(text, |(distance, _)| distance);
    if let Some(offset) = offset(distance.trim()) {
        return Some(Some(TimeZone::fixed(offset)));
    }
    let place = text.trim_start_matches('[').trim_end_matches(']');
    place.contains('/').then(|| TimeZone::get(place).ok().map(Some)).flatten()
}

/// `Z`, `UTC`, `+02:00`, `-0500`, `+02`.
fn offset(zone: &str) -> Option<Offset> {
    if matches!(zone, "Z" | "z" | "UTC" | "GMT") {
        return Some(Offset::UTC);
    }
    let signed = zone.starts_with(['+', '-']).then(|| DateTimeParser::new().parse_time_zone(zone).ok())??;
    signed.to_fixed_offset().ok().filter(|offset| offset.seconds().abs() < 16 * 3600)
}

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
