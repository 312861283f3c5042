//! The tasks that R's packages were fitted on.

use std::{fs::File, io::Read, path::Path};

use tailrank_models::{Matrix, TrainSet};

use crate::tables::Table;

/// Training and test rows.
pub struct Task {
    pub train: Matrix,
    pub y: Vec<f64>,
    pub test: Matrix,
    pub truth: Vec<f64>,
}

impl Task {
    pub fn train_set(&self) -> TrainSet<'_> {
        TrainSet::new(self.train.view(), &self.y)
    }

    /// Mean absolute error, root of the mean square error, and predictions beyond 2 %: signals, where φ = ½.
    pub fn scores(&self, predictions: &[f64]) -> [f64; 3] {
        assert_eq!(predictions.len(), self.truth.len());
        let errors = || predictions.iter().zip(&self.truth).map(|(p, y)| p - y);
        let n = self.truth.len() as f64;
        let signals = predictions.iter().filter(|p| p.abs() >= 0.02).count() as f64;
        [errors().map(f64::abs).sum::<f64>() / n, (errors().map(|e| e * e).sum::<f64>() / n).sqrt(), signals]
    }
}

/// Rows of a fixture as words, the header left out.
pub fn rows(name: &str) -> Vec<Vec<String>> {
    Table::fixture(name).rows
}

/// `d_train.csv` and `d_test.csv`.
pub fn small_task() -> Task {
    let (train, test) = (Table::fixture("d_train.csv"), Table::fixture("d_test.csv"));
    Task { train: train.inputs(), y: train.column("y"), test: test.inputs(), truth: test.column("y") }
}

/// The bundled Coca-Cola quotes: 3-day returns, 24 lags, 3000 rows to train and the next 2000 to test, as in
/// `scripts/fixtures/r_grid.R`.
pub fn coca_cola() -> Task {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tailrank-data/data/KO.csv.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let prices = Table::parse(&text, ',').column("Close");
    const H: usize = 3;
    const LAGS: usize = 24;
    let change = |t: usize| prices[t] / prices[t - H] - 1.0;
    let origins = H + LAGS - 1..prices.len() - H;
    let rows: Vec<Vec<f64>> = origins.clone().map(|t| (0..LAGS).map(|l| change(t - l)).collect()).collect();
    let targets: Vec<f64> = origins.map(|t| change(t + H)).collect();
    Task {
        train: Matrix::from_rows(&rows[..3000]).unwrap(),
        y: targets[..3000].to_vec(),
        test: Matrix::from_rows(&rows[3000..5000]).unwrap(),
        truth: targets[3000..5000].to_vec(),
    }
}

/// The rows of R's grid on that task that belong to one family.
pub fn r_grid(family: &str) -> Table {
    Table::fixture("r_grid_KO.csv").only("family", family)
}
