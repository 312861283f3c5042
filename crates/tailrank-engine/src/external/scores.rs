//! Scores made elsewhere, or by a run: one row per model, one column per measure.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use tailrank_data::frame::{self, Column, Frame};
use tailrank_metrics::{Better, Measure};

use super::{
    predictions::{find, texts},
    read_frame, refuse,
};
use crate::Result;

/// Scores of several models by several measures, on one task.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreTable {
    /// Name of the task; empty when the table names none.
    pub task: String,
    /// Names of the models.
    pub models: Vec<String>,
    /// The measures, in the order of the table.
    pub measures: Vec<MeasureColumn>,
}

/// One measure of a [`ScoreTable`].
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureColumn {
    /// The column's heading.
    pub name: String,
    /// Which end is the good one.
    pub better: Better,
    /// One score per model; `None` is undefined.
    pub scores: Vec<Option<f64>>,
}

/// What a file of scores holds.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreTables {
    /// One table per task, in order of appearance.
    pub tasks: Vec<ScoreTable>,
    /// Columns that are neither names nor measures.
    pub passed_over: Vec<String>,
    /// Rows left out because their models were not fitted, or failed.
    pub without_fit: usize,
}

/// Numbers in a run's own `scores.csv` that are no measures.
const COUNTS: [&str; 8] =
    ["cases", "events", "signals", "hits", "copies", "near_misses", "false_alarms", "missed"];

/// Reads a table of scores. The column `model` or `variant` names the models, else the first with text; a column `task`
/// keeps tasks apart. `lower` and `higher` give the direction of measures that the registry does not know.
pub fn read_scores(path: &Path, lower: &[String], higher: &[String]) -> Result<ScoreTables> {
    tables(&read_frame(path)?, lower, higher).map_err(|problem| refuse(path, problem))
}

/// [`read_scores`] of a file's bytes; every measure must be one the registry knows.
///
/// ```
/// let found = tailrank_engine::external::scores_of("s.csv", b"model,mad,f\nsvm,0.2,0.4\nnnet,0.1,\n")?;
/// assert_eq!(found.tasks[0].models, ["svm", "nnet"]);
/// # Ok::<(), tailrank_engine::EngineError>(())
/// ```
pub fn scores_of(name: &str, bytes: &[u8]) -> Result<ScoreTables> {
    let refuse = |problem: String| refuse(Path::new(name), problem);
    tables(&frame::read(name, bytes).map_err(|e| refuse(e.to_string()))?, &[], &[]).map_err(refuse)
}

fn tables(frame: &Frame, lower: &[String], higher: &[String]) -> std::result::Result<ScoreTables, String> {
    for asked in lower.iter().chain(higher) {
        if frame.column(asked).is_none() {
            return Err(format!("--lower/--higher names a column '{asked}' that the table does not have"));
        }
    }
    let task = find(frame, &["task"]);
    let is_text = |c: usize| matches!(frame.columns()[c].1, Column::Text(_));
    let names = find(frame, &["model"])
        .or_else(|| find(frame, &["variant"]))
        .or_else(|| (0..frame.width()).find(|&c| Some(c) != task && is_text(c)))
        .ok_or("no column names the models; add one called 'model' (a table of predictions is for `tailrank score`)")?;
    let mut measures = Vec::new();
    let mut passed_over = Vec::new();
    for (c, (name, column)) in frame.columns().iter().enumerate() {
        if c == names || Some(c) == task {
            continue;
        }
        let asked = lower.contains(name) || higher.contains(name);
        let scores = match column {
            Column::Real(v) => v.iter().map(|s| s.is_finite().then_some(*s)).collect(),
            Column::Int(v) => v.iter().map(|s| Some(*s as f64)).collect(),
            Column::Text(_) => Vec::new(),
        };
        // A run's own table of scores has counts and deviations beside its measures.
        let beside = COUNTS.contains(&name.as_str()) || name.ends_with("_sd");
        // A column of nothing is a measure only if its name is one.
        let empty = scores.iter().all(Option::is_none) && Measure::from_id(name).is_err();
        if scores.is_empty() || !asked && (beside || empty) {
            passed_over.push(name.clone());
            continue;
        }
        measures.push(MeasureColumn { name: name.clone(), better: direction(name, lower, higher)?, scores });
    }
    if measures.is_empty() {
        return Err("it has no column of scores".to_owned());
    }
    let whole = ScoreTable { task: String::new(), models: texts(frame, names), measures };
    let (kept, without_fit) = fitted_rows(frame);
    // `score` leaves the cells empty where there is one task without a name.
    let nameless =
        |t: usize| matches!(&frame.columns()[t].1, Column::Real(v) if v.iter().all(|x| x.is_nan()));
    let tasks = by_task(&whole, &kept, task.filter(|&t| !nameless(t)).map(|t| texts(frame, t)).as_deref());
    if tasks.is_empty() {
        return Err("it has no row of a fitted model".to_owned());
    }
    for table in &tasks {
        let mut seen = HashSet::new();
        if let Some(twice) = table.models.iter().find(|m| !seen.insert(m.as_str())) {
            return Err(format!(
                "two rows of {} are called '{twice}'; give every model one row, or tell tasks apart by a column 'task'",
                if table.task.is_empty() { "the table".to_owned() } else { format!("task '{}'", table.task) }
            ));
        }
    }
    Ok(ScoreTables { tasks, passed_over, without_fit })
}

