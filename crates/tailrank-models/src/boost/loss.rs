//! What the trees lower: where an ensemble starts, what each tree is fitted to and what its leaves say.

use super::mass::Mass;

/// A loss of the residual r = y − prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Loss {
    /// r²/2.
    Squared,
    /// |r|.
    Absolute,
    /// r²/2 up to δ and linear beyond, where δ is the quantile `share` of |r| before each tree (Friedman
    /// 2001, algorithm 4).
    Huber { share: f64 },
    /// r times `level` above and times `level` − 1 below.
    Quantile { level: f64 },
}

/// How the leaves of one tree find their values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Leaf {
    /// The mean gradient, shrunk by λ: what the split's sums already say.
    Mean,
    /// A quantile of the residuals.
    Quantile(f64),
    /// The median and the mean of what is left, cut at δ (Friedman 2001, before algorithm 4).
    Huber { delta: f64 },
}

impl Loss {
    /// The best constant.
    pub(super) fn start(self, targets: &[f64], mass: &Mass) -> f64 {
        let quantile = |level| mass.quantile(level, targets.iter().copied().enumerate(), &mut Vec::new());
        match self {
            Self::Squared => mass.mean(targets),
            Self::Absolute | Self::Huber { .. } => quantile(0.5),
            Self::Quantile { level } => quantile(level),
        }
    }

    /// Negative gradients at the residuals, and how the leaves find their values.
    pub(super) fn gradients(
        self,
        residuals: &[f64],
        mass: &Mass,
        scratch: &mut Vec<(f64, u64)>,
        gradients: &mut Vec<f64>,
    ) -> Leaf {
        gradients.clear();
        match self {
            Self::Squared => {
                gradients.extend_from_slice(residuals);
                Leaf::Mean
            }
            Self::Absolute => {
                gradients.extend(residuals.iter().map(|r| if *r >= 0.0 { 1.0 } else { -1.0 }));
                Leaf::Quantile(0.5)
            }
            Self::Quantile { level } => {
                gradients.extend(residuals.iter().map(|r| if *r >= 0.0 { level } else { level - 1.0 }));
                Leaf::Quantile(level)
            }
            Self::Huber { share } => {
                let delta = mass.quantile(share, residuals.iter().map(|r| r.abs()).enumerate(), scratch);
                gradients.extend(residuals.iter().map(|r| r.clamp(-delta, delta)));
                Leaf::Huber { delta }
            }
        }
    }
}

impl Leaf {
    /// The value of a leaf that holds `rows`; `mean` is its shrunk mean gradient.
    pub(super) fn value(
        self,
        mean: f64,
        rows: &[u32],
        residuals: &[f64],
        mass: &Mass,
        scratch: &mut Vec<(f64, u64)>,
    ) -> f64 {
        let mut quantile = |level| {
            let values = rows.iter().map(|&r| (r as usize, residuals[r as usize]));
            mass.quantile(level, values, scratch)
        };
        match self {
            Self::Mean => mean,
            Self::Quantile(level) => quantile(level),
            Self::Huber { delta } => {
                let median = quantile(0.5);
                let cut: Vec<f64> =
                    rows.iter().map(|&r| (residuals[r as usize] - median).clamp(-delta, delta)).collect();
                median + mass.pick(rows).mean(&cut)
            }
        }
    }
}
