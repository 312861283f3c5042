//! One answer, whoever prints it: terminal, page, JSON, Markdown and LaTeX say the same sentences and the
//! same numbers.

use serde_json::Value;

use crate::{Desk, noise};

/// Prices whose returns have extremes, and a series that knows a little of its future.
fn prices() -> String {
    let mut csv = String::from("Date,Close\n");
    let mut price = 100.0;
    for (i, r) in noise(420).enumerate() {
        price *= 1.0 + 0.5 * r.powi(3) + 0.01 * r;
        let (year, month, day) = (2000 + i / 336, (i / 28) % 12 + 1, i % 28 + 1);
        csv.push_str(&format!("{year}-{month:02}-{day:02},{price}\n"));
    }
    csv
}

fn experiment(horizons: &str, pair: &str, relevance: &str, models: &str) -> String {
    format!(
        "name = \"one\"\nseed = 3\n[data]\nseries = [{{ name = \"A\", file = \"prices.csv\" }}]\n\
         [target]\nhorizons = {horizons}\nlags = 3\n[split]\nkind = \"fraction\"\ntrain = 0.5\n\
         [relevance]\n{relevance}\n[measures]\nlist = [\"mad\", \"f\", \"utility\"]\nt_l = 0.01\n\
         [compare]\npairs = [{pair}]\ntop = 2\npermutations = 50\n{models}"
    )
}

const MODELS: &str = "[[models]]\nfamily = \"baseline\"\nvariants = [{ kind = \"mean\" }, { kind = \"last\" }]\n\
                      [[models]]\nfamily = \"knn\"\ngrid = { k = [1, 5] }\n";
const BOTH: &str = "low = -0.02\nhigh = 0.02";

/// What is left of a text when its format is taken away: letters, digits, points and minus signs.
fn plain(text: &str) -> String {
    let mut text = text.replace("<br>", " ").replace("&lt;", " ").replace("&gt;", " ").replace("&#39;", " ");
    for (from, to) in [("$-$", "-"), ("-{}", "-"), ("−", "-"), ("Ū", "U"), ("&quot;", " "), ("&amp;", " ")]
    {
        text = text.replace(from, to);
    }
    let mut out = String::new();
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            // A small p, as the terminal prints it.
            '<' if letters.peek().is_some_and(|c| c.is_ascii_digit() || *c == ' ') => {}
            // A tag of the page; what stands in its attributes is not said.
            '<' => while letters.next().is_some_and(|c| c != '>') {},
            // A command of LaTeX, which stands for a symbol.
            '\\' => while letters.next_if(char::is_ascii_alphabetic).is_some() {},
            c if c.is_ascii_alphanumeric() || ".-".contains(c) => out.push(c),
            _ => {}
        }
    }
    out
}

/// A table whose target has high extremes that one column knows of.
fn table() -> String {
    let mut csv = String::from("x,w,y\n");
    let mut random = noise(320);
    for _ in 0..160 {
        let (x, w) = (random.next().unwrap_or_default(), random.next().unwrap_or_default());
        csv.push_str(&format!("{x},{w},{}\n", 10.0 * x.powi(3) + w));
    }
    csv
}

/// Runs an experiment and looks for every sentence and every number of the comparison in all five places.
fn check(text: &str, code: i32) -> Value {
    check_at(&Desk::new(), text, code)
}

