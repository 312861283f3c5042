//! `[compare]`: how rankings are compared.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
