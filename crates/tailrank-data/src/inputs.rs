//! Inputs beside the series' own lags, each with its own look-back.

use crate::{Calendar, DataError, PriceSeries, Result, Transform, returns};

/// An extra input, as a config names it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ExtraInput {
    /// Returns of another series over `horizon` sessions of its own, at `lags` sessions up to the origin.
    ///
    /// Sessions are matched by time: the other's last session on or before the origin counts as today.
    OtherReturns {
        /// The other series.
        series: PriceSeries,
        /// Horizon of its returns.
        horizon: usize,
        /// How many lagged returns.
        lags: usize,
    },
    /// As `OtherReturns`, of any kind: the levels of a temperature, the differences of a rate.
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

/// An extra input computed over a series.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InputTrack {
    pub(crate) name: String,
    kind: Track,
}

#[derive(Clone, Debug, PartialEq)]
enum Track {
    Lagged(Lagged),
    /// All inputs of every session, session after session.
    Calendar {
        names: Vec<String>,
        values: Vec<f64>,
    },
}

/// One value per session from some session on. Lags are read backwards from a session's place, so a window of lags is a
/// view.
#[derive(Clone, Debug, PartialEq)]
struct Lagged {
    lags: usize,
    values: Vec<f64>,
    /// Index into `values` of each session's newest value; `None` for sessions before there is one.
    newest: Vec<Option<u32>>,
    /// The oldest session of the target series that each session's window reaches back to.
    reach: Vec<usize>,
}

