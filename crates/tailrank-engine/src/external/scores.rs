//! Scores made elsewhere: one row per model, one column per measure.

use std::path::Path;

use tailrank_data::frame::{self, Column, Frame};
use tailrank_metrics::{Better, Measure};

use super::{predictions::texts, read_frame, refuse};
use crate::Result;

/// Scores of several models by several measures.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreTable {
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

/// Reads a table of scores. The first text column names the models; `lower` and `higher` give the direction of
/// measures that the registry does not know.
pub fn read_scores(path: &Path, lower: &[String], higher: &[String]) -> Result<ScoreTable> {
    table(&read_frame(path)?, lower, higher).map_err(|problem| refuse(path, problem))
}

/// [`read_scores`] of a file's bytes; every measure must be one the registry knows.
pub fn scores_of(name: &str, bytes: &[u8]) -> Result<ScoreTable> {
    let refuse = |problem: String| refuse(Path::new(name), problem);
    table(&frame::read(name, bytes).map_err(|e| refuse(e.to_string()))?, &[], &[]).map_err(refuse)
}

fn table(frame: &Frame, lower: &[String], higher: &[String]) -> std::result::Result<ScoreTable, String> {
    let names = (0..frame.width())
        .find(|&c| matches!(frame.columns()[c].1, Column::Text(_)))
        .ok_or("no column names the models; add one with text")?;
    for asked in lower.iter().chain(higher) {
        if frame.column(asked).is_none() {
            return Err(format!("--lower/--higher names a column '{asked}' that the table does not have"));
        }
    }
    let mut measures = Vec::new();
    for (c, (name, column)) in frame.columns().iter().enumerate() {
        let better = if lower.contains(name) {
            Some(Better::Lower)
        } else if higher.contains(name) {
            Some(Better::Higher)
        } else {
            Measure::from_id(name).ok().map(Measure::better)
        };
        let scores = match (c == names, column) {
            (false, Column::Real(v)) => v.iter().map(|s| s.is_finite().then_some(*s)).collect(),
            (false, Column::Int(v)) => v.iter().map(|s| Some(*s as f64)).collect(),
            _ => continue,
        };
        let better = better.ok_or_else(|| {
            format!("'{name}' is no measure this program knows; say --lower {name} or --higher {name}")
        })?;
        measures.push(MeasureColumn { name: name.clone(), better, scores });
    }
    if measures.is_empty() {
        return Err("it has no column of scores".to_owned());
    }
    Ok(ScoreTable { models: texts(frame, names), measures })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, lower: &[&str]) -> std::result::Result<ScoreTable, String> {
        let lower: Vec<String> = lower.iter().map(|s| (*s).to_owned()).collect();
        table(&tailrank_data::frame::read("t.csv", text.as_bytes()).unwrap(), &lower, &[])
    }

    #[test]
    fn known_measures_have_their_direction() {
        let t = read("model,rmse,correlation,brier\nA,67.8,0.88,\nB,91.7,0.88,0.2\n", &["brier"]).unwrap();
        let found: Vec<Better> = t.measures.iter().map(|m| m.better).collect();
        assert_eq!(found, [Better::Lower, Better::Higher, Better::Lower]);
        assert_eq!(t.measures[2].scores, [None, Some(0.2)]);
    }

    #[test]
    fn an_unknown_measure_asks_for_its_direction() {
        let err = read("model,brier\nA,1\n", &[]).unwrap_err();
        assert_eq!(err, "'brier' is no measure this program knows; say --lower brier or --higher brier");
    }
}
