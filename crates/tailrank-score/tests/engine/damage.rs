//! Flipped bits and truncation in every file of a run.

use std::fs;

use rand::{RngExt, SeedableRng, rngs::SmallRng};
use tailrank_runner::store::{Event, Store, disk::RealDisk};

use crate::lab::{Lab, Unsynced, events, outputs, snapshot, whole};

/// The file cut short, and with single bits flipped.
fn spoil(good: &[u8], random: &mut SmallRng) -> Vec<Vec<u8>> {
    let mut spoiled: Vec<Vec<u8>> = [0, good.len() / 2, good.len() - 1].map(|n| good[..n].to_vec()).to_vec();
    for _ in 0..12 {
        let mut flipped = good.to_vec();
        let place = random.random_range(0..good.len());
        flipped[place] ^= 1 << random.random_range(0..8);
        spoiled.push(flipped);
    }
    spoiled
}

#[test]
fn damage_anywhere_is_found_and_mended() {
    let lab = Lab::new();
    let plan = lab.six();
    let root = lab.path("run");
    whole(&plan, &root, &Unsynced, 1).unwrap();
    let expected = outputs(&root);
    let mut random = SmallRng::seed_from_u64(5);
    let mut cells = 0;
    for (file, good) in snapshot(&root) {
        let is_cell = file.starts_with("cells");
        cells += usize::from(is_cell);
        if good.is_empty() {
            continue; // It is there to be locked.
        }
        for bad in spoil(&good, &mut random) {
            fs::write(root.join(&file), &bad).unwrap();
            match whole(&plan, &root, &Unsynced, 1) {
                Ok((summary, _)) => {
                    let counts = (summary.damaged, summary.fitted);
                    assert_eq!(counts, if is_cell { (1, 1) } else { (0, 0) }, "{}", file.display());
                }
                Err(e) => panic!("{}: {e}", file.display()),
            }
            assert!(outputs(&root) == expected, "{} damaged: other results", file.display());
            if is_cell {
                assert!(root.join("log/damaged").join(file.file_name().unwrap()).exists());
                assert!(events(&root).iter().any(|e| matches!(e, Event::Damaged { .. })));
            }
        }
    }
    assert_eq!(cells, 6);
    // The log itself was damaged on the way; what was written after that is whole.
    assert!(events(&root).iter().any(|e| matches!(e, Event::Closed { .. })));
}

#[test]
fn damage_is_found_while_scoring_too() {
    let lab = Lab::new();
    let plan = lab.six();
    let root = lab.path("run");
    whole(&plan, &root, &Unsynced, 1).unwrap();
    let (store, _) = Store::open_existing(&RealDisk, &root).unwrap();
    let path = store.files().unwrap().into_values().next().unwrap().remove(0);
    fs::write(&path, b"PAR1").unwrap();
    let results = tailrank_score::score::results(&plan, &store).unwrap();
    let missing = results.scores.iter().flat_map(|s| &s.status);
    assert_eq!(missing.filter(|s| **s == tailrank_score::score::VariantStatus::Missing).count(), 1);
    assert!(!path.exists());
}

#[test]
fn a_cell_under_another_cells_name_is_not_believed() {
    let lab = Lab::new();
    let plan = lab.six();
    let root = lab.path("run");
    whole(&plan, &root, &Unsynced, 1).unwrap();
    let expected = outputs(&root);
    let (store, _) = Store::open_existing(&RealDisk, &root).unwrap();
    let files = store.files().unwrap();
    let (from, to) = (&plan.cells[0], &plan.cells[1]);
    // The right checksum, the wrong key: a copy made by hand.
    let name = files[&from.key][0]
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .replace(from.key.as_str(), to.key.as_str());
    let forged = files[&to.key][0].with_file_name(name);
    fs::copy(&files[&from.key][0], &forged).unwrap();
    fs::remove_file(&files[&to.key][0]).unwrap();
    let (summary, _) = whole(&plan, &root, &Unsynced, 1).unwrap();
    assert_eq!((summary.damaged, summary.fitted), (1, 1));
    assert!(outputs(&root) == expected);
}

