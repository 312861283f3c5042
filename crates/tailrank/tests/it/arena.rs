//! Somebody's predictions on the board of a run over many tasks.

use std::collections::BTreeMap;

use crate::{Desk, table_csv, words};

/// Two tables in folds, so that a board has tasks to count.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("t.csv", table_csv(120));
    desk.write("u.csv", table_csv(90));
    desk.write(
        "two.toml",
        r#"name = "two"
[data]
tables = [{ name = "t", file = "t.csv", target = "level" }, { name = "u", file = "u.csv", target = "level" }]
[split]
kind = "kfold"
folds = 3
[relevance]
low = -1.2
high = 1.2
[measures]
list = ["mad", "f"]
t_l = 0.5
[compare]
pairs = [["mad", "f"]]
decide_by = "mad"
[inference]
enabled = false
[[models]]
family = "linear"
[[models]]
family = "knn"
grid = { k = [3, 9] }
"#,
    );
    desk.stdout(&["run", "two.toml", "--no-report"], 0);
    desk
}

/// The predictions of one of the run's own models as a submission, with some rows changed.
fn submission(desk: &Desk, model: &str, change: impl Fn(&str, &str) -> Option<String>) -> String {
    let table = desk.stdout(&["export", "predictions", "runs/two"], 0);
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let place = |name: &str| head.iter().position(|c| *c == name).unwrap();
    let (task, row, of, prediction) = (place("task"), place("row"), place("model"), place("prediction"));
    let mut csv = String::from("task,row,prediction\n");
    for line in lines.filter(|line| line[of] == model) {
        if let Some(written) = change(line[task], line[row]) {
            csv.push_str(&format!("{written},{}\n", line[prediction]));
        }
    }
    csv
}

fn as_it_is(task: &str, row: &str) -> Option<String> {
    Some(format!("{task},{row}"))
}

const PLACE: [&str; 5] = ["score", "mine.csv", "--arena=runs/two", "--name", "mine"];

#[test]
fn a_submission_has_the_scores_of_the_model_that_made_it() {
    let desk = desk();
    desk.write("mine.csv", submission(&desk, "linear", as_it_is));
    let board = desk.stdout(&[&PLACE[..], &["--json"]].concat(), 0);
    let board: serde_json::Value = serde_json::from_str(&board).unwrap();
    let mut scores: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    for row in board["scores"].as_array().unwrap() {
        let name = |key: &str| row[key].as_str().unwrap().to_owned();
        let values = ["mad", "f"].map(|m| row[m].as_f64().unwrap_or(-1.0)).to_vec();
        scores.insert((name("task"), name("model")), values);
    }
    for task in ["t", "u"] {
        let of = |model: &str| &scores[&(task.to_owned(), model.to_owned())];
        assert_eq!(of("mine"), of("linear"));
        assert_ne!(of("mine"), of("knn 3"));
    }
    // Nothing is written into the run.
    let again = desk.stdout(&["export", "scores", "runs/two"], 0);
    assert!(!again.contains("mine"), "{again}");
}

#[test]
fn the_board_says_where_it_stands_and_which_tasks_are_missing() {
    let desk = desk();
    let only_t = |task: &str, row: &str| as_it_is(task, row).filter(|_| task == "t");
    desk.write("mine.csv", submission(&desk, "knn 9", only_t));
    let said = desk.stdout(&PLACE, 0);
    assert!(said.starts_with("mine · 2 tasks in 2 independent clusters\nPlace "), "{said}");
    assert!(words(&said).contains("1 task missing: there the best baseline's result counts."), "{said}");
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    for entry in ["linear", "knn 3", "mine", "best baseline"] {
        assert!(said.lines().any(|line| line.contains(entry)), "{entry}: {said}");
    }
    let csv = desk.stdout(&[&PLACE[..], &["--csv"]].concat(), 0);
    assert!(csv.lines().any(|line| line.starts_with("mad,model,mine,")), "{csv}");
}

#[test]
fn wrong_rows_are_named_and_nothing_is_placed() {
    let desk = desk();
    let refused = |csv: String, expected: &str| {
        desk.write("mine.csv", csv);
        let said = words(&desk.stderr(&PLACE, 2));
        assert!(said.contains(expected), "{said}\n{expected}");
    };
    let lacks = |task: &str, row: &str| as_it_is(task, row).filter(|_| row != "7");
    refused(
        submission(&desk, "linear", lacks),
        "task 't' lacks 1 test case, the first is row 7; predict every row whose role is test, or leave the task out",
    );
    let other = |task: &str, row: &str| Some(format!("{}, {row}", if task == "u" { "w" } else { task }));
    refused(submission(&desk, "linear", other), "task 'w' is not among those of the run: 't' and 'u'");
    let whole = submission(&desk, "linear", as_it_is);
    refused(format!("{whole}t,7,0.1\n"), "task 't' has row 7 twice; give one prediction for each test case");
    refused(format!("{whole}t,500,0.1\n"), "task 't': row 500 is not a test case of it; leave it out");
    refused(format!("{whole}t,0.5,0.1\n"), "row 0.5 is not a whole number from 1");
    refused(
        "task,prediction\nt,1\n".to_owned(),
        "no column 'row': give task, row and prediction; it has task and prediction",
    );
    let clash = desk.stderr(&["score", "mine.csv", "--arena=runs/two", "--name", "knn"], 2);
    assert!(clash.contains("the run has a model or family called 'knn'; choose another --name"), "{clash}");
    let none = desk.stderr(&["score", "mine.csv", "--arena"], 2);
    assert!(none.contains("`tailrank reproduce arena` makes the arena's, in runs/arena"), "{none}");
}

/// Rows of the arena's splits are the rows of the bundled files, and no row that tests trains too.
#[test]
fn the_arenas_splits_number_the_rows_of_its_files() {
    let desk = Desk::new();
    let splits = desk.stdout(&["export", "arena-splits"], 0);
    let mut lines = splits.lines();
    assert_eq!(lines.next(), Some("task,date,split,row,role,y"));
    let mut roles: BTreeMap<(&str, &str, &str), &str> = BTreeMap::new();
    let mut truths: BTreeMap<usize, f64> = BTreeMap::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let [task, _, split, row, role, y] = cells[..] else { panic!("{line}") };
        assert_eq!(roles.insert((task, split, row), role), None, "{line}");
        if task == "abalone" {
            truths.insert(row.parse().unwrap(), y.parse().unwrap());
        }
    }
    let tasks: std::collections::BTreeSet<&str> = roles.keys().map(|(task, _, _)| *task).collect();
    assert_eq!(tasks.len(), 44);
    assert!(["train", "validation", "test"].iter().all(|role| roles.values().any(|r| r == role)));
    let file = desk.stdout(&["export", "data", "abalone"], 0);
    let mut rows = file.lines();
    let target = rows.next().unwrap().split(',').position(|c| c == "rings").unwrap();
    let rings: Vec<f64> = rows.map(|row| row.split(',').nth(target).unwrap().parse().unwrap()).collect();
    assert_eq!(truths.into_values().collect::<Vec<_>>(), rings);
}
