//! `tailrank predict` as typed.

use super::{BASELINES, Desk, desk_with};

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
