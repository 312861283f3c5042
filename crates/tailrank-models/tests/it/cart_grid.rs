//! Sharing one grown tree changes no answer; pruning is what rpart calls pruning; odd data gives an answer or
//! an error.

use proptest::prelude::*;
use rand::RngExt;
use tailrank_models::{
    Cart, CartModel, CartParams, FitContext, Matrix, ModelError, Params, TrainSet, fit_grid,
};

fn predict(x: &Matrix, y: &[f64], test: &Matrix, variants: &[Params]) -> Vec<Vec<f64>> {
    let train = TrainSet::new(x.view(), y);
    let fits = fit_grid(&Cart, train, test.view(), variants, &FitContext::new(7)).unwrap();
    fits.into_iter().map(|fit| fit.unwrap().predictions).collect()
}

fn rounded(n: usize, p: usize, values: &[i32]) -> (Matrix, Vec<f64>) {
    let mut values = values.iter().cycle();
    let x = (0..n * p).map(|_| f64::from(*values.next().unwrap()) / 4.0).collect();
    let y = (0..n).map(|i| f64::from(*values.next().unwrap()) + (i % 3) as f64 / 8.0).collect();
    (Matrix::new(n, p, x).unwrap(), y)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_variant_alone_and_in_a_grid_are_identical(
        values in prop::collection::vec(-9i32..9, 40..300),
        cps in prop::collection::vec(0.0f64..0.1, 1..4),
        minsplit in 2i64..12,
        prune in prop::sample::select(vec!["none", "1se", "min"]),
    ) {
        let p = 1 + values.len() % 3;
        let (x, y) = rounded(values.len() / (p + 1), p, &values);
        let base = Params::new().with("minsplit", minsplit).with("prune", prune).with("xval", 5);
        let mut grid: Vec<Params> = cps.iter().map(|cp| base.clone().with("cp", *cp)).collect();
        grid.push(base.clone().with("cp", 0.0));
        grid.push(Params::new().with("maxdepth", 2));
        let together = predict(&x, &y, &x, &grid);
        for (variant, expected) in grid.iter().zip(&together) {
            prop_assert_eq!(&predict(&x, &y, &x, std::slice::from_ref(variant))[0], expected);
        }
    }

    /// Pruning gives the tree grown with the same `cp`, or a larger one: rpart lets a growing branch stop
    /// early, as each level takes `cp` off what the levels below may still win.
    #[test]
    fn pruning_a_large_tree_gives_the_small_one_or_more(
        values in prop::collection::vec(-9i32..9, 40..300),
        cp in 0.001f64..0.2,
    ) {
        let (x, y) = rounded(values.len() / 3, 2, &values);
        let train = TrainSet::new(x.view(), &y);
        let fit = |cp| {
            let params = CartParams { cp, minsplit: 4, minbucket: 1, maxdepth: 30 };
            CartModel::fit(train, &params, &FitContext::new(1)).unwrap()
        };
        let (large, small) = (fit(0.0), fit(cp));
        let pruned = large.prune(cp);
        if pruned.leaves() != small.leaves() {
            prop_assert!(pruned.leaves() > small.leaves());
            return Ok(());
        }
        prop_assert_eq!(pruned.predict(x.view()), small.predict(x.view()));
        let (last, expected) = (pruned.cp_table.last().unwrap(), small.cp_table.last().unwrap());
        prop_assert_eq!(last.splits, expected.splits);
        prop_assert!((last.relative_error - expected.relative_error).abs() < 1e-12);
    }
}

/// Forty-eight rows on which rpart 4.1's `rpart(cp = 0.058)` has 6 leaves, `prune(rpart(cp = 0), 0.058)` 8,
/// and both 6 from 0.06 on.
#[test]
fn a_growing_branch_stops_early_where_rpart_lets_it() {
    #[rustfmt::skip]
    let values = [
        0, -4, 0, 0, 0, 0, 0, -4, 0, 3, 0, 0, 0, 0, -1, 0, 6, 5, 0, -4, 0, 0, 0, 0, 6, 0, 6, -1, 0, -1, 0, 0, 0, -4, 0, 3,
        0, -4, 0, -4, 0, -4, 0, -4, 0, -4, -3, 0, 0, -4, 0, -4, 0, 0, -1, 0, 0, -4, -1, 0, 0, 0, 0, -4, 0, 0, 0, 0, 0, -4,
        -4, 0, 0, 0, 0, 0, 0, 0, -1, -1, 0, -1, 1, 0, 0, 0, 6, 6, -4, 0, 0, -2, 1, -1, 1, 0, 0, -2, 0, 5, -7, 0, 0, 4, 4,
        0, 0, -2, 7, -3, 7, -3, 0, 6, -1, 6, 6, 6, 7, 0, 6, 3, -5, 4, 1, 7, -8, 5, -7, -9, -9, 6, -5, 4, -7, -9, 4, 4, 0,
        -4, -1, 1, -3, 7,
    ];
    let (x, y) = rounded(48, 2, &values);
    let fit = |cp| {
        let params = CartParams { cp, minsplit: 4, minbucket: 1, maxdepth: 30 };
        CartModel::fit(TrainSet::new(x.view(), &y), &params, &FitContext::new(1)).unwrap()
    };
    for (cp, grown, pruned) in [(0.0559, 6, 8), (0.058, 6, 8), (0.06, 6, 6), (0.07, 6, 6)] {
        assert_eq!((fit(cp).leaves(), fit(0.0).prune(cp).leaves()), (grown, pruned), "{cp}");
    }
}

