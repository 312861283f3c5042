//! Fixture tables for the tests of this crate.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test is how it reports")]

use std::collections::BTreeMap;

use tailrank_models::{FitContext, Matrix, Params, TrainSet, family, fit_grid};

/// A CSV file of the fixtures folder by columns; text that is no number becomes NaN.
pub struct Table(BTreeMap<String, Vec<String>>);

impl Table {
    pub fn read(name: &str) -> Self {
        Self::read_with(name, b',')
    }

    pub fn read_with(name: &str, delimiter: u8) -> Self {
        let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_path(&path).unwrap();
        let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let mut columns = vec![Vec::new(); names.len()];
        for record in reader.records() {
            for (column, field) in columns.iter_mut().zip(record.unwrap().iter()) {
                column.push(field.to_owned());
            }
        }
        Self(names.into_iter().zip(columns).collect())
    }

    pub fn text(&self, column: &str) -> &[String] {
        &self.0[column]
    }

    pub fn numbers(&self, column: &str) -> Vec<f64> {
        self.0[column].iter().map(|v| v.parse().unwrap_or(f64::NAN)).collect()
    }

    /// Columns x1, x2, … row by row.
    pub fn inputs(&self) -> Vec<Vec<f64>> {
        let columns: Vec<Vec<f64>> = (1..)
            .map(|j| format!("x{j}"))
            .take_while(|n| self.0.contains_key(n))
            .map(|n| self.numbers(&n))
            .collect();
        (0..columns[0].len()).map(|i| columns.iter().map(|c| c[i]).collect()).collect()
    }
}

/// Predictions of one model in a table with columns model, i, pred.
pub fn predictions_of(table: &Table, model: &str) -> Vec<f64> {
    let all = table.numbers("pred");
    let rows = table.text("model").iter().zip(all).filter(|(m, _)| *m == model).map(|(_, p)| p);
    let found: Vec<f64> = rows.collect();
    assert!(!found.is_empty(), "no rows of {model}");
    found
}

pub fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// Training and test rows of one task.
#[derive(Clone)]
pub struct Task {
    pub x: Matrix,
    pub y: Vec<f64>,
    pub test: Matrix,
}

impl Task {
    pub fn new(x: &[Vec<f64>], y: &[f64], test: &[Vec<f64>]) -> Self {
        Self { x: Matrix::from_rows(x).unwrap(), y: y.to_vec(), test: Matrix::from_rows(test).unwrap() }
    }

    /// The 200 × 5 reference data.
    pub fn reference() -> Self {
        let (train, test) = (Table::read("d_train.csv"), Table::read("d_test.csv"));
        Self::new(&train.inputs(), &train.numbers("y"), &test.inputs())
    }

    /// Smooth, noisy and reproducible.
    pub fn synthetic(rows: usize, inputs: usize, test_rows: usize) -> Self {
        let mut state = 12345u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut row = || (0..inputs).map(|_| 2.0 * uniform() - 1.0).collect::<Vec<f64>>();
        let x: Vec<Vec<f64>> = (0..rows).map(|_| row()).collect();
        let test: Vec<Vec<f64>> = (0..test_rows).map(|_| row()).collect();
        let y: Vec<f64> = x.iter().map(|r| r[0] + (3.0 * r[r.len() - 1]).sin() + 0.1 * uniform()).collect();
        Self::new(&x, &y, &test)
    }

    pub fn train(&self) -> TrainSet<'_> {
        TrainSet { x: self.x.view(), y: &self.y, weights: None }
    }

    /// Predictions of every variant, each of which must succeed.
    pub fn predict(&self, name: &str, engine: Option<&str>, variants: &[Params]) -> Vec<Vec<f64>> {
        let family = family(name, engine).unwrap();
        let fits = fit_grid(family, self.train(), self.test.view(), variants, &FitContext::new(42)).unwrap();
        fits.into_iter()
            .zip(variants)
            .map(|(f, v)| f.unwrap_or_else(|e| panic!("{v}: {e}")).predictions)
            .collect()
    }
}
