//! How the study is done, and what the paper prints of its data sets.

use serde::Deserialize;

use crate::studies::{Result, error::missing};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    /// Names the randomness of folds and candidates.
    pub(super) seed: u64,
    /// Pairs of prototypes per fold.
    pub(super) candidates: usize,
    /// Runs of cross-validation.
    pub(super) runs: usize,
    /// Folds of each.
    pub(super) folds: usize,
    /// Most splits between root and leaf of the tree of reference.
    pub(super) max_depth: usize,
    /// Least rows of its leaves.
    pub(super) min_leaf: usize,
    /// How the paper is read where it is silent: the main reading, then others.
    pub(super) readings: Vec<Reading>,
    pub(super) sets: Vec<Set>,
}

/// One reading of what the paper leaves open.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reading {
    /// What it is, in tables.
    pub(super) name: String,
    #[serde(default)]
    pub(super) changes: Vec<Change>,
}

/// What a reading does otherwise than the main one.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Change {
    /// Prototypes are points of the unit cube, not training rows of the class.
    UniformPrototypes,
    /// Gaps and scales are learned from the training rows of the fold, not from all rows, as the paper says.
    TrainingRows,
    /// One input per symbol, not the symbol's number in the file.
    OneHot,
    /// F of the negative class.
    CommonerF,
    /// Folds without equal shares of both classes.
    NoStrata,
}

/// One data set of the study.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Set {
    /// Name in the library.
    pub(super) data: String,
    /// The paper's name for it.
    pub(super) label: String,
    /// The positive class.
    pub(super) positive: String,
    /// Attributes that are symbolic though written as numbers.
    #[serde(default)]
    pub(super) symbolic: Vec<String>,
    /// Table 3: test accuracy by accuracy, F and OARP.
    pub(super) printed: [f64; 3],
    /// Table 4: OARP against accuracy, and against F.
    pub(super) verdict: String,
}

impl Settings {
    /// The settings that come with the study.
    pub(super) fn bundled() -> Result<Self> {
        toml::from_str(include_str!("settings.toml")).map_err(|e| missing(format!("settings: {e}")))
    }
}

impl Reading {
    pub(super) fn has(&self, change: Change) -> bool {
        self.changes.contains(&change)
    }
}
