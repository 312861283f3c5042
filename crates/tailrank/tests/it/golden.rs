//! The screens of real runs, at 80 columns, with and without colours. `TAILRANK_BLESS=1` writes them anew.

use std::{collections::BTreeMap, fs, path::PathBuf};

use crate::{Desk, ends_with, noise, repository, text};

const BLESS: &str = "TAILRANK_BLESS";

/// The time is the one thing of a screen that changes from run to run; what fits nothing says none.
fn without_time(screen: &str) -> String {
    let (first, rest) = screen.split_once('\n').unwrap();
    let (facts, time) = first.rsplit_once(" · ").unwrap();
    if time.ends_with(" s") || time.ends_with("min") {
        format!("{facts} · TIME\n{rest}")
    } else {
        screen.to_owned()
    }
}

fn check(desk: &Desk, name: &str, arguments: &[&str]) {
    for (ending, colours) in [("txt", false), ("colour.txt", true)] {
        let mut command = desk.tailrank(arguments);
        command.env("COLUMNS", "80").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        if colours {
            command.env("CLICOLOR_FORCE", "1");
        }
        let screen = text(&ends_with(0, &mut command).stdout);
        assert_eq!(screen.contains('\u{1b}'), colours, "{screen}");
        if !colours {
            assert!(screen.lines().count() <= 22, "{screen}");
            assert!(screen.lines().all(|l| l.chars().count() <= 80), "{screen}");
            let is_verdict = |l: &str| l.starts_with("USE ") || l.starts_with("NO MODEL");
            assert!(screen.lines().take(5).any(is_verdict), "{screen}");
        }
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("tests/it/golden")
            .join(format!("{name}.{ending}"));
        let screen = without_time(&screen);
        if std::env::var_os(BLESS).is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &screen).unwrap();
        }
        let golden = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(screen, golden, "{} changed; look at it, then set {BLESS}=1", path.display());
    }
    // Where colours are not wanted there are none.
    let mut plain = desk.tailrank(arguments);
    let screen = text(&ends_with(0, plain.env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1")).stdout);
    assert!(!screen.contains('\u{1b}'), "{screen}");
}

#[test]
fn the_screen_of_one_task() {
    let desk = Desk::new();
    let file = repository().join("experiments/abalone.toml");
    check(&desk, "abalone", &["run", file.to_str().unwrap(), "--out", "runs/abalone"]);
    slopes_are_those_of_the_predictions(&desk);
}

/// Calibration slopes of `explain` against means and sums over the exported predictions, computed here.
fn slopes_are_those_of_the_predictions(desk: &Desk) {
    /// An event of abalone, as its screen says.
    const EVENT: f64 = 15.5;
    let mut signals: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
    for line in desk.stdout(&["export", "predictions", "runs/abalone"], 0).lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let (truth, predicted): (f64, f64) = (cells[3].parse().unwrap(), cells[6].parse().unwrap());
        if predicted >= EVENT {
            signals.entry(cells[4].to_owned()).or_default().push((predicted, truth));
        }
    }
    let said = text(&ends_with(0, desk.tailrank(&["explain", "runs/abalone"]).env("COLUMNS", "120")).stdout);
    let board = said.split("Leaderboard by F").nth(1).unwrap();
    let mut checked = 0;
    for (model, pairs) in signals {
        let n = pairs.len() as f64;
        let (x, y) = pairs.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
        let (xy, xx) = pairs
            .iter()
            .fold((0.0, 0.0), |(xy, xx), p| (xy + (p.0 - x) * (p.1 - y), xx + (p.0 - x) * (p.0 - x)));
        let Some(row) = board.lines().find(|l| l.contains(&format!("  {model}  "))) else { continue };
        let told = row.split_whitespace().last().unwrap().replace('−', "-");
        let Ok(told) = told.parse::<f64>() else { continue };
        assert!((told - xy / xx).abs() <= 0.0051, "{model}: {told}, not {}", xy / xx);
        // A slope is no ratio of means: of these it differs by more than rounding.
        assert!((told - y / x).abs() > 0.0051, "{model}: {told} is the ratio of the means");
        checked += 1;
    }
    assert!(checked >= 8, "{checked} slopes in {board}");
}

#[test]
#[ignore = "a minute of CPU: .ci/run does it with the release program"]
fn the_screen_of_several_tasks() {
    check(&Desk::new(), "stock-returns", &["reproduce", "stock-returns", "--out", "runs/stock-returns"]);
}

#[test]
fn the_screen_of_sixty_tasks() {
    let desk = Desk::new();
    let mut csv = String::from("task,y,linear,forest 300,svm 400/0.001\n");
    let mut random = noise(60 * 120 * 4);
    for task in 0..60 {
        // A model sees something of the target on every third task.
        let skill = if task % 3 == 0 { 0.9 } else { 0.0 };
        for _ in 0..120 {
            let [y, a, b, c] = std::array::from_fn(|_| 4.0 * random.next().unwrap());
            csv.push_str(&format!("plant {task:02},{y},{},{},{}\n", skill * y + 0.3 * a, 1.2 * b, 0.4 * c));
        }
    }
    desk.write("sixty.csv", csv);
    let by = ["score", "sixty.csv", "--low", "-1.5", "--high", "1.5", "--t-l", "0.5", "--measures", "mad,f"];
    check(&desk, "sixty", &by);
}
