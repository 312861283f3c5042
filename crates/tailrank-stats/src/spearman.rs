//! Spearman's rank correlation ρ and its tests.
//!
//! Exact p values count all orders up to n = 9. Beyond, the Edgeworth series of Best & Roberts (1975, AS 89)
//! serves, as in R; at n = 10, where it is first used, it is off by up to 5.6·10⁻⁴.

use crate::{
    distribution::{normal_lower, normal_upper, student_upper},
    error::{Result, StatsError, check_pair},
    kendall::CorrelationMethod,
    ranking::Ranked,
    test_result::{Alternative, TestResult},
};

const TEST: &str = "Spearman's rank correlation";
/// The largest n whose orders are counted one and all.
const ENUMERATE_UP_TO: usize = 9;
/// The largest n for which the series is used, as in R; beyond, it and t agree.
const EDGEWORTH_UP_TO: usize = 1290;

/// Spearman's ρ: Pearson's correlation of the average ranks.
///
/// ```
/// let rho = tailrank_stats::spearman_rho(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0])?;
/// assert!((rho - 0.8).abs() < 1e-15);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn spearman_rho(x: &[f64], y: &[f64]) -> Result<f64> {
    check_pair(x, y, TEST, 2)?;
    rho(&Ranked::ascending(x), &Ranked::ascending(y))
}

/// Tests ρ = 0. The statistic is S, the sum of squared rank differences that belongs to ρ.
///
/// `Auto` enumerates for n ≤ 9 and uses the Edgeworth series beyond; it goes over to t with ties and above n
/// = 1290.
///
/// ```
/// use tailrank_stats::{Alternative, CorrelationMethod, spearman_test};
///
/// let answer = spearman_test(&[1.0, 2.0, 3.0, 4.0], &[2.0, 1.0, 3.0, 4.0], CorrelationMethod::Auto, Alternative::Greater)?;
/// assert_eq!(answer.method, "exact");
/// assert!((answer.p_value - 4.0 / 24.0).abs() < 1e-15);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn spearman_test(
    x: &[f64],
    y: &[f64],
    method: CorrelationMethod,
    alternative: Alternative,
) -> Result<TestResult> {
    check_pair(x, y, TEST, 3)?;
    let (x, y) = (Ranked::ascending(x), Ranked::ascending(y));
    let n = x.ranks.len();
    let r = rho(&x, &y)?;
    let ties = x.has_ties() || y.has_ties();
    let count = n as f64;
    let sixth = count * (count * count - 1.0) / 6.0;
    let s = sixth * (1.0 - r);
    let exact = method == CorrelationMethod::Auto && !ties && n <= EDGEWORTH_UP_TO;
    let df = count - 2.0;
    // Small S means positive correlation, so S's lower tail is the alternative `greater`.
    let (name, small_s, large_s, df) = if exact && n <= ENUMERATE_UP_TO {
        let below = cumulative_counts(n);
        let at = (s.round() as usize) / 2;
        let all = below[below.len() - 1];
        let before = if at == 0 { 0 } else { below[at - 1] };
        ("exact", below[at] as f64 / all as f64, (all - before) as f64 / all as f64, None)
    } else if exact {
        let s = s.round();
        ("Edgeworth series", edgeworth(s + 2.0, count, true), edgeworth(s, count, false), None)
    } else {
        let t = correlation_t(r, df);
        ("asymptotic", student_upper(t, df), student_upper(-t, df), Some(df))
    };
    let answer = TestResult::new(TEST, name, s, alternative.p_value(large_s, small_s), alternative, n);
    Ok(TestResult { estimate: Some(r), df, ..answer })
}

/// t = r·√(df/(1−r²)), infinite for a perfect correlation.
fn correlation_t(r: f64, df: f64) -> f64 {
    r * (df / ((1.0 - r) * (1.0 + r)).max(0.0)).sqrt()
}

