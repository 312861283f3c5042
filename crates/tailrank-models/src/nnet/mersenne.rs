//! R's default random numbers: MT19937 (Matsumoto & Nishimura 1998) seeded as `set.seed` does.

const N: usize = 624;
const M: usize = 397;

/// The stream after `set.seed(seed)`.
pub(super) struct Mersenne {
    state: [u32; N],
    next: usize,
}

impl Mersenne {
    pub(super) fn new(seed: u32) -> Self {
        let mut scrambled = seed;
        let mut congruential = || {
            scrambled = scrambled.wrapping_mul(69069).wrapping_add(1);
            scrambled
        };
        // 50 values to warm up, and one that R overwrites with the position in the state.
        for _ in 0..51 {
            congruential();
        }
        Self { state: std::array::from_fn(|_| congruential()), next: N }
    }

    /// Uniform on (0, 1), both ends excluded.
    pub(super) fn uniform(&mut self) -> f64 {
        const STEP: f64 = 2.328_306_437_080_797e-10;
        let u = f64::from(self.word()) * 2.328_306_436_538_696_3e-10;
        if u <= 0.0 {
            0.5 * STEP
        } else if 1.0 - u <= 0.0 {
            1.0 - 0.5 * STEP
        } else {
            u
        }
    }

    fn word(&mut self) -> u32 {
        if self.next == N {
            self.regenerate();
        }
        let mut y = self.state[self.next];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    fn regenerate(&mut self) {
        for k in 0..N {
            let y = (self.state[k] & 0x8000_0000) | (self.state[(k + 1) % N] & 0x7fff_ffff);
            let twist = if y & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[k] = self.state[(k + M) % N] ^ (y >> 1) ^ twist;
        }
        self.next = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `set.seed(1234); runif(3)` and the 700th draw, printed by R 4.2.2 with 17 digits.
    #[test]
    fn equals_r() {
        let mut stream = Mersenne::new(1234);
        let draws: Vec<f64> = (0..700).map(|_| stream.uniform()).collect();
        assert_eq!(draws[..3], [0.11370341130532324, 0.6222994048148394, 0.6092747328802943]);
        assert_eq!(draws[699], 0.7398838575463742);
    }
}
