//! rpart's trees, node by node: frame, splits, competitors, table of prunings, predictions, cross-validation.

use crate::tables;

use tables::Table;
use tailrank_models::{Cart, CartModel, CartParams, FitContext, Params, TrainSet, fit_grid};

/// Agreement to the rounding of one or two operations.
fn close(ours: f64, theirs: f64, what: &str) {
    assert!((ours - theirs).abs() <= 1e-14 * theirs.abs().max(1e-3), "{what}: {ours} but rpart has {theirs}");
}

fn check_frame(model: &CartModel, frame: &Table) {
    assert_eq!(model.nodes.len(), frame.rows.len(), "number of nodes");
    for (i, node) in model.nodes.iter().enumerate() {
        assert_eq!(node.number.to_string(), frame.text(i, "node"));
        let var = node.split.map_or("<leaf>".to_owned(), |(split, ..)| format!("x{}", split.input + 1));
        assert_eq!(var, frame.text(i, "var"), "split variable of node {}", node.number);
        assert_eq!(node.rows as f64, frame.number(i, "n"));
        assert_eq!(node.deviance, frame.number(i, "dev"), "deviance of node {}", node.number);
        assert_eq!(node.mean, frame.number(i, "yval"), "mean of node {}", node.number);
        close(node.complexity, frame.number(i, "complexity"), "complexity");
    }
}

fn check_cp_table(model: &CartModel, table: &Table, relative_error: &str) {
    assert_eq!(model.cp_table.len(), table.rows.len(), "rows of the cp table");
    for (i, row) in model.cp_table.iter().enumerate() {
        close(row.cp, table.number(i, "CP"), "CP");
        assert_eq!(row.splits as f64, table.number(i, "nsplit"));
        // Both are differences of sums of the order of one, so the error is absolute.
        assert!((row.relative_error - table.number(i, relative_error)).abs() < 1e-14, "relative error");
        if let Some((error, sd)) = row.cross_validated {
            assert!((error - table.number(i, "xerror")).abs() < 1e-12, "xerror {error}, row {i}");
            assert!((sd - table.number(i, "xstd")).abs() < 1e-12, "xstd {sd}, row {i}");
        }
    }
}

#[test]
fn default_tree_equals_rpart() {
    let train = Table::fixture("d_train.csv");
    let (x, y) = (train.inputs(), train.column("y"));
    let train = TrainSet::new(x.view(), &y);
    let model = CartModel::fit(train, &CartParams::default(), &FitContext::new(1)).unwrap();
    check_frame(&model, &Table::fixture("d_rpart_default_frame.csv"));
    check_cp_table(&model, &Table::fixture("d_rpart_default_cptable.csv"), "rel error");

    // The table of splits lists each node's own split, its competitors and (count 0) surrogates, which do
    // nothing here.
    let splits = Table::fixture("d_rpart_default_splits.csv");
    let mut listed = (0..splits.rows.len()).filter(|&i| splits.number(i, "count") > 0.0);
    let mut compared = 0;
    for node in model.nodes.iter().filter(|node| node.split.is_some()) {
        for split in node.split.iter().map(|(split, ..)| split).chain(&node.competitors) {
            let i = listed.next().expect("rpart lists fewer splits");
            assert_eq!(format!("x{}", split.input + 1), splits.text(i, "var"));
            assert_eq!(node.rows as f64, splits.number(i, "count"));
            assert_eq!(split.low_goes_left, splits.number(i, "ncat") < 0.0);
            assert_eq!(split.cut, splits.number(i, "index"));
            close(split.improve, splits.number(i, "improve"), "improve");
            compared += 1;
        }
    }
    assert_eq!((compared, listed.next()), (35, None));
}

#[test]
fn predictions_equal_rpart() {
    let (train, test) = (Table::fixture("d_train.csv"), Table::fixture("d_test.csv"));
    let (x, y) = (train.inputs(), train.column("y"));
    let variants = [Params::new(), Params::new().with("cp", 0).with("minsplit", 10)];
    let train = TrainSet::new(x.view(), &y);
    let fits = fit_grid(&Cart, train, test.inputs().view(), &variants, &FitContext::new(1)).unwrap();
    let theirs = Table::fixture("d_predictions.csv");
    for (fit, (name, leaves)) in fits.iter().zip([("rpart_default", 8.0), ("rpart_cp0_minsplit10", 38.0)]) {
        let fit = fit.as_ref().unwrap();
        assert_eq!(fit.predictions, theirs.only("model", name).column("pred"), "{name}");
        assert_eq!(fit.details[0], ("leaves", leaves));
    }
}

/// Ties in inputs and targets, duplicated columns, nodes down to two rows: rounding decides, and decides
/// alike.
#[test]
fn random_cases_with_ties_equal_rpart() {
    let data = Table::fixture("cart_rpart_data.csv");
    let settings = Table::fixture("cart_rpart_settings.csv");
    let (frames, tables) = (Table::fixture("cart_rpart_frame.csv"), Table::fixture("cart_rpart_cptable.csv"));
    for i in 0..settings.rows.len() {
        let case = settings.text(i, "case");
        let data = data.only("case", case);
        let (x, y) = (data.inputs(), data.column("y"));
        let folds: Vec<usize> = data.column("fold").into_iter().map(|f| f as usize).collect();
        let params = CartParams {
            cp: settings.number(i, "cp"),
            minsplit: settings.number(i, "minsplit") as usize,
            minbucket: settings.number(i, "minbucket") as usize,
            maxdepth: settings.number(i, "maxdepth") as u32,
        };
        let train = TrainSet::new(x.view(), &y);
        let model = CartModel::fit_cross_validated(train, &params, &folds, &FitContext::new(1)).unwrap();
        println!("case {case}: {params:?}, {} leaves", model.leaves());
        check_frame(&model, &frames.only("case", case));
        check_cp_table(&model, &tables.only("case", case), "rel.error");
    }
}
