//! Predictions and scores of a run as tidy tables, one row per observation: for pandas, R and everything else
//! that reads CSV or Parquet.

use tailrank_data::{
    Dataset, Rows,
    frame::{Column, Frame},
};
use tailrank_experiment::plan::{Plan, Task, Variant};
use tailrank_metrics::{Measure, Score};
use tailrank_runner::store::Store;
use tailrank_score::{
    score::{Results, StoredPredictions, TaskId, VariantId},
    table::{
        Format::{Name, Number},
        Table,
    },
};

use crate::{
    PageInput, ReportError, Result,
    answer::ends,
    error::problem,
    figures::{Drawing, Paper, TaskView, draw_run, draw_task},
    page,
};

/// Figures of a run for a printed page.
#[derive(Debug, Default)]
pub struct PaperFigures {
    /// File names without an ending, and SVG documents.
    pub drawn: Vec<(String, String)>,
    /// Those that the width is too narrow for, with the reason.
    pub too_narrow: Vec<(String, String)>,
}

/// The static figures of a run, drawn at the width of a printed page.
pub fn figures(subject: PageInput<'_>, paper: Paper) -> Result<PaperFigures> {
    let mut drawings = draw_run(&subject, Some(paper))?;
    let (pages, stored) = (subject.pages.of(subject.results)?, page::stored(subject)?);
    for number in (0..pages.len()).filter(|&number| pages[number]) {
        let task = TaskView::load(subject, TaskId(number), stored.as_ref())?;
        drawings.extend(draw_task(&task, Some(paper), |_| true)?);
    }
    let mut found = PaperFigures::default();
    for Drawing { stem, figure, .. } in drawings {
        match figure {
            Ok(figure) => found.drawn.push((stem, figure.svg)),
            Err(why @ ReportError::TooNarrow { .. }) => found.too_narrow.push((stem, why.to_string())),
            Err(_) => {}
        }
    }
    Ok(found)
}

/// Every prediction of a run: task, date, fold, row, y, variant, family, prediction. What `tailrank score`
/// reads as it is.
///
/// Dates are those of the rows' origins, folds count from 1; both stand only where some task has them.
/// Variants that failed are left out.
pub fn predictions(plan: &Plan, store: &Store<'_>) -> Result<Frame> {
    let stored = StoredPredictions::list(plan, store)?;
    // Task, model, fold, row and prediction.
    let mut all: Vec<(&Task, &Variant, i64, usize, f64)> = Vec::new();
    for t in TaskId::all(plan.tasks.len()) {
        let task = &plan.tasks[t];
        let rows_of = |part: &Vec<usize>| part.iter().flat_map(|&s| task.splits[s].test.iter()).collect();
        let parts: Vec<Vec<usize>> = task.parts().iter().map(rows_of).collect();
        for (model, found) in plan.variants.iter().zip(stored.of_task(t)?) {
            for (fold, (rows, values)) in (1..).zip(parts.iter().zip(&found.parts)) {
                all.extend(rows.iter().zip(values).map(|(&row, &value)| (task, model, fold, row, value)));
            }
        }
    }
    let mut columns = vec![("task", Column::Text(all.iter().map(|(task, ..)| task.name.clone()).collect()))];
    if all.iter().any(|(task, ..)| matches!(*task.data, Dataset::Series(_))) {
        columns
            .push(("date", Column::Text(all.iter().map(|&(task, _, _, row, _)| date(task, row)).collect())));
    }
    if all.iter().any(|&(_, _, fold, ..)| fold > 1) {
        columns.push(("fold", Column::Int(all.iter().map(|&(_, _, fold, ..)| fold).collect())));
    }
    columns.extend([
        ("row", Column::Int(all.iter().map(|&(.., row, _)| row as i64 + 1).collect())),
        ("y", Column::Real(all.iter().map(|&(task, .., row, _)| task.data.targets()[row]).collect())),
        ("model", Column::Text(all.iter().map(|(_, model, ..)| model.label.clone()).collect())),
        ("family", Column::Text(all.iter().map(|(_, model, ..)| model.group.clone()).collect())),
        ("prediction", Column::Real(all.iter().map(|&(.., value)| value).collect())),
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

/// Which rows of each task train, choose and test, split by split: task, date, split, row, role, y. Rows
/// count from 1, as in [`predictions`]; of a table they are the rows of its file.
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

/// Every score: task, variant, family, parameters, measure, score, lower, upper, rank, and why a score is
/// undefined.
pub fn scores(results: &Results) -> Result<Frame> {
    // Task, model, measure, score and rank.
    let mut rows: Vec<(TaskId, VariantId, Measure, Score, Option<f64>)> = Vec::new();
    for (task, scores) in TaskId::all(results.scores.len()).zip(&results.scores) {
        for (place, &measure) in scores.measures.iter().enumerate() {
            let ranks = scores.ranks(measure);
            let row = |v: VariantId| (task, v, measure, scores.scores[v][place], ranks[v]);
            rows.extend(scores.scored().into_iter().map(row));
        }
    }
    let models = &results.names.variants;
    let ends = |&(task, model, measure, ..): &(TaskId, VariantId, Measure, Score, Option<f64>)| {
        ends(results, task, measure, model).filter(|(lower, _)| lower.is_finite())
    };
    let table = Table::of(rows)
        .column(Name, "task", "", |&(task, ..)| results.names.task(task))
        .column(Name, "model", "", |&(_, model, ..)| models[model].label.as_str())
        .column(Name, "family", "", |&(_, model, ..)| models[model].group.as_str())
        .column(Name, "parameters", "", |&(_, model, ..)| models[model].params.to_string())
        .column(Name, "measure", "", |(_, _, measure, ..)| measure.id())
        .column(Number, "score", "", |&(.., score, _)| score)
        .column(Number, "lower", "", |row| ends(row).map(|ends| ends.0))
        .column(Number, "upper", "", |row| ends(row).map(|ends| ends.1))
        .column(Number, "rank", "", |&(.., rank)| rank)
        .column(Name, "undefined", "", |&(.., score, _)| score.undefined().map_or("", |why| why.reason()));
    Ok(table.titled("scores", "").frame()?)
}
