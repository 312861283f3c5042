//! One answer, whoever prints it: terminal, page, JSON, Markdown and LaTeX say the same sentences and the same numbers.

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

/// Runs an experiment and looks for every sentence and every number of the comparison in all five places.
fn check(text: &str, code: i32) -> Value {
    let desk = Desk::new();
    desk.write("prices.csv", prices());
    desk.write("e.toml", text);
    let json: Value = serde_json::from_str(&desk.stdout(&["run", "e.toml", "--json"], code)).unwrap();
    let terminal = desk.stdout(&["run", "e.toml"], code);
    assert!(terminal.lines().all(|l| l.chars().count() <= 80), "{terminal}");
    let page = desk.read("runs/one/report/index.html");
    let summary: Value = serde_json::from_str(&desk.read("runs/one/report/tables/summary.json")).unwrap();
    assert_eq!(json["verdicts"], summary["verdicts"]);
    assert_eq!(json["comparisons"], summary["comparisons"]);
    let verdict = &json["verdicts"][0];
    let name = |key: &str| verdict[key].as_str().unwrap().to_owned();
    let table = format!("comparisons-{}-{}", name("chosen_by"), name("judged_by"));
    let markdown = desk.read(&format!("runs/one/report/tables/{table}.md"));
    let latex = desk.read(&format!("runs/one/report/tables/{table}.tex"));
    let places = [("terminal", &terminal), ("page", &page), ("Markdown", &markdown), ("LaTeX", &latex)];
    for (place, said) in places {
        let said = plain(said);
        for sentence in verdict["sentences"].as_array().unwrap() {
            let sentence = sentence.as_str().unwrap();
            assert!(said.contains(&plain(sentence)), "{place} does not say: {sentence}\n{said}");
        }
        for row in json["comparisons"].as_array().unwrap() {
            for key in ["task", "best_chosen", "best_judged"] {
                let word = row[key].as_str().unwrap_or_default();
                assert!(said.contains(&plain(word)), "{place} lacks {key} {word}");
            }
            let tau = row["tau"].as_f64().map_or_else(|| "".to_owned(), |t| format!("{t:.2}"));
            assert!(said.contains(&tau), "{place} lacks τ {tau}: {said}");
        }
    }
    json
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
    let text = json["verdicts"][0].to_string();
    assert!(!text.contains("100 %") && !text.contains("loses 0"), "{text}");
}

#[test]
fn winners_without_a_score() {
    let silent = "[[models]]\nfamily = \"baseline\"\nvariants = [{ kind = \"mean\" }, { kind = \"zero\" }]\n";
    let json = check(&experiment("[1]", "[\"mad\", \"f\"]", BOTH, silent), 0);
    assert_eq!(json["verdicts"][0]["answer"], "cannot tell");
    assert_eq!(json["comparisons"][0]["best_judged"], Value::Null);
}

#[test]
fn a_best_of_zero_makes_no_percentage() {
    // Errors are never small enough for a hit: every F is 0.
    let text = experiment("[1, 3]", "[\"mad\", \"f\"]", BOTH, MODELS)
        .replace("t_l = 0.01", "t_l = 1e-12\nalpha = \"indicator\"");
    let json = check(&text, 0);
    assert_eq!(json["comparisons"][0]["best_score"], 0.0);
    assert!(!json["verdicts"][0]["sentences"].to_string().contains('%'), "{json}");
    // Of models that are all equally useless none is taken, and no choice changes.
    assert_eq!(json["verdicts"][0]["answer"], "cannot tell");
    let said = json["verdicts"][0]["sentences"][0].as_str().unwrap();
    assert_eq!(
        said,
        "That cannot be told on any of the 2 tasks; on the first, by F no model here hits an event."
    );
    for decision in json["decisions"].as_array().unwrap() {
        let sentences: Vec<&str> =
            decision["sentences"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
        assert_eq!(sentences[0], "By F no model here hits an event.");
        assert!(
            !sentences.iter().any(|s| s.starts_with("By F take") || s.contains("F and")),
            "{sentences:?}"
        );
        assert!(sentences.iter().any(|s| s.starts_with("By MAD take knn")), "{sentences:?}");
    }
}
