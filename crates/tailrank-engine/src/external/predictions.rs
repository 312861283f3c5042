//! Predictions made elsewhere, in wide or long tables.

use std::path::Path;

use tailrank_data::frame::{self, Column, Frame};

use super::{read_frame, refuse};
use crate::Result;

/// True values and the predictions of every model, for one task.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictionTable {
    /// Name of the task; empty when the table names none.
    pub task: String,
    /// True values.
    pub truth: Vec<f64>,
    /// Models by name, in the order of the table.
    pub models: Vec<(String, Vec<f64>)>,
}

const TRUTH: [&str; 6] = ["y", "truth", "y_true", "actual", "target", "observed"];
const PASSED_OVER: [&str; 4] = ["date", "time", "row", "id"];

/// Reads a table of predictions; one entry per task, in order of appearance.
///
/// Wide: a column of true values and one column per model. Long: columns `model`, `prediction` and the true values.
pub fn read_predictions(path: &Path) -> Result<Vec<PredictionTable>> {
    tables(&read_frame(path)?).map_err(|problem| refuse(path, problem))
}

/// [`read_predictions`] of a file's bytes; the name's ending tells its format.
pub fn predictions_of(name: &str, bytes: &[u8]) -> Result<Vec<PredictionTable>> {
    let refuse = |problem: String| refuse(Path::new(name), problem);
    tables(&frame::read(name, bytes).map_err(|e| refuse(e.to_string()))?).map_err(refuse)
}

fn tables(frame: &Frame) -> std::result::Result<Vec<PredictionTable>, String> {
    if frame.height() == 0 {
        return Err("it has no rows".to_owned());
    }
    let truth = TRUTH.iter().find_map(|name| find(frame, &[name])).ok_or_else(|| {
        let names: Vec<&str> = frame.columns().iter().map(|(n, _)| n.as_str()).collect();
        format!("no column of true values: name one of {}; it has {}", TRUTH.join(", "), names.join(", "))
    })?;
    let y = numbers(frame, truth)?;
    let task = find(frame, &["task"]).map(|t| texts(frame, t));
    let task_of = |row: usize| task.as_ref().map_or("", |t| t[row].as_str());
    match (find(frame, &["model", "variant"]), find(frame, &["prediction", "predicted", "y_pred"])) {
        (Some(model), Some(prediction)) => {
            long(&y, &texts(frame, model), &numbers(frame, prediction)?, frame.height(), task_of)
        }
        _ => wide(frame, truth, &y, task_of),
    }
}

fn wide<'a>(
    frame: &Frame,
    truth: usize,
    y: &[f64],
    task_of: impl Fn(usize) -> &'a str,
) -> std::result::Result<Vec<PredictionTable>, String> {
    let mut models = Vec::new();
    for (c, (name, _)) in frame.columns().iter().enumerate() {
        let lower = name.to_lowercase();
        if c != truth && lower != "task" && !PASSED_OVER.contains(&lower.as_str()) {
            models.push((name.clone(), numbers(frame, c)?));
        }
    }
    if models.is_empty() {
        return Err("it has true values but no column of predictions".to_owned());
    }
    let mut tables: Vec<PredictionTable> = Vec::new();
    for row in 0..frame.height() {
        let place = table_of(&mut tables, task_of(row), models.iter().map(|(n, _)| n.clone()));
        tables[place].truth.push(y[row]);
        for (m, (_, values)) in models.iter().enumerate() {
            tables[place].models[m].1.push(values[row]);
        }
    }
    Ok(tables)
}

