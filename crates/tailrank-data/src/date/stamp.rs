//! When a row was seen.

use std::fmt;

use jiff::civil::{Date, DateTime, Time};

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
