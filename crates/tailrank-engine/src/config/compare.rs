//! `[compare]`: how rankings are compared.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Problem;

/// How rankings are compared.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Compare {
    /// Pairs of measures whose rankings are set against each other; the first pair makes the headline.
    pub pairs: Vec<[String; 2]>,
    /// How many of the best are looked at.
    pub top: usize,
    /// Permutations behind the permutation p-values.
    pub permutations: usize,
    /// Significance level of tests and diagrams.
    pub alpha: f64,
    /// Leave variants with an undefined score out of the rank tests, instead of ranking them last.
    pub exclude_undefined: bool,
}

impl Compare {
    /// What is wrong with these settings.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        if self.alpha > 0.0 && self.alpha < 1.0 {
            return Vec::new();
        }
        vec![Problem::new("compare.alpha", format!("{} must lie between 0 and 1, such as 0.05", self.alpha))]
    }
}

impl Default for Compare {
    fn default() -> Self {
        Self {
            pairs: vec![["mad".to_owned(), "f".to_owned()]],
            top: 10,
            permutations: 10_000,
            alpha: 0.05,
            exclude_undefined: false,
        }
    }
}
