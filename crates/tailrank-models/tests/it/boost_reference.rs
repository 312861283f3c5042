//! `boost` against scikit-learn and LightGBM, and what must hold for weights, sampling and growth.

use crate::tables;
use crate::tasks;

use proptest::prelude::*;
use tables::Table;
use tailrank_models::{
    Family, Fit, FitContext, Matrix, ModelError, Params, Result, Shape, TrainSet, boost::Boost, fit_grid,
};
use tasks::Task;

/// Depth 3, five rows a leaf, thirty trees: what scripts/fixtures/peers_boost.py calls `hist()`.
fn small() -> Params {
    Params::new().with("trees", 30).with("min_rows", 5)
}

fn fit(task: &Task, weights: Option<&[f64]>, grid: &[Params]) -> Vec<Fit> {
    let train = TrainSet { weights, ..task.train() };
    let fits = fit_grid(&Boost, train, task.test.view(), grid, &FitContext::new(3)).unwrap();
    fits.into_iter().collect::<Result<_>>().unwrap()
}

/// Panics at the first pair that differs by more than `tolerance`, or is not a number; returns the largest
/// difference.
fn agree(what: &str, got: &[f64], want: &[f64], tolerance: f64) -> f64 {
    assert_eq!(got.len(), want.len(), "{what}");
    let mut largest = 0.0;
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        let difference = (g - w).abs();
        assert!(difference <= tolerance, "{what}, row {i}: {g} against {w}");
        largest = if difference > largest { difference } else { largest };
    }
    largest
}

#[test]
fn predictions_are_those_of_scikit_learn_and_lightgbm() {
    let task = Task::reference();
    let rows = task.test.view().iter_rows().chain(task.x.view().iter_rows().take(60));
    let task = Task { test: Matrix::from_rows(&rows.collect::<Vec<_>>()).unwrap(), ..task };
    let table = Table::fixture("peers_boost.csv");
    let n = task.y.len();
    let whole: Vec<f64> = (0..n).map(|i| 1.0 + (i % 3) as f64).collect();
    let real: Vec<f64> = (0..n).map(|i| 1.0 + (i * 7 % 11) as f64 / 8.0).collect();
    let deep = small().with("trees", 100).with("max_depth", 6).with("learning_rate", 0.3).with("min_rows", 3);
    let leaves = small().with("max_depth", 64).with("max_leaves", 6).with("l2", 2.5);
    let lightgbm = leaves.clone().with("max_leaves", 7).with("trees", 25).with("learning_rate", 0.2);
    let single = small().with("min_rows", 1);
    // Where two inputs part a small leaf alike the first is taken, which another program's rounding may not
    // do; their training rows agree all the same.
    let cases = [
        ("squared", small(), None, true),
        ("deep", deep, None, false),
        ("leaves_l2", leaves, None, true),
        ("bins_16", small().with("bins", 16), None, true),
        ("absolute", small().with("trees", 10).with("loss", "absolute"), None, true),
        ("quantile_0.25", small().with("loss", "quantile").with("alpha", 0.25), None, true),
        ("huber_0.9", small().with("trees", 10).with("loss", "huber").with("alpha", 0.9), None, false),
        ("whole_weights", single.clone(), Some(&whole), true),
        ("real_weights", single.clone().with("l2", 0.5), Some(&real), false),
        ("real_weights_bins_16", single.with("bins", 16), Some(&real), true),
        ("lightgbm", lightgbm, None, false),
    ];
    for (name, variant, weights, everywhere) in cases {
        let got = fit(&task, weights.map(Vec::as_slice), &[variant]).remove(0).predictions;
        let want = table.predictions_of(name);
        let from = if everywhere { 0 } else { got.len() - 60 };
        // Both keep gradients in f32, ours have 39 bits.
        let largest = agree(name, &got[from..], &want[from..], 3e-7);
        println!("{name}: within {largest:.1e}");
    }
}

/// The rows and weights of a task with every row as often as its weight says.
fn repeated(task: &Task, counts: &[f64]) -> Task {
    let times = || (0..counts.len()).flat_map(|i| std::iter::repeat_n(i, counts[i] as usize));
    let x: Vec<&[f64]> = times().map(|i| task.x.view().row(i)).collect();
    Task {
        x: Matrix::from_rows(&x).unwrap(),
        y: times().map(|i| task.y[i]).collect(),
        test: task.test.clone(),
    }
}

