//! Fixtures printed by R, and the Coca-Cola task where its quotes are at hand.
// Each test binary uses its part; a fixture that cannot be read is a failed test.
#![allow(dead_code, unreachable_pub, clippy::panic, clippy::print_stdout, clippy::unwrap_used)]

use std::{fs, path::PathBuf};

use tailrank_models::{Matrix, TrainSet};

/// Rows of a fixture as words, the header left out.
pub fn rows(name: &str) -> Vec<Vec<String>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines()
        .skip(1)
        .map(|line| line.split(',').map(|word| word.trim_matches('"').to_owned()).collect())
        .collect()
}

pub fn number(word: &str) -> f64 {
    word.parse().unwrap_or_else(|e| panic!("'{word}': {e}"))
}

/// Training and test rows of a fixture whose first column is the target.
pub struct Task {
    pub train: Matrix,
    pub y: Vec<f64>,
    pub test: Matrix,
    pub truth: Vec<f64>,
}

impl Task {
    pub fn train_set(&self) -> TrainSet<'_> {
        TrainSet { x: self.train.view(), y: &self.y, weights: None }
    }

    pub fn mad(&self, predictions: &[f64]) -> f64 {
        let sum: f64 = predictions.iter().zip(&self.truth).map(|(p, y)| (p - y).abs()).sum();
        sum / self.truth.len() as f64
    }
}

fn table(name: &str) -> (Matrix, Vec<f64>) {
    let rows: Vec<Vec<f64>> = rows(name).iter().map(|r| r.iter().map(|w| number(w)).collect()).collect();
    let y = rows.iter().map(|r| r[0]).collect();
    let x: Vec<&[f64]> = rows.iter().map(|r| &r[1..]).collect();
    (Matrix::from_rows(&x).unwrap(), y)
}

/// `d_train.csv` and `d_test.csv`.
pub fn small_task() -> Task {
    let (train, y) = table("d_train.csv");
    let (test, truth) = table("d_test.csv");
    Task { train, y, test, truth }
}

/// The folder with quotes that are not part of this repository: `TAILRANK_CHECK_DATA`, or one beside the workspace.
fn check_data() -> Option<PathBuf> {
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = std::env::var_os("TAILRANK_CHECK_DATA")
        .map_or_else(|| workspace.join("../shared/data"), PathBuf::from);
    folder.join("quotes/KO_1990_2022.csv").exists().then_some(folder)
}

/// Coca-Cola, 3-day returns, 24 lags: the first 5000 rows train, the other 3284 test.
pub fn coca_cola() -> Option<Task> {
    let Some(folder) = check_data() else {
        println!("skipped: set TAILRANK_CHECK_DATA to the folder that holds quotes/KO_1990_2022.csv");
        return None;
    };
    let text = fs::read_to_string(folder.join("quotes/KO_1990_2022.csv")).unwrap();
    let prices: Vec<f64> = text.lines().skip(1).map(|l| number(l.split(',').nth(1).unwrap())).collect();
    const H: usize = 3;
    const LAGS: usize = 24;
    let r = |t: usize| (prices[t] - prices[t - H]) / prices[t - H];
    let origins = H + LAGS - 1..prices.len() - H;
    let rows: Vec<Vec<f64>> = origins.clone().map(|t| (0..LAGS).map(|l| r(t - l)).collect()).collect();
    let targets: Vec<f64> = origins.map(|t| r(t + H)).collect();
    assert_eq!(rows.len(), 8284);
    Some(Task {
        train: Matrix::from_rows(&rows[..5000]).unwrap(),
        y: targets[..5000].to_vec(),
        test: Matrix::from_rows(&rows[5000..]).unwrap(),
        truth: targets[5000..].to_vec(),
    })
}
