//! Case weights as whole numbers, so that sums of them are exact in any order.

use crate::{ModelError, Result};

/// Sums of masses and of masses times gradients stay below this: they fit the mantissa of an f64 with a sign.
pub(super) const LARGEST_SUM_BITS: u32 = 50;

/// The weights of the rows. A row of whole weight is the same fit as with the row repeated.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Mass {
    rows: usize,
    /// What each row counts, in parts; none where every row counts once.
    pub(super) parts: Option<Vec<u64>>,
    /// Parts in a weight of one, where weights are no whole numbers.
    real: Option<f64>,
}

impl Mass {
    /// The masses of `rows` rows; weights must be finite and positive.
    pub(super) fn new(weights: Option<&[f64]>, rows: usize) -> Result<Self> {
        let Some(weights) = weights.filter(|w| w.iter().any(|w| *w != 1.0)) else {
            return Ok(Self { rows, ..Self::default() });
        };
        let sum: f64 = weights.iter().sum();
        if !(sum.is_finite() && sum > 0.0) {
            return Err(ModelError::data(format!("case weights sum to {sum}")));
        }
        if sum < f64::from(1u32 << 31) && weights.iter().all(|w| w.fract() == 0.0) {
            return Ok(Self { rows, parts: Some(weights.iter().map(|w| *w as u64).collect()), real: None });
        }
        // A power of two, so that weights with few digits are met exactly. The sum is below 2^exponent.
        let exponent = (sum.to_bits() >> 52) as i32 - 1022;
        let per_unit = power_of_two((LARGEST_SUM_BITS as i32 - 1 - exponent).min(900));
        let parts = weights.iter().map(|w| ((w * per_unit).round() as u64).max(1)).collect();
        Ok(Self { rows, parts: Some(parts), real: Some(per_unit) })
    }

    /// Whether some weight is no whole number.
    pub(super) fn is_real(&self) -> bool {
        self.real.is_some()
    }

    /// What row `i` counts, in parts.
    pub(super) fn of(&self, i: usize) -> u64 {
        self.parts.as_ref().map_or(1, |parts| parts[i])
    }

    pub(super) fn total(&self) -> u64 {
        self.parts.as_ref().map_or(self.rows as u64, |parts| parts.iter().sum())
    }

    /// Parts in a weight of one.
    pub(super) fn per_unit(&self) -> f64 {
        self.real.unwrap_or(1.0)
    }

    /// The masses of these rows alone.
    pub(super) fn pick(&self, rows: &[u32]) -> Self {
        let parts = self.parts.as_ref().map(|parts| rows.iter().map(|&r| parts[r as usize]).collect());
        Self { rows: rows.len(), parts, real: self.real }
    }

    /// The mean of `values`, each below 32 in magnitude, to more digits than a float has and the same for
    /// repeated rows as for their weight.
    pub(super) fn mean(&self, values: &[f64]) -> f64 {
        const ONE: f64 = (1u64 << 58) as f64;
        let sum: i128 = values
            .iter()
            .enumerate()
            .map(|(i, v)| i128::from((v * ONE) as i64) * i128::from(self.of(i)))
            .sum();
        sum as f64 / self.total() as f64 / ONE
    }

    /// The quantile of `values` at `level`, halfway between two neighbours when the level falls between them
    /// (the inverse of the distribution function, averaged at its steps; Hyndman and Fan's type 2).
    ///
    /// `masses` are the rows' own, in the order of `values`. `scratch` is overwritten.
    pub(super) fn quantile(
        &self,
        level: f64,
        values: impl Iterator<Item = (usize, f64)>,
        scratch: &mut Vec<(f64, u64)>,
    ) -> f64 {
        scratch.clear();
        scratch.extend(values.map(|(row, v)| (v, self.of(row))));
        if scratch.is_empty() {
            return 0.0;
        }
        if self.parts.is_none() {
            return quantile_of_units(scratch, level);
        }
        scratch.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let total: u64 = scratch.iter().map(|(_, m)| m).sum();
        let wanted = level * total as f64;
        let mut below = 0;
        let last = scratch.len() - 1;
        for (i, (value, mass)) in scratch.iter().enumerate() {
            below += mass;
            if below as f64 == wanted && i < last {
                return 0.5 * value + 0.5 * scratch[i + 1].0;
            }
            if below as f64 > wanted {
                return *value;
            }
        }
        scratch[last].0
    }
}

/// 2^`exponent`, within the normal range.
pub(super) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// The same by selection instead of sorting.
fn quantile_of_units(values: &mut [(f64, u64)], level: f64) -> f64 {
    let wanted = level * values.len() as f64;
    let rank = (wanted.floor() as usize).min(values.len() - 1);
    let (below, at, _) = values.select_nth_unstable_by(rank, |a, b| a.0.total_cmp(&b.0));
    let at = at.0;
    let largest = below.iter().map(|v| v.0).max_by(f64::total_cmp);
    match largest {
        Some(before) if wanted == rank as f64 => 0.5 * before + 0.5 * at,
        _ => at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantile(mass: &Mass, values: &[f64], level: f64) -> f64 {
        mass.quantile(level, values.iter().copied().enumerate(), &mut Vec::new())
    }

    #[test]
    fn whole_weights_are_repeated_rows() {
        let (values, counts) = ([0.3, -1.0, 0.7, 0.1], [2.0, 1.0, 3.0, 2.0]);
        let repeated = [0.3, 0.3, -1.0, 0.7, 0.7, 0.7, 0.1, 0.1];
        let (weighted, plain) = (Mass::new(Some(&counts), 4).unwrap(), Mass::new(None, 8).unwrap());
        assert_eq!(weighted.total(), 8);
        assert_eq!(weighted.mean(&values), plain.mean(&repeated));
        assert_eq!(plain.mean(&repeated), 0.2375);
        // R: quantile(c(.3,.3,-1,.7,.7,.7,.1,.1), c(.125,.25,.5,.6,.625,.9,1), type = 2)
        for (level, want) in
            [(0.125, -0.45), (0.25, 0.1), (0.5, 0.3), (0.6, 0.3), (0.625, 0.5), (0.9, 0.7), (1.0, 0.7)]
        {
            assert_eq!(quantile(&weighted, &values, level), want, "{level}");
            assert_eq!(quantile(&plain, &repeated, level), want, "{level}");
        }
    }

    #[test]
    fn real_weights_keep_their_ratios() {
        let mass = Mass::new(Some(&[0.5, 0.25, 1.25]), 3).unwrap();
        assert_eq!((mass.of(0), mass.of(2)), (2 * mass.of(1), 5 * mass.of(1)));
        assert_eq!(mass.total() as f64 / mass.per_unit(), 2.0);
        assert_eq!(mass.mean(&[1.0, -1.0, 0.5]), 0.4375);
        assert_eq!(quantile(&mass, &[3.0, 2.0, 1.0], 0.5), 1.0);
        assert_eq!(quantile(&mass, &[3.0, 2.0, 1.0], 0.625), 1.5);
        let few = mass.pick(&[2, 0]);
        assert_eq!((few.rows, few.of(0), few.of(1)), (2, mass.of(2), mass.of(0)));
        assert_eq!(few.per_unit(), mass.per_unit());
    }

    #[test]
    fn unit_weights_are_no_weights_and_bad_ones_are_named() {
        assert_eq!(Mass::new(Some(&[1.0; 3]), 3), Mass::new(None, 3));
        let text = Mass::new(Some(&[f64::MAX, f64::MAX]), 2).unwrap_err().to_string();
        assert_eq!(text, "data: case weights sum to inf");
    }
}
