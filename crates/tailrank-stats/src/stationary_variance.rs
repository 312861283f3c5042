//! The variance of a mean under the stationary bootstrap, without drawing.

/// n·Var(mean*) under stationary resampling with the given mean block: Politis & Romano (1994), lemma 1.
///
/// With q = 1 − 1/block, deviations x from the mean and their circular autocovariances c it is c₀ + 2·Σⱼ (1 − j/n)·qʲ·cⱼ,
/// j = 1 … n − 1. (Hansen 2005 writes the same as a kernel over ordinary autocovariances.) Two geometric recursions over the circle
/// give the sum in one pass instead of n²/2 products.
pub(crate) fn stationary_variance(series: impl Iterator<Item = f64> + Clone, mean_block: f64) -> f64 {
    let n = series.clone().count();
    let count = n as f64;
    let mean = series.clone().sum::<f64>() / count;
    let x: Vec<f64> = series.map(|v| v - mean).collect();
    let squares: f64 = x.iter().map(|v| v * v).sum();
    let q = 1.0 - 1.0 / mean_block;
    let last = q.powi(n as i32);
    // plain = Σⱼ qʲ·x₋ⱼ and linear = Σⱼ j·qʲ·x₋ⱼ over the n − 1 predecessors on the circle of the case at hand.
    let (mut plain, mut linear) = (0.0, 0.0);
    let mut power = 1.0;
    for j in 1..n {
        power *= q;
        plain += power * x[n - j];
        linear += j as f64 * power * x[n - j];
    }
    let mut lagged = 0.0;
    for i in 0..n {
        lagged += x[i] * (plain - linear / count);
        let next = x[(i + 1) % n];
        linear = q * (x[i] + plain + linear) - count * last * next;
        plain = q * (x[i] + plain) - last * next;
    }
    (squares + 2.0 * lagged) / count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recursion_is_the_kernel_sum() {
        let x: Vec<f64> = (0..83).map(|i| (f64::from(i) * 0.7).sin() + f64::from(i % 5) * 0.3).collect();
        let n = x.len();
        let mean = x.iter().sum::<f64>() / n as f64;
        for block in [1.0, 1.5, 4.0, 30.0, 83.0] {
            let q: f64 = 1.0 - 1.0 / block;
            let covariance =
                |lag: usize| (lag..n).map(|i| (x[i] - mean) * (x[i - lag] - mean)).sum::<f64>() / n as f64;
            let kernel = |i: usize| {
                let share = i as f64 / n as f64;
                (1.0 - share) * q.powi(i as i32) + share * q.powi((n - i) as i32)
            };
            let expected = covariance(0) + (1..n).map(|i| 2.0 * kernel(i) * covariance(i)).sum::<f64>();
            let got = stationary_variance(x.iter().copied(), block);
            assert!((got - expected).abs() < 1e-13, "block {block}: {got} against {expected}");
        }
    }
}
