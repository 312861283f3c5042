//! What a weight means: a row of weight 2 is as two equal rows, weight 0 as none, and weights of 1 as no
//! weights.

use crate::compare;
use crate::tasks;

use compare::{assert_close, largest_difference};
use proptest::prelude::*;
use tailrank_models::{
    Family, Fit, FitContext, Matrix, ModelError, Params, Result, TrainSet, families, family, fit_grid,
};
use tasks::Task;

fn fit(family: &dyn Family, train: TrainSet<'_>, test: &Matrix, variant: &Params) -> Result<Fit> {
    let mut fits = fit_grid(family, train, test.view(), std::slice::from_ref(variant), &FitContext::new(7))?;
    fits.remove(0)
}

/// Each row as often as its weight says.
fn repeated(task: &Task, weights: &[f64]) -> (Matrix, Vec<f64>) {
    let rows: Vec<usize> =
        (0..weights.len()).flat_map(|i| std::iter::repeat_n(i, weights[i] as usize)).collect();
    let x = Matrix::from_rows(&rows.iter().map(|&i| task.x.view().row(i)).collect::<Vec<_>>()).unwrap();
    (x, rows.iter().map(|&i| task.y[i]).collect())
}

/// Small whole numbers, some of them 0.
fn counts(rows: usize) -> Vec<f64> {
    (0..rows).map(|i| [1.0, 3.0, 2.0, 0.0, 1.0, 4.0, 2.0][i % 7]).collect()
}

fn variants(family: &str) -> Vec<(Params, f64)> {
    let p = Params::new;
    match family {
        "linear" => vec![
            (p(), 1e-12),
            (p().with("penalty", "ridge").with("lambda", 0.1), 1e-12),
            (p().with("penalty", "lasso").with("lambda", 0.05), 1e-12),
            (p().with("standardise", true).with("penalty", "elastic_net"), 1e-12),
        ],
        // The limits on rows count rows, so they must not bind; in the smallest nodes several inputs split
        // alike, and rounding decides.
        "cart" => vec![(p().with("cp", 0.05).with("minsplit", 2).with("minbucket", 1), 1e-12)],
        "baseline" => ["mean", "ar", "last", "extreme_high", "extreme_low"]
            .map(|kind| (p().with("kind", kind), 1e-12))
            .to_vec(),
        "svm" => {
            vec![(p().with("tolerance", 1e-8), 1e-6), (p().with("tolerance", 1e-8).with("cost", 20.0), 1e-6)]
        }
        // A minimum of which there is one, whichever way it is reached.
        "nnet" => vec![
            (
                p().with("size", 0)
                    .with("skip", true)
                    .with("decay", 0.1)
                    .with("reltol", 0.0)
                    .with("maxit", 500),
                1e-7,
            ),
            (p().with("size", 2).with("decay", 0.5).with("reltol", 0.0).with("maxit", 2000), 1e-6),
        ],
        _ => Vec::new(),
    }
}

#[test]
fn whole_weights_are_repeated_rows() {
    let task = Task::synthetic(90, 4, 25);
    let weights = counts(90);
    let (x, y) = repeated(&task, &weights);
    let mut seen = 0;
    for family in families() {
        let variants = if family.takes_weights() { variants(family.name()) } else { Vec::new() };
        for (variant, tolerance) in variants {
            let weighted = fit(*family, task.train().with_weights(&weights), &task.test, &variant).unwrap();
            let copies = fit(*family, TrainSet::new(x.view(), &y), &task.test, &variant).unwrap();
            let what = format!("{} {variant}", family.name());
            assert_close(&what, &weighted.predictions, &copies.predictions, tolerance);
            let plain = fit(*family, task.train(), &task.test, &variant).unwrap();
            if variant.text("kind", "") != "last" {
                let distance = largest_difference(&weighted.predictions, &plain.predictions);
                assert!(distance > 1e-4, "{what}: the weights change nothing");
            }
            seen += 1;
        }
    }
    assert_eq!(seen, 14);
}

