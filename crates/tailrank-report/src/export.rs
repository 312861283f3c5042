//! Predictions and scores of a run as tidy tables, one row per observation: for pandas, R and everything else that reads CSV or Parquet.

use tailrank_data::{
    Dataset, Rows,
    frame::{Column, Frame},
};
use tailrank_experiment::plan::Plan;
use tailrank_runner::store::Store;
use tailrank_score::score::{Results, StoredPredictions, TaskId, VariantId};

use crate::{Result, answer::ends, error::problem};

fn frame(columns: Vec<(&str, Column)>) -> Result<Frame> {
    let named = columns.into_iter().map(|(name, column)| (name.to_owned(), column)).collect();
    Frame::new(named).map_err(|e| problem("export", &e))
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
    let (mut task, mut variant, mut family, mut parameters) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut measure, mut reason) = (Vec::new(), Vec::new());
    let (mut score, mut lower, mut upper, mut rank) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (t, scores) in TaskId::all(results.scores.len()).zip(&results.scores) {
        for (m, &of) in scores.measures.iter().enumerate() {
            let ranks = scores.ranks(of);
            for v in scores.scored() {
                let name = &results.names.variants[v];
                let interval = ends(results, t, of, v).filter(|(lower, _)| lower.is_finite());
                let found = scores.scores[v][m];
                task.push(results.names.task(t).to_owned());
                variant.push(name.label.clone());
                family.push(name.group.clone());
                parameters.push(name.params.to_string());
                measure.push(of.id().to_owned());
                score.push(found.value().unwrap_or(f64::NAN));
                lower.push(interval.map_or(f64::NAN, |i| i.0));
                upper.push(interval.map_or(f64::NAN, |i| i.1));
                rank.push(ranks[v].unwrap_or(f64::NAN));
                reason.push(found.undefined().map_or("", |why| why.reason()).to_owned());
            }
        }
    }
    frame(vec![
        ("task", Column::Text(task)),
        ("model", Column::Text(variant)),
        ("family", Column::Text(family)),
        ("parameters", Column::Text(parameters)),
        ("measure", Column::Text(measure)),
        ("score", Column::Real(score)),
        ("lower", Column::Real(lower)),
        ("upper", Column::Real(upper)),
        ("rank", Column::Real(rank)),
        ("undefined", Column::Text(reason)),
    ])
}
