//! Any bytes as a table of predictions or of scores: whole cases that can be scored, or an error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tailrank_experiment::{
    config::{Compare, Inference, Measures, RelevanceSettings},
    rules::scoring_rules,
};
use tailrank_score::external::{ColumnNames, predictions_of, score_predictions, scores_of};

fuzz_target!(
    // The reader of Parquet turns a panic of a decompressor into an error; the fuzzer's own hook would end
    // the process.
    init: std::panic::set_hook(Box::new(|_| {})),
    |bytes: &[u8]| {
        if let Ok(scores) = scores_of("s.csv", bytes) {
            for task in &scores.tasks {
                assert!(task.measures.iter().all(|m| m.scores.len() == task.models.len()));
            }
        }
        let Ok(tables) = predictions_of("p.csv", bytes, &ColumnNames::default()) else { return };
        for table in &tables {
            let cases = table.truth.len();
            assert!(cases > 0 && !table.models.is_empty());
            assert_eq!(table.folds.iter().sum::<usize>(), cases);
            assert!(table.dates.as_ref().is_none_or(|dates| dates.len() == cases));
            assert!(table.models.iter().all(|(_, p)| p.len() == cases && p.iter().all(|v| v.is_finite())));
        }
        let ids = ["mad", "rmse", "precision", "recall", "f", "utility", "sera"].map(str::to_owned).to_vec();
        let measures = Measures { ids, t_l: Some(tailrank_experiment::config::ByHorizon::All(0.1)), ..Measures::default() };
        let rules = scoring_rules(&measures, None).unwrap();
        let relevance = RelevanceSettings::default();
        let settings: Result<Vec<_>, _> =
            tables.iter().map(|t| rules.for_task(&relevance, &t.truth, None)).collect();
        let Ok(settings) = settings else { return };
        let (compare, inference) = (Compare::default(), Inference { enabled: false, ..Inference::default() });
        if let Ok(results) =
            score_predictions(&Default::default(), &tables, &settings, &rules.measures, None, &compare, &inference, 1)
        {
            assert_eq!(results.scores.len(), tables.len());
        }
    }
);
