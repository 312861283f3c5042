//! Least squares by Householder reflections, with the rank rule of R's `lm`.
//!
//! The columns are taken in the order given. One whose remainder, once the columns before it are taken out, is shorter
//! than 1e-7 of its own length is left without coefficient: LINPACK's `dqrdc2` as R uses it. A factorisation that pivots
//! on length, as linear-algebra crates offer, would leave out other columns and so predict differently on rows where
//! the dependence does not hold; that is why this one is written out.

use super::design::{Design, Line, dot};
use crate::TrainSet;

/// R's `lm` default for `tol`.
const RANK_TOLERANCE: f64 = 1e-7;

/// Least squares with an intercept; inputs that depend on earlier ones get no coefficient.
pub(crate) fn least_squares(train: TrainSet<'_>) -> Line {
    let design = Design::new(train);
    let rows = train.y.len();
    let mut target = design.target.clone();
    // Householder vectors of the columns kept, each from its own row downwards, and the rows of R above it.
    let mut kept: Vec<usize> = Vec::new();
    let mut reflections: Vec<Vec<f64>> = Vec::new();
    let mut triangle: Vec<Vec<f64>> = Vec::new();
    for (j, column) in design.columns.iter().enumerate() {
        // Centring has taken the intercept out and with it one dimension.
        let rank = kept.len();
        if rank + 1 >= rows {
            break;
        }
        let mut v = column.clone();
        for (i, h) in reflections.iter().enumerate() {
            reflect(h, &mut v[i..]);
        }
        let rest = dot(&v[rank..], &v[rank..]).sqrt();
        // R measures the remainder against the uncentred column, the intercept being a column like any other.
        let mean = design.means[j] / design.units[j];
        let length = (dot(column, column) + mean * mean * rows as f64).sqrt();
        if rest <= RANK_TOLERANCE * length {
            continue;
        }
        let mut top = v[..rank].to_vec();
        let mut h = v[rank..].to_vec();
        let sign = if h[0] < 0.0 { -1.0 } else { 1.0 };
        top.push(-sign * rest);
        h[0] += sign * rest;
        let norm = dot(&h, &h).sqrt();
        h.iter_mut().for_each(|x| *x /= norm);
        reflect(&h, &mut target[rank..]);
        kept.push(j);
        reflections.push(h);
        triangle.push(top);
    }
    let solution = back_substitute(&triangle, &target);
    let mut coefficients = vec![None; design.columns.len()];
    for (&j, b) in kept.iter().zip(solution) {
        coefficients[j] = Some(b);
    }
    design.line(coefficients)
}

/// v − 2h(hᵀv) for a unit vector h.
fn reflect(h: &[f64], v: &mut [f64]) {
    let twice = 2.0 * dot(h, v);
    for (x, h) in v.iter_mut().zip(h) {
        *x -= twice * h;
    }
}

/// Solves Rb = q for R given by columns.
fn back_substitute(triangle: &[Vec<f64>], target: &[f64]) -> Vec<f64> {
    let mut b = target[..triangle.len()].to_vec();
    for i in (0..b.len()).rev() {
        b[i] /= triangle[i][i];
        for k in 0..i {
            b[k] -= triangle[i][k] * b[i];
        }
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;

    #[test]
    fn an_input_that_repeats_earlier_ones_is_left_out() {
        // x2 = 2·x1, x3 = 5, x4 free; y = 1 + 3·x1 − x4.
        let rows: Vec<[f64; 4]> = [(1.0, 0.5), (2.0, -1.0), (3.0, 2.0), (4.0, 0.0), (5.0, 1.0)]
            .map(|(a, b)| [a, 2.0 * a, 5.0, b])
            .to_vec();
        let y: Vec<f64> = rows.iter().map(|r| 1.0 + 3.0 * r[0] - r[3]).collect();
        let x = Matrix::from_rows(&rows).unwrap();
        let line = least_squares(TrainSet { x: x.view(), y: &y, weights: None });
        assert_eq!(line.rank(), 3);
        assert_eq!((line.coefficients[1], line.coefficients[2]), (None, None));
        assert!((line.coefficients[0].unwrap() - 3.0).abs() < 1e-13);
        // The dependence does not hold here: R predicts from x1 and x4 alone.
        let test = Matrix::from_rows(&[[10.0, 0.0, 99.0, 1.0]]).unwrap();
        assert!((line.predict(test.view())[0] - 30.0).abs() < 1e-12);
    }
}
