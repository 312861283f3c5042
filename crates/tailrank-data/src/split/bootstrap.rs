//! Bootstrap samples, judged out of bag.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Scheme, Split, SplitRows,
    scheme::{check_of_repeats, problems_of},
    shuffle::Draws,
};
use crate::{DataError, Result, timeline::rows_of};

/// Train on a bootstrap sample, test on the rows left out.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bootstrap {
    /// How many samples are drawn.
    #[serde(default = "ten")]
    pub repeats: usize,
}

const fn ten() -> usize {
    10
}

/// Two rows, the fewest that can leave one out, fail this often in a row once in 2¹⁰⁰.
const ATTEMPTS: usize = 100;

impl Scheme for Bootstrap {
    fn problems(&self) -> Vec<(&'static str, String)> {
        problems_of([check_of_repeats(self.repeats)])
    }

    fn draw(&self, rows: &SplitRows<'_>) -> Result<Vec<Split>> {
        let count = rows.len();
        let units = rows.timeline.units().map(rows_of);
        let sample = |repeat: usize| {
            let mut draws = Draws::new(rows.seed, repeat);
            let description = format!("bootstrap sample {}", repeat + 1);
            // A sample of few rows may take every one of them; the next draws of the same stream replace it.
            for _ in 0..ATTEMPTS {
                let train: Vec<usize> = match &units {
                    None => (0..count).map(|_| draws.below(count)).collect(),
                    Some(units) => {
                        (0..units.len()).flat_map(|_| &units[draws.below(units.len())]).copied().collect()
                    }
                };
                let mut drawn = vec![false; count];
                train.iter().for_each(|row| drawn[*row] = true);
                if drawn.contains(&false) {
                    let test: Vec<usize> = (0..count).filter(|row| !drawn[*row]).collect();
                    return Ok(Split::new(description, train, test));
                }
            }
            let problem = format!("too few rows to leave one out of a sample: {count}");
            Err(DataError::split(&description, problem, "give more rows"))
        };
        (0..self.repeats).map(sample).collect()
    }
}
