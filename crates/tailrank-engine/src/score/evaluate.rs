//! Scores of every variant on one task.

use tailrank_metrics::{Measure, MetricError, Score, Scorer, Settings};

/// How a variant's fits on a task ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariantStatus {
    /// All fits ended by themselves.
    Fine,
    /// A fit ended at its iteration limit; its predictions count all the same.
    NotConverged,
    /// At least one fit gave no usable predictions.
    Failed {
        /// Why.
        reason: String,
    },
    /// Not fitted yet.
    Missing,
}

/// One part of a task that is scored on its own: a test period, or one fold of a cross-validation.
#[derive(Clone, Debug)]
pub struct TaskTruth {
    /// True values of the test rows.
    pub truth: Vec<f64>,
    /// The measures' settings, fitted on the training rows.
    pub settings: Settings,
}

/// A variant's predictions for every part of a task, or why there are none.
#[derive(Clone, Debug)]
pub struct Predictions {
    /// How the fits ended.
    pub status: VariantStatus,
    /// One vector per part; empty when the status says so.
    pub parts: Vec<Vec<f64>>,
}

/// The scores of all variants on one task.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskScores {
    /// The measures, in order.
    pub measures: Vec<Measure>,
    /// One row per variant, one score per measure; empty for a failed variant.
    pub scores: Vec<Vec<Score>>,
    /// How each variant's fits ended.
    pub status: Vec<VariantStatus>,
    /// Test cases over all parts.
    pub cases: usize,
    /// Events among them.
    pub events: usize,
    /// Signals of each variant.
    pub signals: Vec<Option<usize>>,
    /// Signals of each variant that were right.
    pub hits: Vec<Option<usize>>,
}

impl TaskScores {
    /// The scores of one measure, variant by variant; `None` where undefined or failed.
    pub fn values(&self, measure: Measure) -> Vec<Option<f64>> {
        let place = self.measures.iter().position(|m| *m == measure);
        self.scores.iter().map(|row| place.and_then(|p| row.get(p)).and_then(|s| s.value())).collect()
    }

    /// The score of one variant by one measure.
    pub fn score(&self, variant: usize, measure: Measure) -> Option<Score> {
        let place = self.measures.iter().position(|m| *m == measure)?;
        self.scores.get(variant)?.get(place).copied()
    }

    /// Variants that have scores, in order.
    pub fn scored(&self) -> Vec<usize> {
        (0..self.scores.len()).filter(|&v| !self.scores[v].is_empty()).collect()
    }
}

/// Scores every variant. A score over several parts is the mean of the parts' scores, undefined as soon as one part's is.
pub fn evaluate(
    parts: &[TaskTruth],
    measures: &[Measure],
    predictions: &[Predictions],
) -> Result<TaskScores, MetricError> {
    let mut scorer = TaskScorer::new(parts, measures, predictions.len())?;
    for (variant, predictions) in predictions.iter().enumerate() {
        scorer.add(variant, predictions)?;
    }
    Ok(scorer.finish())
}

/// Scores variants one at a time, in any order, so that their predictions need not be held together.
pub struct TaskScorer<'a> {
    scorers: Vec<Scorer<'a>>,
    found: TaskScores,
}

impl<'a> TaskScorer<'a> {
    /// A scorer for so many variants; those never added count as missing.
    pub fn new(parts: &'a [TaskTruth], measures: &[Measure], variants: usize) -> Result<Self, MetricError> {
        let scorers: Vec<Scorer<'_>> =
            parts.iter().map(|p| Scorer::new(&p.truth, p.settings.clone())).collect::<Result<_, _>>()?;
        let found = TaskScores {
            measures: measures.to_vec(),
            scores: vec![Vec::new(); variants],
            status: vec![VariantStatus::Missing; variants],
            cases: parts.iter().map(|p| p.truth.len()).sum(),
            events: scorers.iter().filter_map(Scorer::events).sum(),
            signals: vec![None; variants],
            hits: vec![None; variants],
        };
        Ok(Self { scorers, found })
    }

    /// Scores one variant.
    pub fn add(&mut self, variant: usize, predictions: &Predictions) -> Result<(), MetricError> {
        let found = &mut self.found;
        found.status[variant] = predictions.status.clone();
        let usable = matches!(predictions.status, VariantStatus::Fine | VariantStatus::NotConverged);
        if !usable || predictions.parts.len() != self.scorers.len() {
            return Ok(());
        }
        let mut rows: Vec<Vec<Score>> = Vec::with_capacity(self.scorers.len());
        let (mut signals, mut hits) = (0, 0);
        for (scorer, predicted) in self.scorers.iter().zip(&predictions.parts) {
            rows.push(scorer.score(predicted, &found.measures)?);
            if let Some(counts) = scorer.event_counts(&[predicted])? {
                signals += counts.signals;
                hits += counts.hits;
            }
        }
        found.scores[variant] = (0..found.measures.len()).map(|m| mean(rows.iter().map(|r| r[m]))).collect();
        found.signals[variant] = Some(signals);
        found.hits[variant] = Some(hits);
        Ok(())
    }

    /// The scores of all variants.
    pub fn finish(self) -> TaskScores {
        self.found
    }
}

fn mean(scores: impl ExactSizeIterator<Item = Score>) -> Score {
    let n = scores.len() as f64;
    let mut sum = 0.0;
    for score in scores {
        match score {
            Score::Value(v) => sum += v,
            undefined @ Score::Undefined(_) => return undefined,
        }
    }
    Score::Value(sum / n)
}
