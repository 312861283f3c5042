//! The native SVM under hard conditions: grids, limits and awkward data.

use crate::compare;

use compare::largest_difference;
use proptest::prelude::*;
use tailrank_models::{Fit, FitContext, Matrix, ModelError, Params, Result, Svm, TrainSet, fit_grid};

/// A smooth function of `cols` inputs with deterministic noise.
fn sample(rows: usize, cols: usize, noise: f64) -> (Matrix, Vec<f64>) {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    };
    let x: Vec<f64> = (0..rows * cols).map(|_| next()).collect();
    let y = x
        .chunks(cols)
        .map(|r| (3.0 * r[0]).sin() + r.iter().sum::<f64>() * 0.3 + noise * (next() + next() + next()))
        .collect();
    (Matrix::new(rows, cols, x).unwrap(), y)
}

fn fit(x: &Matrix, y: &[f64], test: &Matrix, grid: &[Params], context: &FitContext) -> Vec<Result<Fit>> {
    fit_grid(&Svm, TrainSet::new(x.view(), y), test.view(), grid, context).unwrap()
}

fn one(x: &Matrix, y: &[f64], test: &Matrix, variant: Params) -> Result<Fit> {
    fit(x, y, test, &[variant], &FitContext::new(1)).remove(0)
}

fn furthest(a: &Fit, b: &Fit) -> f64 {
    largest_difference(&a.predictions, &b.predictions)
}

fn detail(fit: &Fit, name: &str) -> f64 {
    fit.details.iter().find(|d| d.0 == name).unwrap().1
}

fn sd(y: &[f64]) -> f64 {
    let mean = y.iter().sum::<f64>() / y.len() as f64;
    (y.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (y.len() - 1) as f64).sqrt()
}

#[test]
fn a_variant_alone_equals_itself_in_a_grid() {
    let (x, y) = sample(450, 4, 0.2);
    let (test, _) = sample(100, 4, 0.0);
    let mut grid = Vec::new();
    for gamma in [0.02, 0.5, 0.1] {
        for cost in [30.0, 0.5, 200.0, 3.0] {
            grid.push(Params::new().with("gamma", gamma).with("cost", cost));
        }
    }
    let together = fit(&x, &y, &test, &grid, &FitContext::new(1));
    for (variant, inside) in grid.iter().zip(&together) {
        let (inside, alone) = (inside.as_ref().unwrap(), one(&x, &y, &test, variant.clone()).unwrap());
        assert!(inside.converged && alone.converged, "{variant}");
        // Documented bound: five tolerances, in standard deviations of the target.
        let far = furthest(inside, &alone) / sd(&y);
        assert!(far < 5.0 * 1e-3, "{variant}: {far:e}");
    }
}

#[test]
fn a_tighter_tolerance_tightens_the_invariance() {
    let (x, y) = sample(500, 4, 0.2);
    let grid: Vec<Params> = [2.0, 20.0, 200.0]
        .map(|cost| Params::new().with("cost", cost).with("gamma", 0.2).with("tolerance", 1e-6))
        .to_vec();
    let together = fit(&x, &y, &x, &grid, &FitContext::new(1));
    for (variant, inside) in grid.iter().zip(&together) {
        let far = furthest(inside.as_ref().unwrap(), &one(&x, &y, &x, variant.clone()).unwrap());
        assert!(far < 5e-6 * sd(&y), "{variant}: {far:e}");
    }
}

#[test]
fn little_memory_gives_the_same_model() {
    let (x, y) = sample(1500, 5, 0.2);
    let variants = [Params::new().with("cost", 10.0).with("gamma", 0.3), Params::new()];
    let wide = fit(&x, &y, &x, &variants, &FitContext::new(1));
    // 1500 rows of 6 kB need 9 MB; half of 16 MB holds a cache of 1394 rows, the other half the factor.
    let narrow = FitContext { memory_bytes: 16 << 20, ..FitContext::new(1) };
    for (wide, narrow) in wide.iter().zip(fit(&x, &y, &x, &variants, &narrow)) {
        assert!(wide.as_ref().unwrap().converged);
        assert_eq!(wide, &narrow);
    }
    let none = FitContext { memory_bytes: 1 << 10, ..FitContext::new(1) };
    let error = fit(&x, &y, &x, &variants[..1], &none).remove(0).unwrap_err();
    assert!(matches!(error, ModelError::Memory { family: "svm", .. }), "{error}");
}