/// Which knots MARS may try counts rows, so the inputs have few values, whose first rows stand at ranks that
/// are admitted both among 60 rows and among their 121 copies.
#[test]
fn whole_weights_are_repeated_rows_for_splines() {
    // Groups of 15, 12, 12, 12 and 9 rows; with weights 31, 24, 24, 24 and 18 cases.
    let sizes = [(15, 31), (12, 24), (12, 24), (12, 24), (9, 18)];
    let (mut x, mut weights) = (Vec::new(), Vec::new());
    for (value, (rows, cases)) in sizes.into_iter().enumerate() {
        for row in 0..rows {
            x.push([value as f64]);
            weights.push(if row == 0 { f64::from(cases - 2 * (rows - 1)) } else { 2.0 });
        }
    }
    // Some weights differ within their group.
    for (i, w) in weights.iter_mut().enumerate().filter(|(i, _)| i % 3 != 0) {
        *w += if i % 3 == 1 { 1.0 } else { -1.0 };
    }
    let x: Vec<Vec<f64>> = x.into_iter().map(|r| r.to_vec()).collect();
    let y: Vec<f64> = x
        .iter()
        .enumerate()
        .map(|(i, r)| (r[0] - 1.0).max(0.0) - 3.0 * (r[0] - 3.0).max(0.0) + ((i * 7) % 11) as f64 / 20.0)
        .collect();
    let test: Vec<Vec<f64>> = (0..20).map(|i| vec![f64::from(i) / 4.0]).collect();
    let task = Task::new(&x, &y, &test);
    let (copies_x, copies_y) = repeated(&task, &weights);
    assert_eq!(copies_y.len(), 121);
    let mars = family("mars", None).unwrap();
    let fact = |fit: &Fit, name: &str| fit.details.iter().find(|d| d.0 == name).unwrap().1;
    for variant in [Params::new(), Params::new().with("penalty", 4.0), Params::new().with("prune", false)] {
        let weighted = fit(mars, task.train().with_weights(&weights), &task.test, &variant).unwrap();
        let copies = fit(mars, TrainSet::new(copies_x.view(), &copies_y), &task.test, &variant).unwrap();
        assert!(fact(&weighted, "terms") >= 3.0, "nothing to compare");
        for name in ["terms", "forward_columns", "rss", "gcv"] {
            assert_close(name, &[fact(&weighted, name)], &[fact(&copies, name)], 1e-10);
        }
        assert_close("mars", &weighted.predictions, &copies.predictions, 1e-12);
    }
}

/// The coefficients of a weighted spline are those of weighted least squares on its hinges, with several
/// inputs and degrees.
#[test]
fn weighted_splines_are_weighted_least_squares_on_their_hinges() {
    let task = Task::synthetic(150, 3, 30);
    let weights: Vec<f64> = (0..150).map(|i| 0.1 + f64::from(i % 9)).collect();
    let mars = family("mars", None).unwrap();
    for degree in [1, 2] {
        let variant = Params::new().with("degree", degree);
        let train = task.train().with_weights(&weights);
        let spline = fit(mars, train, &task.test, &variant).unwrap();
        let plain = fit(mars, task.train(), &task.test, &variant).unwrap();
        assert!(largest_difference(&spline.predictions, &plain.predictions) > 1e-3);
        // The weighted residuals are orthogonal to the fitted function and to the constant.
        let fitted = fit(mars, train, &task.x, &variant).unwrap().predictions;
        let product = |f: &dyn Fn(usize) -> f64| -> f64 {
            (0..150).map(|i| weights[i] * (task.y[i] - fitted[i]) * f(i)).sum()
        };
        assert!(product(&|_| 1.0).abs() < 1e-9 && product(&|i| fitted[i]).abs() < 1e-9);
        let rss = spline.details.iter().find(|d| d.0 == "rss").unwrap().1;
        let squares: f64 = (0..150).map(|i| weights[i] * (task.y[i] - fitted[i]).powi(2)).sum();
        assert!((rss - squares).abs() < 1e-9 * squares, "{rss} {squares}");
    }
}