fn rho(x: &Ranked, y: &Ranked) -> Result<f64> {
    for (name, ranked) in [("x", x), ("y", y)] {
        if ranked.groups.len() < 2 {
            let fix = "leave it out, or compare scores that differ";
            return Err(StatsError::Constant { name, test: TEST, fix });
        }
    }
    // Sums of products of whole numbers: exact, so that ties between permutations are exact too.
    let (a, b) = (x.centred_doubled(), y.centred_doubled());
    let dot = |u: &[i64], v: &[i64]| u.iter().zip(v).map(|(p, q)| i128::from(p * q)).sum::<i128>() as f64;
    let (xx, yy) = (dot(&a, &a), dot(&b, &b));
    let scale = if xx == yy { xx } else { xx.sqrt() * yy.sqrt() };
    Ok((dot(&a, &b) / scale).clamp(-1.0, 1.0))
}

/// How many of the n! orders have Σd²/2 ≤ 0, 1, 2, … (Σd² is always even).
///
/// Orders are built place by place; those that used the same items share one table, so 2ⁿ tables replace n!
/// orders.
pub(crate) fn cumulative_counts(n: usize) -> Vec<u64> {
    let largest = n * (n * n - 1) / 6; // Σd²/2 of the reversed order
    let mut tables: Vec<Vec<u64>> = vec![Vec::new(); 1 << n];
    tables[0] = vec![0; 2 * largest + 1];
    tables[0][0] = 1;
    for used in 0..1usize << n {
        let table = std::mem::take(&mut tables[used]);
        let place = used.count_ones() as usize;
        if place == n {
            let mut total = 0;
            return table
                .iter()
                .step_by(2)
                .map(|c| {
                    total += c;
                    total
                })
                .collect();
        }
        for item in (0..n).filter(|item| used & (1 << item) == 0) {
            let squared = item.abs_diff(place).pow(2);
            let next = &mut tables[used | 1 << item];
            if next.is_empty() {
                next.resize(2 * largest + 1, 0);
            }
            for (target, source) in next[squared..].iter_mut().zip(&table) {
                *target += source;
            }
        }
    }
    Vec::new()
}

/// P(S < s) (`lower`) or P(S ≥ s) by the Edgeworth series of AS 89 (Best & Roberts 1975).
fn edgeworth(s: f64, n: f64, lower: bool) -> f64 {
    let b = 1.0 / n;
    // S moved by its lattice step to the continuity point, in standard units.
    let x = (6.0 * (s - 1.0) * b / (n * n - 1.0) - 1.0) * (n - 1.0).sqrt();
    let y = x * x;
    let inner = 0.0072 - 0.0831 * b + y * b * (0.0131 - 4.6e-4 * y);
    let middle = -0.0758 + b * (0.1033 + 0.3932 * b) - y * b * (0.0879 + 0.0151 * b - y * inner);
    let correction = x * b * (0.2274 + b * (0.2531 + 0.1745 * b) + y * middle) * (-0.5 * y).exp();
    let p = if lower { normal_lower(x) - correction } else { normal_upper(x) + correction };
    p.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_tables() {
        // Kendall & Gibbons, table of Σd²: n = 4 has frequencies 1, 3, 1, 4, 2, 2, 2, 4, 1, 3, 1.
        let cumulative = cumulative_counts(4);
        assert_eq!(cumulative, [1, 4, 5, 9, 11, 13, 15, 19, 20, 23, 24]);
        for (n, factorial) in [(5, 120), (7, 5040), (9, 362_880)] {
            assert_eq!(cumulative_counts(n).last(), Some(&factorial));
        }
    }

    /// The series at the smallest n that uses it, against all 10! orders: 5.6e-4 is the series' own error (R
    /// prints the same p).
    #[test]
    fn edgeworth_series_is_close_to_the_enumeration() {
        let n = 10;
        let below = cumulative_counts(n);
        let all = below[below.len() - 1] as f64;
        let worst = below
            .iter()
            .enumerate()
            .map(|(half, &count)| {
                (edgeworth(2.0 * half as f64 + 2.0, n as f64, true) - count as f64 / all).abs()
            })
            .max_by(f64::total_cmp) // NaN comes out on top and fails below
            .unwrap();
        assert!((worst - 5.60e-4).abs() < 1e-6, "{worst:e}");
    }
}
