//! `[compare]`: how rankings are compared.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Problem;

/// How rankings are compared.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Compare {
    /// Pairs of measures whose rankings are set against each other; the first pair makes the headline. If absent, mad and f,
    /// or the first two of `measures.list` where it lacks one of these.
    pub pairs: Option<Vec<[String; 2]>>,
    /// How many of the best are looked at.
    pub top: usize,
    /// Permutations behind the permutation p-values, at most 1,000,000.
    pub permutations: usize,
    /// Significance level of tests and diagrams.
    pub alpha: f64,
    /// Leave variants with an undefined score out of the rank tests, instead of ranking them last.
    pub exclude_undefined: bool,
}

impl Compare {
    /// What is wrong with these settings.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let mut found = Vec::new();
        if !(self.alpha > 0.0 && self.alpha < 1.0) {
            found.push(Problem::new(
                "compare.alpha",
                format!("{} must lie between 0 and 1, such as 0.05", self.alpha),
            ));
        }
        if self.permutations > MOST_PERMUTATIONS {
            let message = format!(
                "{} would take hours after the last fit; {MOST_PERMUTATIONS} tell p-values apart to 0.000001, give at most so many",
                self.permutations
            );
            found.push(Problem::new("compare.permutations", message));
        }
        found
    }
}

/// More would tell p-values apart that nobody distinguishes.
const MOST_PERMUTATIONS: usize = 1_000_000;

impl Default for Compare {
    fn default() -> Self {
        Self { pairs: None, top: 10, permutations: 10_000, alpha: 0.05, exclude_undefined: false }
    }
}
