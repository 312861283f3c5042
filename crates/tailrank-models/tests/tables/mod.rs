//! The CSV fixtures as tables of named columns.
#![allow(dead_code, missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use std::{collections::HashMap, fs, path::Path};

use tailrank_models::Matrix;

pub struct Table {
    columns: HashMap<String, usize>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub fn fixture(name: &str) -> Self {
        Self::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name))
    }

    pub fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut lines = text
            .lines()
            .map(|line| line.split(',').map(|v| v.trim_matches('"').to_owned()).collect::<Vec<_>>());
        let columns = lines.next().unwrap().into_iter().enumerate().map(|(i, name)| (name, i)).collect();
        Self { columns, rows: lines.collect() }
    }

    pub fn text(&self, row: usize, column: &str) -> &str {
        &self.rows[row][self.columns[column]]
    }

    pub fn number(&self, row: usize, column: &str) -> f64 {
        let text = self.text(row, column);
        text.parse().unwrap_or_else(|_| panic!("row {row}, {column}: '{text}' is no number"))
    }

    /// Rows whose `column` reads `value`.
    pub fn only(&self, column: &str, value: &str) -> Self {
        let at = self.columns[column];
        Self {
            columns: self.columns.clone(),
            rows: self.rows.iter().filter(|row| row[at] == value).cloned().collect(),
        }
    }

    pub fn column(&self, column: &str) -> Vec<f64> {
        (0..self.rows.len()).map(|row| self.number(row, column)).collect()
    }

    /// Columns x1, x2, … as a matrix.
    pub fn inputs(&self) -> Matrix {
        let p = (1..).take_while(|j| self.columns.contains_key(&format!("x{j}"))).count();
        let columns: Vec<Vec<f64>> = (1..=p).map(|j| self.column(&format!("x{j}"))).collect();
        let data = (0..self.rows.len()).flat_map(|i| columns.iter().map(move |c| c[i])).collect();
        Matrix::new(self.rows.len(), p, data).unwrap()
    }
}
