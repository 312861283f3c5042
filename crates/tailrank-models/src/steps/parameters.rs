//! Parameters that several steps have.

use crate::{ParamKind, ParamSpec};

pub(super) const POSITIVE: ParamKind = ParamKind::Real { min: 0.0, above: true, max: f64::INFINITY };

pub(super) const THRESHOLD: ParamSpec = ParamSpec {
    name: "threshold",
    kind: ParamKind::Real { min: 0.0, above: true, max: 1.0 },
    default: "0.8",
    doc: "rows are rare from this relevance on",
};

pub(super) const RECENT: ParamSpec = ParamSpec {
    name: "recent",
    kind: ParamKind::Flag,
    default: "false",
    doc: "prefer recent rows: draw the i-th oldest of r by i/r, take the latest of the k neighbours",
};

pub(super) const LIMIT: ParamSpec = ParamSpec {
    name: "limit",
    kind: ParamKind::Real { min: 1.0, above: false, max: f64::INFINITY },
    default: "10",
    doc: "rows after the step, at most this many times the rows before",
};

pub(super) const K: ParamSpec = ParamSpec {
    name: "k",
    kind: ParamKind::Int { min: 1, max: u32::MAX as i64 },
    default: "5",
    doc: "neighbours within the bump, one of which is drawn",
};

pub(super) const DISTANCE: ParamSpec = ParamSpec {
    name: "distance",
    kind: ParamKind::Choice(&["auto", "standardised", "heom", "ubl"]),
    default: "auto",
    doc: "auto: heom where there are categories, else Euclidean on standardised inputs; ubl: unscaled",
};

pub(super) const PERT: ParamSpec = ParamSpec {
    name: "pert",
    kind: POSITIVE,
    default: "0.1",
    doc: "standard deviation of the noise, in standard deviations within the bump",
};

pub(super) const RESIZE: ParamSpec = ParamSpec {
    name: "share",
    kind: ParamKind::ChoiceOrReal { words: &["balance", "extreme"], above: 0.0, max: f64::INFINITY },
    default: "balance",
    doc: "sizes of the bumps: equal, turned round, or this many new rows for each rare one",
};
