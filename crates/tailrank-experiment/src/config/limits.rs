//! `[limits]`: what a run may use.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::problem::{Problem, Problems};

/// Limits of time and memory.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Seconds one cell may take; no limit if absent.
    pub cell_seconds: Option<f64>,
    /// Memory for all cells that run together, in MB.
    pub memory_mb: usize,
    /// Fit each cell in a process of its own, which the system holds to `memory_mb`: an abort, a crash or a
    /// want of memory then fails that cell alone.
    pub isolate: bool,
}

impl Limits {
    /// Time one cell may take; none when there is no limit, or one beyond any clock.
    pub fn cell_timeout(&self) -> Option<Duration> {
        const CENTURY: f64 = 3.2e9;
        self.cell_seconds.filter(|s| *s < CENTURY).and_then(|s| Duration::try_from_secs_f64(s).ok())
    }

    /// The same in milliseconds.
    pub fn cell_ms(&self) -> Option<u64> {
        self.cell_timeout().map(|t| t.as_millis().try_into().unwrap_or(u64::MAX))
    }

    /// The megabytes that the system holds a cell to, if it does.
    pub fn held_to_mb(&self) -> Option<usize> {
        self.isolate.then_some(self.memory_mb)
    }

    /// Memory for all cells that run together, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.memory_mb.saturating_mul(1 << 20)
    }

    /// What is wrong with these settings.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let mut limits = Problems::of("limits");
        let seconds = self.cell_seconds.unwrap_or(1.0);
        let expected = "is not a valid time; give seconds above 0, or leave it out";
        limits.number("cell_seconds", seconds, seconds > 0.0, expected);
        let message = "nothing fits in 0 MB; give the memory of all fits together";
        limits.check("memory_mb", self.memory_mb > 0, message);
        limits.check("isolate", !self.isolate || cfg!(unix), "needs a Unix system; leave it out here");
        limits.found
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { cell_seconds: None, memory_mb: 4096, isolate: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_said_means_four_gigabytes_and_no_clock() {
        let limits: Limits = toml::from_str("").unwrap();
        assert_eq!((limits.memory_bytes(), limits.cell_timeout(), limits.isolate), (4 << 30, None, false));
        assert!(limits.problems().is_empty());
        let keys = |text: &str| -> Vec<String> {
            toml::from_str::<Limits>(text).unwrap().problems().into_iter().map(|p| p.key).collect()
        };
        assert_eq!(keys("cell_seconds = 0\nmemory_mb = 0"), ["limits.cell_seconds", "limits.memory_mb"]);
        assert_eq!(keys("cell_seconds = nan"), ["limits.cell_seconds"]);
        assert_eq!(keys("cell_seconds = 1e-3\nmemory_mb = 1"), [""; 0]);
        let timeout =
            |seconds: f64| Limits { cell_seconds: Some(seconds), ..Limits::default() }.cell_timeout();
        assert_eq!(timeout(1.5), Some(Duration::from_millis(1500)));
        assert_eq!(timeout(1e300), None);
    }
}
