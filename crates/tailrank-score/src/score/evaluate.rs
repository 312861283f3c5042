//! Scores of every variant on one task.

use std::collections::HashMap;

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};
use tailrank_data::{Dataset, Transform};
use tailrank_metrics::{
    EventCounts, Measure, MetricError, Score, Scorer, Settings, Undefined, relevance::EventRange,
};
use tailrank_models::Params;
use tailrank_stats::rank_scores;

use super::{VariantId, VariantName};
use crate::{digest::digest, plan::Task};

/// How a variant's fits on a task ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

impl VariantStatus {
    /// The status in a word or two.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::NotConverged => "not converged",
            Self::Failed { .. } => "failed",
            Self::Missing => "missing",
        }
    }
}

/// One part of a task: a test period, or one fold of a cross-validation.
#[derive(Clone, Debug)]
pub struct TaskTruth {
    /// True values of the test rows.
    pub truth: Vec<f64>,
    /// The measures' settings, fitted on the training rows.
    pub settings: Settings,
    /// Which repeat of the division it belongs to, from 0: the parts of a repeat are scored together.
    pub repeat: usize,
    /// Rows that were learned from; 0 where nobody knows.
    pub train: usize,
    /// The row of the data behind each case, which tells the same case in several repeats; empty where nobody
    /// knows.
    pub rows: Vec<usize>,
}

impl TaskTruth {
    /// A part of a division that is not repeated.
    pub fn new(truth: Vec<f64>, settings: Settings) -> Self {
        Self { truth, settings, repeat: 0, train: 0, rows: Vec::new() }
    }
}

/// A variant's predictions for every part of a task, or why there are none.
#[derive(Clone, Debug)]
pub struct Predictions {
    /// How the fits ended.
    pub status: VariantStatus,
    /// One vector per part; empty when the status says so.
    pub parts: Vec<Vec<f64>>,
}

impl Predictions {
    /// None were made.
    pub fn missing() -> Self {
        Self { status: VariantStatus::Missing, parts: Vec::new() }
    }
}

/// What one part says of one variant, before parts are put together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoldScores {
    /// One score per measure.
    pub scores: Vec<Score>,
    /// Events, signals and hits of the part.
    pub counts: Option<EventCounts>,
}

/// The scores of all variants on one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskScores {
    /// The measures, in order.
    pub measures: Vec<Measure>,
    /// One row per variant, one score per measure; empty for a failed variant.
    pub scores: Vec<Vec<Score>>,
    /// Standard deviations over the repeats, like `scores`; empty where the division was not repeated.
    pub deviations: Vec<Vec<Option<f64>>>,
    /// How each variant's fits ended.
    pub status: Vec<VariantStatus>,
    /// Test cases of one repeat; with repeats of different size, their mean.
    pub cases: usize,
    /// Events among them.
    pub events: usize,
    /// Events, signals, hits and so on of each variant, summed over parts and repeats.
    pub counts: Vec<Option<EventCounts>>,
    /// Times that the test cases were divided.
    pub repeats: usize,
    /// Scores of each variant on each part; empty where there is but one part.
    pub folds: Vec<Vec<FoldScores>>,
    /// The first variant of the same role with the same predictions: itself, unless it is a copy.
    pub same_as: Vec<VariantId>,
    /// Which variants are references to measure the others by; they have no rank and never win.
    pub references: Vec<bool>,
    /// Years that the test cases cover, where they have dates and are one period.
    pub years: Option<f64>,
    /// Events among the training cases, where these are known.
    pub training_events: Option<usize>,
    /// What is predicted; `y` where nobody knows.
    pub target: Target,
    /// The target's values that are events, part by part; empty without an event definition.
    pub event_ranges: Vec<Vec<EventRange>>,
    /// Tasks with the same number share rows or dates; none where nobody knows of any that do.
    pub cluster: Option<usize>,
}

impl TaskScores {
    /// The scores of one measure, variant by variant; `None` where undefined or failed.
    pub fn values(&self, measure: Measure) -> Vec<Option<f64>> {
        let place = self.measures.iter().position(|m| *m == measure);
        self.scores.iter().map(|row| place.and_then(|p| row.get(p)).and_then(|s| s.value())).collect()
    }

