//! How splits are drawn: by one cut or two, by windows, by bootstrap, row by row. Folds have a file of their own.

use std::collections::HashSet;

use jiff::civil::Date;

use super::{Leak, Past, Rows, Split, WindowStart, check_leak, leak::purge, shuffle::Draws};
use crate::{DataError, Result, Timeline, timeline::rows_of};

/// What splits are drawn from, and what is done about rows that leak.
pub(super) struct Drawing<'a> {
    pub(super) timeline: &'a Timeline,
    pub(super) leak: Leak,
}

const MOVE: &str = "move the start of the test part: `at`, `train` or `window`";
const LONGER: &str = "make the validation part longer: `validation` or `validation_at`";

impl Drawing<'_> {
    /// Makes a split of parts as drawn: purges or counts what leaks, and checks the result.
    pub(super) fn make(
        &self,
        description: String,
        train: Rows,
        validation: Option<Rows>,
        test: Rows,
    ) -> Result<Split> {
        let &Self { timeline, leak } = self;
        let mut split = Split { description, train, validation, test, purged: 0, leaking: 0, leak };
        if split.test.is_empty() {
            return Err(DataError::split(&split.description, "no row is left to test on", MOVE));
        }
        let overlapping = purge(&mut split, timeline);
        match leak {
            Leak::Purged => split.purged = overlapping,
            Leak::Paper => split.leaking = overlapping,
        }
        if split.train.is_empty() {
            let fix = if timeline.groups().is_some() {
                "every training row belongs to a group that is tested; use kind = \"kfold\", which keeps groups whole"
            } else if split.purged > 0 {
                "labels overlap: use blocks or a wider `window` instead of scattered rows, or a shorter horizon and fewer lags"
            } else {
                MOVE
            };
            return Err(DataError::split(&split.description, "no row is left to train on", fix));
        }
        if split.validation.as_ref().is_some_and(Rows::is_empty) {
            return Err(DataError::split(&split.description, "no row is left to validate on", LONGER));
        }
        check_leak(&split, timeline.intervals())?;
        Ok(split)
    }

    /// Trains on the rows before a day and tests on those from it on.
    pub(super) fn by_date(&self, at: Date, validation: Option<Date>) -> Result<Split> {
        if let Some(day) = validation.filter(|day| *day >= at) {
            return Err(DataError::setting("validation_at", day, format!("a day before at = {at}")));
        }
        let description = match validation {
            None => format!("train before {at}, test from there"),
            Some(day) => format!("train before {day}, validate before {at}, test from there"),
        };
        let test = self.first_row(at)?;
        let from = validation.map(|day| self.first_row(day)).transpose()?;
        self.cut(description, from, test)
    }

    /// Trains on the first share of rows and tests on the others.
    pub(super) fn by_fraction(&self, train: f64, validation: Option<f64>) -> Result<Split> {
        let first = self.share("train", train)?;
        let Some(validation) = validation else {
            return self.cut(format!("train on the first {train} of rows"), None, first);
        };
        self.share("validation", validation)?;
        let test = self.share("train + validation", train + validation)?;
        let description = format!("train on the first {train} of rows, validate on the next {validation}");
        self.cut(description, Some(first), test)
    }

    /// The test begins at row `test`; before it, rows from `validation` on choose models.
    fn cut(&self, description: String, validation: Option<usize>, test: usize) -> Result<Split> {
        let train = 0..validation.unwrap_or(test);
        let validation = validation.map(|from| (from..test).into());
        self.make(description, train.into(), validation, (test..self.timeline.len()).into())
    }

    /// The first row whose origin is on or after `day`.
    fn first_row(&self, day: Date) -> Result<usize> {
        let expected = "these rows have no dates; split by kind = \"fraction\" or \"kfold\"";
        let dates = self.timeline.origin_dates().ok_or_else(|| DataError::setting("at", day, expected))?;
        Ok(dates.partition_point(|d| *d < day))
    }

    fn share(&self, name: &'static str, share: f64) -> Result<usize> {
        if !(share > 0.0 && share < 1.0) {
            return Err(DataError::setting(name, share, "a share above 0 and below 1"));
        }
        // 0.57 of 100 rows is 57, though the product is a hair less. It stays below the number of rows, so the cast cannot
        // lose anything but the fraction.
        let row = (share * self.timeline.len() as f64 * (1.0 + 4.0 * f64::EPSILON)).floor() as usize;
        Ok(self.timeline.between_dates(row))
    }

    /// Windows that slide or grow, relearned every few rows.
    pub(super) fn windows(&self, start: WindowStart, step: usize, past: Past) -> Result<Vec<Split>> {
        let timeline = self.timeline;
        let rows = timeline.len();
        let first = match start {
            WindowStart::Row(row) => timeline.between_dates(row),
            WindowStart::Date(day) => self.first_row(day)?,
        };
        if step == 0 {
            return Err(DataError::setting("step", step, "at least 1 row per relearning"));
        }
        if first == 0 || first >= rows {
            let row = format!("row {}", first.saturating_add(1));
            return Err(DataError::setting("start", row, format!("a row within 2 … {rows}")));
        }
        if let Past::Sliding { window } = past
            && (window == 0 || window > first)
        {
            let expected = format!("1 … {first}, the rows before the first test block");
            return Err(DataError::setting("window", window, expected));
        }
        blocks(timeline, first, step)
            .enumerate()
            .map(|(i, (from, to))| {
                let (kind, oldest) = match past {
                    Past::Sliding { window } => ("sliding", from.saturating_sub(window)),
                    Past::Growing => ("growing", 0),
                };
                let description = format!("{kind} window {}, test rows {}–{to}", i + 1, from + 1);
                self.make(description, (oldest..from).into(), None, (from..to).into())
            })
            .collect()
    }

    /// Bootstrap samples, judged out of bag.
    pub(super) fn bootstrap(&self, repeats: usize, seed: u64) -> Result<Vec<Split>> {
        let rows = self.timeline.len();
        check_repeats(repeats, 1)?;
        let units = self.timeline.units().map(rows_of);
        (0..repeats)
            .map(|repeat| {
                let mut draws = Draws::new(seed, repeat);
                let description = format!("bootstrap sample {}", repeat + 1);
                // A sample of few rows may take every one of them; the next draws of the same stream replace it.
                for _ in 0..ATTEMPTS {
                    let train: Vec<usize> = match &units {
                        None => (0..rows).map(|_| draws.below(rows)).collect(),
                        Some(units) => {
                            (0..units.len()).flat_map(|_| &units[draws.below(units.len())]).copied().collect()
                        }
                    };
                    let mut drawn = vec![false; rows];
                    train.iter().for_each(|row| drawn[*row] = true);
                    if drawn.contains(&false) {
                        let test = (0..rows).filter(|r| !drawn[*r]).collect();
                        return self.make(description, train.into(), None, test);
                    }
                }
                let problem = format!("too few rows to leave one out of a sample: {rows}");
                Err(DataError::split(&description, problem, "give more rows"))
            })
            .collect()
    }

    /// Splits whose rows are named one by one: drawn elsewhere, purged and checked like all others.
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

