//! `tailrank predict` as typed.

use super::{BASELINES, Desk, desk_with, noise, table_csv, words};

/// A run of Coca-Cola, two horizons.
fn run() -> Desk {
    let desk = Desk::new();
    desk.write(
        "mine.toml",
        r#"
name = "mine"
data.series = ["KO"]
target = { horizons = [1, 3], lags = 3 }
split = { kind = "date", at = "2005-01-01" }
relevance = { low = -0.02, high = 0.02 }
measures = { list = ["mad", "f"], t_l = 0.01 }
inference = { resamples = 100, shifts = 100 }
models = [{ family = "linear" }, { family = "knn", grid = { k = [1] } }]
"#,
    );
    desk.stdout(&["run", "mine.toml", "--no-report"], 0);
    desk
}

/// A table whose target follows its first column closely enough for every test.
fn learnable() -> Desk {
    let desk = Desk::new();
    let values: Vec<f64> = noise(1200).collect();
    let rows: String =
        values.chunks(3).map(|r| format!("{},{},{}\n", r[0], r[1], 3.0 * r[0] + 0.1 * r[2])).collect();
    desk.write("table.csv", format!("a,b,level\n{rows}"));
    let models = "[[models]]\nfamily = \"linear\"\n[[models]]\nfamily = \"baseline\"\n";
    let text = crate::experiment("try", models).replace("enabled = false", "resamples = 200\nshifts = 200");
    desk.write("e.toml", text);
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    desk.write("new.csv", "a,b\n0.1,0.2\n0.49,0.4\n");
    desk
}

/// Where the verdict is a model, that one predicts, with what speaks for it and without a warning.
#[test]
fn the_model_to_use_predicts_without_being_named() {
    let desk = learnable();
    let decisions = desk.read("runs/try/results/decisions.csv");
    assert!(decisions.contains("\nt,f,yes,use,,linear,"), "{decisions}");
    let predict = ["predict", "runs/try", "new.csv"];
    let told = desk.stdout(&predict, 0);
    assert!(told.starts_with("linear · t · fitted to 400 rows\n"), "{told}");
    assert!(words(&told).contains("Clearly better than chance (F "), "{told}");
    assert!(!words(&desk.stderr(&predict, 0)).contains("does not say to use"));
    let json: serde_json::Value =
        serde_json::from_str(&desk.stdout(&[&predict[..], &["--json"]].concat(), 0)).unwrap();
    assert_eq!((&json["verdict"], &json["reason"]), (&"use".into(), &serde_json::Value::Null));
    // Another model is used only where it is named, and the warning names the one to use.
    let told = words(&desk.stderr(&[&predict[..], &["--model", "baseline"]].concat(), 0));
    assert!(told.contains("does not say to use baseline. USE linear."), "{told}");
}

#[test]
fn a_named_model_says_what_comes_next_and_that_the_run_does_not_say_to_use_it() {
    let desk = run();
    let named = ["predict", "runs/mine", "--task", "KO 3d", "--model", "knn 1"];
    let told = desk.stdout(&named, 0);
    assert!(told.starts_with("knn 1 · KO 3d · fitted to "), "{told}");
    assert!(words(&told).contains("1 prediction. Intervals contain 90% of new cases"), "{told}");
    assert!(told.lines().all(|line| line.chars().count() <= 80), "{told}");
    let warned = words(&desk.stderr(&named, 0));
    assert!(
        warned.contains("warning: the run does not say to use knn 1. NO MODEL. The highest F"),
        "{warned}"
    );
    // By name and by number: the same row of another model.
    let csv = |more: &[&str]| {
        desk.stdout(&[&["predict", "runs/mine", "--task", "KO 3d", "--csv"], more].concat(), 0)
    };
    let linear = csv(&["--model", "linear"]);
    assert_eq!(linear.lines().next().unwrap(), "row,predicted,from,to,relevance,signal");
    assert_eq!(linear.lines().count(), 2);
    assert_eq!(linear, csv(&["--model", "1"]));
    assert_ne!(linear, csv(&["--model", "knn 1"]));
    assert_eq!(linear, csv(&["--model", "linear"]), "the same question has the same answer");
    let json = desk.stdout(&[&named[..], &["--json", "--level", "0.8"]].concat(), 0);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let row = &json["rows"][0];
    assert!(
        row["from"].as_f64() < row["predicted"].as_f64() && row["predicted"].as_f64() < row["to"].as_f64()
    );
    assert_eq!(json["key"].as_str().map(str::len), Some(32));
}

