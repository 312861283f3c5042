//! Weighted fits against scikit-learn and R (scripts/fixtures/weights_sklearn.py,
//! scripts/fixtures/weights_r.R).

use crate::compare;
use crate::tables;

use compare::{assert_close, largest_difference};
use tables::Table;
use tailrank_models::{
    CartModel, CartParams, FitContext, Matrix, Params, TrainSet, family, fit_grid, steps::Isotonic,
};

struct Weighted {
    x: Matrix,
    y: Vec<f64>,
    w: Vec<f64>,
    test: Matrix,
}

impl Weighted {
    fn read() -> Self {
        let (train, test) = (Table::fixture("d_train.csv"), Table::fixture("d_test.csv"));
        let w = Table::fixture("weights_cases.csv").column("w");
        Self { x: train.inputs(), y: train.column("y"), w, test: test.inputs() }
    }

    fn train(&self) -> TrainSet<'_> {
        TrainSet::new(self.x.view(), &self.y).with_weights(&self.w)
    }

    fn predict(&self, name: &str, variant: Params) -> Vec<f64> {
        let family = family(name, None).unwrap();
        let fits = fit_grid(family, self.train(), self.test.view(), &[variant], &FitContext::new(1)).unwrap();
        fits[0].as_ref().unwrap().predictions.clone()
    }
}

/// Fits `family` with each variant and compares with the fixture's model of that name.
#[track_caller]
fn agree(fixture: &str, family: &str, models: &[(&str, Params, f64)]) {
    let (task, answers) = (Weighted::read(), Table::fixture(fixture));
    for (model, variant, tolerance) in models {
        let want = answers.only("model", model).column("pred");
        let found = task.predict(family, variant.clone());
        assert_close(model, &found, &want, *tolerance);
        // Weights that did nothing would agree with another fit.
        let plain = TrainSet { weights: None, ..task.train() };
        let context = FitContext::new(1);
        let fits = fit_grid(
            tailrank_models::family(family, None).unwrap(),
            plain,
            task.test.view(),
            std::slice::from_ref(variant),
            &context,
        );
        let plain = fits.unwrap()[0].as_ref().unwrap().predictions.clone();
        assert!(largest_difference(&plain, &want) > 1e-3, "{model}: the weights change nothing");
    }
}

#[test]
fn least_squares_is_that_of_lm_and_scikit_learn() {
    agree("weights_sklearn.csv", "linear", &[("linear", Params::new(), 1e-13)]);
    agree("weights_r.csv", "linear", &[("lm", Params::new(), 1e-13)]);
}

#[test]
fn penalised_lines_are_scikit_learns() {
    let of = |penalty: &str, lambda: f64| Params::new().with("penalty", penalty).with("lambda", lambda);
    agree(
        "weights_sklearn.csv",
        "linear",
        &[
            ("ridge_0.01", of("ridge", 0.01), 1e-13),
            ("ridge_1.0", of("ridge", 1.0), 1e-13),
            ("lasso_0.01", of("lasso", 0.01), 1e-12),
            ("lasso_1.0", of("lasso", 1.0), 1e-12),
            ("elastic_net_0.01_0.3", of("elastic_net", 0.01).with("l1_ratio", 0.3), 1e-12),
            ("elastic_net_1.0_0.3", of("elastic_net", 1.0).with("l1_ratio", 0.3), 1e-12),
        ],
    );
}

#[test]
fn trees_are_those_of_rpart_and_scikit_learn() {
    let full =
        |split: i64, leaf: i64| Params::new().with("cp", 0.0).with("minsplit", split).with("minbucket", leaf);
    agree(
        "weights_sklearn.csv",
        "cart",
        &[("tree_20_7", full(20, 7), 1e-13), ("tree_40_5", full(40, 5), 1e-13)],
    );
    agree(
        "weights_r.csv",
        "cart",
        &[
            ("rpart_0.01", Params::new().with("cp", 0.01), 1e-13),
            ("rpart_0.001", Params::new().with("cp", 0.001), 1e-13),
        ],
    );
}

#[test]
fn weighted_cross_validation_is_rparts() {
    let (task, table) = (Weighted::read(), Table::fixture("weights_rpart_cptable.csv"));
    let folds: Vec<usize> = (0..task.y.len()).map(|row| row % 10 + 1).collect();
    for cp in [0.01, 0.001] {
        let params = CartParams { cp, ..CartParams::default() };
        let tree =
            CartModel::fit_cross_validated(task.train(), &params, &folds, &FitContext::new(1)).unwrap();
        let want: Vec<usize> =
            (0..table.rows.len()).filter(|&r| table.text(r, "tree").trim().parse() == Ok(cp)).collect();
        assert_eq!(tree.cp_table.len(), want.len());
        for (row, &at) in tree.cp_table.iter().zip(&want) {
            let number = |column: &str| table.text(at, column).trim().parse::<f64>().unwrap();
            let (error, sd) = row.cross_validated.unwrap();
            let found = [row.cp, row.splits as f64, row.relative_error, error, sd];
            let want = ["CP", "nsplit", "rel error", "xerror", "xstd"].map(number);
            assert_close(&format!("cp table at {cp}"), &found, &want, 1e-12);
        }
    }
}

#[test]
fn support_vectors_have_a_cost_of_their_own() {
    let of = |cost: f64| {
        Params::new().with("standardise", false).with("cost", cost).with("gamma", 0.2).with("tolerance", 1e-7)
    };
    let linear = Params::new()
        .with("standardise", false)
        .with("kernel", "linear")
        .with("epsilon", 0.2)
        .with("tolerance", 1e-7);
    agree(
        "weights_sklearn.csv",
        "svm",
        &[("svr_0.5", of(0.5), 1e-5), ("svr_10.0", of(10.0), 1e-5), ("svr_linear", linear, 1e-5)],
    );
}

#[test]
fn networks_are_rs() {
    for arithmetic in ["sequential", "fast"] {
        let of = |decay: f64| {
            Params::new()
                .with("size", 3)
                .with("decay", decay)
                .with("maxit", 60)
                .with("r_seed", 4)
                .with("arithmetic", arithmetic)
        };
        agree("weights_r.csv", "nnet", &[("nnet_0.01", of(0.01), 1e-5), ("nnet_0.5", of(0.5), 1e-5)]);
    }
}

#[test]
fn isotonic_regression_is_scikit_learns() {
    let table = Table::fixture("isotonic.csv");
    let (fit, ask) = (table.only("part", "fit"), table.only("part", "ask"));
    let map = Isotonic::fit(&fit.column("x"), &fit.column("y"));
    let found: Vec<f64> = ask.column("x").into_iter().map(|x| map.at(x)).collect();
    assert_close("isotonic", &found, &ask.column("y"), 1e-14);
}
