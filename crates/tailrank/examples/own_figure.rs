//! A figure of one's own on the page of a run, beside the built-in ones.
//!
//! ```text
//! cargo run --release -p tailrank --example own_figure
//! ```

#![allow(clippy::print_stdout, reason = "the example shows its result")]

use tailrank::{
    Experiment,
    metrics::rec::{RecError, rec_curve},
    report::{
        Result,
        figures::{Draw, FigureSpec, Sheet, TaskView, VariantCurve, rec_curves},
    },
};

const EXPERIMENT: &str = r#"
name = "own-figure"
data.series = ["KO"]
target = { horizons = [1], lags = 5 }
split = { kind = "date", at = "1990-01-01" }
relevance = { low = -0.02, high = 0.02 }
measures = { list = ["mad", "f"], t_l = 0.01 }

[[models]]
family = "knn"
grid = { k = [5, 20] }

[[models]]
family = "linear"
"#;

/// REC curves of every model; the page has those of the winners.
const ALL_REC_CURVES: FigureSpec = FigureSpec {
    name: "rec curves of all models",
    question: "How large are the errors of every model?",
    draw: Draw::Task(draw),
};

fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let models = task.scores.distinct().into_iter();
    let curve = |v| {
        let curve = rec_curve(&task.truth, task.predicted(v)?, RecError::Absolute).ok()?;
        Some(VariantCurve { variant: task.variant(v), curve })
    };
    let curves: Vec<VariantCurve<'_>> = models.filter_map(curve).collect();
    sheet.add("", rec_curves(sheet.heading, task.quantity("absolute error"), &curves))
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    ALL_REC_CURVES.register()?;
    let folder = tempfile::tempdir()?;
    let run = Experiment::from_text(EXPERIMENT, "").run(folder.path().join("run"))?;
    let written = run.write_report(folder.path().join("report"))?;
    let page = std::fs::read_to_string(&written.index)?;
    println!("on the first screen: {}", page.contains(ALL_REC_CURVES.question));
    println!(
        "as a file: {}",
        folder.path().join("report/figures/1-ko-1d-rec-curves-of-all-models.svg").exists()
    );
    Ok(())
}
