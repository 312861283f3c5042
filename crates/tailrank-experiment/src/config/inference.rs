//! `[inference]`: how sure the answer is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::problem::{Problem, Problems};

/// How sure the answer is: intervals, confidence sets and tests against chance, from the stored predictions.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Inference {
    /// Whether any of it is computed. Without it the verdict rests on the scores alone.
    pub enabled: bool,
    /// Bootstrap resamples of the test cases, the same for all variants of a task; blocks of consecutive
    /// cases for series.
    pub resamples: usize,
    /// Shifts in time (series) or permutations (tables) behind the test against chance.
    pub shifts: usize,
    /// Coverage of the intervals.
    pub level: f64,
    /// Coverage of the confidence sets.
    pub set_level: f64,
    /// Mean length of the blocks, in test cases; if absent, from the data, and never below the horizon.
    pub block: Option<f64>,
}

impl Default for Inference {
    fn default() -> Self {
        Self { enabled: true, resamples: 1000, shifts: 1000, level: 0.95, set_level: 0.9, block: None }
    }
}

/// More would tell p-values apart that nobody distinguishes.
const MOST: usize = 100_000;

impl Inference {
    /// What is wrong with these settings.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let mut section = Problems::of("inference");
        let share = |v: f64| v > 0.0 && v < 1.0;
        let many = |n: usize| (100..=MOST).contains(&n);
        let expected = "must lie between 100 and 100000, such as 1000; enabled = false leaves inference out";
        section.number("resamples", self.resamples, many(self.resamples), expected);
        section.number("shifts", self.shifts, many(self.shifts), expected);
        section.number("level", self.level, share(self.level), "must lie between 0 and 1, such as 0.95");
        let set = share(self.set_level);
        section.number("set_level", self.set_level, set, "must lie between 0 and 1, such as 0.9");
        let block = self.block.unwrap_or(1.0);
        section.number("block", block, block >= 1.0 && block.is_finite(), "must be 1 or more test cases");
        section.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_numbers_of_draws_have_ends() {
        let usual: Inference = toml::from_str("").unwrap();
        assert_eq!((usual.enabled, usual.resamples, usual.shifts), (true, 1000, 1000));
        assert_eq!((usual.level, usual.set_level, usual.block), (0.95, 0.9, None));
        let keys = |text: &str| -> Vec<String> {
            toml::from_str::<Inference>(text).unwrap().problems().into_iter().map(|p| p.key).collect()
        };
        assert_eq!(keys(""), [""; 0]);
        assert_eq!(keys("level = 1\nset_level = 0"), ["inference.level", "inference.set_level"]);
        assert_eq!(keys("level = 1.5\nset_level = nan"), ["inference.level", "inference.set_level"]);
        assert_eq!(keys("resamples = 99\nshifts = 100001"), ["inference.resamples", "inference.shifts"]);
        assert_eq!(keys("resamples = 100\nshifts = 100000\nblock = 1"), [""; 0]);
        assert_eq!(keys("block = 0.5"), ["inference.block"]);
        assert_eq!(keys("block = inf"), ["inference.block"]);
    }

    #[test]
    fn no_draws_are_refused_by_their_key() {
        let none = Inference { resamples: 0, shifts: 0, ..Inference::default() };
        let said: Vec<String> = none.problems().iter().map(|p| format!("{p:?}")).collect();
        assert_eq!(said.len(), 2, "{said:?}");
        for (problem, key) in said.iter().zip(["inference.resamples", "inference.shifts"]) {
            assert!(
                problem.contains(key) && problem.contains("0 must lie between 100 and 100000"),
                "{problem}"
            );
        }
    }
}
