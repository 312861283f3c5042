//! p values adjusted for the number of tests.

use crate::error::{Result, StatsError};

/// A correction for multiple tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Correction {
    /// Holm (1979), step-down: safe under any dependence.
    Holm,
    /// Benjamini & Hochberg (1995): the false discovery rate, independent or positively dependent tests.
    BenjaminiHochberg,
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
    let count = m as f64;
    let mut out = vec![0.0; m];
    match correction {
        Correction::Holm => {
            let mut highest = 0.0f64;
            for (i, &place) in order.iter().enumerate() {
                highest = highest.max(p_values[place] * (count - i as f64));
                out[place] = highest.min(1.0);
            }
        }
        Correction::BenjaminiHochberg => {
            let mut lowest = f64::INFINITY;
            for (i, &place) in order.iter().enumerate().rev() {
                lowest = lowest.min(p_values[place] * (count / (i + 1) as f64));
                out[place] = lowest.min(1.0);
            }
        }
    }
    Ok(out)
}
