//! What holds for every forest: prefixes, threads and row order change nothing, and no data makes it fail.

use proptest::prelude::*;
use rand::RngExt;
use tailrank_models::{Fit, FitContext, Forest, Matrix, ModelError, Params, TrainSet, fit_grid};

/// Normal-ish inputs, a step and a slope; `step` rounds the inputs so that ties are common.
fn data(n: usize, p: usize, step: Option<f64>, seed: u64) -> (Matrix, Vec<f64>) {
    let mut rng = FitContext::new(seed).rng("test", "data", 0);
    let mut normal = || (0..6).map(|_| rng.random::<f64>()).sum::<f64>() - 3.0;
    let round = |v: f64| step.map_or(v, |s| (v / s).round() * s);
    let x = Matrix::new(n, p, (0..n * p).map(|_| round(normal())).collect()).unwrap();
    let y = x.view().iter_rows().map(|r| r[0] + f64::from(r[p - 1] > 0.3) + 0.3 * normal()).collect();
    (x, y)
}

fn fit(x: &Matrix, y: &[f64], test: &Matrix, variants: &[Params]) -> Vec<Fit> {
    let train = TrainSet::new(x.view(), y);
    let fits = fit_grid(&Forest, train, test.view(), variants, &FitContext::new(5)).unwrap();
    fits.into_iter().map(Result::unwrap).collect()
}

fn variants() -> Vec<Params> {
    vec![
        Params::new().with("trees", 7),
        Params::new().with("trees", 150),
        Params::new().with("trees", 64).with("mtry", 1),
        Params::new().with("trees", 65).with("extra_trees", true),
        Params::new().with("trees", 20).with("replace", false),
        Params::new().with("trees", 20).with("max_nodes", 6),
        Params::new().with("trees", 20).with("max_depth", 2).with("sample_fraction", 0.4),
        Params::new().with("trees", 70).with("node_size", 5),
        Params::new().with("trees", 1),
    ]
}

#[test]
fn a_variant_alone_and_in_a_grid_are_identical() {
    let (x, y) = data(300, 5, Some(0.1), 1);
    let (test, _) = data(77, 5, None, 2);
    let together = fit(&x, &y, &test, &variants());
    for (variant, expected) in variants().iter().zip(&together) {
        assert_eq!(&fit(&x, &y, &test, std::slice::from_ref(variant))[0], expected, "{variant}");
    }
    // Different settings are different forests.
    for (a, b) in [(1, 2), (1, 3), (4, 5), (5, 6)] {
        assert_ne!(together[a].predictions, together[b].predictions);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let (x, y) = data(400, 6, None, 3);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fit(&x, &y, &x, &variants()))
    };
    let one = on(1);
    assert_eq!(one, on(2));
    assert_eq!(one, on(7));
}

#[test]
fn a_small_memory_limit_changes_nothing() {
    let (x, y) = data(200, 4, None, 4);
    let train = TrainSet::new(x.view(), &y);
    let large = fit_grid(&Forest, train, x.view(), &variants(), &FitContext::new(5)).unwrap();
    let context = FitContext { memory_bytes: 1 << 15, ..FitContext::new(5) };
    assert_eq!(fit_grid(&Forest, train, x.view(), &variants(), &context).unwrap(), large);
}

#[test]
fn test_rows_may_come_in_any_order() {
    let (x, y) = data(250, 4, None, 5);
    let rows: Vec<&[f64]> = x.view().iter_rows().collect();
    let reversed = Matrix::from_rows(&rows.iter().rev().collect::<Vec<_>>()).unwrap();
    for (forward, backward) in fit(&x, &y, &x, &variants()).iter().zip(fit(&x, &y, &reversed, &variants())) {
        let backward: Vec<f64> = backward.predictions.into_iter().rev().collect();
        assert_eq!(forward.predictions, backward);
    }
}

/// One tree on all rows with every input tried has no randomness left: an obvious tree must give the same
/// answers.
#[derive(Debug)]
struct Obvious<'a> {
    x: &'a Matrix,
    y: &'a [f64],
    node_size: usize,
    out: Vec<f64>,
}

