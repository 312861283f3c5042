//! A measure, a split, a learning step and a statistical test of one's own in an experiment.
//!
//! ```text
//! cargo run --release -p tailrank --example own_parts
//! ```

#![allow(clippy::print_stdout, reason = "the example shows its result")]

use std::{error::Error, fmt::Write, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tailrank::{
    Experiment,
    data::{self, DataError, Scheme, Split, SplitRows, SplitSpec},
    metrics::{Better, Measure, Score, registry::OwnMeasure},
    models::{
        self,
        steps::{Action, Relevance, StepSpec, Weigh},
    },
    score::score::PairedTest,
    stats::{Alternative, sign_test},
};

const EXPERIMENT: &str = r#"
name = "own-parts"
data.tables = ["boston"]
split = { kind = "last", rows = 150 }
relevance = { high = 35 }
measures = { list = ["mad", "f", "largest_miss"], t_l = 3 }
inference = { resamples = 200, shifts = 200 }
models = [{ family = "linear", learn = ["plain", "squares"] }, { family = "knn" }]
"#;

/// Tests the last rows of the file.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Last {
    /// How many rows are tested.
    rows: usize,
}

impl Scheme for Last {
    fn draw(&self, rows: &SplitRows<'_>) -> data::Result<Vec<Split>> {
        let all = rows.timeline.len();
        match all.checked_sub(self.rows) {
            Some(first) => Ok(vec![Split::new(format!("the last {} rows", self.rows), 0..first, first..all)]),
            None => {
                Err(DataError::Scheme(format!("rows = {} is more than the task's {all} rows", self.rows)))
            }
        }
    }

    fn pooled(&self) -> bool {
        true
    }
}

/// A row counts by the square of its target.
#[derive(Debug)]
struct Squares;

impl Weigh for Squares {
    fn weights(&self, y: &[f64], _: Option<&Relevance<'_>>) -> models::Result<Vec<f64>> {
        Ok(y.iter().map(|y| y * y).collect())
    }
}

fn report() -> Result<String, Box<dyn Error>> {
    let miss = |truth: &[f64], predicted: &[f64]| {
        Score::Value(truth.iter().zip(predicted).map(|(y, z)| y - z).fold(0.0, f64::max))
    };
    let largest_miss = OwnMeasure::register("largest_miss", "largest underestimate", Better::Lower, miss)?;
    SplitSpec::new::<Last>("last", &[("rows", "rows, such as rows = 100")]).register()?;
    StepSpec {
        key: "weights",
        name: "squares",
        summary: "a row counts by the square of its target",
        uses_relevance: false,
        parameters: &[],
        build: |_, _| Action::Weigh(Arc::new(Squares)),
    }
    .register()?;
    PairedTest {
        id: "sign",
        symbol: "S",
        name: "the sign test",
        signed: false,
        run: |pair| pair.losses.and_then(|(x, y)| sign_test(x, y, Alternative::TwoSided).ok()),
    }
    .register()?;

    let folder = tempfile::tempdir()?;
    let run = Experiment::from_text(EXPERIMENT, "").run(folder.path().join("run"))?;

    let scores = &run.results.scores[0];
    let (mad, missed) = (scores.values(Measure::Mad), scores.values(largest_miss));
    let shown = |score: Option<f64>| score.map_or_else(|| "–".to_owned(), |score| format!("{score:.2}"));
    let mut text = format!(
        "{}\n{:24} {:>6} {:>13}\n",
        run.plan.tasks[0].splits[0].description, "model", "MAD", "largest miss"
    );
    for (v, variant) in run.plan.variants.iter().enumerate() {
        writeln!(text, "{:24} {:>6} {:>13}", variant.label, shown(mad[v]), shown(missed[v]))?;
    }
    for pair in run.results.inference.iter().flat_map(|task| &task.pairwise) {
        if let Some(tested) = pair.test("sign").filter(|_| pair.measure == Measure::Mad) {
            let (winner, other) = (run.results.names.label(pair.winner), run.results.names.label(pair.other));
            writeln!(text, "{winner} against {other}: p of the sign test {:.4}", tested.p)?;
        }
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", report()?);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_part_takes_part() -> Result<(), Box<dyn std::error::Error>> {
        let text = super::report()?;
        for part in ["the last 150 rows", "linear · squares weights", "largest miss", "p of the sign test"] {
            assert!(text.contains(part), "{part} is missing:\n{text}");
        }
        Ok(())
    }
}
