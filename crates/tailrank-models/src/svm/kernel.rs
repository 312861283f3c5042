//! Kernel functions over blocks of rows: products of matrices, then one vectorised pass in f64.

use crate::{
    MatrixView,
    linalg::{Right, Update, View, product, vectorised},
};

/// A kernel with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kernel {
    /// exp(−γ|x − z|²)
    Rbf { gamma: f64 },
    /// x'z
    Linear,
    /// (γ x'z + c₀)^d with c₀ of at least 0, so that every kernel matrix is positive semidefinite.
    Polynomial { gamma: f64, coef0: f64, degree: i32 },
}

/// Rows with their squared lengths, kept column by column: products take a few rows of all columns at a time.
#[derive(Clone, Debug)]
pub(super) struct Points {
    x: Vec<f64>,
    cols: usize,
    /// Squared lengths.
    pub(super) norms: Vec<f64>,
}

impl Points {
    pub(super) fn new(x: MatrixView<'_>) -> Self {
        let norms = x.iter_rows().map(|row| row.iter().map(|v| v * v).sum()).collect();
        Self { x: x.to_column_major(), cols: x.cols(), norms }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.norms.len()
    }

    /// These rows alone.
    pub(super) fn select(&self, rows: &[usize]) -> Self {
        let x = self.columns().flat_map(|column| rows.iter().map(|&i| column[i])).collect();
        Self { x, cols: self.cols, norms: rows.iter().map(|&i| self.norms[i]).collect() }
    }

    /// Rows `from..to` alone.
    pub(super) fn slice(&self, from: usize, to: usize) -> Self {
        let x = self.columns().flat_map(|column| &column[from..to]).copied().collect();
        Self { x, cols: self.cols, norms: self.norms[from..to].to_vec() }
    }

    fn columns(&self) -> impl Iterator<Item = &[f64]> {
        self.x.chunks_exact(self.len().max(1))
    }

    /// Rows from `from` on.
    fn tail(&self, from: usize) -> View<'_> {
        View::columns(&self.x[from..], self.len())
    }
}

impl Kernel {
    /// k(x, x) for every row.
    pub(super) fn diagonal(self, points: &Points) -> Vec<f64> {
        match self {
            Self::Rbf { .. } => vec![1.0; points.len()],
            _ => {
                let mut values = points.norms.clone();
                self.map(&mut values, 0.0, &[]);
                values
            }
        }
    }

    /// k(a, b) for all rows of `a` and the rows of `b` from `from` on, row-major into `out`.
    ///
    /// A value is the same bits whatever rows stand beside it, and k(a, b) = k(b, a).
    pub(super) fn block(self, a: &Points, b: &Points, from: usize, out: &mut [f64]) {
        let width = b.len() - from;
        let right = Right::new(a.tail(0).transposed(), a.cols, a.len());
        product(out, width, width, Update::Replace, b.tail(from), &right, false);
        for (row, norm) in out.chunks_exact_mut(width.max(1)).zip(&a.norms) {
            self.map(row, *norm, &b.norms[from..]);
        }
    }

    /// Turns the products of one row with many others into kernel values.
    fn map(self, products: &mut [f64], norm: f64, norms: &[f64]) {
        match self {
            Self::Linear => {}
            Self::Rbf { gamma } => vectorised!({
                for (v, other) in products.iter_mut().zip(norms) {
                    let distance = norm + other - 2.0 * *v;
                    *v = exp_of_negative(-gamma * if distance > 0.0 { distance } else { 0.0 });
                }
            }),
            Self::Polynomial { gamma, coef0, degree } => vectorised!({
                for v in products.iter_mut() {
                    *v = (gamma * *v + coef0).powi(degree);
                }
            }),
        }
    }
}

/// Terms of the exponential series.
const TERMS: usize = 14;

/// 1/k! for every term k.
const INVERSE_FACTORIALS: [f64; TERMS] = {
    let (mut inverse, mut factorial, mut k) = ([1.0; TERMS], 1.0, 1);
    while k < TERMS {
        factorial *= k as f64;
        inverse[k] = 1.0 / factorial;
        k += 1;
    }
    inverse
};

/// exp(x) for x ≤ 0 to about one unit in the last place, without branches so that loops over it vectorise;
/// results below the smallest normal number come out near it.
#[inline(always)]
fn exp_of_negative(x: f64) -> f64 {
    // 1.5 · 2⁵²: adding it leaves the nearest whole number in the low bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    const LN2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let x = if x > -708.0 { x } else { -708.0 };
    let shifted = x * std::f64::consts::LOG2_E + ROUND;
    let whole = shifted - ROUND;
    let f = (x - whole * LN2_HIGH) - whole * LN2_LOW;
    // Taylor's series; |f| ≤ ln 2 / 2 makes the first term left out smaller than 5e-18.
    let mut sum = INVERSE_FACTORIALS[TERMS - 1];
    for k in (0..TERMS - 1).rev() {
        sum = sum * f + INVERSE_FACTORIALS[k];
    }
    sum * f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_is_accurate() {
        for i in 0..200_000 {
            let x = -f64::from(i) * 0.0035;
            let (ours, exact) = (exp_of_negative(x), x.exp());
            assert!((ours - exact).abs() <= 4e-16 * exact + 4e-308, "exp({x}): {ours} against {exact}");
        }
        assert_eq!(exp_of_negative(0.0), 1.0);
        assert!(exp_of_negative(-1e300) < 1e-300);
    }

    #[test]
    fn blocks_equal_the_definitions() {
        let rows = [0.5, -1.0, 2.0, 0.25, -0.75, 1.5];
        let points = Points::new(MatrixView::new(3, 2, &rows).unwrap());
        let row = |i: usize| &rows[2 * i..2 * i + 2];
        let naive = |k: Kernel, a: &[f64], b: &[f64]| {
            let dot: f64 = a.iter().zip(b).map(|(u, v)| u * v).sum();
            let distance: f64 = a.iter().zip(b).map(|(u, v)| (u - v).powi(2)).sum();
            match k {
                Kernel::Rbf { gamma } => (-gamma * distance).exp(),
                Kernel::Linear => dot,
                Kernel::Polynomial { gamma, coef0, degree } => (gamma * dot + coef0).powi(degree),
            }
        };
        for kernel in [
            Kernel::Rbf { gamma: 0.3 },
            Kernel::Linear,
            Kernel::Polynomial { gamma: 0.5, coef0: 1.0, degree: 3 },
        ] {
            let mut out = vec![0.0; 6];
            kernel.block(&points, &points, 1, &mut out);
            for i in 0..3 {
                for j in 1..3 {
                    let expected = naive(kernel, row(i), row(j));
                    assert!((out[i * 2 + j - 1] - expected).abs() < 1e-14, "{kernel:?} {i} {j}");
                }
                let own = naive(kernel, row(i), row(i));
                assert!((kernel.diagonal(&points)[i] - own).abs() < 1e-14, "{kernel:?} {i}");
            }
        }
    }
}
