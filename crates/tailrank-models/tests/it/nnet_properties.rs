//! What holds for every network: independence of the grid, of threads and of the order of test rows; awkward
//! data.

use crate::compare;
use crate::reference;

use compare::largest_difference;
use reference::small_task;
use tailrank_models::{
    Cancel, Fit, FitContext, Matrix, ModelError, Params, TrainSet, fit_grid,
    nnet::{Nnet, NnetFamily, NnetModel},
};

fn grid() -> Vec<Params> {
    let pairs = [1, 3, 7, 13].into_iter().flat_map(|s| [0.0, 0.01, 0.1].map(|d| (s, d)));
    pairs.map(|(s, d)| Params::new().with("size", s).with("decay", d).with("maxit", 60)).collect()
}

fn fit(variants: &[Params]) -> Vec<Fit> {
    let task = small_task();
    let fits =
        fit_grid(&NnetFamily, task.train_set(), task.test.view(), variants, &FitContext::new(3)).unwrap();
    fits.into_iter().map(Result::unwrap).collect()
}

fn with_size(size: i64) -> Params {
    Params::new().with("size", size)
}

fn try_fit(params: &Params, x: &Matrix, y: &[f64], seed: u64) -> Result<NnetModel, ModelError> {
    Nnet::new(params)?.fit(TrainSet::new(x.view(), y), &FitContext::new(seed))
}

#[test]
fn neither_grid_nor_threads_change_the_answer() {
    let together = fit(&grid());
    for (variant, shared) in grid().iter().zip(&together) {
        assert_eq!(fit(std::slice::from_ref(variant))[0], *shared, "{variant}");
    }
    for threads in [1, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| fit(&grid())), together);
    }
}

#[test]
fn test_rows_in_any_order() {
    let task = small_task();
    let net = try_fit(&with_size(4).with("decay", 0.01), &task.train, &task.y, 0).unwrap();
    let reversed: Vec<&[f64]> = (0..100).rev().map(|i| task.test.view().row(i)).collect();
    let mut predictions = net.predict_rows(Matrix::from_rows(&reversed).unwrap().view()).unwrap();
    predictions.reverse();
    assert_eq!(predictions, net.predict_rows(task.test.view()).unwrap());
}

/// Every shape of panels, tiles and groups against the plain loops: one gradient step from the same start.
#[test]
fn blocked_products_equal_plain_loops() {
    let task = small_task();
    for inputs in 1..=5 {
        let rows: Vec<&[f64]> = task.train.view().iter_rows().map(|r| &r[..inputs]).collect();
        for hidden in [0, 1, 2, 3, 4, 5, 6, 7, 8, 13] {
            for (skip, count) in [(false, 200), (true, 200), (true, 9), (false, 1)] {
                if hidden == 0 && !skip {
                    continue;
                }
                let x = Matrix::from_rows(&rows[..count]).unwrap();
                let y = &task.y[..count];
                let net = with_size(hidden).with("decay", 0.01).with("skip", skip).with("maxit", 3);
                let net = net.with("abstol", 0.0);
                let fast = try_fit(&net, &x, y, 5).unwrap();
                let plain = try_fit(&net.with("arithmetic", "sequential"), &x, y, 5).unwrap();
                let difference = largest_difference(&fast.weights, &plain.weights);
                assert!(difference < 1e-11, "{inputs}-{hidden} skip {skip} rows {count}: {difference:e}");
            }
        }
    }
}

/// The first start is the same with and without restarts, so more starts can only help, and for some seeds
/// do.
#[test]
fn restarts_keep_the_best() {
    let task = small_task();
    let objective = |net: &Params, seed: u64| try_fit(net, &task.train, &task.y, seed).unwrap().objective;
    let gains: Vec<f64> = (1..=6)
        .map(|seed| {
            let net = with_size(3).with("decay", 0.01);
            objective(&net, seed) - objective(&net.clone().with("restarts", 4), seed)
        })
        .collect();
    assert!(gains.iter().all(|g| *g >= 0.0) && gains.iter().any(|g| *g > 0.0), "{gains:?}");
}

