//! Measures registered from outside the crate.

use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    sync::{OnceLock, RwLock},
};

use super::{Input, Measure, MeasureInfo};
use crate::error::{MetricError, Result};
use crate::score::{Better, Score};

type ScoreFunction = dyn Fn(&[f64], &[f64]) -> Score + Send + Sync;

/// Every measure registered so far. They live as long as the program, as the built-in ones do.
static REGISTERED: RwLock<Vec<&'static OwnMeasure>> = RwLock::new(Vec::new());

/// A measure registered from outside, known by its id wherever a measure is named.
pub struct OwnMeasure {
    id: &'static str,
    name: &'static str,
    better: Better,
    score: Box<ScoreFunction>,
    info: OnceLock<MeasureInfo>,
}

impl OwnMeasure {
    /// Registers a measure of true and predicted numbers; those of several folds come one after the other.
    ///
    /// ```
    /// use tailrank_metrics::{Better, Measure, Score, Scorer, Settings, registry::OwnMeasure};
    ///
    /// let largest = |truth: &[f64], predicted: &[f64]| {
    ///     Score::Value(truth.iter().zip(predicted).map(|(y, z)| (z - y).abs()).fold(0.0, f64::max))
    /// };
    /// let worst = OwnMeasure::register("worst", "largest absolute error", Better::Lower, largest)?;
    /// assert_eq!(Measure::from_id("worst")?, worst);
    /// let scores = Scorer::new(&[1.0, 2.0], Settings::default())?.score(&[1.5, 4.0], &[worst])?;
    /// assert_eq!(scores[0].value(), Some(2.0));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    ///
    /// # Errors
    /// A name that is taken or is not in lower case.
    pub fn register(
        id: &'static str,
        name: &'static str,
        better: Better,
        score: impl Fn(&[f64], &[f64]) -> Score + Send + Sync + 'static,
    ) -> Result<Measure> {
        let own = Self { id, name, better, score: Box::new(score), info: OnceLock::new() };
        if id.is_empty() || id != id.trim().to_lowercase() || Measure::from_id(id).is_ok() {
            return Err(MetricError::MeasureName { id: id.to_owned() });
        }
        let mut all = REGISTERED.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        let own: &'static Self = Box::leak(Box::new(own));
        all.push(own);
        Ok(Measure::Own(own))
    }

    pub(super) fn find(id: &str) -> Option<&'static Self> {
        let all = REGISTERED.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        all.iter().copied().find(|own| own.id == id)
    }

    pub(super) fn info(&'static self) -> &'static MeasureInfo {
        self.info.get_or_init(|| MeasureInfo {
            measure: Measure::Own(self),
            id: self.id,
            aliases: &[],
            name: self.name,
            symbol: self.id,
            better: self.better,
            citation: "registered by this program",
            formula: self.name,
            needs: &[],
            undefined: &[],
            input: Input::Numbers,
        })
    }

    /// The score of predictions.
    pub(crate) fn score(&self, truth: &[f64], predicted: &[f64]) -> Score {
        match (self.score)(truth, predicted) {
            Score::Value(value) => Score::finite(value),
            undefined => undefined,
        }
    }
}

impl fmt::Debug for OwnMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OwnMeasure({})", self.id)
    }
}

impl PartialEq for OwnMeasure {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for OwnMeasure {}

impl PartialOrd for OwnMeasure {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OwnMeasure {
    fn cmp(&self, other: &Self) -> Ordering {
        self.id.cmp(other.id)
    }
}

impl Hash for OwnMeasure {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}