/// What is wrong with an input, and what to do.
type Refusal = (String, &'static str);

impl InputTrack {
    /// The input at `place` (from 0) of a task; it must be whole in time for one label of `horizon` sessions.
    pub(crate) fn new(
        series: &PriceSeries,
        extra: &ExtraInput,
        horizon: usize,
        place: usize,
    ) -> Result<Self> {
        let refuse = |(problem, fix): Refusal| DataError::Input {
            series: series.name().to_owned(),
            place,
            problem,
            fix: fix.to_owned(),
        };
        let settings = match extra {
            ExtraInput::OtherReturns { horizon, lags, .. }
            | ExtraInput::OtherValues { horizon, lags, .. } => {
                vec![("horizon", *horizon), ("lags", *lags)]
            }
            ExtraInput::VolumeChange { lags } => vec![("lags", *lags)],
            ExtraInput::MovingAverage { window } => vec![("window", *window)],
            ExtraInput::Calendar(_) => Vec::new(),
        };
        if let Some((name, _)) = settings.iter().find(|(_, value)| *value == 0) {
            return Err(refuse((format!("{name} = 0 is not allowed"), "give at least 1")));
        }
        let track = match extra {
            ExtraInput::OtherReturns { series: other, horizon, lags } => {
                Self::other(series, other, Transform::Return, *horizon, *lags)
            }
            ExtraInput::OtherValues { series: other, transform, horizon, lags } => {
                Self::other(series, other, *transform, *horizon, *lags)
            }
            ExtraInput::VolumeChange { lags } => Self::volume_change(series, *lags),
            ExtraInput::MovingAverage { window } => Self::moving_average(series, *window),
            ExtraInput::Calendar(calendar) => Self::calendar(series, *calendar),
        }
        .map_err(refuse)?;
        match track.first() {
            Some(first) if first + horizon < series.len() => Ok(track),
            _ => {
                let problem = format!("{} never has all its values before the last label begins", track.name);
                Err(refuse((problem, "give fewer lags, a shorter window or a series that starts earlier")))
            }
        }
    }

    /// How many inputs it makes.
    pub(crate) fn cols(&self) -> usize {
        match &self.kind {
            Track::Lagged(track) => track.lags,
            Track::Calendar { names, .. } => names.len(),
        }
    }

    /// Names of its inputs.
    pub(crate) fn names(&self) -> Vec<String> {
        match &self.kind {
            Track::Lagged(track) => lagged_names(&self.name, track.lags),
            Track::Calendar { names, .. } => names.clone(),
        }
    }

    /// The first session at which all lags are there.
    pub(crate) fn first(&self) -> Option<usize> {
        match &self.kind {
            // Newest places grow with time, so the first full window starts the run of full windows.
            Track::Lagged(track) => {
                track.newest.iter().position(|n| n.is_some_and(|n| n as usize + 1 >= track.lags))
            }
            Track::Calendar { .. } => Some(0),
        }
    }

    /// The oldest session that the window at `session` uses.
    pub(crate) fn reach(&self, session: usize) -> usize {
        match &self.kind {
            Track::Lagged(track) => track.reach[session],
            Track::Calendar { .. } => session,
        }
    }

    /// Writes the inputs at `session`, lags newest first.
    pub(crate) fn write(&self, session: usize, out: &mut [f64]) {
        let newest = self.place(session);
        match &self.kind {
            Track::Lagged(track) => {
                for (k, slot) in out.iter_mut().enumerate() {
                    *slot = track.values[newest - k];
                }
            }
            Track::Calendar { values, .. } => out.copy_from_slice(&values[newest..newest + out.len()]),
        }
    }

    /// Where the newest value of `session` stands; meaningful from [`InputTrack::first`] on.
    pub(crate) fn place(&self, session: usize) -> usize {
        match &self.kind {
            Track::Lagged(track) => track.newest[session].map_or(0, |n| n as usize),
            Track::Calendar { names, .. } => session * names.len(),
        }
    }

    pub(crate) fn values(&self) -> &[f64] {
        match &self.kind {
            Track::Lagged(track) => &track.values,
            Track::Calendar { values, .. } => values,
        }
    }

    fn other(
        series: &PriceSeries,
        other: &PriceSeries,
        transform: Transform,
        horizon: usize,
        lags: usize,
    ) -> std::result::Result<Self, Refusal> {
        if let Some(wrong) = other.prices().iter().position(|v| !transform.domain().holds(*v)) {
            let value = other.prices()[wrong];
            let problem = format!(
                "{} is {value} on {}, and a {transform} needs values above zero",
                other.name(),
                other.dates()[wrong]
            );
            return Err((problem, "take its differences or levels"));
        }
        let values = transform.of(other.prices(), horizon);
        let back = transform.reach(horizon);
        let (mut newest, mut reach) = (Vec::with_capacity(series.len()), Vec::with_capacity(series.len()));
        for session in 0..series.len() {
            let today = other.known_at(series, session).checked_sub(1);
            let place = today.and_then(|t| t.checked_sub(back));
            newest.push(place.and_then(|p| u32::try_from(p).ok()));
            // The day of the other's oldest price, rounded down to a session of the target.
            let oldest = place.and_then(|p| (p + 1).checked_sub(lags)).map_or(0, |oldest| {
                let day = other.dates()[oldest];
                series.dates().partition_point(|d| *d <= day).saturating_sub(1).min(session)
            });
            reach.push(oldest);
        }
        let name = match transform {
            Transform::Level => other.name().to_owned(),
            _ => format!("{}_{}", other.name(), transform.symbol(horizon)),
        };
        Ok(Self { name, kind: Track::Lagged(Lagged { lags, values, newest, reach }) })
    }

    fn volume_change(series: &PriceSeries, lags: usize) -> std::result::Result<Self, Refusal> {
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
        let kind = Track::Lagged(Lagged { lags, values: returns(volumes, 1), newest, reach });
        Ok(Self { name: "dV".into(), kind })
    }

    fn moving_average(series: &PriceSeries, window: usize) -> std::result::Result<Self, Refusal> {
        let prices = series.prices();
        if !series.is_positive() {
            let problem =
                format!("{} has values of zero or below, which have no ratio to their mean", series.name());
            return Err((problem, "leave this input out"));
        }
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
        let kind = Track::Lagged(Lagged { lags: 1, values, newest, reach });
        Ok(Self { name: format!("MA{window}"), kind })
    }

    fn calendar(series: &PriceSeries, calendar: Calendar) -> std::result::Result<Self, Refusal> {
        if calendar == Calendar::Hour && series.times().is_none() {
            return Err((format!("{} has no times of day", series.name()), "leave this input out"));
        }
        let names = calendar.names();
        let mut values = vec![0.0; names.len() * series.len()];
        for (session, out) in values.chunks_mut(names.len()).enumerate() {
            let midnight = || series.dates()[session].at(0, 0, 0, 0);
            calendar.write(series.times().map_or_else(midnight, |times| times[session]), out);
        }
        Ok(Self { name: calendar.id().to_owned(), kind: Track::Calendar { names, values } })
    }
}

/// `R3(t)`, `R3(t-1)`, …
pub(crate) fn lagged_names(name: &str, lags: usize) -> Vec<String> {
    (0..lags).map(|k| if k == 0 { format!("{name}(t)") } else { format!("{name}(t-{k})") }).collect()
}
