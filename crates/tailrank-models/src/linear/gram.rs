//! Correlations among the inputs and with the target: all that a linear model needs of its rows.
//!
//! One pass over the rows serves every variant of a grid. The error of a solution grows with the square of
//! the condition number, which is measured: what comes near it is left to the
//! [reflections](super::least_squares) and the [singular values](super::ridge). With correlations C among the
//! inputs, the variance inflation of input j (Marquardt 1970) is element (j, j) of C⁻¹; their sum bounds the
//! norm of C⁻¹ from above, and the rounding errors of C, a few times 1e-16, are inflated by no more than that
//! norm.

use super::design::{Design, Line};
use crate::{
    TrainSet,
    linalg::{LANES, cholesky, solve_lower, solve_upper, vectorised},
};

/// Largest sum of variance inflations: twelve digits are left.
const MOST_INFLATION: f64 = 1e4;
/// A mean may be this many standard deviations from its shift, squared: more would cancel digits of the sums.
const MOST_SHIFT: f64 = 4.0;
/// Sums of squares within these limits have products and roots that neither overflow nor lose digits.
const SQUARES: std::ops::RangeInclusive<f64> = 1e-200..=1e200;
/// Share of a column's own square, the mean counted, that must be left beside the others; the rank rule of
/// R's `lm` leaves out a column at 1e-14.
const LEAST_REST: f64 = 1e-12;

/// Means, lengths and correlations of the inputs and the target.
pub(super) struct Gram {
    /// Sum of the weights: the number of rows where they count alike.
    pub(super) cases: f64,
    /// Means of the inputs and, last, of the target.
    means: Vec<f64>,
    /// Roots of the sums of squared deviations of the inputs and, last, of the target.
    pub(super) lengths: Vec<f64>,
    /// Row j: the correlations of input j with all inputs; 0 throughout for a constant one.
    correlations: Vec<f64>,
    /// Correlations of the inputs with the target.
    pub(super) with_target: Vec<f64>,
}

/// The solution of one penalised system, and the diagonal of the inverse of its matrix.
struct Solved {
    line: Line,
    /// Lengths of the inputs, the penalty counted.
    lengths: Vec<f64>,
    inflations: Vec<f64>,
}

impl Gram {
    /// From one pass over the rows; none where its sums would lose digits.
    pub(super) fn one_pass(train: TrainSet<'_>) -> Option<Self> {
        let p = train.x.cols();
        let moments = Moments::new(train);
        let cases = moments.at(p + 1, p + 1);
        // From the shifts to the means of the inputs and the target.
        let steps: Vec<f64> = (0..=p).map(|j| moments.at(j, p + 1) / cases).collect();
        let centred = |i: usize, j: usize| moments.at(i, j) - steps[i] * steps[j] * cases;
        let squares: Vec<f64> = (0..=p).map(|j| centred(j, j)).collect();
        let near = |j: usize| {
            SQUARES.contains(&squares[j]) && steps[j] * steps[j] * cases <= MOST_SHIFT * squares[j]
        };
        if !(0..=p).all(near) {
            return None;
        }
        let means = moments.shifts.iter().zip(&steps).map(|(shift, step)| shift + step).collect();
        Some(Self::new(cases, means, squares.iter().map(|s| s.sqrt()).collect(), |i, j| {
            centred(i, j) / squares[i].sqrt() / squares[j].sqrt()
        }))
    }

    /// From deviations of the means, for any rows.
    pub(super) fn two_passes(train: TrainSet<'_>) -> Self {
        let design = Design::new(train);
        let p = design.inputs();
        let products: Vec<Vec<f64>> = (0..=p).map(|i| design.dots(&design.column(i), 0, i)).collect();
        let roots: Vec<f64> = (0..=p).map(|j| products[j][j].sqrt()).collect();
        let units = design.units.iter().chain([&design.target_unit]);
        let lengths = roots.iter().zip(units).map(|(root, unit)| root * unit).collect();
        let means = design.means.iter().copied().chain([design.target_mean]).collect();
        Self::new(design.cases, means, lengths, |i, j| {
            if roots[i] > 0.0 && roots[j] > 0.0 { products[i][j] / roots[i] / roots[j] } else { 0.0 }
        })
    }

