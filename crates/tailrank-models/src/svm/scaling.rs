//! Standardisation as e1071 does it: every input and the target to mean 0 and standard deviation 1 (divisor n
//! − 1).

use crate::{TrainSet, standardise::Scaler};

/// Centre and scale of what stays as it is.
const AS_IS: (f64, f64) = (0.0, 1.0);

/// The scaling of the inputs, and centre and scale of the target.
pub(super) fn scaling(train: TrainSet<'_>, standardise: bool) -> (Scaler, (f64, f64)) {
    let of = |values: &[f64]| if standardise { centre_and_scale(values, train.weights) } else { AS_IS };
    (Scaler::by(train.x, of), of(train.y))
}

/// A constant column stays as it is. (e1071 then leaves *all* columns unscaled, with a warning; one dead
/// input changing the model of the others is no behaviour to keep.)
fn centre_and_scale(values: &[f64], weights: Option<&[f64]>) -> (f64, f64) {
    let rows = values.len() as f64;
    let count = weights.map_or(rows, |w| w.iter().sum());
    let weight = |i: usize| weights.map_or(1.0, |w| w[i]);
    // A weight counts cases; too few of them for a variance are taken as weights of mean 1.
    let free = if count >= 2.0 { count - 1.0 } else { count * (rows - 1.0) / rows };
    // Dividing by the largest size first keeps sums and squares of huge and tiny columns within range.
    let size = values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    if size == 0.0 || rows < 2.0 {
        return AS_IS;
    }
    let mean = values.iter().enumerate().map(|(i, v)| weight(i) * (v / size)).sum::<f64>() / count;
    let spread = values.iter().fold(0.0, |m: f64, v| m.max((v / size - mean).abs()));
    // A mean is rounded, so a constant column may differ from it in the last place.
    if spread <= 4.0 * f64::EPSILON * mean.abs() {
        return AS_IS;
    }
    let squares =
        values.iter().enumerate().map(|(i, v)| weight(i) * ((v / size - mean) / spread).powi(2)).sum::<f64>();
    let scale = size * (spread * (squares / free).sqrt());
    if scale.is_normal() { (size * mean, scale) } else { AS_IS }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half a case four times is two cases, 0 and 1: their variance is ½.
    #[test]
    fn weights_count_cases() {
        let unit = centre_and_scale(&[0.0, 0.0, 1.0, 1.0], Some(&[0.5; 4]));
        assert!((unit.1 - 0.5f64.sqrt()).abs() < 1e-15 && unit.0 == 0.5, "{unit:?}");
        // A quarter each is one case, too few for a variance: weights of mean 1, so Σ(v − ½)² / 3 = ⅓.
        let few = centre_and_scale(&[0.0, 0.0, 1.0, 1.0], Some(&[0.25; 4]));
        assert!((few.1 - (1.0f64 / 3.0).sqrt()).abs() < 1e-15, "{few:?}");
    }

    /// A mean that is almost 0 does not make a column constant; one value does.
    #[test]
    fn only_constant_columns_stay() {
        let unit = centre_and_scale(&[-2.0, 2.0, 1e-15], None);
        assert!((unit.1 - 2.0).abs() < 1e-15, "{unit:?}");
        for constant in [&[0.1; 7][..], &[3.0], &[0.0, 0.0]] {
            let unit = centre_and_scale(constant, None);
            assert_eq!(unit, (0.0, 1.0), "{constant:?}");
        }
    }
}
