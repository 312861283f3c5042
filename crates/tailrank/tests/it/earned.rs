//! Sixty runs with and without skill: no output recommends a model that `decisions.csv` denies, and all of
//! them give its verdict and numbers.

use std::{collections::HashMap, fs, path::PathBuf};

use serde_json::Value;

use crate::{
    Desk,
    denied::{data_columns, recommendations, rows, strings},
    files, packed, words,
};

type Row = HashMap<String, String>;

/// Texts by where they stand.
type Places = Vec<(String, String)>;

/// What a run printed, and where its report is.
struct Told {
    name: String,
    terminal: String,
    report: PathBuf,
    /// Where its CSV files are: a run's own page links to them.
    tables: PathBuf,
}

/// Nearly normal numbers that differ from seed to seed.
fn normal(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut uniform = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    move || 1.73 * (uniform() + uniform() + uniform() + uniform())
}

/// Predictions of three models for each task; `skill` is the share of the truth that the first one knows.
fn predictions(seed: u64, rows: usize, tasks: &[f64], dated: bool) -> String {
    let mut random = normal(seed);
    let mut csv = format!("task,{}y,alpha,beta 2/0.5,gamma\n", if dated { "date," } else { "" });
    for (task, skill) in tasks.iter().enumerate() {
        let mut last = 0.0;
        for row in 0..rows {
            let day = format!("{}-{:02}-{:02},", 2001 + row / 336, (row / 28) % 12 + 1, row % 28 + 1);
            let y = random();
            let alpha = skill * y + (1.0 - skill) * random();
            let (beta, gamma) = (1.4 * last + 0.2 * random(), 0.5 * random());
            csv.push_str(&format!(
                "t{task},{}{y},{alpha},{beta},{gamma}\n",
                if dated { day } else { String::new() }
            ));
            last = y;
        }
    }
    csv
}

const BY: &str = "[relevance]\nlow = -1.3\nhigh = 1.3\n[measures]\nlist = [\"mad\", \"f\"]\nt_l = 0.7\n\
                  [inference]\nresamples = 200\nshifts = 200\n";

/// A small grid on bundled data.
fn bundled(name: &str, target: &str, relevance: &str, t_l: f64) -> String {
    let split =
        if target.is_empty() { "kind = \"fraction\"\ntrain = 0.7" } else { "kind = \"kfold\"\nfolds = 2" };
    let data = match target {
        "" => format!("series = [\"{name}\"]\n[target]\nhorizons = [1]\nlags = 4"),
        _ => format!("tables = [\"{name}\"]"),
    };
    format!(
        "name = \"{name}\"\n[data]\n{data}\n[split]\n{split}\n[relevance]\n{relevance}\n[measures]\nlist = [\"mad\", \"f\"]\n\
         t_l = {t_l}\n[inference]\nresamples = 200\nshifts = 200\n[[models]]\nfamily = \"baseline\"\n\
         variants = [{{ kind = \"mean\" }}]\n[[models]]\nfamily = \"linear\"\n[[models]]\nfamily = \"cart\"\n"
    )
}

/// Every run, one after the other: each is looked at by `look` and then forgotten.
fn sixty(mut look: impl FnMut(Told)) {
    let desk = Desk::new();
    let scored = |name: String, csv: String, dated: bool| {
        desk.write("p.csv", csv);
        let experiment = format!(
            "name = \"{name}\"\n[data]\nseries = [\"KO\"]\n[target]\nhorizons = [1]\n[split]\nkind = \"fraction\"\ntrain = 0.7\n{BY}\
             [[models]]\nfamily = \"linear\"\n"
        );
        desk.write("by.toml", experiment);
        let mut arguments = vec!["score", "p.csv", "--settings", "by.toml", "--report", "page"];
        if dated {
            arguments.extend(["--horizon", "1"]);
        }
        Told {
            name,
            terminal: desk.stdout(&arguments, 0),
            report: desk.path("page"),
            tables: desk.path("page/tables"),
        }
    };
    for seed in 1..=18 {
        look(scored(format!("walk {seed}"), predictions(seed, 160, &[0.0], true), true));
        look(scored(format!("noise {seed}"), predictions(100 + seed, 140, &[0.0], false), false));
        let skill = 0.35 + 0.03 * seed as f64;
        look(scored(format!("skill {seed}"), predictions(200 + seed, 140, &[skill], seed % 2 == 0), false));
    }
    for seed in 1..=3 {
        look(scored(format!("mixed {seed}"), predictions(300 + seed, 130, &[0.0, 0.9, 0.0], false), false));
    }
    let both = "low = -0.02\nhigh = 0.02";
    for (name, target, relevance, t_l) in [
        ("boston", "medv", "high = 35", 4.0),
        ("compactiv", "usr", "low = 70", 8.0),
        ("KO", "", both, 0.01),
        ("IBM", "", both, 0.01),
    ] {
        desk.write("e.toml", bundled(name, target, relevance, t_l));
        let terminal = desk.stdout(&["run", "e.toml", "--quiet", "--explain"], 0);
        let run = desk.path(&format!("runs/{name}"));
        look(Told {
            name: name.to_owned(),
            terminal,
            report: run.join("report"),
            tables: run.join("results"),
        });
    }
}

