//! Local linear fits in two variables as R's `loess(degree = 1, span = 0.75, surface = "direct")` makes them.
//!
//! Close to the diagonal every point with weight lies on it, so the two slopes cannot be told apart. R then
//! takes the least-norm solution of the column-scaled problem (a pseudo-inverse), and so does this.

use super::Known;

const SPAN: f64 = 0.75;

/// The fit's value at (truth, predicted).
pub(super) fn at(known: &[Known], truth: f64, predicted: f64) -> f64 {
    let neighbours = ((known.len() as f64 * SPAN + 1e-5).floor() as usize).clamp(1, known.len());
    let mut nearest: Vec<(f64, &Known)> =
        known.iter().map(|point| (point.squared_distance(truth, predicted), point)).collect();
    nearest.sort_by(|a, b| a.0.total_cmp(&b.0));
    nearest.truncate(neighbours);
    let radius = nearest[neighbours - 1].0;
    let mut columns = [Vec::new(), Vec::new(), Vec::new()];
    let (mut target, mut utilities) = (Vec::new(), Vec::new());
    for (distance, point) in nearest {
        // Square root of the tricube weight.
        let r = (distance / radius).sqrt();
        let w = (1.0 - r * r * r).powi(3).sqrt();
        columns[0].push(w);
        columns[1].push(w * (point.truth - truth));
        columns[2].push(w * (point.predicted - predicted));
        target.push(w * point.utility);
        utilities.push(point.utility);
    }
    // Neighbours that all stand at the edge of the fit have no weight: they count alike, where R's loess
    // divides by zero.
    if columns[0].iter().all(|&w| w == 0.0) {
        return utilities.iter().sum::<f64>() / utilities.len() as f64;
    }
    let scales = columns.each_ref().map(|column| dot(column, column).sqrt());
    for (column, scale) in columns.iter_mut().zip(scales).filter(|(_, scale)| *scale > 0.0) {
        column.iter_mut().for_each(|v| *v /= scale);
    }
    least_norm(columns, &target)[0] / scales[0]
}

/// Least-norm least-squares solution by one-sided Jacobi rotations, singular values up to 100 ε·σ₁ dropped.
fn least_norm(mut a: [Vec<f64>; 3], target: &[f64]) -> [f64; 3] {
    let mut v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..60 {
        let mut rotated = false;
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let (alpha, beta, gamma) = (dot(&a[i], &a[i]), dot(&a[j], &a[j]), dot(&a[i], &a[j]));
            if gamma.abs() <= f64::EPSILON * (alpha * beta).sqrt() {
                continue;
            }
            rotated = true;
            let zeta = (beta - alpha) / (2.0 * gamma);
            let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
            let cosine = 1.0 / (1.0 + t * t).sqrt();
            let sine = cosine * t;
            let turn =
                |x: &mut f64, y: &mut f64| (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
            let (head, tail) = a.split_at_mut(j);
            head[i].iter_mut().zip(&mut tail[0]).for_each(|(x, y)| turn(x, y));
            let (head, tail) = v.split_at_mut(j);
            head[i].iter_mut().zip(&mut tail[0]).for_each(|(x, y)| turn(x, y));
        }
        if !rotated {
            break;
        }
    }
    let sigma = a.each_ref().map(|column| dot(column, column).sqrt());
    let tolerance = sigma.iter().copied().fold(0.0, f64::max) * 100.0 * f64::EPSILON;
    let mut solution = [0.0; 3];
    for k in (0..3).filter(|&k| sigma[k] > tolerance) {
        let coordinate = dot(&a[k], target) / (sigma[k] * sigma[k]);
        for (s, direction) in solution.iter_mut().zip(v[k]) {
            *s += direction * coordinate;
        }
    }
    solution
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points on a line have no spread across it: that slope is left out, and the other one is found. A
    /// linear fit gives values that lie on a line, 2 − z/2, back as they are.
    #[test]
    fn points_that_share_a_truth_leave_one_slope() {
        let along = |turned: bool| -> Vec<Known> {
            (0..9)
                .map(|i| {
                    let (a, z) = (1.0, f64::from(i));
                    let (truth, predicted) = if turned { (z, a) } else { (a, z) };
                    Known { truth, predicted, utility: 2.0 - 0.5 * z }
                })
                .collect()
        };
        for z in [0.0, 3.3, 8.0] {
            for (got, what) in [(at(&along(false), 1.0, z), "truth"), (at(&along(true), z, 1.0), "predicted")]
            {
                assert!((got - (2.0 - 0.5 * z)).abs() < 1e-13, "{what} at {z}: {got}");
            }
        }
    }
}
