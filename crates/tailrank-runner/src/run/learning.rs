//! The steps around a family, with what they may see of one split: its training rows after purging, and
//! nothing else.

use std::ops::Range;

use tailrank_data::Prepared;
use tailrank_experiment::{
    config::{LearnEntry, Measures, RelevanceSettings, Trading},
    plan::OUT_OF_FOLD,
    rules::ScoringRules,
};
use tailrank_metrics::{Better, Measure, Scorer, Settings};
use tailrank_models::{
    ModelError,
    steps::{Folds, Recipe, StepContext},
};

use super::*;

/// A recipe and the settings it learns by, small enough to be sent to another process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RecipeInputs {
    recipe: LearnEntry,
    relevance: RelevanceSettings,
    measures: Measures,
    trading: Option<Trading>,
    horizon: Option<usize>,
    /// Where each training row stands in its series; none for tables, which know no time.
    times: Option<Vec<i64>>,
    /// First and last session of each training row's label.
    labels: Option<Vec<(i64, i64)>>,
    categories: Vec<Range<usize>>,
}

impl RecipeInputs {
    /// None for the plain family.
    pub(super) fn of(plan: &Plan, cell: &Cell, data: &Prepared) -> Option<Self> {
        if cell.recipe.is_plain() {
            return None;
        }
        let task = &plan.tasks[cell.task];
        let variant = &plan.variants[cell.variants[0]];
        let timeline = task.data.timeline();
        let of_series = task.horizon.is_some();
        let intervals = || task.splits[cell.split].train.iter().map(|row| timeline.interval(row));
        Some(Self {
            recipe: plan.experiment.models[variant.grid].learn[variant.learn].clone(),
            relevance: task.relevance.clone(),
            measures: task.measures.clone(),
            trading: plan.rules.trading.clone(),
            horizon: task.horizon,
            times: of_series.then(|| intervals().map(|i| i.origin as i64).collect()),
            // The label lives behind the origin.
            labels: of_series
                .then(|| intervals().map(|i| ((i.origin + 1).min(i.end) as i64, i.end as i64)).collect()),
            categories: data.categories.clone(),
        })
    }

