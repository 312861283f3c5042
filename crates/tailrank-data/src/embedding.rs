//! Lagged returns as inputs, the next return as target (PR09 §5.2), and the same for differences and levels.
//! Lag windows are views of one transformed series.

use std::sync::Arc;

use jiff::civil::{Date, DateTime};

use crate::{
    DataError, Interval, PriceSeries, Result, Timeline,
    hash::{ContentHash, Hasher},
    inputs::{ExtraInput, InputTrack, lagged_names},
    transform::Transform,
};

/// Rows of R_h(t), R_h(t−1), …, R_h(t−p+1), then extra inputs, with target R_h(t+h); R is a return, or what
/// [`Transform`] else takes of a series.
///
/// The transformed series is held once: n values instead of n·p. [`Embedding::materialise`] builds the rows
/// of a task.
///
/// ```
/// use tailrank_data::{Embedding, synthetic};
/// let series = synthetic::series("S", 100, 1)?;
/// let embedding = Embedding::new(&series, 3, 24)?;
/// assert_eq!(embedding.rows(), 100 - 2 * 3 - 24 + 1);
/// assert_eq!(embedding.cols(), 24);
/// let first = embedding.materialise(0..1);
/// assert_eq!(first.len(), 24);
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding {
    name: String,
    transform: Transform,
    horizon: usize,
    lags: usize,
    dates: Vec<Date>,
    times: Option<Vec<DateTime>>,
    prices: Arc<[f64]>,
    /// R_h(t) at place t − h, a level at place t.
    values: Vec<f64>,
    extras: Vec<InputTrack>,
    /// The session of row 0.
    first_origin: usize,
    rows: usize,
}

impl Embedding {
    /// Embeds a series by its own returns over `horizon` sessions, at `lags` sessions up to the origin.
    pub fn new(series: &PriceSeries, horizon: usize, lags: usize) -> Result<Self> {
        Self::of(series, Transform::Return, horizon, lags, &[])
    }

    /// As [`Embedding::new`], for what `transform` takes of the series, of which the target and its lags are,
    /// with further inputs; rows start where every input is there.
    ///
    /// ```
    /// use tailrank_data::{Calendar, Date, Embedding, ExtraInput, PriceSeries, Transform};
    /// let days: Vec<Date> = (1..=6).map(|d| Date::constant(2008, 7, d)).collect();
    /// let rain = PriceSeries::of_values("rain", days, vec![0.0, 3.0, 0.0, 0.0, 8.0, 1.0])?;
    /// let weekday = [ExtraInput::Calendar(Calendar::Weekday)];
    /// let embedding = Embedding::of(&rain, Transform::Level, 1, 2, &weekday)?;
    /// assert_eq!(embedding.targets(), [0.0, 0.0, 8.0, 1.0]);
    /// assert_eq!(embedding.materialise([0])[..2], [3.0, 0.0]);
    /// assert_eq!(embedding.input_names()[..3], ["Y(t)", "Y(t-1)", "weekday=Mon"]);
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn of(
        series: &PriceSeries,
        transform: Transform,
        horizon: usize,
        lags: usize,
        extras: &[ExtraInput],
    ) -> Result<Self> {
        for (name, value) in [("horizon", horizon), ("lags", lags)] {
            if value == 0 || value > MAX_SETTING {
                return Err(DataError::setting(name, value, format!("1 … {MAX_SETTING}")));
            }
        }
        let sessions = series.len();
        let own_origin = transform.reach(horizon) + lags - 1;
        // Before the inputs, so that a short series is not blamed on one of them; each is whole in time for
        // one row.
        if sessions <= own_origin + horizon {
            return Err(DataError::TooShort {
                name: series.name().to_owned(),
                sessions,
                horizon,
                look_back: own_origin,
                needed: own_origin + horizon + 1,
            });
        }
        if let Some(t) = series.prices().iter().position(|value| !transform.domain().holds(*value)) {
            let (name, value, day) = (series.name(), series.prices()[t], series.dates()[t]);
            let expected = format!(
                "{name} is {value} on {day}, and a {transform} needs values above zero; predict its differences or levels"
            );
            return Err(DataError::setting("kind", format!("\"{transform}\""), expected));
        }
        let track = |(place, extra)| InputTrack::new(series, extra, horizon, place);
        let extras = extras.iter().enumerate().map(track).collect::<Result<Vec<_>>>()?;
        let first_origin = extras.iter().filter_map(InputTrack::first).fold(own_origin, usize::max);
        let rows = sessions.saturating_sub(first_origin + horizon);
        Ok(Self {
            name: series.name().to_owned(),
            transform,
            horizon,
            lags,
            dates: series.dates().to_vec(),
            times: series.times().map(<[_]>::to_vec),
            prices: Arc::clone(&series.prices),
            values: transform.of(series.prices(), horizon),
            extras,
            first_origin,
            rows,
        })
    }