fn direction(name: &str, lower: &[String], higher: &[String]) -> std::result::Result<Better, String> {
    if lower.iter().any(|n| n == name) {
        return Ok(Better::Lower);
    }
    if higher.iter().any(|n| n == name) {
        return Ok(Better::Higher);
    }
    Measure::from_id(name).map(Measure::better).map_err(|_| {
        format!("'{name}' is not a measure that this program knows; say --lower {name} or --higher {name}")
    })
}

/// Rows that a run fitted, all of them where the table does not say, and how many others there are: a model that was not
/// fitted is no last place.
fn fitted_rows(frame: &Frame) -> (Vec<usize>, usize) {
    let all = 0..frame.height();
    let Some(status) = find(frame, &["status"]).map(|c| texts(frame, c)) else { return (all.collect(), 0) };
    let kept: Vec<usize> = all.filter(|&r| !matches!(status[r].as_str(), "failed" | "missing")).collect();
    let others = frame.height() - kept.len();
    (kept, others)
}

/// The rows of a table, task by task.
fn by_task(whole: &ScoreTable, rows: &[usize], tasks: Option<&[String]>) -> Vec<ScoreTable> {
    let task_of = |row: usize| tasks.map_or("", |t| t[row].as_str());
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut groups: Vec<(&str, Vec<usize>)> = Vec::new();
    for &row in rows {
        let place = *places.entry(task_of(row)).or_insert(groups.len());
        if place == groups.len() {
            groups.push((task_of(row), Vec::new()));
        }
        groups[place].1.push(row);
    }
    let of_task = |(task, rows): (&str, Vec<usize>)| {
        let measures = whole
            .measures
            .iter()
            .map(|m| MeasureColumn { scores: rows.iter().map(|&r| m.scores[r]).collect(), ..m.clone() });
        ScoreTable {
            task: task.to_owned(),
            models: rows.iter().map(|&r| whole.models[r].clone()).collect(),
            measures: measures.collect(),
        }
    };
    groups.into_iter().map(of_task).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, lower: &[&str]) -> std::result::Result<ScoreTables, String> {
        let lower: Vec<String> = lower.iter().map(|s| (*s).to_owned()).collect();
        tables(&tailrank_data::frame::read("t.csv", text.as_bytes()).unwrap(), &lower, &[])
    }

    #[test]
    fn known_measures_have_their_direction() {
        let t = read("model,rmse,correlation,brier\nA,67.8,0.88,\nB,91.7,0.88,0.2\n", &["brier"]).unwrap();
        let measures = &t.tasks[0].measures;
        let found: Vec<Better> = measures.iter().map(|m| m.better).collect();
        assert_eq!(found, [Better::Lower, Better::Higher, Better::Lower]);
        assert_eq!(measures[2].scores, [None, Some(0.2)]);
    }

    #[test]
    fn an_unknown_measure_asks_for_its_direction() {
        let err = read("model,brier\nA,1\n", &[]).unwrap_err();
        assert_eq!(
            err,
            "'brier' is not a measure that this program knows; say --lower brier or --higher brier"
        );
    }

    #[test]
    fn names_and_tasks_are_found_by_their_headings() {
        let csv = "task,variant,family,status,cases,mad\nA,x,f,ok,9,1\nA,y,f,failed,9,\nB,x,f,ok,9,3\n";
        let found = read(csv, &[]).unwrap();
        let tasks: Vec<(&str, &[String])> =
            found.tasks.iter().map(|t| (t.task.as_str(), t.models.as_slice())).collect();
        assert_eq!(tasks, [("A", &["x".to_owned()][..]), ("B", &["x".to_owned()])]);
        assert_eq!(found.passed_over, ["family", "status", "cases"]);
        assert_eq!(found.without_fit, 1);
    }

    #[test]
    fn a_model_has_one_row_in_a_task() {
        let err = read("task,model,mad\nA,x,1\nA,x,2\n", &[]).unwrap_err();
        assert!(err.starts_with("two rows of task 'A' are called 'x'"), "{err}");
    }
}
