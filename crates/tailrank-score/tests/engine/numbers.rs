//! Every number of an experiment file, set to what makes no sense: either the plan refuses it by its name, or
//! the run ends with its tables. Nothing is found after hours of fitting.

use serde_json::Value;
use tailrank_experiment::{
    EngineError,
    config::{Change, Experiment, apply},
};

use crate::lab::{FRAME, Lab, Unsynced, whole};

const MODELS: &str = r#"
[trading]
threshold = 0.5
[data]
tables = [{ name = "a", file = "a.csv", target = "y" }]
[[models]]
family = "debug"
grid = { id = [0, 1, 2] }
"#;

const SERIES: &str = r#"
name = "lab"
[data]
series = [{ name = "p", file = "p.csv" }]
[target]
lags = 2
[split]
kind = "fraction"
train = 0.5
[relevance]
low = -0.1
high = 0.1
[measures]
list = ["mad", "f"]
t_l = 0.05
[[models]]
family = "debug"
grid = { id = [0, 1] }
"#;

/// Paths of all numbers below a schema, lists of numbers included; what is kept by name or by family is not
/// looked into.
fn numbers(root: &Value, schema: &Value, path: &str, found: &mut Vec<String>) {
    if let Some(name) = schema["$ref"].as_str().and_then(|r| r.strip_prefix("#/$defs/")) {
        return numbers(root, &root["$defs"][name], path, found);
    }
    for form in ["anyOf", "oneOf", "allOf"].iter().filter_map(|k| schema[k].as_array()).flatten() {
        numbers(root, form, path, found);
    }
    let types = match &schema["type"] {
        Value::Array(list) => list.clone(),
        one => vec![one.clone()],
    };
    if types.iter().any(|t| t == "number" || t == "integer") {
        found.push(path.to_owned());
    }
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        if !["tasks", "models", "series", "tables", "inputs"].contains(&name.as_str()) {
            let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            numbers(root, inner, &below, found);
        }
    }
    if schema.get("items").is_some() {
        found.push(format!("{path}[]"));
    }
}

/// An experiment in which a key means something.
fn base(key: &str) -> (String, Vec<&'static str>) {
    let text = if key.starts_with("target") { SERIES.to_owned() } else { format!("{FRAME}{MODELS}") };
    let split = |settings: &str| text.replace("kind = \"fraction\"\ntrain = 0.5", settings);
    let text = match key {
        "split.window" | "split.step" => split("kind = \"growing\"\nwindow = 30\nstep = 10"),
        "split.folds" | "split.repeats" => split("kind = \"kfold\"\nfolds = 2"),
        _ => text,
    };
    let setting = match key {
        "split.validation" => vec!["split.validation = 0.2"],
        "relevance.coefficient" => vec!["relevance = { kind = \"pchip\", coefficient = 0.5 }"],
        "relevance.points[]" => vec!["relevance = { kind = \"table\" }"],
        "relevance.ranges[]" => vec!["relevance = { kind = \"indicator\" }"],
        _ => Vec::new(),
    };
    (text, setting)
}

#[test]
fn every_number_is_refused_by_name_or_does_no_harm() {
    let lab = Lab::new();
    let mut prices = "Date,Close\n".to_owned();
    for i in 0..120 {
        let close = 100.0 + 20.0 * (f64::from(i) * 1.1).sin();
        prices.push_str(&format!("2001-{:02}-{:02},{close}\n", i / 25 + 1, i % 25 + 1));
    }
    lab.write("p.csv", &prices);
    let schema = Experiment::json_schema();
    let mut keys = Vec::new();
    numbers(&schema, &schema, "", &mut keys);
    keys.retain(|key| !["measures.list[]", "compare.pairs[]", "data.series[]"].contains(&key.as_str()));
    for key in ["seed", "measures.beta", "trading.threshold", "compare.permutations", "relevance.points[]"] {
        assert!(keys.iter().any(|k| k == key), "{key} is not among {keys:?}");
    }
    let values = ["-1", "-0.1", "0", "nan", "inf", "-inf", "1e300", "4294967295", "9223372036854775807"];
    let (mut refused, mut wrong) = (0, Vec::new());
    for (n, (key, value)) in keys.iter().flat_map(|k| values.map(|v| (k, v))).enumerate() {
        let (text, setting) = base(key);
        let written = match key.strip_suffix("[]") {
            Some("relevance.points") => format!("relevance.points = [[0, 0], [{value}, 1], [2, 1]]"),
            Some("relevance.ranges") => format!("relevance.ranges = [[1.5, {value}]]"),
            Some(list) => format!("{list} = [{value}]"),
            None => format!("{key} = {value}"),
        };
        let changes: Vec<Change> =
            setting.into_iter().chain([written.as_str()]).map(|c| Change::parse(c).unwrap()).collect();
        let text = apply(&text, &changes).unwrap();
        match lab.try_plan(&text) {
            Err(EngineError::Experiment { problems, .. }) => {
                refused += 1;
                // A list is named in the plural, its entry is not.
                let name = key.trim_end_matches("s[]").rsplit('.').next().unwrap();
                let said = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
                if !said.contains(name) {
                    wrong.push(format!("{written}: the key is not named in: {said}"));
                }
            }
            Err(e) => wrong.push(format!("{written}: {e}")),
            Ok(plan) => {
                let root = lab.path(&format!("run-{n}"));
                let ran = whole(&std::sync::Arc::new(plan), &root, &Unsynced, 1);
                if ran.is_err() || !root.join("results/scores.csv").exists() {
                    wrong.push(format!("{written} ends the run after its fits: {:?}", ran.err()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refused > keys.len(), "only {refused} values were refused");
}