#[test]
fn threads_change_nothing() {
    let (x, y) = sample(400, 3, 0.3);
    let grid = [1.0, 50.0].map(|c| Params::new().with("cost", c).with("gamma", 0.5));
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fit(&x, &y, &x, &grid, &FitContext::new(1)))
    };
    let first = run(1);
    for threads in [2, 7] {
        for (a, b) in first.iter().zip(run(threads)) {
            assert_eq!(a.as_ref().unwrap(), &b.unwrap());
        }
    }
}

#[test]
fn predictions_follow_their_rows() {
    let (x, y) = sample(300, 3, 0.2);
    let (test, _) = sample(130, 3, 0.0);
    let backwards: Vec<&[f64]> = (0..130).rev().map(|i| test.view().row(i)).collect();
    let backwards = Matrix::from_rows(&backwards).unwrap();
    let (a, b) =
        (one(&x, &y, &test, Params::new()).unwrap(), one(&x, &y, &backwards, Params::new()).unwrap());
    assert!(a.predictions.iter().eq(b.predictions.iter().rev()));
    for i in [0, 63, 64, 129] {
        let alone = Matrix::from_rows(&[test.view().row(i)]).unwrap();
        assert_eq!(one(&x, &y, &alone, Params::new()).unwrap().predictions, a.predictions[i..=i]);
    }
}

#[test]
fn limits_are_reported() {
    let (x, y) = sample(500, 4, 0.3);
    let hard = Params::new().with("cost", 1000.0).with("gamma", 2.0).with("max_iter", 20);
    let fit = one(&x, &y, &x, hard).unwrap();
    assert!(!fit.converged);
    assert!(detail(&fit, "iterations") <= 20.0 && detail(&fit, "gap") > 1e-3);
}

#[test]
fn cancelled_fits_stop() {
    let (x, y) = sample(300, 4, 0.3);
    let context = FitContext::new(1);
    context.cancel.cancel();
    let fits = fit(&x, &y, &x, &[Params::new()], &context);
    assert_eq!(fits[0], Err(ModelError::Cancelled));
}

#[test]
fn a_target_within_the_tube_needs_no_support() {
    let (x, _) = sample(50, 2, 0.0);
    for y in [vec![7.5; 50], vec![0.0; 50]] {
        for variant in [Params::new(), Params::new().with("kernel", "linear")] {
            let fit = one(&x, &y, &x, variant.clone()).unwrap();
            assert!(fit.converged, "{variant}");
            assert!(fit.predictions.iter().all(|p| (p - y[0]).abs() < 1e-9), "{variant}");
        }
    }
}

#[test]
fn one_and_two_rows() {
    for rows in [1, 2, 3] {
        let (x, y) = sample(rows, 3, 0.1);
        for kernel in ["rbf", "linear", "polynomial"] {
            let variant = Params::new().with("kernel", kernel).with("cost", 10.0);
            let fit = one(&x, &y, &x, variant.clone()).unwrap();
            assert!(fit.converged, "{rows} rows, {variant}: {:?}", fit.details);
            if rows == 1 {
                assert!((fit.predictions[0] - y[0]).abs() < 1e-9, "{variant}");
            }
        }
    }
}

#[test]
fn awkward_columns() {
    let (x, y) = sample(200, 3, 0.1);
    let base = one(&x, &y, &x, Params::new().with("gamma", 0.3)).unwrap();
    let with = |extra: &dyn Fn(&[f64]) -> Vec<f64>| {
        let rows: Vec<Vec<f64>> = x.view().iter_rows().map(extra).collect();
        Matrix::from_rows(&rows).unwrap()
    };
    // A constant column says nothing about distances, and scale says nothing at all.
    let constant = with(&|r| [r, &[4.2]].concat());
    let fit = one(&constant, &y, &constant, Params::new().with("gamma", 0.3)).unwrap();
    assert!(furthest(&base, &fit) < 1e-6);
    let scaled = with(&|r| vec![r[0] * 1e150, r[1] * 1e-150, r[2] * 1e300]);
    let fit = one(&scaled, &y, &scaled, Params::new().with("gamma", 0.3)).unwrap();
    assert!(furthest(&base, &fit) < 1e-6);
    let huge: Vec<f64> = y.iter().map(|v| v * 1e200).collect();
    let fit = one(&x, &huge, &x, Params::new().with("gamma", 0.3)).unwrap();
    assert!(fit.predictions.iter().zip(&base.predictions).all(|(h, b)| (h / 1e200 - b).abs() < 1e-3));
    // Collinear columns, more columns than rows, and kernel matrices without full rank.
    let collinear = with(&|r| [r, &[2.0 * r[0] - r[1]], r].concat());
    for kernel in ["rbf", "linear", "polynomial"] {
        let variant = Params::new().with("kernel", kernel).with("cost", 5.0);
        assert!(one(&collinear, &y, &collinear, variant).unwrap().converged, "{kernel}");
    }
    let (wide, wide_y) = sample(20, 60, 0.1);
    assert!(one(&wide, &wide_y, &wide, Params::new().with("cost", 100.0)).unwrap().converged);
    // Without standardising, lengths overflow: an error, not a model.
    let error = one(&scaled, &y, &scaled, Params::new().with("standardise", false)).unwrap_err();
    assert!(matches!(error, ModelError::Numerical { .. }), "{error}");
}

