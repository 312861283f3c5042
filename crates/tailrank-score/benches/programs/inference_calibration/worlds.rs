//! Series whose law is known, and random numbers.

/// The law of a series; each has variance near 1.
#[derive(Clone, Copy)]
pub(crate) enum Process {
    /// An autoregression of this coefficient.
    Ar(f64),
    /// GARCH(1,1) with jumps in volatility that fade faster than those of daily returns.
    Garch,
    /// Log-volatility that follows an AR(1) with coefficient .9.
    Volatility,
    /// The mean of the last four values of white noise, at the size of one.
    MovingAverage,
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

    /// Student's t with five degrees of freedom, at variance 1.
    pub(crate) fn heavy(&mut self) -> f64 {
        let squares: f64 = (0..5).map(|_| self.normal().powi(2)).sum();
        f64::sqrt(3.0 / squares) * self.normal()
    }

    pub(crate) fn normals(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.normal()).collect()
    }

    /// A series of this law, started 300 steps earlier.
    pub(crate) fn series(&mut self, n: usize, process: Process) -> Vec<f64> {
        let (mut variance, mut error, mut value, mut log_volatility) = (1.0, 0.0, 0.0, 0.0);
        let mut last = [0.0; 4];
        let mut step = || match process {
            Process::Ar(rho) => {
                value = rho * value + f64::sqrt(1.0 - rho * rho) * self.normal();
                value
            }
            Process::Garch => {
                variance = 0.1 + 0.15 * error * error + 0.75 * variance;
                error = f64::sqrt(variance) * self.normal();
                error
            }
            Process::Volatility => {
                log_volatility = 0.9 * log_volatility + 0.2 * self.normal();
                f64::exp(log_volatility - 0.105) * self.normal()
            }
            Process::MovingAverage => {
                last = [last[1], last[2], last[3], self.normal()];
                0.5 * last.iter().sum::<f64>()
            }
        };
        (0..n + 300).map(|_| step()).skip(300).collect()
    }
}