#[test]
fn a_run_whose_experiment_was_damaged_is_refused_for_reports() {
    let lab = Lab::new();
    let plan = lab.six();
    let root = lab.path("run");
    whole(&plan, &root, &Unsynced, 1).unwrap();
    fs::write(root.join("experiment.toml"), format!("{}#", plan.text)).unwrap();
    let refused = Store::open_existing(&RealDisk, &root).err().unwrap().to_string();
    assert!(refused.contains("experiment.toml does not match run.json"), "{refused}");
}

/// A flipped bit in the format's number must not pass for a run of another version.
#[test]
fn every_flipped_bit_of_the_manifest_is_mended() {
    let lab = Lab::new();
    let plan = lab.six();
    let root = lab.path("run");
    whole(&plan, &root, &Unsynced, 1).unwrap();
    let path = root.join("run.json");
    let good = fs::read(&path).unwrap();
    for bit in 0..good.len() * 8 {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &bad).unwrap();
        let mended = Store::open(&Unsynced, &root, &plan.text, "lab").err();
        assert!(mended.is_none(), "bit {bit}: {mended:?}");
        assert_eq!(fs::read(&path).unwrap(), good, "bit {bit}");
    }
}

#[test]
fn a_run_of_a_newer_version_is_refused_and_left_alone() {
    let lab = Lab::new();
    let plan = lab.six();
    let root = lab.path("run");
    fs::create_dir_all(&root).unwrap();
    let newer = r#"{ "format": 3, "name": "x", "experiment": "y", "more": 1 }"#;
    fs::write(root.join("run.json"), newer).unwrap();
    let refused = whole(&plan, &root, &Unsynced, 1).err().unwrap().to_string();
    assert!(refused.contains("it has format 3, this version reads format 2"), "{refused}");
    assert_eq!(fs::read_to_string(root.join("run.json")).unwrap(), newer);
}

/// Seeds were others then: such a run is neither read nor run, and nothing of it is touched.
#[test]
fn a_run_of_an_earlier_version_is_refused_with_the_reason_and_left_alone() {
    let lab = Lab::new();
    let plan = lab.six();
    let root = lab.path("run");
    fs::create_dir_all(root.join("results/cells/ab")).unwrap();
    let old_cell = format!("results/cells/ab/ab{}.{}.parquet", "0".repeat(30), "1".repeat(32));
    fs::write(root.join(&old_cell), "PAR1").unwrap();
    fs::write(root.join("experiment.toml"), &plan.text).unwrap();
    let digest = &blake3::hash(plan.text.as_bytes()).to_hex()[..32];
    let old = format!("{{ \"format\": 1, \"name\": \"lab\", \"experiment\": \"{digest}\" }}");
    fs::write(root.join("run.json"), old).unwrap();
    let before = snapshot(&root);
    let read = Store::open_existing(&RealDisk, &root).err().unwrap().to_string();
    let run = whole(&plan, &root, &Unsynced, 1).err().unwrap().to_string();
    for refused in [read, run] {
        assert!(refused.contains("it has format 1, this version reads format 2"), "{refused}");
    }
    assert_eq!(snapshot(&root), before);
}

/// Tables are believed with their record only.
#[test]
fn damaged_tables_are_not_compared() {
    let lab = Lab::new();
    let root = lab.path("run");
    whole(&lab.six(), &root, &Unsynced, 1).unwrap();
    let open = || tailrank_score::changes::RunTables::open(&RealDisk, &root).err().map(|e| e.to_string());
    assert_eq!(open(), None);
    for name in ["scores.parquet", "files.json"] {
        let path = root.join("results").join(name);
        let good = fs::read(&path).unwrap();
        for bad in spoil(&good, &mut SmallRng::seed_from_u64(3)) {
            fs::write(&path, bad).unwrap();
            let said = open();
            // A flipped bit in another table's checksum does not speak of the scores.
            assert!(
                name == "files.json" || said.as_ref().is_some_and(|s| s.contains("checksum")),
                "{said:?}"
            );
        }
        fs::remove_file(&path).unwrap();
        assert!(open().is_some_and(|said| said.contains("`tailrank run`")), "{name}");
        fs::write(&path, good).unwrap();
    }
    assert_eq!(open(), None);
}
