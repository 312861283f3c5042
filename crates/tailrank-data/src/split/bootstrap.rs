//! Bootstrap samples, judged out of bag.

use super::{Leak, Split, make, setting, shuffle::Draws};
use crate::{Result, Timeline};

pub(super) fn bootstrap(timeline: &Timeline, repeats: usize, seed: u64, leak: Leak) -> Result<Vec<Split>> {
    let rows = timeline.len();
    if repeats == 0 {
        return Err(setting("repeats", repeats, "at least 1"));
    }
    (0..repeats)
        .map(|repeat| {
            let mut draws = Draws::new(seed, repeat);
            let mut drawn = vec![false; rows];
            let mut train = Vec::with_capacity(rows);
            for _ in 0..rows {
                let row = draws.below(rows);
                drawn[row] = true;
                train.push(row);
            }
            let test = (0..rows).filter(|r| !drawn[*r]).collect();
            make(format!("bootstrap sample {}", repeat + 1), train.into(), None, test, timeline, leak)
        })
        .collect()
}
