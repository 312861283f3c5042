//! A run as one JSON document: what the tables say, in full precision. Undefined is null.

use serde_json::{Value, json as value};
use tailrank_engine::{plan::Plan, score::Results};
use tailrank_metrics::{Better, Measure};

use crate::claims::Claim;

/// Everything a run found: measures, verdicts with their sentences, every table, claims, failures.
pub fn json(plan: &Plan, results: &Results, claims: &[Claim]) -> Value {
    let mut found = results.full_json();
    found["name"] = plan.experiment.name.as_str().into();
    found["title"] = plan.experiment.title.as_str().into();
    found["seed"] = plan.experiment.seed.into();
    found["measures"] = plan.rules.measures.iter().map(|&m| measure(m)).collect();
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
