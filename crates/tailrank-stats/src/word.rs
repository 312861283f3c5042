//! Words of the program's own, read back from files.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use serde::{Deserialize, Deserializer};

use crate::Word;

/// Reads a word. It stays in memory, each one once.
pub fn read_word<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
    static WORDS: Mutex<BTreeSet<Word>> = Mutex::new(BTreeSet::new());
    let text = String::deserialize(deserializer)?;
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(words.get(text.as_str()).copied().unwrap_or_else(|| {
        let word: Word = Box::leak(text.into_boxed_str());
        words.insert(word);
        word
    }))
}