    /// The score of one variant by one measure.
    pub fn score(&self, variant: VariantId, measure: Measure) -> Option<Score> {
        let place = self.measures.iter().position(|m| *m == measure)?;
        self.scores.get(variant.0)?.get(place).copied()
    }

    /// Variants that have scores, in order.
    pub fn scored(&self) -> Vec<VariantId> {
        VariantId::all(self.scores.len()).filter(|&v| !self.scores[v].is_empty()).collect()
    }

    /// Candidates that have scores.
    pub fn candidates(&self) -> Vec<VariantId> {
        self.scored().into_iter().filter(|&v| !self.references[v]).collect()
    }

    /// Candidates that have scores, of those with the same predictions the first alone.
    pub fn distinct(&self) -> Vec<VariantId> {
        self.candidates().into_iter().filter(|&v| self.same_as[v] == v).collect()
    }

    /// [`distinct`](Self::distinct), then the references that have scores.
    pub fn distinct_with_references(&self) -> Vec<VariantId> {
        let references = self.scored().into_iter().filter(|&v| self.references[v] && self.same_as[v] == v);
        self.distinct().into_iter().chain(references).collect()
    }

    /// For every variant, how many have its predictions, itself among them.
    pub fn copies(&self) -> Vec<usize> {
        let mut of_first = vec![0; self.scores.len()];
        for v in self.scored() {
            of_first[self.same_as[v]] += 1;
        }
        self.same_as.iter().map(|&first| of_first[first]).collect()
    }

    /// Ranks of the candidates by one measure: models with the same predictions are one model and share its
    /// rank. None for failed variants and for references.
    pub fn ranks(&self, measure: Measure) -> Vec<Option<f64>> {
        let (distinct, values) = (self.distinct(), self.values(measure));
        let picked: Vec<Option<f64>> = distinct.iter().map(|&v| values[v]).collect();
        let ranks = rank_scores(&picked, measure.better()).unwrap_or_default();
        let of_first: HashMap<VariantId, f64> = distinct.into_iter().zip(ranks).collect();
        let of =
            |v: VariantId| of_first.get(&self.same_as[v]).copied().filter(|_| !self.scores[v].is_empty());
        VariantId::all(self.scores.len()).map(of).collect()
    }

    /// The best candidate by a measure; of equals the first. None when no candidate has a score.
    pub fn best(&self, measure: Measure) -> Option<VariantId> {
        self.best_among(self.candidates(), measure)
    }

    /// The best reference by a measure.
    pub fn best_reference(&self, measure: Measure) -> Option<VariantId> {
        self.best_among(self.scored().into_iter().filter(|&v| self.references[v]), measure)
    }

    /// The best of some variants by a measure.
    pub fn best_among(
        &self,
        variants: impl IntoIterator<Item = VariantId>,
        measure: Measure,
    ) -> Option<VariantId> {
        let scored = variants.into_iter().filter_map(|v| Some((v, self.score(v, measure)?)));
        let defined = scored.filter(|(_, s)| s.value().is_some());
        defined.min_by(|a, b| a.1.compare(b.1, measure.better())).map(|(v, _)| v)
    }

    /// Signals of a variant.
    pub fn signals(&self, variant: VariantId) -> Option<usize> {
        self.counts[variant].map(|c| c.signals)
    }

    /// Why a variant failed, or why its scores are undefined: each reason once.
    pub fn reason(&self, variant: VariantId) -> String {
        if let VariantStatus::Failed { reason } = &self.status[variant] {
            return reason.clone();
        }
        let undefined = self.scores[variant].iter().filter_map(|s| s.undefined());
        let reasons: IndexSet<&str> = undefined.map(Undefined::reason).collect();
        reasons.into_iter().collect::<Vec<_>>().join("; ")
    }
}

