//! Several workers on one folder: whatever becomes of them, the gathering run ends with the same bytes.

use std::{collections::BTreeSet, path::Path, sync::Arc, thread};

use tailrank_experiment::plan::Plan;
use tailrank_models::Cancel;
use tailrank_runner::{
    run::{self, RunOptions, RunSummary},
    slurm::{Share, Shares, share_of_plan},
    store::Store,
};

use crate::lab::{FRAME, Lab, SIX, Unsynced, cell_files, outputs, whole};

/// Fits some cells as one of several workers.
fn work(plan: &Arc<Plan>, root: &Path, worker: &str, only: Vec<usize>) -> RunSummary {
    let store = Store::open(&Unsynced, root, &plan.text, "lab").unwrap().as_worker(worker).unwrap();
    let options = RunOptions { jobs: 1, only: Some(only), ..RunOptions::default() };
    run::run(plan, &store, &options, &Cancel::default(), &mut ()).unwrap()
}

fn shares(of: usize) -> impl Iterator<Item = Share> {
    (1..=of).map(move |number| Share { number, of })
}

#[test]
fn shares_cover_the_plan_once() {
    let lab = Lab::new();
    let plan = lab.six();
    for of in 1..9 {
        let mut all: Vec<usize> = shares(of).flat_map(|s| share_of_plan(&plan, s)).collect();
        all.sort_unstable();
        assert_eq!(all, (0..6).collect::<Vec<_>>(), "{of} shares");
        let frozen = Shares::new(&plan, |_| true, of);
        assert_eq!((frozen.len(), frozen.cells()), (of.min(6), 6));
        let read = Shares::from_text(&frozen.to_text().unwrap()).unwrap();
        let listed: BTreeSet<usize> =
            shares(read.len()).flat_map(|s| read.places(&plan, s).unwrap()).collect();
        assert_eq!(listed, (0..6).collect(), "{of} shares from their file");
    }
}

#[test]
fn a_fit_that_two_tasks_share_is_given_to_one_worker() {
    let lab = Lab::new();
    lab.write("b.csv", &crate::lab::table(60, 1.3));
    let plan = lab.six();
    assert_eq!(plan.cells.len(), 6);
    assert_eq!(Shares::new(&plan, |_| true, 6).cells(), 3);
    assert_eq!(shares(4).map(|s| share_of_plan(&plan, s).len()).sum::<usize>(), 3);
}

#[test]
fn only_what_is_left_is_shared_out() {
    let lab = Lab::new();
    let plan = lab.six();
    let root = lab.path("run");
    work(&plan, &root, "early", vec![0, 3, 4]);
    let (store, _) = Store::open_existing(&Unsynced, &root).unwrap();
    let stored = store.finished().unwrap();
    let left = Shares::new(&plan, |key| !stored.contains(key), 2);
    let places: BTreeSet<usize> = shares(2).flat_map(|s| left.places(&plan, s).unwrap()).collect();
    assert_eq!(places, BTreeSet::from([1, 2, 5]));
}

#[test]
fn workers_at_the_same_time_a_duplicate_and_a_lost_one_leave_no_trace() {
    let lab = Lab::new();
    let slow = SIX.replace("id = [0, 1, 2]", "sleep_ms = 10, id = [0, 1, 2, 3, 4, 5]");
    let plan = lab.plan(&format!("{FRAME}{slow}"));
    let (root, clean) = (lab.path("run"), lab.path("clean"));
    whole(&plan, &clean, &Unsynced, 2).unwrap();
    // The third of four is never run; the first is run twice, at the same time.
    thread::scope(|scope| {
        for (worker, number) in [("a", 1), ("b", 1), ("c", 2), ("d", 4)] {
            let (plan, root) = (&plan, &root);
            scope.spawn(move || work(plan, root, worker, share_of_plan(plan, Share { number, of: 4 })));
        }
    });
    assert_eq!(cell_files(&root).len(), 9);
    assert!(!root.join("results/scores.csv").exists(), "a worker writes no tables");
    assert!(!root.join("log/events.jsonl").exists(), "a worker writes its own log");
    let (gathered, _) = whole(&plan, &root, &Unsynced, 2).unwrap();
    assert_eq!((gathered.reused, gathered.fitted, gathered.damaged), (9, 3, 0));
    assert!(outputs(&root) == outputs(&clean));
}

#[test]
fn shares_of_another_experiment_or_other_data_are_refused() {
    let lab = Lab::new();
    let plan = lab.six();
    let shares = Shares::new(&plan, |_| true, 2);
    let first = Share { number: 1, of: 2 };
    assert!(shares.places(&plan, first).is_ok());
    assert!(shares.places(&plan, Share { number: 1, of: 3 }).unwrap_err().contains("2 shares, not 3"));
    let changed = lab.plan(&format!("{FRAME}{SIX}# another word\n"));
    assert!(shares.places(&changed, first).unwrap_err().contains("experiment was changed"));
    lab.write("b.csv", &crate::lab::table(50, 1.7));
    assert!(shares.check(&lab.six()).unwrap_err().contains("3 of its fits"));
}
