//! Bootstrap samples, judged out of bag.

use super::{Drawing, Split, check_repeats, shuffle::Draws};
use crate::{DataError, Result, timeline::rows_of};

impl Drawing<'_> {
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
}

/// Two rows, the fewest that can leave one out, fail this often in a row once in 2¹⁰⁰.
const ATTEMPTS: usize = 100;
