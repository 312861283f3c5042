//! `tailrank predict` as typed.

use super::{BASELINES, Desk, desk_with, table_csv};

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

#[test]
fn the_winner_says_what_comes_next() {
    let desk = run();
    let told = desk.stdout(&["predict", "runs/mine", "--task", "KO 3d"], 0);
    assert!(told.contains("on KO 3d: best by F on the run's test rows"), "{told}");
    assert!(told.contains("of 1 prediction; from–to holds 90 % of new cases"), "{told}");
    assert!(told.lines().all(|line| line.chars().count() <= 80), "{told}");
    // By another measure, by name, by number: the same row of another model.
    let csv = |more: &[&str]| {
        desk.stdout(&[&["predict", "runs/mine", "--task", "KO 3d", "--csv"], more].concat(), 0)
    };
    let by_mad = csv(&["--by", "mad"]);
    assert_eq!(by_mad.lines().next().unwrap(), "row,predicted,from,to,relevance,signal");
    assert_eq!(by_mad.lines().count(), 2);
    let linear = csv(&["--variant", "linear"]);
    assert_eq!(linear, csv(&["--variant", "1"]));
    assert_ne!(linear, csv(&["--variant", "knn 1"]));
    assert_eq!(linear, csv(&["--variant", "linear"]), "the same question has the same answer");
    let json = desk.stdout(&["predict", "runs/mine", "--task", "KO 3d", "--json", "--level", "0.8"], 0);
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
        (&["predict", "runs/mine", "--task", "KO 1d", "--variant", "svm"], "are called 'linear', 'knn 1'"),
        (&["predict", "runs/mine", "--task", "KO 1d", "--level", "90"], "such as 0.9"),
        (&["predict", "runs/mine", "none.csv", "--task", "KO 1d"], "none.csv"),
        (&["predict", "runs/other"], "runs/other"),
    ] {
        let told = desk.stderr(arguments, 2);
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
}

/// A table's new rows have the columns of its training rows, in their order, with or without the target.
#[test]
fn new_rows_of_a_table_have_its_columns_in_their_order() {
    let desk = desk_with(BASELINES);
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    let predict = ["predict", "runs/try", "new.csv", "--variant", "linear", "--csv"];
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

/// Words of a message, however its lines are broken.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_said_of_luck_is_what_the_run_says() {
    let desk = run();
    let decisions = desk.read("runs/mine/results/decisions.csv");
    for task in ["KO 1d", "KO 3d"] {
        let json = desk.stdout(&["predict", "runs/mine", "--task", task, "--json"], 0);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let chosen = json["chosen"].as_str().unwrap();
        let (_, luck) = chosen.split_once("; that is ").unwrap();
        let (luck, reference) = luck.split_once("; ").unwrap_or((luck, ""));
        let decision = decisions.lines().find(|line| line.starts_with(task)).unwrap();
        assert!(luck.contains("(p ") && decision.contains(&format!("is {luck}")), "{luck}\n{decision}");
        let unbeaten = decision.starts_with(&format!("{task},\"By F the best model is"));
        assert_eq!(
            reference.ends_with("is no worse, without learning anything"),
            unbeaten,
            "{chosen}\n{decision}"
        );
    }
}

/// With a tolerance that nothing meets no signal hits, and the run names no model to take.
#[test]
fn a_winner_that_the_run_does_not_name_is_not_used() {
    let desk = run();
    desk.write("mine.toml", desk.read("mine.toml").replace("t_l = 0.01", "t_l = 1e-9"));
    let decided = words(&desk.stdout(&["run", "mine.toml", "--no-report"], 0));
    assert!(decided.contains("F no model here hits an event"), "{decided}");
    for by in [&[][..], &["--by", "f"]] {
        let said = desk.stderr(&[&["predict", "runs/mine", "--task", "KO 3d"], by].concat(), 2);
        assert!(said.contains("KO 3d: by F no model here hits an event"), "{said}");
        assert!(said.contains("with --by (mad), or name a model with --variant"), "{said}");
    }
    for other in [["--by", "mad"], ["--variant", "knn 1"]] {
        desk.stdout(&[&["predict", "runs/mine", "--task", "KO 3d"][..], &other].concat(), 0);
    }
}

#[test]
fn what_is_not_fitted_is_not_called_undefined() {
    const CHANGED: &str = "the data or the program changed since, or";
    let desk =
        desk_with("[[models]]\nfamily = \"linear\"\n[[models]]\nfamily = \"knn\"\ngrid = { k = [1] }\n");
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    desk.write("table.csv", table_csv(220));
    desk.write("new.csv", "a,b\n0.1,0.2\n");
    let said = words(&desk.stderr(&["predict", "runs/try", "new.csv"], 1));
    assert!(said.contains("no variant of 't' is stored") && said.contains(CHANGED), "{said}");
    for what in ["predictions", "scores"] {
        let said = words(&desk.stderr(&["export", what, "runs/try"], 1));
        assert!(said.contains("cells of this run is stored under") && said.contains(CHANGED), "{said}");
    }
    // A model that is named is fitted all the same; only how far it errs is not known.
    let named = ["predict", "runs/try", "new.csv", "--variant", "linear"];
    let said = words(&desk.stderr(&named, 0));
    assert!(said.contains("no interval: the model's predictions") && said.contains(CHANGED), "{said}");
    let shown = desk.stdout(&named, 0);
    assert!(shown.contains("of 1 prediction.") && !shown.contains("holds"), "{shown}");

    let only = ["run", "e.toml", "--no-report", "--only", "/linear", "--out", "part"];
    desk.tailrank(&only).output().unwrap();
    let said = words(&desk.stderr(&["predict", "part", "new.csv", "--by", "mad"], 0));
    assert!(said.contains("1 of 2 variants of 't' are not fitted yet"), "{said}");
    let said = words(&desk.stderr(&["export", "predictions", "part"], 0));
    assert!(said.contains("cells are missing or damaged: the table is incomplete"), "{said}");
}

#[test]
fn a_level_that_no_errors_can_tell_of_is_written_in_full() {
    let desk = run();
    let predict = ["predict", "runs/mine", "--task", "KO 3d", "--by", "mad", "--level", "0.9999"];
    let said = words(&desk.stderr(&predict, 0));
    assert!(said.contains("too few for one that holds 99.99 % of the cases"), "{said}");
    let shown = desk.stdout(&predict, 0);
    assert!(shown.contains("of 1 prediction.") && !shown.contains("holds"), "{shown}");
}

#[test]
fn filled_inputs_of_new_rows_are_said() {
    let desk = desk_with(BASELINES);
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    desk.write("new.csv", "a,b\n0.1,0.2\n,0.4\n,0.1\n");
    let said = words(&desk.stderr(&["predict", "runs/try", "new.csv", "--by", "mad"], 0));
    assert!(
        said.contains("new rows: column \"a\": 2 missing, filled with the training rows' median")
            && !said.contains("column \"b\""),
        "{said}"
    );
    desk.write("new.csv", "a,b\n0.1,0.2\n");
    assert!(!desk.stderr(&["predict", "runs/try", "new.csv", "--by", "mad"], 0).contains("missing"));
}