    /// `correlation` is asked for i ≤ j, the target being the last column.
    fn new(
        cases: f64,
        means: Vec<f64>,
        lengths: Vec<f64>,
        correlation: impl Fn(usize, usize) -> f64,
    ) -> Self {
        let p = means.len() - 1;
        let mut correlations = vec![0.0; p * p];
        for j in 0..p {
            for i in 0..j {
                let value = correlation(i, j);
                correlations[i * p + j] = value;
                correlations[j * p + i] = value;
            }
            correlations[j * p + j] = if lengths[j] > 0.0 { 1.0 } else { 0.0 };
        }
        let with_target = (0..p).map(|j| correlation(j, p)).collect();
        Self { cases, means, lengths, correlations, with_target }
    }

    /// Correlations of input `j` with all inputs.
    pub(super) fn row(&self, j: usize) -> &[f64] {
        let p = self.with_target.len();
        &self.correlations[j * p..(j + 1) * p]
    }

    /// The length of the target.
    pub(super) fn target_length(&self) -> f64 {
        self.lengths[self.with_target.len()]
    }

    /// A line from coefficients of inputs and target of length 1.
    pub(super) fn line(&self, coefficients: impl Iterator<Item = f64>) -> Line {
        let p = self.with_target.len();
        let back = |(b, length): (f64, &f64)| {
            Some(if *length > 0.0 { b * self.target_length() / length } else { 0.0 })
        };
        Line {
            target_mean: self.means[p],
            coefficients: coefficients.zip(&self.lengths).map(back).collect(),
            input_means: self.means[..p].to_vec(),
        }
    }

    /// The least-squares line, or none where the reflections would be more exact.
    pub(super) fn least_squares(&self) -> Option<Line> {
        let solved = self.solve(0.0)?;
        let is_exact = |((length, mean), inflation): ((&f64, &f64), &f64)| {
            let whole = length * length + mean * mean * self.cases;
            length * length / inflation >= LEAST_REST * whole
        };
        let columns = self.lengths.iter().zip(&self.means).zip(&solved.inflations);
        columns.into_iter().all(is_exact).then_some(solved.line)
    }

    /// Ridge's line and its effective number of parameters, or none where the singular values would be more
    /// exact.
    pub(super) fn ridge(&self, lambda: f64) -> Option<(Line, f64)> {
        let penalty = self.cases * lambda;
        let Solved { line, lengths, inflations } = self.solve(penalty)?;
        // tr G(G + nλ)⁻¹ = p − nλ · tr (G + nλ)⁻¹, the inverse being that of the scaled matrix over the
        // lengths.
        let lost: f64 =
            inflations.iter().zip(&lengths).map(|(v, length)| penalty * v / length / length).sum();
        Some((line, inflations.len() as f64 - lost))
    }

    /// Solves (G + `penalty`)b = g for the inner products G of the inputs and g with the target.
    fn solve(&self, penalty: f64) -> Option<Solved> {
        let p = self.with_target.len();
        // The penalty joins the lengths, so that ones stand on the diagonal whatever the units.
        let lengths: Vec<f64> = self.lengths[..p].iter().map(|l| (l * l + penalty).sqrt()).collect();
        let shares: Vec<f64> = self.lengths.iter().zip(&lengths).map(|(own, whole)| own / whole).collect();
        let mut factor = vec![0.0; p * p];
        for i in 0..p {
            factor[i * p + i] = 1.0;
            for j in i + 1..p {
                factor[i * p + j] = self.correlations[i * p + j] * shares[i] * shares[j];
            }
        }
        cholesky(&mut factor, p, p).ok()?;
        let inflations = inverse_diagonal(&factor, p);
        // Not a number fails, too.
        let is_exact = inflations.iter().sum::<f64>() <= MOST_INFLATION;
        if !is_exact {
            return None;
        }
        let mut b: Vec<f64> = self.with_target.iter().zip(&shares).map(|(r, share)| r * share).collect();
        solve_lower(&factor, p, p, &mut b, p, 1);
        solve_upper(&factor, p, p, &mut b);
        let line = self.line(b.iter().zip(&shares).map(|(b, share)| b * share));
        Some(Solved { line, lengths, inflations })
    }
}

