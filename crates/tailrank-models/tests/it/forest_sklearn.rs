//! The forest's trees against scikit-learn's (`forest_sklearn.csv`, made by
//! `scripts/fixtures/forest_sklearn.py`).

use crate::compare;
use crate::tables;
use crate::tasks;

use compare::assert_close;
use tables::Table;
use tailrank_models::Params;
use tasks::Task;

/// All rows, each once: nothing random but the cuts of extra-trees.
fn every_row(trees: i64, mtry: i64, node_size: i64) -> Params {
    let params = Params::new().with("replace", false).with("sample_fraction", 1.0);
    params.with("trees", trees).with("mtry", mtry).with("node_size", node_size)
}

/// A single tree on all rows and inputs is deterministic. Test rows fall between the training rows' values,
/// so a cut that is not halfway between them sends some the other way.
#[test]
fn a_deterministic_tree_equals_scikit_learn_on_test_rows() {
    let (task, theirs) = (Task::reference(), Table::fixture("forest_sklearn.csv"));
    for (node_size, depth) in [(5, 4), (20, 0), (40, 6)] {
        let variant = every_row(1, 5, node_size).with("max_depth", depth);
        let got = task.predict("forest", None, std::slice::from_ref(&variant)).remove(0);
        let name = format!("tree_{node_size}_{depth}");
        assert_close(&name, &got, &theirs.column(&name), 1e-14);
    }
}

/// Means over many extremely randomised trees, row by row: the distance in standard errors has mean square 1
/// where the trees have one distribution. (100 correlated rows: 1.5 is far out.)
#[test]
fn extra_trees_equal_scikit_learn_in_distribution() {
    const OURS: f64 = 4000.0;
    const THEIRS: f64 = 4000.0;
    let (task, theirs) = (Task::reference(), Table::fixture("forest_sklearn.csv"));
    for (mtry, node_size) in [(1, 5), (3, 10), (5, 20)] {
        let variant = every_row(OURS as i64, mtry, node_size).with("extra_trees", true);
        let got = task.predict("forest", None, std::slice::from_ref(&variant)).remove(0);
        let column = |what: &str| theirs.column(&format!("extra_{mtry}_{node_size}_{what}"));
        let (mean, sd) = (column("mean"), column("sd"));
        let squares: Vec<f64> = (0..got.len())
            .map(|i| ((got[i] - mean[i]) / (sd[i] * (1.0 / OURS + 1.0 / THEIRS).sqrt())).powi(2))
            .collect();
        let average = squares.iter().sum::<f64>() / squares.len() as f64;
        println!("mtry {mtry}, node size {node_size}: mean squared distance {average:.3}");
        assert!((0.4..1.7).contains(&average), "mtry {mtry}, node size {node_size}: {average}");
    }
}
