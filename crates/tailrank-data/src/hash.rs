//! Hashes of data content, for the keys under which results are kept.

use std::fmt;

use jiff::civil::{Date, DateTime};

/// A hash of data content: equal content, equal hash, on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({self})")
    }
}

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

    /// As many counts as the kind of content always has.
    pub(crate) fn counts(&mut self, counts: &[usize]) {
        counts.iter().for_each(|c| self.count(*c));
    }

    pub(crate) fn numbers(&mut self, values: &[f64]) {
        self.count(values.len());
        for chunk in values.chunks(512) {
            let bytes: Vec<u8> = chunk.iter().flat_map(|v| v.to_bits().to_le_bytes()).collect();
            self.0.update(&bytes);
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
        ContentHash(*self.0.finalize().as_bytes())
    }
}
