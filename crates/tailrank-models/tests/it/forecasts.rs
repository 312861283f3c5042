//! Forecasts by hand, for 1000 rows to train on, 100 to test and 10 inputs; `estimates.rs` holds some against
//! the clock.

use tailrank_models::{Cost, Params, Shape, family};

const SHAPE: Shape = Shape { train_rows: 1000, test_rows: 100, inputs: 10 };

fn cost(name: &str, engine: &str, shape: Shape, grid: &[Params]) -> Cost {
    family(name, Some(engine)).unwrap().estimate(shape, grid)
}

fn near(got: f64, expected: f64) {
    assert!((got / expected - 1.0).abs() < 1e-9, "{got} instead of {expected}");
}

fn with(name: &'static str, value: i64) -> Params {
    Params::new().with(name, value)
}

/// 10 ns a cell and level of the tree, and a tree for every fold of a cross-validation; 24 bytes a cell.
#[test]
fn cart_grows_a_tree_for_every_fold() {
    let levels = 1000f64.log2();
    let one = cost("cart", "native", SHAPE, &[Params::new(), with("maxdepth", 3)]);
    near(one.cpu_seconds, 1e-8 * 10_000.0 * levels);
    assert_eq!(one.bytes, 24 * 10_000);
    let pruned = Params::new().with("prune", "1se");
    near(cost("cart", "native", SHAPE, std::slice::from_ref(&pruned)).cpu_seconds, 11.0 * one.cpu_seconds);
    let folds = pruned.clone().with("xval", 4);
    near(cost("cart", "native", SHAPE, &[folds, Params::new()]).cpu_seconds, 5.0 * one.cpu_seconds);
    // There are no more folds than rows.
    let few = Shape { train_rows: 4, ..SHAPE };
    near(cost("cart", "native", few, &[pruned]).cpu_seconds, 5.0 * 1e-8 * 40.0 * 2.0);
}

/// Each of 500 trees has about 1.3·log₂ n levels; at each, a third of the inputs are tried on every row and
/// all rows go down.
#[test]
fn forests_cost_their_largest_size() {
    let passes = 500.0 * 1.3 * 1000f64.log2();
    let seconds = passes * (4e-9 * 3.0 * 1000.0 + 3e-9 * 1100.0);
    near(cost("forest", "native", SHAPE, &[Params::new()]).cpu_seconds, seconds);
    // Smaller sizes come out of the same trees; another mtry needs trees of its own.
    near(cost("forest", "native", SHAPE, &[Params::new(), with("trees", 50)]).cpu_seconds, seconds);
    let more = passes * (4e-9 * 6.0 * 1000.0 + 3e-9 * 1100.0);
    near(cost("forest", "native", SHAPE, &[Params::new(), with("mtry", 6)]).cpu_seconds, seconds + more);
    let smart = |grid: &[Params]| cost("forest", "smartcore", SHAPE, grid);
    let each = 4e-9 * 1000.0 * 1000f64.log2() * 500.0;
    near(smart(&[Params::new()]).cpu_seconds, each * 3.0);
    near(smart(&[Params::new(), with("trees", 50), with("mtry", 6)]).cpu_seconds, each * 9.3);
    assert_eq!(smart(&[Params::new()]).bytes, 64 * 10_000);
}

#[test]
fn neighbours_cost_every_pair_of_rows() {
    // 0.3 ns a pair of ten inputs, and 0.2 ns to look at it; lists of the longest k.
    let (near5, near9) = (with("k", 5), with("k", 9));
    let queries = |k: f64| 100.0 * (1000.0 * 5e-10 + 4e-6 + 1e-7 * k);
    let one = cost("knn", "native", SHAPE, std::slice::from_ref(&near5));
    near(one.cpu_seconds, 1e-8 * 10_000.0 + queries(5.0));
    let both = cost("knn", "native", SHAPE, &[near5, near9]);
    near(both.cpu_seconds, 1e-8 * 10_000.0 + queries(9.0));
    // Rows in 12 bytes an input and one more; two tasks of 96 queries, each with 2k neighbours of 16 bytes;
    // answers of 16.
    let bytes = |k: usize, variants: usize| 12 * 1000 * 11 + 2 * 96 * 2 * 16 * k + 16 * 100 * variants;
    assert_eq!((one.bytes, both.bytes), (bytes(5, 1), bytes(9, 2)));
}