/// Two rows, the fewest that can leave one out, fail this often in a row once in 2¹⁰⁰.
const ATTEMPTS: usize = 100;

/// First row and end of each test block: `step` rows, and as many more as its last date has.
fn blocks(timeline: &Timeline, first: usize, step: usize) -> impl Iterator<Item = (usize, usize)> {
    let rows = timeline.len();
    let end = move |from: usize| {
        let to = from.saturating_add(step).min(rows);
        match timeline.steps().filter(|_| to < rows) {
            Some(steps) => steps.partition_point(|&s| s <= steps[to - 1]),
            None => to,
        }
    };
    let block = move |from: usize| (from < rows).then(|| (from, end(from)));
    std::iter::successors(block(first), move |&(_, to)| block(to))
}

/// More than anybody waits for, few enough to be kept.
const MOST_SPLITS: usize = 1 << 20;

/// Refuses numbers of splits that nothing good can come of.
pub(super) fn check_repeats(repeats: usize, each: usize) -> Result<()> {
    if repeats == 0 {
        return Err(DataError::setting("repeats", repeats, "at least 1"));
    }
    if repeats.saturating_mul(each) > MOST_SPLITS {
        return Err(DataError::setting("repeats", repeats, format!("at most {}", MOST_SPLITS / each)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
