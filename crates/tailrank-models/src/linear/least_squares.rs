//! Least squares by Householder reflections, with the rank rule of R's `lm`.
//!
//! The columns are taken in the order given. One whose remainder, once the columns before it are taken out,
//! is shorter than 1e-7 of its own length is left without coefficient: LINPACK's `dqrdc2` as R uses it. A
//! factorisation that pivots on length, as linear-algebra crates offer, would leave out other columns and so
//! predict differently on rows where the dependence does not hold; that is why this one is written out.

use super::design::{Design, Line, dot};
use crate::{TrainSet, linalg::back_substitute};

/// R's `lm` default for `tol`.
const RANK_TOLERANCE: f64 = 1e-7;

/// Least squares with an intercept; inputs that depend on earlier ones get no coefficient.
pub(crate) fn least_squares(train: TrainSet<'_>) -> Line {
    let mut design = Design::new(train);
    let (rows, inputs) = (train.y.len(), design.inputs());
    let square = |v: &[f64]| dot(v, v);
    let squares: Vec<f64> = (0..inputs).map(|j| square(&design.column(j))).collect();
    // The columns kept, and those of R.
    let mut kept: Vec<usize> = Vec::new();
    let mut triangle: Vec<Vec<f64>> = Vec::new();
    for j in 0..inputs {
        // Centring has taken the intercept out and with it one dimension.
        let rank = kept.len();
        if rank + 1 >= rows {
            break;
        }
        let mut column = design.column(j);
        let mut h = column.split_off(rank);
        let rest = square(&h).sqrt();
        // R measures the remainder against the uncentred column, the intercept being a column like any other.
        let mean = design.means[j] / design.units[j];
        let length = (squares[j] + mean * mean * design.cases).sqrt();
        if rest <= RANK_TOLERANCE * length {
            continue;
        }
        let sign = if h[0] < 0.0 { -1.0 } else { 1.0 };
        column.push(-sign * rest);
        h[0] += sign * rest;
        let norm = square(&h).sqrt();
        h.iter_mut().for_each(|x| *x /= norm);
        // The later columns and the target, which is the last.
        design.reflect(&h, rank, j + 1);
        kept.push(j);
        triangle.push(column);
    }
    let target = design.column(inputs);
    let solution = back_substitute(&triangle, &target[..triangle.len()]);
    let mut coefficients = vec![None; inputs];
    for (&j, b) in kept.iter().zip(solution) {
        coefficients[j] = Some(b);
    }
    design.line(coefficients)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;

    /// Three rows fix an intercept and two slopes: R's lm gives NA to every further input, however free it
    /// is.
    #[test]
    fn there_are_no_more_slopes_than_rows_allow() {
        let x =
            Matrix::from_rows(&[[1.0, 0.0, 3.0, 2.0], [0.0, 1.0, 5.0, -1.0], [2.0, 2.0, -4.0, 7.0]]).unwrap();
        // y = 1 + 2·x1 − x2 in all three rows.
        let y = [3.0, 0.0, 3.0];
        let line = least_squares(TrainSet::new(x.view(), &y));
        assert_eq!((line.rank(), line.coefficients[2], line.coefficients[3]), (3, None, None));
        for (got, expected) in line.coefficients.iter().zip([2.0, -1.0]) {
            assert!((got.unwrap() - expected).abs() < 1e-13, "{got:?}");
        }
        assert_eq!(line.nonzero(), 2);
    }

    #[test]
    fn an_input_that_repeats_earlier_ones_is_left_out() {
        // x2 = 2·x1, x3 = 5, x4 free; y = 1 + 3·x1 − x4.
        let rows: Vec<[f64; 4]> = [(1.0, 0.5), (2.0, -1.0), (3.0, 2.0), (4.0, 0.0), (5.0, 1.0)]
            .map(|(a, b)| [a, 2.0 * a, 5.0, b])
            .to_vec();
        let y: Vec<f64> = rows.iter().map(|r| 1.0 + 3.0 * r[0] - r[3]).collect();
        let x = Matrix::from_rows(&rows).unwrap();
        let line = least_squares(TrainSet::new(x.view(), &y));
        assert_eq!(line.rank(), 3);
        assert_eq!((line.coefficients[1], line.coefficients[2]), (None, None));
        assert!((line.coefficients[0].unwrap() - 3.0).abs() < 1e-13);
        // The dependence does not hold here: R predicts from x1 and x4 alone.
        let test = Matrix::from_rows(&[[10.0, 0.0, 99.0, 1.0]]).unwrap();
        assert!((line.predict(test.view())[0] - 30.0).abs() < 1e-12);
    }
}
