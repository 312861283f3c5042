//! Ridge regression: one singular value decomposition for every lambda.

use super::design::{Design, Line};
use crate::{
    ModelError, Result, TrainSet,
    linalg::{add_scaled, dot},
};

/// Centred inputs X = USVᵀ, with Uᵀy: b(λ) = V · s/(s² + nλ) · Uᵀy, where n is the sum of the weights.
pub(super) struct RidgePath {
    design: Design,
    rows: f64,
    /// Singular values in the common unit.
    singular: Singular,
    unit: f64,
}

impl RidgePath {
    pub(super) fn new(train: TrainSet<'_>) -> Result<Self> {
        let design = Design::new(train);
        // One unit for all columns: the penalty compares their coefficients.
        let unit = design.units.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let scaled = |(j, own): (usize, &f64)| {
            let mut column = design.column(j);
            column.iter_mut().for_each(|v| *v *= own / unit);
            column
        };
        let columns = design.units.iter().enumerate().map(scaled).collect();
        let singular = Singular::new(columns, &design.column(design.inputs())).ok_or_else(|| {
            let problem = "the singular values of the inputs were not found; try standardise = true";
            ModelError::numerical("linear", problem)
        })?;
        Ok(Self { design, rows: train.x.rows() as f64, singular, unit })
    }

    pub(super) fn solve(&self, lambda: f64) -> Line {
        let shrunk: Vec<f64> = self
            .shrinkage(lambda)
            .zip(&self.singular.projected)
            .map(|((s, f), q)| if f > 0.0 { f / s * q } else { 0.0 })
            .collect();
        let coefficients = (0..self.design.inputs()).map(|j| {
            let b: f64 = shrunk.iter().zip(&self.singular.right).map(|(z, v)| v[j] * z).sum();
            // From the common unit into the column's own, which `line` takes back out.
            Some(b * (self.design.units[j] / self.unit))
        });
        self.design.line(coefficients)
    }

    /// Effective number of parameters, Σ s²/(s² + nλ), the intercept not counted.
    pub(super) fn degrees_of_freedom(&self, lambda: f64) -> f64 {
        self.shrinkage(lambda).map(|(_, f)| f).sum()
    }

    /// Every singular value with its factor s²/(s² + nλ); 0 below the rounding error of the largest.
    fn shrinkage(&self, lambda: f64) -> impl Iterator<Item = (f64, f64)> {
        let values = &self.singular.values;
        let floor = values.first().copied().unwrap_or(0.0)
            * f64::EPSILON
            * self.rows.max(self.design.inputs() as f64);
        let penalty = self.design.cases * lambda;
        values.iter().map(move |&s| {
            let own = s * self.unit;
            // 1/(1 + nλ/s²) in two divisions: s² may leave the range of f64.
            (s, if s > floor { 1.0 / (1.0 + penalty / own / own) } else { 0.0 })
        })
    }
}

// Singular values by one-sided Jacobi rotations (Hestenes 1958), after a QR factorisation.
//
// X = QR by Householder's reflections; the rotations J make the columns of R'J orthogonal, so that R'J = VS
// and X = (QJ)SV'. U = QJ is never formed: what ridge regression needs of it is U'y. Plain and exact to the
// last digits, and with its own order of additions the same on every processor.

/// Far above what is ever needed: a dozen sweeps.
const MOST_SWEEPS: usize = 60;

/// X = USV', by what ridge regression needs.
pub(super) struct Singular {
    /// Singular values, largest first.
    pub(super) values: Vec<f64>,
    /// Columns of V, one for each value.
    pub(super) right: Vec<Vec<f64>>,
    /// U'y
    pub(super) projected: Vec<f64>,
}

impl Singular {
    /// Decomposes the matrix with these columns; none if the rotations do not come to an end.
    pub(super) fn new(columns: Vec<Vec<f64>>, y: &[f64]) -> Option<Self> {
        let (rows, p) = (y.len(), columns.len());
        let (mut w, mut projected) = if rows > p {
            triangle(columns, y.to_vec())
        } else {
            ((0..rows).map(|i| columns.iter().map(|c| c[i]).collect()).collect(), y.to_vec())
        };
        rotate(&mut w, &mut projected)?;
        let mut found: Vec<(f64, Vec<f64>, f64)> = w
            .into_iter()
            .zip(projected)
            .map(|(mut w, q)| {
                let s = dot(&w, &w).sqrt();
                if s > 0.0 {
                    w.iter_mut().for_each(|v| *v /= s);
                }
                (s, w, q)
            })
            .collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (values, (right, projected)) = found.into_iter().map(|(s, v, q)| (s, (v, q))).unzip();
        Some(Self { values, right, projected })
    }
}