/// Scores every variant.
///
/// ```
/// use tailrank_score::score::{Predictions, TaskTruth, VariantId, VariantStatus, evaluate};
/// use tailrank_metrics::{Measure, Settings};
///
/// let part = TaskTruth::new(vec![1.0, 2.0, 4.0], Settings::default());
/// let of = |values: &[f64]| Predictions { status: VariantStatus::Fine, parts: vec![values.to_vec()] };
/// let scores = evaluate(&[part], &[Measure::Mad], &[of(&[1.0, 2.0, 1.0]), of(&[1.5, 2.5, 4.5])])?;
/// assert_eq!(scores.values(Measure::Mad), [Some(1.0), Some(0.5)]);
/// assert_eq!(scores.best(Measure::Mad), Some(VariantId(1)));
/// assert_eq!(scores.ranks(Measure::Mad), [Some(2.0), Some(1.0)]);
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
pub fn evaluate(
    parts: &[TaskTruth],
    measures: &[Measure],
    predictions: &[Predictions],
) -> Result<TaskScores, MetricError> {
    let mut scorer = TaskScorer::new(parts, measures, &vec![false; predictions.len()])?;
    for (variant, predictions) in VariantId::all(predictions.len()).zip(predictions) {
        scorer.add(variant, predictions)?;
    }
    Ok(scorer.finish())
}

/// Where φ reaches t_E, part by part; empty where a part has no relevance.
fn event_ranges(parts: &[TaskTruth]) -> Result<Vec<Vec<EventRange>>, MetricError> {
    let of_part = |part: &TaskTruth| Some(part.settings.relevance.as_ref()?.event_bounds(part.settings.t_e));
    let found: Option<Result<Vec<_>, _>> = parts.iter().map(of_part).collect();
    found.unwrap_or_else(|| Ok(Vec::new()))
}

/// Scores variants one at a time, in any order, so that their predictions need not be held together.
///
/// The parts of a repeat are scored as one set of cases, each case with the φ of its own part; scores of
/// several repeats are averaged. A repeat without a signal counts as 0 in an average that others have signals
/// for.
pub struct TaskScorer<'a> {
    /// Each part on its own; empty where there is but one.
    folds: Vec<Scorer<'a>>,
    /// The parts of each repeat, scored together, with the places of the parts.
    repeats: Vec<(Scorer<'a>, Vec<usize>)>,
    parts: usize,
    found: TaskScores,
    /// Checksums of the variants' predictions.
    predictions: Vec<Option<String>>,
}

impl<'a> TaskScorer<'a> {
    /// A scorer for as many variants as there are entries in `references`, which tells references from
    /// candidates (where all are references, all are candidates). Variants never added count as missing.
    pub fn new(
        parts: &'a [TaskTruth],
        measures: &[Measure],
        references: &[bool],
    ) -> Result<Self, MetricError> {
        let variants = references.len();
        let only_references = references.iter().all(|&r| r);
        let count = parts.iter().map(|p| p.repeat + 1).max().unwrap_or(0);
        let mut repeats = Vec::with_capacity(count);
        for repeat in 0..count {
            let places: Vec<usize> = (0..parts.len()).filter(|&p| parts[p].repeat == repeat).collect();
            let of_repeat = places.iter().map(|&p| (parts[p].truth.as_slice(), parts[p].settings.clone()));
            repeats.push((Scorer::pooled(of_repeat)?, places));
        }
        let folds = if parts.len() > 1 {
            parts.iter().map(|p| Scorer::new(&p.truth, p.settings.clone())).collect::<Result<_, _>>()?
        } else {
            Vec::new()
        };
        let mean = |all: usize| (all as f64 / count.max(1) as f64).round() as usize;
        let found = TaskScores {
            measures: measures.to_vec(),
            scores: vec![Vec::new(); variants],
            deviations: if count > 1 { vec![Vec::new(); variants] } else { Vec::new() },
            status: vec![VariantStatus::Missing; variants],
            cases: mean(parts.iter().map(|p| p.truth.len()).sum()),
            events: mean(repeats.iter().filter_map(|(s, _)| s.events()).sum()),
            counts: vec![None; variants],
            repeats: count,
            folds: if parts.len() > 1 { vec![Vec::new(); variants] } else { Vec::new() },
            same_as: VariantId::all(variants).collect(),
            references: references.iter().map(|&r| r && !only_references).collect(),
            years: None,
            training_events: None,
            target: Target::default(),
            event_ranges: event_ranges(parts)?,
            cluster: None,
        };
        Ok(Self { folds, repeats, parts: parts.len(), found, predictions: vec![None; variants] })
    }