/// A forest's draws are not those of the copies, but heavier rows must draw its means towards them.
#[test]
fn a_forest_follows_its_weights() {
    let n = 200;
    let x = Matrix::new(n, 1, vec![0.0; n]).unwrap();
    let y: Vec<f64> = (0..n).map(|i| f64::from(i < 50)).collect();
    let weights: Vec<f64> = (0..n).map(|i| if i < 50 { 3.0 } else { 1.0 }).collect();
    let test = Matrix::new(1, 1, vec![0.0]).unwrap();
    let forest = family("forest", None).unwrap();
    let train = TrainSet::new(x.view(), &y).with_weights(&weights);
    let fit = fit(forest, train, &test, &Params::new().with("trees", 2000)).unwrap();
    // 150 of 300 cases; a mean over bootstrap samples is off by a few thousandths.
    assert_close("forest", &fit.predictions, &[0.5], 0.005);
    // A tree without bootstrap is the weighted tree of scikit-learn, which `cart` equals.
    let task = Task::synthetic(120, 3, 40);
    let weights = (0..120).map(|i| 0.5 + f64::from(i % 4)).collect::<Vec<f64>>();
    let whole = Params::new()
        .with("trees", 1)
        .with("replace", false)
        .with("sample_fraction", 1.0)
        .with("mtry", 3)
        .with("node_size", 30);
    let full = Params::new().with("cp", 0.0).with("minsplit", 31).with("minbucket", 1);
    let run = |name: &str, variant: &Params| {
        let family = family(name, None).unwrap();
        self::fit(family, task.train().with_weights(&weights), &task.test, variant).unwrap().predictions
    };
    assert_close("one tree", &run("forest", &whole), &run("cart", &full), 1e-12);
}

#[test]
fn weights_of_one_change_not_a_bit() {
    let task = Task::synthetic(60, 4, 20);
    let ones = vec![1.0; 60];
    for family in families() {
        let plain = fit(*family, task.train(), &task.test, &Params::new());
        let weighted = fit(*family, task.train().with_weights(&ones), &task.test, &Params::new());
        // Even engines that take no weights take these.
        assert_eq!(plain, weighted, "{} {}", family.name(), family.engine());
    }
}

#[test]
fn engines_without_weights_say_so() {
    let task = Task::synthetic(30, 2, 5);
    let weights = counts(30);
    for (name, engine) in [("svm", "linfa"), ("forest", "smartcore")] {
        let family = family(name, Some(engine)).unwrap();
        let error = fit(family, task.train().with_weights(&weights), &task.test, &Params::new()).unwrap_err();
        assert!(matches!(error, ModelError::NoWeights { .. }));
        let want = format!(
            "{name} by engine '{engine}' takes no case weights; use engine 'native', or re-sample instead"
        );
        assert_eq!(error.to_string(), want);
    }
}

#[test]
fn bad_weights_are_named() {
    let task = Task::synthetic(4, 2, 2);
    let message = |weights: &[f64]| {
        let train = task.train().with_weights(weights);
        fit(family("linear", None).unwrap(), train, &task.test, &Params::new()).unwrap_err().to_string()
    };
    assert_eq!(message(&[1.0; 3]), "data: 4 training rows but 3 weights");
    assert!(message(&[1.0, -0.5, 1.0, 1.0]).starts_with("data: the weight of training row 2 is -0.5"));
    assert!(message(&[1.0, 1.0, f64::NAN, 1.0]).contains("row 3 is NaN"));
    assert!(message(&[1.0, 1.0, f64::INFINITY, 1.0]).contains("row 3 is inf"));
    assert!(message(&[0.0; 4]).contains("add up to 0"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Scaling all weights leaves every family without a penalty as it is; rows in another order too.
    #[test]
    fn only_ratios_of_weights_count(
        weights in proptest::collection::vec(0.01f64..10.0, 50),
        factor in 0.5f64..20.0,
    ) {
        let task = Task::synthetic(50, 3, 10);
        let scaled: Vec<f64> = weights.iter().map(|w| w * factor).collect();
        for (name, variant) in [
            ("linear", Params::new()),
            ("cart", Params::new()),
            ("baseline", Params::new()),
        ] {
            let family = family(name, None).unwrap();
            let of = |w: &[f64]| fit(family, task.train().with_weights(w), &task.test, &variant).unwrap().predictions;
            prop_assert!(largest_difference(&of(&weights), &of(&scaled)) < 1e-9);
        }
    }
}
