//! What luck can do: the best score of many variants when predictions and truth have nothing to do with each other.

use crate::{
    draws::Draws,
    error::{Result, StatsError},
    interval::quantile,
    ranking::Better,
};

/// How observed scores stand against scores by luck.
#[derive(Clone, Debug, PartialEq)]
pub struct LuckTest {
    /// p value of each variant on its own.
    pub p_values: Vec<f64>,
    /// The best variant; the first of several.
    pub best: usize,
    /// p value of the best score, the choice among all variants counted.
    pub p_best: f64,
    /// Middle of the best scores by luck.
    pub median_best: f64,
    /// The best score by luck that is reached with probability .05.
    pub critical_best: f64,
    /// Draws under luck.
    pub draws: usize,
}

/// Tests observed scores against their values under luck, one column per variant, on common draws.
///
/// p = (1 + draws at least as good) / (1 + draws), never zero (Phipson & Smyth 2010). `p_best` compares the best observed score
/// with the best score of each draw, which counts the choice among the variants (White 2000). An undefined score (NaN) counts as
/// the worst: under luck it beats nothing, and a variant whose observed score is undefined has p = 1.
///
/// ```
/// use tailrank_stats::{Better, Draws, luck_test};
///
/// let luck = Draws::from_columns(&[vec![0.1, 0.3, 0.2, 0.1], vec![0.2, 0.1, 0.4, f64::NAN]])?;
/// let test = luck_test(&[0.35, 0.15], &luck, Better::Higher)?;
/// assert_eq!(test.p_values, [0.2, 0.6]);
/// assert_eq!((test.best, test.p_best), (0, 0.4));
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn luck_test(observed: &[f64], luck: &Draws, better: Better) -> Result<LuckTest> {
    if observed.len() != luck.columns() {
        let (left, right) = (observed.len(), luck.columns());
        return Err(StatsError::LengthMismatch { left_name: "observed", left, right_name: "luck", right });
    }
    let sign = if better == Better::Higher { 1.0 } else { -1.0 };
    // Undefined scores count as the worst.
    let good = |score: f64| if score.is_nan() { f64::NEG_INFINITY } else { sign * score };
    let draws = luck.draws();
    let p_value = |values: &mut dyn Iterator<Item = f64>, observed: f64| {
        let reached = values.filter(|&v| v >= observed).count();
        (1 + reached) as f64 / (1 + draws) as f64
    };
    let mut p_values = Vec::with_capacity(observed.len());
    let mut maxima = vec![f64::NEG_INFINITY; draws];
    let (mut best, mut highest) = (0, f64::NEG_INFINITY);
    for (j, (column, &score)) in luck.iter().zip(observed).enumerate() {
        let score = good(score);
        p_values.push(p_value(&mut column.iter().map(|&v| good(v)), score));
        maxima.iter_mut().zip(column).for_each(|(m, &v)| *m = m.max(good(v)));
        if score > highest {
            (best, highest) = (j, score);
        }
    }
    if highest == f64::NEG_INFINITY {
        let reason = "no variant has a defined score";
        return Err(StatsError::Degenerate { what: "a comparison with luck", reason });
    }
    let p_best = p_value(&mut maxima.iter().copied(), highest);
    maxima.retain(|m| m.is_finite());
    maxima.sort_unstable_by(f64::total_cmp);
    let at = |p: f64| if maxima.is_empty() { f64::NAN } else { sign * quantile(&maxima, p) };
    let (median_best, critical_best) = (at(0.5), at(0.95));
    Ok(LuckTest { p_values, best, p_best, median_best, critical_best, draws })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_is_better_mirrors_and_ties_count() {
        let luck =
            Draws::from_columns(&[vec![-0.1, -0.3, -0.2, -0.1], vec![-0.2, -0.1, -0.4, f64::NAN]]).unwrap();
        let test = luck_test(&[-0.35, -0.1], &luck, Better::Lower).unwrap();
        assert_eq!(test.p_values, [0.2, 0.8]);
        assert_eq!((test.best, test.p_best), (0, 0.4));
        // Best of each draw: −.2, −.3, −.4, −.1.
        assert!((test.median_best + 0.25).abs() < 1e-15);
        let equal = luck_test(&[-0.4, f64::NAN], &luck, Better::Lower).unwrap();
        assert_eq!((equal.p_best, equal.p_values[1]), (0.4, 1.0));
        assert!(luck_test(&[f64::NAN, f64::NAN], &luck, Better::Lower).is_err());
    }
}
