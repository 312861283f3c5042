//! The store against a plain model of it: any sequence of runs, damage and loss leaves both in the same
//! state.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use proptest::prelude::*;
use tailrank_experiment::plan::Plan;
use tailrank_runner::store::{Store, disk::RealDisk};

use crate::lab::{Lab, Unsynced, outputs, part, whole};

#[derive(Clone, Debug)]
enum Action {
    Run(Vec<usize>),
    Flip(usize, usize),
    Cut(usize, usize),
    Delete(usize),
    TearLog,
    LeaveTemporary,
    LoseTables,
    LoseManifest,
}

/// What the model knows of a cell that has a file; without one it is not in the map.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Whole,
    Damaged,
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        4 => prop::collection::vec(0..6usize, 0..6).prop_map(Action::Run),
        2 => (0..6usize, any::<usize>()).prop_map(|(c, bit)| Action::Flip(c, bit)),
        2 => (0..6usize, any::<usize>()).prop_map(|(c, n)| Action::Cut(c, n)),
        2 => (0..6usize).prop_map(Action::Delete),
        1 => Just(Action::TearLog),
        1 => Just(Action::LeaveTemporary),
        1 => Just(Action::LoseTables),
        1 => Just(Action::LoseManifest),
    ]
}

fn file_of(root: &Path, plan: &Plan, cell: usize) -> PathBuf {
    let key = plan.cells[cell].key.as_str();
    let shard = root.join("cells").join(&key[..2]);
    let mut files = fs::read_dir(shard).unwrap().map(|e| e.unwrap().path());
    files.find(|p| p.file_name().unwrap().to_str().unwrap().starts_with(key)).unwrap()
}

fn apply(action: &Action, root: &Path, plan: &std::sync::Arc<Plan>, model: &mut BTreeMap<usize, State>) {
    match action {
        Action::Run(cells) => {
            // A run looks at the cells it is asked for, and at no other.
            let asked: BTreeSet<usize> = cells.iter().copied().collect();
            let of = |state| asked.iter().filter(|c| model.get(c) == Some(&state)).count();
            let (damaged, reused) = (of(State::Damaged), of(State::Whole));
            model.extend(asked.iter().map(|&c| (c, State::Whole)));
            let summary = part(plan, root, cells.clone()).unwrap();
            assert_eq!(
                (summary.reused, summary.damaged, summary.fitted),
                (reused, damaged, asked.len() - reused),
                "{action:?}"
            );
        }
        Action::Flip(cell, bit) if model.get(cell) == Some(&State::Whole) => {
            let path = file_of(root, plan, *cell);
            let mut bytes = fs::read(&path).unwrap();
            let bit = bit % (bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, bytes).unwrap();
            model.insert(*cell, State::Damaged);
        }
        Action::Cut(cell, keep) if model.get(cell) == Some(&State::Whole) => {
            let path = file_of(root, plan, *cell);
            let bytes = fs::read(&path).unwrap();
            fs::write(&path, &bytes[..keep % bytes.len()]).unwrap();
            model.insert(*cell, State::Damaged);
        }
        Action::Delete(cell) if model.contains_key(cell) => {
            fs::remove_file(file_of(root, plan, *cell)).unwrap();
            model.remove(cell);
        }
        Action::TearLog => {
            let log = root.join("log/events.jsonl");
            let bytes = fs::read(&log).unwrap_or_default();
            if !bytes.is_empty() {
                fs::write(&log, &bytes[..bytes.len() - 9]).unwrap();
            }
        }
        Action::LeaveTemporary => {
            let left = root.join("log/tmp/far.1.0123456789abcdef");
            fs::create_dir_all(&left).unwrap();
            fs::write(left.join("0"), b"half a ce").unwrap();
        }
        Action::LoseTables => {
            let _ = fs::remove_file(root.join("results/scores.csv"));
        }
        Action::LoseManifest => {
            let _ = fs::remove_file(root.join("run.json"));
        }
        Action::Flip(..) | Action::Cut(..) | Action::Delete(_) => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_store_does_what_a_map_would(actions in prop::collection::vec(action(), 1..14)) {
        let lab = Lab::new();
        let plan = lab.six();
        let root = lab.path("run");
        let mut model = BTreeMap::new();
        for action in &actions {
            apply(action, &root, &plan, &mut model);
            if root.join("run.json").exists() {
                let (store, _) = Store::open_existing(&RealDisk, &root).unwrap();
                let found = store.finished().unwrap();
                for (c, cell) in plan.cells.iter().enumerate() {
                    prop_assert_eq!(found.contains(&cell.key), model.contains_key(&c), "cell {} after {:?}", c, action);
                }
            }
        }
        whole(&plan, &root, &Unsynced, 2).unwrap();
        whole(&plan, &lab.path("clean"), &Unsynced, 1).unwrap();
        prop_assert!(outputs(&root) == outputs(&lab.path("clean")), "{:?}", actions);
    }
}
