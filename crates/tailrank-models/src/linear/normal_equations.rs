//! Least squares by the normal equations, for many rows and inputs far from dependence.
//!
//! One pass over the rows instead of one per input. The error of a solution grows with the square of the condition number,
//! which is measured: what comes near it is left to the [reflections](super::least_squares). With correlations C among the
//! inputs, the variance inflation of input j (Marquardt 1970) is element (j, j) of C⁻¹; their sum bounds the norm of C⁻¹
//! from above, and the rounding errors of C, a few times 1e-16, are inflated by no more than that norm.

use super::{design::Line, moments::Moments};
use crate::{
    TrainSet,
    linalg::{cholesky, solve_lower, solve_upper},
};

/// Largest sum of variance inflations: twelve digits are left.
const MOST_INFLATION: f64 = 1e4;
/// A mean may be this many standard deviations from its shift, squared: more would cancel digits of the sums.
const MOST_SHIFT: f64 = 4.0;
/// Sums of squares within these limits have products and roots that neither overflow nor lose digits.
const SQUARES: std::ops::RangeInclusive<f64> = 1e-200..=1e200;
/// Share of a column's own square, the mean counted, that must be left beside the others; the rank rule of R's `lm` leaves
/// out a column at 1e-14.
const LEAST_REST: f64 = 1e-12;

/// The least-squares line, or none where the reflections would be more exact.
pub(super) fn normal_equations(train: TrainSet<'_>) -> Option<Line> {
    let p = train.x.cols();
    let moments = Moments::new(train);
    let cases = moments.at(p + 1, p + 1);
    // From the shifts to the means of the inputs and the target.
    let steps: Vec<f64> = (0..=p).map(|j| moments.at(j, p + 1) / cases).collect();
    let centred = |i: usize, j: usize| moments.at(i, j) - steps[i] * steps[j] * cases;
    let squares: Vec<f64> = (0..=p).map(|j| centred(j, j)).collect();
    let near =
        |j: usize| SQUARES.contains(&squares[j]) && steps[j] * steps[j] * cases <= MOST_SHIFT * squares[j];
    if !(0..=p).all(near) {
        return None;
    }
    let lengths: Vec<f64> = squares.iter().map(|s| s.sqrt()).collect();
    let mut factor = vec![0.0; p * p];
    for j in 0..p {
        for i in 0..=j {
            factor[i * p + j] = centred(i, j) / lengths[i] / lengths[j];
        }
    }
    cholesky(&mut factor, p, p).ok()?;
    let means: Vec<f64> = moments.shifts.iter().zip(&steps).map(|(shift, step)| shift + step).collect();
    let inflation = inflations(&factor, p);
    let is_exact = |j: usize| {
        let whole = squares[j] + means[j] * means[j] * cases;
        squares[j] / inflation[j] >= LEAST_REST * whole
    };
    // Not a number fails, too.
    if !(inflation.iter().sum::<f64>() <= MOST_INFLATION && (0..p).all(is_exact)) {
        return None;
    }
    let mut b: Vec<f64> = (0..p).map(|j| centred(j, p) / lengths[j]).collect();
    solve_lower(&factor, p, p, &mut b, p, 1);
    solve_upper(&factor, p, p, &mut b);
    Some(Line {
        target_mean: means[p],
        coefficients: b.iter().zip(&lengths).map(|(b, length)| Some(b / length)).collect(),
        input_means: means[..p].to_vec(),
    })
}

/// The diagonal of (LL')⁻¹: sums of squares of the columns of L⁻¹.
fn inflations(factor: &[f64], p: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; p * p];
    (0..p).for_each(|j| inverse[j * p + j] = 1.0);
    solve_lower(factor, p, p, &mut inverse, p, p);
    inverse.chunks_exact(p).map(|column| column.iter().map(|v| v * v).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Matrix, linear::least_squares};

    /// Inputs of other scales and means; each holds `mixed` of the one before it.
    fn table(rows: usize, inputs: usize, mixed: f64) -> (Matrix, Vec<f64>, Vec<f64>) {
        let mut state = 7_u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let (mut x, mut y, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..rows {
            let (mut last, mut target) = (uniform(), 1e3 + uniform());
            for j in 0..inputs {
                last = mixed * last + (1.0 - mixed) * uniform();
                target += (j as f64 - 2.0) * last;
                x.push(
                    (last + (j % 3) as f64 * 20.0 + i as f64 / rows as f64) * 10f64.powi(j as i32 % 7 - 3),
                );
            }
            y.push(target);
            weights.push(uniform() + 1.5);
        }
        (Matrix::new(rows, inputs, x).unwrap(), y, weights)
    }

    fn difference(a: &[f64], b: &[f64]) -> f64 {
        let largest = |m: f64, d: f64| if d.is_nan() { d } else { m.max(d) };
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, largest)
    }

    #[test]
    fn equal_the_reflections_where_they_answer() {
        for (rows, inputs, mixed) in [(40, 1, 0.0), (3000, 5, 0.3), (3000, 20, 0.9), (997, 31, 0.5)] {
            let (x, y, weights) = table(rows, inputs, mixed);
            for weights in [None, Some(&weights[..])] {
                let train = TrainSet { x: x.view(), y: &y, weights };
                let (got, want) = (normal_equations(train).unwrap(), least_squares(train));
                assert_eq!(got.rank(), inputs + 1);
                // Of values about 1000, with the target's spread about 10.
                let worst = difference(&got.predict(x.view()), &want.predict(x.view()));
                assert!(worst < 1e-9, "{rows} {inputs} {mixed}: {worst}");
            }
        }
    }

    #[test]
    fn dependent_flat_and_extreme_columns_are_left_to_the_reflections() {
        let (x, y, _) = table(500, 4, 0.2);
        let answers = |change: &dyn Fn(usize, &mut [f64])| {
            let mut x = x.clone();
            x.as_mut_slice().chunks_exact_mut(4).enumerate().for_each(|(i, row)| change(i, row));
            normal_equations(TrainSet::new(x.view(), &y)).is_some()
        };
        assert!(answers(&|_, _| ()));
        assert!(!answers(&|_, row| row[2] = row[0] + row[1]));
        assert!(!answers(&|i, row| row[2] = row[0] * (1.0 + 1e-4 * (i % 7) as f64)));
        assert!(!answers(&|_, row| row[3] = 0.1));
        assert!(!answers(&|_, row| row[0] += 1e9 * row[1].signum().abs()));
        assert!(!answers(&|_, row| row[1] *= 1e200));
        assert!(!answers(&|_, row| row[1] *= 1e-200));
        // More inputs than rows.
        let (x, y, _) = table(10, 12, 0.1);
        assert!(normal_equations(TrainSet::new(x.view(), &y)).is_none());
    }
}
