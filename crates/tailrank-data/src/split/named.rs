//! Splits whose rows are named one by one: drawn elsewhere, purged and checked like all others.

use std::collections::HashSet;

use super::{Drawing, Split};
use crate::{DataError, Result};

impl Drawing<'_> {
    pub(super) fn named(&self, splits: &[(Vec<usize>, Vec<usize>)]) -> Result<Vec<Split>> {
        let rows = self.timeline.len();
        let of = |(place, (train, test)): (usize, &(Vec<usize>, Vec<usize>))| {
            let description = format!("split {} of {}", place + 1, splits.len());
            let fail = |problem: String, fix: &str| Err(DataError::split(&description, problem, fix));
            if let Some(row) = train.iter().chain(test).max().filter(|row| **row >= rows) {
                let problem = format!("names row {}, but there are {rows}", row + 1);
                return fail(problem, "draw the split from this data");
            }
            let tested: HashSet<usize> = test.iter().copied().collect();
            if tested.len() < test.len() {
                return fail("tests a row twice".to_owned(), "name each test row once");
            }
            // Purging would drop such a row unseen, yet whoever named it twice made a mistake.
            if let Some(row) = train.iter().find(|row| tested.contains(row)) {
                return fail(format!("both trains and tests row {}", row + 1), "name it in one of the two");
            }
            self.make(description.clone(), train.clone().into(), None, test.clone().into())
        };
        splits.iter().enumerate().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Leak, Timeline};

    #[test]
    fn rows_are_kept_as_named_and_mistakes_are_told() {
        let timeline = Timeline::points(6);
        let draw = Drawing { timeline: &timeline, leak: Leak::Purged };
        let drawn = draw.named(&[(vec![4, 0, 0], vec![5, 1])]).unwrap();
        assert_eq!(drawn[0].train.iter().collect::<Vec<_>>(), [0, 0, 4]);
        assert_eq!(drawn[0].test.iter().collect::<Vec<_>>(), [1, 5]);
        for (train, test, said) in [
            (vec![0], vec![6], "names row 7, but there are 6"),
            (vec![0, 3], vec![3], "both trains and tests row 4"),
            (vec![0], vec![3, 3], "tests a row twice"),
            (vec![], vec![3], "no row is left to train on"),
            (vec![1], vec![], "no row is left to test on"),
        ] {
            let error = draw.named(&[(train, test)]).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
