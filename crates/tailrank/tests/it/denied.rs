//! Unedited `init` → `run` on price files of every kind: no "yes" that the run's own tables deny.

use std::{collections::HashMap, fs};

use tailrank_data::{Library, SeriesOptions};

use crate::{Desk, files, noise, repository, words};

/// Rows of a table of a run, as maps from column to cell.
fn table(desk: &Desk, run: &str, name: &str) -> Vec<HashMap<String, String>> {
    let Ok(text) = fs::read_to_string(desk.path(&format!("runs/{run}/results/{name}.csv"))) else {
        return Vec::new();
    };
    rows(&text)
}

/// Rows of CSV with quoted cells but no line breaks in them.
pub(super) fn rows(csv: &str) -> Vec<HashMap<String, String>> {
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
            let place = sets.iter().filter(of).find(|row| row["model"] == chosen);
            assert_eq!(place.expect("a yes without a confidence set")["in_set"], "no", "{file}");
        }
    }
    let uses = decided.iter().any(|row| row["deciding"] == "yes" && row["verdict"] == "use");
    assert_eq!(said["sentences"][0].as_str().unwrap().starts_with("USE"), uses, "{file}");
    all
}

/// Words that say a model is worth using; they stand for one only where its row of decisions.csv says `use`.
const EARNED: [&str; 9] = ["use", "uses", "best", "better", "win", "wins", "won", "winner", "winning"];

/// Phrases in which such a word stands for no model: what is asked, a scale, the reference, or a denial.
const NOT_OF_A_MODEL: [&str; 6] = [
    "has no model to use",
    "best baseline",
    "lower is better",
    "higher is better",
    "not_better_than",
    "does not say to use",
];

/// What a reader sees of a text: no tags, scripts, styles or commands of LaTeX, blanks for line breaks, in
/// small letters.
fn seen(text: &str) -> String {
    let mut text = text.replace("\\_", "_").replace("\\usepackage", " ");
    for element in ["script", "style"] {
        while let Some(start) = text.find(&format!("<{element}")) {
            let end = format!("</{element}>");
            let length = text[start..].find(&end).map_or(text.len() - start, |n| n + end.len());
            text.replace_range(start..start + length, " ");
        }
    }
    let mut out = String::new();
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '<' if letters.peek().is_some_and(|c| c.is_ascii_alphabetic() || "/!".contains(*c)) => {
                while letters.next().is_some_and(|c| c != '>') {}
                out.push(' ');
            }
            c => out.extend(c.to_lowercase()),
        }
    }
    words(&out)
}

/// Words of recommendation in what a reader sees, with what stands around them.
pub(super) fn recommendations(text: &str) -> Vec<String> {
    let mut text = seen(text);
    for phrase in NOT_OF_A_MODEL {
        text = text.replace(phrase, " ");
    }
    let all: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
    let found = (0..all.len()).filter(|&i| EARNED.contains(&all[i]));
    found.map(|i| all[i.saturating_sub(6)..(i + 7).min(all.len())].join(" ")).collect()
}

/// Everything a run says, by the name of the place: terminal, JSON, CSV, Markdown, LaTeX and page.
fn places(desk: &Desk, file: &str) -> Vec<(String, String)> {
    let name = file.trim_end_matches(".toml");
    let mut all = vec![
        ("terminal".to_owned(), desk.stdout(&["run", file, "--explain"], 0)),
        ("status".to_owned(), desk.stdout(&["status", &format!("runs/{name}")], 0)),
    ];
    for json in [&["run", file, "--json"][..], &["status", &format!("runs/{name}"), "--json"]] {
        // Keys are columns of the tables, which are looked at as CSV; here are the sentences.
        let said: serde_json::Value = serde_json::from_str(&desk.stdout(json, 0)).unwrap();
        all.push((format!("{json:?}"), strings(&said).join(" | ")));
    }
    for (path, bytes) in files(&desk.path(&format!("runs/{name}"))) {
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let place = path.display().to_string();
        match path.extension().and_then(|e| e.to_str()) {
            Some("md" | "tex" | "html" | "csv") => all.push((place, text)),
            Some("json") if place.ends_with("summary.json") => {
                all.push((place, strings(&serde_json::from_str(&text).unwrap()).join(" | ")));
            }
            _ => {}
        }
    }
    all
}