#[test]
fn duplicated_rows() {
    let (x, y) = sample(60, 2, 0.4);
    let rows: Vec<&[f64]> = (0..240).map(|i| x.view().row(i % 60)).collect();
    let many = Matrix::from_rows(&rows).unwrap();
    // Equal rows with unequal targets, so that no function fits them all.
    let targets: Vec<f64> = (0..240).map(|i| y[i % 60] + 0.3 * (i / 60) as f64).collect();
    for cost in [1.0, 1000.0] {
        let variant = Params::new().with("cost", cost).with("gamma", 1.0);
        let fit = one(&many, &targets, &many, variant.clone()).unwrap();
        assert!(fit.converged, "{variant}: {:?}", fit.details);
        for i in 0..60 {
            assert!((fit.predictions[i] - fit.predictions[i + 60]).abs() < 1e-9, "{variant}");
        }
    }
}

#[test]
fn extreme_parameters_end_without_a_panic() {
    let (x, y) = sample(80, 3, 0.3);
    for kernel in ["rbf", "linear", "polynomial"] {
        for (cost, gamma) in [(1e-12, 0.1), (1e9, 0.1), (1.0, 1e-300), (1.0, 1e9), (1e6, 1e-12)] {
            let variant = Params::new()
                .with("kernel", kernel)
                .with("cost", cost)
                .with("gamma", gamma)
                .with("max_iter", 100_000);
            match one(&x, &y, &x, variant.clone()) {
                Ok(fit) => assert!(!fit.converged || detail(&fit, "gap") < 1e-3, "{variant}"),
                Err(error) => {
                    assert!(matches!(error, ModelError::Numerical { .. }), "{variant}: {error}");
                }
            }
        }
    }
}

#[test]
fn cells_are_shared_along_gamma_and_cost_alone() {
    let key = |p: Params| tailrank_models::Family::sharing_key(&Svm, &p);
    let base = key(Params::new());
    assert_eq!(base, key(Params::new().with("cost", 5.0).with("gamma", 0.1)));
    assert_eq!(base, key(Params::new().with("kernel", "rbf").with("epsilon", 0.1)));
    assert_eq!(base, key(Params::new().with("type", "epsilon")));
    for (name, value) in [("epsilon", 0.2), ("tolerance", 1e-4)] {
        assert_ne!(base, key(Params::new().with(name, value)));
    }
    assert_ne!(base, key(Params::new().with("kernel", "linear")));
    assert_ne!(base, key(Params::new().with("standardise", false)));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    /// Whatever the data, a fit converges to a small duality gap or says that it did not.
    #[test]
    fn optimal_on_random_data(
        rows in 1usize..60,
        cols in 1usize..5,
        seed in 0u64..1000,
        cost in prop::sample::select(vec![0.01, 1.0, 30.0, 1000.0]),
        gamma in prop::sample::select(vec![0.001, 0.1, 2.0]),
        epsilon in prop::sample::select(vec![0.0, 0.1, 0.8]),
    ) {
        let (x, mut y) = sample(rows, cols, 0.5);
        y.rotate_left(seed as usize % rows);
        let variant = Params::new().with("cost", cost).with("gamma", gamma).with("epsilon", epsilon);
        let fit = one(&x, &y, &x, variant).unwrap();
        prop_assert!(fit.converged, "{:?}", fit.details);
        // A gap of δ in the optimality conditions costs at most δ per unit of Σ|β| ≤ nC.
        let primal = detail(&fit, "dual_objective") / (1.0 - detail(&fit, "relative_duality_gap"));
        let surplus = primal * detail(&fit, "relative_duality_gap");
        prop_assert!(surplus.is_nan() || surplus.abs() <= 2e-3 * rows as f64 * cost + 1e-9, "{:?}", fit.details);
    }
}
