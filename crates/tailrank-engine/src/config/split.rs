//! `[split]`: how rows are divided into training and test.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How rows are divided. Which keys matter depends on `kind`; `tailrank check` names the others.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SplitSettings {
    /// The scheme.
    pub kind: SplitKind,
    /// `date`: first day of the test period.
    pub at: Option<String>,
    /// `fraction`: share of rows that train, from the front.
    pub train: Option<f64>,
    /// `sliding`, `growing`: rows in the (first) training window.
    pub window: Option<usize>,
    /// `sliding`, `growing`: rows tested before the models are learned again.
    pub step: Option<usize>,
    /// `kfold`: number of folds.
    pub folds: Option<usize>,
    /// `kfold`, `bootstrap`: how often the division is repeated.
    pub repeats: Option<usize>,
    /// `kfold`: shuffle rows first. Series are never shuffled unless this says so.
    pub shuffle: Option<bool>,
    /// `kfold`: keep these proportions alike in all folds.
    pub stratify: Option<Stratify>,
    /// `fraction`: share of rows after the training rows that models are chosen by, before the test.
    pub validation: Option<f64>,
    /// `date`: first day of the period that models are chosen by, before the test.
    pub validation_at: Option<String>,
    /// What to do with training rows whose label reaches into the test period.
    #[serde(default)]
    pub leak: LeakRule,
}

/// The scheme of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SplitKind {
    /// Train before a day, test from it on.
    Date,
    /// Train on the first share of the rows.
    Fraction,
    /// A training window of fixed length that moves.
    Sliding,
    /// A training window that grows.
    Growing,
    /// Cross-validation.
    Kfold,
    /// Train on a bootstrap sample, test on the rows left out.
    Bootstrap,
}

/// What to keep alike in all folds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stratify {
    /// The share of each class.
    Class,
    /// The share of events.
    Relevance,
}

/// What to do with rows whose label reaches into the test period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LeakRule {
    /// Remove them from training.
    #[default]
    Purge,
    /// Keep them, as the paper did; stamped on every page of the report.
    Paper,
}
