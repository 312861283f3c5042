//! Unedited `init` → `run` on price files of every kind: no "yes" that the run's own tables deny.

use std::{collections::HashMap, fs};

use tailrank_data::{Library, SeriesOptions};

use crate::{Desk, noise};

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
    let (decided, sets) = (table(desk, name, "decisions"), table(desk, name, "confidence_sets"));
    let mut all = Vec::new();
    let p = |row: &HashMap<String, String>, column: &str| row[column].parse::<f64>().unwrap();
    for row in decided.iter().filter(|row| row["verdict"] == "use") {
        assert!(p(row, "p_chance") < 0.05 && p(row, "p_adjusted") < 0.05, "{file}: {row:?}");
        assert!(row["baseline"].is_empty() || p(row, "p_baseline") < 0.05, "{file}: {row:?}");
    }
    for pair in said["picks"].as_array().unwrap() {
        let judged = pair["judged_by"].as_str().unwrap();
        for of_task in pair["tasks"].as_array().unwrap() {
            let answer = of_task["changes"].as_str().unwrap();
            all.push(answer.to_owned());
            if answer != "yes" {
                continue;
            }
            let of = |row: &&HashMap<String, String>| {
                row["task"] == of_task["task"].as_str().unwrap() && row["measure"] == judged
            };
            let tested = decided.iter().find(of).expect("a yes without a decision");
            assert_eq!(tested["verdict"], "use", "{file}: no model to use, and yes");
            let chosen = of_task["chosen"].as_str().unwrap();
            let place = sets.iter().filter(of).find(|row| row["variant"] == chosen);
            assert_eq!(place.expect("a yes without a confidence set")["in_set"], "no", "{file}");
        }
    }
    let uses = decided.iter().any(|row| row["deciding"] == "yes" && row["verdict"] == "use");
    assert_eq!(said["sentences"][0].as_str().unwrap().starts_with("USE"), uses, "{file}");
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
