//! Predictions and scores of a run as tidy tables, one row per observation: for pandas, R and everything else that reads CSV or Parquet.

use tailrank_data::{
    Dataset, Rows,
    frame::{Column, Frame},
};
use tailrank_experiment::plan::{Plan, Task, Variant};
use tailrank_metrics::{Measure, Score};
use tailrank_runner::store::Store;
use tailrank_score::{
    score::{Results, StoredPredictions, TaskId, VariantName},
    table::{
        Format::{Name, Number},
        Table,
    },
};

use crate::{PageInput, ReportError, Result, answer::ends, error::problem, figures::Paper, page};

/// Figures of a run for a printed page.
#[derive(Debug, Default)]
pub struct PaperFigures {
    /// File names without an ending, and SVG documents.
    pub drawn: Vec<(String, String)>,
    /// Those that the width is too narrow for, with the reason.
    pub too_narrow: Vec<(String, String)>,
}

impl page::Sink for PaperFigures {
    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let name = name.trim_start_matches("figures/").trim_end_matches(".svg");
        self.drawn.push((name.to_owned(), String::from_utf8_lossy(bytes).into_owned()));
        Ok(())
    }

    fn left_out(&mut self, name: &str, why: &ReportError) {
        if matches!(why, ReportError::TooNarrow { .. }) {
            self.too_narrow.push((name.to_owned(), why.to_string()));
        }
    }
}

/// The static figures of a run, drawn at the width of a printed page.
pub fn figures(subject: PageInput<'_>, paper: Paper) -> Result<PaperFigures> {
    let mut found = PaperFigures::default();
    page::write_figures(subject, paper, &mut found)?;
    Ok(found)
}

/// One prediction.
struct Predicted<'a> {
    task: &'a Task,
    model: &'a Variant,
    fold: i64,
    row: usize,
    value: f64,
}

/// Every prediction of a run: task, date, fold, row, y, variant, family, prediction. What `tailrank score` reads as it is.
///
/// Dates are those of the rows' origins, folds count from 1; both stand only where some task has them. Variants that failed are
/// left out.
pub fn predictions(plan: &Plan, store: &Store<'_>) -> Result<Frame> {
    let stored = StoredPredictions::list(plan, store)?;
    let mut all = Vec::new();
    for t in TaskId::all(plan.tasks.len()) {
        let task = &plan.tasks[t];
        let rows_of = |part: &Vec<usize>| part.iter().flat_map(|&s| task.splits[s].test.iter()).collect();
        let parts: Vec<Vec<usize>> = task.parts().iter().map(rows_of).collect();
        for (model, found) in plan.variants.iter().zip(stored.of_task(t)?) {
            for (fold, (rows, values)) in (1..).zip(parts.iter().zip(&found.parts)) {
                let of_row = |(&row, &value)| Predicted { task, model, fold, row, value };
                all.extend(rows.iter().zip(values).map(of_row));
            }
        }
    }
    let mut columns = vec![("task", Column::Text(all.iter().map(|p| p.task.name.clone()).collect()))];
    if all.iter().any(|p| matches!(*p.task.data, Dataset::Series(_))) {
        columns.push(("date", Column::Text(all.iter().map(|p| date(p.task, p.row)).collect())));
    }
    if all.iter().any(|p| p.fold > 1) {
        columns.push(("fold", Column::Int(all.iter().map(|p| p.fold).collect())));
    }
    columns.extend([
        ("row", Column::Int(all.iter().map(|p| p.row as i64 + 1).collect())),
        ("y", Column::Real(all.iter().map(|p| p.task.data.targets()[p.row]).collect())),
        ("model", Column::Text(all.iter().map(|p| p.model.label.clone()).collect())),
        ("family", Column::Text(all.iter().map(|p| p.model.group.clone()).collect())),
        ("prediction", Column::Real(all.iter().map(|p| p.value).collect())),
    ]);
    frame(columns)
}

/// The date of a row's origin; empty where rows have none.
fn date(task: &Task, row: usize) -> String {
    match &*task.data {
        Dataset::Series(series) => series.origin_date(row).to_string(),
        _ => String::new(),
    }
}

fn frame(columns: Vec<(&str, Column)>) -> Result<Frame> {
    let named = columns.into_iter().map(|(name, column)| (name.to_owned(), column)).collect();
    Frame::new(named).map_err(|e| problem("export", &e))
}

/// One score.
struct Row<'a> {
    task: &'a str,
    model: &'a VariantName,
    measure: Measure,
    score: Score,
    interval: Option<(f64, f64)>,
    rank: Option<f64>,
}

/// Which rows of each task train, choose and test, split by split: task, date, split, row, role, y. Rows count from 1, as in
/// [`predictions`]; of a table they are the rows of its file.
pub fn splits(plan: &Plan) -> Result<Frame> {
    // Task, split, row and role.
    let mut all: Vec<(&Task, usize, usize, &str)> = Vec::new();
    for task in &plan.tasks {
        for (s, split) in task.splits.iter().enumerate() {
            let train = split.train.iter().map(|r| (r, "train"));
            let validation = split.validation.iter().flat_map(Rows::iter).map(|r| (r, "validation"));
            let test = split.test.iter().map(|r| (r, "test"));
            all.extend(train.chain(validation).chain(test).map(|(row, role)| (task, s, row, role)));
        }
    }
    frame(vec![
        ("task", Column::Text(all.iter().map(|(task, ..)| task.name.clone()).collect())),
        ("date", Column::Text(all.iter().map(|&(task, _, row, _)| date(task, row)).collect())),
        ("split", Column::Int(all.iter().map(|&(_, split, ..)| split as i64 + 1).collect())),
        ("row", Column::Int(all.iter().map(|&(_, _, row, _)| row as i64 + 1).collect())),
        ("role", Column::Text(all.iter().map(|&(.., role)| role.to_owned()).collect())),
        ("y", Column::Real(all.iter().map(|&(task, _, row, _)| task.data.targets()[row]).collect())),
    ])
}

/// Every score: task, variant, family, parameters, measure, score, lower, upper, rank, and why a score is undefined.
pub fn scores(results: &Results) -> Result<Frame> {
    let mut rows = Vec::new();
    for (task, scores) in TaskId::all(results.scores.len()).zip(&results.scores) {
        for (place, &measure) in scores.measures.iter().enumerate() {
            let ranks = scores.ranks(measure);
            rows.extend(scores.scored().into_iter().map(|v| Row {
                task: results.names.task(task),
                model: &results.names.variants[v],
                measure,
                score: scores.scores[v][place],
                interval: ends(results, task, measure, v).filter(|(lower, _)| lower.is_finite()),
                rank: ranks[v],
            }));
        }
    }
    let table = Table::of(rows)
        .column(Name, "task", "", |r| r.task)
        .column(Name, "model", "", |r| r.model.label.as_str())
        .column(Name, "family", "", |r| r.model.group.as_str())
        .column(Name, "parameters", "", |r| r.model.params.to_string())
        .column(Name, "measure", "", |r| r.measure.id())
        .column(Number, "score", "", |r| r.score)
        .column(Number, "lower", "", |r| r.interval.map(|ends| ends.0))
        .column(Number, "upper", "", |r| r.interval.map(|ends| ends.1))
        .column(Number, "rank", "", |r| r.rank)
        .column(Name, "undefined", "", |r| r.score.undefined().map_or("", |why| why.reason()));
    Ok(table.titled("scores", "").frame()?)
}