/// One variant for every loss and way to grow; none draws rows, which repeated rows would change.
fn losses_and_growths() -> Vec<Params> {
    let base = Params::new().with("trees", 20).with("min_rows", 4).with("bins", 20);
    let leaves = base.clone().with("max_depth", 10).with("max_leaves", 7);
    vec![
        base.clone(),
        base.clone().with("loss", "absolute"),
        base.clone().with("loss", "huber"),
        base.clone().with("loss", "quantile").with("alpha", 0.2),
        base.clone().with("l2", 3).with("input_fraction", 0.5),
        leaves.clone(),
        leaves.with("growth", "level"),
    ]
}

#[test]
fn whole_weights_are_repeated_rows_to_the_bit() {
    let task = Task::synthetic(300, 5, 40);
    let counts: Vec<f64> = (0..300).map(|i| f64::from(i * 13 % 5)).collect();
    let grid = losses_and_growths();
    let (weighted, twice) = (fit(&task, Some(&counts), &grid), fit(&repeated(&task, &counts), None, &grid));
    assert_eq!(weighted, twice);
    assert_ne!(weighted, fit(&task, None, &grid));
    // Large weights take the other kind of sums, which are as exact.
    let many: Vec<f64> = counts.iter().map(|c| 8192.0 * c).collect();
    let scaled = |v: &Params| {
        v.clone().with("min_rows", 8192 * v.int("min_rows", 0)).with("l2", 8192.0 * v.real("l2", 0.0))
    };
    let grid: Vec<Params> = grid.iter().map(scaled).collect();
    for (a, b) in fit(&task, Some(&many), &grid).iter().zip(&weighted) {
        agree("large weights", &a.predictions, &b.predictions, 1e-7);
    }
}

#[test]
fn unit_weights_are_no_weights_to_the_bit() {
    let task = Task::synthetic(200, 4, 30);
    let mut grid = losses_and_growths();
    grid.push(Params::new().with("subsample", 0.5));
    assert_eq!(fit(&task, Some(&[1.0; 200]), &grid), fit(&task, None, &grid));
}

#[test]
fn real_weights_count_in_proportion() {
    let task = Task::synthetic(200, 4, 30);
    let counts: Vec<f64> = (0..200).map(|i| f64::from(1 + i * 13 % 5)).collect();
    let grid: Vec<Params> = losses_and_growths().iter().map(|v| v.clone().with("bins", 255)).collect();
    let whole = fit(&task, Some(&counts), &grid);
    // Thirds are not exact in binary: rounded masses, the same trees.
    let thirds: Vec<f64> = counts.iter().map(|c| c / 3.0).collect();
    let scaled: Vec<Params> =
        grid.iter().map(|v| v.clone().with("min_rows", 1).with("l2", v.real("l2", 0.0) / 3.0)).collect();
    let free: Vec<Params> = grid.iter().map(|v| v.clone().with("min_rows", 3)).collect();
    let (by_thirds, by_whole) = (fit(&task, Some(&thirds), &scaled), fit(&task, Some(&counts), &free));
    for ((v, a), b) in
        free.iter().zip(&by_thirds).zip(&by_whole).filter(|((v, _), _)| v.text("loss", "").is_empty())
    {
        agree(&v.to_string(), &a.predictions, &b.predictions, 1e-9);
    }
    assert_ne!(whole, by_whole);
}

#[test]
fn bad_weights_give_a_typed_error() {
    let task = Task::synthetic(20, 2, 3);
    let train = TrainSet { weights: Some(&[0.0; 20]), ..task.train() };
    let fits = fit_grid(&Boost, train, task.test.view(), &[Params::new()], &FitContext::new(1));
    let message = match fits {
        Err(e) => e.to_string(),
        Ok(fits) => fits[0].as_ref().unwrap_err().to_string(),
    };
    assert!(message.contains("weight"), "{message}");
}

