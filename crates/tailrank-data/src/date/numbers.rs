//! Dates that are written as one number.

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use super::{clock::read_clock, stamp::Stamp, words::number};

/// `200807111605` or `20080711160500`.
pub(super) fn compact_time(text: &str) -> Option<Stamp> {
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
pub(super) fn ordinal(text: &str) -> Option<Date> {
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
pub(super) fn decimal_year(text: &str) -> Option<Date> {
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
pub(super) fn epoch(text: &str) -> Option<Stamp> {
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
