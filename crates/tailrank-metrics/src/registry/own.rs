//! Measures registered from outside the crate.

use std::sync::{PoisonError, RwLock};

use super::{Measure, MeasureInfo};
use crate::error::{MetricError, Result};
use crate::score::{Better, Score};

type ScoreFunction = dyn Fn(&[f64], &[f64]) -> Score + Send + Sync;

/// Every measure registered so far. They live as long as the program, as the built-in ones do.
static REGISTERED: RwLock<Vec<&'static Row>> = RwLock::new(Vec::new());

struct Row {
    info: MeasureInfo,
    score: Box<ScoreFunction>,
}

/// A measure registered from outside, known by its id wherever a measure is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnMeasure {
    /// Its place among the registered ones.
    place: usize,
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
        if id.is_empty() || id != id.trim().to_lowercase() || Measure::from_id(id).is_ok() {
            return Err(MetricError::MeasureName { id: id.to_owned() });
        }
        let mut all = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
        let measure = Measure::Own(Self { place: all.len() });
        let info = MeasureInfo {
            measure,
            id,
            aliases: &[],
            name,
            symbol: id,
            better,
            citation: "registered by this program",
            formula: name,
            needs: &[],
            undefined: &[],
        };
        all.push(Box::leak(Box::new(Row { info, score: Box::new(score) })));
        Ok(measure)
    }

    /// The measure of this id, if one is registered.
    pub(super) fn find(id: &str) -> Option<Measure> {
        let all = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
        all.iter().find(|row| row.info.id == id).map(|row| row.info.measure)
    }

    fn row(self) -> &'static Row {
        REGISTERED.read().unwrap_or_else(PoisonError::into_inner)[self.place]
    }

    pub(super) fn info(self) -> &'static MeasureInfo {
        &self.row().info
    }

    /// The score of predictions.
    pub(crate) fn score(self, truth: &[f64], predicted: &[f64]) -> Score {
        match (self.row().score)(truth, predicted) {
            Score::Value(value) => Score::finite(value),
            undefined => undefined,
        }
    }
}
