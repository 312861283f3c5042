//! Inputs with mean 0 and standard deviation 1, as learned from the training rows.

use crate::{Family, Matrix, MatrixView, ParamKind, ParamSpec};

/// The parameter every family accepts, unless its own table has one of the same name.
pub const STANDARDISE: ParamSpec = ParamSpec {
    name: "standardise",
    kind: ParamKind::Flag,
    default: "false",
    doc: "centre and scale the inputs by the training rows' mean and standard deviation",
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
    centre: Vec<f64>,
    scale: Vec<f64>,
}

impl Scaler {
    pub(crate) fn fit(x: MatrixView<'_>, weights: Option<&[f64]>) -> Self {
        let (centre, scale) = (0..x.cols()).map(|j| weighted_centre_and_scale(&x.column(j), weights)).unzip();
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

/// Mean and standard deviation (n − 1); the scale of constant values is 1.
///
/// Sums run over values divided by a power of two, so that neither 1e300 nor 1e-300 overflows when squared.
pub(crate) fn centre_and_scale(values: &[f64]) -> (f64, f64) {
    let (Some(&first), n) = (values.first(), values.len() as f64) else { return (0.0, 1.0) };
    // A sum of equal values may miss their mean by a rounding error, which would then pass for a spread.
    if values.iter().all(|&v| v == first) {
        return (first, 1.0);
    }
    let unit = power_of_two_near(values);
    let mean = values.iter().map(|v| v / unit).sum::<f64>() / n;
    let square = values.iter().map(|v| (v / unit - mean).powi(2)).sum::<f64>();
    let sd = (square / (n - 1.0)).sqrt() * unit;
    (mean * unit, if sd > 0.0 { sd } else { 1.0 })
}

/// The scale of every column, bit for bit as [`centre_and_scale`] gives it, in passes over whole rows:
/// strided passes over each column would fetch all of a large matrix for every column.
pub(crate) fn column_scales(x: MatrixView<'_>) -> Vec<f64> {
    let (cols, n) = (x.cols(), x.rows() as f64);
    if x.rows() == 0 {
        return vec![1.0; cols];
    }
    let (units, varies) = column_units(x);
    let means = column_means_in(&units, x, None);
    let reciprocals: Vec<f64> = units.iter().map(|u| 1.0 / u).collect();
    let mut squares = vec![0.0; cols];
    for row in x.iter_rows() {
        for (((square, v), r), mean) in squares.iter_mut().zip(row).zip(&reciprocals).zip(&means) {
            let difference = v * r - mean;
            *square += difference * difference;
        }
    }
    let scale = |j: usize| {
        let sd = (squares[j] / (n - 1.0)).sqrt() * units[j];
        if varies[j] && sd > 0.0 { sd } else { 1.0 }
    };
    (0..cols).map(scale).collect()
}

/// The mean of every column, bit for bit as [`weighted_centre_and_scale`] gives it, and its
/// [`power_of_two_near`], in passes over whole rows.
pub(crate) fn column_means_and_units(x: MatrixView<'_>, weights: Option<&[f64]>) -> (Vec<f64>, Vec<f64>) {
    if x.rows() == 0 {
        return (vec![0.0; x.cols()], vec![1.0; x.cols()]);
    }
    let (units, varies) = column_units(x);
    let mut means = column_means_in(&units, x, weights);
    for (j, mean) in means.iter_mut().enumerate() {
        *mean = if varies[j] { *mean * units[j] } else { x.at(0, j) };
    }
    (means, units)
}

/// The power of two near every column's largest magnitude, and whether its values differ.
fn column_units(x: MatrixView<'_>) -> (Vec<f64>, Vec<bool>) {
    let (mut lowest, mut highest) = (x.row(0).to_vec(), x.row(0).to_vec());
    for row in x.iter_rows() {
        for ((value, low), high) in row.iter().zip(&mut lowest).zip(&mut highest) {
            *low = if value < low { *value } else { *low };
            *high = if value > high { *value } else { *high };
        }
    }
    let ranges = || lowest.iter().zip(&highest);
    let units = ranges().map(|(low, high)| power_of_two_at(low.abs().max(high.abs()))).collect();
    (units, ranges().map(|(low, high)| low != high).collect())
}

/// Means of every column in the given units.
fn column_means_in(units: &[f64], x: MatrixView<'_>, weights: Option<&[f64]>) -> Vec<f64> {
    // Dividing by a power of two is multiplying by its reciprocal, to the bit.
    let reciprocals: Vec<f64> = units.iter().map(|u| 1.0 / u).collect();
    let mut sums = vec![-0.0; units.len()];
    for (i, row) in x.iter_rows().enumerate() {
        let terms = sums.iter_mut().zip(row).zip(&reciprocals);
        match weights {
            None => terms.for_each(|((sum, v), r)| *sum += v * r),
            Some(weights) => terms.for_each(|((sum, v), r)| *sum += weights[i] * (v * r)),
        }
    }
    let cases = weights.map_or(x.rows() as f64, |w| w.iter().sum());
    sums.iter().map(|sum| sum / cases).collect()
}

/// Mean and standard deviation of weighted values, as if each stood there as often as its weight says.
///
/// Weights of mean 1 leave n − 1 degrees of freedom as before; weights that add up to less than two cases are
/// taken as of mean 1.
pub(crate) fn weighted_centre_and_scale(values: &[f64], weights: Option<&[f64]>) -> (f64, f64) {
    let (Some(weights), Some(&first)) = (weights, values.first()) else { return centre_and_scale(values) };
    if values.iter().all(|&v| v == first) {
        return (first, 1.0);
    }
    let (unit, n) = (power_of_two_near(values), values.len() as f64);
    let cases: f64 = weights.iter().sum();
    let mean = values.iter().zip(weights).map(|(v, w)| w * (v / unit)).sum::<f64>() / cases;
    let square: f64 = values.iter().zip(weights).map(|(v, w)| w * (v / unit - mean).powi(2)).sum();
    let free = if cases >= 2.0 { cases - 1.0 } else { cases * (n - 1.0) / n };
    let sd = (square / free).sqrt() * unit;
    (mean * unit, if sd > 0.0 { sd } else { 1.0 })
}

/// The power of two nearest below the largest magnitude (1 when all are zero): dividing by it is exact.
pub(crate) fn power_of_two_near(values: &[f64]) -> f64 {
    power_of_two_at(values.iter().fold(0.0_f64, |m, v| m.max(v.abs())))
}

fn power_of_two_at(largest: f64) -> f64 {
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
    fn columns_by_rows_have_the_scales_of_columns_by_columns() {
        let values = (0..7 * 40).map(|i| {
            let (value, unit) =
                ((f64::from(i) * 0.37).sin(), [1.0, 1e300, 1e-300, 1e8, 0.0, 1e-9, 3.0][i as usize % 7]);
            if i % 7 == 6 { unit } else { value * unit + 0.1 * unit }
        });
        let x = crate::Matrix::new(40, 7, values.collect()).unwrap();
        let want: Vec<f64> = (0..7).map(|j| centre_and_scale(&x.view().column(j)).1).collect();
        assert_eq!(column_scales(x.view()), want);
        let empty = crate::Matrix::new(0, 2, Vec::new()).unwrap();
        assert_eq!(column_scales(empty.view()), [1.0, 1.0]);
    }

    #[test]
    fn columns_by_rows_have_the_means_of_columns_by_columns() {
        let values = (0..5 * 30).map(|i| {
            let unit = [1.0, 1e300, 1e-310, 1e8, 0.0][i as usize % 5];
            (f64::from(i) * 0.37).sin() * unit + 0.1 * unit
        });
        let x = crate::Matrix::new(30, 5, values.collect()).unwrap();
        let weights: Vec<f64> = (0..30).map(|i| 0.1 + f64::from(i % 7)).collect();
        for weights in [None, Some(&weights[..])] {
            let (means, units) = column_means_and_units(x.view(), weights);
            for j in 0..5 {
                let column = x.view().column(j);
                assert_eq!(means[j], weighted_centre_and_scale(&column, weights).0, "{j}");
                assert_eq!(units[j], power_of_two_near(&column), "{j}");
            }
        }
    }

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
        let (mean, sd) = weighted_centre_and_scale(&values, Some(&weights));
        let want = centre_and_scale(&repeated);
        assert!((mean - want.0).abs() < 1e-15 && (sd - want.1).abs() < 1e-15, "{mean} {sd} {want:?}");
        // Weights that add up to 1 say the same as weights of mean 1.
        let shares = weights.map(|w| w / 7.0);
        let of_mean_one = weights.map(|w| w * 4.0 / 7.0);
        let (a, b) = (
            weighted_centre_and_scale(&values, Some(&shares)),
            weighted_centre_and_scale(&values, Some(&of_mean_one)),
        );
        assert!((a.0 - b.0).abs() < 1e-15 && (a.1 - b.1).abs() < 1e-15, "{a:?} {b:?}");
    }
}