    /// Calls `then` with the recipe and all that its steps may see of these training rows.
    pub(super) fn with_steps<R>(
        &self,
        train: TrainSet<'_>,
        then: impl FnOnce(&Recipe, &StepContext<'_>) -> tailrank_models::Result<R>,
    ) -> tailrank_models::Result<R> {
        let recipe = self.recipe.recipe()?;
        let settings = if recipe.uses_relevance() { Some(self.settings(train.y)?) } else { None };
        let phi = settings.as_ref().and_then(|s| s.relevance.clone());
        let relevance = |y: f64| phi.as_ref().map_or(0.0, |phi| phi.phi(y));
        let measure = |name: &str, truth: &[f64], predicted: &[f64]| {
            measured(name, truth, predicted, settings.clone().unwrap_or_default())
        };
        let mut steps =
            StepContext { categories: &self.categories, measure: Some(&measure), ..StepContext::new(train) };
        if phi.is_some() {
            steps.relevance = Some(&relevance);
        }
        if let Some(times) = &self.times {
            steps.times = Some(times);
            steps.labels = self.labels.as_deref();
            steps.folds = Folds::TimeOrdered(OUT_OF_FOLD);
        } else {
            steps.folds = Folds::Random(OUT_OF_FOLD);
        }
        then(&recipe, &steps)
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
    use proptest::prelude::*;
    use rand::RngExt;

    use super::*;

    #[test]
    fn a_smaller_error_is_a_larger_score() {
        let score = |predicted: &[f64]| measured("mad", &[1.0, 2.0], predicted, Settings::default()).unwrap();
        assert_eq!(score(&[1.0, 2.5]), -0.25);
        assert!(score(&[1.0, 2.0]) > score(&[1.0, 2.5]));
        assert_eq!(measured("f", &[1.0], &[1.0], Settings::default()), None, "without a relevance");
    }

    const STEPS: &str = "[\"weights\", \"lds\", \"smote\", { resample = \"over\", recent = true }, \
                         \"smogn\", \"wercs\", \"bag\", \"stretch\", { stretch = \"utility\", shift = true \
                         }, \"calibrate\"]";
    const ROWS: usize = 150;

    /// Splits that series and tables have, then those of tables alone.
    const SPLITS: [&str; 7] = [
        "kind = \"fraction\", train = 0.6",
        "kind = \"fraction\", train = 0.5, validation = 0.2",
        "kind = \"sliding\", window = 80, step = 40",
        "kind = \"growing\", window = 70, step = 40",
        "kind = \"kfold\", folds = 3",
        "kind = \"kfold\", folds = 3, shuffle = true",
        "kind = \"bootstrap\", repeats = 2",
    ];
    const OF_SERIES: usize = 5;

    /// Made-up data and how it is divided.
    #[derive(Clone, Copy, Debug)]
    struct Case {
        is_table: bool,
        split: &'static str,
        horizon: usize,
        seed: u64,
    }

    impl Case {
        /// Prices, or rows with a gap and a category; other ones wherever `changed`.
        fn csv(&self, changed: &dyn Fn(usize) -> bool) -> String {
            let mut rng = FitContext::new(self.seed).rng("test", "rows", 0);
            let mut csv = if self.is_table { "x,c,y\n" } else { "Date,Close\n" }.to_owned();
            for i in 0..ROWS {
                let noise: f64 = rng.random();
                // One row in eight is extreme: every training set has some, none so many that they are its
                // box.
                let value = 9.0 * noise + if i % 8 == 3 { 20.0 } else { 0.0 };
                let row = match (self.is_table, changed(i)) {
                    (false, false) => format!("2001-{:02}-{:02},{}", i / 15 + 1, i % 15 + 1, 100.0 + value),
                    (false, true) => {
                        format!("2001-{:02}-{:02},{}", i / 15 + 1, i % 15 + 1, 500.0 - 7.0 * value)
                    }
                    (true, false) if i % 11 == 5 => format!(",{},{value}", ["a", "b", "c"][i % 3]),
                    (true, false) => format!("{noise},{},{value}", ["a", "b", "c"][i % 3]),
                    (true, true) => format!("{},{},{}", 50.0 + noise, ["z", "c", "0"][i % 3], -900.0 * value),
                };
                csv.push_str(&row);
                csv.push('\n');
            }
            csv
        }

        fn plan(&self, changed: &dyn Fn(usize) -> bool) -> Plan {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("d.csv"), self.csv(changed)).unwrap();
            let data = if self.is_table {
                "data = { tables = [{ name = \"d\", file = \"d.csv\", target = \"y\" }] }".to_owned()
            } else {
                format!(
                    "data = {{ series = [\"d.csv\"] }}\ntarget = {{ horizons = [{}], lags = 3 }}",
                    self.horizon
                )
            };
            // φ comes from the training rows too.
            let text = format!(
                "name = \"v\"\ninference = {{ enabled = false }}\n{data}\nsplit = {{ {} }}\n\
                 measures = {{ list = [\"mad\", \"f\"], t_l = {} }}\n\
                 relevance = {{ kind = \"pchip\", coefficient = 0.5, extremes = \"both\", event_threshold = \
                 0.5 }}\n\
                 [[models]]\nfamily = \"linear\"\nlearn = {STEPS}\n",
                self.split,
                if self.is_table { 5.0 } else { 0.1 },
            );
            let library = tailrank_data::Library::default();
            Plan::from_text(&text, std::path::Path::new("v.toml"), folder.path(), &library).unwrap()
        }
    }

    /// What a cell learned, told by its predictions of rows that are always the same; and the seen labels.
    fn learned(plan: &Plan, cell: &Cell) -> (String, std::result::Result<Vec<u64>, String>) {
        let task = &plan.tasks[cell.task];
        let data = task.data.prepare(&task.splits[cell.split]).unwrap();
        let learning = RecipeInputs::of(plan, cell, &data).unwrap();
        let cols = data.input_names.len();
        let x = MatrixView::new(data.train.targets.len(), cols, &data.train.inputs).unwrap();
        let probes: Vec<f64> = (0..4 * cols).map(|i| ((i * 7) % 5) as f64 / 5.0).collect();
        let probes = MatrixView::new(4, cols, &probes).unwrap();
        let train = TrainSet::new(x, &data.train.targets);
        // One seed for all: a cell's own is drawn from all the content.
        let context = FitContext::new(3);
        let fits = learning.with_steps(train, |recipe, steps| {
            recipe.fit_grid(&*cell.family, steps, probes, &cell.params, &context)
        });
        let bits = |f: tailrank_models::Fit| f.predictions.iter().map(|p| p.to_bits()).collect();
        let first = fits.and_then(|mut fits| fits.remove(0)).map(bits).map_err(|e| e.to_string());
        (format!("{} {learning:?}", cell.recipe), first)
    }

    /// Whether sessions (from, to] of two labels meet; a label without length is its row alone.
    fn meet(a: tailrank_data::Interval, b: tailrank_data::Interval) -> bool {
        a.origin == b.origin || a.origin.max(b.origin) < a.end.min(b.end)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Whatever stands in test and validation rows, steps learn the same: rows, weights, stretches and
        /// maps.
        #[test]
        fn steps_learn_from_training_rows_after_purging_alone(
            is_table in any::<bool>(), split in 0..SPLITS.len(), horizon in 1usize..5, seed in any::<u64>(),
        ) {
            let split = SPLITS[if is_table { split } else { split % OF_SERIES }];
            let case = Case { is_table, split, horizon, seed };
            let before = case.plan(&|_| false);
            let task = &before.tasks[0];
            let mut fitted = 0;
            for (s, split) in task.splits.iter().enumerate() {
                let timeline = task.data.timeline();
                let held_out: Vec<usize> =
                    split.validation.iter().chain([&split.test]).flat_map(tailrank_data::Rows::iter).collect();
                // A table's row is a session of its own; a label of a series owns those behind its origin.
                let mut owned = [false; ROWS];
                for &row in &held_out {
                    let label = timeline.interval(row);
                    let own = if is_table { row..=row } else { label.origin + 1..=label.end };
                    own.for_each(|session| owned[session] = true);
                }
                let after = case.plan(&|session| owned[session]);
                prop_assert_eq!(&after.tasks[0].splits[s], split);
                for (one, other) in before.cells.iter().zip(&after.cells).filter(|(c, _)| c.split == s) {
                    let (one, other) = (learned(&before, one), learned(&after, other));
                    fitted += usize::from(one.1.is_ok());
                    prop_assert_eq!(one, other, "what is held out was looked at: {:?}", case);
                }
            }
            prop_assert!(fitted > 0, "{:?}", case);
        }

        /// A synthetic row is as old as both its parents: neither has a label that a held-out row shares.
        #[test]
        fn synthetic_rows_share_no_label_with_what_is_held_out(
            split in 0..OF_SERIES, horizon in 1usize..5, seed in any::<u64>(),
        ) {
            let case = Case { is_table: false, split: SPLITS[split], horizon, seed };
            let plan = case.plan(&|_| false);
            let task = &plan.tasks[0];
            let timeline = task.data.timeline();
            let mut made = 0;
            for cell in plan.cells.iter().filter(|c| !c.recipe.to_string().contains("stretch")) {
                let split = &task.splits[cell.split];
                let rows: Vec<usize> = split.train.iter().collect();
                let held_out: Vec<usize> =
                    split.validation.iter().chain([&split.test]).flat_map(tailrank_data::Rows::iter).collect();
                let data = task.data.prepare(split).unwrap();
                let learning = RecipeInputs::of(&plan, cell, &data).unwrap();
                let x = MatrixView::new(rows.len(), data.input_names.len(), &data.train.inputs).unwrap();
                let sets = learning.with_steps(TrainSet::new(x, &data.train.targets), |recipe, steps| {
                    let sets = recipe.prepare(steps, &FitContext::new(seed))?;
                    Ok(sets.iter().flat_map(|set| set.parents.clone()).collect::<Vec<_>>())
                });
                // A window may hold no rare row.
                for [a, b] in sets.unwrap_or_default() {
                    made += usize::from(a != b);
                    for parent in [timeline.interval(rows[a]), timeline.interval(rows[b])] {
                        prop_assert!(held_out.iter().all(|&row| !meet(timeline.interval(row), parent)), "{:?}", case);
                    }
                }
            }
            prop_assert!(made > 0, "{:?}", case);
        }
    }

    /// The property above must be able to fail: other training rows teach other things, with every step.
    #[test]
    fn other_training_rows_teach_other_things() {
        for is_table in [false, true] {
            let case = Case { is_table, split: SPLITS[0], horizon: 2, seed: 1 };
            let (before, after) = (case.plan(&|_| false), case.plan(&|i| i < 40));
            for (one, other) in before.cells.iter().zip(&after.cells) {
                let (one, other) = (learned(&before, one).1, learned(&after, other).1);
                assert!(one.is_ok(), "{one:?}");
                assert_ne!(one, other, "table: {is_table}");
            }
        }
    }

    /// Rows to choose by and rows to judge by are predicted as they are, one answer each.
    #[test]
    fn held_out_rows_are_never_resampled() {
        let case = Case { is_table: true, split: SPLITS[1], horizon: 1, seed: 5 };
        let plan = case.plan(&|_| false);
        let split = &plan.tasks[0].splits[0];
        let rows = split.test.len() + split.validation.as_ref().unwrap().len();
        assert_eq!(rows, 75);
        for cell in &plan.cells {
            let cancel = Cancel::default();
            let workplace = RunOptions::default().workplace(&plan, &cancel);
            let fits = fit_cell(&plan, cell, None, &workplace, &cancel);
            let found: Vec<usize> =
                fits.iter().map(|f| f.outcome.as_ref().map_or(0, |fit| fit.predictions.len())).collect();
            assert_eq!(found, [rows], "{}: {:?}", cell.recipe, fits[0].outcome.as_ref().err());
        }
    }
}
