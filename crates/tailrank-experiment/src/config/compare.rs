//! `[compare]`: how rankings are compared.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tailrank_metrics::{Measure, registry::Need};

use crate::{
    problem::{Problem, Problems},
    text::count,
};

/// How rankings are compared.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Compare {
    /// Pairs of measures whose rankings are set against each other; the first pair makes the headline. If
    /// absent, mad and f; where `measures.list` lacks one of these, mad or its first measure, and the first
    /// that looks at relevance, if any does.
    #[schemars(with = "Option<Vec<[String; 2]>>")]
    pub pairs: Option<Vec<Vec<String>>>,
    /// The measure that decides which model to use; if absent, the second measure of the first pair.
    pub decide_by: Option<String>,
    /// How many of the best are looked at.
    pub top: usize,
    /// Permutations behind the permutation p-values, at most 1,000,000.
    pub permutations: usize,
    /// Significance level of tests and diagrams.
    pub alpha: f64,
    /// Leave variants with an undefined score out of the rank tests, instead of ranking them last.
    pub exclude_undefined: bool,
}

impl Compare {
    /// The pairs of measures that are set against each other, of those that are computed, and the problems of
    /// the pairs named.
    pub(crate) fn measure_pairs(&self, computed: &[Measure]) -> (Vec<(Measure, Measure)>, Vec<Problem>) {
        let (mut pairs, mut problems) = (Vec::new(), Vec::new());
        let Some(named) = &self.pairs else {
            return (usual_pair(computed).into_iter().collect(), problems);
        };
        for (i, pair) in named.iter().enumerate() {
            let mut wrong =
                |message| problems.push(Problem::new(format!("compare.pairs.{}", i + 1), message));
            // The reader beneath would take the first two of a longer list without a word.
            let [a, b] = &pair[..] else {
                let named = count(pair.len(), "measure");
                wrong(format!("names {named}; a pair has two, such as [\"mad\", \"f\"]"));
                continue;
            };
            match [a, b].map(|id| computed_measure(id, computed)) {
                [Ok(a), Ok(b)] if a == b => {
                    wrong(format!("'{}' is named twice; a measure is compared with another one", a.id()));
                }
                [Ok(a), Ok(b)] => pairs.push((a, b)),
                known => known.into_iter().filter_map(Result::err).for_each(wrong),
            }
        }
        (pairs, problems)
    }

    /// The measure named to decide.
    pub fn decide_by(&self) -> Option<Measure> {
        self.decide_by.as_deref().and_then(|id| Measure::from_id(id).ok())
    }

    /// What is wrong with these settings, given the measures that are computed.
    pub(crate) fn problems(&self, computed: &[Measure]) -> Vec<Problem> {
        let mut section = Problems { section: "compare", found: self.measure_pairs(computed).1 };
        let wrong = self.decide_by.as_ref().and_then(|id| computed_measure(id, computed).err());
        section.check("decide_by", wrong.is_none(), wrong.unwrap_or_default());
        let is_level = self.alpha > 0.0 && self.alpha < 1.0;
        section.number("alpha", self.alpha, is_level, "must lie between 0 and 1, such as 0.05");
        let expected = format!(
            "would take hours after the last fit; {MOST_PERMUTATIONS} tell p-values apart to 0.000001, give at most so many"
        );
        let is_swift = self.permutations <= MOST_PERMUTATIONS;
        section.number("permutations", self.permutations, is_swift, &expected);
        section.found
    }
}

/// The measure of an id, if it is computed.
fn computed_measure(id: &str, computed: &[Measure]) -> Result<Measure, String> {
    match Measure::from_id(id) {
        Ok(m) if computed.contains(&m) => Ok(m),
        Ok(m) => Err(format!("'{}' is not in measures.list; add it there", m.id())),
        Err(e) => Err(e.to_string()),
    }
}

