//! One task that cannot be tried, or one model that fails on it, harms no other task.

use std::fmt::Write as _;

use tailrank_score::score::{EntryKind, VariantStatus};

use crate::lab::{FRAME, Lab, Unsynced, table, whole};

fn constant(rows: usize, value: f64) -> String {
    let mut text = "x1,x2,y\n".to_owned();
    (0..rows).for_each(|i| _ = writeln!(text, "{i},{},{value}", i % 7));
    text
}

fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("flat.csv", &constant(60, 1.0));
    // Events among no rows at all.
    lab.write("calm.csv", &table(60, 1.3).replace("x1,x2,y", "x1,y,x2"));
    lab.write("small.csv", &table(40, 1.7));
    lab
}

fn tables(names: &[&str]) -> String {
    let one = |name: &&str| format!("{{ name = {name:?}, file = \"{name}.csv\", target = \"y\" }}");
    format!("[data]\ntables = [{}]\n", names.iter().map(one).collect::<Vec<_>>().join(", "))
}

const MODELS: &str =
    "[[models]]\nfamily = \"linear\"\n[[models]]\nfamily = \"debug\"\ngrid = { id = [0, 1] }\n";

/// A constant target has no box plot.
const BY_BOX_PLOT: &str = "[tasks.flat.relevance]\nextremes = \"high\"\n";

#[test]
fn tasks_that_cannot_be_tried_are_left_out_and_said() {
    let lab = lab();
    let plan =
        lab.plan(&format!("{FRAME}{}{MODELS}{BY_BOX_PLOT}", tables(&["a", "flat", "calm", "b", "small"])));
    let names: Vec<&str> = plan.tasks.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["a", "calm", "b", "small"]);
    assert!(plan.warnings[0].starts_with("flat is left out: "), "{:?}", plan.warnings);
    assert!(
        plan.warnings.iter().any(|w| w.starts_with("calm: ") && w.contains("event")),
        "{:?}",
        plan.warnings
    );
    // The others have the results that they have alone, and the one without events has rows that say so.
    let alone = lab.plan(&format!("{FRAME}{}{MODELS}", tables(&["a", "calm", "b", "small"])));
    let keys =
        |plan: &tailrank_experiment::plan::Plan| plan.cells.iter().map(|c| c.key.clone()).collect::<Vec<_>>();
    assert_eq!(keys(&plan), keys(&alone));
    let (_, results) = whole(&plan, &lab.path("run"), &Unsynced, 2).unwrap();
    assert_eq!((results.scores[1].events, results.scores.len()), (0, 4));
    // Where no task is left there is nothing to run.
    let text = format!("{FRAME}{}{MODELS}{BY_BOX_PLOT}", tables(&["flat"]));
    let error = lab.try_plan(&text).err().unwrap().to_string();
    assert!(error.contains("task 'flat'"), "{error}");
}

#[test]
fn two_tasks_of_one_name_are_refused() {
    let error =
        lab().try_plan(&format!("{FRAME}{}{MODELS}", tables(&["a", "b", "a"]))).err().unwrap().to_string();
    assert!(error.contains("two tasks are both called 'a'; rename one"), "{error}");
}

/// SMOTE needs two rare rows: with one it fails on that task, and keeps its place over all of them.
#[test]
fn a_model_that_fails_on_one_task_keeps_its_place() {
    let lab = lab();
    let mut text = "x1,x2,y\n".to_owned();
    for i in 0..60 {
        let y = if i == 7 || i > 45 { 2.0 + 0.01 * i as f64 } else { 0.01 * i as f64 };
        let _ = writeln!(text, "{},{},{y}", i % 5, (i * i) % 11);
    }
    lab.write("rare.csv", &text);
    let models = "[[models]]\nfamily = \"linear\"\nlearn = [\"plain\", \"smote\"]\n\
                  [[models]]\nfamily = \"baseline\"\n";
    let plan = lab.plan(&format!("{FRAME}{}{models}", tables(&["a", "rare", "b"])));
    let (_, results) = whole(&plan, &lab.path("run"), &Unsynced, 2).unwrap();
    let smote = results.names.variants.iter().position(|v| v.recipe == "smote").unwrap();
    let status = |task: usize| &results.scores[task].status[smote];
    assert!(matches!(status(1), VariantStatus::Failed { .. }), "{:?}", status(1));
    assert!(!matches!(status(0), VariantStatus::Failed { .. }));
    let row = results.standings.rows.iter().find(|r| r.entry == results.names.variants[smote].label).unwrap();
    assert_eq!((row.kind, row.tasks, row.missing), (EntryKind::Model, 3, 1));
    assert!(row.skill.is_some());
}

/// Settings of one task change that task's scores alone; a relative tolerance is that of each task's training
/// rows.
#[test]
fn every_task_has_its_own_settings() {
    let lab = lab();
    let text = format!("{FRAME}{}{MODELS}", tables(&["a", "b"])).replace("t_l = 0.8", "t_l = \"0.5 sd\"");
    let own = format!("{text}[tasks.b]\nmeasures = {{ t_l = 0.1, beta = 2.0 }}\ncluster = \"c\"\n");
    let (plain, own) = (lab.plan(&text), lab.plan(&own));
    let settings = |plan: &tailrank_experiment::plan::Plan, task: usize| {
        let task = &plan.tasks[task];
        let found = task.settings(&plan.rules, &task.train_targets(0)).unwrap();
        (found.accuracy.unwrap().t_l(), found.beta)
    };
    assert_eq!(settings(&plain, 0), settings(&own, 0));
    assert_eq!(settings(&own, 1), (0.1, 2.0));
    let train = own.tasks[0].train_targets(0);
    let mean = train.iter().sum::<f64>() / train.len() as f64;
    let sd = (train.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / (train.len() - 1) as f64).sqrt();
    assert!((settings(&own, 0).0 - 0.5 * sd).abs() < 1e-12);
    assert_eq!(own.tasks[1].cluster.as_deref(), Some("c"));
}

/// Episodes of rows in time order are counted where `[events]` asks for them.
#[test]
fn episodes_are_counted_in_time_order_alone() {
    let lab = lab();
    let mut text = "day,x,y\n".to_owned();
    for i in 0..200 {
        let day = format!("2001-{:02}-{:02}", i / 28 + 1, i % 28 + 1);
        let y = if i % 20 < 3 { 2.0 } else { 0.1 * f64::from(i % 7) };
        let _ = writeln!(text, "{day},{},{y}", i32::from((i + 1) % 20 < 3));
    }
    lab.write("dated.csv", &text);
    let data = "[data]\ntables = [{ name = \"dated\", file = \"dated.csv\", target = \"y\", date = \"day\" }, \
                { name = \"a\", file = \"a.csv\", target = \"y\" }]\n";
    let plan = lab.plan(&format!("{FRAME}{data}{MODELS}[events]\ngap = 2\nlead = 1\n"));
    let (_, results) = whole(&plan, &lab.path("run"), &Unsynced, 1).unwrap();
    assert!(results.episodes.iter().all(|e| e.task.0 == 0) && results.episodes.len() == plan.variants.len());
    assert!(results.episodes.iter().all(|e| e.counts.episodes == 5), "{:?}", results.episodes[0]);
    assert!(results.table("episodes").is_some());
    let without = lab.plan(&format!("{FRAME}{data}{MODELS}"));
    assert!(whole(&without, &lab.path("other"), &Unsynced, 1).unwrap().1.episodes.is_empty());
}