/// The diagonal of (LL')⁻¹: sums of squares of the columns of L⁻¹.
fn inverse_diagonal(factor: &[f64], p: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; p * p];
    (0..p).for_each(|j| inverse[j * p + j] = 1.0);
    solve_lower(factor, p, p, &mut inverse, p, p);
    inverse.chunks_exact(p).map(|column| column.iter().map(|v| v * v).sum()).collect()
}

// Sums of products of all columns in one pass over the rows.
//
// Rows are taken in blocks that stay in the first-level cache. Every block's sums begin at zero and run over
// its rows one after another, each step one fused multiply-add; then they are added to those of the blocks
// before: one order, whatever the processor.

/// Rows of a block: 12 kB for 22 columns.
const BLOCK: usize = 64;
/// A tile of sums: two vectors by six columns fill the registers.
const HEIGHT: usize = 2 * LANES;
const WIDTH: usize = 6;
/// Rows of the sample whose mean is taken off.
const SAMPLE: usize = 1024;

/// Σ wᵢ aᵢ bᵢ over the rows for every pair of columns: the inputs and the target, each minus its shift, and a
/// column of ones.
pub(super) struct Moments {
    /// Subtracted from the inputs and the target, so that little cancels when the means are taken out of the
    /// sums.
    pub(super) shifts: Vec<f64>,
    stride: usize,
    /// `sums[j * stride + i]`, of use for i ≤ j.
    sums: Vec<f64>,
}

impl Moments {
    pub(super) fn new(train: TrainSet<'_>) -> Self {
        let shifts = sample_means(train);
        let columns = shifts.len() + 1;
        let stride = columns.next_multiple_of(HEIGHT);
        let mut moments = Self { shifts, stride, sums: vec![0.0; stride * columns] };
        vectorised!(moments.add(train));
        moments
    }

    /// Σ wᵢ aᵢ bᵢ for the shifted columns `i` ≤ `j`; the last but one is the target, the last one is 1.
    pub(super) fn at(&self, i: usize, j: usize) -> f64 {
        self.sums[j * self.stride + i]
    }

    /// Adds every row, block by block.
    #[inline(always)]
    fn add(&mut self, train: TrainSet<'_>) {
        let Self { shifts, stride, sums } = self;
        let (columns, stride) = (shifts.len() + 1, *stride);
        let mut block = vec![0.0; BLOCK * stride];
        for from in (0..train.y.len()).step_by(BLOCK) {
            let rows = BLOCK.min(train.y.len() - from);
            let block = &mut block[..rows * stride];
            for (i, row) in (from..).zip(block.chunks_exact_mut(stride)) {
                shifted(train, i, shifts, row);
            }
            for first in (0..columns).step_by(HEIGHT) {
                for j in (first..columns).step_by(WIDTH) {
                    let sums = &mut sums[j * stride..];
                    match columns - j {
                        1 => add_tile::<1>(block, stride, first, j, sums),
                        2 => add_tile::<2>(block, stride, first, j, sums),
                        3 => add_tile::<3>(block, stride, first, j, sums),
                        4 => add_tile::<4>(block, stride, first, j, sums),
                        5 => add_tile::<5>(block, stride, first, j, sums),
                        _ => add_tile::<WIDTH>(block, stride, first, j, sums),
                    }
                }
            }
        }
    }
}

/// Means of the inputs and the target over rows spread evenly.
fn sample_means(train: TrainSet<'_>) -> Vec<f64> {
    let rows = train.y.len();
    let count = rows.clamp(1, SAMPLE);
    let (mut sums, mut target) = (vec![0.0; train.x.cols()], 0.0);
    for i in (0..count).map(|k| k * rows / count) {
        sums.iter_mut().zip(train.x.row(i)).for_each(|(sum, v)| *sum += v);
        target += train.y[i];
    }
    sums.push(target);
    sums.iter().map(|sum| sum / count as f64).collect()
}

/// Row `i` minus the shifts, then 1, all times the root of its weight.
#[inline(always)]
fn shifted(train: TrainSet<'_>, i: usize, shifts: &[f64], row: &mut [f64]) {
    let (x, inputs) = (train.x.row(i), train.x.cols());
    for ((cell, v), shift) in row.iter_mut().zip(x).zip(shifts) {
        *cell = v - shift;
    }
    row[inputs] = train.y[i] - shifts[inputs];
    row[inputs + 1] = 1.0;
    if let Some(weights) = train.weights {
        let root = weights[i].sqrt();
        row[..inputs + 2].iter_mut().for_each(|v| *v *= root);
    }
}

