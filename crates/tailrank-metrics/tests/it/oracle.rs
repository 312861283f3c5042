//! Reads the oracle fixtures.

use std::{collections::BTreeMap, path::PathBuf};

use tailrank_metrics::relevance::RelevanceIntegral;

/// A row as column name → text.
pub(crate) type Row = BTreeMap<String, String>;

/// All rows of a fixture.
pub(crate) fn rows(name: &str) -> Vec<Row> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(|row| row.unwrap()).collect()
}

/// A cell as a number.
pub(crate) fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} = {:?}", row[column]))
}

/// A column as numbers.
pub(crate) fn column(rows: &[Row], name: &str) -> Vec<f64> {
    rows.iter().map(|row| number(row, name)).collect()
}

/// A column of the shared data set.
pub(crate) fn data(name: &str) -> Vec<f64> {
    column(&rows("c_data.csv"), name)
}

/// Keeps the largest difference seen and where.
#[derive(Default)]
pub(crate) struct Largest {
    pub(crate) difference: f64,
    pub(crate) place: String,
    pub(crate) compared: usize,
}

impl Largest {
    pub(crate) fn see(&mut self, got: f64, expected: f64, place: impl FnOnce() -> String) {
        self.compared += 1;
        let difference = (got - expected).abs();
        if difference.is_nan() || difference > self.difference {
            self.difference = difference;
            self.place = format!("{}: got {got}, expected {expected}", place());
        }
    }

    /// Fails unless `count` values were compared and all lie within `tolerance`.
    pub(crate) fn check(&self, count: usize, tolerance: f64) {
        assert_eq!(self.compared, count, "values compared");
        assert!(self.difference <= tolerance, "off by {:e} at {}", self.difference, self.place);
        println!("{count} values, largest difference {:e}", self.difference);
    }
}

/// The relevance-weighted scores of one case.
pub(crate) trait Weighted {
    /// rwse = 2·|∫ φ(θ)·(y − θ) dθ| between ŷ and y.
    fn squared(&self, truth: f64, predicted: f64) -> f64;
    /// rwae = |∫ φ(θ) dθ| between ŷ and y.
    fn absolute(&self, truth: f64, predicted: f64) -> f64;
    /// rwae times `level` for a forecast below the truth, times 1 − `level` above it.
    fn quantile(&self, truth: f64, predicted: f64, level: f64) -> f64;
}

impl Weighted for RelevanceIntegral {
    fn squared(&self, truth: f64, predicted: f64) -> f64 {
        if predicted <= truth {
            2.0 * self.over(predicted, truth).to_upper
        } else {
            2.0 * self.over(truth, predicted).to_lower
        }
    }

    fn absolute(&self, truth: f64, predicted: f64) -> f64 {
        self.over(truth.min(predicted), truth.max(predicted)).area
    }

    fn quantile(&self, truth: f64, predicted: f64, level: f64) -> f64 {
        (if predicted <= truth { level } else { 1.0 - level }) * self.absolute(truth, predicted)
    }
}