/// The pair of measures that makes the headline where none is named: MAD and F; else MAD, or the first, and
/// the first measure that looks at relevance; else the first two.
pub fn usual_pair(measures: &[Measure]) -> Option<(Measure, Measure)> {
    let has = |m: Measure| measures.contains(&m);
    if has(Measure::Mad) && has(Measure::F) {
        return Some((Measure::Mad, Measure::F));
    }
    let aware = |m: &Measure| m.info().needs.contains(&Need::Relevance);
    let plain =
        if has(Measure::Mad) { Some(Measure::Mad) } else { measures.iter().copied().find(|m| !aware(m)) };
    match (plain.zip(measures.iter().copied().find(aware)), measures) {
        (Some(pair), _) => Some(pair),
        (None, [first, second, ..]) => Some((*first, *second)),
        _ => None,
    }
}

/// More would tell p-values apart that nobody distinguishes.
const MOST_PERMUTATIONS: usize = 1_000_000;

impl Default for Compare {
    fn default() -> Self {
        Self {
            pairs: None,
            decide_by: None,
            top: 10,
            permutations: 10_000,
            alpha: 0.05,
            exclude_undefined: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_said_means_the_usual_comparison() {
        let compare: Compare = toml::from_str("").unwrap();
        assert_eq!((compare.top, compare.permutations, compare.alpha), (10, 10_000, 0.05));
        assert!(compare.pairs.is_none() && !compare.exclude_undefined);
    }

    #[test]
    fn numbers_beyond_their_ends_are_named() {
        let keys = |text: &str| -> Vec<String> {
            let compare: Compare = toml::from_str(text).unwrap();
            compare.problems(&[Measure::Mad]).into_iter().map(|p| p.key).collect()
        };
        assert_eq!(keys("alpha = 0"), ["compare.alpha"]);
        assert_eq!(keys("alpha = 1"), ["compare.alpha"]);
        assert_eq!(keys("alpha = nan"), ["compare.alpha"]);
        assert_eq!(keys("permutations = 1000001"), ["compare.permutations"]);
        assert_eq!(keys("alpha = 0.999\npermutations = 1000000"), [""; 0]);
        assert_eq!(
            keys("pairs = [[\"mad\", \"mad\"], [\"mad\", \"mse\"], [\"madd\", \"mad\"]]"),
            ["compare.pairs.1", "compare.pairs.2", "compare.pairs.3"]
        );
    }

    #[test]
    fn a_pair_has_two_different_measures() {
        let said = |pairs: &str| -> Vec<String> {
            let compare: Compare = toml::from_str(&format!("pairs = {pairs}")).unwrap();
            let (taken, problems) = compare.measure_pairs(&[Measure::Mad, Measure::F]);
            assert!(taken.is_empty());
            problems.iter().map(ToString::to_string).collect()
        };
        assert_eq!(
            said("[[\"mad\", \"f\", \"mad\"], [\"mad\"], [\"f\", \"f\"]]"),
            [
                "compare.pairs.1: names 3 measures; a pair has two, such as [\"mad\", \"f\"]",
                "compare.pairs.2: names 1 measure; a pair has two, such as [\"mad\", \"f\"]",
                "compare.pairs.3: 'f' is named twice; a measure is compared with another one",
            ]
        );
    }

    #[test]
    fn the_usual_pair_sets_mad_against_a_measure_of_extremes() {
        use Measure::{F, Mad, Mse, Rmse, Sera};
        assert_eq!(usual_pair(&[Mse, F, Sera, Mad]), Some((Mad, F)));
        assert_eq!(usual_pair(&[Mse, Mad, Sera]), Some((Mad, Sera)));
        assert_eq!(usual_pair(&[Mad, Rmse, Sera]), Some((Mad, Sera)));
        assert_eq!(usual_pair(&[Mse, Rmse, Sera]), Some((Mse, Sera)));
        assert_eq!(usual_pair(&[Mse, Mad]), Some((Mse, Mad)));
        assert_eq!(usual_pair(&[F, Sera]), Some((F, Sera)));
        assert_eq!(usual_pair(&[Mad]), None);
    }
}
