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
        let lacking = ["was not found", "has no module"].iter().any(|what| said.contains(what));
        if text.contains("family = \"command\"") && lacking {
            crate::skipped::for_good_reason(&format!("{} is not checked: {said}", path.display()));
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
    assert!(shown.contains("Event: ") && (shown.contains("USE ") || shown.contains("NO MODEL.")), "{shown}");
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
    assert!(text.contains("900 rows, daily, 2000-01-01 … "), "{text}");
}

#[test]
fn init_check_run_on_a_table() {
    let desk = Desk::new();
    desk.write("floods.csv", table_csv(300));
    let text = init_check_run(&desk, &["floods.csv", "--target", "level"], crate::BASELINES);
    assert!(text.contains("target = \"level\""), "{text}");
    let said = desk.stderr(&["init", "floods.csv", "--target", "lever"], 2);
    assert!(said.contains("no column is called 'lever'; there are a, b, level"), "{said}");
}

#[test]
fn init_finds_the_numbers_of_a_table_with_words() {
    let desk = Desk::new();
    let mut csv = String::from("sex,length,rings\n");
    for (i, v) in noise(300).enumerate() {
        csv.push_str(&format!("{},{v},{}\n", ["M", "F", "I"][i % 3], (v * 30.0).round()));
    }
    desk.write("shells.csv", csv);
    let text = desk.stdout(&["init", "shells.csv", "--target", "rings"], 0);
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
    let said = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("column \"B\" has no value in its first 10 rows"), "{said}");
}

#[test]
fn init_says_why_a_file_is_no_series() {
    let desk = Desk::new();
    let fall = |i: usize, v: f64| format!("{},{}", day(i), if i == 1 { -6.0 } else { 5.0 + v });
    desk.write("p.csv", csv("Date,Close", 200, fall));
    let said = desk.stderr(&["init", "p.csv"], 2);
    assert!(said.contains("column 'Close' is −6 on 2000-01-02"), "{said}");
    desk.write("q.csv", "Date,Close\n2001-01-02,five\n");
    let said = desk.stderr(&["init", "q.csv"], 2);
    assert!(said.contains("no column holds numbers"), "{said}");
    desk.write("t.csv", crate::table_csv(30));
    let said = desk.stderr(&["init", "t.csv", "--target", "level"], 0);
    assert!(
        !said.contains("note:") && said.contains("Predict  level: its values"),
        "a table is no failed series: {said}"
    );
}

/// A table of `rows` rows: what `row` writes for a place and a number between −0.5 and 0.5.
fn csv(heading: &str, rows: usize, row: impl Fn(usize, f64) -> String) -> String {
    let lines = noise(rows).enumerate().map(|(i, v)| row(i, v) + "\n");
    format!("{heading}\n{}", lines.collect::<String>())
}

fn day(i: usize) -> String {
    format!("{}-{:02}-{:02}", 2000 + i / 336, i / 28 % 12 + 1, i % 28 + 1)
}

/// What `init` writes passes `check`, for whatever a file holds.
#[test]
fn init_writes_what_check_accepts() {
    let level = |v: f64| 8.0 * v.powi(3) + v;
    let files = [
        (
            csv("a,b,claims", 200, |i, v| format!("{v},{},{}", -v, if i % 6 == 0 { i % 4 * i } else { 0 })),
            "claims",
        ),
        (csv("a,b,y", 200, |i, v| format!("{v},{},{}", v * v, i % 7)), "y"),
        (csv("a,b,y", 200, |_, v| format!("{v},,{}", level(v))), "y"),
        (csv("id,colour,a,y", 200, |i, v| format!("ID{i},{},{v},{}", ["r", "g"][i % 2], level(v))), "y"),
        (csv("date,rain,level", 200, |i, v| format!("{},{v},{}", day(i), level(v))), "level"),
        (csv("a,day,level", 200, |i, v| format!("{v},{},{}", day(i).replace('-', ""), level(v))), "level"),
        (
            csv("timestamp,a,level", 200, |i, v| format!("{},{v},{}", 1_577_836_800 + 3600 * i, level(v))),
            "level",
        ),
        (csv("when,a,y", 200, |i, v| format!("{},{v},{}", day(199 - i), level(v))), "y"),
        (csv("a,y", 20, |_, v| format!("{v},{}", level(v))), "y"),
        (csv("a,y", 200, |_, v| format!("{},{}", 1e9 * v, 1e-9 * level(v))), "y"),
        (csv("\"a \"\"q\"\"\",\"ta,rget\"", 200, |_, v| format!("{v},{}", level(v))), "ta,rget"),
        (
            csv("a,y", 200, |i, v| {
                format!("{v},{}", if i == 6 { "NA".to_owned() } else { level(v).to_string() })
            }),
            "y",
        ),
    ];
    for (i, (text, target)) in files.iter().enumerate() {
        let desk = Desk::new();
        desk.write("odd.csv", text);
        desk.write("odd.toml", desk.stdout(&["init", "odd.csv", "--target", target], 0));
        desk.stdout(&["check", "odd.toml"], 0);
        let written = desk.read("odd.toml");
        let dated = ["date", "timestamp", "a,day", "when"].iter().any(|head| text.starts_with(head));
        assert_eq!(written.contains("date = "), dated, "file {i}: {written}");
        assert_eq!(written.contains("kind = \"kfold\""), !dated, "file {i}: {written}");
    }
}

