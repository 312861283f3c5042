//! Windows that slide or grow, relearned every few rows.

use super::{Drawing, Past, Split, WindowStart};
use crate::{DataError, Result, Timeline};

impl Drawing<'_> {
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
