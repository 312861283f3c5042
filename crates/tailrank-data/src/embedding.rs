//! Lagged returns as inputs, the next return as target (PR09 §5.2). Lag windows are views of one return series.

use std::sync::Arc;

use jiff::civil::Date;

use crate::{
    DataError, Interval, PriceSeries, Result, Timeline,
    hash::{ContentHash, Hasher},
    inputs::{ExtraInput, InputTrack},
    returns,
};

/// Rows of R_h(t), R_h(t−1), …, R_h(t−p+1), then extra inputs, with target R_h(t+h).
///
/// The return series is held once: n values instead of n·p. [`Embedding::materialise`] builds the rows of a task.
///
/// ```
/// use tailrank_data::{Embedding, synthetic::Synthetic};
/// let series = Synthetic::default().series("S", 100, 1)?;
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
    horizon: usize,
    lags: usize,
    dates: Vec<Date>,
    prices: Arc<[f64]>,
    /// R_h(t) at place t − h.
    returns: Vec<f64>,
    extras: Vec<InputTrack>,
    /// The session of row 0.
    first_origin: usize,
    rows: usize,
}

impl Embedding {
    /// Embeds a series by its own returns over `horizon` sessions, at `lags` sessions up to the origin.
    pub fn new(series: &PriceSeries, horizon: usize, lags: usize) -> Result<Self> {
        Self::with_inputs(series, horizon, lags, &[])
    }

    /// As [`Embedding::new`], with further inputs; rows start where every input is there.
    pub fn with_inputs(
        series: &PriceSeries,
        horizon: usize,
        lags: usize,
        extras: &[ExtraInput],
    ) -> Result<Self> {
        for (name, value) in [("horizon", horizon), ("lags", lags)] {
            if value == 0 || value > MAX_SETTING {
                let expected = format!("1 … {MAX_SETTING}");
                return Err(DataError::Setting { name, value: value.to_string(), expected });
            }
        }
        let sessions = series.len();
        let own_origin = horizon + lags - 1;
        // Before the inputs, so that a short series is not blamed on one of them; each is whole in time for one row.
        if sessions <= own_origin + horizon {
            return Err(DataError::TooShort {
                name: series.name().to_owned(),
                sessions,
                horizon,
                look_back: own_origin,
                needed: own_origin + horizon + 1,
            });
        }
        let track = |(place, extra)| InputTrack::new(series, extra, horizon, place);
        let extras = extras.iter().enumerate().map(track).collect::<Result<Vec<_>>>()?;
        let first_origin = extras.iter().filter_map(InputTrack::first).fold(own_origin, usize::max);
        let rows = sessions.saturating_sub(first_origin + horizon);
        Ok(Self {
            name: series.name().to_owned(),
            horizon,
            lags,
            dates: series.dates().to_vec(),
            prices: series.shared_prices(),
            returns: returns(series.prices(), horizon),
            extras,
            first_origin,
            rows,
        })
    }

    /// The series' name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sessions between origin and label end.
    pub fn horizon(&self) -> usize {
        self.horizon
    }

    /// Lags of the series' own returns.
    pub fn lags(&self) -> usize {
        self.lags
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of inputs.
    pub fn cols(&self) -> usize {
        self.lags + self.extras.iter().map(|e| e.lags).sum::<usize>()
    }

    /// `R3(t)`, `R3(t-1)`, …, and the names of extra inputs.
    pub fn input_names(&self) -> Vec<String> {
        let own = lagged(&format!("R{}", self.horizon), self.lags);
        own.into_iter().chain(self.extras.iter().flat_map(|e| lagged(&e.name, e.lags))).collect()
    }

    /// `R3(t+3)`.
    pub fn target_name(&self) -> String {
        format!("R{0}(t+{0})", self.horizon)
    }

    /// The targets of all rows: a view of the return series.
    pub fn targets(&self) -> &[f64] {
        // Target R_h(t+h) stands at place t + h − h = t.
        &self.returns[self.first_origin..self.first_origin + self.rows]
    }

    /// The series' own lagged returns of `row`, oldest first: a view.
    pub fn window(&self, row: usize) -> &[f64] {
        let newest = self.first_origin + row - self.horizon;
        &self.returns[newest + 1 - self.lags..=newest]
    }

    /// Writes the inputs of `row` into `out`, newest lag first, extras after.
    pub fn write_row(&self, row: usize, out: &mut [f64]) {
        let (own, mut rest) = out.split_at_mut(self.lags);
        for (slot, value) in own.iter_mut().zip(self.window(row).iter().rev()) {
            *slot = *value;
        }
        for extra in &self.extras {
            let (here, next) = rest.split_at_mut(extra.lags);
            extra.write(self.first_origin + row, here);
            rest = next;
        }
    }

    /// The inputs of the chosen rows, row after row.
    pub fn materialise(&self, rows: impl IntoIterator<Item = usize>) -> Vec<f64> {
        let rows = rows.into_iter();
        let cols = self.cols();
        let mut out = Vec::with_capacity(rows.size_hint().0 * cols);
        for row in rows {
            let from = out.len();
            out.resize(from + cols, 0.0);
            self.write_row(row, &mut out[from..]);
        }
        out
    }

    /// Sessions used by `row`.
    pub fn interval(&self, row: usize) -> Interval {
        let origin = self.first_origin + row;
        let own = origin + 1 - self.lags - self.horizon;
        let start = self.extras.iter().map(|e| e.reach(origin)).fold(own, usize::min);
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

    /// The price at the origin of `row`.
    ///
    /// ```
    /// use tailrank_data::{Embedding, synthetic::Synthetic};
    /// let series = Synthetic::default().series("S", 100, 1)?;
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
        hasher.counts(&[self.horizon, self.lags, self.first_origin, self.rows]);
        hasher.dates(&self.dates);
        hasher.numbers(&self.returns);
        for extra in &self.extras {
            hasher.text(&extra.name);
            hasher.counts(&[extra.lags]);
            hasher.numbers(extra.values());
            for row in 0..self.rows {
                hasher.counts(&[extra.place(self.first_origin + row)]);
            }
        }
        hasher.finish()
    }
}

/// Far above any sense, far below overflow.
const MAX_SETTING: usize = 1 << 24;

fn lagged(name: &str, lags: usize) -> Vec<String> {
    (0..lags).map(|k| if k == 0 { format!("{name}(t)") } else { format!("{name}(t-{k})") }).collect()
}
