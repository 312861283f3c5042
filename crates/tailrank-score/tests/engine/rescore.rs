//! Other settings of scoring, from the same stored predictions.

use std::{collections::BTreeMap, fmt::Write as _, path::PathBuf};

use tailrank_experiment::config::Change;
use tailrank_runner::store::{Origin, Store, disk::RealDisk};
use tailrank_score::{
    changes::{RunTables, changes},
    score,
};

use crate::lab::{FRAME, Lab, SIX, Unsynced, outputs, table, whole};

fn change(text: &str) -> Change {
    Change::parse(text).unwrap()
}

#[test]
fn rescoring_gives_what_a_run_under_the_changed_settings_gives() {
    let lab = Lab::new();
    let plan = lab.six();
    let root = lab.path("run");
    whole(&plan, &root, &Unsynced, 1).unwrap();
    let before = outputs(&root);
    let (store, _) = Store::open_existing(&RealDisk, &root).unwrap();
    let rescored =
        plan.rescored(&[change("relevance.low=-1.0"), change("measures.list=[\"mad\",\"f\"]")]).unwrap();
    assert_eq!(tailrank_runner::run::missing_cells(&rescored, &store).unwrap(), 0);
    let files = score::table_files(&score::results(&rescored, &store).unwrap()).unwrap();
    let tables: BTreeMap<PathBuf, Vec<u8>> =
        files.into_iter().map(|(name, bytes)| (PathBuf::from(name), bytes)).collect();
    assert!(outputs(&root) == before, "the run's own results were touched");

    let text = FRAME
        .replace("low = -1.5", "low = -1.0")
        .replace("list = [\"mad\", \"mse\", \"precision\", \"recall\", \"f\"]", "list = [\"mad\", \"f\"]");
    let fresh = lab.path("fresh");
    whole(&lab.plan(&format!("{text}{SIX}")), &fresh, &Unsynced, 1).unwrap();
    let mut expected = outputs(&fresh);
    expected.retain(|path, _| !path.starts_with("cells") && !path.ends_with("files.json"));
    assert!(!expected.is_empty() && tables == expected);
    assert!(
        outputs(&root)[std::path::Path::new("scores.csv")] != expected[std::path::Path::new("scores.csv")]
    );
}

#[test]
fn changes_that_need_a_refit_are_refused_with_the_reason() {
    let lab = Lab::new();
    let plan = lab.six();
    for text in ["seed=8", "split.train=0.6", "tasks.a.split={kind=\"kfold\",folds=2}", "target.lags=2"] {
        let refused = plan.rescored(&[change(text)]).err().unwrap().to_string();
        assert!(refused.contains("decides what is fitted") && !refused.contains("line"), "{text}: {refused}");
    }
    let wrong = plan.rescored(&[change("relevance.hihg=1.0")]).err().unwrap().to_string();
    assert!(wrong.contains("relevance.hihg: unknown key; did you mean 'high'?"), "{wrong}");
    // A box plot of a swing has no outliers.
    let none = plan.rescored(&[change("relevance.kind=pchip")]).err().unwrap();
    assert!(none.to_string().contains("relevance: task 'a'"), "{none}");
}

/// Folds stratified by relevance stay those of the run when relevance changes.
#[test]
fn stratified_folds_are_kept() {
    let lab = Lab::new();
    let text = format!(
        "{}{SIX}",
        FRAME.replace(
            "kind = \"fraction\"\ntrain = 0.5",
            "kind = \"kfold\"\nfolds = 3\nstratify = \"relevance\""
        )
    );
    let plan = lab.plan(&text);
    let root = lab.path("run");
    whole(&plan, &root, &Unsynced, 1).unwrap();
    let (store, _) = Store::open_existing(&RealDisk, &root).unwrap();
    let rescored = plan.rescored(&[change("relevance.low=-2.5")]).unwrap();
    assert_eq!(tailrank_runner::run::missing_cells(&rescored, &store).unwrap(), 0);
    let fresh = lab.plan(&text.replace("low = -1.5", "low = -2.5"));
    assert!(
        tailrank_runner::run::missing_cells(&fresh, &store).unwrap() > 0,
        "the test needs folds that depend on relevance"
    );
}

