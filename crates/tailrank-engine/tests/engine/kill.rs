//! A run that is killed at random moments ends with the same bytes as one that is left alone.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    process::{Command, Stdio},
    thread,
    time::{Duration, SystemTime},
};

use rand::{RngExt, SeedableRng, rngs::SmallRng};

use crate::lab::{FRAME, Lab, Unsynced, cell_files, snapshot, stored, whole};

const SLOW: &str = r#"
[data]
tables = [{ name = "a", file = "a.csv", target = "y" }, { name = "b", file = "b.csv", target = "y" }]
[[models]]
family = "debug"
grid = { sleep_ms = 25, id = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29] }
"#;

const RUN: &str = "TAILRANK_TEST_RUN";

/// The victim: this test binary, called again by the test below.
#[test]
#[ignore = "the child process of the kill test"]
fn child() {
    let Some(root) = std::env::var_os(RUN) else { return };
    let lab = Lab::new();
    whole(&lab.plan(&format!("{FRAME}{SLOW}")), &PathBuf::from(root), &Unsynced, 2).unwrap();
}

#[test]
fn kills_at_random_moments_leave_no_trace() {
    // TAILRANK_KILLS=100 is the full test; the default keeps the suite short.
    let kills: usize = std::env::var("TAILRANK_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let lab = Lab::new();
    let (clean, root) = (lab.path("clean"), lab.path("killed"));
    whole(&lab.plan(&format!("{FRAME}{SLOW}")), &clean, &Unsynced, 2).unwrap();
    let expected = snapshot(&clean.join("results"));

    let mut random = SmallRng::seed_from_u64(20);
    let mut seen: BTreeMap<PathBuf, SystemTime> = BTreeMap::new();
    let mut killed = 0;
    for attempt in 0.. {
        assert!(attempt < 20 * kills, "only {killed} of {attempt} children could be killed");
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["kill::child", "--exact", "--include-ignored"])
            .env(RUN, &root)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(random.random_range(0..250)));
        child.kill().unwrap();
        killed += usize::from(child.wait().unwrap().code().is_none());
        // A cell that is in place stays as it is: the same file, never written again.
        let mut now = BTreeMap::new();
        for file in cell_files(&root).into_keys() {
            let changed = root.join("results/cells").join(&file).metadata().unwrap().modified().unwrap();
            now.insert(file, changed);
        }
        for (file, changed) in &seen {
            assert_eq!(now.get(file), Some(changed), "{} was touched", file.display());
        }
        seen = now;
        if killed == kills {
            break;
        }
    }
    let (summary, _) = whole(&lab.plan(&format!("{FRAME}{SLOW}")), &root, &Unsynced, 2).unwrap();
    assert_eq!(summary.reused, seen.len());
    assert_eq!(summary.damaged, 0);
    assert!(snapshot(&root.join("results")) == expected, "results differ from the uninterrupted run");
    assert!(stored(&root).values().all(|&n| n == 1), "a finished cell was fitted again");
}