/// The texts in a value, without its keys.
pub(super) fn strings(value: &serde_json::Value) -> Vec<&str> {
    match value {
        serde_json::Value::String(text) => vec![text],
        serde_json::Value::Array(all) => all.iter().flat_map(strings).collect(),
        serde_json::Value::Object(all) => all.values().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}

/// The central promise: in no output does a word of recommendation stand for a model whose row of
/// decisions.csv says `no_model`.
#[test]
fn no_output_recommends_what_decisions_deny() {
    let desk = Desk::new();
    prices(&desk, "walk.csv", 500, |_| false, |_, e, _| 0.012 * e);
    // Returns turn round, which a model learns and the last return, as a baseline, does not.
    prices(&desk, "turn.csv", 1200, |_| false, |_, e, last| -0.8 * last + 0.012 * e);
    let models = "[[models]]\nfamily = \"linear\"\n[[models]]\nfamily = \"knn\"\ngrid = { k = [1, 5] }\n\
                  [[models]]\nfamily = \"baseline\"\nvariants = [{ kind = \"mean\" }, { kind = \"last\" }]\n";
    let experiment = |name: &str, series: &str| {
        format!(
            "name = \"{name}\"\n[data]\nseries = [{series}]\n[target]\nhorizons = [1]\nlags = 3\n\
             [split]\nkind = \"fraction\"\ntrain = 0.6\n[relevance]\nlow = -0.02\nhigh = 0.02\n\
             [measures]\nlist = [\"mad\", \"f\"]\nt_l = 0.01\n[inference]\nresamples = 200\nshifts = 200\n{models}"
        )
    };
    let walk = "{ name = \"walk\", file = \"walk.csv\" }";
    let turn = "{ name = \"turn\", file = \"turn.csv\" }";
    desk.write("noise.toml", experiment("noise", walk));
    desk.write("mixed.toml", experiment("mixed", &format!("{walk}, {turn}")));
    let verdicts = |name: &str| -> Vec<(String, String)> {
        let rows = table(&desk, name, "decisions");
        let of = |row: &HashMap<String, String>| (row["task"].clone(), row["verdict"].clone());
        rows.iter().filter(|row| row["deciding"] == "yes").map(of).collect()
    };

    // Where no row says `use`, no such word is left anywhere.
    let said = places(&desk, "noise.toml");
    assert!(table(&desk, "noise", "decisions").iter().all(|row| row["verdict"] == "no_model"));
    for kind in ["terminal", ".csv", ".md", ".tex", "index.html", "summary.json", "--json"] {
        assert!(said.iter().any(|(place, _)| place.contains(kind)), "{kind} was not looked at");
    }
    for (place, text) in &said {
        let text = if place.ends_with(".csv") { data_columns(text) } else { text.clone() };
        let found = recommendations(&text);
        assert!(found.is_empty(), "{place}: {found:?}");
    }

    // Where one task has a model, the word stands for that task alone.
    let said = places(&desk, "mixed.toml");
    let decided = verdicts("mixed");
    assert_eq!(
        decided,
        [("walk 1d", "no_model"), ("turn 1d", "use")].map(|(t, v)| (t.to_owned(), v.to_owned()))
    );
    assert!(said[0].1.contains("USE a model on 1 of 2 tasks."), "{}", said[0].1);
    let json: serde_json::Value =
        serde_json::from_str(&desk.stdout(&["run", "mixed.toml", "--json"], 0)).unwrap();
    for (task, (name, verdict)) in json["tasks_in_words"].as_array().unwrap().iter().zip(&decided) {
        assert_eq!(task["task"], name.as_str());
        let found = recommendations(&strings(&task["sentences"]).join(" | "));
        assert_eq!(found.is_empty(), verdict == "no_model", "{name}: {found:?}");
    }
}

/// A table of data without the headings that name a statistic: the probability of the first place and the
/// share of first places.
pub(super) fn data_columns(csv: &str) -> String {
    let (heading, rows) = csv.split_once('\n').unwrap_or((csv, ""));
    let heading: Vec<&str> = heading.split(',').filter(|c| !["p_best", "wins"].contains(c)).collect();
    // The words of a heading are looked at one by one.
    let heading = heading.join(" , ").replace("win_rate", " ").replace('_', " ");
    format!("{heading}\n{rows}")
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

/// The committed tables of the stock-returns study (`scripts/inference_tables.sh`): what stands in them is
/// what the answer rests on.
#[test]
fn stock_returns_beat_chance_on_three_tasks_and_on_none_after_correction() {
    let folder = repository().join("results/inference/stock-returns");
    let read = |name: &str| rows(&fs::read_to_string(folder.join(name)).unwrap());
    let number = |row: &HashMap<String, String>, column: &str| row[column].parse::<f64>().unwrap();
    let decisions: Vec<_> = read("decisions.csv").into_iter().filter(|r| r["deciding"] == "yes").collect();
    assert_eq!(decisions.len(), 12);
    let below = |column: &str| decisions.iter().filter(|r| number(r, column) < 0.05).count();
    assert_eq!((below("p_chance"), below("p_adjusted"), below("p_baseline")), (3, 0, 0));
    for row in &decisions {
        assert_eq!((row["measure"].as_str(), row["verdict"].as_str()), ("f", "no_model"));
        let chance_alone = number(row, "p_chance") >= 0.05;
        let reason = if chance_alone { "not_better_than_chance" } else { "not_better_than_baseline" };
        assert_eq!(row["reason"], reason, "{row:?}");
        let (first, chance) = (number(row, "score"), number(row, "chance"));
        assert!((0.032..0.0451).contains(&first) && (0.022..0.037).contains(&chance), "{row:?}");
    }
    let last = |r: &&HashMap<String, String>| {
        r["baseline"] == "baseline last" && number(r, "baseline_score") > number(r, "score")
    };
    assert!((3..=6).contains(&decisions.iter().filter(last).count()));
    let ba = decisions.iter().find(|r| r["task"] == "BA 3d").unwrap();
    let expected = [
        ("model", "svm 400/0.001"),
        ("baseline", "baseline last"),
        ("events", "1252"),
        ("signals", "257"),
        ("caught", "95"),
        ("false_alarms", "162"),
        ("missed", "1157"),
    ];
    for (column, value) in expected {
        assert_eq!(ba[column], value, "{column}");
    }
    // The same tests stand in the table of chance.
    for row in read("chance.csv").iter().filter(|r| r["measure"] == "f") {
        let decided = decisions.iter().find(|d| d["task"] == row["task"]).unwrap();
        assert_eq!((&row["model"], &row["p_chance"]), (&decided["model"], &decided["p_chance"]));
    }
}
