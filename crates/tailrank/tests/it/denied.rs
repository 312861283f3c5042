//! Unedited `init` → `run` on price files of every kind: no "yes" that the run's own tables deny.

use std::{collections::HashMap, fs};

use tailrank_data::{Library, SeriesOptions};

use crate::{Desk, noise, repository};

/// Rows of a table of a run, as maps from column to cell.
fn table(desk: &Desk, run: &str, name: &str) -> Vec<HashMap<String, String>> {
    let Ok(text) = fs::read_to_string(desk.path(&format!("runs/{run}/results/{name}.csv"))) else {
        return Vec::new();
    };
    rows(&text)
}

/// Rows of CSV with quoted cells but no line breaks in them.
fn rows(csv: &str) -> Vec<HashMap<String, String>> {
    let cells = |line: &str| {
        let (mut all, mut quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => all.push(String::new()),
                c => all.last_mut().unwrap().push(c),
            }
        }
        all
    };
    let mut lines = csv.lines();
    let heading = cells(lines.next().unwrap_or_default());
    lines.map(|line| heading.iter().cloned().zip(cells(line)).collect()).collect()
}

/// Runs what `init` writes for a file and holds its verdicts against its tables. Gives the answers.
fn answers(desk: &Desk, file: &str) -> Vec<String> {
    let name = file.trim_end_matches(".csv");
    desk.write(&format!("{name}.toml"), desk.stdout(&["init", file], 0));
    let said = desk.stdout(&["run", &format!("{name}.toml"), "--no-report", "--quiet", "--json"], 0);
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    let (luck, sets) = (table(desk, name, "luck"), table(desk, name, "confidence_sets"));
    let mut all = Vec::new();
    for verdict in said["verdicts"].as_array().unwrap() {
        let judged = verdict["judged_by"].as_str().unwrap();
        let first = verdict["sentences"][0].as_str().unwrap();
        assert_eq!(first.starts_with("Yes"), verdict["answer"] == "yes", "{first}");
        for of_task in verdict["tasks"].as_array().unwrap() {
            let answer = of_task["answer"].as_str().unwrap();
            all.push(answer.to_owned());
            if answer != "yes" {
                continue;
            }
            let of = |row: &&HashMap<String, String>| {
                row["task"] == of_task["task"].as_str().unwrap() && row["measure"] == judged
            };
            let p = |row: &HashMap<String, String>, column: &str| row[column].parse::<f64>().unwrap();
            let tested = luck.iter().find(of).expect("a yes that was not held against luck");
            assert!(p(tested, "p_holm") < 0.05, "{file}: no better than luck, and yes");
            assert!(p(tested, "reference_p") < 0.05, "{file}: no better than a baseline, and yes");
            let chosen = of_task["chosen"].as_str().unwrap();
            let place = sets.iter().filter(of).find(|row| row["variant"] == chosen);
            assert_eq!(place.expect("a yes without a confidence set")["in_set"], "no", "{file}");
        }
    }
    for decision in said["decisions"].as_array().unwrap() {
        let text: Vec<&str> =
            decision["sentences"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
        let text = text.join(" ");
        let task = decision["task"].as_str().unwrap();
        let any = luck
            .iter()
            .any(|row| row["task"] == task && row["p_holm"].parse::<f64>().is_ok_and(|p| p < 0.05));
        assert!(any || !text.contains(" is better than luck"), "{file}: {text}");
    }
    all
}

/// A price file: one row a weekday, `shock` makes the day's return from fresh noise and the last return.
fn prices(
    desk: &Desk,
    file: &str,
    days: usize,
    skip: impl Fn(usize) -> bool,
    shock: impl Fn(usize, f64, f64) -> f64,
) {
    let mut csv = String::from("Date,Close\n");
    let (mut price, mut last) = (100.0, 0.0);
    // Sums of four uniform numbers are nearly normal.
    let uniform: Vec<f64> = noise(4 * (days + 7 * file.len())).skip(28 * file.len()).collect();
    for (day, four) in uniform.chunks_exact(4).enumerate() {
        last = shock(day, four.iter().sum::<f64>() * 1.73, last);
        price *= 1.0 + last.clamp(-0.4, 0.4);
        let (month, of_month) = (day / 28, day % 28 + 1);
        if !skip(day) {
            csv.push_str(&format!("{}-{:02}-{of_month:02},{price}\n", 2000 + month / 12, month % 12 + 1));
        }
    }
    desk.write(file, csv);
}

#[test]
fn init_and_run_never_say_a_yes_that_their_tests_deny() {
    let desk = Desk::new();
    let never = |_: usize| false;
    prices(&desk, "walk.csv", 700, never, |_, e, _| 0.012 * e);
    prices(&desk, "trending.csv", 700, never, |_, e, _| 0.004 + 0.01 * e);
    prices(&desk, "short.csv", 130, never, |_, e, _| 0.015 * e);
    prices(&desk, "gaps.csv", 800, |day| day % 9 == 4 || (300..340).contains(&day), |_, e, _| 0.012 * e);
    // Volatility in slow waves, with jumps.
    prices(&desk, "waves.csv", 1200, never, |day, e, _| {
        (0.006 + 0.02 * (day as f64 / 90.0).sin().powi(2)) * e * (1.0 + 2.0 * e.powi(4))
    });
    // The next return repeats half of the last: here is something to find.
    prices(&desk, "echo.csv", 1200, never, |_, e, last| 0.7 * last + 0.012 * e);
    for file in ["walk", "trending", "short", "gaps", "waves", "echo"] {
        let found = answers(&desk, &format!("{file}.csv"));
        assert!(!found.is_empty(), "{file}");
        if file != "echo" {
            assert!(found.iter().all(|a| a != "yes"), "{file}: a yes where there is nothing to find");
        }
    }
}

#[test]
fn nor_on_bundled_series() {
    let desk = Desk::new();
    for name in ["IBM", "KO", "BA", "GM"] {
        let series = Library::default().series(name, &SeriesOptions::default()).unwrap().value;
        // Six years keep the default grid quick.
        let mut csv = String::from("Date,Close\n");
        let days = series.dates().iter().zip(series.prices());
        for (date, price) in days.skip(series.dates().len() - 1500) {
            csv.push_str(&format!("{date},{price}\n"));
        }
        desk.write(&format!("{name}.csv"), csv);
        assert!(!answers(&desk, &format!("{name}.csv")).is_empty());
    }
}

/// The committed tables of the stock-returns study (`scripts/inference_tables.sh`): what stands in them is what the answer rests on.
#[test]
fn stock_returns_beat_luck_on_three_tasks_and_on_none_after_holm() {
    let folder = repository().join("results/inference/stock-returns");
    let read = |name: &str| rows(&fs::read_to_string(folder.join(name)).unwrap());
    let number = |row: &HashMap<String, String>, column: &str| row[column].parse::<f64>().unwrap();
    let luck: Vec<_> = read("luck.csv").into_iter().filter(|r| r["measure"] == "f").collect();
    assert_eq!(luck.len(), 12);
    let below = |column: &str| luck.iter().filter(|r| number(r, column) < 0.05).count();
    assert_eq!((below("p"), below("p_holm"), below("reference_p")), (3, 0, 0));
    for row in &luck {
        let (best, by_luck) = (number(row, "score"), number(row, "by_luck"));
        assert!((0.032..0.0451).contains(&best) && (0.022..0.037).contains(&by_luck), "{row:?}");
    }
    let last = |r: &&HashMap<String, String>| {
        r["reference"] == "baseline last" && number(r, "reference_score") > number(r, "score")
    };
    assert!((3..=6).contains(&luck.iter().filter(last).count()));
    let decisions = read("decisions.csv");
    let ba = &decisions.iter().find(|r| r["task"] == "BA 3d").unwrap()["decision"];
    for part in [
        "By F take svm 400/0.001",
        "By R the best model is svm 700/0.01",
        "but baseline extreme_low is better",
        "not clearly better than baseline last",
        "svm wins in 9",
        "of its settings are level",
        "257 signals: 24 hits",
        "of 1,252 events are missed",
        "not clearly better than luck",
        "take nnet 15/0.05",
        "it never signals",
        "no model here is worth acting on",
        "Events are 49 % of the test cases: not rare.",
        "stands at the edge of its grid",
        "a year",
    ] {
        assert!(ba.contains(part), "'{part}' in: {ba}");
    }
    assert!(!ba.contains(" is better than luck"), "{ba}");
}
