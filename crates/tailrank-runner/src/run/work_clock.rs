//! Time at work: a process that is stopped (Slurm's suspend, `SIGSTOP`) must not find its fits past their
//! limit when it goes on.

use super::*;

/// How often the clock is looked at while fits run.
pub(super) const TICK: Duration = Duration::from_millis(20);

/// Whatever lies between two looks counts as this much at most: fifty ticks, for a busy machine.
const MOST: Duration = Duration::from_secs(1);

/// Counts time as long as someone looks at it.
pub(super) struct WorkClock {
    looked: Instant,
    counted: Duration,
}

impl WorkClock {
    /// Starts at zero.
    pub(super) fn new() -> Self {
        Self { looked: Instant::now(), counted: Duration::ZERO }
    }

    /// Time at work since the start; call it every [`TICK`].
    pub(super) fn look(&mut self) -> Duration {
        let now = Instant::now();
        self.counted += now.duration_since(self.looked).min(MOST);
        self.looked = now;
        self.counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_gap_counts_little() {
        let mut clock = WorkClock::new();
        clock.looked -= Duration::from_secs(60);
        assert_eq!(clock.look(), MOST);
        thread::sleep(Duration::from_millis(5));
        let later = clock.look();
        assert!(later >= MOST + Duration::from_millis(5) && later < 3 * MOST, "{later:?}");
    }
}
