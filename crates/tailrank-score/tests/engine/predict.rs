//! The winner put to use: what it says of new rows is what a run would have said that trained on the same
//! rows.

use std::{fmt::Write as _, path::Path, sync::Arc};

use tailrank_data::{Library, PriceSeries, synthetic};
use tailrank_experiment::{Result, plan::Plan};
use tailrank_metrics::relevance::Flank;
use tailrank_models::Cancel;
use tailrank_runner::{run::RunOptions, store::Store};
use tailrank_score::{
    predict::{Forecast, Question, predict},
    score::{StoredPredictions, TaskId, VariantId},
};

use crate::lab::{Lab, Unsynced, whole};

fn csv(series: &PriceSeries, sessions: std::ops::Range<usize>) -> String {
    let mut text = "date,close,volume\n".to_owned();
    for i in sessions {
        let volume = series.volumes().unwrap()[i];
        let _ = writeln!(text, "{},{},{volume}", series.dates()[i], series.prices()[i]);
    }
    text
}

fn forecast(
    lab: &Lab,
    plan: &Arc<Plan>,
    root: &Path,
    task: usize,
    variant: usize,
    file: Option<&str>,
) -> Result<Forecast> {
    let store = Store::open(&Unsynced, root, &plan.text, &plan.experiment.name)?;
    let file = file.map(|name| lab.path(name));
    let question =
        Question { task: TaskId(task), variant: VariantId(variant), file: file.as_deref(), level: 0.9 };
    predict(plan, &store, &Library::default(), question, &RunOptions::default(), &Cancel::default())
}

const MODELS: &str = r#"
[relevance]
low = -0.02
high = 0.02
[measures]
list = ["mad", "f"]
t_l = 0.01
[[models]]
family = "linear"
learn = ["plain", "weights", { stretch = "f" }, { calibrate = true }]
[[models]]
family = "svm"
grid = { cost = [10], gamma = [0.01] }
[[models]]
family = "mars"
[[models]]
family = "cart"
[[models]]
family = "knn"
[[models]]
family = "boost"
grid = { trees = [10] }
"#;

fn of_series(file: &str, split: &str) -> String {
    format!(
        "name = \"use\"\nseed = 7\ninference = {{ enabled = false }}\n[data]\nseries = [{{ name = \"S\", file = \"{file}\" }}]\n\
         [target]\nhorizons = [1, 3]\nlags = 4\ninputs = [{{ kind = \"volume\", lags = 2 }}, {{ kind = \"average\", window = 5 }}]\n\
         [split]\n{split}\n{MODELS}"
    )
}

/// A run over everything is split at a day; another knows nothing after that day and is asked about the rest.
#[test]
fn predictions_of_later_sessions_are_those_of_a_run_that_trained_on_the_same_rows() {
    let lab = Lab::new();
    let series = synthetic::series("S", 500, 3).unwrap();
    let known = 400;
    lab.write("all.csv", &csv(&series, 0..500));
    lab.write("old.csv", &csv(&series, 0..known));
    // The new sessions alone, or with others before them: it is the same.
    lab.write("later.csv", &csv(&series, known..500));
    lab.write("overlap.csv", &csv(&series, 200..500));
    let at = series.dates()[known - 1];
    let whole_plan = lab.plan(&of_series("all.csv", &format!("kind = \"date\"\nat = \"{at}\"")));
    let old_plan = lab.plan(&of_series("old.csv", "kind = \"fraction\"\ntrain = 0.6"));
    whole(&whole_plan, &lab.path("all"), &Unsynced, 2).unwrap();
    whole(&old_plan, &lab.path("old"), &Unsynced, 2).unwrap();
    let store = Store::open(&Unsynced, &lab.path("all"), &whole_plan.text, "use").unwrap();
    let stored = StoredPredictions::list(&whole_plan, &store).unwrap();
    for (task, horizon) in [(0, 1), (1, 3)] {
        for (v, variant) in whole_plan.variants.iter().enumerate() {
            let expected = stored.of_variant(TaskId(task), VariantId(v)).unwrap().parts.remove(0);
            for file in ["all.csv", "later.csv", "overlap.csv"] {
                let given = forecast(&lab, &old_plan, &lab.path("old"), task, v, Some(file)).unwrap();
                let predicted: Vec<f64> = given.rows.iter().map(|r| r.predicted).collect();
                let what = format!("{} {file} {horizon}d", variant.label);
                assert_eq!(predicted.len(), expected.len() + horizon, "{what}: rows without a target too");
                assert_eq!(predicted[..expected.len()], expected, "{what}");
                assert_eq!(given.rows[0].row, at.to_string(), "{what}");
                assert_eq!(given.rows.last().unwrap().row, series.dates()[499].to_string(), "{what}");
                // Where the future is known it stands beside the prediction.
                let truth: Vec<f64> = given.rows.iter().filter_map(|r| r.truth).collect();
                assert_eq!(truth, whole_plan.tasks[task].test_targets(0), "{what}");
            }
        }
    }
}