/// Columns from `first` on by the `N` from `j` on.
#[inline(always)]
fn add_tile<const N: usize>(block: &[f64], stride: usize, first: usize, j: usize, sums: &mut [f64]) {
    let mut tile = [[0.0; HEIGHT]; N];
    for row in block.chunks_exact(stride) {
        let (left, right) = (&row[first..first + HEIGHT], &row[j..j + N]);
        for q in 0..N {
            for i in 0..HEIGHT {
                tile[q][i] = left[i].mul_add(right[q], tile[q][i]);
            }
        }
    }
    for (q, tile) in tile.iter().enumerate() {
        sums[q * stride + first..][..HEIGHT].iter_mut().zip(tile).for_each(|(sum, v)| *sum += v);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Matrix,
        linear::{least_squares, ridge::RidgePath},
    };

    fn normal_equations(train: TrainSet<'_>) -> Option<Line> {
        Gram::one_pass(train)?.least_squares()
    }

    /// Inputs of other scales and means; each holds `mixed` of the one before it.
    fn table(rows: usize, inputs: usize, mixed: f64) -> (Matrix, Vec<f64>, Vec<f64>) {
        let mut state = 7_u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let (mut x, mut y, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..rows {
            let (mut last, mut target) = (uniform(), 1e3 + uniform());
            for j in 0..inputs {
                last = mixed * last + (1.0 - mixed) * uniform();
                target += (j as f64 - 2.0) * last;
                x.push(
                    (last + (j % 3) as f64 * 20.0 + i as f64 / rows as f64) * 10f64.powi(j as i32 % 7 - 3),
                );
            }
            y.push(target);
            weights.push(uniform() + 1.5);
        }
        (Matrix::new(rows, inputs, x).unwrap(), y, weights)
    }

    fn difference(a: &[f64], b: &[f64]) -> f64 {
        let largest = |m: f64, d: f64| if d.is_nan() { d } else { m.max(d) };
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, largest)
    }

    #[test]
    fn equal_the_reflections_where_they_answer() {
        for (rows, inputs, mixed) in [(40, 1, 0.0), (3000, 5, 0.3), (3000, 20, 0.9), (997, 31, 0.5)] {
            let (x, y, weights) = table(rows, inputs, mixed);
            for weights in [None, Some(&weights[..])] {
                let train = TrainSet { x: x.view(), y: &y, weights };
                let (got, want) = (normal_equations(train).unwrap(), least_squares(train));
                assert_eq!(got.rank(), inputs + 1);
                // Of values about 1000, with the target's spread about 10.
                let worst = difference(&got.predict(x.view()), &want.predict(x.view()));
                assert!(worst < 1e-9, "{rows} {inputs} {mixed}: {worst}");
            }
        }
    }

    /// How far Σ w(x − x̄)(y − ŷ) = nλb is from holding, as a share of the lengths of input and target.
    fn slopes_left(train: TrainSet<'_>, line: &Line, gram: &Gram, lambda: f64) -> f64 {
        let predicted = line.predict(train.x);
        let left = (0..train.x.cols()).map(|j| {
            let rows = (0..train.y.len()).map(|i| {
                let weight = train.weights.map_or(1.0, |w| w[i]);
                weight * (train.x.at(i, j) - gram.means[j]) * (train.y[i] - predicted[i])
            });
            let pull = gram.cases * lambda * line.coefficients[j].unwrap();
            (rows.sum::<f64>() - pull).abs() / gram.lengths[j] / gram.target_length()
        });
        left.fold(0.0, f64::max)
    }

    #[test]
    fn ridge_equals_the_singular_values_and_passes_agree() {
        for (rows, inputs, mixed) in [(40, 1, 0.0), (3000, 5, 0.3), (3000, 20, 0.9), (997, 31, 0.5)] {
            let (x, y, weights) = table(rows, inputs, mixed);
            for weights in [None, Some(&weights[..])] {
                let train = TrainSet { x: x.view(), y: &y, weights };
                let (one, two) = (Gram::one_pass(train).unwrap(), Gram::two_passes(train));
                assert!(difference(&one.correlations, &two.correlations) < 1e-12);
                assert!(difference(&one.with_target, &two.with_target) < 1e-12);
                let path = RidgePath::new(train).unwrap();
                for lambda in [1e-6, 0.01, 3.0, 1e4] {
                    let (line, freedom) = one.ridge(lambda).unwrap();
                    assert!(slopes_left(train, &line, &two, lambda) < 1e-13, "{rows} {inputs} {lambda}");
                    // With less of a penalty the singular values, of columns in one unit, lose digits of the
                    // smallest.
                    if lambda >= 0.01 {
                        let worst =
                            difference(&line.predict(x.view()), &path.solve(lambda).predict(x.view()));
                        assert!(worst < 1e-9, "{rows} {inputs} {mixed} {lambda}: {worst}");
                        let other = path.degrees_of_freedom(lambda);
                        assert!((freedom - other).abs() < 1e-9, "{lambda}: {freedom} {other}");
                    }
                }
            }
        }
        // A penalty parts what depends on each other; without one the singular values must.
        let (x, y, _) = table(500, 4, 0.2);
        let mut twin = x.clone();
        twin.as_mut_slice().chunks_exact_mut(4).for_each(|row| row[2] = row[0]);
        let gram = Gram::one_pass(TrainSet::new(twin.view(), &y)).unwrap();
        assert!(gram.ridge(0.0).is_none() && gram.ridge(1.0).is_some());
    }

    #[test]
    fn dependent_flat_and_extreme_columns_are_left_to_the_reflections() {
        let (x, y, _) = table(500, 4, 0.2);
        let answers = |change: &dyn Fn(usize, &mut [f64])| {
            let mut x = x.clone();
            x.as_mut_slice().chunks_exact_mut(4).enumerate().for_each(|(i, row)| change(i, row));
            normal_equations(TrainSet::new(x.view(), &y)).is_some()
        };
        assert!(answers(&|_, _| ()));
        assert!(!answers(&|_, row| row[2] = row[0] + row[1]));
        assert!(!answers(&|i, row| row[2] = row[0] * (1.0 + 1e-4 * (i % 7) as f64)));
        assert!(!answers(&|_, row| row[3] = 0.1));
        assert!(!answers(&|_, row| row[0] += 1e9 * row[1].signum().abs()));
        assert!(!answers(&|_, row| row[1] *= 1e200));
        assert!(!answers(&|_, row| row[1] *= 1e-200));
        // More inputs than rows.
        let (x, y, _) = table(10, 12, 0.1);
        assert!(normal_equations(TrainSet::new(x.view(), &y)).is_none());
    }
}

