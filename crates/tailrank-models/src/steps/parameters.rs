//! Parameters that several steps have.

use crate::{ParamKind, ParamSpec};

pub(super) const POSITIVE: ParamKind = ParamKind::Real { min: 0.0, above: true, max: f64::INFINITY };

pub(super) const THRESHOLD: ParamSpec = crate::parameter! {
    "threshold" = "0.8", ParamKind::Real { min: 0.0, above: true, max: 1.0 },
    "rows are rare from this relevance on"
};

pub(super) const RECENT: ParamSpec = crate::parameter! {
    "recent" = "false", ParamKind::Flag,
    "prefer recent rows: draw the i-th oldest of r by i/r, take the latest of the k neighbours"
};

pub(super) const LIMIT: ParamSpec = crate::parameter! {
    "limit" = "10", ParamKind::Real { min: 1.0, above: false, max: f64::INFINITY },
    "rows after the step, at most this many times the rows before"
};

pub(super) const K: ParamSpec = crate::parameter! {
    "k" = "5", ParamKind::Int { min: 1, max: u32::MAX as i64 },
    "neighbours within the bump, one of which is drawn"
};

pub(super) const DISTANCE: ParamSpec = crate::parameter! {
    "distance" = "auto", ParamKind::Choice(&["auto", "standardised", "heom", "ubl"]),
    "auto: heom where there are categories, else Euclidean on standardised inputs; ubl: unscaled"
};

pub(super) const PERT: ParamSpec = crate::parameter! {
    "pert" = "0.1", POSITIVE,
    "standard deviation of the noise, in standard deviations within the bump"
};

pub(super) const RESIZE: ParamSpec = crate::parameter! {
    "share" = "balance",
    ParamKind::ChoiceOrReal { words: &["balance", "extreme"], above: 0.0, max: f64::INFINITY },
    "sizes of the bumps: equal, turned round, or this many new rows for each rare one"
};
