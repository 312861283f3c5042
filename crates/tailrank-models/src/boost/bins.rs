//! Inputs as small whole numbers: done once for a task and shared by every variant of a grid.

use rayon::prelude::*;

use super::mass::Mass;
use crate::{Job, MatrixView, Result, tree::cut_between};

/// Bins of an input, at most: what a byte can name.
pub(super) const MAX_BINS: usize = 256;
/// Rows binned by one parallel task.
const ROWS_PER_TASK: usize = 1024;

/// Training and test rows by bins, row after row.
#[derive(Debug)]
pub(super) struct Binned {
    /// Bins of every input kept. An input with a single value is left out.
    pub(super) counts: Vec<usize>,
    pub(super) train: Vec<u8>,
    pub(super) test: Vec<u8>,
    pub(super) test_rows: usize,
}

impl Binned {
    /// Bins training rows by at most `bins` quantiles of each input, and test rows by the same limits.
    pub(super) fn new(job: Job<'_>, mass: &Mass, bins: usize) -> Result<Self> {
        let (train, test) = (job.train.x, job.test);
        let limits: Vec<Vec<f64>> = (0..train.cols())
            .into_par_iter()
            .map(|j| {
                job.context.check()?;
                Ok(limits(&train.column(j), mass, bins))
            })
            .collect::<Result<_>>()?;
        let padded = |(j, limits): (usize, &Vec<f64>)| {
            let mut padded = [f64::INFINITY; MAX_BINS];
            padded[..limits.len()].copy_from_slice(limits);
            (!limits.is_empty()).then_some((j, padded))
        };
        let kept: Vec<(usize, [f64; MAX_BINS])> = limits.iter().enumerate().filter_map(padded).collect();
        Ok(Self {
            counts: limits.iter().filter(|l| !l.is_empty()).map(|l| l.len() + 1).collect(),
            train: apply(train, &kept),
            test: apply(test, &kept),
            test_rows: test.rows(),
        })
    }

    /// Inputs kept.
    pub(super) fn inputs(&self) -> usize {
        self.counts.len()
    }
}

/// The upper limits of all bins but the last: bin i holds the values above limit i − 1 and up to limit i.
fn limits(column: &[f64], mass: &Mass, bins: usize) -> Vec<f64> {
    let mut sorted: Vec<(f64, u64)> = column.iter().enumerate().map(|(i, v)| (*v, mass.of(i))).collect();
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut distinct = Vec::with_capacity(bins + 1);
    for (v, _) in &sorted {
        if distinct.last() != Some(v) {
            distinct.push(*v);
            if distinct.len() > bins {
                return quantiles(&sorted, bins);
            }
        }
    }
    distinct.windows(2).map(|pair| cut_between(pair[0], pair[1])).collect()
}

/// The quantiles 1/bins, 2/bins, … of values and their masses, each where the distribution function reaches
/// it, averaged at its steps: scikit-learn's rule, and the same for repeated rows as for their weight.
fn quantiles(sorted: &[(f64, u64)], bins: usize) -> Vec<f64> {
    let total: u64 = sorted.iter().map(|(_, mass)| mass).sum();
    let largest = sorted[sorted.len() - 1].0;
    let mut limits: Vec<f64> = Vec::with_capacity(bins - 1);
    let (mut row, mut below) = (0, sorted[0].1);
    for k in 1..bins as u64 {
        let wanted = u128::from(k) * u128::from(total);
        let reached = |below: u64| u128::from(below) * bins as u128;
        while reached(below) < wanted {
            row += 1;
            below += sorted[row].1;
        }
        let here = sorted[row].0;
        let limit = if reached(below) == wanted { cut_between(here, sorted[row + 1].0) } else { here };
        if limit < largest && limits.last().is_none_or(|l| *l < limit) {
            limits.push(limit);
        }
    }
    limits
}

fn apply(x: MatrixView<'_>, kept: &[(usize, [f64; MAX_BINS])]) -> Vec<u8> {
    let mut bins = vec![0; x.rows() * kept.len()];
    if kept.is_empty() {
        return bins;
    }
    bins.par_chunks_mut(ROWS_PER_TASK * kept.len()).enumerate().for_each(|(task, part)| {
        for (i, bins) in part.chunks_exact_mut(kept.len()).enumerate() {
            let row = x.row(task * ROWS_PER_TASK + i);
            for (bin, (j, limits)) in bins.iter_mut().zip(kept) {
                *bin = bin_of(row[*j], limits);
            }
        }
    });
    bins
}

