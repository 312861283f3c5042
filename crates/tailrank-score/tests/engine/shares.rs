//! Shares of an array job: balanced by what fits and scores are forecast to cost, and scored by whoever
//! fitted them.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use rand::{RngExt, SeedableRng, rngs::SmallRng};
use tailrank_experiment::plan::Plan;
use tailrank_models::Cancel;
use tailrank_runner::{
    run::{self, RunOptions},
    slurm::{Share, Shares, share_of_plan},
    store::{
        Store,
        disk::{Disk, RealDisk},
    },
};
use tailrank_score::score;

use crate::lab::{FRAME, Lab, Unsynced, outputs, snapshot, table, whole};

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

/// Tables of `models` with every kind of fact: intervals, chance, folds, a choice on validation rows,
/// failures, undefined scores.
const KINDS: &str = r#"
[data]
tables = [
    { name = "a", file = "a.csv", target = "y" },
    { name = "b", file = "b.csv", target = "y" },
    { name = "calm", file = "calm.csv", target = "y" },
    { name = "folds", file = "a.csv", target = "y" },
]
series = ["p.csv"]
[target]
horizons = [1, 2]
lags = 3
[tasks.folds.split]
kind = "kfold"
folds = 3
repeats = 2
[tasks.b.split]
kind = "fraction"
train = 0.5
validation = 0.2
[tasks.p]
relevance = { low = -0.05, high = 0.05 }
[trading]
threshold = 0.05
[events]
gap = 2
lead = 1
[[models]]
family = "linear"
[[models]]
family = "knn"
grid = { k = [1, 3, 5] }
[[models]]
family = "debug"
variants = [{ id = 1 }, { fault = "error", id = 2 }]
"#;

/// The laboratory with data for all kinds, and a plan of them.
fn kinds(low: &str) -> (Lab, Arc<Plan>) {
    let lab = Lab::new();
    lab.write("calm.csv", &table(40, 1.7).replace("x1,x2,y", "x1,y,x2"));
    let price = |i: usize| 100.0 + 20.0 * (i as f64 * 1.1).sin() + 7.0 * (i as f64 * 0.37).sin();
    let day = |i: usize| format!("2001-{:02}-{:02},{}\n", i / 25 + 1, i % 25 + 1, price(i));
    lab.write("p.csv", &format!("Date,Close\n{}", (0..220).map(day).collect::<String>()));
    let plan = plan_of(&lab, low);
    (lab, plan)
}

fn plan_of(lab: &Lab, low: &str) -> Arc<Plan> {
    let frame = FRAME.replace("enabled = false", "resamples = 100, shifts = 100");
    lab.plan(&format!("{}{KINDS}", frame.replace("low = -1.5", low)))
}

/// Fits and scores one share; returns how many tasks it scored.
fn work(plan: &Arc<Plan>, root: &Path, share: Share) -> usize {
    let store = Store::open(&Unsynced, root, &plan.text, "lab").unwrap();
    let store = store.as_worker(&share.number.to_string()).unwrap();
    let only = share_of_plan(plan, share);
    let options = RunOptions { only: Some(only.clone()), ..RunOptions::default() };
    run::run(plan, &store, &options, &Cancel::default(), &mut ()).unwrap();
    score::score_share(&Cancel::default(), plan, &store, &only).unwrap()
}

fn scored(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    snapshot(&root.join("scored"))
}

/// Counts how often cells are read.
#[derive(Default)]
struct CountingDisk(AtomicUsize);

impl Disk for CountingDisk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.fetch_add(usize::from(path.extension().is_some_and(|e| e == "parquet")), Ordering::Relaxed);
        RealDisk.read(path)
    }
}