/// The text of every file of a report that people or scripts read, by its name; figures apart.
fn texts(told: &Told) -> (Places, Places) {
    let (mut said, mut drawn) = (vec![("terminal".to_owned(), told.terminal.clone())], Vec::new());
    for (path, bytes) in files(&told.report).into_iter().chain(files(&told.tables)) {
        let name = path.display().to_string();
        let Some(text) = packed::text(bytes) else { continue };
        match path.extension().and_then(|e| e.to_str()) {
            Some("md" | "tex") => said.push((name, text)),
            // Below the call: the task's data as JSON, then its numbers.
            Some("js") if name.contains("tasks/") => {
                let data: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
                said.push((name, strings(&data).join(" | ")));
            }
            Some("csv") => said.push((name, data_columns(&text))),
            Some("svg") => {
                drawn.push((name.clone(), text));
                drawn.push((format!("the name of {name}"), name));
            }
            Some("json") if name.ends_with("summary.json") => {
                let mut value: Value = serde_json::from_str(&text).unwrap();
                value["decisions"].take();
                said.push((name, strings(&value).join(" | ")));
            }
            Some("html") => {
                let data = text
                    .split("id=\"run\" type=\"application/json\">")
                    .nth(1)
                    .and_then(|t| t.split("</script>").next())
                    .unwrap();
                let data: Value = serde_json::from_str(data).unwrap();
                said.push((format!("data of {name}"), strings(&data).join(" | ")));
                said.push((name, text));
            }
            _ => {}
        }
    }
    (said, drawn)
}

fn denies(told: &Told, decided: &[Row]) {
    let (said, drawn) = texts(told);
    for kind in [".csv", ".md", ".tex", "summary.json", "index.html", "data of", "tasks/"] {
        assert!(said.iter().any(|(place, _)| place.contains(kind)), "{kind} was not looked at");
    }
    assert!(drawn.len() > 8, "{}: {} figures", told.name, drawn.len() / 2);
    // A figure shows scores; it recommends nothing.
    for (place, text) in &drawn {
        let found = recommendations(text);
        assert!(found.is_empty(), "{}, {place}: {found:?}", told.name);
    }
    if decided.iter().all(|d| d["verdict"] == "no_model") {
        // A measure that does not decide has the code `use` in its own row; people read `passes`.
        for (place, text) in said.iter().filter(|(place, _)| !place.contains("decisions.csv")) {
            let found = recommendations(text);
            assert!(found.is_empty(), "{}, {place}: {found:?}", told.name);
        }
    }
    let summary: Value =
        serde_json::from_str(&fs::read_to_string(told.report.join("tables/summary.json")).unwrap()).unwrap();
    for (task, row) in summary["tasks_in_words"].as_array().unwrap().iter().zip(decided) {
        let found = recommendations(&strings(&task["sentences"]).join(" | "));
        assert_eq!(found.is_empty(), row["verdict"] == "no_model", "{}: {task}", told.name);
    }
}

/// A number as a table for people prints it, and the exact one of the file.
fn prints(shown: &str, exact: &str) -> bool {
    let shown = shown.replace('−', "-");
    let Ok(exact) = exact.parse::<f64>() else {
        return shown == exact || (shown == "–" && exact.is_empty());
    };
    match shown.strip_prefix("< ").or_else(|| shown.strip_prefix("&lt; ")) {
        Some(limit) => exact < limit.parse::<f64>().unwrap(),
        None => {
            let shown: f64 = shown.replace(',', "").parse().unwrap_or(f64::NAN);
            (shown - exact).abs() <= 0.006 * exact.abs() + 6e-4 * f64::from(u8::from(exact.abs() < 0.1))
        }
    }
}