#[test]
fn a_tasks_own_relevance_goes_before_its_series_and_the_experiments() {
    let lab = Lab::new();
    let mut prices = "Date,Close\n".to_owned();
    for i in 0..200 {
        let _ = writeln!(
            prices,
            "2001-{:02}-{:02},{}",
            i / 25 + 1,
            i % 25 + 1,
            100.0 + 20.0 * (i as f64 * 1.1).sin()
        );
    }
    lab.write("p.csv", &prices);
    let text = "name = \"o\"\n[data]\nseries = [\"p.csv\"]\n[target]\nhorizons = [1, 2, 3]\nlags = 3\n\
                [split]\nkind = \"fraction\"\ntrain = 0.5\n[relevance]\nlow = -0.1\nhigh = 0.1\n\
                [tasks.p.relevance]\nlow = -0.05\nhigh = 0.05\n[tasks.\"p 2d\".relevance]\nlow = -0.07\nhigh = 0.07\n\
                [measures]\nlist = [\"mad\", \"f\"]\nt_l = 0.05\n[[models]]\nfamily = \"debug\"\n";
    let plan = lab.plan(text);
    let lows: Vec<Option<f64>> = plan.tasks.iter().map(|t| t.relevance.low).collect();
    assert_eq!(lows, [Some(-0.05), Some(-0.07), Some(-0.05)]);
    let error = lab.try_plan(&text.replace("tasks.p.", "tasks.q.")).err().unwrap().to_string();
    assert!(error.contains("tasks.q: no task or series is called that"), "{error}");
}

#[test]
fn the_origin_is_remembered_outside_results() {
    let lab = Lab::new();
    let root = lab.path("run");
    whole(&lab.six(), &root, &Unsynced, 1).unwrap();
    let before = outputs(&root);
    let (store, _) = Store::open_existing(&RealDisk, &root).unwrap();
    assert_eq!(store.origin().unwrap(), None);
    let origin = Origin { base: lab.path("somewhere"), data: Some(lab.path("quotes")), ..Origin::default() };
    store.remember_origin(&origin).unwrap();
    assert_eq!(store.origin().unwrap(), Some(origin));
    store.remember_origin(&Origin::default()).unwrap();
    assert!(store.origin().unwrap().unwrap().base.is_absolute());
    assert!(outputs(&root) == before);
}

#[test]
fn two_runs_are_told_apart() {
    let lab = Lab::new();
    let (a, b) = (lab.path("one"), lab.path("two"));
    whole(&lab.six(), &a, &Unsynced, 1).unwrap();
    lab.write("b.csv", &table(50, 1.7));
    let models = SIX
        .replace("[0, 1, 2]", "[0, 1, 3]")
        .replace("family = \"debug\"", "family = \"debug\"\nvariants = [{ fault = \"error\", id = 1 }]");
    let text = format!("{}{models}", FRAME.replace("low = -1.5", "low = -1.0"));
    whole(&lab.plan(&text), &b, &Unsynced, 1).unwrap();
    let open = |root| RunTables::open(&RealDisk, root).unwrap();
    let same = changes(&open(&a), &open(&a));
    assert!(same.settings.is_empty() && same.scores.is_empty() && same.picks().next().is_none());
    assert!(
        same.compared == 2 * 3 * 5
            && same.tasks.iter().all(|t| t.rho.is_none_or(|r| (r - 1.0).abs() < 1e-12))
    );

    let found = changes(&open(&a), &open(&b));
    let keys: Vec<&str> = found.settings.iter().map(|d| d.key.as_str()).collect();
    assert!(keys.contains(&"relevance.low") && keys.contains(&"models.1.grid.id"), "{keys:?}");
    assert_eq!(found.tasks_only, [Vec::<String>::new(), Vec::new()]);
    assert_eq!(found.variants_only[0], ["debug 2"]);
    assert!(found.scores.iter().any(|s| s.task == "b"), "other data, other scores");
    let mad_of_a = found.scores.iter().filter(|s| s.task == "a" && s.measure.id() == "mad");
    assert_eq!(mad_of_a.count(), 0, "relevance leaves MAD as it is");
}
