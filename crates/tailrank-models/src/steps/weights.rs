//! Steps that weigh the training rows: by relevance (`phi`), by how rare the target is (`dense`, `lds`).

use std::sync::Arc;

use super::{
    context::{Relevance, required},
    step::{Action, StepSpec, Weigh},
    synthetic::POSITIVE,
};
use crate::{ModelError, ParamKind, ParamSpec, Result, standardise::centre_and_scale};

const OVERFLOW: &str = "the range of the target overflows; divide the target by a constant";

const FLOOR: ParamSpec = crate::parameter! {
    "floor" = "0.05", ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY },
    "added to the relevance, so that no row is lost"
};

/// The row of `phi` among the steps.
pub(super) const PHI: StepSpec = StepSpec {
    key: "weights",
    name: "phi",
    summary: "a row counts by its relevance",
    uses_relevance: true,
    parameters: &[FLOOR],
    build: |_, params| Action::Weigh(Arc::new(Phi { floor: params.real("floor", 0.05) })),
};

/// w ∝ floor + φ(y), with mean 1. The floor keeps rows of no relevance in the fit. With floor 0 the weighted
/// squared error is SERA's Σφ(y)(ŷ − y)² (Ribeiro & Moniz 2020).
#[derive(Debug)]
struct Phi {
    floor: f64,
}

impl Weigh for Phi {
    fn weights(&self, y: &[f64], relevance: Option<&Relevance<'_>>) -> Result<Vec<f64>> {
        let relevance = required("phi", relevance)?;
        let weights: Vec<f64> = y.iter().map(|y| self.floor + relevance(*y)).collect();
        if let Some(i) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
            let (row, relevance) = (i + 1, weights[i] - self.floor);
            return Err(ModelError::step(
                "phi",
                format!("the relevance of training row {row} is {relevance}"),
            ));
        }
        if weights.iter().all(|w| *w == 0.0) {
            let problem = "every training row has relevance 0; set floor above 0 or move the relevance";
            return Err(ModelError::step("phi", problem));
        }
        Ok(of_mean_one(weights))
    }
}

/// Divides by the mean, so that the number of cases stays what it was.
fn of_mean_one(mut weights: Vec<f64>) -> Vec<f64> {
    let mean = weights.iter().sum::<f64>() / weights.len() as f64;
    weights.iter_mut().for_each(|w| *w /= mean);
    weights
}

/// Smallest weight before scaling.
const LEAST: f64 = 1e-6;
/// Cells of the grid in one width of the kernel.
const CELLS: f64 = 128.0;
/// Widths after which the kernel is nothing.
const REACH: f64 = 8.0;
/// Most cells; a target with outliers so far away gets wider cells.
const MOST_CELLS: f64 = 1e6;

const ALPHA: ParamSpec = crate::parameter! {
    "alpha" = "1", POSITIVE,
    "how much density takes away from a weight"
};

/// The row of `dense` among the steps.
pub(super) const DENSE: StepSpec = StepSpec {
    key: "weights",
    name: "dense",
    summary: "a row counts by how thinly its target lies (DenseWeight)",
    uses_relevance: false,
    parameters: &[ALPHA],
    build: |_, params| Action::Weigh(Arc::new(Dense { alpha: params.real("alpha", 1.0) })),
};

/// DenseWeight (Steininger et al. 2021, eq. 4–6): w = max(1 − α·p', ε) / mean, where p' is the density of the
/// target, scaled to [0, 1]. The density is a Gaussian kernel's with Silverman's width 1.06·σ·n^(−1/5). It is
/// computed on a grid of 128 cells a width with linear binning (the authors use an FFT on 4096 points): its
/// error is below 1e-5 of the density.
#[derive(Debug)]
struct Dense {
    alpha: f64,
}

impl Weigh for Dense {
    fn weights(&self, y: &[f64], _: Option<&Relevance<'_>>) -> Result<Vec<f64>> {
        let density = density(y)?;
        let (low, high) = range(&density);
        // All alike: no row is rarer than another.
        if high <= low {
            return Ok(vec![1.0; y.len()]);
        }
        let weight = |p: &f64| (1.0 - self.alpha * (p - low) / (high - low)).max(LEAST);
        Ok(of_mean_one(density.iter().map(weight).collect()))
    }
}

