//! What an ensemble's trees depend on: every parameter but their number.

use crate::{ParamKind, ParamSpec, Params};

use super::loss::Loss;

const SHARE: ParamKind = ParamKind::Real { min: 0.0, above: true, max: 1.0 };

pub(super) const PARAMETERS: &[ParamSpec] = crate::parameters! {
    "trees" = "100", ParamKind::Int { min: 1, max: 1_000_000 },
        "number of trees; smaller ensembles are prefixes of larger ones";
    "learning_rate" = "0.1", SHARE, "share of each tree's correction that is added";
    "max_depth" = "3", ParamKind::Int { min: 1, max: 64 }, "questions between root and leaf";
    "max_leaves" = "0", ParamKind::Int { min: 0, max: 1 << 20 },
        "leaves per tree; 0 for no limit but the depth";
    "growth" = "leaf", ParamKind::Choice(&["leaf", "level"]),
        "under max_leaves: split the leaf that gains most, or level by level";
    "min_rows" = "20", ParamKind::Int { min: 1, max: 1 << 24 },
        "training rows in a leaf, at least; with case weights, their sum";
    "l2" = "0", ParamKind::Real { min: 0.0, above: false, max: 1e12 },
        "added to a leaf's rows, which shrinks its value towards zero";
    "loss" = "squared", ParamKind::Choice(&["squared", "absolute", "huber", "quantile"]),
        "what the trees lower";
    "alpha" = "0.9", ParamKind::Real { min: 0.0, above: true, max: 1.0 },
        "quantile: the one to predict; huber: share of the rows whose errors count squared";
    "subsample" = "1", SHARE, "share of the training rows drawn for each tree";
    "input_fraction" = "1", SHARE, "share of the inputs drawn for each tree";
    "bins" = "255", ParamKind::Int { min: 2, max: 256 },
        "values an input may take; more distinct ones are merged by quantiles";
};

/// All but the number of trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settings {
    pub(super) learning_rate: f64,
    pub(super) max_depth: usize,
    /// `usize::MAX` for no limit.
    pub(super) max_leaves: usize,
    /// Under a limit on leaves: split the one that gains most instead of level by level.
    pub(super) best_first: bool,
    pub(super) min_rows: f64,
    pub(super) l2: f64,
    pub(super) loss: Loss,
    pub(super) subsample: f64,
    pub(super) input_fraction: f64,
    pub(super) bins: usize,
}

impl Settings {
    /// The settings of a checked variant.
    pub(super) fn of(variant: &Params) -> Self {
        let alpha = variant.real("alpha", 0.9);
        let max_leaves = match variant.int("max_leaves", 0) {
            0 => usize::MAX,
            limit => limit as usize,
        };
        Self {
            learning_rate: variant.real("learning_rate", 0.1),
            max_depth: variant.int("max_depth", 3) as usize,
            max_leaves,
            best_first: variant.text("growth", "leaf") == "leaf",
            min_rows: variant.int("min_rows", 20) as f64,
            l2: variant.real("l2", 0.0),
            loss: match variant.text("loss", "squared") {
                "absolute" => Loss::Absolute,
                "huber" => Loss::Huber { share: alpha },
                "quantile" => Loss::Quantile { level: alpha },
                _ => Loss::Squared,
            },
            subsample: variant.real("subsample", 1.0),
            input_fraction: variant.real("input_fraction", 1.0),
            bins: bins(variant),
        }
    }

    /// Leaves of a tree, at most.
    pub(super) fn leaves(&self, rows: usize) -> usize {
        let by_depth = 1usize.checked_shl(self.max_depth as u32).unwrap_or(usize::MAX);
        let by_rows = (rows as f64 / self.min_rows) as usize;
        by_depth.min(self.max_leaves).min(by_rows).max(1)
    }
}

pub(super) fn trees(variant: &Params) -> usize {
    variant.int("trees", 100) as usize
}

pub(super) fn bins(variant: &Params) -> usize {
    variant.int("bins", 255) as usize
}
