//! The one table of steps: lists, checks and messages are drawn from it.

use crate::{ParamKind, ParamSpec};

/// One step a recipe may have.
#[derive(Clone, Copy, Debug)]
pub struct StepSpec {
    /// The key that names it in an experiment: `weights`, `resample`, `stretch` or `calibrate`.
    pub key: &'static str,
    /// Its value under that key.
    pub name: &'static str,
    /// One line for `tailrank list steps`.
    pub summary: &'static str,
    /// Whether it needs the relevance, so that its fits change with it.
    pub uses_relevance: bool,
    /// The parameters beside the key.
    pub parameters: &'static [ParamSpec],
}

const POSITIVE: ParamKind = ParamKind::Real { min: 0.0, above: true, max: f64::INFINITY };

const THRESHOLD: ParamSpec = ParamSpec {
    name: "threshold",
    kind: ParamKind::Real { min: 0.0, above: true, max: 1.0 },
    default: "0.8",
    doc: "rows are rare from this relevance on",
};
const RECENT: ParamSpec = ParamSpec {
    name: "recent",
    kind: ParamKind::Flag,
    default: "false",
    doc: "prefer recent rows: draw the i-th oldest of r by i/r, take the latest of the k neighbours",
};
const LIMIT: ParamSpec = ParamSpec {
    name: "limit",
    kind: ParamKind::Real { min: 1.0, above: false, max: f64::INFINITY },
    default: "10",
    doc: "rows after the step, at most this many times the rows before",
};
const K: ParamSpec = ParamSpec {
    name: "k",
    kind: ParamKind::Int { min: 1, max: u32::MAX as i64 },
    default: "5",
    doc: "neighbours within the bump, one of which is drawn",
};
const DISTANCE: ParamSpec = ParamSpec {
    name: "distance",
    kind: ParamKind::Choice(&["auto", "standardised", "heom", "ubl"]),
    default: "auto",
    doc: "auto: heom where there are categories, else Euclidean on standardised inputs; ubl: unscaled",
};
const PERT: ParamSpec = ParamSpec {
    name: "pert",
    kind: POSITIVE,
    default: "0.1",
    doc: "standard deviation of the noise, in standard deviations within the bump",
};
const KEEP: ParamSpec = ParamSpec {
    name: "share",
    kind: ParamKind::ChoiceOrReal { words: &["balance", "extreme"], above: 0.0, max: 1.0 },
    default: "balance",
    doc: "normal rows kept: as many as rare ones, far fewer, or this share of them",
};
const COPY: ParamSpec = ParamSpec {
    name: "share",
    kind: ParamKind::ChoiceOrReal { words: &["balance", "extreme"], above: 0.0, max: f64::INFINITY },
    default: "balance",
    doc: "copies of rare rows: as many as normal ones, far more, or this many times the rare rows",
};
const RESIZE: ParamSpec = ParamSpec {
    name: "share",
    kind: ParamKind::ChoiceOrReal { words: &["balance", "extreme"], above: 0.0, max: f64::INFINITY },
    default: "balance",
    doc: "sizes of the bumps: equal, turned round, or this many new rows for each rare one",
};
const SHARE_OF_WERCS: ParamSpec = ParamSpec {
    default: "auto",
    doc: "sizes of the bumps: equal, turned round, or a factor; auto: no bumps, see over and under",
    ..RESIZE
};
const ADDED: ParamSpec = ParamSpec {
    name: "over",
    kind: POSITIVE,
    default: "0.5",
    doc: "draws by relevance that are added, as a share of the rows",
};
const REMOVED: ParamSpec = ParamSpec {
    name: "under",
    kind: POSITIVE,
    default: "0.5",
    doc: "draws by 1 - relevance that are taken away, as a share of the rows",
};
const BAGS: ParamSpec = ParamSpec {
    name: "bags",
    kind: ParamKind::Int { min: 1, max: 10_000 },
    default: "10",
    doc: "fits that are averaged",
};
const FLOOR: ParamSpec = ParamSpec {
    name: "floor",
    kind: ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY },
    default: "0.05",
    doc: "added to the relevance, so that no row is lost",
};
const ALPHA: ParamSpec = ParamSpec {
    name: "alpha",
    kind: POSITIVE,
    default: "1",
    doc: "how much density takes away from a weight",
};
const BINS: ParamSpec = ParamSpec {
    name: "bins",
    kind: ParamKind::Int { min: 2, max: 1_000_000 },
    default: "100",
    doc: "bins of the target's histogram",
};
const SHIFT: ParamSpec = ParamSpec {
    name: "shift",
    kind: ParamKind::Flag,
    default: "false",
    doc: "also move all predictions up or down",
};

