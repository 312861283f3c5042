//! Inputs with mean 0 and standard deviation 1, as learned from the training rows.

use crate::{Family, Matrix, MatrixView, ParamKind, ParamSpec};

/// The parameter every family accepts, unless its own table has one of the same name.
pub const STANDARDISE: ParamSpec = crate::parameter! {
    "standardise" = "false", ParamKind::Flag,
    "centre and scale the inputs by the training rows' mean and standard deviation"
};

/// Everything a variant of `family` may set: its own table, and [`STANDARDISE`] where the table has no such
/// name.
pub fn accepted_parameters(family: &dyn Family) -> Vec<ParamSpec> {
    let mut specs = family.parameters().to_vec();
    if !standardises_itself(family) {
        specs.push(STANDARDISE);
    }
    specs
}

pub(crate) fn standardises_itself(family: &dyn Family) -> bool {
    family.parameters().iter().any(|s| s.name == STANDARDISE.name)
}

/// Centre and scale of every column, learned from training rows (scale: n − 1; 1 for a constant column).
#[derive(Clone, Debug)]
pub(crate) struct Scaler {
    pub(crate) centre: Vec<f64>,
    pub(crate) scale: Vec<f64>,
}

impl Scaler {
    pub(crate) fn fit(x: MatrixView<'_>, weights: Option<&[f64]>) -> Self {
        Self::by(x, |column| centre_and_scale(column, weights))
    }

    /// With another rule for the centre and scale of a column.
    pub(crate) fn by(x: MatrixView<'_>, of: impl Fn(&[f64]) -> (f64, f64)) -> Self {
        // One copy column by column: strided passes would fetch all of a large matrix for every column.
        let (columns, rows) = (x.to_column_major(), x.rows());
        let (centre, scale) = (0..x.cols()).map(|j| of(&columns[j * rows..(j + 1) * rows])).unzip();
        Self { centre, scale }
    }

    pub(crate) fn apply(&self, x: MatrixView<'_>) -> Matrix {
        let mut out = x.to_matrix();
        for row in out.as_mut_slice().chunks_exact_mut(self.centre.len()) {
            for ((v, centre), scale) in row.iter_mut().zip(&self.centre).zip(&self.scale) {
                *v = (*v - centre) / scale;
            }
        }
        out
    }
}

/// Mean and standard deviation (n − 1), as if each value stood there as often as its weight says; the scale
/// of constant values is 1.
///
/// Weights of mean 1 leave n − 1 degrees of freedom as before; weights that add up to less than two cases are
/// taken as of mean 1. Sums run over values divided by a power of two, so that neither 1e300 nor 1e-300
/// overflows when squared.
pub(crate) fn centre_and_scale(values: &[f64], weights: Option<&[f64]>) -> (f64, f64) {
    let Some(&first) = values.first() else { return (0.0, 1.0) };
    // A sum of equal values may miss their mean by a rounding error, which would then pass for a spread.
    if values.iter().all(|&v| v == first) {
        return (first, 1.0);
    }
    let (unit, n) = (power_of_two_near(values), values.len() as f64);
    let weight = |i: usize| weights.map_or(1.0, |w| w[i]);
    let cases = weights.map_or(n, |w| w.iter().sum());
    let mean = values.iter().enumerate().map(|(i, v)| weight(i) * (v / unit)).sum::<f64>() / cases;
    let square: f64 = values.iter().enumerate().map(|(i, v)| weight(i) * (v / unit - mean).powi(2)).sum();
    let free = if cases >= 2.0 { cases - 1.0 } else { cases * (n - 1.0) / n };
    let sd = (square / free).sqrt() * unit;
    (mean * unit, if sd > 0.0 { sd } else { 1.0 })
}

/// The power of two nearest below the largest magnitude (1 when all are zero): dividing by it is exact.
pub(crate) fn power_of_two_near(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    if largest == 0.0 || !largest.is_finite() {
        1.0
    } else {
        // The number without its mantissa; one below the normal range counts as the smallest normal.
        f64::from_bits(largest.to_bits() >> 52 << 52).max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_get_mean_zero_and_sd_one_at_any_scale() {
        for unit in [1.0, 1e300, 1e-300] {
            let x = Matrix::from_rows(&[[1.0 * unit, 0.1], [2.0 * unit, 0.1], [6.0 * unit, 0.1]]).unwrap();
            let scaler = Scaler::fit(x.view(), None);
            let z = scaler.apply(x.view());
            // mean 3, sd √7 (n − 1); the constant column is only centred.
            for (i, want) in [-2.0, -1.0, 3.0].into_iter().enumerate() {
                assert!((z.view().at(i, 0) - want / 7f64.sqrt()).abs() < 1e-15, "{unit}: {z:?}");
                assert_eq!(z.view().at(i, 1), 0.0);
            }
            let test = Matrix::from_rows(&[[3.0 * unit, 1.1]]).unwrap();
            let z = scaler.apply(test.view());
            assert!(z.view().at(0, 0).abs() < 1e-15 && z.view().at(0, 1) == 1.0);
        }
    }

    #[test]
    fn weights_count_cases() {
        let (values, weights) = ([1.0, 2.0, 6.0, -3.0], [2.0, 1.0, 3.0, 1.0]);
        let repeated = [1.0, 1.0, 2.0, 6.0, 6.0, 6.0, -3.0];
        let (mean, sd) = centre_and_scale(&values, Some(&weights));
        let want = centre_and_scale(&repeated, None);
        assert!((mean - want.0).abs() < 1e-15 && (sd - want.1).abs() < 1e-15, "{mean} {sd} {want:?}");
        // Weights that add up to 1 say the same as weights of mean 1.
        let shares = weights.map(|w| w / 7.0);
        let of_mean_one = weights.map(|w| w * 4.0 / 7.0);
        let (a, b) =
            (centre_and_scale(&values, Some(&shares)), centre_and_scale(&values, Some(&of_mean_one)));
        assert!((a.0 - b.0).abs() < 1e-15 && (a.1 - b.1).abs() < 1e-15, "{a:?} {b:?}");
    }
}
