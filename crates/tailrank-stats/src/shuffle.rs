//! Seeded random numbers: uniform indices and shuffles whose stream this crate fixes itself.
//!
//! `rand`'s own shuffle may change its stream between versions, and draws one number per swap. Here one
//! 64-bit draw serves as many swaps as its bits allow (Brackett-Rozinsky & Lemire 2024, *Batched ranged
//! random integer generation*), which halves the cost of a permutation test.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

/// A seeded source of uniform numbers.
pub(crate) struct Uniform(ChaCha8Rng);

impl Uniform {
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// One of 2⁶⁴ independent streams of a seed, so that draw number `stream` needs none of the draws before
    /// it.
    pub(crate) fn stream(seed: u64, stream: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        Self(random)
    }

    /// A whole number below `bound`, each equally likely.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        let mut index = [0];
        self.batch(&[bound], bound, &mut index);
        index[0]
    }

    /// A number in [0, 1) on the grid of 2⁻⁵³.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One index below each bound from a single draw; `product` is the product of the bounds.
    fn batch(&mut self, bounds: &[u64], product: u64, indices: &mut [u64]) {
        let mut rest = split(self.0.next_u64(), bounds, indices);
        if rest < product {
            // Only now is the exact limit worth a division: below it some outcomes would be favoured.
            let limit = product.wrapping_neg() % product;
            while rest < limit {
                rest = split(self.0.next_u64(), bounds, indices);
            }
        }
    }
}

/// Cuts a draw into one index per bound; returns the rest, by which the draw is accepted or not.
fn split(draw: u64, bounds: &[u64], indices: &mut [u64]) -> u64 {
    let mut rest = draw;
    for (index, &bound) in indices.iter_mut().zip(bounds) {
        let wide = u128::from(rest) * u128::from(bound);
        *index = (wide >> 64) as u64;
        rest = wide as u64;
    }
    rest
}

/// Fisher–Yates shuffles of slices of one length.
pub(crate) struct Shuffle {
    /// Bounds n, n−1, …, 2 in batches, each with its product.
    batches: Vec<(Vec<u64>, u64)>,
    indices: Vec<u64>,
}

impl Shuffle {
    /// For slices of `n` items.
    pub(crate) fn new(n: usize) -> Self {
        let mut batches: Vec<(Vec<u64>, u64)> = Vec::new();
        for bound in (2..=n as u64).rev() {
            match batches.last_mut() {
                // 2⁵⁶ keeps rejected draws below one in 256.
                Some((bounds, product)) if *product <= (1 << 56) / bound => {
                    bounds.push(bound);
                    *product *= bound;
                }
                _ => batches.push((vec![bound], bound)),
            }
        }
        Self { batches, indices: vec![0; n] }
    }

    /// Brings `items` into a random order, each equally likely.
    pub(crate) fn apply<T: Copy>(&mut self, random: &mut Uniform, items: &mut [T]) {
        let mut last = items.len();
        for (bounds, product) in &self.batches {
            let indices = &mut self.indices[..bounds.len()];
            random.batch(bounds, *product, indices);
            for &index in indices.iter() {
                last -= 1;
                items.swap(last, index as usize);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_orders_are_equally_likely() {
        let mut random = Uniform::seeded(7);
        let mut shuffle = Shuffle::new(4);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..240_000 {
            let mut items = [0u8, 1, 2, 3];
            shuffle.apply(&mut random, &mut items);
            *counts.entry(items).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 24);
        let chi: f64 = counts.values().map(|&c| (f64::from(c) - 1e4).powi(2) / 1e4).sum();
        assert!(crate::distribution::chi_squared_upper(chi, 23.0) > 1e-4, "χ² = {chi}");
    }

    #[test]
    fn indices_cover_their_range_evenly() {
        let mut random = Uniform::seeded(1);
        let mut counts = [0u32; 10];
        for _ in 0..100_000 {
            counts[random.below(10) as usize] += 1;
        }
        let chi: f64 = counts.iter().map(|&c| (f64::from(c) - 1e4).powi(2) / 1e4).sum();
        assert!(crate::distribution::chi_squared_upper(chi, 9.0) > 1e-4, "χ² = {chi}");
    }
}
