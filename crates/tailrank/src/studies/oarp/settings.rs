//! The study's settings, as its file gives them.

use serde::Deserialize;
use tailrank_data::Coding;
use tailrank_models::classification::{Criterion, Prototypes};

use crate::studies::{Result, StudyError};

/// The settings that come with the study.
pub(super) const BUNDLED: &str = include_str!("settings.toml");

/// How the study is done.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Names the randomness of folds and candidates.
    pub seed: u64,
    /// Pairs of prototypes per fold.
    pub candidates: usize,
    /// Runs of cross-validation.
    pub runs: usize,
    /// Folds of each.
    pub folds: usize,
    /// Level of the tests, two-sided.
    pub level: f64,
    /// How the paper is read where it is silent.
    pub reading: Reading,
    /// Other readings, run beside it.
    #[serde(default)]
    pub other_readings: Vec<OtherReading>,
    /// The tree of reference, if one is to be grown.
    pub tree: Option<Tree>,
    /// The data sets.
    pub sets: Vec<Set>,
}

/// One reading of what the paper leaves open.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// Where prototypes come from.
    pub prototypes: PrototypeSource,
    /// Which rows gaps and scales are learned from.
    pub preparation: Preparation,
    /// What becomes of symbolic attributes.
    pub symbolic: Symbolic,
    /// The class that F is of.
    pub f_of: FClass,
    /// Whether folds have equal shares of both classes.
    pub stratified: bool,
}

/// What another reading changes.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct OtherReading {
    /// What it is, in tables.
    pub name: String,
    /// See [`Reading::prototypes`].
    pub prototypes: Option<PrototypeSource>,
    /// See [`Reading::preparation`].
    pub preparation: Option<Preparation>,
    /// See [`Reading::symbolic`].
    pub symbolic: Option<Symbolic>,
    /// See [`Reading::f_of`].
    pub f_of: Option<FClass>,
    /// See [`Reading::stratified`].
    pub stratified: Option<bool>,
}

/// Where prototypes come from.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum PrototypeSource {
    /// Training rows of the class.
    Instances,
    /// Points of the unit cube.
    Uniform,
}

/// Which rows gaps and scales are learned from.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Preparation {
    /// The training rows of the fold.
    Training,
    /// All rows, test rows too, as the paper did.
    All,
}

/// What becomes of symbolic attributes.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Symbolic {
    /// Their number in the file, scaled like any other attribute.
    Numbers,
    /// One input per level.
    OneHot,
}

/// The class that F is of.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum FClass {
    /// The set's positive class.
    Positive,
    /// The other one.
    Negative,
}

/// The tree of reference.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Tree {
    /// Most splits between root and leaf.
    pub max_depth: usize,
    /// Least rows of a leaf.
    pub min_leaf: usize,
}

/// One data set of the study.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Set {
    /// Name in the library.
    pub data: String,
    /// The paper's name for it.
    pub label: String,
    /// The positive class.
    pub positive: String,
    /// Attributes that are symbolic though written as numbers.
    #[serde(default)]
    pub symbolic: Vec<String>,
}

impl Settings {
    /// The settings that come with the study.
    pub fn bundled() -> Result<Self> {
        Self::parse(BUNDLED)
    }

    /// Reads settings; unknown keys are refused.
    ///
    /// ```
    /// use tailrank::studies::oarp::Settings;
    /// let err = Settings::parse("seed = 1\ncandidate = 500\n").unwrap_err().to_string();
    /// assert!(err.contains("unknown field `candidate`"), "{err}");
    /// ```
    pub fn parse(text: &str) -> Result<Self> {
        let settings: Self = toml::from_str(text)
            .map_err(|e| StudyError::Missing(format!("settings: {}", e.to_string().trim())))?;
        settings.check()?;
        Ok(settings)
    }

    fn check(&self) -> Result<()> {
        let least = [
            ("candidates", self.candidates, 1),
            ("runs", self.runs, 2),
            ("folds", self.folds, 2),
            ("sets", self.sets.len(), 1),
        ];
        for (key, value, least) in least {
            if value < least {
                return Err(StudyError::Missing(format!(
                    "settings: {key} = {value}, must be at least {least}"
                )));
            }
        }
        if !(self.level > 0.0 && self.level < 1.0) {
            return Err(StudyError::Missing(format!(
                "settings: level = {}, must lie within 0 and 1",
                self.level
            )));
        }
        Ok(())
    }
}

impl OtherReading {
    /// `main` with what this one changes.
    pub(super) fn of(&self, main: Reading) -> Reading {
        Reading {
            prototypes: self.prototypes.unwrap_or(main.prototypes),
            preparation: self.preparation.unwrap_or(main.preparation),
            symbolic: self.symbolic.unwrap_or(main.symbolic),
            f_of: self.f_of.unwrap_or(main.f_of),
            stratified: self.stratified.unwrap_or(main.stratified),
        }
    }
}

impl Reading {
    /// The measures that choose, in the order of [`Model::CRITERIA`](super::Model::CRITERIA).
    pub(super) fn criteria(self) -> [Criterion; 3] {
        let f = match self.f_of {
            FClass::Positive => Criterion::F,
            FClass::Negative => Criterion::NegativeF,
        };
        [Criterion::Accuracy, f, Criterion::Oarp]
    }
}

impl From<PrototypeSource> for Prototypes {
    fn from(source: PrototypeSource) -> Self {
        match source {
            PrototypeSource::Instances => Self::Instances,
            PrototypeSource::Uniform => Self::Uniform,
        }
    }
}

impl From<Symbolic> for Coding {
    fn from(symbolic: Symbolic) -> Self {
        match symbolic {
            Symbolic::Numbers => Self::Number,
            Symbolic::OneHot => Self::OneHot,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_settings_are_the_papers() {
        let settings = Settings::bundled().unwrap();
        assert_eq!((settings.candidates, settings.runs, settings.folds), (500, 10, 10));
        assert_eq!(settings.sets.len(), 5);
        // Every other reading changes something, and no two are alike.
        let mut readings: Vec<Reading> =
            settings.other_readings.iter().map(|o| o.of(settings.reading)).collect();
        readings.push(settings.reading);
        for (i, reading) in readings.iter().enumerate() {
            assert!(!readings[..i].contains(reading), "{reading:?} twice");
        }
    }

    #[test]
    fn bad_settings_are_named() {
        let said = |from: &str, to: &str| {
            assert!(BUNDLED.contains(from));
            Settings::parse(&BUNDLED.replacen(from, to, 1)).unwrap_err().to_string()
        };
        assert!(said("folds = 10", "folds = 1").contains("folds = 1, must be at least 2"));
        assert!(said("level = 0.05", "level = 5").contains("level = 5, must lie within 0 and 1"));
        let text = said("f_of =", "f_off =");
        assert!(text.contains("unknown field `f_off`") && text.contains("line "), "{text}");
        assert!(said("\"uniform\"\n\n", "\"anywhere\"\n\n").contains("unknown variant `anywhere`"));
        assert!(said("label = \"Liver\"", "labels = \"Liver\"").contains("unknown field `labels`"));
    }
}