#[test]
fn any_number_of_shares_gives_the_bytes_of_a_single_run() {
    let (lab, plan) = kinds("low = -1.5");
    let clean = lab.path("clean");
    let (_, results) = whole(&plan, &clean, &Unsynced, 2).unwrap();
    assert!(!clean.join("scored").exists(), "a run of one process keeps nothing");
    let (found, tasks) = (outputs(&clean), plan.tasks.len());
    assert!(!results.trading.is_empty() && !results.episodes.is_empty() && !results.selection.is_empty());
    for of in [1, 2, 3, 7, 40] {
        let root = lab.path(&format!("shares-{of}"));
        let new: usize = (1..=of).map(|number| work(&plan, &root, Share { number, of })).sum();
        assert_eq!((new, scored(&root).len()), (tasks, tasks), "the last of a task's shares scores it");
        assert_eq!(work(&plan, &root, Share { number: 1, of }), 0, "and nobody does it twice");
        let disk = CountingDisk::default();
        whole(&plan, &root, &disk, 2).unwrap();
        assert!(outputs(&root) == found, "{of} shares");
        assert_eq!(
            disk.0.into_inner(),
            plan.cells.len(),
            "each cell is checked, and not read again to score"
        );
    }
}

#[test]
fn what_was_scored_by_other_rules_or_is_damaged_is_scored_again() {
    let (lab, plan) = kinds("low = -1.5");
    let (root, clean) = (lab.path("run"), lab.path("clean"));
    whole(&plan, &clean, &Unsynced, 2).unwrap();
    let all = Share { number: 1, of: 1 };
    work(&plan, &root, all);
    let good = scored(&root);
    let (mut random, files) =
        (SmallRng::seed_from_u64(3), good.keys().map(|name| root.join("scored").join(name)));
    for (n, file) in files.enumerate() {
        let mut bytes = fs::read(&file).unwrap();
        let place = random.random_range(0..bytes.len());
        match n % 3 {
            0 => bytes[place] ^= 1,
            1 => bytes.truncate(place),
            // Another task's file.
            _ => bytes.clone_from(&good[Path::new("0")]),
        }
        fs::write(&file, bytes).unwrap();
    }
    whole(&plan, &root, &Unsynced, 2).unwrap();
    assert!(outputs(&root) == outputs(&clean));
    assert_eq!(work(&plan, &root, all), plan.tasks.len(), "a share mends them");
    assert!(scored(&root) == good);

    let other = plan_of(&lab, "low = -1.2");
    whole(&other, &lab.path("other"), &Unsynced, 2).unwrap();
    whole(&other, &root, &Unsynced, 2).unwrap();
    assert!(outputs(&root) == outputs(&lab.path("other")), "another threshold");
    assert!(outputs(&root) != outputs(&clean));
}

const RUN: &str = "TAILRANK_TEST_SHARES";
const SHARES: usize = 3;

/// The victim: this test binary, called again by the test below.
#[test]
#[ignore = "the child process of the kill test"]
fn child() {
    let Some(root) = std::env::var_os(RUN) else { return };
    let (_lab, plan) = kinds("low = -1.5");
    for number in 1..=SHARES {
        work(&plan, Path::new(&root), Share { number, of: SHARES });
    }
}

#[test]
fn shares_that_are_killed_leave_no_trace() {
    let (lab, plan) = kinds("low = -1.5");
    let (root, clean) = (lab.path("run"), lab.path("clean"));
    whole(&plan, &clean, &Unsynced, 2).unwrap();
    let mut random = SmallRng::seed_from_u64(5);
    for _ in 0..crate::skipped::times(60, 8) {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["shares::child", "--exact", "--include-ignored"])
            .env(RUN, &root)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(random.random_range(0..400)));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    whole(&plan, &root, &Unsynced, 2).unwrap();
    assert!(outputs(&root) == outputs(&clean));
}

/// A task's cells stay together, unless cutting tasks up ends sooner.
#[test]
fn tasks_stay_together_where_that_ends_as_soon() {
    let lab = Lab::new();
    let plan = lab.six();
    let tasks_of = |of: usize| -> Vec<usize> {
        let of_share = |number| {
            let mut tasks: Vec<usize> =
                share_of_plan(&plan, Share { number, of }).iter().map(|&c| plan.cells[c].task).collect();
            tasks.dedup();
            tasks.len()
        };
        (1..=of).map(of_share).collect()
    };
    assert_eq!((tasks_of(1), tasks_of(2)), (vec![2], vec![1, 1]));
    assert!(tasks_of(3).iter().sum::<usize>() > 3, "two cells in each share, so that tasks are cut up");
}
