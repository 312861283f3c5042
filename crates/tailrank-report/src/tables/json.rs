//! A run as one JSON document: what the tables say, in full precision. Undefined is null.

use serde_json::{Value, json as value};
use tailrank_experiment::plan::Plan;
use tailrank_metrics::Measure;
use tailrank_score::score::Results;

use crate::{answer, claims::Claim, figures::style::better_word};

/// Everything a run found: measures, the answer in sentences, every table, claims, failures.
pub fn json(plan: &Plan, results: &Results, claims: &[Claim]) -> Value {
    json_of(&plan.experiment.name, &plan.experiment.title, plan.experiment.seed, results, claims)
}

/// [`json`] of results that no run made.
pub fn json_of(name: &str, title: &str, seed: u64, results: &Results, claims: &[Claim]) -> Value {
    let mut found = answer::full_json(results);
    found["name"] = name.into();
    found["title"] = title.into();
    found["seed"] = seed.into();
    found["measures"] = results.measures().iter().map(|&m| measure(m)).collect();
    found["claims"] = value!(claims);
    found
}

/// A document with a line for every row of its tables: two thirds of what full indentation takes, and still read by people and by `diff`.
pub fn json_lines(document: &Value) -> String {
    let Value::Object(entries) = document else { return format!("{document}\n") };
    let entry = |(key, value): (&String, &Value)| {
        let key = Value::from(key.as_str());
        match value {
            Value::Array(rows) if !rows.is_empty() => {
                let rows: Vec<String> = rows.iter().map(|row| format!("    {row}")).collect();
                format!("  {key}: [\n{}\n  ]", rows.join(",\n"))
            }
            value => format!("  {key}: {value}"),
        }
    };
    let entries: Vec<String> = entries.iter().map(entry).collect();
    format!("{{\n{}\n}}\n", entries.join(",\n"))
}

fn measure(m: Measure) -> Value {
    let (info, better) = (m.info(), better_word(m.better()));
    value!({ "id": info.id, "name": info.name, "symbol": info.symbol, "better": better, "citation": info.citation })
}
