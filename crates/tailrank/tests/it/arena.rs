//! Somebody's predictions on the board of a run over many tasks.

use std::collections::BTreeMap;

use crate::{Desk, denied::rows, repository, table_csv, words};

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

/// `"0.5 sd"` is a number of each target's units where the tasks are listed.
#[test]
fn relative_tolerances_are_printed_in_the_targets_units() {
    let desk = desk();
    desk.write("two.toml", desk.read("two.toml").replace("t_l = 0.5", "t_l = \"0.5 sd\""));
    let found: serde_json::Value =
        serde_json::from_str(&desk.stdout(&["check", "two.toml", "--json"], 0)).unwrap();
    let said = desk.stdout(&["check", "two.toml"], 0);
    assert!(said.lines().any(|line| line.trim_end().ends_with("tolerance")), "{said}");
    for task in found["tasks"].as_array().unwrap() {
        let (name, t_l) = (task["task"].as_str().unwrap(), task["t_l"].as_f64().unwrap());
        let row = said.lines().find(|line| line.starts_with(&format!(" {name} "))).unwrap();
        let shown: f64 = row.split_whitespace().last().unwrap().parse().unwrap();
        assert!(t_l > 0.0 && (shown / t_l - 1.0).abs() < 0.01, "{row}: {t_l}");
    }
}

/// README's sentences on what the board found are those of the committed tables.
#[test]
fn what_the_readme_says_of_the_board_stands_in_its_tables() {
    let read = |name: &str| std::fs::read_to_string(repository().join(name)).unwrap();
    let readme = words(&read("README.md"));
    let [board, effects, tasks] =
        ["board", "effects", "tasks"].map(|name| rows(&read(&format!("results/arena/{name}.csv"))));
    let skill = |place: usize| board[place]["skill by RWSE"].clone();
    let percent = |place: usize| skill(place).split(' ').next().unwrap().to_owned();
    let interval = skill(0).replace(['[', ']', ','], "");
    let [value, low, high] = interval.split(' ').collect::<Vec<_>>()[..] else { panic!("{interval}") };
    let names: Vec<&str> = board.iter().take(4).map(|row| row["family"].as_str()).collect();
    assert_eq!(names, ["boost", "forest =", "svm =", "mars"], "two are tied with the first");
    let of = |step: &str, measure: &str, column: &str| {
        let row = effects.iter().find(|row| row["step"] == step && row["measure"] == measure).unwrap();
        row[column].clone()
    };
    let better = |step: &str, measure: &str| of(step, measure, "better on");
    let worse = |step: &str| of(step, "RWSE", "worse on");
    let claims = read("results/arena/claims.md");
    let cost = |measure: &str| {
        let row = claims.lines().find(|l| l.contains(&format!("Choosing by MAD costs {measure}."))).unwrap();
        let number =
            |after: &str| row.split(after).nth(1).unwrap().split([' ', '.']).next().unwrap().to_owned();
        let mean = row.split("Mean cost: ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
        let of = row.split(" of ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
        (number(&format!("a worse one by {measure} on ")), of, mean)
    };
    let (by_f, by_rwse) = (cost("F"), cost("RWSE"));
    let outsiders = read("results/outsiders/README.md");
    let outsider = |name: &str| {
        let row = outsiders.lines().find(|line| line.starts_with(&format!("| {name} |"))).unwrap();
        row.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>()
    };
    let (lightgbm, quantile) = (outsider("LightGBM"), outsider("quantile forest"));
    let places = |row: &[String]| [row[3].clone(), row[5].clone(), row[7].clone()];
    assert_eq!(places(&lightgbm)[..2], ["3 of 7", "7 of 7"]);
    assert_eq!(places(&quantile)[1..], ["6 of 7", "1 of 7"]);
    let used = tasks.iter().filter(|row| row["verdict"] == "use").count();
    let domains: std::collections::BTreeSet<&String> = tasks.iter().map(|row| &row["domain"]).collect();
    for sentence in [
        format!("families on {} bundled tasks from {} domains", tasks.len(), domains.len()),
        format!("RWSE: {value} better than the best baseline, with a 95% interval from {low} to {high}."),
        format!("Forests ({}) and support vector machines ({}) are tied with them.", percent(1), percent(2)),
        format!(
            "SERA on {} of {} tasks, and worsens RWSE on {}.",
            better("smote", "SERA"),
            tasks.len(),
            worse("smote")
        ),
        format!(
            "Weights raise F on {} tasks and worsen RWSE on {}.",
            better("weights", "F"),
            worse("weights")
        ),
        format!(
            "raises it on {} tasks and worsens RWSE on {}.",
            better("stretch f", "F"),
            worse("stretch f")
        ),
        format!("a worse model by F on {} of {} tasks, at a mean cost of {}", by_f.0, by_f.1, by_f.2),
        format!(
            "By RWSE it picks a worse one on {} of {}, at a mean cost of {}",
            by_rwse.0, by_rwse.1, by_rwse.2
        ),
        "LightGBM with its defaults takes the third of seven places by RWSE and the last by F.".to_owned(),
        format!(
            "A quantile forest leads by MAD with a skill of {}, and is sixth",
            quantile[6].split(' ').next().unwrap()
        ),
        format!("a model is worth using on {used} of {}.", tasks.len()),
    ] {
        assert!(readme.contains(&sentence), "{sentence}");
    }
}