#[test]
fn test_rows_may_come_in_any_order() {
    let values: Vec<i32> = (0..400).map(|i| (i * 7919) % 23 - 11).collect();
    let (x, y) = rounded(100, 3, &values);
    let rows: Vec<&[f64]> = x.view().iter_rows().collect();
    let reversed = Matrix::from_rows(&rows.iter().rev().collect::<Vec<_>>()).unwrap();
    let grid = [Params::new().with("cp", 0), Params::new().with("prune", "min")];
    let backwards = predict(&x, &y, &reversed, &grid);
    for (forward, mut backward) in predict(&x, &y, &x, &grid).into_iter().zip(backwards) {
        backward.reverse();
        assert_eq!(forward, backward);
    }
}

/// A signal in one input and noise: cross-validation must cut the noise off and keep the signal.
#[test]
fn cross_validation_prunes_noise() {
    let mut rng = FitContext::new(11).rng("test", "noise", 0);
    let mut noise = || rng.random::<f64>() - 0.5;
    let x = Matrix::new(300, 2, (0..600).map(|_| noise()).collect()).unwrap();
    let y: Vec<f64> = (0..300).map(|i| if x.view().at(i, 0) < 0.1 { 0.0 } else { 2.0 } + noise()).collect();
    let train = TrainSet::new(x.view(), &y);
    let grid = ["none", "min", "1se"].map(|prune| Params::new().with("cp", 0).with("prune", prune));
    let fits = fit_grid(&Cart, train, x.view(), &grid, &FitContext::new(3)).unwrap();
    let leaves: Vec<f64> = fits.iter().map(|fit| fit.as_ref().unwrap().details[0].1).collect();
    assert!(leaves[0] > 15.0 && leaves[1] <= leaves[0] && leaves[2] <= leaves[1], "{leaves:?}");
    assert_eq!(leaves[2], 2.0, "{leaves:?}");
}

#[test]
fn odd_data_gives_an_answer_or_a_typed_error() {
    let grid = [
        Params::new(),
        Params::new().with("cp", 0).with("minsplit", 2),
        Params::new().with("cp", 0).with("prune", "1se").with("xval", 3),
    ];
    let ramp: Vec<f64> = (0..30).map(f64::from).collect();
    // Constant inputs, one row, constant target: the mean.
    for (x, y) in [
        (Matrix::new(30, 2, vec![1.0; 60]).unwrap(), ramp.clone()),
        (Matrix::new(1, 3, vec![1.0, 2.0, 3.0]).unwrap(), vec![5.0]),
        (Matrix::new(30, 1, ramp.clone()).unwrap(), vec![0.1; 30]),
    ] {
        let mean = y.iter().sum::<f64>() / y.len() as f64;
        for predictions in predict(&x, &y, &x, &grid) {
            assert!(predictions.iter().all(|p| (p - mean).abs() < 1e-12));
        }
    }
    // More columns than rows, and huge and tiny inputs.
    let wide = Matrix::new(6, 40, (0..240).map(|i| f64::from(i * 37 % 101)).collect()).unwrap();
    assert_eq!(predict(&wide, &ramp[..6], &wide, &grid).len(), 3);
    for scale in [1e300, 1e-300, f64::MAX / 32.0, 5e-324] {
        let x = Matrix::new(30, 1, ramp.iter().map(|v| v * scale).collect()).unwrap();
        assert_eq!(predict(&x, &ramp, &x, &grid)[1], ramp, "inputs times {scale}");
    }
    // Neighbouring floats leave no room for a midpoint, and the cut still separates them.
    let x = Matrix::new(2, 1, vec![1.0, 1.0 + f64::EPSILON]).unwrap();
    assert_eq!(predict(&x, &[0.0, 1.0], &x, &grid[1..2])[0], [0.0, 1.0]);
    // Tiny targets vanish when squared: the mean. Huge ones overflow: an error that says so.
    let x = Matrix::new(30, 1, ramp.clone()).unwrap();
    let tiny: Vec<f64> = ramp.iter().map(|v| v * 1e-300).collect();
    assert!(predict(&x, &tiny, &x, &grid)[1].iter().all(|p| p.is_finite()));
    let huge: Vec<f64> = ramp.iter().map(|v| v * 1e200).collect();
    let fits = fit_grid(&Cart, TrainSet::new(x.view(), &huge), x.view(), &grid, &FitContext::new(1)).unwrap();
    for fit in fits {
        assert!(matches!(fit, Err(ModelError::Numerical { family: "cart", .. })), "{fit:?}");
    }
}

#[test]
fn a_cancelled_fit_says_so() {
    let context = FitContext::new(1);
    context.cancel.cancel();
    let x = Matrix::new(3, 1, vec![1.0, 2.0, 3.0]).unwrap();
    let train = TrainSet::new(x.view(), &[1.0, 2.0, 3.0]);
    let fits = fit_grid(&Cart, train, x.view(), &[Params::new()], &context).unwrap();
    assert_eq!(fits, [Err(ModelError::Cancelled)]);
}