impl Obvious<'_> {
    fn grow(&mut self, rows: &[usize], is_root: bool) {
        let mean = rows.iter().map(|&r| self.y[r]).sum::<f64>() / rows.len() as f64;
        rows.iter().for_each(|&r| self.out[r] = mean);
        if rows.len() <= self.node_size && !is_root {
            return;
        }
        let squares = |part: &[usize]| {
            let mean = part.iter().map(|&r| self.y[r]).sum::<f64>() / part.len() as f64;
            part.iter().map(|&r| (self.y[r] - mean).powi(2)).sum::<f64>()
        };
        let mut best = (squares(rows) * (1.0 - 1e-12), None);
        for col in 0..self.x.view().cols() {
            let mut values: Vec<f64> = rows.iter().map(|&r| self.x.view().at(r, col)).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            for pair in values.windows(2) {
                let cut = (pair[0] + pair[1]) / 2.0;
                let (left, right): (Vec<usize>, Vec<usize>) =
                    rows.iter().partition(|&&r| self.x.view().at(r, col) <= cut);
                let error = squares(&left) + squares(&right);
                if error < best.0 * (1.0 - 1e-12) {
                    best = (error, Some((left, right)));
                }
            }
        }
        if let (_, Some((left, right))) = best {
            self.grow(&left, false);
            self.grow(&right, false);
        }
    }
}

#[test]
fn a_tree_without_randomness_is_the_obvious_one() {
    // Sizes that use every way of ordering a node; ties in inputs, none in targets.
    for (n, p, step, node_size) in [
        (6, 2, None, 1),
        (30, 3, Some(0.5), 2),
        (120, 2, None, 5),
        (400, 2, Some(0.05), 3),
        (500, 1, Some(1.0), 1),
    ] {
        let (x, y) = data(n, p, step, n as u64);
        let variant = Params::new()
            .with("trees", 1)
            .with("mtry", p as i64)
            .with("replace", false)
            .with("sample_fraction", 1)
            .with("node_size", node_size);
        let ours = &fit(&x, &y, &x, &[variant])[0].predictions;
        let mut obvious = Obvious { x: &x, y: &y, node_size: node_size as usize, out: vec![0.0; n] };
        obvious.grow(&(0..n).collect::<Vec<_>>(), true);
        for (row, (ours, expected)) in ours.iter().zip(&obvious.out).enumerate() {
            assert!((ours - expected).abs() < 1e-10, "n {n}, row {row}: {ours} against {expected}");
        }
    }
}

#[test]
fn limits_are_kept() {
    let (x, y) = data(500, 3, None, 8);
    let distinct = |variant: Params| {
        let mut predictions = fit(&x, &y, &x, &[variant.with("trees", 1)]).remove(0).predictions;
        predictions.sort_by(f64::total_cmp);
        predictions.dedup();
        predictions.len()
    };
    assert_eq!(distinct(Params::new().with("max_nodes", 6)), 6);
    assert_eq!(distinct(Params::new().with("max_nodes", 1)), 1);
    assert!(distinct(Params::new().with("max_depth", 3)) <= 8);
    assert!(distinct(Params::new().with("node_size", 100)) < 20);
    assert!(distinct(Params::new()) > 100);
}

#[test]
fn out_of_bag_error_estimates_the_test_error() {
    let (x, y) = data(800, 5, None, 9);
    let (test, truth) = data(800, 5, None, 10);
    let fit = &fit(&x, &y, &test, &[Params::new().with("trees", 300)])[0];
    let mse = fit.predictions.iter().zip(&truth).map(|(p, y)| (p - y).powi(2)).sum::<f64>() / 800.0;
    let oob = fit.details.iter().find(|(name, _)| *name == "oob_mse").unwrap().1;
    assert!((oob / mse - 1.0).abs() < 0.15, "out of bag {oob}, test {mse}");
    // Without rows left out there is nothing to estimate from.
    let all = Params::new().with("trees", 3).with("replace", false).with("sample_fraction", 1.0);
    assert!(self::fit(&x, &y, &test, &[all])[0].details.iter().all(|(name, _)| *name != "oob_mse"));
}

