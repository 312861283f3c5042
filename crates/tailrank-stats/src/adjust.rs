//! p values adjusted for the number of tests.

use crate::error::{Result, StatsError};

/// A correction for multiple tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Correction {
    /// p·m: the family-wise error rate under any dependence.
    Bonferroni,
    /// Holm (1979), step-down: as safe as Bonferroni and never weaker.
    Holm,
    /// Hochberg (1988), step-up: family-wise, for independent or positively dependent tests.
    Hochberg,
    /// Hommel (1988): family-wise, stronger than Hochberg under the same condition.
    Hommel,
    /// Benjamini & Hochberg (1995): the false discovery rate, independent or positively dependent tests.
    BenjaminiHochberg,
    /// Benjamini & Yekutieli (2001): the false discovery rate under any dependence.
    BenjaminiYekutieli,
}

/// Adjusted p values, in the order given.
///
/// ```
/// use tailrank_stats::{Correction, adjust};
///
/// assert_eq!(adjust(&[0.01, 0.04, 0.03], Correction::Holm)?, [0.03, 0.06, 0.06]);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn adjust(p_values: &[f64], correction: Correction) -> Result<Vec<f64>> {
    if let Some(i) = p_values.iter().position(|p| !(0.0..=1.0).contains(p)) {
        let (name, row, value) = ("p_values", i + 1, p_values[i]);
        if !value.is_finite() {
            return Err(StatsError::NonFinite { name, row, value });
        }
        return Err(StatsError::Parameter { name, value, expected: "p values lie between 0 and 1" });
    }
    let m = p_values.len();
    let mut order: Vec<usize> = (0..m).collect();
    order.sort_by(|&i, &j| p_values[i].total_cmp(&p_values[j]));
    let sorted: Vec<f64> = order.iter().map(|&i| p_values[i]).collect();
    let count = m as f64;
    let rank = |i: usize| (i + 1) as f64;
    let adjusted = match correction {
        Correction::Bonferroni => sorted.iter().map(|p| p * count).collect(),
        Correction::Holm => running_max(sorted.iter().enumerate().map(|(i, p)| p * (count - i as f64))),
        Correction::Hochberg => running_min_from_end(&sorted, |i| count - i as f64),
        Correction::BenjaminiHochberg => running_min_from_end(&sorted, |i| count / rank(i)),
        Correction::BenjaminiYekutieli => {
            let harmonic: f64 = (1..=m).map(|i| 1.0 / i as f64).sum();
            running_min_from_end(&sorted, |i| harmonic * count / rank(i))
        }
        Correction::Hommel => hommel(&sorted),
    };
    let mut out = vec![0.0; m];
    for (&i, p) in order.iter().zip(adjusted) {
        out[i] = p.min(1.0);
    }
    Ok(out)
}

fn running_max(values: impl Iterator<Item = f64>) -> Vec<f64> {
    values
        .scan(0.0f64, |highest, v| {
            *highest = highest.max(v);
            Some(*highest)
        })
        .collect()
}

fn running_min_from_end(sorted: &[f64], factor: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut lowest = f64::INFINITY;
    let mut out: Vec<f64> = (0..sorted.len())
        .rev()
        .map(|i| {
            lowest = lowest.min(sorted[i] * factor(i));
            lowest
        })
        .collect();
    out.reverse();
    out
}

/// Hommel's closed Simes tests: the adjusted p is the largest Simes p of any family that holds the test.
///
/// Of the families of one size only that with the largest other p values matters, so each size needs one look (Wright 1992).
fn hommel(sorted: &[f64]) -> Vec<f64> {
    let m = sorted.len();
    let mut adjusted = sorted.to_vec();
    for size in 2..=m {
        let s = size as f64;
        let first = m - size; // where the family of the `size` largest starts
        let others = (1..size).map(|j| s * sorted[first + j] / (j + 1) as f64).fold(f64::INFINITY, f64::min);
        for (i, p) in adjusted.iter_mut().enumerate() {
            *p = p.max(others.min(s * sorted[i.min(first)]));
        }
    }
    adjusted
}
