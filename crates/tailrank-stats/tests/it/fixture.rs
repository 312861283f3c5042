//! Reads the oracle tables under `tests/fixtures` and keeps the largest difference met.

use std::collections::{BTreeMap, HashMap};

use tailrank_stats::{Better, RankTable, StatsError};

/// One line of a table, by column name.
pub(crate) struct Row(HashMap<String, String>);

impl Row {
    pub(crate) fn text(&self, column: &str) -> &str {
        self.0.get(column).unwrap_or_else(|| panic!("no column {column}"))
    }

    /// The number in a cell; `NA` and empty are `None`.
    pub(crate) fn number(&self, column: &str) -> Option<f64> {
        match self.text(column) {
            "NA" | "" => None,
            text => Some(text.parse().unwrap_or_else(|_| panic!("{column}: {text}"))),
        }
    }

    pub(crate) fn get(&self, column: &str) -> f64 {
        self.number(column).unwrap_or_else(|| panic!("{column} is missing"))
    }

    pub(crate) fn index(&self, column: &str) -> usize {
        self.get(column) as usize
    }

    pub(crate) fn flag(&self, column: &str) -> bool {
        matches!(self.text(column), "TRUE" | "True")
    }
}

pub(crate) fn rows(file: &str) -> Vec<Row> {
    let path = format!("{}/tests/fixtures/{file}", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(|row| Row(row.unwrap())).collect()
}

/// A JSON file of answers.
pub(crate) fn json(file: &str) -> serde_json::Value {
    let path = format!("{}/tests/fixtures/{file}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// A JSON list of numbers.
pub(crate) fn numbers(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

/// A JSON list of row or model numbers.
pub(crate) fn indices(value: &serde_json::Value) -> Vec<usize> {
    value.as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as usize).collect()
}

/// A table of numbers, column by column; `header` lines are skipped.
pub(crate) fn columns(file: &str, header: bool) -> Vec<Vec<f64>> {
    let path = format!("{}/tests/fixtures/{file}", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::ReaderBuilder::new().has_headers(header).from_path(path).unwrap();
    let mut columns: Vec<Vec<f64>> = Vec::new();
    for record in reader.records() {
        let record = record.unwrap();
        columns.resize(record.len(), Vec::new());
        record.iter().zip(&mut columns).for_each(|(text, column)| column.push(text.parse().unwrap()));
    }
    columns
}

/// The x and y columns of each case, in row order.
pub(crate) fn pairs(file: &str) -> HashMap<String, (Vec<f64>, Vec<f64>)> {
    let mut cases: HashMap<String, (Vec<f64>, Vec<f64>)> = HashMap::new();
    for row in rows(file) {
        let case = cases.entry(row.text("case").to_owned()).or_default();
        case.0.push(row.get("x"));
        case.1.push(row.get("y"));
    }
    cases
}

pub(crate) fn alternative(name: &str) -> tailrank_stats::Alternative {
    match name {
        "two.sided" | "two-sided" => tailrank_stats::Alternative::TwoSided,
        "less" => tailrank_stats::Alternative::Less,
        "greater" => tailrank_stats::Alternative::Greater,
        other => panic!("unknown alternative {other}"),
    }
}

/// Compares numbers with a fixture and remembers the largest difference per kind.
#[derive(Default)]
pub(crate) struct Agreement(BTreeMap<String, (usize, f64)>);

impl Agreement {
    /// |got − expected| ≤ `tolerance`, relative for numbers above one.
    pub(crate) fn check(&mut self, kind: &str, place: &str, got: f64, expected: f64, tolerance: f64) {
        let difference = (got - expected).abs() / expected.abs().max(1.0);
        assert!(
            difference <= tolerance,
            "{kind}, {place}: got {got:?}, fixture {expected:?} ({difference:.1e})"
        );
        let entry = self.0.entry(kind.to_owned()).or_insert((0, 0.0));
        *entry = (entry.0 + 1, entry.1.max(difference));
    }

    /// Prints the table of differences (seen with `--nocapture`) and checks how many numbers were compared.
    pub(crate) fn report(&self, file: &str, numbers: usize) {
        for (kind, (count, largest)) in &self.0 {
            println!("{file}: {kind}: {count} numbers, largest difference {largest:.1e}");
        }
        assert_eq!(self.0.values().map(|v| v.0).sum::<usize>(), numbers, "{file}: numbers compared");
    }
}

/// Ranks of a table of numbers, all of them defined.
pub(crate) fn ranked<R: AsRef<[f64]>>(rows: &[R], better: Better) -> Result<RankTable, StatsError> {
    let defined = |row: &R| row.as_ref().iter().copied().map(Some).collect();
    RankTable::from_scores(&rows.iter().map(defined).collect::<Vec<Vec<_>>>(), better)
}
