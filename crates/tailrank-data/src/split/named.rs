//! Rows named one by one, as an experiment file writes them: `"1-300, 305"`.

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Scheme, Split, SplitRows, scheme::problems_of};
use crate::{DataError, Result};

/// Rows named one by one: a division drawn elsewhere.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ByRows {
    /// The rows of every split.
    pub rows: Vec<NamedRows>,
}

/// Rows of a file below its header, from 1; a row that is drawn twice stands there twice.
///
/// ```
/// use tailrank_data::RowList;
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

impl Scheme for ByRows {
    fn problems(&self) -> Vec<(&'static str, String)> {
        let message = "names no split; give train and test rows";
        problems_of([("rows", !self.rows.is_empty(), message.to_owned())])
    }

    /// Rows of a file become rows of the task, which may stand in another order; a row that was dropped for want of a
    /// target is left out.
    fn draw(&self, rows: &SplitRows<'_>) -> Result<Vec<Split>> {
        let places: HashMap<usize, usize> = (0..rows.len()).map(|row| ((rows.file_row)(row), row)).collect();
        let last = places.keys().copied().max().unwrap_or(0);
        // A row beyond the last keeps a place beyond the last, and is refused with the split's name.
        let place = |row: &usize| if *row > last { Some(row - 1) } else { places.get(row).copied() };
        let of = |list: &RowList| -> Vec<usize> { list.0.iter().filter_map(place).collect() };
        let split = |(number, named): (usize, &NamedRows)| {
            let description = format!("split {} of {}", number + 1, self.rows.len());
            checked(description, of(&named.train), of(&named.test))
        };
        self.rows.iter().enumerate().map(split).collect()
    }

    /// Where test rows follow each other and come after what they are predicted from, as time does.
    fn pooled(&self) -> bool {
        self.rows.iter().flat_map(|split| &split.test.0).is_sorted_by(|a, b| a < b)
            && self.rows.iter().all(|split| split.train.0.iter().max() < split.test.0.first())
    }

    /// All of them where no row is tested by two splits.
    fn folds(&self) -> usize {
        let mut tested: Vec<usize> = self.rows.iter().flat_map(|split| &split.test.0).copied().collect();
        tested.sort_unstable();
        if tested.windows(2).all(|pair| pair[0] < pair[1]) { self.rows.len() } else { 1 }
    }
}

/// A split of rows that are named without mistakes.
fn checked(description: String, train: Vec<usize>, test: Vec<usize>) -> Result<Split> {
    let fail = |problem: String, fix: &str| Err(DataError::split(&description, problem, fix));
    let tested: HashSet<usize> = test.iter().copied().collect();
    if tested.len() < test.len() {
        return fail("tests a row twice".to_owned(), "name each test row once");
    }
    // Purging would drop such a row unseen, yet whoever named it twice made a mistake.
    if let Some(row) = train.iter().find(|row| tested.contains(row)) {
        return fail(format!("both trains and tests row {}", row + 1), "name it in one of the two");
    }
    Ok(Split::new(description, train, test))
}

impl TryFrom<String> for RowList {
    type Error = String;

    fn try_from(text: String) -> std::result::Result<Self, String> {
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
    use crate::{Leak, Timeline, draw_splits};

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

    #[test]
    fn rows_are_kept_as_named_and_mistakes_are_told() {
        let timeline = Timeline::points(6);
        let draw = |train: &[usize], test: &[usize]| {
            let list = |rows: &[usize]| RowList(rows.iter().map(|row| row + 1).collect());
            let scheme = ByRows { rows: vec![NamedRows { train: list(train), test: list(test) }] };
            draw_splits(&scheme, &SplitRows::new(&timeline, 1), Leak::Purged)
        };
        let drawn = draw(&[4, 0, 0], &[5, 1]).unwrap();
        assert_eq!(drawn[0].train.iter().collect::<Vec<_>>(), [0, 0, 4]);
        assert_eq!(drawn[0].test.iter().collect::<Vec<_>>(), [1, 5]);
        for (train, test, said) in [
            (vec![0], vec![6], "names row 7, but there are 6"),
            (vec![0, 3], vec![3], "both trains and tests row 4"),
            (vec![0], vec![3, 3], "tests a row twice"),
            (vec![], vec![3], "no row is left to train on"),
            (vec![1], vec![], "no row is left to test on"),
        ] {
            let error = draw(&train, &test).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
