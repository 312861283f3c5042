//! A family of the library's user in an experiment.

use std::{path::Path, sync::Arc};

use tailrank_data::Library;
use tailrank_experiment::{
    Result,
    families::Families,
    plan::{Plan, Planner},
};
use tailrank_metrics::Measure;
use tailrank_models::{Family, engines::own::OwnModel};

use crate::lab::{FRAME, Lab, Unsynced, whole};

const MODELS: &str = r#"
[data]
tables = [{ name = "a", file = "a.csv", target = "y" }]
[[models]]
family = "constant"
[[models]]
family = "linear"
"#;

/// Predicts one number for every row.
pub(crate) fn constant(version: u32, value: f64) -> impl Family {
    OwnModel::new("constant", &[], move |_, test, _, _| Ok(vec![value; test.rows()])).version(version)
}

pub(crate) fn planned(lab: &Lab, text: &str, family: impl Family + 'static) -> Result<Plan> {
    let families = Families::built_in().with(family)?;
    let library = Library::default();
    Planner::new(&library).families(&families).from_text(text, Path::new("lab.toml"), &lab.path(""))
}

#[test]
fn it_is_fitted_scored_stored_and_reused() {
    let lab = Lab::new();
    let text = format!("{FRAME}{MODELS}");
    let plan = Arc::new(planned(&lab, &text, constant(1, 2.5)).unwrap());
    assert!(plan.variants[0].own_family && !plan.variants[1].own_family);
    let root = lab.path("run");
    let (summary, results) = whole(&plan, &root, &Unsynced, 2).unwrap();
    assert_eq!((summary.fitted, summary.reused), (2, 0));
    let truth = plan.tasks[0].test_targets(0);
    let expected = truth.iter().map(|y| (y - 2.5).abs()).sum::<f64>() / truth.len() as f64;
    let mad = results.scores[0].values(Measure::Mad)[0].unwrap();
    assert!((mad - expected).abs() < 1e-12, "{mad} {expected}");

    let (summary, _) = whole(&plan, &root, &Unsynced, 1).unwrap();
    assert_eq!((summary.fitted, summary.reused), (0, 2));
    let raised = Arc::new(planned(&lab, &text, constant(2, 1.0)).unwrap());
    let (summary, _) = whole(&raised, &root, &Unsynced, 1).unwrap();
    assert_eq!((summary.fitted, summary.reused), (1, 1), "another version is another model");
}

#[test]
fn without_it_the_name_is_unknown() {
    let lab = Lab::new();
    let refused = lab.try_plan(&format!("{FRAME}{MODELS}")).err().unwrap().to_string();
    assert!(refused.contains("models.1.family: no family 'constant'; "), "{refused}");
}

#[test]
fn a_process_of_its_own_cannot_fit_it() {
    let lab = Lab::new();
    let text = format!("{FRAME}{MODELS}[limits]\nisolate = true\n");
    let refused = planned(&lab, &text, constant(1, 2.5)).err().unwrap().to_string();
    assert!(refused.contains("limits.isolate: ") && refused.contains("'constant'"), "{refused}");
}
