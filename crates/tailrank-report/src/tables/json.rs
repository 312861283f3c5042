//! A run as one JSON document: what the tables say, in full precision. Undefined is null.

use serde_json::{Value, json as value};
use tailrank_engine::{plan::Plan, score::Results};
use tailrank_metrics::{Better, Measure};

use crate::claims::Claim;

/// Everything a run found: measures, verdicts with their sentences, every table, claims, failures.
pub fn json(plan: &Plan, results: &Results, claims: &[Claim]) -> Value {
    json_of(&plan.experiment.name, &plan.experiment.title, plan.experiment.seed, results, claims)
}

/// [`json`] of results that no run made.
pub fn json_of(name: &str, title: &str, seed: u64, results: &Results, claims: &[Claim]) -> Value {
    let mut found = results.full_json();
    found["name"] = name.into();
    found["title"] = title.into();
    found["seed"] = seed.into();
    found["measures"] = results.measures().iter().map(|&m| measure(m)).collect();
    found["claims"] = value!(claims);
    found
}

fn measure(m: Measure) -> Value {
    let info = m.info();
    let better = match info.better {
        Better::Lower => "lower",
        Better::Higher => "higher",
    };
    value!({ "id": info.id, "name": info.name, "symbol": info.symbol, "better": better, "citation": info.citation })
}
