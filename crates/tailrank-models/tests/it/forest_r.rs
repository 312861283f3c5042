//! randomForest's accuracy, in distribution: forests are random, so means over seeds are compared, not trees.

use crate::reference;
use crate::tables;

use reference::{coca_cola, r_grid};
use tables::Table;
use tailrank_models::{FitContext, Forest, Params, TrainSet, fit_grid};

fn mean_and_sd(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt())
}

/// 20 seeds of ours against 20 of R's, 50 and 500 trees, on 200 × 5 training and 100 test rows. Each mean
/// must lie within three standard errors of the difference, each spread within a factor of two (for 20 values
/// the 99.9 % range of a ratio of standard deviations is about 0.46 to 2.2).
#[test]
fn accuracy_equals_random_forest() {
    let (train, test) = (Table::fixture("d_train.csv"), Table::fixture("d_test.csv"));
    let (x, y, test_x, truth) = (train.inputs(), train.column("y"), test.inputs(), test.column("y"));
    let theirs = Table::fixture("d_stochastic_accuracy.csv").only("model", "randomForest");
    let sizes = [50, 500];
    let grid = sizes.map(|trees| Params::new().with("trees", trees));
    let mut ours = vec![vec![Vec::new(); 3]; 2];
    for seed in 1..=20 {
        let train = TrainSet::new(x.view(), &y);
        let fits = fit_grid(&Forest, train, test_x.view(), &grid, &FitContext::new(seed)).unwrap();
        for (ours, fit) in ours.iter_mut().zip(fits) {
            let fit = fit.unwrap();
            let n = truth.len() as f64;
            let errors = || fit.predictions.iter().zip(&truth).map(|(p, y)| p - y);
            ours[0].push(errors().map(|e| e * e).sum::<f64>() / n);
            ours[1].push(errors().map(f64::abs).sum::<f64>() / n);
            ours[2].push(fit.details.iter().find(|(name, _)| *name == "oob_mse").unwrap().1);
        }
    }
    for (size, ours) in sizes.iter().zip(&ours) {
        let theirs = theirs.only("p", &size.to_string());
        assert_eq!(theirs.rows.len(), 20);
        for (measure, ours) in ["test_mse", "test_mae", "oob_mse"].iter().zip(ours) {
            let ((our_mean, our_sd), (mean, sd)) = (mean_and_sd(ours), mean_and_sd(&theirs.column(measure)));
            let errors = (our_mean - mean) / ((our_sd.powi(2) + sd.powi(2)) / 20.0).sqrt();
            println!(
                "{size} trees, {measure}: {our_mean:.4} ± {our_sd:.4}, R {mean:.4} ± {sd:.4}, {errors:+.2} SE"
            );
            assert!(errors.abs() < 3.0, "{measure} at {size} trees is {errors:.1} standard errors off");
            assert!(
                (0.5..2.0).contains(&(our_sd / sd)),
                "{measure} at {size} trees: spread {our_sd} against {sd}"
            );
        }
    }
}

/// The ten forests of the stock-returns study on Coca-Cola, h = 3. R's ten sizes are one draw, so they are
/// judged by our spread over five seeds: R's value must lie within four standard deviations of the difference
/// between one draw and our mean. Five seeds tell little about one size's spread; as the variance falls with
/// the number of trees, all ten sizes tell it together.
#[test]
fn coca_cola_grid_is_within_the_spread() {
    let task = coca_cola();
    let grid: Vec<Params> = (1..=10).map(|i| Params::new().with("trees", 50 * i)).collect();
    let mut ours = vec![vec![Vec::new(); 4]; 10];
    for seed in 1..=5 {
        let context = FitContext::new(seed);
        let fits = fit_grid(&Forest, task.train_set(), task.test.view(), &grid, &context).unwrap();
        for (ours, fit) in ours.iter_mut().zip(fits) {
            let fit = fit.unwrap();
            let [mad, rmse, signals] = task.scores(&fit.predictions);
            let out_of_bag = fit.details.iter().find(|(name, _)| *name == "oob_mse").unwrap().1;
            for (ours, value) in ours.iter_mut().zip([mad, rmse, out_of_bag, signals]) {
                ours.push(value);
            }
        }
    }
    let theirs = r_grid("forest");
    assert_eq!(theirs.rows.len(), 10);
    for (m, measure) in ["mad", "rmse", "extra", "signals"].iter().enumerate() {
        let trees = |i: usize| 50.0 * (i + 1) as f64;
        let variance_of_one_tree =
            (0..10).map(|i| mean_and_sd(&ours[i][m]).1.powi(2) * trees(i)).sum::<f64>() / 10.0;
        for (i, ours) in ours.iter().enumerate() {
            let (mean, _) = mean_and_sd(&ours[m]);
            let sd = (variance_of_one_tree / trees(i)).sqrt();
            let r = theirs.number(i, measure);
            println!("{} trees, {measure}: {mean:.7} ± {sd:.7}, R {r:.7}", trees(i));
            assert!((r - mean).abs() < 4.0 * sd * 1.2_f64.sqrt(), "{measure} of {} trees", trees(i));
        }
    }
}
