//! Inputs beside the series' own lags, each with its own look-back.

use jiff::civil::Date;

use crate::{Calendar, DataError, PriceSeries, Result, Transform, returns};

/// An extra input, as a config names it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ExtraInput {
    /// Values of another series over `horizon` sessions of its own, at `lags` sessions up to the origin: its
    /// returns, the levels of a temperature, the differences of a rate.
    ///
    /// Sessions are matched by time: the other's last session on or before the origin counts as today.
    OtherValues {
        /// The other series.
        series: PriceSeries,
        /// What is taken of it.
        transform: Transform,
        /// Over how many of its sessions; of no account for levels.
        horizon: usize,
        /// How many lagged values.
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
    /// What the calendar says of the origin.
    Calendar(Calendar),
}

/// An extra input computed over a series. A session's inputs stand together in `values`, so they are a view.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InputTrack {
    pub(crate) name: String,
    /// Names of its inputs.
    pub(crate) names: Vec<String>,
    pub(crate) values: Vec<f64>,
    /// Where each session's first input stands in `values`; `None` for sessions before there is one.
    places: Vec<Option<usize>>,
    /// The oldest session of the target series that each session's inputs reach back to.
    pub(crate) reach: Vec<usize>,
    /// Whether inputs are lags, newest first, and so are read backwards.
    is_lagged: bool,
}

