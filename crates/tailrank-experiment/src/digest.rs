//! Names of what a run depends on: the first 128 bits of BLAKE3, in hexadecimal.

use serde::{Deserialize, Serialize};

const DIGITS: usize = 32;

/// Names a cell by everything its predictions depend on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CellKey(String);

impl CellKey {
    /// The key of a canonical description.
    pub fn of(description: &str) -> Self {
        Self(digest(description.as_bytes()))
    }

    /// A key from its text.
    pub fn parse(text: &str) -> Option<Self> {
        is_digest(text).then(|| Self(text.to_owned()))
    }

    /// The key as text: 32 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The first 128 bits of BLAKE3, in hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..DIGITS].to_owned()
}

/// Whether a text can be a digest.
pub fn is_digest(text: &str) -> bool {
    text.len() == DIGITS && text.bytes().all(|b| b.is_ascii_hexdigit())
}
