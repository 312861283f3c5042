//! `[relevance]`: which values of the target matter.

use std::{collections::HashSet, fmt};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tailrank_metrics::relevance::Extremes;

use crate::problem::{Problem, Problems};

/// Which values of the target matter, and from which relevance on a value is an event.
#[derive(Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RelevanceSettings {
    /// The shape of φ.
    pub kind: RelevanceKind,
    /// `sigmoid`: centre of the low side (φ = 0.5 there); from the training box plot if absent.
    pub low: Option<f64>,
    /// `sigmoid`: centre of the high side.
    pub high: Option<f64>,
    /// `sigmoid` from the box plot: centre of the low side where no training value lies below the whisker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback_low: Option<f64>,
    /// The same for the high side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback_high: Option<f64>,
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

/// As derived, without the fallback where there is none: keys of cells are made of what settings show.
impl fmt::Debug for RelevanceSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("RelevanceSettings");
        shown.field("kind", &self.kind).field("low", &self.low).field("high", &self.high);
        shown.field("extremes", &self.extremes).field("k", &self.k).field("delta", &self.delta);
        shown.field("coefficient", &self.coefficient).field("adjusted", &self.adjusted);
        shown.field("points", &self.points).field("ranges", &self.ranges);
        shown.field("event_threshold", &self.event_threshold);
        if self.fallback_low.is_some() || self.fallback_high.is_some() {
            shown.field("fallback", &(self.fallback_low, self.fallback_high));
        }
        shown.finish()
    }
}

impl Default for RelevanceSettings {
    fn default() -> Self {
        Self {
            kind: RelevanceKind::Sigmoid,
            low: None,
            high: None,
            fallback_low: None,
            fallback_high: None,
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

impl RelevanceSettings {
    /// What is wrong with these settings before any data is seen.
    pub fn problems(&self, key: &str) -> Vec<Problem> {
        let mut section = Problems::of(key);
        let mut seen = HashSet::new();
        for (i, p) in self.points.iter().enumerate() {
            // 0 and −0 are one place; what is not a number is refused for itself.
            let again = p.first().is_some_and(|y| !seen.insert((y + 0.0).to_bits()));
            let message = match p[..] {
                [y, phi] | [y, phi, _] if !(y.is_finite() && (0.0..=1.0).contains(&phi)) => {
                    format!("y = {y} must be finite, φ = {phi} lie between 0 and 1")
                }
                [_, _, slope] if !slope.is_finite() => format!("a slope of {slope} must be finite"),
                [y, ..] if again => format!("y = {y} stands twice; give each y once"),
                [_, _] | [_, _, _] => continue,
                _ => format!("a point is [y, φ] or [y, φ, slope], this one has {} numbers", p.len()),
            };
            section.check(&format!("points.{}", i + 1), false, message);
        }
        let share = (0.0..=1.0).contains(&self.event_threshold);
        section.number("event_threshold", self.event_threshold, share, "must lie between 0 and 1");
        section.number("k", self.k, self.k > 0.0 && self.k.is_finite(), "must be above 0, such as 0.5");
        section.number(
            "delta",
            self.delta,
            self.delta > 0.0 && self.delta < 0.5,
            "must lie between 0 and 0.5",
        );
        let whisker = self.coefficient >= 0.0 && self.coefficient.is_finite();
        section.number("coefficient", self.coefficient, whisker, "must be 0 or more, such as 1.5");
        let centres = [
            ("low", self.low),
            ("high", self.high),
            ("fallback_low", self.fallback_low),
            ("fallback_high", self.fallback_high),
        ];
        for (name, centre) in centres {
            let centre = centre.unwrap_or(1.0);
            section.number(name, centre, centre.is_finite(), "must be a finite number");
        }
        let has_ranges = self.kind != RelevanceKind::Indicator || !self.ranges.is_empty();
        section.check("ranges", has_ranges, "an indicator needs ranges, such as [[0.02, inf]]");
        let has_points = self.kind != RelevanceKind::Table || !self.points.is_empty();
        section.check("points", has_points, "a table needs points, such as [[0.0, 0.0], [0.1, 1.0]]");
        section.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_make_no_relevance_are_named() {
        let keys = |text: &str| -> Vec<String> {
            let settings: RelevanceSettings = toml::from_str(text).unwrap();
            settings.problems("relevance").into_iter().map(|p| p.key).collect()
        };
        for (text, key) in [
            ("event_threshold = 1.5", "relevance.event_threshold"),
            ("event_threshold = -0.1", "relevance.event_threshold"),
            ("k = 0", "relevance.k"),
            ("delta = 0.5", "relevance.delta"),
            ("delta = 0", "relevance.delta"),
            ("coefficient = -1", "relevance.coefficient"),
            ("low = inf", "relevance.low"),
            ("high = nan", "relevance.high"),
            ("kind = \"indicator\"", "relevance.ranges"),
            ("kind = \"table\"", "relevance.points"),
            ("points = [[0, 0], [1, 1.5]]", "relevance.points.2"),
            ("points = [[0, 0], [-0.0, 1]]", "relevance.points.2"),
            ("points = [[0, 0, inf]]", "relevance.points.1"),
            ("points = [[0]]", "relevance.points.1"),
        ] {
            assert_eq!(keys(text), [key], "{text}");
        }
        for text in [
            "event_threshold = 0",
            "event_threshold = 1\ndelta = 0.49\ncoefficient = 0",
            "points = [[0, 0, 1], [1, 1, 0]]",
        ] {
            assert_eq!(keys(text), [""; 0], "{text}");
        }
    }
}