/// linfa's work grows with the logarithm of the cost; it holds the kernel matrix twice.
#[test]
fn support_vectors_cost_every_pair_of_training_rows() {
    let linfa = |grid: &[Params]| cost("svm", "linfa", SHAPE, grid);
    let seconds = |cost: f64| 2e-7 * 1e6 * 4.0 * (1.0 + cost).ln();
    near(linfa(&[Params::new()]).cpu_seconds, seconds(1.0));
    let grid = [Params::new(), Params::new().with("cost", 150.0)];
    near(linfa(&grid).cpu_seconds, seconds(1.0) + seconds(150.0));
    assert_eq!(linfa(&grid).bytes, 16_000_000);
    // Our own: a kernel of 3 ns a value for every γ, then 12 ns a pair to begin with and 0.4 of it for each
    // model.
    let native = |grid: &[Params]| cost("svm", "native", SHAPE, grid).cpu_seconds;
    let (kernel, model) = (3e-9 * (0.5 * 1e6 + 1e5), 1.2e-8 * 1e6);
    near(native(&[Params::new()]), kernel + 1.4 * model);
    near(native(&grid), kernel + 1.8 * model);
    let other = Params::new().with("gamma", 0.01);
    near(native(&[Params::new(), other]), 2.0 * (kernel + 1.4 * model));
}

/// nk = 21 columns are ten steps; each makes nine passes for every input and parent.
#[test]
fn mars_costs_its_parents() {
    let mars = |degree: i64| cost("mars", "native", SHAPE, &[Params::new(), with("degree", degree)]);
    near(mars(1).cpu_seconds, 1e-9 * 10.0 * 10.0 * 9.0 * 1000.0);
    near(mars(2).cpu_seconds, 10.0 * mars(1).cpu_seconds);
    near(mars(3).cpu_seconds, 10.0 * mars(1).cpu_seconds);
    // Four words a column and six of the target's, 20 bytes an input. A candidate holds 20 bytes a row and
    // its knots of seven words: every fifth row, the span of Friedman (1991, eq. 43) where a parent is
    // positive on 63 rows, −log₂(−ln .95 / 630) / 2.5 = 5.4.
    let candidate = 20 * 1000 + 200 * 7 * 8;
    let bytes = |parents: usize| 1000 * (8 * (4 * 21 + 6) + 20 * 10) + parents * 10 * candidate;
    assert_eq!((mars(1).bytes, mars(2).bytes), (bytes(1), bytes(10)));
}

/// A tree of depth 3 has 8 leaves: every row is counted at the root and 0.4 of them at each further level, 8
/// · 255 bins are looked at, and all rows move down three levels.
#[test]
fn boosting_costs_its_trees_and_holds_their_histograms() {
    let boost = |grid: &[Params]| cost("boost", "native", SHAPE, grid);
    let binning = 4e-8 * 1100.0 * 10.0;
    let tree = (0.5e-9 * 1000.0 * 1.8 + 1.2e-9 * 8.0 * 255.0) * 10.0 + 2e-9 * 3.0 * 1100.0;
    let one = boost(&[Params::new()]);
    near(one.cpu_seconds, binning + 100.0 * tree);
    near(boost(&[Params::new(), with("trees", 30)]).cpu_seconds, binning + 100.0 * tree);
    // Four histograms of 256 bins of 8 bytes an input, 64 bytes a row and 8 a test row, twice; bins of one
    // byte; answers.
    let ensemble = 4 * 256 * 8 * 10 + 64 * 1000 + 8 * 100;
    let expected = |variants: usize| 10 * 1100 + 24 * 1000 + 2 * ensemble + 8 * 100 * variants;
    assert_eq!(one.bytes, expected(1));
    assert_eq!(boost(&[Params::new(), with("trees", 30), with("trees", 60)]).bytes, expected(3));
}

/// A net of three units has 3 · 11 + 4 = 37 weights. Each of 100 steps passes the rows with six operations a
/// weight and updates the inverse Hessian with six for each of its entries, at 8·10⁹ a second.
#[test]
fn nets_cost_their_weights_times_rows() {
    let net = |restarts: i64| {
        let variant = with("size", 3).with("maxit", 100).with("restarts", restarts).with("skip", false);
        cost("nnet", "native", SHAPE, &[variant]).cpu_seconds
    };
    near(net(1), 100.0 * (6.0 * 37.0 * 1000.0 + 6.0 * 37.0 * 37.0) / 8e9);
    near(net(4), 4.0 * net(1));
}

#[test]
fn lines_cost_the_squares_of_their_inputs() {
    let one = cost("linear", "native", SHAPE, &[Params::new()]);
    near(one.cpu_seconds, 1e-9 * (6.0 * 1000.0 * 100.0 + 500.0 * 100.0));
    assert_eq!(one.bytes, 8 * 10 * (3 * 1000 + 10));
}