/// Kernel density at each value, up to a factor.
fn density(y: &[f64]) -> Result<Vec<f64>> {
    let (low, high) = range(y);
    if low == high {
        return Ok(vec![1.0; y.len()]);
    }
    let width = 1.06 * centre_and_scale(y, None).1 * (y.len() as f64).powf(-0.2);
    let range = high - low;
    if !(range.is_finite() && width > 0.0) {
        return Err(ModelError::step("dense", OVERFLOW));
    }
    let cell = (width / CELLS).max(range / MOST_CELLS);
    let cells = (range / cell) as usize + 2;
    let mut mass = vec![0.0; cells];
    let place = |v: f64| {
        let at = (v - low) / cell;
        (at as usize, at.fract())
    };
    for &v in y {
        let (at, part) = place(v);
        mass[at] += 1.0 - part;
        mass[at + 1] += part;
    }
    let reach = (REACH * width / cell) as usize;
    let kernel: Vec<f64> = (0..=reach).map(|d| (-0.5 * (d as f64 * cell / width).powi(2)).exp()).collect();
    let mut smooth = vec![0.0; cells];
    for (from, &m) in mass.iter().enumerate().filter(|(_, m)| **m > 0.0) {
        for (d, k) in kernel.iter().enumerate() {
            if let Some(cell) = smooth.get_mut(from + d) {
                *cell += m * k;
            }
            if d > 0 && d <= from {
                smooth[from - d] += m * k;
            }
        }
    }
    Ok(y.iter()
        .map(|&v| {
            let (at, part) = place(v);
            smooth[at] * (1.0 - part) + smooth[at + 1] * part
        })
        .collect())
}

/// Bins on either side of the middle one that the kernel reaches.
const HALF: usize = 2;
const SIGMA: f64 = 2.0;

const BINS: ParamSpec = crate::parameter! {
    "bins" = "100", ParamKind::Int { min: 2, max: 1_000_000 },
    "bins of the target's histogram"
};

/// The row of `lds` among the steps.
pub(super) const LDS: StepSpec = StepSpec {
    key: "weights",
    name: "lds",
    summary: "a row counts 1 over the smoothed number of targets like its own (label distribution smoothing)",
    uses_relevance: false,
    parameters: &[BINS],
    build: |_, params| Action::Weigh(Arc::new(Lds { bins: params.int("bins", 100) as usize })),
};

/// Label distribution smoothing (Yang et al. 2021, "Delving into deep imbalanced regression"): the histogram
/// of the target is smoothed by a Gaussian kernel five bins wide with σ = 2 bins; a row counts 1 over the
/// smoothed number of rows in its bin, with mean 1.
#[derive(Debug)]
struct Lds {
    bins: usize,
}

impl Weigh for Lds {
    fn weights(&self, y: &[f64], _: Option<&Relevance<'_>>) -> Result<Vec<f64>> {
        let (low, high) = range(y);
        if low == high {
            return Ok(vec![1.0; y.len()]);
        }
        let width = (high - low) / self.bins as f64;
        if !(width.is_finite() && width > 0.0) {
            return Err(ModelError::step("lds", OVERFLOW));
        }
        let bin = |v: f64| (((v - low) / width) as usize).min(self.bins - 1);
        let mut counts = vec![0.0; self.bins];
        y.iter().for_each(|&v| counts[bin(v)] += 1.0);
        let smooth = |at: usize| -> f64 {
            let reach = at.saturating_sub(HALF)..(at + HALF + 1).min(self.bins);
            reach.map(|b| counts[b] * (-0.5 * (b.abs_diff(at) as f64 / SIGMA).powi(2)).exp()).sum()
        };
        Ok(of_mean_one(y.iter().map(|&v| 1.0 / smooth(bin(v))).collect()))
    }
}

