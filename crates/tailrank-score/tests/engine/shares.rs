//! Shares of an array job are balanced by what fits are forecast to cost.

use tailrank_runner::slurm::{Share, Shares, share_of_plan};

use crate::lab::{FRAME, Lab};

#[test]
fn a_long_fit_has_a_share_of_its_own() {
    let lab = Lab::new();
    let models = "[data]\ntables = [{ name = \"a\", file = \"a.csv\", target = \"y\" }]\n[[models]]\nfamily = \"debug\"\n\
                  variants = [{ id = 1 }, { id = 2, sleep_ms = 3000000 }, { id = 3 }, { id = 4, sleep_ms = 1000000 }, { id = 5, sleep_ms = 1000000 }, { id = 6 }]\n";
    let plan = lab.plan(&format!("{FRAME}{models}"));
    assert_eq!(plan.cells.len(), 6);
    let cost = |c: &usize| plan.cells[*c].cost.cpu_seconds;
    assert_eq!((0..6).map(|c| cost(&c)).collect::<Vec<_>>(), [0.0, 3000.0, 0.0, 1000.0, 1000.0, 0.0]);
    let shares: Vec<Vec<usize>> =
        (1..=2).map(|number| share_of_plan(&plan, Share { number, of: 2 })).collect();
    assert_eq!(shares, [vec![1], vec![0, 2, 3, 4, 5]], "five fits of 2,000 s are less than one of 3,000 s");
    let frozen = Shares::new(&plan, |_| true, 2);
    let seconds: Vec<f64> = frozen.seconds.iter().map(|s| s.round()).collect();
    assert_eq!((seconds, frozen.cells()), (vec![3000.0, 2000.0], 6));
    // What is stored already weighs nothing.
    let left = Shares::new(&plan, |key| *key != plan.cells[1].key, 2);
    let seconds: Vec<f64> = left.seconds.iter().map(|s| s.round()).collect();
    assert_eq!((seconds, left.cells()), (vec![1000.0, 1000.0], 5));
}
