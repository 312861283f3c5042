//! Tables: stable text, no name becomes markup, LaTeX compiles, JSON says what the tables say.

use crate::skipped;

use std::{fs, path::PathBuf, process::Command};

use tailrank_data::Library;
use tailrank_experiment::{
    config::{Compare, Inference},
    plan::Plan,
};
use tailrank_metrics::{Accuracy, Measure, Relevance, Settings, trading::TradingRule};
use tailrank_models::Params;
use tailrank_report::{
    claims::{Claim, Standing, Tag},
    tables,
};
use tailrank_score::{
    score::{
        self, Names, Predictions, Regret, Results, Rules, TaskId, TaskScores, TaskTruth, VariantId,
        VariantName, VariantStatus, evaluate,
    },
    table::{Mark, Table, Value},
};

const BLESS: &str = "TAILRANK_BLESS";

/// Everything that is special to Markdown, HTML or LaTeX, and letters of other scripts.
const HOSTILE: &str = r#" \end{table} | <script>alert(1)</script> **b** _i_ `c` [l](http://x) $x^2$ ~ # % & ' " -- [a] é ß Ł 中文 🦀 ȳ ̄ "#;

fn measures() -> Vec<Measure> {
    ["mad", "rmse", "precision", "recall", "f", "sera"].map(|id| Measure::from_id(id).unwrap()).to_vec()
}

/// Two tasks, four variants: one of them never signals, one fails on the second task when `fails`.
fn results(mark: &str, fails: bool) -> Results {
    let settings = Settings {
        relevance: Some(Relevance::sigmoid(Some(-0.02), Some(0.02), 0.5, 1e-4).unwrap()),
        accuracy: Some(Accuracy::smooth(0.01, 8.0).unwrap()),
        beta: 0.5,
        trading: Some(TradingRule::new(0.02, 1)),
        ..Settings::default()
    };
    let truth = |task: usize| -> Vec<f64> {
        (0..40).map(|i| 0.05 * (((i * 7 + task * 3) % 41) as f64 / 20.0 - 1.0).powi(3)).collect()
    };
    let predict = |truth: &[f64], v: usize| -> Vec<f64> {
        let skill = [0.1, 0.5, 0.9, 1.1][v];
        truth.iter().enumerate().map(|(i, y)| skill * y + 0.004 * v as f64 * ((i % 5) as f64 - 2.0)).collect()
    };
    let mut scores: Vec<TaskScores> = Vec::new();
    let mut trading = Vec::new();
    for task in 0..2 {
        let truth = truth(task);
        let predictions: Vec<Predictions> = (0..4)
            .map(|v| {
                if fails && task == 1 && v == 3 {
                    let status = VariantStatus::Failed { reason: format!("no memory{mark}") };
                    return Predictions { status, parts: Vec::new() };
                }
                Predictions { status: VariantStatus::Fine, parts: vec![predict(&truth, v)] }
            })
            .collect();
        let parts = [TaskTruth::new(truth, settings.clone())];
        let found = evaluate(&parts, &measures(), &predictions).unwrap();
        trading.extend(score::trading_rows(TaskId(task), &parts, &found, &predictions, None).unwrap());
        scores.push(found);
    }
    let pairs = [(Measure::Mad, Measure::from_id("f").unwrap())];
    let compare = Compare { top: 2, permutations: 50, ..Compare::default() };
    let name = |label: &str, group: &str| VariantName {
        label: format!("{label}{mark}"),
        group: format!("{group}{mark}"),
        params: Params::new(),
        recipe: "plain".to_owned(),
        reference: group == "nnet",
    };
    let names = Names {
        tasks: vec![format!("KO 3d{mark}"), format!("IBM 1d{mark}")],
        variants: vec![
            name("nnet 5", "nnet"),
            name("mars 1", "mars"),
            name("svm 400", "svm"),
            name("forest", "forest"),
        ],
    };
    let inference = Inference::default();
    let rules = Rules { pairs: &pairs, compare: &compare, inference: &inference, seed: 1 };
    Results { trading, ..Results::of_scores(names, scores, &[], Vec::new(), rules) }
}

fn plan() -> Plan {
    let text = r#"
name = "tiny"
seed = 3
data = { series = ["KO"] }
target = { horizons = [3], lags = 4 }
split = { kind = "date", at = "1990-01-01" }
relevance = { low = -0.02, high = 0.02 }
measures = { list = ["mad", "rmse", "precision", "recall", "f", "sera"], t_l = 0.01 }
compare = { top = 2, permutations = 50 }
models = [{ family = "baseline", variants = [{ kind = "mean" }] }]
"#;
    Plan::from_text(text, "tiny.toml".as_ref(), "".as_ref(), &Library::default()).unwrap()
}

