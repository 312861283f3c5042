//! Windows that slide or grow: models are learned again every few rows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Scheme, Split, SplitRows, scheme::problems_of};
use crate::{DataError, Result, Timeline};

/// The keys of both, as a message asks for them.
pub(super) const NEEDS: &[(&str, &str)] = &[
    ("window", "window, the rows of the first training window"),
    ("step", "step, the rows tested before the models are learned again"),
];

/// A training window of fixed length that moves.
pub type Sliding = Windows<true>;

/// A training window that grows.
pub type Growing = Windows<false>;

/// A training window that moves over the rows, or grows, as the next rows are tested.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Windows<const SLIDES: bool> {
    /// Rows in the first training window.
    pub window: usize,
    /// Rows tested before the models are learned again.
    pub step: usize,
}

impl<const SLIDES: bool> Scheme for Windows<SLIDES> {
    fn problems(&self) -> Vec<(&'static str, String)> {
        let learns = "0 leaves no row to learn from; give the rows of the training window";
        let tests = "0 tests no row; give the rows tested before the models are learned again";
        problems_of([
            ("window", self.window > 0, learns.to_owned()),
            ("step", self.step > 0, tests.to_owned()),
        ])
    }

    /// One split per test block, which trains on the last rows before it or on all.
    fn draw(&self, rows: &SplitRows<'_>) -> Result<Vec<Split>> {
        let (window, count) = (self.window, rows.len());
        let first = rows.timeline.between_dates(window);
        if window >= count || first >= count {
            let problem = format!("window = {window} leaves no test row: the task has {count} rows");
            return Err(DataError::Scheme(problem));
        }
        if SLIDES && window > first {
            let expected = format!("1 … {first}, the rows before the first test block");
            return Err(DataError::setting("window", window, expected));
        }
        let kind = if SLIDES { "sliding" } else { "growing" };
        let split = |(place, (from, to)): (usize, (usize, usize))| {
            let description = format!("{kind} window {}, test rows {}–{to}", place + 1, from + 1);
            let oldest = if SLIDES { from.saturating_sub(window) } else { 0 };
            Split::new(description, oldest..from, from..to)
        };
        Ok(blocks(rows.timeline, first, self.step).enumerate().map(split).collect())
    }

    fn pooled(&self) -> bool {
        true
    }

    fn window(&self) -> Option<usize> {
        SLIDES.then_some(self.window)
    }
}

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
