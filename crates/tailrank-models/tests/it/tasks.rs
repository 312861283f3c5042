//! Tasks for the tests of this crate.

use tailrank_models::{FitContext, Matrix, Params, TrainSet, family, fit_grid};

use crate::tables::Table;

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
        let (train, test) = (Table::fixture("d_train.csv"), Table::fixture("d_test.csv"));
        Self { x: train.inputs(), y: train.column("y"), test: test.inputs() }
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
        TrainSet::new(self.x.view(), &self.y)
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