#[cfg(test)]
mod tests_of_moments {
    use super::*;
    use crate::Matrix;

    #[test]
    fn every_shape_equals_the_plain_loop_to_the_bit() {
        for (rows, inputs) in [(1, 1), (63, 6), (64, 7), (65, 8), (200, 13), (129, 20), (70, 31)] {
            let value = |i: usize, j: usize| ((i * 31 + j * 17 + i * j * 7) % 97) as f64 / 11.0 - 3.0;
            let x = Matrix::new(
                rows,
                inputs,
                (0..rows * inputs).map(|k| value(k / inputs, k % inputs)).collect(),
            );
            let (x, y) = (x.unwrap(), (0..rows).map(|i| value(i, 99)).collect::<Vec<_>>());
            let weights: Vec<f64> = (0..rows).map(|i| value(i, 7).abs() + 0.1).collect();
            for weights in [None, Some(&weights[..])] {
                let train = TrainSet { x: x.view(), y: &y, weights };
                let moments = Moments::new(train);
                let at = |i: usize, j: usize| {
                    let root = weights.map_or(1.0, |w| w[i].sqrt());
                    let value = match j {
                        _ if j < inputs => x.view().at(i, j) - moments.shifts[j],
                        _ if j == inputs => y[i] - moments.shifts[j],
                        _ => 1.0,
                    };
                    value * root
                };
                for j in 0..inputs + 2 {
                    for k in 0..=j {
                        let mut want = 0.0;
                        for from in (0..rows).step_by(BLOCK) {
                            let block = from..rows.min(from + BLOCK);
                            want += block.fold(0.0, |sum, i| at(i, k).mul_add(at(i, j), sum));
                        }
                        assert_eq!(moments.at(k, j).to_bits(), f64::to_bits(want), "{rows} {inputs} {k} {j}");
                    }
                }
            }
        }
    }
}