/// The lowest and the highest value.
pub(super) fn range(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(*v), high.max(*v)))
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::FitContext;

    #[test]
    fn weights_follow_the_relevance_and_have_mean_one() {
        let relevance = |y: f64| if y > 1.0 { 1.0 } else { 0.0 };
        let weights = Phi { floor: 0.05 }.weights(&[0.0, 2.0, 0.5, 3.0], Some(&relevance)).unwrap();
        // (0.05, 1.05, 0.05, 1.05) / 0.55
        let want = [0.05, 1.05, 0.05, 1.05].map(|w| w / 0.55);
        assert!(weights.iter().zip(want).all(|(w, want)| (w - want).abs() < 1e-15), "{weights:?}");
        let none = Phi { floor: 0.0 }.weights(&[0.0, 0.5], Some(&relevance)).unwrap_err().to_string();
        assert!(none.starts_with("phi: every training row has relevance 0"), "{none}");
        assert!(Phi { floor: 0.0 }.weights(&[0.0], Some(&|_| f64::NAN)).is_err());
    }

    /// The density as it is defined: a sum over all rows.
    #[test]
    fn the_grid_agrees_with_the_sum() {
        let mut rng = FitContext::new(5).rng("test", "dense", 0);
        let y: Vec<f64> = (0..300).map(|_| (rng.random::<f64>() * 4.0).exp()).collect();
        let n = y.len() as f64;
        let mean = y.iter().sum::<f64>() / n;
        let sd = (y.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
        let width = 1.06 * sd * n.powf(-0.2);
        let exact: Vec<f64> =
            y.iter().map(|a| y.iter().map(|b| (-0.5 * ((a - b) / width).powi(2)).exp()).sum()).collect();
        let found = density(&y).unwrap();
        for (found, exact) in found.iter().zip(&exact) {
            assert!((found - exact).abs() < 2e-5 * exact, "{found} {exact}");
        }
        let low = exact.iter().copied().fold(f64::INFINITY, f64::min);
        let high = exact.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let raw: Vec<f64> = exact.iter().map(|p| (1.0 - (p - low) / (high - low)).max(1e-6)).collect();
        let mean = raw.iter().sum::<f64>() / n;
        let weights = Dense { alpha: 1.0 }.weights(&y, None).unwrap();
        for (weight, raw) in weights.iter().zip(&raw) {
            assert!((weight - raw / mean).abs() < 1e-4, "{weight} {raw}");
        }
    }

    #[test]
    fn degenerate_targets_count_alike() {
        assert_eq!(Dense { alpha: 1.0 }.weights(&[3.0; 5], None).unwrap(), [1.0; 5]);
        let far = Dense { alpha: 1.0 }.weights(&[0.0, 1e-9, 2e-9, 1.0], None).unwrap();
        assert!(far.iter().all(|w| w.is_finite()) && far[3] > far[0]);
        assert!(Dense { alpha: 1.0 }.weights(&[-1e308, 0.0, 1e308], None).is_err());
    }

    #[test]
    fn a_row_counts_one_over_the_smoothed_count_of_its_bin() {
        // Bins of width 1: counts 3, 1, 0, 0, 0, 1.
        let y = [0.0, 0.1, 0.2, 1.5, 6.0];
        let weights = Lds { bins: 6 }.weights(&y, None).unwrap();
        let (one, two) = ((-0.125f64).exp(), (-0.5f64).exp());
        // Bins 0, 1 and 5; nothing lies within two bins of the last.
        let smooth = [3.0 + one, 1.0 + 3.0 * one, 1.0];
        assert!(two < one);
        let raw = [1.0 / smooth[0], 1.0 / smooth[0], 1.0 / smooth[0], 1.0 / smooth[1], 1.0 / smooth[2]];
        let mean = raw.iter().sum::<f64>() / 5.0;
        assert!(weights.iter().zip(raw).all(|(w, raw)| (w - raw / mean).abs() < 1e-15), "{weights:?}");
        assert_eq!(Lds { bins: 6 }.weights(&[2.0; 3], None).unwrap(), [1.0; 3]);
    }
}