#[test]
fn without_a_file_the_next_session_is_predicted_and_nothing_else_changes_it() {
    let lab = Lab::new();
    let series = synthetic::series("S", 300, 5).unwrap();
    lab.write("old.csv", &csv(&series, 0..250));
    lab.write("later.csv", &csv(&series, 250..300));
    let text = of_series("old.csv", "kind = \"sliding\"\nwindow = 120\nstep = 20")
        + "[[models]]\nfamily = \"forest\"\ngrid = { trees = [5] }\n[[models]]\nfamily = \"nnet\"\n";
    let plan = lab.plan(&text);
    whole(&plan, &lab.path("run"), &Unsynced, 2).unwrap();
    for v in 0..plan.variants.len() {
        let next = forecast(&lab, &plan, &lab.path("run"), 1, v, None).unwrap();
        let later = forecast(&lab, &plan, &lab.path("run"), 1, v, Some("later.csv")).unwrap();
        assert_eq!(next.rows.len(), 1, "the last session is the newest origin");
        // Seeds come from the training rows: one more row to predict changes no prediction.
        assert_eq!(
            (next.rows[0].predicted, &next.rows[0].row),
            (later.rows[0].predicted, &later.rows[0].row)
        );
        assert_eq!(later.rows.len(), 51);
        // The window of a run that relearns at this row: h − 1 of its rows have no target yet.
        assert_eq!(next.train_rows, 120 - 2);
    }
}

#[test]
fn prices_that_were_adjusted_since_are_refused() {
    let lab = Lab::new();
    let series = synthetic::series("S", 300, 5).unwrap();
    lab.write("old.csv", &csv(&series, 0..250));
    let mut halved = "date,close,volume\n".to_owned();
    (200..300)
        .for_each(|i| halved.push_str(&format!("{},{},5\n", series.dates()[i], series.prices()[i] / 2.0)));
    lab.write("halved.csv", &halved);
    let plan = lab.plan(&of_series("old.csv", "kind = \"fraction\"\ntrain = 0.6"));
    whole(&plan, &lab.path("run"), &Unsynced, 2).unwrap();
    let refused = forecast(&lab, &plan, &lab.path("run"), 0, 0, Some("halved.csv")).unwrap_err().to_string();
    assert!(refused.contains("prices were adjusted since"), "{refused}");
    assert!(refused.contains(&series.dates()[200].to_string()), "{refused}");
}

/// x, a colour and y; the last rows have a colour that the first ones do not know, and gaps.
fn rows(range: std::ops::Range<usize>, with_target: bool) -> String {
    let mut text = if with_target { "x,colour,z,y\n" } else { "x,colour,z\n" }.to_owned();
    for i in range {
        let t = i as f64;
        let colour = if i >= 90 { "green" } else { ["red", "blue", ""][i % 3] };
        let z = if i % 11 == 0 { String::new() } else { format!("{}", (t * 0.3).sin()) };
        let _ = write!(text, "{},{colour},{z}", (t * 0.7).cos());
        let _ = if with_target {
            writeln!(text, ",{}", 3.0 * (t * 1.3).sin() + t / 50.0)
        } else {
            writeln!(text)
        };
    }
    text
}