    /// Scores one variant.
    pub fn add(&mut self, variant: VariantId, predictions: &Predictions) -> Result<(), MetricError> {
        let found = &mut self.found;
        found.status[variant] = predictions.status.clone();
        let usable = matches!(predictions.status, VariantStatus::Fine | VariantStatus::NotConverged);
        if !usable || predictions.parts.len() != self.parts {
            return Ok(());
        }
        let mut rows: Vec<Vec<Score>> = Vec::with_capacity(self.repeats.len());
        let mut counts: Option<EventCounts> = None;
        for (scorer, places) in &self.repeats {
            let predicted: Vec<&[f64]> = places.iter().map(|&p| predictions.parts[p].as_slice()).collect();
            rows.push(scorer.score_parts(&predicted, &found.measures)?);
            if let Some(of_repeat) = scorer.event_counts(&predicted)? {
                *counts.get_or_insert_default() += of_repeat;
            }
        }
        let measures = 0..found.measures.len();
        found.scores[variant] =
            measures.clone().map(|m| Score::mean_of_repeats(rows.iter().map(|r| r[m]))).collect();
        if !found.deviations.is_empty() {
            found.deviations[variant] =
                measures.map(|m| Score::deviation_of_repeats(rows.iter().map(|r| r[m]))).collect();
        }
        found.counts[variant] = counts;
        for (scorer, predicted) in self.folds.iter().zip(&predictions.parts) {
            found.folds[variant].push(FoldScores {
                scores: scorer.score(predicted, &found.measures)?,
                counts: scorer.event_counts(&[predicted])?,
            });
        }
        // -0 and 0 are the same prediction.
        let bytes = predictions.parts.iter().flatten().flat_map(|v| (v + 0.0).to_le_bytes());
        self.predictions[variant] = Some(digest(&bytes.collect::<Vec<u8>>()));
        Ok(())
    }

    /// The scores of all variants.
    pub fn finish(mut self) -> TaskScores {
        let mut first: HashMap<(&str, bool), VariantId> = HashMap::new();
        for (variant, predictions) in VariantId::all(self.predictions.len()).zip(&self.predictions) {
            if let Some(predictions) = predictions {
                self.found.same_as[variant] =
                    *first.entry((predictions, self.found.references[variant])).or_insert(variant);
            }
        }
        self.found
    }
}

/// Predictions made elsewhere for the test cases of a run's tasks: one more model, and a family of its own.
#[derive(Clone, Debug)]
pub struct Submission {
    /// What the model is called.
    pub name: String,
    /// Its predictions, task by task; missing where it made none.
    pub tasks: Vec<Predictions>,
}

impl Submission {
    pub(super) fn as_variant(&self) -> VariantName {
        VariantName {
            label: self.name.clone(),
            group: self.name.clone(),
            params: Params::new(),
            recipe: "plain".to_owned(),
            reference: false,
        }
    }
}

/// What a task predicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Its name, such as `rings`.
    pub name: String,
    /// Whether it is a value of its own (a level) or a change of one.
    pub kind: Transform,
}

impl Default for Target {
    fn default() -> Self {
        Self { name: "y".to_owned(), kind: Transform::Level }
    }
}

impl Target {
    /// The target of a planned task.
    pub fn of_task(task: &Task) -> Self {
        let column = || task.column.clone().unwrap_or_else(|| "value".to_owned());
        let (name, kind) = match &*task.data {
            Dataset::Series(series) => match series.transform() {
                kind @ Transform::Return => ("return".to_owned(), kind),
                kind @ Transform::LogReturn => ("log return".to_owned(), kind),
                kind => (column(), kind),
            },
            other => (other.target_name(), Transform::Level),
        };
        Self { name, kind }
    }
}