#[test]
fn what_cannot_be_predicted_is_refused_with_what_can() {
    let desk = run();
    for (arguments, expected) in [
        (&["predict", "runs/mine"][..], "name one with --task: 'KO 1d' and 'KO 3d'"),
        (&["predict", "runs/mine", "--task", "GM 1d"], "the run has no task 'GM 1d'"),
        (&["predict", "runs/mine", "--task", "KO 1d", "--by", "sera"], "it has mad and f"),
        (&["predict", "runs/mine", "--task", "KO 1d", "--model", "svm"], "are called 'linear', 'knn 1'"),
        (&["predict", "runs/mine", "--task", "KO 1d", "--model", "linear", "--level", "90"], "such as 0.9"),
        (&["predict", "runs/mine", "none.csv", "--task", "KO 1d", "--model", "linear"], "none.csv"),
        (&["predict", "runs/other"], "runs/other"),
    ] {
        let told = words(&desk.stderr(arguments, 2));
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
}

/// A table's new rows have the columns of its training rows, in their order, with or without the target.
#[test]
fn new_rows_of_a_table_have_its_columns_in_their_order() {
    let desk = desk_with(BASELINES);
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    let predict = ["predict", "runs/try", "new.csv", "--model", "linear", "--csv"];
    desk.write("new.csv", "a,b\n0.1,0.2\n-0.3,0.4\n");
    let without = desk.stdout(&predict, 0);
    assert_eq!(without.lines().count(), 3, "{without}");
    desk.write("new.csv", "a,b,level\n0.1,0.2,9\n-0.3,0.4,9\n");
    let column =
        |text: &str| text.lines().map(|l| l.split(',').nth(1).unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(column(&desk.stdout(&predict, 0)), column(&without), "the target is not looked at");
    for (text, expected) in [
        ("b,a\n0.2,0.1\n", "column \"b\" stands before \"a\", in training after it"),
        ("a,c\n0.1,0.2\n", "\"b\""),
        ("a,b,c\n0.1,0.2,0.3\n", "column \"c\" was not in training; leave it out"),
    ] {
        desk.write("new.csv", text);
        let told = desk.stderr(&predict, 2);
        assert!(told.contains("new.csv") && told.contains(expected), "{text}: {told}");
    }
}

/// The refusal, the warning, the JSON and the run say the same, which is what decisions.csv says.
#[test]
fn a_verdict_of_no_model_is_refused_with_the_reason_of_the_run() {
    let desk = run();
    let said: serde_json::Value =
        serde_json::from_str(&desk.stdout(&["run", "mine.toml", "--no-report", "--json"], 0)).unwrap();
    for (place, task) in ["KO 1d", "KO 3d"].into_iter().enumerate() {
        let verdict = said["tasks_in_words"][place]["sentences"][0].as_str().unwrap();
        let why = verdict.strip_prefix("NO MODEL. ").unwrap();
        let decisions = said["decisions"].as_array().unwrap();
        let decision = decisions.iter().find(|d| d["task"] == task && d["deciding"] == "yes").unwrap();
        assert_eq!(decision["verdict"], "no_model");
        let command = format!("  tailrank predict runs/mine --task '{task}' --model 'knn 1'");
        for by in [&[][..], &["--by", "f"]] {
            let told = desk.stderr(&[&["predict", "runs/mine", "--task", task], by].concat(), 2);
            assert!(words(&told).contains(&format!("the verdict of this run is no model. {why}")), "{told}");
            // The command stands on a line of its own, to be copied.
            assert!(told.lines().any(|line| line == command), "{told}");
        }
        let named = ["predict", "runs/mine", "--task", task, "--model", "knn 1", "--json"];
        let json: serde_json::Value = serde_json::from_str(&desk.stdout(&named, 0)).unwrap();
        assert_eq!((&json["sentence"], &json["reason"]), (&verdict.into(), &decision["reason"]));
        assert!(words(&desk.stderr(&named, 0)).contains(verdict));
    }
}

/// With a tolerance that nothing meets no signal hits: every F is 0, and no model is used by it, nor by
/// another measure that is not tested better.
#[test]
fn a_leader_that_the_run_does_not_say_to_use_is_not_used() {
    let desk = run();
    desk.write("mine.toml", desk.read("mine.toml").replace("t_l = 0.01", "t_l = 1e-9"));
    let decided = words(&desk.stdout(&["run", "mine.toml", "--no-report"], 0));
    assert!(decided.contains("NO MODEL on any of 2 tasks."), "{decided}");
    for by in [&[][..], &["--by", "f"], &["--by", "mad"]] {
        let said = words(&desk.stderr(&[&["predict", "runs/mine", "--task", "KO 3d"], by].concat(), 2));
        assert!(said.contains("the verdict of this run is no model. The "), "{said}");
        assert!(said.contains("To predict all the same, name a model: tailrank predict runs/mine"), "{said}");
    }
    desk.stdout(&["predict", "runs/mine", "--task", "KO 3d", "--model", "knn 1"], 0);
}

#[test]
fn what_is_not_fitted_is_not_called_undefined() {
    const CHANGED: &str = "is stored: the data or the program changed, or nothing was fitted yet";
    let desk =
        desk_with("[[models]]\nfamily = \"linear\"\n[[models]]\nfamily = \"knn\"\ngrid = { k = [1] }\n");
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    desk.write("table.csv", table_csv(220));
    desk.write("new.csv", "a,b\n0.1,0.2\n");
    let said = words(&desk.stderr(&["predict", "runs/try", "new.csv"], 1));
    assert!(said.contains(&format!("no model of 't' {CHANGED}")), "{said}");
    for what in ["predictions", "scores"] {
        let said = words(&desk.stderr(&["export", what, "runs/try"], 1));
        assert!(said.contains(&format!("no fit of this run {CHANGED}")), "{said}");
    }
    // A model that is named is fitted all the same; only how far it errs is not known.
    let named = ["predict", "runs/try", "new.csv", "--model", "linear"];
    let said = words(&desk.stderr(&named, 0));
    assert!(
        said.contains("no interval: the model's predictions")
            && said.contains("the data or the program changed since"),
        "{said}"
    );
    let shown = desk.stdout(&named, 0);
    assert!(shown.contains("in 1 prediction.\n") && !shown.contains("contain"), "{shown}");

    let only = ["run", "e.toml", "--no-report", "--only", "/linear", "--out", "part"];
    desk.tailrank(&only).output().unwrap();
    // Without a test there is no model to use; that one of two is missing is said before.
    let said = words(&desk.stderr(&["predict", "part", "new.csv", "--by", "mad"], 2));
    assert!(said.contains("1 of 2 models of 't' are not fitted yet"), "{said}");
    let said = words(&desk.stderr(&["export", "predictions", "part"], 0));
    assert!(said.contains("1 of 2 groups of fits are missing: the table is incomplete"), "{said}");
}

#[test]
fn a_level_that_no_errors_can_tell_of_is_written_in_full() {
    let desk = run();
    let predict = ["predict", "runs/mine", "--task", "KO 3d", "--model", "linear", "--level", "0.9999"];
    let said = words(&desk.stderr(&predict, 0));
    assert!(said.contains("too few for one that holds 99.99% of the cases"), "{said}");
    let shown = desk.stdout(&predict, 0);
    assert!(shown.contains("in 1 prediction.\n") && !shown.contains("contain"), "{shown}");
}

#[test]
fn filled_inputs_of_new_rows_are_said() {
    let desk = desk_with(BASELINES);
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    desk.write("new.csv", "a,b\n0.1,0.2\n,0.4\n,0.1\n");
    let said = words(&desk.stderr(&["predict", "runs/try", "new.csv", "--model", "linear"], 0));
    assert!(
        said.contains("new rows: column \"a\": 2 missing, filled with the training rows' median")
            && !said.contains("column \"b\""),
        "{said}"
    );
    desk.write("new.csv", "a,b\n0.1,0.2\n");
    assert!(!desk.stderr(&["predict", "runs/try", "new.csv", "--model", "linear"], 0).contains("missing"));
}