#[test]
fn odd_data_gives_an_answer_or_a_typed_error() {
    let grid = [
        Params::new().with("trees", 5),
        Params::new().with("trees", 5).with("extra_trees", true),
        Params::new().with("trees", 5).with("replace", false).with("sample_fraction", 1).with("node_size", 1),
    ];
    let (x, y) = data(60, 3, None, 11);
    let constant = Matrix::new(60, 3, vec![2.5; 180]).unwrap();
    for fit in fit(&constant, &y, &x, &grid) {
        assert!(fit.predictions.iter().all(|p| *p == fit.predictions[0]));
    }
    let one = Matrix::new(1, 3, vec![1.0, 2.0, 3.0]).unwrap();
    for fit in fit(&one, &[4.25], &x, &grid) {
        assert!(fit.predictions.iter().all(|p| *p == 4.25));
    }
    for fit in fit(&x, &[0.1; 60], &x, &grid) {
        assert!(fit.predictions.iter().all(|p| (p - 0.1).abs() < 1e-15));
    }
    let twice: Vec<Vec<f64>> = x.view().iter_rows().map(|r| [r, r].concat()).collect();
    let twice = Matrix::from_rows(&twice).unwrap();
    assert_eq!(fit(&twice, &y, &twice, &grid).len(), 3);
    let (wide, wide_y) = data(5, 50, None, 12);
    assert_eq!(fit(&wide, &wide_y, &wide, &grid).len(), 3);
    // Scales, to the ends of the range of floats: the unrandom tree still finds every row.
    let ramp: Vec<f64> = (0..60).map(f64::from).collect();
    let column = |scale: f64| ramp.iter().map(|v| v * scale).collect::<Vec<_>>();
    for scale in [1e300, -1e300, 1e-300, f64::MAX / 64.0, 5e-324] {
        let x = Matrix::new(60, 1, column(scale)).unwrap();
        let fits = fit(&x, &ramp, &x, &grid);
        assert!(fits[2].predictions == ramp, "inputs times {scale}");
        let plain = Matrix::new(60, 1, ramp.clone()).unwrap();
        let fits = fit(&plain, &column(scale), &plain, &grid);
        assert!(fits[2].predictions == column(scale), "targets times {scale}");
    }
    let close = Matrix::new(4, 1, vec![1.0, 1.0 + f64::EPSILON, 0.0, -0.0]).unwrap();
    let fits = fit(&close, &[0.0, 1.0, 5.0, 5.0], &close, &grid);
    assert_eq!(fits[2].predictions, [0.0, 1.0, 5.0, 5.0]);
    // More inputs per split than there are.
    let train = TrainSet::new(x.view(), &y);
    let fits =
        fit_grid(&Forest, train, x.view(), &[Params::new().with("mtry", 4)], &FitContext::new(1)).unwrap();
    let message = fits[0].as_ref().unwrap_err().to_string();
    assert_eq!(message, "forest: mtry = 4 is not allowed: there are 3 inputs");
}

#[test]
fn a_cancelled_fit_says_so() {
    let context = FitContext::new(1);
    context.cancel.cancel();
    let (x, y) = data(20, 2, None, 13);
    let train = TrainSet::new(x.view(), &y);
    let fits = fit_grid(&Forest, train, x.view(), &[Params::new()], &context).unwrap();
    assert_eq!(fits, [Err(ModelError::Cancelled)]);
}

/// Twenty thousand rows, ranks of a few bits more than small data need.
#[test]
fn twenty_thousand_rows() {
    let (x, y) = data(20_000, 4, None, 14);
    let fit = &fit(&x, &y, &x, &[Params::new().with("trees", 3)])[0];
    let mse = fit.predictions.iter().zip(&y).map(|(p, y)| (p - y).powi(2)).sum::<f64>() / 20_000.0;
    assert!(mse < 0.1, "{mse}");
}

/// More rows than 16 bits can number: the wide ranks grow the same kind of forest.
#[test]
fn seventy_thousand_rows() {
    let (x, y) = data(70_000, 2, None, 15);
    let fit = &fit(&x, &y, &x, &[Params::new().with("trees", 2).with("mtry", 2)])[0];
    let mse = fit.predictions.iter().zip(&y).map(|(p, y)| (p - y).powi(2)).sum::<f64>() / 70_000.0;
    assert!(mse < 0.1, "{mse}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn predictions_stay_within_the_targets(
        values in prop::collection::vec(-5i32..5, 2..400),
        p in 1usize..5,
        extra in any::<bool>(),
        node_size in 1i64..8,
    ) {
        let n = values.len().div_ceil(p + 1);
        let mut cycle = values.iter().cycle().map(|v| f64::from(*v));
        let x = Matrix::new(n, p, (0..n * p).map(|_| cycle.next().unwrap()).collect()).unwrap();
        let y: Vec<f64> = (0..n).map(|_| cycle.next().unwrap()).collect();
        let variant = Params::new().with("trees", 9).with("extra_trees", extra).with("node_size", node_size);
        let (low, high) = y.iter().fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(*v), h.max(*v)));
        for prediction in &fit(&x, &y, &x, &[variant])[0].predictions {
            prop_assert!((low - 1e-12..=high + 1e-12).contains(prediction));
        }
    }
}
