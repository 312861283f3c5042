//! Durations as people say them.

use std::time::Duration;

/// `4.2 s`, `35 s`, `2 min 05 s`, `1 h 07 min`.
pub(crate) fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..=9 => format!("{:.1} s", time.as_secs_f64()),
        10..=59 => format!("{seconds} s"),
        60..=3599 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// [`span`] of a number of seconds.
pub(crate) fn seconds(time: f64) -> String {
    span(Duration::try_from_secs_f64(time.max(0.0)).unwrap_or(Duration::MAX))
}

/// A forecast, no finer than it is good: `a second`, `35 s`, `12 min`, `3.5 h`.
pub(crate) fn rough(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "a second".to_owned(),
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_grow_coarser() {
        let said = [4.24, 35.9, 125.0, 4020.0, -1.0].map(seconds);
        assert_eq!(said, ["4.2 s", "35 s", "2 min 05 s", "1 h 07 min", "0.0 s"]);
        assert_eq!([0.2, 35.4, 700.0, 12_600.0].map(rough), ["a second", "35 s", "12 min", "3.5 h"]);
    }
}