fn of_table(file: &str, split: &str) -> String {
    let models = MODELS.replace("-0.02", "-2").replace("0.02", "2").replace("t_l = 0.01", "t_l = 0.5");
    format!(
        "name = \"use\"\nseed = 7\ninference = {{ enabled = false }}\n[data]\ntables = [{{ name = \"t\", file = \"{file}\", target = \"y\" }}]\n\
         [split]\n{split}\n{models}"
    )
}

#[test]
fn predictions_of_new_rows_are_those_of_a_run_that_trained_on_the_same_rows() {
    let lab = Lab::new();
    lab.write("all.csv", &rows(0..100, true));
    lab.write("old.csv", &rows(0..80, true));
    lab.write("new.csv", &rows(80..100, false));
    lab.write("with_target.csv", &rows(80..100, true));
    let whole_plan = lab.plan(&of_table("all.csv", "kind = \"fraction\"\ntrain = 0.8"));
    let old_plan = lab.plan(&of_table("old.csv", "kind = \"kfold\"\nfolds = 4"));
    whole(&whole_plan, &lab.path("all"), &Unsynced, 2).unwrap();
    whole(&old_plan, &lab.path("old"), &Unsynced, 2).unwrap();
    let store = Store::open(&Unsynced, &lab.path("all"), &whole_plan.text, "use").unwrap();
    let stored = StoredPredictions::list(&whole_plan, &store).unwrap();
    for (v, variant) in whole_plan.variants.iter().enumerate() {
        // Out-of-fold errors are drawn at random for tables, and with them what these two learn.
        if ["stretch", "calibrate"].iter().any(|step| variant.recipe.to_string().contains(step)) {
            continue;
        }
        let expected = stored.of_variant(TaskId(0), VariantId(v)).unwrap().parts.remove(0);
        for (file, known) in [("new.csv", 0), ("with_target.csv", 20)] {
            let given = forecast(&lab, &old_plan, &lab.path("old"), 0, v, Some(file)).unwrap();
            let predicted: Vec<f64> = given.rows.iter().map(|r| r.predicted).collect();
            assert_eq!(predicted, expected, "{} {file}", variant.label);
            assert_eq!(given.rows.iter().filter(|r| r.truth.is_some()).count(), known);
            assert!(given.warnings.iter().any(|w| w.contains("green")), "{:?}", given.warnings);
        }
    }
}

#[test]
fn other_columns_are_refused_by_name() {
    let lab = Lab::new();
    lab.write("old.csv", &rows(0..80, true));
    let plan = lab.plan(&of_table("old.csv", "kind = \"kfold\"\nfolds = 4"));
    whole(&plan, &lab.path("run"), &Unsynced, 2).unwrap();
    for (text, expected) in [
        ("x,z\n1,2\n", "colour"),
        ("x,colour,z,size\n1,red,2,3\n", "column \"size\" was not in training; leave it out"),
        ("colour,x,z\nred,1,2\n", "column \"colour\" stands before \"x\", in training after it"),
        ("x,colour,z\nbig,red,2\n", "\"big\" is not a finite number"),
        ("x,colour,z\n", "has no rows below the header"),
    ] {
        lab.write("new.csv", text);
        let refused = forecast(&lab, &plan, &lab.path("run"), 0, 0, Some("new.csv")).unwrap_err().to_string();
        assert!(refused.contains(expected), "{text}: {refused}");
        assert!(refused.contains("new.csv"), "{refused}");
    }
    let none = forecast(&lab, &plan, &lab.path("run"), 0, 0, None).unwrap_err().to_string();
    assert!(none.contains("give a file with the rows to predict"), "{none}");
}

