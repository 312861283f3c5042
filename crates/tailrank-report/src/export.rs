//! Predictions and scores of a run as tidy tables, one row per observation: for pandas, R and everything else that reads CSV or Parquet.

use tailrank_data::{
    Dataset, Rows,
    frame::{Column, Frame},
};
use tailrank_experiment::plan::Plan;
use tailrank_metrics::{Measure, Score};
use tailrank_runner::store::Store;
use tailrank_score::{
    score::{Results, StoredPredictions, TaskId, VariantId, VariantName},
    table::{
        Format::{Name, Number},
        Table,
    },
};

use crate::{ReportError, Result, Source, answer::ends, error::problem, figures::Paper, page};

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
pub fn figures(source: Source<'_>, paper: Paper) -> Result<PaperFigures> {
    let mut found = PaperFigures::default();
    page::write_figures(source.into(), paper, &mut found)?;
    Ok(found)
}

/// Every prediction of a run: task, date, fold, row, y, variant, family, prediction. What `tailrank score` reads as it is.
///
/// Dates are those of the rows' origins, folds count from 1; both stand only where some task has them. Variants that failed are
/// left out.
pub fn predictions(plan: &Plan, store: &Store<'_>) -> Result<Frame> {
    let stored = StoredPredictions::list(plan, store)?;
    let (mut task, mut date, mut fold, mut row) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut y, mut variant, mut family, mut prediction) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for t in TaskId::all(plan.tasks.len()) {
        let of = &plan.tasks[t];
        let targets = of.data.targets();
        let series = match &*of.data {
            Dataset::Series(series) => Some(series),
            _ => None,
        };
        let parts: Vec<Vec<usize>> =
            of.parts().iter().map(|p| p.iter().flat_map(|&s| of.splits[s].test.iter()).collect()).collect();
        for (v, found) in VariantId::all(plan.variants.len()).zip(stored.of_task(t)?) {
            for (part, (rows, values)) in parts.iter().zip(&found.parts).enumerate() {
                for (&r, &value) in rows.iter().zip(values) {
                    task.push(of.name.clone());
                    date.push(series.map(|s| s.origin_date(r).to_string()).unwrap_or_default());
                    fold.push(part as i64 + 1);
                    row.push(r as i64 + 1);
                    y.push(targets[r]);
                    variant.push(plan.variants[v].label.clone());
                    family.push(plan.variants[v].group.clone());
                    prediction.push(value);
                }
            }
        }
    }
    let mut columns = vec![("task", Column::Text(task))];
    if date.iter().any(|d| !d.is_empty()) {
        columns.push(("date", Column::Text(date)));
    }
    if fold.iter().any(|&f| f > 1) {
        columns.push(("fold", Column::Int(fold)));
    }
    columns.extend([
        ("row", Column::Int(row)),
        ("y", Column::Real(y)),
        ("model", Column::Text(variant)),
        ("family", Column::Text(family)),
        ("prediction", Column::Real(prediction)),
    ]);
    frame(columns)
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
    let (mut task, mut date, mut split, mut row) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut role, mut y) = (Vec::new(), Vec::new());
    for of in &plan.tasks {
        let targets = of.data.targets();
        for (s, of_split) in of.splits.iter().enumerate() {
            let validation = of_split.validation.iter().flat_map(Rows::iter).map(|r| (r, "validation"));
            let train = of_split.train.iter().map(|r| (r, "train"));
            for (r, of_row) in train.chain(validation).chain(of_split.test.iter().map(|r| (r, "test"))) {
                task.push(of.name.clone());
                date.push(match &*of.data {
                    Dataset::Series(series) => series.origin_date(r).to_string(),
                    _ => String::new(),
                });
                split.push(s as i64 + 1);
                row.push(r as i64 + 1);
                role.push(of_row.to_owned());
                y.push(targets[r]);
            }
        }
    }
    frame(vec![
        ("task", Column::Text(task)),
        ("date", Column::Text(date)),
        ("split", Column::Int(split)),
        ("row", Column::Int(row)),
        ("role", Column::Text(role)),
        ("y", Column::Real(y)),
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
