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
            // A small p, as the terminal prints it.
            '<' if letters.peek().is_some_and(char::is_ascii_digit) => {}
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
        assert!(sentences.iter().any(|s| s.starts_with("By MAD the best model is knn")), "{sentences:?}");
    }
}

/// Rows of a table of the report, each as the values of some columns.
fn rows<const N: usize>(desk: &Desk, table: &str, columns: [&str; N]) -> Vec<[String; N]> {
    let text = desk.read(&format!("runs/one/report/tables/{table}.csv"));
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
    let scores = rows(&desk, "scores", ["variant", "mad", "f", "utility", "f_sd"]);
    assert!(scores.iter().any(|s| s[4].parse().is_ok_and(|sd: f64| sd > 0.0)), "{scores:?}");
    for [variant, measure, score] in rows(&desk, "intervals", ["variant", "measure", "score"]) {
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
    let best = json["comparisons"][0]["best_score"].as_f64().unwrap();
    let luck = rows(&desk, "luck", ["measure", "score"]);
    let by_f: f64 = luck.iter().find(|l| l[0] == "f").unwrap()[1].parse().unwrap();
    assert!((by_f - best).abs() <= 1e-12 * best, "{by_f} {best}");
    let said = json["decisions"][0]["sentences"].to_string();
    assert!(said.contains(" in 3 repeats: ") && !said.contains("NaN") && !said.contains("column"), "{said}");
}