/// φ comes from the rows of the new fit, not from those of the run, for series and for tables.
#[test]
fn relevance_and_signals_are_those_of_the_new_fit() {
    let lab = Lab::new();
    let series = synthetic::series("S", 500, 3).unwrap();
    lab.write("old.csv", &csv(&series, 0..400));
    lab.write("later.csv", &csv(&series, 400..500));
    lab.write("table.csv", &rows(0..80, true));
    lab.write("new.csv", &rows(80..100, false));
    let own = "kind = \"pchip\"\nextremes = \"both\"\ncoefficient = 0.1";
    let of_run = |text: String, fixed: &str| {
        let text = text.replace(fixed, own);
        assert!(text.contains(own));
        lab.plan(&text)
    };
    let runs = [
        (
            of_run(of_series("old.csv", "kind = \"fraction\"\ntrain = 0.3"), "low = -0.02\nhigh = 0.02"),
            "later.csv",
        ),
        (of_run(of_table("table.csv", "kind = \"fraction\"\ntrain = 0.3"), "low = -2\nhigh = 2"), "new.csv"),
    ];
    for (plan, file) in runs {
        whole(&plan, &lab.path(file).with_extension("run"), &Unsynced, 2).unwrap();
        let task = &plan.tasks[0];
        let of_run = task.relevance.build(&task.train_targets(0)).unwrap();
        // Every known row trains.
        let phi = task.relevance.build(task.data.targets()).unwrap();
        let (mut moved, mut signals) = (0, 0);
        for v in 0..plan.variants.len() {
            let given =
                forecast(&lab, &plan, &lab.path(file).with_extension("run"), 0, v, Some(file)).unwrap();
            assert_eq!(given.train_rows, task.data.rows());
            for row in &given.rows {
                let relevance = phi.phi(row.predicted);
                assert_eq!(row.relevance.to_bits(), relevance.to_bits(), "{file}: {}", given.variant);
                let flank = match phi.flank(row.predicted) {
                    Flank::Low => "low",
                    Flank::High => "high",
                };
                assert_eq!(row.signal, (relevance >= task.relevance.event_threshold).then_some(flank));
                moved += usize::from(of_run.phi(row.predicted) != relevance);
                signals += usize::from(row.signal.is_some());
            }
        }
        assert!(
            moved > 20 && signals > 5,
            "{file}: {moved} predictions of another relevance, {signals} signals"
        );
    }
}

/// 20 series, 400 new sessions each: nine of ten lie within intervals of 90 %.
#[test]
fn intervals_hold_what_they_promise() {
    let lab = Lab::new();
    let (series, old, all) = (20, 1200, 1600);
    let mut names = Vec::new();
    for s in 0..series {
        let drawn = synthetic::series(&format!("S{s}"), all, 100 + s).unwrap();
        lab.write(&format!("S{s}.csv"), &csv(&drawn, 0..old));
        lab.write(&format!("S{s}-later.csv"), &csv(&drawn, old..all));
        names.push(format!("{{ name = \"S{s}\", file = \"S{s}.csv\" }}"));
    }
    let plan = lab.plan(&format!(
        "name = \"use\"\nseed = 7\ninference = {{ enabled = false }}\n[data]\nseries = [{}]\n[target]\nhorizons = [1]\nlags = 4\n\
         [split]\nkind = \"fraction\"\ntrain = 0.5\n[relevance]\nlow = -0.02\nhigh = 0.02\n[measures]\nlist = [\"mad\", \"f\"]\nt_l = 0.01\n\
         [[models]]\nfamily = \"linear\"\n",
        names.join(", ")
    ));
    whole(&plan, &lab.path("run"), &Unsynced, 2).unwrap();
    let (mut inside, mut cases) = (0, 0);
    for s in 0..series as usize {
        let given = forecast(&lab, &plan, &lab.path("run"), s, 0, Some(&format!("S{s}-later.csv"))).unwrap();
        for row in &given.rows {
            let Some(truth) = row.truth else { continue };
            cases += 1;
            inside += usize::from(row.from.unwrap() <= truth && truth <= row.to.unwrap());
        }
    }
    let share = inside as f64 / cases as f64;
    assert_eq!(cases, 20 * 400);
    assert!((0.88..=0.92).contains(&share), "{share}");
}
