//! Predictions made elsewhere for the test cases of a run, found by task and row.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use tailrank_data::frame::Frame;

use super::{
    predictions::{PREDICTED, PREDICTIONS, Read, complete, find, texts},
    read_frame, refuse,
};
use crate::{
    Result,
    plan::{Plan, Task},
    score::{Predictions, Submission, VariantStatus},
    text::{count, list},
};

/// Reads the columns `task`, `row` and `prediction`, as the run's exported splits number rows; with a column
/// `fold`, a row may be predicted once a fold.
///
/// # Errors
/// The first task or row that the run does not test, that stands twice, or that is missing from a task of the
/// table. A task without any row is missing as a whole, which is no error.
pub fn read_submission(path: &Path, name: &str, plan: &Plan) -> Result<Submission> {
    let refuse = |problem: String| refuse(path, problem);
    let mut values = by_task(&read_frame(path)?).map_err(refuse)?;
    let of_task = |task: &Task| match values.remove(&task.name) {
        Some(found) => predictions(task, found),
        None => Ok(Predictions::missing()),
    };
    let tasks: Read<Vec<Predictions>> = plan.tasks.iter().map(of_task).collect();
    let tasks = tasks.map_err(refuse)?;
    match values.keys().next() {
        Some(unknown) => {
            let names: Vec<String> = plan.tasks.iter().map(|t| format!("'{}'", t.name)).collect();
            Err(refuse(format!("task '{unknown}' is not among those of the run: {}", list(&names))))
        }
        None => Ok(Submission { name: name.to_owned(), tasks }),
    }
}

/// The prediction for each row, by its fold where the table names folds, else by 0.
type OfRows = BTreeMap<(usize, usize), f64>;

fn by_task(frame: &Frame) -> Read<BTreeMap<String, OfRows>> {
    let column = |names: &[&str]| {
        find(frame, names).ok_or_else(|| {
            let has: Vec<String> = frame.columns().iter().map(|(n, _)| n.clone()).collect();
            format!("no column '{}': give task, row and prediction; it has {}", names[0], list(&has))
        })
    };
    let whole = |place: usize, what: &str| -> Read<Vec<usize>> {
        let number = |(at, value): (usize, f64)| match value {
            v if v >= 1.0 && v.fract() == 0.0 => Ok(v as usize),
            v => Err(format!("line {}: {what} {v} is not a whole number from 1", at + 1)),
        };
        complete(frame, place, what)?.into_iter().enumerate().map(number).collect()
    };
    let (task, row) = (texts(frame, column(&["task"])?), whole(column(&["row"])?, "row")?);
    let predicted = complete(frame, column(&PREDICTED)?, PREDICTIONS)?;
    let folds = find(frame, &["fold"]).map(|place| whole(place, "fold")).transpose()?;
    let mut found: BTreeMap<String, OfRows> = BTreeMap::new();
    for (at, task) in task.into_iter().enumerate() {
        let key = (folds.as_ref().map_or(0, |f| f[at]), row[at]);
        let twice =
            format!("task '{task}' has row {} twice; give one prediction for each test case", row[at]);
        if found.entry(task).or_default().insert(key, predicted[at]).is_some() {
            return Err(twice);
        }
    }
    Ok(found)
}

fn predictions(task: &Task, mut found: OfRows) -> Read<Predictions> {
    let by_fold = found.keys().any(|&(fold, _)| fold > 0);
    let (mut parts, mut missing, mut used) = (Vec::new(), Vec::new(), BTreeSet::new());
    for (part, splits) in task.parts().iter().enumerate() {
        let mut values = Vec::new();
        for row in splits.iter().flat_map(|&s| task.splits[s].test.iter()) {
            let key = (if by_fold { part + 1 } else { 0 }, row + 1);
            match found.get(&key) {
                Some(&value) => values.push(value),
                None => missing.push(row + 1),
            }
            used.insert(key);
        }
        parts.push(values);
    }
    if let Some(first) = missing.first() {
        return Err(format!(
            "task '{}' lacks {}, the first is row {first}; predict every row whose role is test, or leave the task out",
            task.name,
            count(missing.len(), "test case")
        ));
    }
    found.retain(|key, _| !used.contains(key));
    match found.keys().next() {
        Some((_, row)) => Err(format!(
            "task '{}': row {row} is not a test case of it; leave it out, or number rows as the exported splits do",
            task.name
        )),
        None => Ok(Predictions { status: VariantStatus::Fine, parts }),
    }
}
