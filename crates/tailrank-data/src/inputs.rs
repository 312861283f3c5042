//! Inputs beside the series' own returns, each with its own look-back.

use crate::{DataError, PriceSeries, Result, returns};

/// An extra input, as a config names it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ExtraInput {
    /// Returns of another series over `horizon` sessions of its own, at `lags` sessions up to the origin.
    ///
    /// Sessions are matched by date: the other's last session on or before the origin counts as today.
    OtherReturns {
        /// The other series.
        series: PriceSeries,
        /// Horizon of its returns.
        horizon: usize,
        /// How many lagged returns.
        lags: usize,
    },
    /// Relative change of volume over one session, at `lags` sessions up to the origin.
    VolumeChange {
        /// How many lagged changes.
        lags: usize,
    },
    /// Distance of the price from its mean over the last `window` sessions: C(t)/mean − 1.
    MovingAverage {
        /// Sessions averaged, today included.
        window: usize,
    },
}

/// An extra input computed over a series: one value per session from `first` on.
///
/// Lags are read backwards from a session's place, so a window of lags is a view.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InputTrack {
    pub(crate) name: String,
    pub(crate) lags: usize,
    values: Vec<f64>,
    /// Index into `values` of each session's newest value; `None` for sessions before there is one.
    newest: Vec<Option<u32>>,
    /// The oldest session of the target series that each session's window reaches back to.
    reach: Vec<usize>,
}

impl InputTrack {
    /// The input at `place` (from 0) of a task; it must be whole in time for one label of `horizon` sessions.
    pub(crate) fn new(
        series: &PriceSeries,
        extra: &ExtraInput,
        horizon: usize,
        place: usize,
    ) -> Result<Self> {
        let refuse = |problem: String, fix: &str| DataError::Input {
            series: series.name().to_owned(),
            place,
            problem,
            fix: fix.to_owned(),
        };
        let settings = match extra {
            ExtraInput::OtherReturns { horizon, lags, .. } => vec![("horizon", *horizon), ("lags", *lags)],
            ExtraInput::VolumeChange { lags } => vec![("lags", *lags)],
            ExtraInput::MovingAverage { window } => vec![("window", *window)],
        };
        if let Some((name, _)) = settings.iter().find(|(_, value)| *value == 0) {
            return Err(refuse(format!("{name} = 0 is not allowed"), "give at least 1"));
        }
        let track = match extra {
            ExtraInput::OtherReturns { series: other, horizon, lags } => {
                Self::other_returns(series, other, *horizon, *lags)
            }
            ExtraInput::VolumeChange { lags } => {
                Self::volume_change(series, *lags).map_err(|(problem, fix)| refuse(problem, fix))?
            }
            ExtraInput::MovingAverage { window } => Self::moving_average(series, *window),
        };
        match track.first() {
            Some(first) if first + horizon < series.len() => Ok(track),
            _ => {
                let problem = format!("{} never has all its values before the last label begins", track.name);
                Err(refuse(problem, "give fewer lags, a shorter window or a series that starts earlier"))
            }
        }
    }

    /// The first session at which all lags are there.
    pub(crate) fn first(&self) -> Option<usize> {
        // Newest places grow with time, so the first full window starts the run of full windows.
        self.newest.iter().position(|n| n.is_some_and(|n| n as usize + 1 >= self.lags))
    }

    /// The oldest session that the window at `session` uses.
    pub(crate) fn reach(&self, session: usize) -> usize {
        self.reach[session]
    }

    /// Writes the lags at `session`, newest first.
    pub(crate) fn write(&self, session: usize, out: &mut [f64]) {
        let newest = self.place(session);
        for (k, slot) in out.iter_mut().enumerate() {
            *slot = self.values[newest - k];
        }
    }

    /// Where the newest value of `session` stands; meaningful from [`InputTrack::first`] on.
    pub(crate) fn place(&self, session: usize) -> usize {
        self.newest[session].map_or(0, |n| n as usize)
    }

    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    fn other_returns(series: &PriceSeries, other: &PriceSeries, horizon: usize, lags: usize) -> Self {
        let values = returns(other.prices(), horizon);
        let (mut newest, mut reach) = (Vec::with_capacity(series.len()), Vec::with_capacity(series.len()));
        for date in series.dates() {
            let today = other.dates().partition_point(|d| d <= date).checked_sub(1);
            let place = today.and_then(|t| t.checked_sub(horizon));
            newest.push(place.and_then(|p| u32::try_from(p).ok()));
            // The day of the other's oldest price, rounded down to a session of the target.
            let oldest = place.and_then(|p| (p + 1).checked_sub(lags)).map_or(0, |oldest| {
                series.dates().partition_point(|d| *d <= other.dates()[oldest]).saturating_sub(1)
            });
            reach.push(oldest);
        }
        Self { name: format!("{}_R{horizon}", other.name()), lags, values, newest, reach }
    }

    fn volume_change(series: &PriceSeries, lags: usize) -> std::result::Result<Self, (String, &'static str)> {
        let volumes = series.volumes().ok_or_else(|| {
            let problem = format!("{} has no volume column", series.name());
            (problem, "name it in the setting `volume`, or leave this input out")
        })?;
        if let Some(t) = volumes.iter().position(|v| !(v.is_finite() && *v > 0.0)) {
            // Rows may have been sorted: the date is what finds the place in the file.
            let volume = if volumes[t].is_nan() { "missing".to_owned() } else { volumes[t].to_string() };
            let problem = format!("the volume of {} is {volume}, which is not above zero", series.dates()[t]);
            return Err((problem, "fill the gap, or leave this input out"));
        }
        let newest =
            (0..series.len()).map(|t| t.checked_sub(1).and_then(|p| u32::try_from(p).ok())).collect();
        let reach = (0..series.len()).map(|t| t.saturating_sub(lags)).collect();
        Ok(Self { name: "dV".into(), lags, values: returns(volumes, 1), newest, reach })
    }

    fn moving_average(series: &PriceSeries, window: usize) -> Self {
        let prices = series.prices();
        // Each mean is summed afresh: a running sum would carry rounding from one row into all later ones.
        let values = prices
            .windows(window)
            .map(|w| {
                let mean = w.iter().sum::<f64>() / window as f64;
                w[window - 1] / mean - 1.0
            })
            .collect();
        let newest = (0..series.len())
            .map(|t| (t + 1).checked_sub(window).and_then(|p| u32::try_from(p).ok()))
            .collect();
        let reach = (0..series.len()).map(|t| (t + 1).saturating_sub(window)).collect();
        Self { name: format!("MA{window}"), lags: 1, values, newest, reach }
    }
}
