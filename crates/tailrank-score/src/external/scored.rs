//! Predictions made elsewhere, scored and compared like those of a run.

use std::collections::HashMap;

use indexmap::IndexMap;
use tailrank_metrics::{Measure, MetricError, Settings};
use tailrank_models::{Cancel, Params};

use super::{PredictionTable, predictions::BASELINE};
use crate::{
    EngineError, Result,
    config::{Compare, Inference, usual_pair},
    score::{
        Names, Predictions, Question, Results, RowDesign, Rules, TaskId, TaskScorer, TaskTruth, VariantId,
        VariantName, VariantStatus, check_cancelled, infer,
    },
};

/// Scores tables of predictions by `measures` and compares the rankings of all pairs of them, the usual pair
/// first. Rows in the order of time are named by their `horizon`, the steps that a prediction looks ahead;
/// without one they are single cases. `settings` are those of the measures, one for each table; a model that
/// a task lacks counts as missing there.
///
/// ```
/// use tailrank_experiment::config::{Compare, Inference};
/// use tailrank_metrics::{Accuracy, Measure, Relevance, Settings};
/// use tailrank_models::Cancel;
/// use tailrank_score::external::{PredictionTable, score_predictions};
/// use tailrank_score::score::{TaskId, VariantId, answer::Verdict};
///
/// // One value in ten is extreme: the first model sees it coming, the second predicts the rest better.
/// let truth: Vec<f64> = (0..200).map(|i| if i % 10 == 0 { 5.0 } else { (i % 7) as f64 / 7.0 }).collect();
/// let bold: Vec<f64> = truth.iter().enumerate().map(|(i, y)| y + if i % 2 == 0 { 0.4 } else { -0.3 }).collect();
/// let timid: Vec<f64> = truth.iter().map(|y| y.min(1.0)).collect();
/// let table = PredictionTable::new("t", truth, vec![("bold".into(), bold), ("timid".into(), timid)])?;
/// let settings = Settings {
///     relevance: Some(Relevance::sigmoid(None, Some(3.0), 0.5, 1e-4)?),
///     accuracy: Some(Accuracy::smooth(0.5, 8.0)?),
///     ..Settings::default()
/// };
/// let measures = [Measure::Mad, Measure::F];
/// let (compare, inference) = (Compare::default(), Inference::default());
/// let found = score_predictions(&Cancel::default(), &[table], &[settings], &measures, None, &compare, &inference, 1)?;
///
/// let decision = found.answer.deciding(TaskId(0)).unwrap();
/// assert_eq!((decision.verdict, decision.recommended()), (Verdict::Use, Some(VariantId(0))));
/// assert_eq!(found.table("scores").map(|scores| scores.rows.len()), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// What a measure cannot be computed from; [`EngineError::Interrupted`] once `cancel` is set.
pub fn score_predictions(
    cancel: &Cancel,
    tables: &[PredictionTable],
    settings: &[Settings],
    measures: &[Measure],
    horizon: Option<usize>,
    compare: &Compare,
    inference: &Inference,
    seed: u64,
) -> Result<Results> {
    let mut families: IndexMap<&str, Option<&str>> = IndexMap::new();
    for table in tables {
        for (place, (name, _)) in table.models.iter().enumerate() {
            families.entry(name).or_insert_with(|| table.families.get(place).map(String::as_str));
        }
    }
    let name = |(label, family): (&&str, &Option<&str>)| VariantName {
        label: (*label).to_owned(),
        group: family.unwrap_or(label).to_owned(),
        params: Params::new(),
        recipe: "plain".to_owned(),
        reference: *family == Some(BASELINE),
    };
    let names = Names {
        tasks: tables.iter().map(|t| t.task.clone()).collect(),
        variants: families.iter().map(name).collect(),
    };
    let references: Vec<bool> = names.variants.iter().map(|v| v.reference).collect();
    let mut pairs: Vec<(Measure, Measure)> = usual_pair(measures).into_iter().collect();
    for (i, &a) in measures.iter().enumerate() {
        let others = measures[i + 1..].iter().map(|&b| (a, b));
        pairs.extend(others.filter(|pair| !pairs.contains(pair)).collect::<Vec<_>>());
    }
    let (mut scores, mut inferred) = (Vec::with_capacity(tables.len()), Vec::new());
    for (task, (table, settings)) in TaskId::all(tables.len()).zip(tables.iter().zip(settings)) {
        let of_label: HashMap<&str, &[f64]> =
            table.models.iter().rev().map(|(name, p)| (name.as_str(), p.as_slice())).collect();
        let predictions = |v: VariantId| match of_label.get(names.label(v)) {
            Some(values) => Predictions { status: VariantStatus::Fine, parts: by_fold(table, values) },
            None => Predictions::missing(),
        };
        // What φ leaves open comes from all cases, so every fold has the same.
        let part = |truth| TaskTruth::new(truth, settings.clone());
        let parts: Vec<TaskTruth> = by_fold(table, &table.truth).into_iter().map(part).collect();
        let in_task = |source: MetricError| EngineError::score(&table.task, source);
        let mut scorer = TaskScorer::new(&parts, measures, &references).map_err(in_task)?;
        for variant in VariantId::all(names.variants.len()) {
            check_cancelled(cancel)?;
            scorer.add(variant, &predictions(variant)).map_err(in_task)?;
        }
        let found = scorer.finish();
        if inference.enabled {
            let question = Question {
                task,
                names: &names,
                parts: &parts,
                horizon,
                lags: 0,
                scores: &found,
                judged: measures,
                design: &RowDesign::default(),
                tests: tables.len(),
                alpha: compare.alpha,
                settings: inference,
                seed,
            };
            let load = |variants: &[VariantId]| Ok(variants.iter().map(|&v| predictions(v)).collect());
            inferred.push(infer(&question, &load, cancel)?);
        }
        scores.push(found);
    }
    if horizon.is_some() {
        // Series of which nobody tells the dates may all be of the same ones.
        scores.iter_mut().for_each(|s| s.cluster = Some(0));
    }
    Ok(Results::of_scores(names, scores, &[], inferred, Rules { pairs: &pairs, compare, inference, seed }))
}

/// The values of each fold.
fn by_fold(table: &PredictionTable, values: &[f64]) -> Vec<Vec<f64>> {
    let mut rest = values;
    let of_fold = |&cases: &usize| {
        let (fold, more) = rest.split_at(cases);
        rest = more;
        fold.to_vec()
    };
    table.folds.iter().map(of_fold).collect()
}
