//! `linear`, `knn`, `boost` and `baseline` against R, FNN and scikit-learn.

use crate::compare;
use crate::tables;
use crate::tasks;

use compare::largest_difference;
use tables::Table;
use tailrank_models::{FitContext, Matrix, Params, TrainSet, family, fit_grid};
use tasks::Task;

#[test]
fn least_squares_equals_lm() {
    let task = Task::reference();
    let want = Table::fixture("d_predictions.csv").predictions_of("lm");
    let got = task.predict("linear", None, &[Params::new()]);
    assert!(largest_difference(&got[0], &want) < 1e-10);

    // Predictions at the origin and at the unit vectors give lm's coefficients.
    let info = Table::fixture("d_model_info.csv");
    let coefficients: Vec<f64> = (0..info.texts("model").len())
        .filter(|&i| info.texts("model")[i] == "lm" && info.texts("what")[i].starts_with("coef_"))
        .map(|i| info.column("value")[i])
        .collect();
    let mut units = vec![vec![0.0; 5]; 6];
    for j in 0..5 {
        units[j + 1][j] = 1.0;
    }
    let at_units =
        Task { test: Matrix::from_rows(&units).unwrap(), ..task }.predict("linear", None, &[Params::new()]);
    for (j, want) in coefficients.iter().enumerate() {
        let got = if j == 0 { at_units[0][0] } else { at_units[0][j] - at_units[0][0] };
        assert!((got - want).abs() < 1e-10, "coefficient {j}: {got} {want}");
    }
}

#[test]
fn least_squares_of_many_rows_equals_ridge_without_penalty() {
    // Half a million values: the normal equations against a singular value decomposition.
    let mut state = 5_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let (inputs, mut y) = (18, Vec::new());
    let rows: Vec<Vec<f64>> = (0..30_000)
        .map(|_| {
            let mut row: Vec<f64> = (0..inputs).map(|_| uniform()).collect();
            // Neighbours have half their variance in common, as overlapping returns have.
            (1..inputs).for_each(|j| row[j] += row[j - 1]);
            y.push(100.0 + row.iter().enumerate().map(|(j, v)| v * (j % 4) as f64).sum::<f64>() + uniform());
            row
        })
        .collect();
    let x = Matrix::from_rows(&rows).unwrap();
    let grid = [Params::new(), Params::new().with("penalty", "ridge").with("lambda", 0.0)];
    let train = TrainSet::new(x.view(), &y);
    let fits =
        fit_grid(family("linear", None).unwrap(), train, x.view(), &grid, &FitContext::new(1)).unwrap();
    let [plain, ridge] = &fits[..] else { panic!("two fits") };
    let (plain, ridge) = (plain.as_ref().unwrap(), ridge.as_ref().unwrap());
    assert!(largest_difference(&plain.predictions, &ridge.predictions) < 1e-10);
}

#[test]
fn dependent_inputs_are_left_out_as_lm_does() {
    let plain = Task::reference();
    let widen = |x: &Matrix, test: bool| {
        let rows = x.view().iter_rows().map(|r| {
            let mut row = r.to_vec();
            row.extend(if test {
                [r[0] - r[1], r[3], -r[2]]
            } else {
                [r[0] + r[1], 3.0, r[2] + 1e-9 * r[3]]
            });
            row.push(r[2] + 1e-5 * r[4] * r[4]);
            row
        });
        Matrix::from_rows(&rows.collect::<Vec<_>>()).unwrap()
    };
    let task = Task { x: widen(&plain.x, false), test: widen(&plain.test, true), y: plain.y };
    let want = Table::fixture("peers_lm_aliased.csv").column("pred");
    let got = task.predict("linear", None, &[Params::new()]);
    // x9 differs from x3 by one part in 1e5: lm's own coefficients carry errors of about 1e-16/1e-5² there.
    assert!(largest_difference(&got[0], &want) < 1e-7, "{}", largest_difference(&got[0], &want));
    let fits = fit_grid(
        family("linear", None).unwrap(),
        task.train(),
        task.test.view(),
        &[Params::new()],
        &FitContext::new(1),
    );
    assert!(fits.unwrap()[0].as_ref().unwrap().details.contains(&("rank", 7.0)));
}

/// The test rows and the first ten training rows, as scripts/fixtures/peers_sklearn.py has them.
fn with_training_rows(task: Task) -> Task {
    let test = task.test.view().iter_rows().chain(task.x.view().iter_rows().take(10));
    Task { test: Matrix::from_rows(&test.collect::<Vec<_>>()).unwrap(), ..task }
}