/// JSON, Markdown, LaTeX, page and terminal against `decisions.csv`.
fn agrees(told: &Told, csv: &str) {
    let read = |name: &str| fs::read_to_string(told.report.join(name)).unwrap();
    let columns: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let all = rows(csv);
    let summary: Value = serde_json::from_str(&read("tables/summary.json")).unwrap();
    let json = summary["decisions"].as_array().unwrap();
    assert_eq!(json.len(), all.len());
    let latex = read("tables/decisions.tex")
        .replace("$-$", "−")
        .replace("$<\\,$", "< ")
        .replace("$\\cdot$", "·")
        .replace("--", "–")
        .replace('\\', "");
    let markdown = read("tables/decisions.md");
    let printed: Vec<Vec<String>> = markdown
        .lines()
        .filter(|l| l.starts_with('|'))
        .skip(2)
        .map(|l| l.trim_matches('|').split(" | ").map(|c| c.trim().replace('\\', "")).collect())
        .collect();
    assert_eq!(printed.len(), all.len(), "{markdown}");
    let page = read("index.html");
    for ((row, json), printed) in all.iter().zip(json).zip(&printed) {
        for (place, &column) in columns.iter().enumerate() {
            let exact = &row[column];
            let stored = match &json[column] {
                Value::Null => exact.is_empty(),
                Value::Number(n) => exact.parse().ok() == n.as_f64(),
                other => other.as_str() == Some(exact.as_str()),
            };
            assert!(stored, "{}: {column} is {exact} and {}", told.name, json[column]);
            let shown = &printed[place];
            let deciding = row["deciding"] == "yes";
            match column {
                "verdict" => {
                    let word = match (exact.as_str(), deciding) {
                        ("use", true) => "use",
                        ("use", false) => "passes",
                        (_, true) => "no model",
                        (_, false) => "fails",
                    };
                    assert_eq!(shown, word, "{}", told.name);
                }
                "reason" => assert!(!shown.contains('_'), "{}: {shown}", told.name),
                _ => assert!(prints(shown, exact), "{}: {column} is {exact}, printed {shown}", told.name),
            }
            let wanted = match shown.split_once('e').filter(|_| exact.parse::<f64>().is_ok()) {
                Some((lead, power)) => format!("{lead}cdot 10^{{{}}}", power.replace('−', "-")),
                None => shown.replace("&lt;", "<"),
            };
            assert!(latex.contains(&wanted), "{}: LaTeX lacks {column} {wanted}", told.name);
            let exactly = ["score", "lower", "upper", "chance", "p_chance", "caught", "false_alarms"];
            if deciding && exactly.contains(&column) && !exact.is_empty() {
                let number: f64 = exact.parse().unwrap();
                let spot = format!("data-json=\"{column}\" title=\"{number}\"");
                assert!(page.contains(&spot), "{}: the page lacks {spot}", told.name);
            }
        }
    }
    let said = words(&told.terminal);
    let decided: Vec<&Row> = all.iter().filter(|d| d["deciding"] == "yes").collect();
    match decided[..] {
        [one] if one["verdict"] == "use" => {
            let sentence = format!(
                "USE {}. It catches {} of {} events with {} false alarm",
                one["model"], one["caught"], one["events"], one["false_alarms"]
            );
            assert!(said.contains(&sentence), "{}: {sentence}\n{said}", told.name);
        }
        [_] => assert!(said.contains("NO MODEL.") && !said.contains("USE "), "{}: {said}", told.name),
        _ => {
            let uses = decided.iter().filter(|d| d["verdict"] == "use").count();
            let head = match uses {
                0 => format!("NO MODEL on any of {} tasks.", decided.len()),
                n if n == decided.len() => format!("USE a model on all {n} tasks."),
                n => format!("USE a model on {n} of {} tasks.", decided.len()),
            };
            assert!(said.contains(&head), "{}: {head}\n{said}", told.name);
        }
    }
}

#[test]
fn sixty_runs_recommend_what_decisions_allow_and_agree_on_every_number() {
    let (mut runs, mut used, mut denied) = (0, 0, 0);
    sixty(|told| {
        let csv = fs::read_to_string(told.tables.join("decisions.csv")).unwrap();
        let decided: Vec<Row> = rows(&csv).into_iter().filter(|d| d["deciding"] == "yes").collect();
        denies(&told, &decided);
        agrees(&told, &csv);
        runs += 1;
        used += usize::from(decided.iter().any(|d| d["verdict"] == "use"));
        denied += usize::from(decided.iter().any(|d| d["verdict"] == "no_model"));
    });
    assert!(runs >= 60 && used >= 12 && denied >= 36, "{runs} runs, {used} with a model, {denied} without");
}
