//! How long a run will take: the forecasts of its cells, corrected by how long the finished ones took.

use super::*;

/// What a fit costs besides the forecast, so that free cells do not weigh nothing.
const LEAST: f64 = 1e-3;

/// How long a run will take.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Forecast {
    /// Seconds of fitting left in all cells together.
    pub fit_seconds: f64,
    /// The same by the clock, if as many cells run on as do now; none when nothing runs.
    pub seconds: Option<f64>,
    /// Timed cells the forecast rests on; none: it is a guess by size alone.
    pub timed: usize,
}

/// `open` are the cells that are not done, with the seconds each has been running; `timings` the seconds of
/// every fit that was stored, by the key of its cell.
pub(super) fn forecast(
    listed: &[ListedCell],
    open: &[(&ListedCell, f64)],
    running: usize,
    timings: &[(String, f64)],
) -> Forecast {
    let cells: HashMap<&str, &ListedCell> = listed.iter().map(|c| (c.cell.as_str(), c)).collect();
    // Seconds taken and seconds forecast of the cells that were timed, by family and together.
    let mut paces: HashMap<&str, (f64, f64)> = HashMap::new();
    let mut all = (0.0, 0.0);
    let mut timed = 0;
    for (cell, seconds) in timings {
        let Some(cell) = cells.get(cell.as_str()) else { continue };
        for pace in [paces.entry(&cell.family).or_default(), &mut all] {
            *pace = (pace.0 + seconds, pace.1 + cell.seconds + LEAST);
        }
        timed += 1;
    }
    // A family that was not timed yet errs like the others, as far as is known.
    let ratio = |family: &str| match paces.get(family).unwrap_or(&all) {
        (taken, forecast) if *forecast > 0.0 => taken / forecast,
        _ => 1.0,
    };
    let fit_seconds = open
        .iter()
        .map(|(cell, running)| ((cell.seconds + LEAST) * ratio(&cell.family) - running).max(0.0))
        // The sum of nothing is -0.
        .sum::<f64>()
        + 0.0;
    let seconds = (running > 0).then(|| fit_seconds / running as f64);
    Forecast { fit_seconds, seconds, timed }
}
