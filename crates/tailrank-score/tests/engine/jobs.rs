//! Results do not depend on how many cells run at once.

use crate::lab::{FRAME, Lab, Unsynced, outputs, stored, whole};

const MIXED: &str = r#"
[data]
tables = [{ name = "a", file = "a.csv", target = "y" }, { name = "b", file = "b.csv", target = "y" }]
[[models]]
family = "debug"
grid = { id = [0, 1, 2, 3, 4, 5], sleep_ms = [0, 3] }
[[models]]
family = "linear"
[[models]]
family = "forest"
grid = { trees = [5, 10] }
[[models]]
family = "svm"
grid = { cost = [1, 10], gamma = [0.1, 0.7] }
[[models]]
family = "nnet"
grid = { size = [2], decay = [0.1] }
[[models]]
family = "mars"
grid = { degree = [1, 2] }
"#;

const RUN: &str = "TAILRANK_TEST_POOL";

/// The same run in a process of its own, called by the test below.
#[test]
#[ignore = "the child process of the test of thread pools"]
fn child() {
    let Some(root) = std::env::var_os(RUN) else { return };
    let lab = Lab::new();
    whole(&lab.plan(&format!("{FRAME}{MIXED}")), std::path::Path::new(&root), &Unsynced, 2).unwrap();
}

#[test]
fn one_two_seven_and_sixteen_jobs_give_the_same_bytes() {
    let lab = Lab::new();
    let plan = lab.plan(&format!("{FRAME}{MIXED}"));
    let mut found = Vec::new();
    for jobs in [1, 2, 7, 16] {
        let root = lab.path(&format!("jobs-{jobs}"));
        let (summary, results) = whole(&plan, &root, &Unsynced, jobs).unwrap();
        assert_eq!(summary.fitted, plan.cells.len());
        assert_eq!(results.failures().count(), 0);
        found.push(outputs(&root));
    }
    // Cells run on threads of their own and share the global pool, which a process sets once: another size is
    // another process.
    for threads in ["1", "3"] {
        let root = lab.path(&format!("pool-{threads}"));
        let child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["jobs::child", "--exact", "--include-ignored"])
            .env(RUN, &root)
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .unwrap();
        assert!(child.status.success(), "{child:?}");
        found.push(outputs(&root));
    }
    assert!(found.windows(2).all(|w| w[0] == w[1]), "results depend on the number of jobs");
}

#[test]
fn timings_are_kept_apart_from_results() {
    let lab = Lab::new();
    let plan = lab.six();
    let root = lab.path("run");
    whole(&plan, &root, &Unsynced, 2).unwrap();
    whole(&plan, &root, &Unsynced, 2).unwrap();
    let events = std::fs::read_to_string(root.join("log/events.jsonl")).unwrap();
    let rows: Vec<serde_json::Value> =
        events.lines().filter(|l| l.contains("micros")).map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(rows.len(), plan.cells.len());
    for row in rows {
        assert!(row["event"] == "stored" && row["micros"].is_u64());
        assert!(stored(&root).contains_key(row["cell"].as_str().unwrap()));
    }
    assert!(outputs(&root).keys().all(|f| !f.to_string_lossy().contains("timing")));
}

#[test]
fn two_tasks_of_the_same_data_share_their_fits() {
    let lab = Lab::new();
    let twins = r#"
[data]
tables = [{ name = "a", file = "a.csv", target = "y" }, { name = "twin", file = "a.csv", target = "y" }]
[[models]]
family = "debug"
grid = { id = [0, 1] }
"#;
    let plan = lab.plan(&format!("{FRAME}{twins}"));
    let root = lab.path("run");
    let (summary, results) = whole(&plan, &root, &Unsynced, 2).unwrap();
    assert_eq!((summary.cells, summary.fitted, summary.reused), (4, 2, 2));
    let [one, twin] = [0, 1].map(|t| &results.scores[t]);
    assert_eq!((&one.scores, &one.counts, &one.status), (&twin.scores, &twin.counts, &twin.status));
    let (again, _) = whole(&plan, &root, &Unsynced, 2).unwrap();
    assert_eq!((again.fitted, again.reused), (0, 4));
}