#[test]
fn growth_keeps_its_limits() {
    let task = Task::synthetic(600, 3, 600);
    let task = Task { test: task.x.clone(), ..task };
    let leaves = |variant: Params| {
        let mut values = fit(&task, None, &[variant.with("trees", 1)]).remove(0).predictions;
        values.sort_by(f64::total_cmp);
        let mut sizes = Vec::new();
        values.chunk_by(|a, b| a == b).for_each(|part| sizes.push(part.len()));
        sizes
    };
    let base = || Params::new().with("max_depth", 12);
    assert_eq!(leaves(base().with("max_leaves", 6)).len(), 6);
    assert_eq!(leaves(base().with("max_leaves", 6).with("growth", "level")).len(), 6);
    assert_eq!(leaves(base().with("max_leaves", 1)).len(), 1);
    assert_eq!(leaves(Params::new().with("max_depth", 2)).len(), 4);
    assert!(leaves(base().with("min_rows", 60)).iter().all(|rows| *rows >= 60));
    assert!(leaves(base().with("min_rows", 59)).len() >= leaves(base().with("min_rows", 60)).len());
    // A limit that is never met changes nothing, whatever the order.
    let free = fit(&task, None, &[Params::new().with("max_depth", 4)]);
    for growth in ["leaf", "level"] {
        let limited = Params::new().with("max_depth", 4).with("max_leaves", 16).with("growth", growth);
        assert_eq!(fit(&task, None, &[limited]), free, "{growth}");
    }
    // Level by level the first tree of eight leaves is the tree of depth 3.
    let one = || Params::new().with("trees", 1).with("min_rows", 5);
    let eight = one().with("max_depth", 9).with("max_leaves", 8).with("growth", "level");
    assert_eq!(fit(&task, None, &[eight]), fit(&task, None, &[one()]));
}

#[test]
fn best_first_gains_at_least_as_much_as_level_by_level() {
    let task = Task::synthetic(400, 5, 0);
    let task = Task { test: task.x.clone(), ..task };
    let error = |growth: &str| {
        let v = Params::new()
            .with("trees", 1)
            .with("learning_rate", 1)
            .with("max_depth", 20)
            .with("max_leaves", 11);
        let p = fit(&task, None, &[v.with("growth", growth)]).remove(0).predictions;
        p.iter().zip(&task.y).map(|(p, y)| (p - y).powi(2)).sum::<f64>()
    };
    let (best, level) = (error("leaf"), error("level"));
    assert!(best < 0.99 * level, "{best} {level}");
}

#[test]
fn a_small_memory_limit_changes_nothing() {
    let task = Task::synthetic(500, 6, 50);
    let grid =
        [Params::new().with("max_depth", 8).with("max_leaves", 20), Params::new().with("max_depth", 7)];
    let large = fit(&task, None, &grid);
    for memory_bytes in [0, 4 * 6 * 256 * 8, 5 * 4 * 6 * 256 * 8] {
        let context = FitContext { memory_bytes, ..FitContext::new(3) };
        let fits = fit_grid(&Boost, task.train(), task.test.view(), &grid, &context).unwrap();
        assert_eq!(fits.into_iter().collect::<Result<Vec<_>>>().unwrap(), large, "{memory_bytes}");
    }
}

#[test]
fn sampling_draws_other_rows_and_inputs_for_every_tree_and_still_learns() {
    let task = Task::synthetic(800, 8, 300);
    let truth: Vec<f64> = task.test.view().iter_rows().map(|r| r[0] + (3.0 * r[7]).sin()).collect();
    let rmse = |p: &[f64]| (p.iter().zip(&truth).map(|(p, y)| (p - y).powi(2)).sum::<f64>() / 300.0).sqrt();
    let grid = [
        Params::new(),
        Params::new().with("subsample", 0.5),
        Params::new().with("input_fraction", 0.5),
        Params::new().with("subsample", 0.5).with("input_fraction", 0.5),
    ];
    let fits = fit(&task, None, &grid);
    let errors: Vec<f64> = fits.iter().map(|f| rmse(&f.predictions)).collect();
    assert!(errors.iter().all(|e| *e < 0.15), "{errors:?}");
    for i in 0..4 {
        for j in 0..i {
            assert_ne!(fits[i], fits[j], "{i} {j}");
        }
    }
    // With one input a tree, an ensemble of one tree knows one input only; a hundred know all.
    let one = |trees: i64| Params::new().with("input_fraction", 0.125).with("trees", trees);
    let few = fit(&task, None, &[one(1), one(400)]);
    assert!(rmse(&few[1].predictions) < 0.5 * rmse(&few[0].predictions));
    // Another seed draws others.
    let other = fit_grid(&Boost, task.train(), task.test.view(), &grid[1..2], &FitContext::new(4)).unwrap();
    assert_ne!(other[0].as_ref().unwrap(), &fits[1]);
}

