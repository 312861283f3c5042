//! Whatever happens after the first test origin, nothing that was learned before it changes: no φ, no scaler,
//! no model.
//!
//! The first test row is predicted from inputs that lie before it, so its prediction shows all that training
//! has learned.

use std::fmt::Write as _;

use tailrank_data::Part;
use tailrank_experiment::plan::Plan;
use tailrank_models::{FitContext, Matrix, TrainSet, fit_grid};

use crate::lab::{Lab, OTHER_FAMILIES};

const ROWS: usize = 160;
const TRAIN: f64 = 0.5;

fn swing(i: usize) -> f64 {
    let t = i as f64;
    (t * 1.1).sin() + 0.3 * (t * 0.37).cos() + if i.is_multiple_of(9) { 2.0 } else { 0.0 }
}

/// Prices; from session `from` on they are quite other ones.
fn prices(from: usize) -> String {
    let mut csv = "Date,Close\n".to_owned();
    for i in 0..ROWS {
        let price = 100.0 + 9.0 * swing(i);
        let price = if i < from { price } else { 3.0 * price + 17.0 * swing(7 * i + 3) };
        let _ = writeln!(csv, "2001-{:02}-{:02},{price}", i / 20 + 1, i % 20 + 1);
    }
    csv
}

/// A table with gaps and categories; from row `from` on its cells are quite other ones.
fn table(from: usize) -> String {
    let mut csv = "x,c,y\n".to_owned();
    for i in 0..ROWS {
        let (x, y) = (swing(i), 3.0 * swing(i + 5));
        let gap = if i % 7 == 3 { String::new() } else { x.to_string() };
        let _ = if i < from {
            writeln!(csv, "{gap},{},{y}", ["a", "b", "c"][i % 3])
        } else {
            writeln!(csv, "{},{},{}", 50.0 + x, ["z", "c"][i % 2], 1000.0 * y)
        };
    }
    csv
}

fn experiment(data: &str, relevance: &str) -> String {
    format!(
        "name = \"v\"\nseed = 3\ninference = {{ enabled = false }}\n{data}\n[split]\nkind = \"fraction\"\ntrain = {TRAIN}\n[relevance]\n{relevance}\n\
         [measures]\nlist = [\"mad\", \"f\", \"sera\"]\nt_l = 0.5\n[compare]\npermutations = 20\n\n[[models]]\nfamily = \"linear\"\n{OTHER_FAMILIES}"
    )
}

/// What was learned for one task.
struct Learned {
    /// φ over a grid of values.
    relevance: Vec<f64>,
    /// Every variant's prediction of the first test row, with its label.
    first: Vec<(String, f64)>,
}

/// Fits with the seed that the executor gives.
fn learned(plan: &Plan) -> Vec<Learned> {
    let of_task = |t: usize| {
        let task = &plan.tasks[t];
        let rules = plan.rules.for_task(&task.relevance, &task.train_targets(0), task.horizon).unwrap();
        let phi = rules.relevance.unwrap();
        let relevance = (-400..400).map(|v| phi.phi(f64::from(v) * 0.02)).collect();
        let data = task.data.prepare(&task.splits[0]).unwrap();
        let cols = data.input_names.len();
        let view = |part: &Part| Matrix::new(part.targets.len(), cols, part.inputs.clone()).unwrap();
        let (x, test) = (view(&data.train), view(&data.test));
        let mut first = Vec::new();
        for cell in plan.cells.iter().filter(|c| c.task == t) {
            let train = TrainSet::new(x.view(), &data.train.targets);
            let fits = fit_grid(&*cell.family, train, test.view(), &cell.params, &FitContext::new(cell.seed))
                .unwrap();
            let labels = cell.variants.iter().map(|v| plan.variants[*v].label.clone());
            first.extend(labels.zip(fits.into_iter().map(|fit| fit.unwrap().predictions[0])));
        }
        Learned { relevance, first }
    };
    (0..plan.tasks.len()).map(of_task).collect()
}

#[test]
fn test_values_reach_nothing_that_is_learned() {
    let lab = Lab::new();
    let series = "[data]\nseries = [\"s.csv\"]\n[target]\nlags = 4\nhorizons = [1, 3]";
    let tables = "[data]\ntables = [{ name = \"t\", file = \"t.csv\", target = \"y\" }]";
    let pchip = "kind = \"pchip\"\ncoefficient = 0.5\nextremes = \"both\"\nevent_threshold = 0.5";
    let sigmoid = "kind = \"sigmoid\"\nlow = -0.05\nhigh = 0.05";
    for (case, (data, relevance)) in
        [(series, pchip), (series, sigmoid), (tables, pchip)].into_iter().enumerate()
    {
        let text = experiment(data, relevance);
        lab.write("s.csv", &prices(ROWS));
        lab.write("t.csv", &table(ROWS));
        let before = lab.plan(&text);
        // Tasks of other horizons begin their test elsewhere: the latest first origin leaves all of them
        // intact.
        let first =
            before.tasks.iter().map(|t| t.data.timeline().interval(t.splits[0].test.first().unwrap()).origin);
        let first = first.max().unwrap();
        let one = learned(&before);
        lab.write("s.csv", &prices(first + 1));
        lab.write("t.csv", &table(first + 1));
        let after = lab.plan(&text);
        for (a, b) in before.tasks.iter().zip(&after.tasks) {
            assert_eq!(a.train_targets(0), b.train_targets(0));
            assert_ne!(a.test_targets(0), b.test_targets(0));
        }
        let other = learned(&after);
        for (task, (one, other)) in before.tasks.iter().zip(one.iter().zip(&other)) {
            assert!(one.relevance == other.relevance, "case {case}, {}: φ has changed", task.name);
            assert_eq!(one.first, other.first, "case {case}, {}", task.name);
        }
    }
}
