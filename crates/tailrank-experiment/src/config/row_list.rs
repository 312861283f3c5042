//! Rows of a file as an experiment file writes them: `"1-300, 305"`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Rows of a file below its header, from 1; a row that is drawn twice stands there twice.
///
/// ```
/// use tailrank_experiment::config::RowList;
/// let rows = RowList::try_from("1-3, 7, 7".to_owned()).unwrap();
/// assert_eq!(rows.0, [1, 2, 3, 7, 7]);
/// assert_eq!(rows.to_string(), "1-3, 7, 7");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct RowList(pub Vec<usize>);

/// Training and test rows of one split.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedRows {
    /// Rows to train on, such as `"1-300, 305"`: rows of the file, from 1.
    pub train: RowList,
    /// Rows to test on.
    pub test: RowList,
}

/// More rows than any file that is read.
const MOST: usize = 1 << 31;

impl TryFrom<String> for RowList {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut rows = Vec::new();
        for part in text.split(',').map(str::trim) {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.trim().parse().ok().filter(|row| (1..=MOST).contains(row));
            match (number(from), number(to)) {
                (Some(from), Some(to)) if from <= to => rows.extend(from..=to),
                _ => {
                    return Err(format!(
                        "'{part}' names no rows; write rows of the file, from 1, as \"1-300, 305\""
                    ));
                }
            }
        }
        Ok(Self(rows))
    }
}

impl fmt::Display for RowList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, run) in self.0.chunk_by(|a, b| a + 1 == *b).enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            match run {
                [from, .., to] => write!(f, "{comma}{from}-{to}")?,
                [one] => write!(f, "{comma}{one}")?,
                [] => {}
            }
        }
        Ok(())
    }
}

impl From<RowList> for String {
    fn from(rows: RowList) -> Self {
        rows.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_as_they_are_written() {
        for (text, rows) in [("5", vec![5]), ("1-2", vec![1, 2]), ("9, 1-3, 5, 5", vec![9, 1, 2, 3, 5, 5])] {
            let read = RowList::try_from(text.to_owned()).unwrap();
            assert_eq!(read.0, rows);
            assert_eq!(read.to_string(), text);
        }
        for wrong in ["", "0", "3-1", "1-", "x", "1,,2", "1-2-3", "1-99999999999999999999"] {
            assert!(RowList::try_from(wrong.to_owned()).unwrap_err().contains("names no rows"), "{wrong}");
        }
    }
}