    /// The series' name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is predicted of the series, and what its lags are.
    pub fn transform(&self) -> Transform {
        self.transform
    }

    /// Sessions between origin and label end.
    pub fn horizon(&self) -> usize {
        self.horizon
    }

    /// Lags of the series itself.
    pub fn lags(&self) -> usize {
        self.lags
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of inputs.
    pub fn cols(&self) -> usize {
        self.lags + self.extras.iter().map(|extra| extra.names.len()).sum::<usize>()
    }

    /// `R3(t)`, `R3(t-1)`, …, and the names of extra inputs.
    pub fn input_names(&self) -> Vec<String> {
        let own = lagged_names(&self.transform.symbol(self.horizon), self.lags);
        own.into_iter().chain(self.extras.iter().flat_map(|extra| extra.names.clone())).collect()
    }

    /// `R3(t+3)`.
    pub fn target_name(&self) -> String {
        format!("{}(t+{})", self.transform.symbol(self.horizon), self.horizon)
    }

    /// The targets of all rows: a view of the transformed series.
    pub fn targets(&self) -> &[f64] {
        // Target R_h(t+h) stands at place t + h − h = t, a level at t + h.
        let first = self.first_origin + self.horizon - self.transform.reach(self.horizon);
        &self.values[first..first + self.rows]
    }

    /// The series' own lags of `row`, oldest first: a view.
    pub fn window(&self, row: usize) -> &[f64] {
        let newest = self.first_origin + row - self.transform.reach(self.horizon);
        &self.values[newest + 1 - self.lags..=newest]
    }

    /// The inputs of the chosen rows, row after row: lags newest first, extras after.
    pub fn materialise(&self, rows: impl IntoIterator<Item = usize>) -> Vec<f64> {
        let rows = rows.into_iter();
        let mut out = Vec::with_capacity(rows.size_hint().0 * self.cols());
        for row in rows {
            out.extend(self.window(row).iter().rev());
            for extra in &self.extras {
                let from = out.len();
                out.resize(from + extra.names.len(), 0.0);
                extra.write(self.first_origin + row, &mut out[from..]);
            }
        }
        out
    }

    /// Sessions used by `row`.
    pub fn interval(&self, row: usize) -> Interval {
        let origin = self.first_origin + row;
        let own = origin + 1 - self.lags - self.transform.reach(self.horizon);
        let start = self.extras.iter().map(|e| e.reach[origin]).fold(own, usize::min);
        Interval { start, origin, end: origin + self.horizon }
    }

    /// The date at which the prediction of `row` is made.
    pub fn origin_date(&self, row: usize) -> Date {
        self.dates[self.first_origin + row]
    }

    /// The date at which the truth of `row` is known.
    pub fn label_end_date(&self, row: usize) -> Date {
        self.dates[self.first_origin + row + self.horizon]
    }

    /// The time at which the prediction of `row` is made, where several sessions share a day.
    pub fn origin_time(&self, row: usize) -> Option<DateTime> {
        self.times.as_ref().map(|times| times[self.first_origin + row])
    }

    /// The price (or other value) at the origin of `row`.
    ///
    /// ```
    /// use tailrank_data::{Embedding, synthetic};
    /// let series = synthetic::series("S", 100, 1)?;
    /// let embedding = Embedding::new(&series, 3, 24)?;
    /// let (now, then) = (embedding.origin_price(0), embedding.origin_price(3));
    /// assert!((then / now - 1.0 - embedding.targets()[0]).abs() < 1e-15);
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn origin_price(&self, row: usize) -> f64 {
        self.prices[self.first_origin + row]
    }

    /// Intervals and origin dates of all rows.
    pub fn timeline(&self) -> Timeline {
        let intervals = (0..self.rows).map(|r| self.interval(r)).collect();
        Timeline::new(intervals, self.dates[self.first_origin..self.first_origin + self.rows].to_vec())
    }

    /// A hash of everything rows are made from; names of series count only where they name inputs.
    pub fn content_hash(&self) -> ContentHash {
        let mut hasher = Hasher::new("embedding");
        // Of returns and days nothing is said: the seeds of published runs are drawn from this hash.
        if self.transform != Transform::Return {
            hasher.text(self.transform.id());
        }
        for count in [self.horizon, self.lags, self.first_origin, self.rows] {
            hasher.count(count);
        }
        hasher.dates(&self.dates);
        if let Some(times) = &self.times {
            hasher.times(times);
        }
        hasher.numbers(&self.values);
        for extra in &self.extras {
            hasher.text(&extra.name);
            hasher.count(extra.names.len());
            hasher.numbers(&extra.values);
            (0..self.rows).for_each(|row| hasher.count(extra.place(self.first_origin + row)));
        }
        hasher.finish()
    }
}

/// Far above any sense, far below overflow.
const MAX_SETTING: usize = 1 << 24;
