//! What the calendar says of a session, as inputs.

use std::f64::consts::TAU;

use jiff::civil::DateTime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A property of the time at which a prediction is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Calendar {
    /// Twelve inputs, of which the month's is 1 and the others are 0.
    Month,
    /// Four inputs, of which the quarter's is 1.
    Quarter,
    /// Seven inputs from Monday, of which the weekday's is 1.
    Weekday,
    /// Twenty-four inputs, of which the hour's is 1; for series with times of day.
    Hour,
    /// Two inputs: sine and cosine of the place in the year, which turn slowly and have no edge at New Year.
    Season,
}

impl Calendar {
    /// Every kind.
    pub const ALL: [Calendar; 5] = [Self::Month, Self::Quarter, Self::Weekday, Self::Hour, Self::Season];

    /// The kind as a config names it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Weekday => "weekday",
            Self::Hour => "hour",
            Self::Season => "season",
        }
    }

    /// Names of its inputs: as many whatever the data, so that tasks of one kind have inputs of one kind.
    pub(crate) fn names(self) -> Vec<String> {
        const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
        let numbered = |first: usize, count: usize| {
            (first..first + count).map(|n| format!("{}={n}", self.id())).collect()
        };
        match self {
            Self::Month => numbered(1, 12),
            Self::Quarter => numbered(1, 4),
            Self::Weekday => DAYS.iter().map(|day| format!("weekday={day}")).collect(),
            Self::Hour => numbered(0, 24),
            Self::Season => vec!["season_sin".to_owned(), "season_cos".to_owned()],
        }
    }

    /// Writes the inputs at `time`.
    pub(crate) fn write(self, time: DateTime, out: &mut [f64]) {
        let place = match self {
            Self::Month => time.month() - 1,
            Self::Quarter => (time.month() - 1) / 3,
            Self::Weekday => time.weekday().to_monday_zero_offset(),
            Self::Hour => time.hour(),
            Self::Season => {
                let year = TAU * f64::from(time.day_of_year() - 1) / f64::from(time.days_in_year());
                out.iter_mut().zip([year.sin(), year.cos()]).for_each(|(slot, value)| *slot = value);
                return;
            }
        };
        out.fill(0.0);
        if let Some(slot) = usize::try_from(place).ok().and_then(|place| out.get_mut(place)) {
            *slot = 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Date;

    #[test]
    fn a_friday_in_july() {
        let time = Date::constant(2008, 7, 11).at(16, 0, 0, 0);
        for (kind, place) in
            [(Calendar::Month, 6), (Calendar::Quarter, 2), (Calendar::Weekday, 4), (Calendar::Hour, 16)]
        {
            let mut out = vec![9.0; kind.names().len()];
            kind.write(time, &mut out);
            let expected: Vec<f64> = (0..out.len()).map(|i| f64::from(u8::from(i == place))).collect();
            assert_eq!(out, expected, "{kind:?}");
        }
        let ends = |kind: Calendar| {
            let names = kind.names();
            (names[0].clone(), names[names.len() - 1].clone(), names.len())
        };
        assert_eq!(ends(Calendar::Month), ("month=1".into(), "month=12".into(), 12));
        assert_eq!(ends(Calendar::Quarter), ("quarter=1".into(), "quarter=4".into(), 4));
        assert_eq!(ends(Calendar::Weekday), ("weekday=Mon".into(), "weekday=Sun".into(), 7));
        assert_eq!(ends(Calendar::Hour), ("hour=0".into(), "hour=23".into(), 24));
        assert_eq!(Calendar::Weekday.names()[4], "weekday=Fri");
        let mut out = [0.0; 2];
        Calendar::Season.write(Date::constant(2008, 1, 1).at(0, 0, 0, 0), &mut out);
        assert_eq!(out, [0.0, 1.0]);
        Calendar::Season.write(Date::constant(2008, 7, 2).at(0, 0, 0, 0), &mut out);
        assert!(out[0].abs() < 1e-14 && (out[1] + 1.0).abs() < 1e-14, "{out:?}");
    }
}
