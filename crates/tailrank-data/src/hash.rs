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