fn claim(mark: &str) -> Claim {
    Claim {
        tag: Tag::Finding,
        source: format!("PR09 §5.2{mark}"),
        says: format!("the best by MAD never signals{mark}"),
        found: format!("it signals on 0 of 2 tasks{mark}"),
        evidence: format!("trading.csv{mark}"),
        standing: Standing::Agree,
    }
}

fn all(mark: &str) -> Vec<Table> {
    tables::all(&results(mark, true), &[claim(mark)], |_| true)
}

/// The summary under the name, title and seed of the experiment.
fn summary(results: &Results, claims: &[Claim]) -> serde_json::Value {
    let experiment = plan().experiment;
    tables::json(&experiment.name, &experiment.title, experiment.seed, results, claims)
}

#[test]
fn every_table_is_there_once() {
    let names: Vec<String> = all("").into_iter().map(|t| t.id).collect();
    let expected = [
        "comparisons-mad-f",
        "scores-1-ko-3d",
        "scores-2-ibm-1d",
        "decisions",
        "costs",
        "average_ranks",
        "friedman",
        "trading",
        "claims",
    ];
    assert_eq!(names, expected);
    // Without claims there is no table of claims.
    assert!(tables::all(&results("", false), &[], |_| true).iter().all(|t| t.id != "claims"));
}

#[test]
fn tables_equal_the_golden_files() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let join = |print: fn(&Table) -> String| all("").iter().map(print).collect::<Vec<_>>().join("\n");
    let json = serde_json::to_string_pretty(&summary(&results("", true), &[claim("")])).unwrap() + "\n";
    let made =
        [("tables.md", join(tables::markdown)), ("tables.tex", join(tables::latex)), ("summary.json", json)];
    for (name, text) in made {
        let path = folder.join(name);
        if std::env::var_os(BLESS).is_some() {
            fs::write(&path, &text).unwrap();
        }
        let golden = fs::read_to_string(&path).unwrap_or_default();
        assert!(golden == text, "{name} changed; look at it, then run the test once with {BLESS}=1");
    }
}

#[test]
fn the_best_of_every_measure_is_marked() {
    let found = results("", false);
    for (t, scores) in found.scores.iter().enumerate() {
        let table = tables::scores(&found, t).unwrap();
        for m in &scores.measures {
            let place = table.place(m.id()).unwrap();
            let best: Vec<usize> = (0..4).filter(|&v| table.rows[v][place].mark == Mark::Best).collect();
            let regret = |r: &&Regret| r.task.0 == t && r.chosen_by == *m && r.judged_by == *m;
            let expected = found.regrets.iter().find(regret).unwrap().chosen.0;
            assert!(best.contains(&expected), "{}: {best:?} has no {expected}", m.id());
        }
    }
    let table = tables::scores(&found, 0).unwrap();
    let precision = &table.rows[0][table.place("precision").unwrap()].value;
    assert!(matches!(precision, Value::Undefined(_)), "a variant without signals has no precision");
}

#[test]
fn names_are_no_markdown() {
    for table in all(HOSTILE) {
        let text = tables::markdown(&table);
        assert!(!text.contains("<script"), "{}", table.id);
        let rows: Vec<&str> = text.lines().filter(|l| l.starts_with('|')).collect();
        assert_eq!(rows.len(), table.rows.len() + 2, "{}: a name broke a row", table.id);
        for row in rows {
            let bars = row.replace("\\\\", "").replace("\\|", "").matches('|').count();
            assert_eq!(bars, table.for_people().len() + 1, "{}: {row}", table.id);
        }
    }
}

/// Braces balance, environments close, every row has its cells: what can be said without a compiler.
fn check_structure(name: &str, text: &str, columns: usize) {
    let parts: Vec<&str> = text.split("% needs ").skip(1).collect();
    // A wide table comes in parts, each with the leading names.
    let (mut seen, lead) = (0, if parts.len() > 1 { parts.len() - 1 } else { 0 });
    for part in &parts {
        seen += check_part(name, part);
    }
    assert!(seen >= columns && seen <= columns + 2 * lead, "{name}: {seen} columns for {columns}");
}

