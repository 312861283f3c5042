//! The one reader of fixtures: CSV files as tables of named columns.

use std::{collections::HashMap, fs, path::Path};

use tailrank_models::Matrix;

pub struct Table {
    columns: HashMap<String, usize>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A file of the fixtures folder.
    pub fn fixture(name: &str) -> Self {
        Self::fixture_with(name, ',')
    }

    pub fn fixture_with(name: &str, separator: char) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Self::parse(&text, separator)
    }

    pub fn parse(text: &str, separator: char) -> Self {
        let mut lines = text
            .lines()
            .map(|line| line.split(separator).map(|v| v.trim_matches('"').to_owned()).collect::<Vec<_>>());
        let columns = lines.next().unwrap().into_iter().enumerate().map(|(i, name)| (name, i)).collect();
        Self { columns, rows: lines.collect() }
    }

    pub fn text(&self, row: usize, column: &str) -> &str {
        &self.rows[row][self.columns[column]]
    }

    pub fn number(&self, row: usize, column: &str) -> f64 {
        number(self.text(row, column))
    }

    /// Rows whose `column` reads `value`.
    pub fn only(&self, column: &str, value: &str) -> Self {
        let at = self.columns[column];
        Self {
            columns: self.columns.clone(),
            rows: self.rows.iter().filter(|row| row[at] == value).cloned().collect(),
        }
    }

    pub fn texts(&self, column: &str) -> Vec<&str> {
        (0..self.rows.len()).map(|row| self.text(row, column)).collect()
    }

    pub fn column(&self, column: &str) -> Vec<f64> {
        (0..self.rows.len()).map(|row| self.number(row, column)).collect()
    }

    /// Columns x1, x2, … row by row.
    pub fn input_rows(&self) -> Vec<Vec<f64>> {
        let p = (1..).take_while(|j| self.columns.contains_key(&format!("x{j}"))).count();
        let columns: Vec<Vec<f64>> = (1..=p).map(|j| self.column(&format!("x{j}"))).collect();
        (0..self.rows.len()).map(|i| columns.iter().map(|c| c[i]).collect()).collect()
    }

    /// Columns x1, x2, … as a matrix.
    pub fn inputs(&self) -> Matrix {
        Matrix::from_rows(&self.input_rows()).unwrap()
    }

    /// Predictions of one model in a table with columns model, i, pred.
    pub fn predictions_of(&self, model: &str) -> Vec<f64> {
        let own = self.only("model", model);
        assert!(!own.rows.is_empty(), "no rows of {model}");
        own.column("pred")
    }
}

/// A word that must be a number.
pub fn number(word: &str) -> f64 {
    word.trim().parse().unwrap_or_else(|e| panic!("'{word}': {e}"))
}
