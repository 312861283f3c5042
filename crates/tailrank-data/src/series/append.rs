//! Later sessions behind a series, and sessions that are still to come.

use jiff::{SignedDuration, civil::Date};

use super::PriceSeries;
use crate::{DataError, Result};

/// Prices of one session that differ by more than this share are not the same.
const SAME: f64 = 1e-6;

impl PriceSeries {
    /// This series followed by the sessions of another that are later.
    ///
    /// # Errors
    /// When both know a session and disagree about its price: a later file is often adjusted for dividends or
    /// splits, and the step from one to the other would look like a return.
    ///
    /// ```
    /// use tailrank_data::{Date, PriceSeries};
    /// let days = |from: i8| (from..from + 3).map(|d| Date::constant(2008, 7, d)).collect::<Vec<_>>();
    /// let old = PriceSeries::new("KO", days(7), vec![50.0, 51.0, 52.0], None)?;
    /// let new = PriceSeries::new("KO", days(9), vec![52.0, 53.0, 54.0], None)?;
    /// assert_eq!(old.followed_by(&new)?.prices(), [50.0, 51.0, 52.0, 53.0, 54.0]);
    ///
    /// let halved = PriceSeries::new("KO", days(9), vec![26.0, 26.5, 27.0], None)?;
    /// assert!(old.followed_by(&halved).is_err());
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn followed_by(&self, later: &Self) -> Result<Self> {
        let stamp = |series: &Self, i: usize| {
            series.times.as_ref().map_or_else(|| series.dates[i].at(0, 0, 0, 0), |t| t[i])
        };
        let Some(last) = self.len().checked_sub(1).map(|i| stamp(self, i)) else { return Ok(later.clone()) };
        let (mut mine, mut first_new) = (0, later.len());
        for i in 0..later.len() {
            let at = stamp(later, i);
            if at > last {
                first_new = i;
                break;
            }
            // Ends at the last session, which is not before this one.
            while stamp(self, mine) < at {
                mine += 1;
            }
            let (a, b) = (self.prices[mine], later.prices[i]);
            if stamp(self, mine) == at && (a - b).abs() > SAME * a.abs().max(b.abs()) {
                let problem = format!("its price of {} is {b}, in the run's own data {a}", later.dates[i]);
                let fix = "prices were adjusted since: run the experiment on the new file, or give the new sessions alone";
                return Err(DataError::file(&later.name, problem, fix));
            }
        }
        let times = match (&self.times, &later.times) {
            (None, None) => None,
            _ => {
                let new = (first_new..later.len()).map(|i| stamp(later, i));
                Some((0..self.len()).map(|i| stamp(self, i)).chain(new).collect())
            }
        };
        let volumes = self.volumes.as_ref().map(|old| {
            let new = |i: usize| later.volumes.as_ref().map_or(f64::NAN, |v| v[i]);
            old.iter().copied().chain((first_new..later.len()).map(new)).collect()
        });
        Ok(Self {
            column: self.column.clone(),
            name: self.name.clone(),
            dates: self.dates.iter().chain(&later.dates[first_new..]).copied().collect(),
            times,
            prices: self.prices.iter().chain(&later.prices[first_new..]).copied().collect(),
            volumes,
        })
    }

    /// This series with `sessions` more that are still to come: an embedding of it has rows whose inputs are
    /// known and whose targets are not. What stands there for prices and dates means nothing.
    #[must_use]
    pub fn with_future(&self, sessions: usize) -> Self {
        let mut series = self.clone();
        let (Some(&day), Some(&price)) = (self.dates.last(), self.prices.last()) else { return series };
        let days = (1..=sessions).scan(day, |day, _| {
            *day = day.tomorrow().unwrap_or(Date::MAX);
            Some(*day)
        });
        series.dates.extend(days);
        if let (Some(times), Some(last)) = (&mut series.times, self.times.as_ref().and_then(|t| t.last())) {
            let later = |i: usize| last.saturating_add(SignedDuration::from_hours(24 * i as i64));
            times.extend((1..=sessions).map(later));
        }
        series.prices = self.prices.iter().copied().chain(std::iter::repeat_n(price, sessions)).collect();
        if let Some(volumes) = &mut series.volumes {
            let last = volumes.last().copied().unwrap_or(f64::NAN);
            volumes.extend(std::iter::repeat_n(last, sessions));
        }
        series
    }
}
