//! The steps around a family, with what they may see of one split: its training rows after purging, and nothing else.

use serde::{Deserialize, Serialize};
use tailrank_data::Prepared;
use tailrank_metrics::{Better, Measure, Scorer, Settings};
use tailrank_models::{
    Family, Fit, FitContext, MatrixView, ModelError, Params, TrainSet,
    steps::{Folds, StepContext},
};

use crate::{
    config::{LearnEntry, Measures, RelevanceSettings, Trading},
    plan::{Cell, OUT_OF_FOLD, Plan},
    score::ScoringRules,
};

/// A recipe and the settings it learns by, small enough to be sent to another process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Learning {
    recipe: LearnEntry,
    relevance: RelevanceSettings,
    measures: Measures,
    trading: Option<Trading>,
    horizon: Option<usize>,
    /// Where each training row stands in its series; none for tables, which know no time.
    times: Option<Vec<i64>>,
    /// First and last session of each training row's label.
    labels: Option<Vec<(i64, i64)>>,
    categorical: Vec<bool>,
}

impl Learning {
    /// None for the plain family.
    pub(super) fn of(plan: &Plan, cell: &Cell, data: &Prepared) -> Option<Self> {
        if cell.recipe.is_plain() {
            return None;
        }
        let task = &plan.tasks[cell.task];
        let variant = &plan.variants[cell.variants[0]];
        let timeline = task.data.timeline();
        let of_series = task.horizon.is_some();
        let intervals = || task.splits[cell.split].train.iter().map(|row| timeline.intervals()[row]);
        Some(Self {
            recipe: plan.experiment.models[variant.grid].learn[variant.learn].clone(),
            relevance: task.relevance.clone(),
            measures: plan.rules.settings.clone(),
            trading: plan.rules.trading.clone(),
            horizon: task.horizon,
            times: of_series.then(|| intervals().map(|i| i.origin as i64).collect()),
            // The label lives behind the origin.
            labels: of_series
                .then(|| intervals().map(|i| ((i.origin + 1).min(i.end) as i64, i.end as i64)).collect()),
            categorical: data.categorical.clone(),
        })
    }

    /// Applies the steps and fits every variant: the same in this process and in one of its own.
    pub(super) fn fit(
        &self,
        family: &dyn Family,
        train: TrainSet<'_>,
        test: MatrixView<'_>,
        params: &[Params],
        context: &FitContext,
    ) -> tailrank_models::Result<Vec<tailrank_models::Result<Fit>>> {
        let recipe = self.recipe.recipe()?;
        let settings = if recipe.uses_relevance() { Some(self.settings(train.y)?) } else { None };
        let phi = settings.as_ref().and_then(|s| s.relevance.clone());
        let relevance = |y: f64| phi.as_ref().map_or(0.0, |phi| phi.phi(y));
        let measure = |name: &str, truth: &[f64], predicted: &[f64]| {
            measured(name, truth, predicted, settings.clone().unwrap_or_default())
        };
        let mut steps = StepContext::new(train).with_categorical(&self.categorical).with_measure(&measure);
        if phi.is_some() {
            steps = steps.with_relevance(&relevance);
        }
        if let Some(times) = &self.times {
            let folds = Folds::TimeOrdered(OUT_OF_FOLD);
            steps = steps.with_times(times, self.labels.as_deref()).with_folds(folds);
        } else {
            steps = steps.with_folds(Folds::Random(OUT_OF_FOLD));
        }
        recipe.fit_grid(family, &steps, test, params, context)
    }

    /// The settings of measures, fitted to these training rows as those of the score are.
    fn settings(&self, train: &[f64]) -> tailrank_models::Result<Settings> {
        let rules = ScoringRules {
            measures: Vec::new(),
            settings: self.measures.clone(),
            trading: self.trading.clone(),
        };
        rules
            .for_task(&self.relevance, train, self.horizon)
            .map_err(|e| ModelError::Data { problem: format!("the relevance of the training rows: {e}") })
    }
}

/// A score with the larger being the better; none where it is undefined.
fn measured(name: &str, truth: &[f64], predicted: &[f64], settings: Settings) -> Option<f64> {
    let measure = Measure::from_id(name).ok()?;
    let scores = Scorer::new(truth, settings).ok()?.score(predicted, &[measure]).ok()?;
    let value = scores.first()?.value()?;
    Some(if measure.better() == Better::Higher { value } else { -value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smaller_error_is_a_larger_score() {
        let score = |predicted: &[f64]| measured("mad", &[1.0, 2.0], predicted, Settings::default()).unwrap();
        assert_eq!(score(&[1.0, 2.5]), -0.25);
        assert!(score(&[1.0, 2.0]) > score(&[1.0, 2.5]));
        assert_eq!(measured("f", &[1.0], &[1.0], Settings::default()), None, "without a relevance");
    }
}
