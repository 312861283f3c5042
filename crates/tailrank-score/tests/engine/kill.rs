//! A run that is killed at random moments ends with the same bytes as one that is left alone.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    process::{Command, Stdio},
    thread,
    time::{Duration, SystemTime},
};

use rand::{RngExt, SeedableRng, rngs::SmallRng};

use tailrank_runner::store::Event;

use crate::lab::{FRAME, Lab, Unsynced, cell_files, events, outputs, stored, whole};

const SLOW: &str = r#"
[data]
tables = [{ name = "a", file = "a.csv", target = "y" }, { name = "b", file = "b.csv", target = "y" }]
[[models]]
family = "debug"
"#;

/// Two tables and enough slow cells that the last kill still meets work; a kill comes within 250 ms, which
/// two threads use for ten cells at most.
fn slow(kills: usize) -> String {
    let ids: Vec<String> = (0..(6 * kills).max(30)).map(|id| id.to_string()).collect();
    format!("{FRAME}{SLOW}grid = {{ sleep_ms = 50, id = [{}] }}\n", ids.join(", "))
}

/// `TAILRANK_KILLS` says how many; otherwise few, or 100 with `TAILRANK_SLOW`.
fn all_kills() -> usize {
    let asked = std::env::var("TAILRANK_KILLS").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or_else(|| crate::skipped::times(100, 10))
}

/// Kills of one run: with more, its sessions would spend their time on reading what is stored.
fn kills() -> usize {
    all_kills().min(50)
}

const RUN: &str = "TAILRANK_TEST_RUN";

/// The victim: this test binary, called again by the test below.
#[test]
#[ignore = "the child process of the kill test"]
fn child() {
    let Some(root) = std::env::var_os(RUN) else { return };
    let lab = Lab::new();
    whole(&lab.plan(&slow(kills())), &PathBuf::from(root), &Unsynced, 2).unwrap();
}

#[test]
fn kills_at_random_moments_leave_no_trace() {
    for seed in 0..all_kills().div_ceil(kills()) {
        kill_one_run(20 + seed as u64);
    }
}

#[allow(clippy::print_stdout)]
fn kill_one_run(seed: u64) {
    let kills = kills();
    let lab = Lab::new();
    let plan = lab.plan(&slow(kills));
    let (clean, root) = (lab.path("clean"), lab.path("killed"));
    // Sleeping costs nothing: the run beside it need not take as long.
    whole(&plan, &clean, &Unsynced, 32).unwrap();
    let expected = outputs(&clean);

    let mut random = SmallRng::seed_from_u64(seed);
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
        let hit = child.wait().unwrap().code().is_none();
        // A cell that is in place stays as it is: the same file, never written again.
        let mut now = BTreeMap::new();
        for file in cell_files(&root).into_keys() {
            let changed = root.join("cells").join(&file).metadata().unwrap().modified().unwrap();
            now.insert(file, changed);
        }
        for (file, changed) in &seen {
            assert_eq!(now.get(file), Some(changed), "{} was touched", file.display());
        }
        // Only a kill in the middle of the work counts: after the first cell, before the last.
        killed += usize::from(hit && now.len() > seen.len() && now.len() < plan.cells.len());
        seen = now;
        assert!(seen.len() < plan.cells.len(), "all was done after {killed} kills of {kills}");
        if killed == kills {
            break;
        }
    }
    let (summary, _) = whole(&plan, &root, &Unsynced, 32).unwrap();
    let opened = events(&root).iter().filter(|e| matches!(e, Event::Opened { .. })).count();
    let closed = events(&root).iter().filter(|e| matches!(e, Event::Closed { .. })).count();
    assert_eq!(closed, 1, "every session but the last was killed at work");
    assert!(opened > kills, "{opened} sessions for {kills} kills");
    assert_eq!(summary.reused, seen.len());
    assert_eq!(summary.damaged, 0);
    assert!(outputs(&root) == expected, "results differ from the uninterrupted run");
    assert!(stored(&root).values().all(|&n| n == 1), "a finished cell was fitted again");
    println!(
        "{kills} kills at work in {opened} sessions: the same bytes, {} cells fitted once",
        plan.cells.len()
    );
}
