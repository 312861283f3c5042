//! A run's folder made by somebody else: no name in its records, no link and no pipe leads out of it.

use std::{fs, path::Path};

use tailrank_runner::store::{FILE_RECORD, FileRecord};

use crate::lab::{FRAME, Lab, SIX, Unsynced, whole, write_page};

/// Runs another plan in the folder, so that its tables and page are removed.
fn run_anew(lab: &Lab, root: &Path) -> tailrank_experiment::Result<()> {
    let changed = lab.plan(&format!("{FRAME}{}", SIX.replace("[0, 1, 2]", "[0, 9, 2]")));
    whole(&changed, root, &Unsynced, 1).map(|_| ())
}

#[test]
fn names_in_records_reach_no_file_outside_the_run() {
    let lab = Lab::new();
    let root = lab.path("run");
    let secrets = lab.path("secrets");
    fs::create_dir_all(&secrets).unwrap();
    for (name, text) in [("known", "a key"), ("changed", "another key")] {
        fs::write(secrets.join(name), text).unwrap();
    }
    whole(&lab.six(), &root, &Unsynced, 1).unwrap();
    write_page(&root);
    let absolute = |name: &str| secrets.join(name).to_str().unwrap().to_owned();
    let mut record = FileRecord::parse(&fs::read(root.join("report").join(FILE_RECORD)).unwrap()).unwrap();
    for name in ["../../secrets/known", "tasks/../../../secrets/known", &absolute("known")] {
        record.add(name, b"a key");
    }
    for name in ["../../secrets/changed", &absolute("changed")] {
        record.add(name, b"what it never was");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&secrets, root.join("report/linked")).unwrap();
        record.add("linked/known", b"a key");
        record.add("linked/changed", b"what it never was");
    }
    let bytes = record.to_bytes().unwrap();
    fs::write(root.join("report").join(FILE_RECORD), &bytes).unwrap();
    fs::write(root.join("log/derived.json"), &bytes).unwrap();
    let tables = String::from_utf8(fs::read(root.join("results/tables.json")).unwrap()).unwrap();
    let crafted = tables.replace("\"scores.csv\"", &format!("{:?}", absolute("known")));
    assert_ne!(tables, crafted);
    fs::write(root.join("results/tables.json"), crafted).unwrap();
    run_anew(&lab, &root).unwrap();
    assert_eq!(fs::read_to_string(secrets.join("known")).unwrap(), "a key");
    assert_eq!(fs::read_to_string(secrets.join("changed")).unwrap(), "another key");
    assert!(!root.join("report/index.html").exists(), "what is the page's own is removed as before");
}

#[cfg(unix)]
#[test]
fn a_page_behind_a_link_is_left_alone() {
    let lab = Lab::new();
    let (root, site) = (lab.path("run"), lab.path("site"));
    whole(&lab.six(), &root, &Unsynced, 1).unwrap();
    write_page(&root);
    fs::rename(root.join("report"), &site).unwrap();
    std::os::unix::fs::symlink(&site, root.join("report")).unwrap();
    run_anew(&lab, &root).unwrap();
    assert_eq!(fs::read_to_string(site.join("index.html")).unwrap(), "a page");
}

#[cfg(unix)]
#[test]
fn logs_and_records_behind_links_and_pipes_are_refused_at_once() {
    for file in ["log/events.jsonl", "log/timings.csv", "log/state.json", "run.json"] {
        let lab = Lab::new();
        let (root, victim) = (lab.path("run"), lab.path("victim"));
        whole(&lab.six(), &root, &Unsynced, 1).unwrap();
        fs::write(&victim, "mine").unwrap();
        _ = fs::remove_file(root.join(file));
        std::os::unix::fs::symlink(&victim, root.join(file)).unwrap();
        let refused = run_anew(&lab, &root);
        assert_eq!(fs::read_to_string(&victim).unwrap(), "mine", "{file}");
        assert!(refused.is_err() || root.join(file).symlink_metadata().unwrap().is_file(), "{file}");
        fs::remove_file(root.join(file)).unwrap();
        nix::unistd::mkfifo(&root.join(file), nix::sys::stat::Mode::S_IRWXU).unwrap();
        if let Err(e) = run_anew(&lab, &root) {
            assert!(format!("{e:?}").contains("not a regular file"), "{file}: {e:?}");
        }
    }
}
