//! Lists fit the terminal and lose nothing.

use crate::{Desk, desk_with, outputs};

#[test]
fn lists_fit_eighty_columns_and_cut_nothing() {
    let desk = Desk::new();
    for what in ["models", "steps", "metrics", "data"] {
        let list = desk.stdout(&["list", what], 0);
        for line in list.lines() {
            assert!(line.chars().count() <= 80, "{what}: {} columns: {line}", line.chars().count());
        }
    }
    let metrics = desk.stdout(&["list", "metrics"], 0);
    let unbroken = |text: &str| text.split_whitespace().collect::<String>();
    for measure in tailrank::metrics::registry::MEASURES {
        assert!(metrics.lines().any(|l| l.split_whitespace().next() == Some(measure.id)), "{}", measure.id);
        assert!(unbroken(&metrics).contains(&unbroken(measure.formula)), "{}", measure.formula);
    }
    let models = desk.stdout(&["list", "models"], 0);
    assert!(
        models.contains("\nsvm (engine native, default)") && models.contains("\ncommand: any program"),
        "{models}"
    );
    assert!(!models.contains("debug"), "the debug family is hidden");
}

#[test]
fn the_schema_is_json() {
    let schema: serde_json::Value =
        serde_json::from_str(&Desk::new().stdout(&["list", "schema"], 0)).unwrap();
    assert!(schema["properties"]["models"].is_object());
}

#[test]
fn every_step_is_listed_and_can_be_run_by_its_name() {
    let desk = desk_with(
        "[[models]]\nfamily = \"linear\"\nlearn = [\"plain\", \"weights\", { resample = \"smote\", k = 3 }, { stretch = \"f\" }]\n",
    );
    let steps = desk.stdout(&["list", "steps"], 0);
    for step in tailrank::models::steps::STEPS {
        assert!(
            steps.contains(&format!("\n{} ({} = \"{}\"", step.name, step.key, step.name)),
            "{}\n{steps}",
            step.name
        );
    }
    let check = desk.stdout(&["check", "e.toml"], 0);
    assert!(check.contains("plain (1 model), weights (1 model), smote k=3 (1 model)"), "{check}");
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    for jobs in ["1", "3"] {
        desk.stdout(&["run", "e.toml", "--no-report", "--jobs", jobs, "--out", &format!("jobs{jobs}")], 0);
        assert!(outputs(&desk.path("runs/try")) == outputs(&desk.path(&format!("jobs{jobs}"))));
    }
    let scores = desk.read("runs/try/results/scores.csv");
    assert!(scores.contains("linear · smote k=3") && scores.contains("linear · stretch f"), "{scores}");
    let effects = desk.read("runs/try/results/steps.csv");
    assert!(
        effects.starts_with("family,step,measure,change,from,to,") && effects.contains("linear,weights,mad,"),
        "{effects}"
    );
    let said = desk.stderr(&["report", "runs/try", "--set", "relevance.low=-1.1"], 0);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("trained with") && said.contains("linear · weights"), "{said}");
}
