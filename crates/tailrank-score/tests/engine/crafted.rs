//! A run's folder made by somebody else: no name in its records, no link and no pipe leads out of it.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use nix::{sys::stat::Mode, unistd::mkfifo};
use tailrank_runner::store::{CONTENTS, Store, disk::RealDisk};

use crate::lab::{FRAME, Lab, SIX, Unsynced, cell_files, snapshot, whole, write_page};

/// Runs another plan in the folder, so that its tables and page are removed.
fn run_anew(lab: &Lab, root: &Path) -> tailrank_experiment::Result<()> {
    let changed = lab.plan(&format!("{FRAME}{}", SIX.replace("[0, 1, 2]", "[0, 9, 2]")));
    whole(&changed, root, &Unsynced, 1).map(|_| ())
}

/// A run with tables and a page, beside files that are none of its business.
fn run_beside_secrets() -> (Lab, PathBuf, BTreeMap<PathBuf, Vec<u8>>) {
    let lab = Lab::new();
    let root = lab.path("run");
    whole(&lab.six(), &root, &Unsynced, 1).unwrap();
    write_page(&root);
    fs::create_dir_all(lab.path("secrets/ab")).unwrap();
    for (name, text) in [("known", "a key"), ("changed", "another key"), ("ab/deep", "deep")] {
        fs::write(lab.path("secrets").join(name), text).unwrap();
    }
    let secrets = snapshot(&lab.path("secrets"));
    (lab, root, secrets)
}

#[test]
fn names_in_records_reach_no_file_outside_the_run() {
    let (lab, root, secrets) = run_beside_secrets();
    let sum = |bytes: &[u8]| blake3::hash(bytes).to_hex()[..32].to_owned();
    let absolute = lab.path("secrets/known").to_str().unwrap().to_owned();
    let changed = lab.path("secrets/changed").to_str().unwrap().to_owned();
    for folder in ["results", "report"] {
        let path = root.join(folder).join(CONTENTS);
        let mut record: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        for name in ["../../secrets/known", "tasks/../../../secrets/known", &absolute, "linked/known"] {
            record["files"][name] = sum(b"a key").into();
        }
        for name in ["../../secrets/changed", &changed, "linked/changed", "/dev/null", "pipe"] {
            record["files"][name] = sum(b"what it never was").into();
        }
        fs::write(&path, record.to_string()).unwrap();
        // Records that earlier versions wrote and believed.
        for earlier in ["log/derived.json", "log/state.json", "results/tables.json"] {
            fs::write(root.join(earlier), record.to_string()).unwrap();
        }
        symlink(lab.path("secrets"), root.join(folder).join("linked")).unwrap();
        mkfifo(&root.join(folder).join("pipe"), Mode::S_IRWXU).unwrap();
    }
    // A process whose name leads out of the folder was at work.
    let log = root.join("log/events.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    let (before, after) = text.split_once("\"process\":\"").unwrap();
    let after = after.split_once('"').unwrap().1.replace("\"closed\"", "\"alive\"");
    fs::write(&log, format!("{before}\"process\":\"../../../secrets/ab\"{after}")).unwrap();
    run_anew(&lab, &root).unwrap();
    assert_eq!(snapshot(&lab.path("secrets")), secrets);
    assert!(!root.join("report").exists() && root.join("results/scores.csv").exists());
    let kept = fs::read_dir(&root)
        .unwrap()
        .filter(|e| e.as_ref().unwrap().file_name().to_str().unwrap().contains("-kept-"));
    assert_eq!(kept.count(), 2, "what is not as it was written is kept");
}

#[test]
fn a_page_behind_a_link_is_left_alone() {
    let (lab, root, _) = run_beside_secrets();
    let site = lab.path("site");
    fs::rename(root.join("report"), &site).unwrap();
    symlink(&site, root.join("report")).unwrap();
    run_anew(&lab, &root).unwrap();
    assert_eq!(fs::read_to_string(site.join("index.html")).unwrap(), "a page");
}

#[test]
fn folders_that_are_links_are_refused() {
    for folder in ["cells", "log", "log/tmp", "log/damaged", "log/workers", "results"] {
        let (lab, root, _) = run_beside_secrets();
        let elsewhere = lab.path("secrets/taken");
        fs::create_dir_all(root.join(folder)).unwrap();
        fs::rename(root.join(folder), &elsewhere).unwrap();
        let before = snapshot(&lab.path("secrets"));
        symlink(&elsewhere, root.join(folder)).unwrap();
        let said = run_anew(&lab, &root).unwrap_err().to_string();
        assert!(said.contains(&format!("{folder} is a link")), "{folder}: {said}");
        let said = Store::open_existing(&RealDisk, &root).err().unwrap().to_string();
        assert!(said.contains("is a link"), "{folder}: {said}");
        assert_eq!(snapshot(&lab.path("secrets")), before, "{folder}");
    }
    // A folder of cells that leads elsewhere is neither read nor written to.
    let (lab, root, secrets) = run_beside_secrets();
    for shard in fs::read_dir(root.join("cells")).unwrap() {
        let shard = shard.unwrap().path();
        fs::remove_dir_all(&shard).unwrap();
        symlink(lab.path("secrets/ab"), &shard).unwrap();
    }
    let said = whole(&lab.six(), &root, &Unsynced, 1).err().unwrap().to_string();
    assert!(said.contains("it is a link"), "{said}");
    assert_eq!(snapshot(&lab.path("secrets")), secrets);
}

#[test]
fn logs_and_records_behind_links_and_pipes_are_refused_or_replaced_at_once() {
    for file in ["log/events.jsonl", "log/current.json", "log/lock", "log/plan.jsonl", "run.json"] {
        let (lab, root, _) = run_beside_secrets();
        let victim = lab.path("victim");
        fs::write(&victim, "mine").unwrap();
        let look = |what: &str| {
            let refused = run_anew(&lab, &root);
            assert_eq!(fs::read_to_string(&victim).unwrap(), "mine", "{file}");
            match refused {
                Ok(()) => assert!(
                    file == "log/lock" || root.join(file).symlink_metadata().unwrap().is_file(),
                    "{file}"
                ),
                Err(e) => assert!(format!("{e:?}").contains("not a regular file"), "{file} {what}: {e:?}"),
            }
            fs::remove_file(root.join(file)).unwrap();
        };
        fs::remove_file(root.join(file)).unwrap();
        symlink(&victim, root.join(file)).unwrap();
        look("link");
        mkfifo(&root.join(file), Mode::S_IRWXU).unwrap();
        look("pipe");
    }
}

/// A cell is fitted again, whatever stands in its place; nobody waits for a pipe.
#[test]
fn a_link_pipe_or_folder_in_place_of_a_cell_is_set_aside() {
    let (lab, root, secrets) = run_beside_secrets();
    let expected = cell_files(&root);
    let cells: Vec<PathBuf> = expected.keys().map(|name| root.join("cells").join(name)).collect();
    for _ in 0..2 {
        cells[..4].iter().for_each(|cell| fs::remove_file(cell).unwrap());
        mkfifo(&cells[0], Mode::S_IRWXU).unwrap();
        symlink(lab.path("secrets/known"), &cells[1]).unwrap();
        symlink("nowhere", &cells[2]).unwrap();
        fs::create_dir_all(cells[3].join("deep")).unwrap();
        let (summary, _) = whole(&lab.six(), &root, &Unsynced, 1).unwrap();
        assert_eq!((summary.damaged, summary.fitted, summary.reused), (4, 4, 2));
        assert_eq!(cell_files(&root), expected);
    }
    assert_eq!(snapshot(&lab.path("secrets")), secrets);
}