/// A net without hidden units is ridge regression with one minimum, which both minimisers must reach.
#[test]
fn limited_memory_reaches_the_same_minimum() {
    let task = small_task();
    let net = with_size(0).with("skip", true).with("decay", 0.1).with("maxit", 1000);
    let net = net.with("abstol", 0.0).with("reltol", 1e-14);
    let full = try_fit(&net, &task.train, &task.y, 0).unwrap();
    let limited = try_fit(&net.with("bfgs_weights", 0), &task.train, &task.y, 0).unwrap();
    assert!(full.converged && limited.converged);
    let difference = largest_difference(&full.weights, &limited.weights);
    assert!(difference < 1e-6, "{difference:e}");
    // The normal equations hold: the gradient of the ridge objective vanishes.
    let w = &full.weights;
    let errors: Vec<f64> =
        full.predict_rows(task.train.view()).unwrap().iter().zip(&task.y).map(|(p, y)| p - y).collect();
    assert!((errors.iter().sum::<f64>() + 0.1 * w[0]).abs() < 1e-5);
}

#[test]
fn a_large_network_fits_with_limited_memory() {
    let task = small_task();
    let fits = fit(&[Params::new().with("size", 400).with("decay", 0.01).with("maxit", 40)]);
    assert_eq!(fits[0].details[2], ("weights", 2801.0));
    assert!(!fits[0].converged);
    let spread: f64 = task.y.iter().map(|v| v * v).sum();
    assert!(fits[0].details[0].1 < 0.5 * spread);
}

#[test]
fn awkward_data() {
    let task = small_task();
    let rows: Vec<Vec<f64>> = task.train.view().iter_rows().map(<[f64]>::to_vec).collect();
    let change = |f: &dyn Fn(&[f64]) -> Vec<f64>| {
        Matrix::from_rows(&rows.iter().map(|r| f(r)).collect::<Vec<_>>()).unwrap()
    };
    let constant = change(&|_| vec![3.0, 0.0]);
    let copies = change(&|r| vec![r[0]; 6]);
    let tiny = change(&|r| r.iter().map(|v| v * 1e-300).collect());
    let huge = change(&|r| r.iter().map(|v| v * 1e300).collect());
    let wide = change(&|r| r.iter().cycle().take(300).copied().collect());
    let one = Matrix::from_rows(&rows[..1]).unwrap();
    let flat = vec![0.0; 200];
    let cases: [(&str, &Matrix, &[f64]); 7] = [
        ("constant", &constant, &task.y),
        ("copies", &copies, &task.y),
        ("tiny", &tiny, &task.y),
        ("huge", &huge, &task.y),
        ("wide", &wide, &task.y),
        ("one row", &one, &task.y[..1]),
        ("flat target", &task.train, &flat),
    ];
    for (name, x, y) in cases {
        for arithmetic in ["fast", "sequential"] {
            let params = with_size(3).with("decay", 0.01).with("arithmetic", arithmetic);
            let net = try_fit(&params, x, y, 0);
            let net = net.unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(net.predict_rows(x.view()).unwrap().iter().all(|p| p.is_finite()), "{name}");
        }
    }
    let y: Vec<f64> = task.y.iter().map(|v| v * 1e200).collect();
    let err = try_fit(&with_size(3), &task.train, &y, 0).unwrap_err();
    assert_eq!(
        err.to_string(),
        "nnet: the objective at the starting weights is inf; rescale inputs and target"
    );
}

#[test]
fn limits_are_named() {
    let task = small_task();
    let message = |net: Params| try_fit(&net, &task.train, &task.y, 0).unwrap_err().to_string();
    assert_eq!(
        message(with_size(0)),
        "nnet: size = 0 is not allowed: use a whole number, at least 1, or a skip layer"
    );
    assert_eq!(
        message(with_size(2).with("decay", -1.0)),
        "nnet: decay = -1 is not allowed: use a number at least 0"
    );
    assert_eq!(
        message(with_size(200).with("max_weights", 1000)),
        "nnet: size = 200 is not allowed: 5 inputs would give 1401 weights; lower it or raise max_weights = 1000"
    );
    let context = FitContext { memory_bytes: 1 << 20, ..FitContext::new(1) };
    let grid = [Params::new().with("size", 250)];
    let fits = fit_grid(&NnetFamily, task.train_set(), task.test.view(), &grid, &context).unwrap();
    let err = fits[0].as_ref().unwrap_err().to_string();
    assert!(err.contains("may use 1 MB") && err.contains("lower size"), "{err}");
}

#[test]
fn a_cancelled_fit_stops() {
    let task = small_task();
    let cancel = Cancel::default();
    cancel.cancel();
    let context = FitContext { cancel, ..FitContext::new(1) };
    let train = TrainSet::new(task.train.view(), &task.y);
    let fits = fit_grid(&NnetFamily, train, task.test.view(), &[Params::new()], &context).unwrap();
    assert_eq!(fits[0], Err(ModelError::Cancelled));
}
