//! A measure and a family of one's own and a linfa regressor in an experiment, beside built-in ones.
//!
//! ```text
//! cargo run --release -p tailrank --example own_family
//! ```

#![allow(clippy::print_stdout, reason = "the example shows its result")]

use linfa_svm::Svm;
use tailrank::{
    Experiment,
    experiment::families::Families,
    metrics::{Better, Measure, Score, registry::OwnMeasure},
    models::{
        ParamKind, ParamSpec,
        engines::{linfa::linfa_family, own::OwnModel},
    },
    stats::rank_scores,
};

const EXPERIMENT: &str = r#"
name = "own-family"
data.series = ["KO"]
target = { horizons = [1], lags = 5 }
split = { kind = "date", at = "1990-01-01" }
relevance = { low = -0.02, high = 0.02 }
measures = { list = ["mad", "f", "worst"], t_l = 0.01 }

[[models]]
family = "smoother"
grid = { memory = [0.3, 0.6, 0.9] }

[[models]]
family = "linear_svm"
grid = { cost = [0.1, 10] }

[[models]]
family = "knn"
grid = { k = [5, 20] }

[[models]]
family = "linear"
"#;

const MEMORY: &[ParamSpec] = &[ParamSpec {
    name: "memory",
    kind: ParamKind::Real { min: 0.0, above: true, max: 1.0 },
    default: "0.5",
    doc: "weight of each return relative to the one after it",
}];

const COST: &[ParamSpec] = &[ParamSpec {
    name: "cost",
    kind: ParamKind::Real { min: 0.0, above: true, max: f64::INFINITY },
    default: "1",
    doc: "weight of errors",
}];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The weighted mean of past returns, newest first.
    let smoother = OwnModel::new("smoother", MEMORY, |_train, test, variant, _context| {
        let memory = variant.real("memory", 0.5);
        let smooth = |row: &[f64]| {
            let (sum, weights) = row.iter().enumerate().fold((0.0, 0.0), |(sum, weights), (age, value)| {
                let weight = memory.powi(age as i32);
                (sum + weight * value, weights + weight)
            });
            sum / weights
        };
        Ok(test.iter_rows().map(smooth).collect())
    });
    let linear_svm = linfa_family("linear_svm", COST, |variant| {
        Svm::<f64, f64>::params().c_svr(variant.real("cost", 1.0), Some(0.001)).linear_kernel()
    });

    // An experiment names it like any other measure.
    let worst =
        OwnMeasure::register("worst", "largest absolute error", Better::Lower, |truth, predicted| {
            Score::Value(truth.iter().zip(predicted).map(|(y, z)| (z - y).abs()).fold(0.0, f64::max))
        })?;

    let folder = tempfile::tempdir()?;
    let run = Experiment::from_text(EXPERIMENT, "")
        .families(Families::built_in().with(smoother)?.with(linear_svm)?)
        .run(folder.path().join("run"))?;

    let ranks = |measure: Measure| -> Result<Vec<f64>, Box<dyn std::error::Error>> {
        Ok(rank_scores(&run.results.scores[0].values(measure), measure.better())?)
    };
    let (by_mad, by_f, by_worst) = (ranks(Measure::Mad)?, ranks(Measure::F)?, ranks(worst)?);
    println!("{:16} {:>11} {:>9} {:>13}", "model", "rank by MAD", "rank by F", "rank by worst");
    for (v, variant) in run.plan.variants.iter().enumerate() {
        println!("{:16} {:>11} {:>9} {:>13}", variant.label, by_mad[v], by_f[v], by_worst[v]);
    }
    Ok(())
}