/// Rows of R, and the first entries of Q'y.
fn triangle(mut columns: Vec<Vec<f64>>, mut y: Vec<f64>) -> (Vec<Vec<f64>>, Vec<f64>) {
    let p = columns.len();
    let mut rows = vec![vec![0.0; p]; p];
    for j in 0..p {
        let (head, tail) = columns.split_at_mut(j + 1);
        let h = &mut head[j][j..];
        let length = dot(h, h).sqrt();
        if length > 0.0 {
            // Away from the first entry, so that nothing cancels: h'h = 2 length (length + |h₀|).
            let end = if h[0] < 0.0 { length } else { -length };
            h[0] -= end;
            let scale = 1.0 / (length * h[0].abs());
            for other in tail.iter_mut().map(|c| &mut c[j..]).chain([&mut y[j..]]) {
                let along = dot(h, other) * scale;
                add_scaled(other, -along, h);
            }
            rows[j][j] = end;
        }
        for (k, column) in tail.iter().enumerate() {
            rows[j][j + 1 + k] = column[j];
        }
    }
    y.truncate(p);
    (rows, y)
}

/// Makes the vectors orthogonal by rotating pairs; `q` turns with them.
fn rotate(w: &mut [Vec<f64>], q: &mut [f64]) -> Option<()> {
    let length = w.first().map_or(0, Vec::len);
    let tolerance = 4.0 * (length as f64).sqrt() * f64::EPSILON;
    for _ in 0..MOST_SWEEPS {
        let mut still = true;
        for j in 1..w.len() {
            for i in 0..j {
                let (head, tail) = w.split_at_mut(j);
                let (a, b) = (&mut head[i], &mut tail[0]);
                let (aa, bb, ab) = (dot(a, a), dot(b, b), dot(a, b));
                if ab.abs() <= tolerance * aa.sqrt() * bb.sqrt() {
                    continue;
                }
                still = false;
                let zeta = (bb - aa) / (2.0 * ab);
                let t = 1.0_f64.copysign(zeta) / (zeta.abs() + hypotenuse(zeta));
                let cos = 1.0 / hypotenuse(t);
                let sin = cos * t;
                let turn = |a: &mut f64, b: &mut f64| (*a, *b) = (cos * *a - sin * *b, sin * *a + cos * *b);
                a.iter_mut().zip(b).for_each(|(a, b)| turn(a, b));
                let (head, tail) = q.split_at_mut(j);
                turn(&mut head[i], &mut tail[0]);
            }
        }
        if still {
            return Some(());
        }
    }
    None
}

/// √(1 + x²); a huge x is its own.
fn hypotenuse(x: f64) -> f64 {
    if x.abs() > 1e150 { x.abs() } else { (1.0 + x * x).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: usize, p: usize, value: impl Fn(usize, usize) -> f64) {
        let columns: Vec<Vec<f64>> = (0..p).map(|j| (0..rows).map(|i| value(i, j)).collect()).collect();
        let y: Vec<f64> = (0..rows).map(|i| ((i * 7) % 5) as f64 - 1.5).collect();
        let Singular { values, right, projected } = Singular::new(columns.clone(), &y).unwrap();
        assert!(values.len() == rows.min(p) && values.is_sorted_by(|a, b| a >= b));
        // V'V = 1 where the value counts; VS²V' = X'X; VSU'y = X'y.
        for (a, v) in right.iter().enumerate().take_while(|(k, _)| values[*k] > 1e-10) {
            for (b, w) in right.iter().enumerate().take_while(|(k, _)| values[*k] > 1e-10) {
                let want = if a == b { 1.0 } else { 0.0 };
                assert!((dot(v, w) - want).abs() < 1e-13, "{a} {b}: {}", dot(v, w));
            }
        }
        for i in 0..p {
            let moment: f64 = (0..values.len()).map(|k| right[k][i] * values[k] * projected[k]).sum();
            assert!((moment - dot(&columns[i], &y)).abs() < 1e-12, "X'y {i}");
            for j in 0..p {
                let square: f64 =
                    (0..values.len()).map(|k| right[k][i] * values[k].powi(2) * right[k][j]).sum();
                assert!((square - dot(&columns[i], &columns[j])).abs() < 1e-12, "X'X {i} {j}");
            }
        }
    }

    #[test]
    fn decompositions_multiply_back() {
        let wild = |i: usize, j: usize| ((i * 31 + j * 17 + i * j * 7) % 23) as f64 / 11.0 - 1.0;
        check(30, 6, wild);
        check(6, 6, wild);
        check(4, 9, wild);
        check(1, 3, wild);
        // Two equal columns and one of zeros.
        check(20, 5, |i, j| if j == 4 { 0.0 } else { wild(i, j.min(2)) });
    }
}
