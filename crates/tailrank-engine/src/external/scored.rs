//! Predictions made elsewhere, scored and compared like those of a run.

use tailrank_metrics::{Measure, MetricError, Settings};

use super::PredictionTable;
use crate::{
    config::Compare,
    score::{self, Names, Predictions, Results, Rules, TaskTruth, VariantName, VariantStatus, usual_pair},
};

/// Scores tables of predictions by `measures` and compares the rankings of all pairs of them, the usual pair first. `settings`
/// are those of the measures, one for each table; a model that a task lacks counts as missing there.
///
/// # Errors
/// What a measure cannot be computed from.
pub fn score_predictions(
    tables: &[PredictionTable],
    settings: &[Settings],
    measures: &[Measure],
    compare: &Compare,
    seed: u64,
) -> Result<Results, MetricError> {
    let mut labels: Vec<&str> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for (name, _) in tables.iter().flat_map(|t| &t.models) {
        if known.insert(name.as_str()) {
            labels.push(name);
        }
    }
    let mut scores = Vec::with_capacity(tables.len());
    for (table, settings) in tables.iter().zip(settings) {
        let predictions: Vec<Predictions> = labels
            .iter()
            .map(|label| match table.models.iter().find(|(name, _)| name == label) {
                Some((_, p)) => Predictions { status: VariantStatus::Fine, parts: vec![p.clone()] },
                None => Predictions { status: VariantStatus::Missing, parts: Vec::new() },
            })
            .collect();
        let parts = [TaskTruth { truth: table.truth.clone(), settings: settings.clone(), repeat: 0 }];
        scores.push(score::evaluate(&parts, measures, &predictions)?);
    }
    let name = |label: &&str| VariantName {
        label: (*label).to_owned(),
        group: (*label).to_owned(),
        params: String::new(),
        reference: false,
    };
    let names = Names {
        tasks: tables.iter().map(|t| t.task.clone()).collect(),
        variants: labels.iter().map(name).collect(),
    };
    let mut pairs: Vec<(Measure, Measure)> = usual_pair(measures).into_iter().collect();
    for (i, &a) in measures.iter().enumerate() {
        for &b in &measures[i + 1..] {
            if !pairs.contains(&(a, b)) {
                pairs.push((a, b));
            }
        }
    }
    Ok(Results::of_scores(names, scores, Rules { pairs: &pairs, compare, seed }))
}
