//! Series whose law is known.

/// The law of a series; each has variance near 1.
#[derive(Clone, Copy)]
pub(crate) enum Process {
    /// AR(1) with coefficient .2.
    Ar,
    /// The same with GARCH(1,1) errors as persistent as those of daily returns.
    Garch,
    /// A moving average over five steps.
    MovingAverage,
    /// Normal errors whose size switches between calm and storm, each for 100 steps on average.
    Regimes,
    /// Log-volatility that follows an AR(1) with coefficient .95.
    Volatility,
}

impl Process {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ar => "AR",
            Self::Garch => "GARCH",
            Self::MovingAverage => "MA",
            Self::Regimes => "regimes",
            Self::Volatility => "SV",
        }
    }

    /// Whether the number of cosines behind intervals was chosen on it.
    pub(crate) fn was_chosen_on(self) -> bool {
        matches!(self, Self::Ar | Self::Garch)
    }
}

/// Normal numbers and the series made of them (SplitMix64; Steele, Lea & Flood 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(part: u64, world: usize) -> Self {
        let mut random = Self((part << 56) ^ (world as u64).wrapping_mul(0xD134_2543_DE82_EF95));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Box & Muller (1958).
    pub(crate) fn normal(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// A series of this law, started 200 steps earlier.
    pub(crate) fn series(&mut self, n: usize, process: Process) -> Vec<f64> {
        let (mut variance, mut error, mut value) = (1.0, 0.0, 0.0);
        let mut log_volatility = 0.0;
        let mut is_calm = true;
        let mut past = [0.0; 5];
        let mut step = || match process {
            Process::Ar => {
                value = 0.2 * value + self.normal();
                value
            }
            Process::Garch => {
                variance = 0.05 + 0.08 * error * error + 0.87 * variance;
                error = f64::sqrt(variance) * self.normal();
                value = 0.2 * value + error;
                value
            }
            Process::MovingAverage => {
                past.rotate_right(1);
                past[0] = self.normal();
                past.iter().zip([1.0, 0.6, 0.4, 0.3, 0.2]).map(|(e, w)| w * e).sum::<f64>() / 1.28
            }
            Process::Regimes => {
                is_calm ^= self.unit() < 0.01;
                (if is_calm { 0.6 } else { 1.3 }) * self.normal()
            }
            Process::Volatility => {
                log_volatility = 0.95 * log_volatility + 0.13 * self.normal();
                f64::exp(log_volatility - 0.087) * self.normal()
            }
        };
        (0..n + 200).map(|_| step()).skip(200).collect()
    }
}
