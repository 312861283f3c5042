//! Multilevel B-spline approximation (Lee, Wolberg & Shin 1997) on a square domain, as UBL's `splines` uses
//! it.
//!
//! The mean is taken out first; lattices of 1, 2 and 4 cells then each fit what the coarser ones left. The
//! domain's lower edge lies 0.01 below the surface's, because UBL evaluates a plotting grid from there in the
//! same call.

use super::Known;

const LEVELS: [usize; 3] = [1, 2, 4];
const GRID_MARGIN: f64 = 0.01;

#[derive(Clone, Debug)]
pub(super) struct BSplines {
    low: f64,
    width: f64,
    mean: f64,
    lattices: Vec<Lattice>,
}

#[derive(Clone, Debug)]
struct Lattice {
    cells: usize,
    /// (cells + 3)² coefficients, row by row.
    coefficients: Vec<f64>,
}

/// First index and the four weights of the uniform cubic B-spline at `x`, measured in cells.
fn basis(x: f64, cells: usize) -> (usize, [f64; 4]) {
    let cell = (x.floor().max(0.0) as usize).min(cells - 1);
    let t = x - cell as f64;
    let u = 1.0 - t;
    let weights = [
        u * u * u,
        3.0 * t * t * t - 6.0 * t * t + 4.0,
        -3.0 * t * t * t + 3.0 * t * t + 3.0 * t + 1.0,
        t * t * t,
    ];
    (cell, weights.map(|w| w / 6.0))
}

impl Lattice {
    /// Calls `f` with each coefficient's index and weight at a place of the unit square.
    fn around(cells: usize, (x, y): (f64, f64), mut f: impl FnMut(usize, f64)) {
        let (i, a) = basis(x * cells as f64, cells);
        let (j, b) = basis(y * cells as f64, cells);
        for (k, wa) in a.iter().enumerate() {
            for (l, wb) in b.iter().enumerate() {
                f((i + k) * (cells + 3) + j + l, wa * wb);
            }
        }
    }

    fn fit(cells: usize, places: &[(f64, f64)], residuals: &[f64]) -> Self {
        let count = (cells + 3) * (cells + 3);
        let (mut sums, mut weights) = (vec![0.0; count], vec![0.0; count]);
        for (&place, &residual) in places.iter().zip(residuals) {
            let mut squares = 0.0;
            Self::around(cells, place, |_, w| squares += w * w);
            Self::around(cells, place, |c, w| {
                sums[c] += w * w * (w * residual / squares);
                weights[c] += w * w;
            });
        }
        let coefficients =
            sums.iter().zip(&weights).map(|(s, &w)| if w > 0.0 { s / w } else { 0.0 }).collect();
        Self { cells, coefficients }
    }

    fn at(&self, place: (f64, f64)) -> f64 {
        let mut value = 0.0;
        Self::around(self.cells, place, |c, w| value += w * self.coefficients[c]);
        value
    }
}

impl BSplines {
    pub(super) fn fit(known: &[Known], (low, high): (f64, f64)) -> Self {
        let low = low - GRID_MARGIN;
        let width = high - low;
        let mean = known.iter().map(|k| k.utility).sum::<f64>() / known.len() as f64;
        let places: Vec<(f64, f64)> =
            known.iter().map(|k| ((k.truth - low) / width, (k.predicted - low) / width)).collect();
        let mut residuals: Vec<f64> = known.iter().map(|k| k.utility - mean).collect();
        let mut lattices = Vec::new();
        for cells in LEVELS {
            let lattice = Lattice::fit(cells, &places, &residuals);
            for (residual, &place) in residuals.iter_mut().zip(&places) {
                *residual -= lattice.at(place);
            }
            lattices.push(lattice);
        }
        Self { low, width, mean, lattices }
    }

    pub(super) fn at(&self, truth: f64, predicted: f64) -> f64 {
        let place = ((truth - self.low) / self.width, (predicted - self.low) / self.width);
        self.mean + self.lattices.iter().map(|lattice| lattice.at(place)).sum::<f64>()
    }
}