/// How many limits lie below `v`.
#[inline]
fn bin_of(v: f64, limits: &[f64; MAX_BINS]) -> u8 {
    let mut bin = 0u8;
    for step in [128u8, 64, 32, 16, 8, 4, 2, 1] {
        bin += if limits[usize::from(bin + (step - 1))] < v { step } else { 0 };
    }
    bin
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FitContext, Matrix, TrainSet};

    fn limits_of(values: &[f64], bins: usize) -> Vec<f64> {
        limits(values, &Mass::new(None, values.len()).unwrap(), bins)
    }

    #[test]
    fn few_values_are_parted_halfway() {
        assert_eq!(limits_of(&[3.0, 1.0, 1.0, 7.0, 3.0], 3), [2.0, 5.0]);
        assert_eq!(limits_of(&[4.0, 4.0], 255), [] as [f64; 0]);
        assert_eq!(limits_of(&[0.0, -0.0], 255), [] as [f64; 0]);
        // Neighbouring floats and the ends of their range.
        assert_eq!(limits_of(&[1.0, 1.0 + f64::EPSILON], 255), [1.0]);
        assert_eq!(limits_of(&[-5e-324, 0.0], 255), [-5e-324]);
        assert_eq!(limits_of(&[f64::MIN, f64::MAX], 255), [0.0]);
        assert_eq!(limits_of(&[1.5e308, 1.7e308], 255), [0.75e308 + 0.85e308]);
        assert_eq!(limits_of(&[5e-324, 1.5e-323], 255), [1e-323]);
    }

    #[test]
    fn many_values_are_parted_at_quantiles() {
        // numpy: percentile(arange(1, 11), [25, 50, 75], method="averaged_inverted_cdf")
        let ramp: Vec<f64> = (1..=10).map(f64::from).collect();
        assert_eq!(limits_of(&ramp, 4), [3.0, 5.5, 8.0]);
        // The half of all rows at one value are one bin, and no limit is at the largest.
        let mut heavy = vec![5.0; 10];
        heavy.extend(&ramp[..4]);
        heavy.push(6.0);
        assert_eq!(limits_of(&heavy, 4), [4.0, 5.0]);
        // A weight of two counts as the row twice.
        let twice: Vec<f64> = ramp.iter().flat_map(|v| [*v, *v]).chain([2.5]).collect();
        let weights: Vec<f64> = ramp.iter().map(|_| 2.0).chain([1.0]).collect();
        let mass = Mass::new(Some(&weights), weights.len()).unwrap();
        let once: Vec<f64> = ramp.iter().copied().chain([2.5]).collect();
        for bins in 2..10 {
            assert_eq!(limits(&once, &mass, bins), limits_of(&twice, bins), "{bins}");
        }
    }

    #[test]
    fn a_value_at_a_limit_lies_below_it_and_constant_inputs_go() {
        let x = Matrix::from_rows(&[[1.0, 9.0], [2.0, 9.0], [4.0, 9.0]]).unwrap();
        let test =
            Matrix::from_rows(&[[1.5, 0.0], [1.6, 0.0], [3.0, 0.0], [1e300, 0.0], [-1e300, 0.0]]).unwrap();
        let mass = Mass::new(None, 3).unwrap();
        let (train, context) = (TrainSet::new(x.view(), &[0.0; 3]), &FitContext::new(1));
        let job = Job { train, test: test.view(), context };
        let binned = Binned::new(job, &mass, 255).unwrap();
        assert_eq!((binned.counts.as_slice(), binned.train.as_slice()), (&[3][..], &[0, 1, 2][..]));
        assert_eq!(binned.test, [0, 1, 1, 2, 0]);
    }

    #[test]
    fn every_bin_is_found() {
        let x: Vec<f64> = (0..256).map(f64::from).collect();
        let mut limits = [f64::INFINITY; MAX_BINS];
        limits_of(&x, 256).iter().zip(&mut limits).for_each(|(l, p)| *p = *l);
        for (i, v) in x.iter().enumerate() {
            assert_eq!(usize::from(bin_of(*v, &limits)), i);
        }
    }
}
