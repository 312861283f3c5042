//! How far apart rows are.

use jiff::civil::Date;

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
    let mut days: Vec<i64> = dates.windows(2).map(|w| w[0].duration_until(w[1]).as_hours() / 24).collect();
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
