//! Seeded draws that do not depend on how a library maps random bits to ranges.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

/// Draws for one repeat of a plan.
pub(super) struct Draws(ChaCha8Rng);

impl Draws {
    pub(super) fn new(seed: u64, repeat: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(repeat as u64);
        Self(rng)
    }

    /// A number below `n`; the bias, n/2⁶⁴, is beyond measure.
    pub(super) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    /// Fisher–Yates.
    pub(super) fn shuffle(&mut self, rows: &mut [usize]) {
        for i in (1..rows.len()).rev() {
            rows.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_is_equally_likely() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..6000 {
            let mut rows = [0, 1, 2];
            Draws::new(seed, 0).shuffle(&mut rows);
            *counts.entry(rows).or_insert(0.0) += 1.0;
        }
        assert_eq!(counts.len(), 6);
        // χ² with 5 degrees of freedom is above 20.5 once in a thousand.
        let chi2: f64 = counts.values().map(|c: &f64| (c - 1000.0).powi(2) / 1000.0).sum();
        assert!(chi2 < 20.5, "{counts:?}");
    }
}