#[test]
fn init_refuses_what_no_experiment_can_be_made_of() {
    for (text, target, said) in [
        (csv("a,y", 200, |_, v| format!("{v},5")), "y", "is 5 in every row"),
        (
            csv("a,y", 3, |_, v| format!("{v},{}", v * v)),
            "y",
            "it has 3 rows with a value in 'y'; at least 20",
        ),
        (csv("y", 200, |_, v| v.to_string()), "y", "no column is left to predict 'y' from"),
        (csv("Date,Close", 400, |i, v| format!("{},{v}", day(i))), "Close", "add --horizon 1"),
        (csv("a,y", 200, |i, v| format!("{v},{}", i % 2)), "y", "has only 2 different values (0, 1)"),
    ] {
        let desk = Desk::new();
        desk.write("odd.csv", &text);
        let mut init = desk.tailrank(&["init", "odd.csv", "--target", target]);
        let output = crate::ends_with(2, init.env("COLUMNS", "500"));
        let shown = crate::text(&output.stderr);
        assert!(shown.contains(said), "{shown}");
        assert!(output.stdout.is_empty(), "nothing is written");
    }
    let desk = Desk::new();
    desk.write("odd.csv", csv("Date,Close", 400, |i, _| format!("{},100", day(i))));
    assert!(desk.stderr(&["init", "odd.csv"], 2).contains("its values never change"));
}

#[test]
fn init_writes_paths_as_seen_from_the_file() {
    let desk = Desk::new();
    fs::create_dir_all(desk.path("studies/new")).unwrap();
    fs::create_dir(desk.path("data")).unwrap();
    desk.write("data/floods.csv", table_csv(100));
    desk.stdout(&["init", "data/floods.csv", "--target", "level", "--out", "studies/new/floods.toml"], 0);
    assert!(desk.read("studies/new/floods.toml").contains("file = \"../../data/floods.csv\""));
    desk.stdout(&["check", "studies/new/floods.toml"], 0);
    let said =
        desk.stderr(&["init", "data/floods.csv", "--target", "level", "--out", "studies/new/floods.toml"], 2);
    assert!(said.contains("already exists"), "{said}");
}

#[test]
fn what_init_writes_runs_as_it_is() {
    let desk = Desk::new();
    desk.write("small.csv", table_csv(60));
    desk.stdout(&["init", "small.csv", "--target", "level", "--out", "small.toml"], 0);
    let shown = desk.stdout(&["run", "small.toml", "--no-report"], 0);
    assert!(shown.contains("Event: ") && (shown.contains("USE ") || shown.contains("NO MODEL.")), "{shown}");
}

#[test]
fn words_count_as_inputs_in_the_forecast() {
    let desk = Desk::new();
    let words = |levels: usize| csv("w,y", 400, |i, v| format!("w{},{v}", i % levels));
    let forecast = |text: &str| {
        desk.write("table.csv", text);
        desk.write(
            "e.toml",
            crate::experiment("try", "[[models]]\nfamily = \"linear\"\n")
                .replace("\"level\"", "\"y\"")
                .replace("1.2", "0.3"),
        );
        let json = desk.stdout(&["check", "e.toml", "--json"], 0);
        serde_json::from_str::<serde_json::Value>(&json).unwrap()["cpu_seconds"].as_f64().unwrap()
    };
    assert!(forecast(&words(200)) > 10.0 * forecast(&words(2)));
}
