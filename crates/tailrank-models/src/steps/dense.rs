//! `dense`: a row counts by how rare its target is.
//!
//! DenseWeight (Steininger et al. 2021, eq. 4–6): w = max(1 − α·p', ε) / mean, where p' is the density of the
//! target, scaled to [0, 1]. The density is a Gaussian kernel's with Silverman's width 1.06·σ·n^(−1/5). It is
//! computed on a grid of 128 cells a width with linear binning (the authors use an FFT on 4096 points): its
//! error is below 1e-5 of the density.

use std::sync::Arc;

use super::{
    action::{Action, Weigh},
    context::Relevance,
    parameters::POSITIVE,
    phi::of_mean_one,
    step::StepSpec,
};
use crate::{ModelError, ParamSpec, Params, Result, standardise::centre_and_scale};

/// Smallest weight before scaling.
const FLOOR: f64 = 1e-6;
/// Cells of the grid in one width of the kernel.
const CELLS: f64 = 128.0;
/// Widths after which the kernel is nothing.
const REACH: f64 = 8.0;
/// Most cells; a target with outliers so far away gets wider cells.
const MOST_CELLS: f64 = 1e6;

const ALPHA: ParamSpec = ParamSpec {
    name: "alpha",
    kind: POSITIVE,
    default: "1",
    doc: "how much density takes away from a weight",
};

/// The row of `dense` among the steps.
pub(super) const STEP: StepSpec = StepSpec {
    key: "weights",
    name: "dense",
    summary: "a row counts by how thinly its target lies (DenseWeight)",
    uses_relevance: false,
    parameters: &[ALPHA],
    build: |_, params| Action::Weigh(Arc::new(Dense::of(params))),
};

/// The settings of `dense`.
#[derive(Debug)]
struct Dense {
    alpha: f64,
}

impl Dense {
    fn of(params: &Params) -> Self {
        Self { alpha: params.real("alpha", 1.0) }
    }
}

impl Weigh for Dense {
    fn weights(&self, y: &[f64], _: Option<&Relevance<'_>>) -> Result<Vec<f64>> {
        let density = density(y)?;
        let low = density.iter().copied().fold(f64::INFINITY, f64::min);
        let high = density.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // All alike: no row is rarer than another.
        if high <= low {
            return Ok(vec![1.0; y.len()]);
        }
        let weight = |p: &f64| (1.0 - self.alpha * (p - low) / (high - low)).max(FLOOR);
        Ok(of_mean_one(density.iter().map(weight).collect()))
    }
}

/// Kernel density at each value, up to a factor.
fn density(y: &[f64]) -> Result<Vec<f64>> {
    let low = y.iter().copied().fold(f64::INFINITY, f64::min);
    let high = y.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low == high {
        return Ok(vec![1.0; y.len()]);
    }
    let width = 1.06 * centre_and_scale(y).1 * (y.len() as f64).powf(-0.2);
    let range = high - low;
    if !(range.is_finite() && width > 0.0) {
        let problem = "the range of the target overflows; divide the target by a constant".to_owned();
        return Err(ModelError::Step { step: "dense", problem });
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

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::FitContext;

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
}