#[test]
fn penalised_fits_equal_scikit_learn() {
    let task = with_training_rows(Task::reference());
    let table = Table::fixture("peers_sklearn.csv");
    for penalty in ["ridge", "lasso", "elastic_net"] {
        let lambdas = [0.001, 0.1, 1.0, 10.0];
        let grid =
            lambdas.map(|l| Params::new().with("penalty", penalty).with("lambda", l).with("l1_ratio", 0.3));
        for ((lambda, got), text) in
            lambdas.iter().zip(task.predict("linear", None, &grid)).zip(["0.001", "0.1", "1.0", "10.0"])
        {
            let suffix = if penalty == "elastic_net" { "_0.3" } else { "" };
            let want = table.predictions_of(&format!("{penalty}_{text}{suffix}"));
            let worst = largest_difference(&got, &want);
            // scikit-learn ends its descent by the duality gap, ours and ridge go to rounding error.
            let tolerance = if penalty == "ridge" { 1e-12 } else { 1e-9 };
            assert!(worst < tolerance, "{penalty} {lambda}: {worst}");
        }
    }
}

#[test]
fn knn_equals_fnn() {
    let task = Task::reference();
    let table = Table::fixture("d_predictions.csv");
    let grid = [1, 3, 5].map(|k| Params::new().with("k", k));
    for (k, got) in [1, 3, 5].iter().zip(task.predict("knn", None, &grid)) {
        let want = table.predictions_of(&format!("FNN_knn.reg_k{k}"));
        assert!(largest_difference(&got, &want) < 1e-10, "k = {k}");
    }
}

#[test]
fn knn_equals_scikit_learn_for_every_weight() {
    let task = with_training_rows(Task::reference());
    let table = Table::fixture("peers_sklearn.csv");
    for (weights, theirs) in [("uniform", "uniform"), ("inverse", "distance")] {
        let variant = |k: i64| Params::new().with("k", k).with("weights", weights);
        for (k, got) in [1, 4, 15].iter().zip(task.predict("knn", None, &[1, 4, 15].map(variant))) {
            let want = table.predictions_of(&format!("knn_{k}_{theirs}"));
            assert!(largest_difference(&got, &want) < 1e-12, "{k} {weights}");
        }
    }
}

#[test]
fn boosting_equals_scikit_learn_on_the_diabetes_data() {
    let table = Table::fixture("peers_diabetes.csv");
    let (rows, y, is_test) = (table.input_rows(), table.column("y"), table.column("test"));
    let (test, train): (Vec<usize>, Vec<usize>) = (0..y.len()).partition(|&i| is_test[i] == 1.0);
    let pick = |index: &[usize]| index.iter().map(|&i| rows[i].clone()).collect::<Vec<_>>();
    let train_y: Vec<f64> = train.iter().map(|&i| y[i]).collect();
    // All rows are predicted: on training rows trees with equal splits agree, whatever the threshold between
    // two values.
    let task = Task::new(&pick(&train), &train_y, &rows);
    let grid = [25, 100].map(|t| Params::new().with("trees", t));
    for (trees, got) in [25, 100].iter().zip(task.predict("boost", None, &grid)) {
        let theirs = table.column(&format!("hist_{trees}"));
        let of_train = |p: &[f64]| train.iter().map(|&i| p[i]).collect::<Vec<f64>>();
        let fitted = largest_difference(&of_train(&got), &of_train(&theirs));
        let rmse =
            |p: &[f64]| (test.iter().map(|&i| (p[i] - y[i]).powi(2)).sum::<f64>() / test.len() as f64).sqrt();
        let (ours, hist, exact) = (rmse(&got), rmse(&theirs), rmse(&table.column(&format!("exact_{trees}"))));
        println!(
            "{trees} trees: fitted values within {fitted:.2e}, test RMSE {ours:.3}, scikit-learn {hist:.3}, {exact:.3}"
        );
        // Leaf values are f32 in units of the target's standard deviation, 77.
        assert!(fitted < 1e-4, "{trees} trees: fitted values differ by {fitted}");
        assert!(ours < 1.02 * hist.max(exact), "{trees} trees: {ours} {hist} {exact}");
    }
}

#[test]
fn boosting_prefixes_serve_smaller_ensembles() {
    let task = Task::synthetic(300, 6, 50);
    let variant = |trees: i64| Params::new().with("trees", trees).with("subsample", 0.5).with("min_rows", 5);
    let together = task.predict("boost", None, &[variant(60), variant(7), variant(130)]);
    for (trees, got) in [60, 7, 130].into_iter().zip(&together) {
        assert_eq!(got, &task.predict("boost", None, &[variant(trees)])[0], "{trees} trees");
    }
    assert_ne!(together[0], together[1]);
    // Equal to the same ensemble in other units of the target.
    let scaled = Task { y: task.y.iter().map(|v| 1e150 * v).collect(), ..task.clone() };
    let large = scaled.predict("boost", None, &[variant(60)]);
    for (a, b) in large[0].iter().zip(&together[0]) {
        assert!((a / 1e150 - b).abs() < 1e-5);
    }
}

