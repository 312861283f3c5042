//! Scores made elsewhere, or by a run: one row per model, one column per measure.

use std::{collections::HashSet, path::Path};

use indexmap::IndexMap;
use tailrank_data::frame::{Column, Frame};
use tailrank_metrics::{Better, Measure};

use super::{
    frame_of,
    numbers::numbers,
    predictions::{BASELINE, PREDICTED, Read, TRUTH, find, texts},
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
    /// Rows left out because they are baselines, which a run measures others by and does not rank.
    pub references: usize,
    /// Rows left out because their predictions are those of a row before: a run counts such models once.
    pub copies: usize,
}

/// Numbers in a run's own `scores.csv` that are no measures.
const COUNTS: [&str; 8] =
    ["cases", "events", "signals", "hits", "copies", "near_misses", "false_alarms", "missed"];

/// Reads a table of scores. The column `model` or `variant` names the models, else the first with text; a
/// column `task` keeps tasks apart. `lower` and `higher` give the direction of measures that the registry
/// does not know.
pub fn read_scores(path: &Path, lower: &[String], higher: &[String]) -> Result<ScoreTables> {
    tables(&read_frame(path)?, lower, higher).map_err(|problem| refuse(path, problem))
}

/// [`read_scores`] of a file's bytes; every measure must be one the registry knows.
///
/// ```
/// let found = tailrank_score::external::scores_of("s.csv", b"model,mad,f\nsvm,0.2,0.4\nnnet,0.1,\n")?;
/// assert_eq!(found.tasks[0].models, ["svm", "nnet"]);
/// # Ok::<(), tailrank_experiment::EngineError>(())
/// ```
pub fn scores_of(name: &str, bytes: &[u8]) -> Result<ScoreTables> {
    tables(&frame_of(name, bytes)?, &[], &[]).map_err(|problem| refuse(Path::new(name), problem))
}

