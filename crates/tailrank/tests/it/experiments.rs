//! The experiment files of this repository, and those that `init` writes.

use std::fs;

use crate::{Desk, noise, repository, table_csv};

#[test]
fn every_experiment_of_the_repository_passes_its_check() {
    let mut found = 0;
    for entry in fs::read_dir(repository().join("experiments")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with('#'), "{} begins with a comment", path.display());
        let output = Desk::new().tailrank(&["check", path.to_str().unwrap()]).output().unwrap();
        let said = crate::text(&output.stderr);
        if text.contains("family = \"command\"") && said.contains("was not found") {
            eprintln!("skipped {}: {said}", path.display());
            continue;
        }
        assert!(output.status.success(), "{}: {said}", path.display());
        found += 1;
    }
    assert!(found >= 2);
}

/// `init` writes what `check` accepts and `run` runs.
fn init_check_run(desk: &Desk, arguments: &[&str], models: &str) -> String {
    let text = desk.stdout(&[&["init"], arguments].concat(), 0);
    // Fewer variants than the file proposes: the road is what is tested here.
    let head = text.split("[[models]]").next().unwrap();
    desk.write("mine.toml", &text);
    desk.stdout(&["check", "mine.toml"], 0);
    desk.write("mine.toml", format!("{head}{models}"));
    let shown = desk.stdout(&["run", "mine.toml"], 0);
    assert!(shown.contains("Does the measure change the winner?"), "{shown}");
    text
}

#[test]
fn init_check_run_on_a_series() {
    let desk = Desk::new();
    let mut csv = String::from("Date,Close\n");
    let mut price = 100.0;
    for (day, shock) in noise(900).enumerate() {
        price *= 1.0 + 0.08 * shock.powi(3) * 4.0 + 0.01 * shock;
        let (month, day_of_month) = (day / 28, day % 28 + 1);
        csv.push_str(&format!("{}-{:02}-{day_of_month:02},{price}\n", 2000 + month / 12, month % 12 + 1));
    }
    desk.write("prices.csv", csv);
    let text = init_check_run(
        &desk,
        &["prices.csv"],
        "[[models]]\nfamily = \"baseline\"\nvariants = [{ kind = \"mean\" }, { kind = \"last\" }]\n",
    );
    assert!(text.contains("900 prices, 2000-01-01 to"), "{text}");
}

#[test]
fn init_check_run_on_a_table() {
    let desk = Desk::new();
    desk.write("floods.csv", table_csv(300));
    let text = init_check_run(&desk, &["floods.csv", "--target", "level"], crate::BASELINES);
    assert!(text.contains("target = \"level\""), "{text}");
    let said = desk.stderr(&["init", "floods.csv", "--target", "lever"], 2);
    assert!(said.contains("'lever'") && said.contains("a, b, level"), "{said}");
}

#[test]
fn init_finds_the_numbers_of_a_table_with_words() {
    let desk = Desk::new();
    let mut csv = String::from("sex,length,rings\n");
    for (i, v) in noise(300).enumerate() {
        csv.push_str(&format!("{},{v},{}\n", ["M", "F", "I"][i % 3], (v * 30.0).round()));
    }
    desk.write("shells.csv", csv);
    let text = desk.stdout(&["init", "shells.csv"], 0);
    assert!(text.contains("target = \"rings\""), "{text}");
    desk.write("shells.toml", text);
    desk.stdout(&["check", "shells.toml"], 0);
}

/// Sixty days of prices of two symbols, the second from the eleventh day on.
fn wide_csv() -> String {
    let mut csv = String::from("Date,A,B\n");
    for (i, r) in crate::noise(60).enumerate() {
        let b = if i < 10 { String::new() } else { (50.0 + r).to_string() };
        csv.push_str(&format!("2001-{:02}-{:02},{},{b}\n", i / 20 + 1, i % 20 + 1, 100.0 + 9.0 * r));
    }
    csv
}

#[test]
fn check_takes_a_wide_file() {
    let desk = Desk::new();
    desk.write("prices.csv", wide_csv());
    desk.write(
        "e.toml",
        "name = \"w\"\n[data]\nseries = [{ wide = \"prices.csv\", symbols = [\"A\", \"B\"] }]\n[target]\nlags = 2\n\
         [split]\nkind = \"fraction\"\ntrain = 0.5\n[relevance]\nlow = -0.01\nhigh = 0.01\n[measures]\n\
         list = [\"mad\", \"f\"]\nt_l = 0.01\n[[models]]\nfamily = \"linear\"\n",
    );
    let shown = desk.stdout(&["check", "e.toml"], 0);
    assert!(shown.contains("A 1d") && shown.contains("B 1d"), "{shown}");
    let said = desk.stderr(&["check", "e.toml"], 0);
    assert!(said.contains("column \"B\" has no value in the first 10 and last 0 row(s)"), "{said}");
}

#[test]
fn init_says_why_a_file_is_no_series() {
    let desk = Desk::new();
    desk.write("p.csv", "Date,Close\n2001-01-02,5\n2001-01-03,-6\n2001-01-04,7\n");
    let said = desk.stderr(&["init", "p.csv"], 0);
    assert!(said.contains("not for a price series: p.csv: row 2, column \"Close\": \"-6\""), "{said}");
    desk.write("q.csv", "Date,Close\n2001-01-02,five\n");
    let said = desk.stderr(&["init", "q.csv"], 2);
    assert!(said.contains("\"five\" is not a number") && said.contains("no numeric column"), "{said}");
    desk.write("t.csv", crate::table_csv(30));
    assert_eq!(desk.stderr(&["init", "t.csv"], 0), "", "a table is no failed series");
}