/// The number of columns, of a table that is one.
fn check_part(name: &str, text: &str) -> usize {
    let mut depth = 0i32;
    let mut escaped = false;
    for c in text.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        assert!(depth >= 0, "{name}");
    }
    assert_eq!(depth, 0, "{name}");
    for environment in ["table", "tabular", "longtable", "minipage"] {
        let count = |what: &str| text.matches(&format!("\\{what}{{{environment}}}")).count();
        assert_eq!(count("begin"), count("end"), "{name}: {environment}");
    }
    assert!(
        text.contains("\\toprule") && text.contains("\\midrule") && text.contains("\\bottomrule"),
        "{name}"
    );
    let after = text.split("\\endlastfoot\n").last().unwrap().split("\\midrule\n").last().unwrap();
    let body = after.split("\\bottomrule").next().unwrap().split("\\end{longtable}").next().unwrap();
    let rows = body.lines().filter(|l| l.ends_with("\\\\"));
    let cells: Vec<usize> = rows.map(|row| row.replace("\\&", "").matches('&').count() + 1).collect();
    assert!(!cells.is_empty() && cells.iter().all(|n| *n == cells[0]), "{name}: {cells:?}");
    cells[0]
}

#[test]
fn latex_has_its_structure() {
    for mark in ["", HOSTILE] {
        for table in all(mark) {
            check_structure(&table.id, &tables::latex(&table), table.for_people().len());
        }
    }
    let mut long = tables::scores(&results("", false), 0).unwrap();
    long.rows = (0..15).flat_map(|_| long.rows.clone()).collect();
    let text = tables::latex(&long);
    assert!(text.contains("\\begin{longtable}"));
    check_structure("long", &text, long.for_people().len());
}

/// Written into LaTeX's log where the tables with plain names end.
const END_OF_OURS: &str = "END OF THE TABLES WITH PLAIN NAMES";

#[test]
fn latex_compiles() {
    let found = Command::new("pdflatex").arg("--version").output();
    if !found.is_ok_and(|o| o.status.success()) {
        skipped::for_want_of("pdflatex with booktabs and longtable");
        return;
    }
    let ours = all("");
    let mut hostile = all(HOSTILE);
    let mut long = tables::scores(&results(HOSTILE, false), 0).unwrap();
    long.rows = (0..15).flat_map(|_| long.rows.clone()).collect();
    hostile.push(long);
    let folder = tempfile::tempdir().unwrap();
    let mut document = String::from(
        "\\documentclass[a4paper]{article}\n\\usepackage{array,booktabs,longtable}\n\\begin{document}\n",
    );
    let print = |tables: &[Table]| -> String {
        tables.iter().map(|table| tables::latex(table) + "\\clearpage\n").collect()
    };
    document.push_str(&print(&ours));
    document.push_str(&format!("\\typeout{{{END_OF_OURS}}}\n"));
    document.push_str(&print(&hostile));
    document.push_str("\\end{document}\n");
    fs::write(folder.path().join("tables.tex"), document).unwrap();
    let out = Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "tables.tex"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{log}");
    for sign in ["Missing character", "undefined control", "Misplaced", "Extra alignment"] {
        assert!(!log.contains(sign), "{sign}: {log}");
    }
    assert!(folder.path().join("tables.pdf").exists());
    // Names as long as HOSTILE may stick out; ours fit.
    let ours = log.split(END_OF_OURS).next().unwrap_or_default();
    let wide = ours.split("Overfull \\hbox (").skip(1).filter_map(|rest| rest.split_once("pt too wide"));
    for (points, rest) in wide {
        let points: f64 = points.parse().unwrap();
        assert!(points <= 5.0, "{points} pt too wide: {}", &rest[..rest.len().min(200)]);
    }
}

#[test]
fn json_is_what_was_found() {
    let found = results(HOSTILE, true);
    let json = summary(&found, &[claim(HOSTILE)]);
    // Through text and back: names survive, nothing is NaN.
    let json: serde_json::Value = serde_json::from_str(&json.to_string()).unwrap();
    for (t, scores) in found.scores.iter().enumerate() {
        for v in VariantId::all(4) {
            let row = &json["scores"][4 * t + v.0];
            assert_eq!(row["model"], found.names.label(v));
            for m in &scores.measures {
                let expected = scores.score(v, *m).and_then(tailrank_metrics::Score::value);
                assert_eq!(row[m.id()].as_f64(), expected);
            }
        }
    }
    assert_eq!(json["scores"][0]["reason"], "no prediction reaches the event threshold");
    assert_eq!(json["scores"][7]["status"], "failed");
    assert_eq!(json["claims"][0]["standing"], "agree");
    assert_eq!(json["comparisons"][0]["regret"].as_f64(), found.comparisons[0].loss.map(|l| l.absolute));
    assert_eq!(json["sentences"][0], tailrank_report::answer::sentences(&found)[0]);
    assert_eq!(json["decisions"].as_array().unwrap().len(), found.answer.decisions.len());
}
