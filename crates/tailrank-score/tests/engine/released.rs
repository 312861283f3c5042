//! A run in the format of a release, kept as it was written: later versions open it and fit nothing again.
//!
//! The run is made anew with `TAILRANK_BLESS=1`, which fails so that the difference is read: a changed cell
//! file or key means that every user's stored run is lost, and needs a note in the CHANGELOG.

use std::{fs, path::Path};

use crate::lab::{Lab, Unsynced, outputs, whole};

const TEXT: &str = r#"
name = "released"
seed = 7
inference = { enabled = false }
data = { tables = [{ name = "t", file = "t.csv", target = "y" }], series = [{ name = "s", file = "s.csv" }] }
target = { horizons = [2], lags = 3 }
split = { kind = "fraction", train = 0.5 }
relevance = { low = -0.01, high = 0.01 }
measures = { list = ["mad", "f"], t_l = 0.5 }
models = [{ family = "linear" }, { family = "debug", grid = { id = [1, 2] } }, { family = "knn", grid = { k = [1, 3] }, learn = ["plain", "weights"] }]
"#;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let there = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &there);
        } else {
            fs::copy(entry.path(), there).unwrap();
        }
    }
}

#[test]
fn a_run_of_the_released_format_is_opened_and_not_fitted_again() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/released");
    let lab = Lab::new();
    let mut table = "x,colour,y\n".to_owned();
    let mut series = "date,close\n".to_owned();
    for i in 0..40_i32 {
        table.push_str(&format!(
            "{},{},{}\n",
            (i * 13) % 17,
            ["red", "blue"][i as usize % 2],
            (i * 7) % 11 - 5
        ));
        let (month, day) = (i / 28 + 1, i % 28 + 1);
        series.push_str(&format!("2001-{month:02}-{day:02},{}\n", 50 + (i * i * 3) % 7));
    }
    lab.write("t.csv", &table);
    lab.write("s.csv", &series);
    let plan = lab.plan(TEXT);
    let root = lab.path("run");
    if std::env::var_os("TAILRANK_BLESS").is_some() {
        whole(&plan, &root, &Unsynced, 1).unwrap();
        _ = fs::remove_dir_all(&kept);
        for file in ["run.json", "experiment.toml"] {
            fs::create_dir_all(&kept).unwrap();
            fs::copy(root.join(file), kept.join(file)).unwrap();
        }
        copy(&root.join("cells"), &kept.join("cells"));
        panic!("the released run was made anew: read the difference, then run without TAILRANK_BLESS");
    }
    let (_, fresh) = whole(&plan, &lab.path("fresh"), &Unsynced, 1).unwrap();
    copy(&kept, &root);
    let (summary, results) = whole(&plan, &root, &Unsynced, 1).unwrap();
    assert_eq!((summary.cells, summary.fitted, summary.damaged), (plan.cells.len(), 0, 0));
    assert_eq!(results.scores, fresh.scores, "what is stored is what would be fitted");
    assert_eq!(results.missing_fits(), 0);
    assert_eq!(outputs(&root), outputs(&lab.path("fresh")), "cells and tables are where a new run has them");
}