fn tables(frame: &Frame, lower: &[String], higher: &[String]) -> Read<ScoreTables> {
    for asked in lower.iter().chain(higher) {
        if frame.column(asked).is_none() {
            return Err(format!("--lower/--higher names a column '{asked}' that the table does not have"));
        }
    }
    if let Some(both) = lower.iter().find(|name| higher.contains(name)) {
        return Err(format!("'{both}' stands in --lower and in --higher; say one of them"));
    }
    if find(frame, &PREDICTED).is_some() && find(frame, &TRUTH).is_some() {
        return Err(
            "it holds predictions of single cases, not scores; use `tailrank score` for it".to_owned()
        );
    }
    let task = find(frame, &["task"]);
    let is_text = |c: usize| matches!(frame.columns()[c].1, Column::Text(_));
    let names = find(frame, &["model"])
        .or_else(|| find(frame, &["variant"]))
        .or_else(|| (0..frame.width()).find(|&c| Some(c) != task && is_text(c)))
        .ok_or("no column names the models; add one called 'model' (a table of predictions is for `tailrank score`)")?;
    let mut measures = Vec::new();
    let mut passed_over = Vec::new();
    for (c, (name, _)) in frame.columns().iter().enumerate() {
        if c == names || Some(c) == task {
            continue;
        }
        let asked = lower.contains(name) || higher.contains(name);
        let scores: Vec<Option<f64>> = match numbers(frame, c) {
            Ok(values) => values.into_iter().map(|s| s.is_finite().then_some(s)).collect(),
            // What is meant as a measure is not passed over for one bad cell.
            Err(e) if asked || Measure::from_id(name).is_ok() => {
                return Err(format!("column '{name}' {e}; leave the cell of an undefined score empty"));
            }
            Err(_) => Vec::new(),
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
    let tasks_of_rows = task.map(|t| texts(frame, t));
    let (kept, [without_fit, references, copies]) = ranked_rows(frame, &whole, tasks_of_rows.as_deref());
    let tasks = by_task(&whole, &kept, tasks_of_rows.as_deref());
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
    Ok(ScoreTables { tasks, passed_over, without_fit, references, copies })
}

fn direction(name: &str, lower: &[String], higher: &[String]) -> Read<Better> {
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

/// The rows of candidates that a run fitted, copies once, and how many others there are: rows without a fit,
/// which are no last place; baselines, unless there is nothing else to rank; and copies.
///
/// Where a run says that a row has copies, they are the rows of its task with the same number of copies and
/// the same scores.
fn ranked_rows(frame: &Frame, whole: &ScoreTable, tasks: Option<&[String]>) -> (Vec<usize>, [usize; 3]) {
    let words = |name: &str| find(frame, &[name]).map(|c| texts(frame, c));
    let mut rows: Vec<usize> = (0..frame.height()).collect();
    let mut left_out = [0; 3];
    let mut keep = |rows: &mut Vec<usize>, kind: usize, is_kept: &mut dyn FnMut(usize) -> bool| {
        let all = rows.len();
        rows.retain(|&row| is_kept(row));
        left_out[kind] = all - rows.len();
    };
    if let Some(status) = words("status") {
        keep(&mut rows, 0, &mut |row| !matches!(status[row].as_str(), "failed" | "missing"));
    }
    if let Some(family) = words("family").filter(|family| rows.iter().any(|&row| family[row] != BASELINE)) {
        keep(&mut rows, 1, &mut |row| family[row] != BASELINE);
    }
    if let Some(copies) = find(frame, &["copies"]).and_then(|c| numbers(frame, c).ok()) {
        let mut seen = HashSet::new();
        keep(&mut rows, 2, &mut |row| {
            let scores: Vec<Option<u64>> =
                whole.measures.iter().map(|m| m.scores[row].map(f64::to_bits)).collect();
            let task = tasks.map_or("", |tasks| tasks[row].as_str());
            // Not `> 1.0` alone: where the number is missing nothing is known of copies.
            copies[row].is_nan() || copies[row] <= 1.0 || seen.insert((task, copies[row].to_bits(), scores))
        });
    }
    (rows, left_out)
}

/// The rows of a table, task by task.
fn by_task(whole: &ScoreTable, rows: &[usize], tasks: Option<&[String]>) -> Vec<ScoreTable> {
    let mut groups: IndexMap<&str, Vec<usize>> = IndexMap::new();
    for &row in rows {
        groups.entry(tasks.map_or("", |t| t[row].as_str())).or_default().push(row);
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

    fn read(text: &str, lower: &[&str]) -> Read<ScoreTables> {
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
    fn a_measure_with_a_bad_cell_is_refused_with_its_place() {
        let csv = "model,mad,f\na,1,0.1\nb,2,x\n";
        let said =
            "column 'f' row 2 is 'x', which is not a number; leave the cell of an undefined score empty";
        assert_eq!(read(csv, &[]).unwrap_err(), said);
        let own = read(&csv.replace(",f\n", ",brier\n"), &["brier"]).unwrap_err();
        assert!(own.starts_with("column 'brier' row 2 is 'x'"), "{own}");
        // A gap as R writes it is an undefined score.
        let gap = read(&csv.replace('x', "NA"), &[]).unwrap();
        assert_eq!(gap.tasks[0].measures[1].scores, [Some(0.1), None]);
        let both = ["brier".to_owned()];
        let frame = tailrank_data::frame::read("t.csv", b"model,brier\na,1\n").unwrap();
        assert_eq!(
            tables(&frame, &both, &both).unwrap_err(),
            "'brier' stands in --lower and in --higher; say one of them"
        );
    }

    #[test]
    fn decimal_commas_are_scores() {
        let found = read("model;mad;f\na;1,5;0,1\nb;2,5;0,2\n", &[]).unwrap();
        assert_eq!(found.tasks[0].measures[0].scores, [Some(1.5), Some(2.5)]);
        assert_eq!(found.tasks[0].measures[1].scores, [Some(0.1), Some(0.2)]);
    }

    #[test]
    fn predictions_are_sent_to_their_command() {
        let said = read("row,y,model,prediction\n1,2,a,3\n", &[]).unwrap_err();
        assert!(said.contains("use `tailrank score`"), "{said}");
    }

    #[test]
    fn baselines_and_copies_of_a_run_are_not_ranked() {
        let csv = "variant,family,copies,mad\na,svm,2,1\nb,svm,2,1\nc,svm,1,1\nmean,baseline,1,0.5\n";
        let found = read(csv, &[]).unwrap();
        assert_eq!(found.tasks[0].models, ["a", "c"]);
        assert_eq!((found.references, found.copies), (1, 1));
        let alone = read("variant,family,mad\nmean,baseline,1\nzero,baseline,2\n", &[]).unwrap();
        assert_eq!((alone.tasks[0].models.len(), alone.references), (2, 0));
    }

    #[test]
    fn a_model_has_one_row_in_a_task() {
        let err = read("task,model,mad\nA,x,1\nA,x,2\n", &[]).unwrap_err();
        assert!(err.starts_with("two rows of task 'A' are called 'x'"), "{err}");
    }
}