#[test]
fn losses_find_what_they_are_for() {
    // The target depends on no input: every prediction is near the constant a loss asks for.
    let n = 2000;
    let x: Vec<Vec<f64>> = (0..n).map(|i| vec![f64::from(i * 7919 % 2000)]).collect();
    let y: Vec<f64> = (0..n).map(|i| (f64::from(i) + 0.5) / f64::from(n)).map(|u| u * u * u).collect();
    let task = Task::new(&x, &y, &[vec![3.0], vec![1500.0]]);
    let base = || Params::new().with("trees", 5).with("max_depth", 1).with("min_rows", 900);
    let of = |v: Params| fit(&task, None, &[v]).remove(0).predictions[0];
    let near = |got: f64, want: f64| assert!((got - want).abs() < 0.02, "{got} {want}");
    near(of(base()), 0.25);
    near(of(base().with("loss", "absolute")), 0.125);
    near(of(base().with("loss", "quantile").with("alpha", 0.9)), 0.729);
    near(of(base().with("loss", "quantile").with("alpha", 0.3)), 0.027);
    // An outlier moves the mean and not the others.
    let mut wild = task.clone();
    wild.y[7] = 1e6;
    assert!(fit(&wild, None, &[base()]).remove(0).predictions[0] > 100.0);
    for loss in ["absolute", "huber"] {
        let got = fit(&wild, None, &[base().with("loss", loss)]).remove(0).predictions[0];
        assert!((0.1..0.3).contains(&got), "{loss}: {got}");
    }
}

#[test]
fn threads_change_nothing_where_rows_are_counted_in_parallel() {
    // Large enough that histograms of the first nodes are counted by two threads.
    let task = Task::synthetic(60_000, 20, 50);
    let grid = [
        Params::new().with("trees", 3).with("max_depth", 4),
        Params::new().with("trees", 2).with("subsample", 0.9),
    ];
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fit(&task, None, &grid))
    };
    let one = on(1);
    assert_eq!(one, on(2));
    assert_eq!(one, on(5));
}

#[test]
fn odd_data_give_an_answer() {
    let task = Task::synthetic(60, 3, 10);
    let grid = losses_and_growths();
    // Equal targets are met exactly.
    let equal = Task { y: vec![0.1; 60], ..task.clone() };
    for fit in fit(&equal, None, &grid) {
        assert!(fit.predictions.iter().all(|p| *p == 0.1), "{:?}", fit.predictions);
    }
    // No input says anything.
    let constant = Task { x: Matrix::new(60, 3, vec![2.5; 180]).unwrap(), ..task.clone() };
    for fit in fit(&constant, None, &grid) {
        assert!(fit.predictions.iter().all(|p| *p == fit.predictions[0]));
    }
    // Powers of two change the unit and nothing else.
    let plain = fit(&task, None, &grid);
    for unit in [2f64.powi(900), 2f64.powi(-900)] {
        let scaled = Task { y: task.y.iter().map(|y| y * unit).collect(), ..task.clone() };
        for (a, b) in fit(&scaled, None, &grid).iter().zip(&plain) {
            assert!(a.predictions.iter().zip(&b.predictions).all(|(a, b)| *a == b * unit));
        }
    }
    let context = FitContext::new(1);
    context.cancel.cancel();
    let fits = fit_grid(&Boost, task.train(), task.test.view(), &grid[..1], &context).unwrap();
    assert_eq!(fits, [Err(ModelError::Cancelled)]);
}

/// An obvious tree for squared error: every cut between two values of every input, the first of the best.
struct Obvious<'a> {
    task: &'a Task,
    depth: usize,
    min_rows: usize,
    out: Vec<f64>,
}

