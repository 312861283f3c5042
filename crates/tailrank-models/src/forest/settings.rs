//! What a forest's trees depend on: every parameter but their number.

use crate::{ModelError, ParamKind, ParamSpec, Params, Result};

const COUNT: ParamKind = ParamKind::Int { min: 1, max: u32::MAX as i64 };

pub(super) const PARAMETERS: &[ParamSpec] = crate::parameters! {
    "trees" = "500", COUNT, "number of trees";
    "mtry" = "auto", COUNT, "inputs tried at each split; a third of them, at least one, unless given";
    "node_size" = "5", COUNT, "a node with this many cases or fewer is not split";
    "replace" = "true", ParamKind::Flag, "draw each tree's cases with replacement";
    "sample_fraction" = "auto", ParamKind::Real { min: 0.0, above: true, max: 1.0 },
        "cases drawn per tree as a share of the rows; 1, or 0.632 without replacement";
    "extra_trees" = "false", ParamKind::Flag,
        "one cut drawn at random per input tried instead of the best one";
    "max_depth" = "0", ParamKind::Int { min: 0, max: u32::MAX as i64 },
        "splits on the way to any leaf; 0 for no limit";
    "max_nodes" = "0", ParamKind::Int { min: 0, max: u32::MAX as i64 },
        "leaves per tree, grown level by level; 0 for no limit";
};

/// Everything a single tree depends on besides data and seed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settings {
    pub(super) mtry: usize,
    pub(super) node_size: u32,
    pub(super) replace: bool,
    /// Cases drawn for each tree.
    pub(super) sample: usize,
    pub(super) extra_trees: bool,
    pub(super) max_depth: u32,
    pub(super) max_leaves: usize,
}

impl Settings {
    /// The settings of a checked variant for data of this size.
    pub(super) fn new(variant: &Params, rows: usize, inputs: usize) -> Result<Self> {
        let mtry = variant.int("mtry", (inputs as i64 / 3).max(1));
        if mtry > inputs as i64 {
            return Err(ModelError::parameter("forest", "mtry", mtry, format!("there are {inputs} inputs")));
        }
        let replace = variant.flag("replace", true);
        let fraction = variant.real("sample_fraction", if replace { 1.0 } else { 0.632 });
        let limit = |name| match variant.int(name, 0) {
            0 => u32::MAX,
            limit => limit as u32,
        };
        Ok(Self {
            mtry: mtry as usize,
            node_size: variant.int("node_size", 5) as u32,
            replace,
            sample: ((fraction * rows as f64).ceil() as usize).clamp(1, rows),
            extra_trees: variant.flag("extra_trees", false),
            max_depth: limit("max_depth"),
            max_leaves: limit("max_nodes") as usize,
        })
    }

    /// Names the random streams, so that a setting left out and its default written out are one forest.
    pub(super) fn stream_name(&self) -> String {
        format!("{self:?}")
    }
}