/// Every step, in the order of lists.
pub const STEPS: &[StepSpec] = &[
    StepSpec {
        key: "weights",
        name: "phi",
        summary: "a row counts by its relevance",
        uses_relevance: true,
        parameters: &[FLOOR],
    },
    StepSpec {
        key: "weights",
        name: "dense",
        summary: "a row counts by how thinly its target lies (DenseWeight)",
        uses_relevance: false,
        parameters: &[ALPHA],
    },
    StepSpec {
        key: "weights",
        name: "lds",
        summary: "a row counts 1 over the smoothed number of targets like its own (label distribution smoothing)",
        uses_relevance: false,
        parameters: &[BINS],
    },
    StepSpec {
        key: "resample",
        name: "under",
        summary: "all rare rows and a part of the normal ones",
        uses_relevance: true,
        parameters: &[KEEP, THRESHOLD, RECENT],
    },
    StepSpec {
        key: "resample",
        name: "over",
        summary: "all rows and copies of the rare ones",
        uses_relevance: true,
        parameters: &[COPY, THRESHOLD, RECENT, LIMIT],
    },
    StepSpec {
        key: "resample",
        name: "smote",
        summary: "fewer normal rows, and new rows between rare ones and their neighbours (SmoteR)",
        uses_relevance: true,
        parameters: &[RESIZE, K, DISTANCE, THRESHOLD, RECENT, LIMIT],
    },
    StepSpec {
        key: "resample",
        name: "noise",
        summary: "fewer normal rows, and rare rows with Gaussian noise",
        uses_relevance: true,
        parameters: &[RESIZE, PERT, THRESHOLD, RECENT, LIMIT],
    },
    StepSpec {
        key: "resample",
        name: "smogn",
        summary: "smote where the neighbour is near, noise where it is not (SMOGN)",
        uses_relevance: true,
        parameters: &[RESIZE, K, PERT, DISTANCE, THRESHOLD, RECENT, LIMIT],
    },
    StepSpec {
        key: "resample",
        name: "wercs",
        summary: "rows added by relevance and taken away by the lack of it (WERCS)",
        uses_relevance: true,
        parameters: &[ADDED, REMOVED, SHARE_OF_WERCS, THRESHOLD, LIMIT],
    },
    StepSpec {
        key: "resample",
        name: "bag",
        summary: "mean of fits on bags with as many rare rows as normal ones (REBAGG)",
        uses_relevance: true,
        parameters: &[BAGS, THRESHOLD, RECENT],
    },
    StepSpec {
        key: "stretch",
        name: "f",
        summary: "predictions drawn away from the mean as far as F rewards on out-of-fold predictions",
        uses_relevance: true,
        parameters: &[SHIFT],
    },
    StepSpec {
        key: "stretch",
        name: "utility",
        summary: "the same for utility, or any other measure by its name",
        uses_relevance: true,
        parameters: &[SHIFT],
    },
    StepSpec {
        key: "calibrate",
        name: "isotonic",
        summary: "predictions mapped to the mean target of rows predicted alike, by isotonic regression",
        uses_relevance: false,
        parameters: &[],
    },
];