impl Obvious<'_> {
    fn grow(&mut self, rows: &[usize], depth: usize) {
        let mean = |part: &[usize]| part.iter().map(|&r| self.task.y[r]).sum::<f64>() / part.len() as f64;
        let score = |part: &[usize]| mean(part).powi(2) * part.len() as f64;
        let value = mean(rows);
        rows.iter().for_each(|&r| self.out[r] = value);
        if depth == self.depth {
            return;
        }
        let x = self.task.x.view();
        let mut best = (score(rows) + 1e-9, None);
        for col in 0..x.cols() {
            for &at in rows {
                let (left, right): (Vec<usize>, Vec<usize>) =
                    rows.iter().partition(|&&r| x.at(r, col) <= x.at(at, col));
                if left.len() >= self.min_rows && right.len() >= self.min_rows {
                    let sum = score(&left) + score(&right);
                    if sum > best.0 + 1e-9 {
                        best = (sum, Some((left, right)));
                    }
                }
            }
        }
        if let (_, Some((left, right))) = best {
            self.grow(&left, depth + 1);
            self.grow(&right, depth + 1);
        }
    }
}

#[test]
fn estimates_are_of_the_right_size() {
    let shape = |train_rows, inputs| Shape { train_rows, test_rows: 1000, inputs };
    let grid = |trees: i64| [Params::new().with("trees", trees), Params::new().with("trees", trees / 2)];
    let one = Boost.estimate(shape(5000, 20), &grid(100));
    // Prefixes are free, twice the trees are twice the work, and so are twice the rows where they outweigh
    // the bins.
    assert_eq!(one.cpu_seconds, Boost.estimate(shape(5000, 20), &grid(100)[..1]).cpu_seconds);
    let twice = Boost.estimate(shape(5000, 20), &grid(200)).cpu_seconds / one.cpu_seconds;
    assert!((1.7..2.0).contains(&twice), "{twice}");
    let rows = Boost.estimate(shape(400_000, 20), &grid(100)).cpu_seconds
        / Boost.estimate(shape(200_000, 20), &grid(100)).cpu_seconds;
    assert!((1.8..2.1).contains(&rows), "{rows}");
    assert!(one.bytes > 20 * 6000 && one.bytes < 4_000_000, "{}", one.bytes);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn one_tree_is_the_obvious_one(
        values in prop::collection::vec(-6i32..6, 8..150),
        p in 1usize..4,
        depth in 1usize..4,
        min_rows in 1usize..5,
    ) {
        let n = values.len() / (p + 1);
        let x: Vec<Vec<f64>> = (0..n).map(|i| (0..p).map(|j| f64::from(values[i * p + j])).collect()).collect();
        // No two sums of targets are alike, so that no two cuts gain the same.
        let y: Vec<f64> = (0..n).map(|i| f64::from(values[n * p + i]) + (i as f64 * 0.754_877_666).fract()).collect();
        let task = Task::new(&x, &y, &x);
        let variant = Params::new()
            .with("trees", 1)
            .with("learning_rate", 1)
            .with("max_depth", depth as i64)
            .with("min_rows", min_rows as i64);
        let got = fit(&task, None, &[variant]).remove(0).predictions;
        let mut obvious = Obvious { task: &task, depth, min_rows, out: vec![0.0; n] };
        obvious.grow(&(0..n).collect::<Vec<_>>(), 0);
        for (g, w) in got.iter().zip(&obvious.out) {
            prop_assert!((g - w).abs() < 1e-8, "{g} {w}");
        }
    }

    #[test]
    fn smaller_ensembles_are_prefixes(trees in prop::collection::vec(1i64..40, 1..5), draw in any::<bool>()) {
        let task = Task::synthetic(120, 3, 20);
        let share = if draw { 0.6 } else { 1.0 };
        let variant = |t: i64| Params::new().with("trees", t).with("subsample", share).with("max_depth", 2);
        let grid: Vec<Params> = trees.iter().map(|t| variant(*t)).collect();
        for (v, together) in grid.iter().zip(fit(&task, None, &grid)) {
            prop_assert_eq!(&fit(&task, None, std::slice::from_ref(v))[0], &together);
        }
    }
}