#[test]
fn baselines_by_hand() {
    let x = [vec![1.0, 10.0], vec![2.0, 10.0], vec![3.0, 10.0], vec![4.0, 50.0], vec![5.0, 20.0]];
    let y = [3.0, 5.0, 7.0, 9.0, 11.0];
    let task = Task::new(&x, &y, &[vec![7.0, 1.0], vec![0.5, 2.0]]);
    let kind = |k: &str| Params::new().with("kind", k);
    let got = task.predict(
        "baseline",
        None,
        &[
            kind("zero"),
            kind("mean"),
            kind("last"),
            kind("ar"),
            kind("ar").with("order", 2),
            kind("extreme_high").with("level", 0.9),
            kind("extreme_low").with("level", 0.9),
        ],
    );
    assert_eq!(got[0], [0.0, 0.0]);
    assert_eq!(got[1], [7.0, 7.0]);
    assert_eq!(got[2], [7.0, 0.5]);
    // y = 1 + 2·x1 exactly, with or without x2.
    assert!(largest_difference(&got[3], &[15.0, 2.0]) < 1e-12);
    assert!(largest_difference(&got[4], &[15.0, 2.0]) < 1e-12);
    // R: quantile(c(3,5,7,9,11), c(.9,.1)) = 10.2, 3.8
    assert!(largest_difference(&got[5], &[10.2, 10.2]) < 1e-12);
    assert!(largest_difference(&got[6], &[3.8, 3.8]) < 1e-12);
    let family = family("baseline", None).unwrap();
    let fits =
        fit_grid(family, task.train(), task.test.view(), &[kind("ar").with("order", 3)], &FitContext::new(1));
    let message = fits.unwrap()[0].as_ref().unwrap_err().to_string();
    assert_eq!(message, "baseline: order = 3 is not allowed: use at most the 2 inputs");
}

#[test]
fn standardise_is_accepted_by_every_family_and_done_once() {
    let task = Task::reference();
    // Columns of different weight: what is near depends on the scale.
    let stretch = |x: &Matrix| {
        let rows: Vec<Vec<f64>> = x
            .view()
            .iter_rows()
            .map(|r| r.iter().zip([1.0, 10.0, 0.1, 3.0, 100.0]).map(|(v, s)| 5.0 + v * s).collect())
            .collect();
        Matrix::from_rows(&rows).unwrap()
    };
    let stretched = Task { x: stretch(&task.x), test: stretch(&task.test), y: task.y.clone() };
    let standardised = Params::new().with("standardise", true);
    let grid = [standardised.clone().with("k", 4), Params::new().with("k", 4), standardised.with("k", 9)];
    let (a, b) = (task.predict("knn", None, &grid), stretched.predict("knn", None, &grid));
    assert!(largest_difference(&a[0], &b[0]) < 1e-12 && largest_difference(&a[2], &b[2]) < 1e-12);
    assert!(largest_difference(&a[1], &b[1]) > 0.1 && largest_difference(&a[0], &a[1]) > 1e-3);

    let fails = |params: Params| {
        let fits = fit_grid(
            family("knn", None).unwrap(),
            task.train(),
            task.test.view(),
            &[params],
            &FitContext::new(1),
        );
        fits.unwrap()[0].as_ref().unwrap_err().to_string()
    };
    assert_eq!(
        fails(Params::new().with("standardize", true)),
        "knn has no parameter 'standardize'; did you mean 'standardise'?"
    );
    assert_eq!(
        fails(Params::new().with("standardise", 1)),
        "knn: standardise = 1 is not allowed: use true or false"
    );
    assert_eq!(
        fails(Params::new().with("wieghts", "x")),
        "knn has no parameter 'wieghts'; did you mean 'weights'?"
    );
}

#[test]
fn extreme_scales_change_nothing_but_the_scale() {
    let task = Task::reference();
    let grid = |lambda: f64| {
        [
            ("linear", Params::new()),
            ("linear", Params::new().with("penalty", "ridge").with("lambda", lambda * lambda)),
            ("linear", Params::new().with("penalty", "lasso").with("lambda", lambda)),
            ("knn", Params::new().with("weights", "inverse")),
            ("boost", Params::new()),
        ]
    };
    let plain: Vec<Vec<f64>> =
        grid(0.1).iter().map(|(f, v)| task.predict(f, None, std::slice::from_ref(v)).remove(0)).collect();
    for unit in [1e150, 1e-150] {
        let scale = |m: &Matrix| {
            let values = m.view().as_slice().iter().map(|v| v * unit).collect();
            Matrix::new(m.view().rows(), m.view().cols(), values).unwrap()
        };
        let scaled = Task { x: scale(&task.x), test: scale(&task.test), y: task.y.clone() };
        // Coefficients shrink as inputs grow: lambda for |b| grows with the inputs, for b² with their square.
        for ((name, variant), want) in grid(0.1 * unit).into_iter().zip(&plain) {
            let got = scaled.predict(name, None, std::slice::from_ref(&variant)).remove(0);
            assert!(largest_difference(&got, want) < 1e-9, "{name} {variant} at {unit}");
        }
    }
}

#[test]
fn a_deadline_stops_the_fit() {
    let task = Task::synthetic(200, 4, 20);
    let context = FitContext::new(1);
    context.cancel.cancel();
    for name in ["linear", "knn", "boost"] {
        let train = TrainSet::new(task.x.view(), &task.y);
        let fits = fit_grid(family(name, None).unwrap(), train, task.test.view(), &[Params::new()], &context)
            .unwrap();
        assert_eq!(fits[0], Err(tailrank_models::ModelError::Cancelled), "{name}");
    }
}
