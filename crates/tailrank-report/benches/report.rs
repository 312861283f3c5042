//! The whole report for 57 variants × 12 tasks × about 4,700 predictions: time, memory and size.
//!
//! ```text
//! cargo bench -p tailrank-report
//! ```
//! Predictions are synthetic and stored as a run would; scoring them counts as well, since `tailrank report`
//! does both.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints and may stop")]

use std::{fs, path::Path, time::Instant};

use tailrank_data::Library;
use tailrank_experiment::plan::Plan;
use tailrank_report::{PageInput, write_report};
use tailrank_runner::store::{
    Store,
    cell_file::{self, CellFit, CellVariant},
    disk::RealDisk,
};
use tailrank_score::score::results;

const EXPERIMENT: &str = r#"
name = "bench"
seed = 1
[data]
series = ["IBM", "KO", "BA", "GM"]
[target]
horizons = [1, 3, 5]
lags = 24
[split]
kind = "date"
at = "1990-01-01"
[relevance]
low = -0.02
high = 0.02
[measures]
list = ["mad", "mse", "rmse", "precision", "recall", "f", "utility", "sera"]
t_l = 0.005
beta = 0.5
[compare]
pairs = [["mad", "f"]]
[trading]
threshold = 0.02
[[models]]
family = "debug"
grid = { id = [IDS] }
"#;

fn main() {
    let ids: Vec<String> = (0..57).map(|i| i.to_string()).collect();
    let text = EXPERIMENT.replace("IDS", &ids.join(", "));
    let plan = Plan::from_text(&text, Path::new("bench.toml"), Path::new(""), &Library::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&RealDisk, &folder.path().join("run"), &text, "bench").unwrap();
    let predictions = fill(&plan, &store);
    let before = peak_memory();

    let (started, cpu) = (Instant::now(), cpu_seconds());
    let results = results(&plan, &store).unwrap();
    let scored = started.elapsed();
    write_report(PageInput::of_run(&plan, &results, &store), &folder.path().join("report")).unwrap();
    let whole = started.elapsed();

    let size = |name: &str| fs::metadata(folder.path().join("report").join(name)).map_or(0, |m| m.len());
    let mb = |bytes: u64| bytes as f64 / 1e6;
    println!("{} variants × {} tasks, {predictions} predictions", plan.variants.len(), plan.tasks.len());
    println!(
        "scoring {:.2} s, report {:.2} s, together {:.2} s ({:.2} s of CPU)",
        scored.as_secs_f64(),
        (whole - scored).as_secs_f64(),
        whole.as_secs_f64(),
        cpu_seconds() - cpu
    );
    println!("peak memory {:.0} MB ({:.0} MB before)", mb(peak_memory()), mb(before));
    println!(
        "page {:.2} MB, chart library {:.1} MB, first task {:.1} MB",
        mb(size("index.html") + size("report.css") + size("report.js")),
        mb(size("plotly.js")),
        mb(size("tasks/1.js"))
    );
}

/// Stores noisy predictions for every cell; returns how many.
fn fill(plan: &Plan, store: &Store<'_>) -> usize {
    let (mut state, mut count) = (1_u64, 0);
    for cell in &plan.cells {
        let truth = plan.tasks[cell.task].test_targets(cell.split);
        let variants: Vec<CellVariant> = cell
            .params
            .iter()
            .map(|params| {
                let predictions = truth.iter().map(|y| {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    0.4 * y + 0.03 * ((state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5)
                });
                let fit =
                    CellFit { predictions: predictions.collect(), converged: true, details: Vec::new() };
                CellVariant { params: params.to_string(), outcome: Ok(fit) }
            })
            .collect();
        count += truth.len() * variants.len();
        store.write_cell(&cell.key, &cell_file::encode(&cell.key, truth.len(), &variants).unwrap()).unwrap();
    }
    count
}

/// CPU time so far in hundredths, where the system tells: what a busy machine does not blur.
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program may hold spaces; user and system time are the 12th and 13th fields after it.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|t| t.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The largest resident size so far, where the system tells.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) * 1024
}
