//! `[relevance]`: which values of the target matter.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which values of the target matter, and from which relevance on a value is an event.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RelevanceSettings {
    /// The shape of φ.
    pub kind: RelevanceKind,
    /// `sigmoid`: centre of the low side (φ = 0.5 there); from the training box plot if absent.
    pub low: Option<f64>,
    /// `sigmoid`: centre of the high side.
    pub high: Option<f64>,
    /// Which extremes matter, where centres or control points come from the training data.
    pub extremes: Extremes,
    /// `sigmoid`: decay factor k of PR09 eq. 5.
    pub k: f64,
    /// `sigmoid`: precision Δ of PR09 eq. 5.
    pub delta: f64,
    /// `pchip` from the box plot: whisker coefficient.
    pub coefficient: f64,
    /// `pchip` from the box plot: adjust the whiskers for skewness (medcouple).
    pub adjusted: bool,
    /// `pchip`, `table`: control points [y, φ] or [y, φ, slope].
    pub points: Vec<Vec<f64>>,
    /// `indicator`: ranges [from, to] that matter; use inf for an open end.
    pub ranges: Vec<[f64; 2]>,
    /// t_E: a value with φ ≥ t_E is an event.
    pub event_threshold: f64,
}

/// The shape of φ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RelevanceKind {
    /// PR09 eq. 4–5.
    #[default]
    Sigmoid,
    /// Piecewise cubic Hermite, the form of uba, UBL and IRon.
    Pchip,
    /// Linear between given points.
    Table,
    /// 1 in given ranges, else 0.
    Indicator,
}

/// Which extremes matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Extremes {
    /// Low values only.
    Low,
    /// High values only.
    High,
    /// Both.
    #[default]
    Both,
}

impl Default for RelevanceSettings {
    fn default() -> Self {
        Self {
            kind: RelevanceKind::Sigmoid,
            low: None,
            high: None,
            extremes: Extremes::Both,
            k: 0.5,
            delta: 1e-4,
            coefficient: 1.5,
            adjusted: false,
            points: Vec::new(),
            ranges: Vec::new(),
            event_threshold: 0.5,
        }
    }
}
