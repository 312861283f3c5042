//! Predictions made elsewhere, scored and compared like those of a run.

use tailrank_metrics::{Measure, Settings};
use tailrank_models::Cancel;

use super::PredictionTable;
use crate::{
    EngineError, Result,
    config::{Compare, Inference},
    score::{
        self, Names, Predictions, Question, Results, Rules, TaskId, TaskTruth, VariantId, VariantName,
        VariantStatus, infer, usual_pair,
    },
};

/// Scores tables of predictions by `measures` and compares the rankings of all pairs of them, the usual pair first. Rows in the
/// order of time are named by their `horizon`, the steps that a prediction looks ahead; without one they are single cases. `settings`
/// are those of the measures, one for each table; a model that a task lacks counts as missing there.
///
/// # Errors
/// What a measure cannot be computed from.
pub fn score_predictions(
    tables: &[PredictionTable],
    settings: &[Settings],
    measures: &[Measure],
    horizon: Option<usize>,
    compare: &Compare,
    inference: &Inference,
    seed: u64,
) -> Result<Results> {
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
                None => Predictions::missing(),
            })
            .collect();
        let parts = [TaskTruth { truth: table.truth.clone(), settings: settings.clone(), repeat: 0 }];
        let in_task = |source| EngineError::Score { task: table.task.clone(), source };
        scores.push(score::evaluate(&parts, measures, &predictions).map_err(in_task)?);
    }
    let name = |label: &&str| VariantName {
        label: (*label).to_owned(),
        group: (*label).to_owned(),
        params: String::new(),
        recipe: "plain".to_owned(),
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
    let mut inferred = Vec::new();
    if inference.enabled {
        for (task, (table, (settings_of_task, found))) in
            TaskId::all(tables.len()).zip(tables.iter().zip(settings.iter().zip(&scores)))
        {
            let parts =
                [TaskTruth { truth: table.truth.clone(), settings: settings_of_task.clone(), repeat: 0 }];
            let load = |variants: &[VariantId]| {
                let of = |v: &VariantId| {
                    table.models.iter().find(|(name, _)| *name == names.variants[*v].label).map_or_else(
                        Predictions::missing,
                        |(_, p)| Predictions { status: VariantStatus::Fine, parts: vec![p.clone()] },
                    )
                };
                Ok(variants.iter().map(of).collect())
            };
            let question = Question {
                task,
                names: &names,
                parts: &parts,
                horizon,
                lags: 0,
                scores: found,
                judged: &usual_pair(measures).map(|(_, b)| vec![b]).unwrap_or_default(),
                settings: inference,
                seed,
            };
            inferred.push(infer(&question, &load, &Cancel::default())?);
        }
    }
    Ok(Results::of_scores(names, scores, inferred, Rules { pairs: &pairs, compare, inference, seed }))
}