fn check_at(desk: &Desk, text: &str, code: i32) -> Value {
    desk.write("prices.csv", prices());
    desk.write("table.csv", table());
    desk.write("e.toml", text);
    let json: Value = serde_json::from_str(&desk.stdout(&["run", "e.toml", "--json"], code)).unwrap();
    let terminal = desk.stdout(&["run", "e.toml"], code);
    assert!(terminal.lines().all(|l| l.chars().count() <= 80), "{terminal}");
    let page = desk.read("runs/one/report/index.html");
    let summary: Value = serde_json::from_str(&desk.read("runs/one/report/tables/summary.json")).unwrap();
    for key in ["decisions", "picks", "comparisons", "sentences", "tasks_in_words", "event", "warnings"] {
        assert_eq!(json[key], summary[key], "{key}");
    }
    ["decisions", "comparisons"].iter().for_each(|table| as_in_csv(desk, &json, table));
    // The run's own page links to the results beside it and copies none of them.
    let links: Vec<&str> =
        page.split("href=\"../results/").skip(1).map(|l| l.split('"').next().unwrap()).collect();
    assert!(links.contains(&"scores.csv") && links.contains(&"scores.parquet"), "{links:?}");
    for link in links {
        assert!(desk.path(&format!("runs/one/results/{link}")).is_file(), "{link}");
        assert!(!desk.path(&format!("runs/one/report/tables/{link}")).exists(), "{link}");
    }
    assert!(terminal.lines().count() <= 22, "{terminal}");
    let is_verdict = |l: &str| l.starts_with("USE ") || l.starts_with("NO MODEL");
    assert!(terminal.lines().take(5).any(is_verdict), "{terminal}");
    let picks = &json["picks"][0];
    let name = |key: &str| picks[key].as_str().unwrap().to_owned();
    let table = format!("comparisons-{}-{}", name("chosen_by"), name("judged_by"));
    let markdown = desk.read(&format!("runs/one/report/tables/{table}.md"));
    let latex = desk.read(&format!("runs/one/report/tables/{table}.tex"));
    for (place, said) in [("terminal", &terminal), ("page", &page)] {
        let said = plain(said);
        let first = json["sentences"][0].as_str().unwrap();
        assert!(said.contains(&plain(first)), "{place} does not say: {first}\n{said}");
    }
    // The page says everything that is said of a task, `--explain` everything that is said of the run.
    let words = |value: &Value| -> Vec<String> {
        value.as_array().unwrap().iter().map(|s| s.as_str().unwrap().to_owned()).collect()
    };
    let (explained, whole) = (plain(&desk.stdout(&["run", "e.toml", "--explain"], code)), plain(&page));
    for sentence in words(&json["sentences"]) {
        assert!(explained.contains(&plain(&sentence)), "the terminal does not say: {sentence}\n{explained}");
        assert!(whole.contains(&plain(&sentence)), "the page does not say: {sentence}");
    }
    for task in json["tasks_in_words"].as_array().unwrap() {
        for sentence in words(&task["sentences"]) {
            assert!(whole.contains(&plain(&sentence)), "the page does not say: {sentence}");
        }
    }
    let pair = pair_sentence(picks);
    for (place, said) in [("page", &page), ("Markdown", &markdown), ("LaTeX", &latex)] {
        let said = plain(said);
        assert!(said.contains(&plain(&pair)), "{place} does not say: {pair}\n{said}");
        for row in json["comparisons"].as_array().unwrap() {
            for key in ["task", "chosen", "judged"] {
                let word = row[key].as_str().unwrap_or_default();
                assert!(said.contains(&plain(word)), "{place} lacks {key} {word}");
            }
            let tau = row["tau"].as_f64().map_or_else(|| "".to_owned(), |t| format!("{t:.2}"));
            assert!(said.contains(&tau), "{place} lacks τ {tau}: {said}");
        }
    }
    earned(&json, &terminal, &page);
    json
}

/// Every number of a table on the screen of `--json` is that of its CSV file, to the bit.
fn as_in_csv(desk: &Desk, json: &Value, table: &str) {
    let name = format!("runs/one/results/{table}.csv");
    let frame = tailrank_data::frame::read(&name, desk.read(&name).as_bytes()).unwrap();
    assert_eq!(frame.height(), json[table].as_array().unwrap().len());
    let mut numbers = 0;
    for (column, values) in frame.columns() {
        let tailrank_data::frame::Column::Real(values) = values else { continue };
        for (row, value) in values.iter().enumerate().filter(|(_, v)| !v.is_nan()) {
            let found = json[table][row][column].as_f64().map(f64::to_bits);
            assert_eq!(found, Some(value.to_bits()), "{table}: {column} of row {row}");
            numbers += 1;
        }
    }
    assert!(numbers > 4, "{table}: {numbers} numbers");
}

/// Whether the two measures pick different models: the sentence, or its beginning where there is one task.
fn pair_sentence(picks: &Value) -> String {
    let tasks = picks["tasks"].as_array().unwrap();
    let count = |answer: &str| tasks.iter().filter(|t| t["changes"] == answer).count();
    match &tasks[..] {
        [task] => match task["changes"].as_str().unwrap() {
            "yes" => "Yes: ".to_owned(),
            "no" => "No: ".to_owned(),
            _ => "Undecided: ".to_owned(),
        },
        _ => format!(
            "pick different models on {} of {} tasks, the same on {}; undecided on {}.",
            count("yes"),
            tasks.len(),
            count("no"),
            count("undecided")
        ),
    }
}

/// Words of recommendation stand only where a deciding row of `decisions` says `use`.
fn earned(json: &Value, terminal: &str, page: &str) {
    let rows = json["decisions"].as_array().unwrap();
    let deciding: Vec<&Value> = rows.iter().filter(|d| d["deciding"] == "yes").collect();
    let uses = deciding.iter().filter(|d| d["verdict"] == "use").count();
    assert_eq!(terminal.contains("USE "), uses > 0, "{terminal}");
    assert_eq!(page.contains("class=\"badge use\""), uses > 0);
    if uses == 0 {
        let words = terminal.to_lowercase();
        let said = words.split(|c: char| !c.is_alphanumeric());
        let earned = ["use", "better", "best", "win", "wins", "winner"];
        let not_earned: Vec<&str> = said.filter(|w| earned.contains(w)).collect();
        assert!(not_earned.is_empty(), "{not_earned:?}: {terminal}");
    }
    for d in rows {
        for (end, compare) in [("lower", 0.0), ("upper", 1.0)] {
            let inside = |v: f64| if compare == 0.0 { v >= 0.0 } else { v <= 1.0 };
            if ["precision", "recall", "f"].contains(&d["measure"].as_str().unwrap()) {
                assert!(d[end].as_f64().is_none_or(inside), "{d}");
            }
        }
    }
}