fn long<'a>(
    y: &[f64],
    model: &[String],
    prediction: &[f64],
    rows: usize,
    task_of: impl Fn(usize) -> &'a str,
) -> std::result::Result<Vec<PredictionTable>, String> {
    let mut tables: Vec<PredictionTable> = Vec::new();
    for row in 0..rows {
        let place = table_of(&mut tables, task_of(row), std::iter::empty());
        let table = &mut tables[place];
        let m = table.models.iter().position(|(n, _)| *n == model[row]).unwrap_or_else(|| {
            table.models.push((model[row].clone(), Vec::new()));
            table.models.len() - 1
        });
        let case = table.models[m].1.len();
        // The first model of a task brings its true values; every other must bring the same, in the same order.
        if m == 0 {
            table.truth.push(y[row]);
        } else if table.truth.get(case) != Some(&y[row]) {
            return Err(format!(
                "row {}: case {} of model '{}' has the true value {}, model '{}' has {}; give every model the same \
                 cases in the same order",
                row + 1,
                case + 1,
                model[row],
                y[row],
                table.models[0].0,
                table.truth.get(case).map_or_else(|| "no such case".to_owned(), ToString::to_string),
            ));
        }
        table.models[m].1.push(prediction[row]);
    }
    for table in &tables {
        if let Some((name, p)) = table.models.iter().find(|(_, p)| p.len() != table.truth.len()) {
            return Err(format!(
                "model '{name}' has {} cases, model '{}' has {}",
                p.len(),
                table.models[0].0,
                table.truth.len()
            ));
        }
    }
    Ok(tables)
}

fn table_of(tables: &mut Vec<PredictionTable>, task: &str, models: impl Iterator<Item = String>) -> usize {
    tables.iter().position(|t| t.task == task).unwrap_or_else(|| {
        tables.push(PredictionTable {
            task: task.to_owned(),
            truth: Vec::new(),
            models: models.map(|m| (m, Vec::new())).collect(),
        });
        tables.len() - 1
    })
}

pub(super) fn find(frame: &Frame, names: &[&str]) -> Option<usize> {
    frame.columns().iter().position(|(n, _)| names.contains(&n.trim().to_lowercase().as_str()))
}

fn numbers(frame: &Frame, place: usize) -> std::result::Result<Vec<f64>, String> {
    let (name, column) = &frame.columns()[place];
    let values: Vec<f64> = match column {
        Column::Real(v) => v.clone(),
        Column::Int(v) => v.iter().map(|x| *x as f64).collect(),
        Column::Text(v) => {
            let row = v.iter().position(|t| t.trim().parse::<f64>().is_err()).unwrap_or(0);
            return Err(format!("column '{name}' row {} is '{}': predictions are numbers", row + 1, v[row]));
        }
    };
    match values.iter().position(|v| !v.is_finite()) {
        Some(row) => {
            Err(format!("column '{name}' row {} is missing or not finite; drop or impute that case", row + 1))
        }
        None => Ok(values),
    }
}

pub(super) fn texts(frame: &Frame, place: usize) -> Vec<String> {
    match &frame.columns()[place].1 {
        Column::Text(v) => v.clone(),
        Column::Real(v) => v.iter().map(ToString::to_string).collect(),
        Column::Int(v) => v.iter().map(ToString::to_string).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> std::result::Result<Vec<PredictionTable>, String> {
        tables(&tailrank_data::frame::read("t.csv", text.as_bytes()).unwrap())
    }

    #[test]
    fn wide_and_long_are_the_same() {
        let wide = read("date,y,a,b\n2020-01-01,1,1.5,2\n2020-01-02,2,2.5,3\n").unwrap();
        let long = read("model,y,prediction\na,1,1.5\na,2,2.5\nb,1,2\nb,2,3\n").unwrap();
        assert_eq!(wide, long);
        assert_eq!(wide[0].models, [("a".to_owned(), vec![1.5, 2.5]), ("b".to_owned(), vec![2.0, 3.0])]);
    }

    #[test]
    fn tasks_are_kept_apart() {
        let found = read("task,y,a\nKO,1,1.5\nBA,2,2.5\nKO,3,3.5\n").unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].task.as_str(), &found[0].truth), ("KO", &vec![1.0, 3.0]));
    }

    #[test]
    fn problems_name_the_place() {
        assert!(read("a,b\n1,2\n").unwrap_err().starts_with("no column of true values"));
        assert_eq!(
            read("y,a\n1,2\n2,\n").unwrap_err(),
            "column 'a' row 2 is missing or not finite; drop or impute that case"
        );
        assert_eq!(read("y,a\n1,x\n2,3\n").unwrap_err(), "column 'a' row 1 is 'x': predictions are numbers");
        let err = read("model,y,prediction\na,1,1\nb,2,1\n").unwrap_err();
        assert!(err.starts_with("row 2: case 1 of model 'b' has the true value 2, model 'a' has 1"), "{err}");
    }
}
