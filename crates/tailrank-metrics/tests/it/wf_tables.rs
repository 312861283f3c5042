//! WF Tables 5.8 (formulas) and 5.9 (four models, five measures).

use std::cmp::Ordering;

use proptest::prelude::*;
use tailrank_metrics::{
    Measure, Score,
    classic::{Reference, classic},
};

fn close(a: Score, b: f64) -> bool {
    a.value().is_some_and(|a| (a - b).abs() <= 1e-12 * b.abs().max(1e-12))
}

proptest! {
    #[test]
    fn table_5_8_identities(
        pairs in prop::collection::vec((-1e3..1e3_f64, -1e3..1e3_f64), 2..60),
        training_mean in -1e3..1e3_f64,
    ) {
        let (truth, predicted): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let n = truth.len() as f64;
        let mean = truth.iter().sum::<f64>() / n;
        prop_assume!(truth.iter().any(|&y| (y - mean).abs() > 1e-6));
        for reference in [Reference::TestMean, Reference::TrainingMean(training_mean)] {
            let scores = classic(&truth, &predicted, reference).unwrap();
            // Roots.
            prop_assert!(close(scores.mse, scores.rmse.value().unwrap().powi(2)));
            prop_assert!(close(scores.rse, scores.rrse.value().unwrap().powi(2)));
            // The formulas as printed.
            let m = if reference == Reference::TestMean { mean } else { training_mean };
            let sum = |f: &dyn Fn(f64, f64) -> f64| truth.iter().zip(&predicted).map(|(&y, &z)| f(y, z)).sum::<f64>();
            prop_assert!(close(scores.mad, sum(&|y, z| (z - y).abs()) / n));
            prop_assert!(close(scores.rse, sum(&|y, z| (z - y).powi(2)) / sum(&|y, _| (y - m).powi(2))));
            prop_assert!(close(scores.rae, sum(&|y, z| (z - y).abs()) / sum(&|y, _| (y - m).abs())));
            // MAD ≤ RMSE.
            prop_assert!(scores.mad.value().unwrap() <= scores.rmse.value().unwrap() * (1.0 + 1e-12));
            // Predicting the reference mean is the yardstick: exactly 1.
            let simple = classic(&truth, &vec![m; truth.len()], reference).unwrap();
            for one in [simple.rse, simple.rrse, simple.rae] {
                prop_assert!(close(one, 1.0));
            }
        }
    }

    #[test]
    fn correlation_ignores_scale_and_place(
        pairs in prop::collection::vec((-10.0..10.0_f64, -10.0..10.0_f64), 3..60),
        scale in 0.1..10.0_f64,
        shift in -5.0..5.0_f64,
    ) {
        let (truth, predicted): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let r = |z: &[f64]| classic(&truth, z, Reference::TestMean).unwrap().correlation;
        let moved: Vec<f64> = predicted.iter().map(|z| scale * z + shift).collect();
        let flipped: Vec<f64> = predicted.iter().map(|z| -z).collect();
        if let Score::Value(v) = r(&predicted) {
            prop_assert!((-1.0..=1.0).contains(&v));
            prop_assert!((r(&moved).value().unwrap() - v).abs() < 1e-9);
            prop_assert!((r(&flipped).value().unwrap() + v).abs() < 1e-12);
            prop_assert!((r(&truth).value().unwrap() - 1.0).abs() < 1e-12);
        }
    }
}

/// The printed scores of models A, B, C, D.
const TABLE_5_9: [(Measure, [f64; 4]); 5] = [
    (Measure::Rmse, [67.8, 91.7, 63.3, 57.4]),
    (Measure::Mad, [41.3, 38.5, 33.4, 29.2]),
    (Measure::Rrse, [42.2, 57.2, 39.4, 35.8]),
    (Measure::Rae, [43.1, 40.1, 34.8, 30.4]),
    (Measure::Correlation, [0.88, 0.88, 0.89, 0.91]),
];

#[test]
fn table_5_9_d_is_first_and_c_second_by_all_five() {
    for (measure, scores) in TABLE_5_9 {
        let mut models: Vec<usize> = (0..4).collect();
        models.sort_by(|&a, &b| Score::Value(scores[a]).compare(Score::Value(scores[b]), measure.better()));
        assert_eq!(&models[..2], [3, 2], "{measure}");
    }
}

#[test]
fn table_5_9_a_and_b_are_in_dispute() {
    let a_against_b: Vec<Ordering> = TABLE_5_9
        .iter()
        .map(|(measure, s)| Score::Value(s[0]).compare(Score::Value(s[1]), measure.better()))
        .collect();
    // A is ahead by the squared errors, B by the absolute ones, and the correlations are level.
    assert_eq!(
        a_against_b,
        [Ordering::Less, Ordering::Greater, Ordering::Less, Ordering::Greater, Ordering::Equal]
    );
}