#[test]
fn one_two_and_twelve_tasks() {
    for (horizons, tasks) in [("[1]", 1), ("[1, 3]", 2), ("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]", 12)] {
        let json = check(&experiment(horizons, "[\"mad\", \"f\"]", BOTH, MODELS), 0);
        assert_eq!(json["comparisons"].as_array().unwrap().len(), tasks);
    }
}

#[test]
fn utility_against_mad() {
    let json = check(&experiment("[1, 3]", "[\"mad\", \"utility\"]", BOTH, MODELS), 0);
    assert_eq!(json["decide_by"], "utility");
    assert!(!json["sentences"].to_string().contains('%'), "{}", json["sentences"]);
}

#[test]
fn winners_without_a_score() {
    let silent = "[[models]]\nfamily = \"baseline\"\nvariants = [{ kind = \"mean\" }, { kind = \"zero\" }]\n";
    let json = check(&experiment("[1]", "[\"mad\", \"f\"]", BOTH, silent), 0);
    assert_eq!(json["picks"][0]["tasks"][0]["changes"], "undecided");
    assert_eq!(json["comparisons"][0]["judged"], Value::Null);
}

#[test]
fn a_best_of_zero_makes_no_percentage() {
    // Errors are never small enough for a hit: every F is 0.
    let text = experiment("[1, 3]", "[\"mad\", \"f\"]", BOTH, MODELS)
        .replace("t_l = 0.01", "t_l = 1e-12\nalpha = \"indicator\"");
    let json = check(&text, 0);
    assert_eq!(json["comparisons"][0]["judged_score"], 0.0);
    assert!(!json["sentences"].to_string().contains('%'), "{json}");
    // Of models that are all equally useless none is used.
    for d in json["decisions"].as_array().unwrap().iter().filter(|d| d["deciding"] == "yes") {
        assert_eq!(d["verdict"], "no_model", "{d}");
    }
}

/// Rows of a table of the results, each as the values of some columns.
fn rows<const N: usize>(desk: &Desk, table: &str, columns: [&str; N]) -> Vec<[String; N]> {
    let text = desk.read(&format!("runs/one/results/{table}.csv"));
    let mut lines = text.lines().map(|l| l.split(',').collect::<Vec<&str>>());
    let head = lines.next().unwrap();
    let places = columns.map(|c| head.iter().position(|h| *h == c).expect(c));
    lines.map(|l| places.map(|p| l[p].to_owned())).collect()
}

#[test]
fn a_repeated_division_has_one_score() {
    let text = "name = \"one\"\nseed = 3\n[data]\ntables = [{ name = \"T\", file = \"table.csv\", target = \"y\" }]\n\
                [split]\nkind = \"kfold\"\nfolds = 4\nrepeats = 3\nshuffle = true\n\
                [relevance]\nhigh = 0.8\n[measures]\nlist = [\"mad\", \"f\", \"utility\"]\nt_l = 0.5\n\
                [compare]\npairs = [[\"mad\", \"f\"]]\ntop = 2\npermutations = 50\n\
                [[models]]\nfamily = \"linear\"\n[[models]]\nfamily = \"knn\"\ngrid = { k = [1, 5, 20] }\n";
    let desk = Desk::new();
    let json = check_at(&desk, text, 0);
    // The means over the repeats, wherever a score is printed.
    let scores = rows(&desk, "scores", ["model", "mad", "f", "utility", "f_sd"]);
    assert!(scores.iter().any(|s| s[4].parse().is_ok_and(|sd: f64| sd > 0.0)), "{scores:?}");
    for [variant, measure, score] in rows(&desk, "intervals", ["model", "measure", "score"]) {
        let own = scores.iter().find(|s| s[0] == variant).unwrap();
        let place = ["mad", "f", "utility"].iter().position(|m| *m == measure).unwrap() + 1;
        // Without a signal in any repeat F is undefined, which inference counts as 0.
        let expected = own[place].parse().unwrap_or(0.0);
        let found: f64 = score.parse().unwrap();
        assert!(
            (found - expected).abs() <= 1e-12 * expected.abs(),
            "{variant} by {measure}: {found} {expected}"
        );
    }
    let best = json["comparisons"][0]["judged_score"].as_f64().unwrap();
    let decided = rows(&desk, "decisions", ["measure", "score"]);
    let by_f: f64 = decided.iter().find(|l| l[0] == "f").unwrap()[1].parse().unwrap();
    assert!((by_f - best).abs() <= 1e-12 * best, "{by_f} {best}");
    // Counts are means over the repeats, so they add up to the events of one.
    assert_eq!(json["tasks"][0]["repeats"], 3);
    for d in json["decisions"].as_array().unwrap().iter().filter(|d| d["deciding"] == "yes") {
        let of = |key: &str| d[key].as_f64().unwrap();
        assert!((of("caught") + of("missed") - of("events")).abs() <= 1.0, "{d}");
    }
    assert!(!json["sentences"].to_string().contains("NaN"), "{json}");
}
