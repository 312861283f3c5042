//! Hashes of data content, for the keys under which results are kept.

use jiff::civil::{Date, DateTime};

/// A hash of data content: equal content, equal hash, on every machine.
pub type ContentHash = blake3::Hash;

/// Feeds blake3 with lengths before texts, numbers and dates, so that one cannot run into the next.
pub(crate) struct Hasher(blake3::Hasher);

impl Hasher {
    pub(crate) fn new(kind: &str) -> Self {
        let mut hasher = Self(blake3::Hasher::new());
        hasher.text(kind);
        hasher
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.update(text.as_bytes());
    }

    pub(crate) fn count(&mut self, count: usize) {
        self.0.update(&(count as u64).to_le_bytes());
    }

    pub(crate) fn numbers(&mut self, values: &[f64]) {
        self.count(values.len());
        // Several blocks at a time are hashed faster than one.
        let mut bytes = vec![0; 8 * values.len().min(1 << 14)];
        for chunk in values.chunks(1 << 14) {
            let bytes = &mut bytes[..8 * chunk.len()];
            bytes.chunks_exact_mut(8).zip(chunk).for_each(|(b, v)| b.copy_from_slice(&v.to_le_bytes()));
            self.0.update(bytes);
        }
    }

    pub(crate) fn dates(&mut self, dates: &[Date]) {
        self.count(dates.len());
        let bytes: Vec<u8> = dates
            .iter()
            .flat_map(|d| {
                let [y0, y1] = d.year().to_le_bytes();
                [y0, y1, d.month().unsigned_abs(), d.day().unsigned_abs()]
            })
            .collect();
        self.0.update(&bytes);
    }

    pub(crate) fn times(&mut self, times: &[DateTime]) {
        self.count(times.len());
        for time in times {
            self.text(&time.to_string());
        }
    }

    pub(crate) fn finish(&self) -> ContentHash {
        self.0.finalize()
    }
}

/// The rows (from 0) whose key another row has, and some that share a place with another key by chance.
pub(crate) fn may_repeat(rows: usize, key: impl Fn(usize) -> u64) -> Vec<usize> {
    /// Places for each row: with more, fewer meet by chance, and fewer are in the cache.
    const PLACES: usize = 16;
    let places = (rows * PLACES).next_power_of_two().max(64);
    // Multiplicative hashing (Knuth): the upper bits of the product depend on all bits of the key.
    let place = |row: usize| {
        let place = (key(row).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - places.ilog2())) as usize;
        (place / 64, 1u64 << (place % 64))
    };
    let (mut once, mut twice) = (vec![0; places / 64], vec![0; places / 64]);
    for row in 0..rows {
        let (word, bit) = place(row);
        twice[word] |= once[word] & bit;
        once[word] |= bit;
    }
    let is_shared = |row: &usize| {
        let (word, bit) = place(*row);
        twice[word] & bit != 0
    };
    (0..rows).filter(is_shared).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_repeat_are_among_those_that_may() {
        let keys: Vec<u64> = (0..1000u64).map(|i| ((i % 900) as f64 / 7.0).to_bits()).collect();
        let found = may_repeat(keys.len(), |row| keys[row]);
        assert!((0..100).chain(900..1000).all(|row| found.contains(&row)), "{found:?}");
        assert!(found.len() < 400, "few others: {}", found.len());
        assert!(may_repeat(0, |_| 0).is_empty());
    }
}
