//! Worlds put to the same function that a run calls.

use std::error::Error;

use tailrank_experiment::config::Inference;
use tailrank_metrics::{Accuracy, Measure, Relevance, Settings, utility::Ut08};
use tailrank_models::{Cancel, Params};
use tailrank_score::score::{
    MeasureInference, Names, Predictions, Question, RowDesign, TaskId, TaskInference, TaskScorer, TaskTruth,
    VariantId, VariantName, infer,
};

pub(crate) type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Measures that look at errors, at relevance and at events; noise can raise the last three.
pub(crate) const MEASURES: [Measure; 5] =
    [Measure::Mad, Measure::Rwse, Measure::F, Measure::Sera, Measure::Utility];

/// Which values are events.
#[derive(Clone, Copy)]
pub(crate) enum Events {
    Beyond(f64),
    Above(f64),
}

pub(crate) fn settings(events: Events) -> Outcome<Settings> {
    let (low, high) = match events {
        Events::Beyond(limit) => (Some(-limit), Some(limit)),
        Events::Above(limit) => (None, Some(limit)),
    };
    Ok(Settings {
        relevance: Some(Relevance::sigmoid(low, high, 0.5, 1e-4)?),
        accuracy: Some(Accuracy::smooth(1.0, 8.0)?),
        utility: Some(Ut08::new(1.0, 1.0, 0.5, None)?),
        beta: 0.5,
        ..Settings::default()
    })
}

/// What is asked of a world.
pub(crate) struct Asked<'a> {
    /// Baselines among the predictions; they come last.
    pub(crate) baselines: usize,
    pub(crate) horizon: Option<usize>,
    pub(crate) lags: usize,
    pub(crate) design: &'a RowDesign,
    /// Tasks that the world is one of.
    pub(crate) tests: usize,
    pub(crate) measures: &'a [Measure],
    /// Resamples and shifts.
    pub(crate) draws: (usize, usize),
    pub(crate) seed: u64,
}

/// What a run would find.
pub(crate) fn inferred(
    parts: &[TaskTruth],
    predictions: &[Predictions],
    asked: &Asked<'_>,
) -> Outcome<TaskInference> {
    let is_baseline: Vec<bool> =
        (0..predictions.len()).map(|v| v >= predictions.len() - asked.baselines).collect();
    let mut scorer = TaskScorer::new(parts, asked.measures, &is_baseline)?;
    for (v, p) in predictions.iter().enumerate() {
        scorer.add(VariantId(v), p)?;
    }
    let name = |(v, &reference): (usize, &bool)| VariantName {
        label: v.to_string(),
        group: "g".to_owned(),
        params: Params::new(),
        recipe: "plain".to_owned(),
        reference,
    };
    let variants = is_baseline.iter().enumerate().map(name).collect();
    let names = Names { tasks: vec!["t".to_owned()], variants };
    let inference = Inference { resamples: asked.draws.0, shifts: asked.draws.1, ..Inference::default() };
    let scores = scorer.finish();
    let question = Question {
        task: TaskId(0),
        names: &names,
        parts,
        horizon: asked.horizon,
        lags: asked.lags,
        scores: &scores,
        judged: asked.measures,
        design: asked.design,
        tests: asked.tests,
        alpha: 0.05,
        settings: &inference,
        seed: asked.seed,
    };
    let load = |of: &[VariantId]| Ok(of.iter().map(|v| predictions[v.0].clone()).collect());
    Ok(infer(&question, &load, &Cancel::default())?)
}

/// p against chance, against the baselines, and of the verdict: the larger of both.
pub(crate) fn p_values(of: &MeasureInference, variants: &[VariantId]) -> [Option<f64>; 3] {
    let chance = of.chance.as_ref().map(|c| c.p);
    let best = of.chance.as_ref().and_then(|c| variants.iter().position(|&v| v == c.variant));
    let baseline = best.and_then(|b| of.p_baselines[b]);
    [chance, baseline, chance.zip(baseline).map(|(a, b)| a.max(b))]
}