/// What is wrong with an input, and what to do.
type Refusal = (String, &'static str);
type Found = std::result::Result<InputTrack, Refusal>;

impl InputTrack {
    /// The input `at` this place (from 0) of a task; it must be whole in time for one label of `horizon`
    /// sessions.
    pub(crate) fn new(series: &PriceSeries, extra: &ExtraInput, horizon: usize, at: usize) -> Result<Self> {
        Self::of(series, extra, horizon).map_err(|(problem, fix)| DataError::Input {
            series: series.name().to_owned(),
            place: at,
            problem,
            fix: fix.to_owned(),
        })
    }

    fn of(series: &PriceSeries, extra: &ExtraInput, horizon: usize) -> Found {
        let settings = match extra {
            ExtraInput::OtherValues { horizon, lags, .. } => vec![("horizon", *horizon), ("lags", *lags)],
            ExtraInput::VolumeChange { lags } => vec![("lags", *lags)],
            ExtraInput::MovingAverage { window } => vec![("window", *window)],
            ExtraInput::Calendar(_) => Vec::new(),
        };
        if let Some((name, _)) = settings.iter().find(|(_, value)| *value == 0) {
            return Err((format!("{name} = 0 is not allowed"), "give at least 1"));
        }
        let track = match extra {
            ExtraInput::OtherValues { series: other, transform, horizon, lags } => {
                Self::other(series, other, *transform, *horizon, *lags)
            }
            ExtraInput::VolumeChange { lags } => Self::volume_change(series, *lags),
            ExtraInput::MovingAverage { window } => Self::moving_average(series, *window),
            ExtraInput::Calendar(calendar) => Self::calendar(series, *calendar),
        }?;
        if track.first().is_some_and(|first| first + horizon < series.len()) {
            return Ok(track);
        }
        let problem = format!("{} never has all its values before the last label begins", track.name);
        Err((problem, "give fewer lags, a shorter window or a series that starts earlier"))
    }

    /// One value per session from some session on, of which each session has its newest and `lags` − 1 before
    /// it.
    fn lagged(
        name: String,
        lags: usize,
        values: Vec<f64>,
        places: Vec<Option<usize>>,
        reach: impl Fn(usize) -> usize,
    ) -> Self {
        let reach = (0..places.len()).map(reach).collect();
        Self { names: lagged_names(&name, lags), name, values, places, reach, is_lagged: true }
    }

    /// The first session at which all inputs are there. Places grow with time, so all later ones have them
    /// too.
    pub(crate) fn first(&self) -> Option<usize> {
        let is_full = |place: usize| !self.is_lagged || place + 1 >= self.names.len();
        self.places.iter().position(|place| place.is_some_and(is_full))
    }

    /// Writes the inputs at `session`, lags newest first.
    pub(crate) fn write(&self, session: usize, out: &mut [f64]) {
        let first = self.place(session);
        if self.is_lagged {
            out.iter_mut().enumerate().for_each(|(k, slot)| *slot = self.values[first - k]);
        } else {
            out.copy_from_slice(&self.values[first..first + out.len()]);
        }
    }

    /// Where the first input of `session` stands; meaningful from [`InputTrack::first`] on.
    pub(crate) fn place(&self, session: usize) -> usize {
        self.places[session].unwrap_or(0)
    }

    fn other(
        series: &PriceSeries,
        other: &PriceSeries,
        transform: Transform,
        horizon: usize,
        lags: usize,
    ) -> Found {
        if let Some(wrong) = other.prices().iter().position(|v| !transform.domain().holds(*v)) {
            let (name, value, day) = (other.name(), other.prices()[wrong], other.dates()[wrong]);
            let problem = format!("{name} is {value} on {day}, and a {transform} needs values above zero");
            return Err((problem, "take its differences or levels"));
        }
        let back = transform.reach(horizon);
        let place = |session: usize| other.known_at(series, session).checked_sub(1 + back);
        let places: Vec<Option<usize>> = (0..series.len()).map(place).collect();
        // The day of the other's oldest price, rounded down to a session of the target.
        let oldest = places.iter().map(|place| place.and_then(|place| (place + 1).checked_sub(lags)));
        let days: Vec<Option<Date>> = oldest.map(|oldest| oldest.map(|at| other.dates()[at])).collect();
        let reach = |session: usize| {
            days[session]
                .map_or(0, |day| series.dates().partition_point(|d| *d <= day).saturating_sub(1).min(session))
        };
        let name = match transform {
            Transform::Level => other.name().to_owned(),
            _ => format!("{}_{}", other.name(), transform.symbol(horizon)),
        };
        Ok(Self::lagged(name, lags, transform.of(other.prices(), horizon), places, reach))
    }

    fn volume_change(series: &PriceSeries, lags: usize) -> Found {
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
        let places = (0..series.len()).map(|t| t.checked_sub(1)).collect();
        Ok(Self::lagged("dV".into(), lags, returns(volumes, 1), places, |t| t.saturating_sub(lags)))
    }

    fn moving_average(series: &PriceSeries, window: usize) -> Found {
        if !series.is_positive() {
            let problem =
                format!("{} has values of zero or below, which have no ratio to their mean", series.name());
            return Err((problem, "leave this input out"));
        }
        // Each mean is summed afresh: a running sum would carry rounding from one row into all later ones.
        let distance = |w: &[f64]| w[window - 1] / (w.iter().sum::<f64>() / window as f64) - 1.0;
        let values = series.prices().windows(window).map(distance).collect();
        let places = (0..series.len()).map(|t| (t + 1).checked_sub(window)).collect();
        Ok(Self::lagged(format!("MA{window}"), 1, values, places, |t| (t + 1).saturating_sub(window)))
    }

    fn calendar(series: &PriceSeries, calendar: Calendar) -> Found {
        if calendar == Calendar::Hour && series.times().is_none() {
            return Err((format!("{} has no times of day", series.name()), "leave this input out"));
        }
        let names = calendar.names();
        let mut values = vec![0.0; names.len() * series.len()];
        for (session, out) in values.chunks_mut(names.len()).enumerate() {
            let midnight = || series.dates()[session].at(0, 0, 0, 0);
            calendar.write(series.times().map_or_else(midnight, |times| times[session]), out);
        }
        let places = (0..series.len()).map(|session| Some(session * names.len())).collect();
        let reach = (0..series.len()).collect();
        Ok(Self { name: calendar.id().to_owned(), names, values, places, reach, is_lagged: false })
    }
}

/// `R3(t)`, `R3(t-1)`, …
pub(crate) fn lagged_names(name: &str, lags: usize) -> Vec<String> {
    (0..lags).map(|k| if k == 0 { format!("{name}(t)") } else { format!("{name}(t-{k})") }).collect()
}
