//! Bootstrap samples, judged out of bag.

use super::{Leak, Split, check_repeats, make, shuffle::Draws};
use crate::{DataError, Result, Timeline};

pub(super) fn bootstrap(timeline: &Timeline, repeats: usize, seed: u64, leak: Leak) -> Result<Vec<Split>> {
    let rows = timeline.len();
    check_repeats(repeats, 1)?;
    let units = timeline.units().map(rows_of_units);
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
                    return make(description, train.into(), None, test, timeline, leak);
                }
            }
            Err(DataError::Split {
                split: description,
                problem: format!("too few rows to leave one out of a sample: {rows}"),
                fix: "give more rows".into(),
            })
        })
        .collect()
}

/// Two rows, the fewest that can leave one out, fail this often in a row once in 2¹⁰⁰.
const ATTEMPTS: usize = 100;

fn rows_of_units(units: &[usize]) -> Vec<Vec<usize>> {
    let mut rows = vec![Vec::new(); units.iter().max().map_or(0, |last| last + 1)];
    units.iter().enumerate().for_each(|(row, &unit)| rows[unit].push(row));
    rows
}
