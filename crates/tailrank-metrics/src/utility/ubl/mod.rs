//! Utility surfaces and measures as R's UBL 0.0.9 computes them, to compare with results made there.
//!
//! These are compatibility forms, not measures to rank by. UBL takes φ at the control points as the utility
//! of exact predictions, the user's points as the utility of others, and interpolates between. With so few
//! points the surface need not pass through any of them. Its recall divides by the wrong relevance and can
//! exceed 1 (see [`eval_regress_metrics`]).
//!
//! What was inferred from UBL's documentation and its printed results, and how closely it agrees, stands in
//! each method's docs. The fourth method, `krige`, fits a variogram automatically and is left out.

mod b_splines;
mod loess;
mod metrics;

pub use metrics::{UblScores, eval_regress_metrics};

use self::b_splines::BSplines;
use crate::{MetricError, Result, error::check_pair, relevance::Pchip};

/// How UBL interpolates a utility surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// `bilinear`: R's `loess` of degree 1, span 0.75, direct fit; agrees to 3e-9 (1e-10 away from queries
    /// where the local fit is nearly singular, on which R itself varies as much).
    Bilinear,
    /// `splines`: multilevel B-splines in three levels; agrees to 5e-8, the noise of single precision in the
    /// library UBL calls.
    Splines,
    /// `idw`: squared inverse distance weights; agrees to 1e-15.
    InverseDistance,
}

/// A known utility: truth, prediction, value.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    truth: f64,
    predicted: f64,
    utility: f64,
}

/// UBL's `UtilInterpol` surface for `type = "util"`.
#[derive(Clone, Debug)]
pub struct UblSurface {
    known: Vec<Known>,
    domain: (f64, f64),
    method: Interpolation,
    splines: Option<BSplines>,
}

impl UblSurface {
    /// A surface over `domain` (`minds`, `maxds`) through φ on the diagonal and `off_diagonal` points
    /// (`m.pts`): truth, prediction, utility. The two far corners must be among the latter.
    ///
    /// ```
    /// use tailrank_metrics::{Relevance, utility::ubl::{Interpolation, UblSurface}};
    /// let relevance = Relevance::range(&[(-3.0, 1.0), (0.0, 0.0), (3.0, 1.0)], Some(&[0.0; 3]))?;
    /// let Relevance::Pchip(phi) = relevance else { unreachable!() };
    /// let corners = [(-8.0, 8.0, -1.0), (8.0, -8.0, -1.0)];
    /// let surface = UblSurface::new(&phi, (-8.0, 8.0), &corners, Interpolation::InverseDistance)?;
    /// assert_eq!(surface.utilities(&[3.0], &[3.0])?, [1.0]);
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn new(
        phi: &Pchip,
        domain: (f64, f64),
        off_diagonal: &[(f64, f64, f64)],
        method: Interpolation,
    ) -> Result<Self> {
        const NAME: &str = "off-diagonal points";
        let (low, high) = domain;
        if !(low < high && low.is_finite() && high.is_finite()) {
            return Err(MetricError::Parameter {
                name: "minds",
                value: low,
                expected: "the domain's lower bound must be finite and below its upper bound",
            });
        }
        for corner in [(low, high), (high, low)] {
            if !off_diagonal.iter().any(|p| (p.0, p.1) == corner) {
                return Err(MetricError::Entry {
                    name: NAME,
                    index: off_diagonal.len() + 1,
                    problem: format!("the corner ({}, {}) is missing", corner.0, corner.1),
                    fix: "give the utility of both far corners of the domain",
                });
            }
        }
        let inside = |v: f64| (low..=high).contains(&v);
        if let Some(i) = off_diagonal.iter().position(|p| !(inside(p.0) && inside(p.1) && p.2.is_finite())) {
            return Err(MetricError::Entry {
                name: NAME,
                index: i + 1,
                problem: format!("{:?} is not inside [{low}, {high}]", off_diagonal[i]),
                fix: "widen the domain or move the point",
            });
        }
        let diagonal = |y: f64, utility: f64| Known { truth: y, predicted: y, utility };
        let mut known: Vec<Known> = phi.control_points().iter().map(|c| diagonal(c.y, c.phi)).collect();
        for corner in [low, high] {
            let point = diagonal(corner, phi.phi_unclamped(corner));
            if !known.contains(&point) {
                known.push(point);
            }
        }
        known.extend(off_diagonal.iter().map(|&(truth, predicted, utility)| Known {
            truth,
            predicted,
            utility,
        }));
        let splines = (method == Interpolation::Splines).then(|| BSplines::fit(&known, domain));
        Ok(Self { known, domain, method, splines })
    }

    /// Interpolated utility of every prediction.
    ///
    /// UBL stretches the surface when a value lies outside its domain, by one step for all; here that is an
    /// error.
    pub fn utilities(&self, truth: &[f64], predicted: &[f64]) -> Result<Vec<f64>> {
        check_pair(truth, predicted)?;
        let (low, high) = self.domain;
        for (name, values) in [("truth", truth), ("predictions", predicted)] {
            if let Some(i) = values.iter().position(|v| !(low..=high).contains(v)) {
                return Err(MetricError::Entry {
                    name,
                    index: i + 1,
                    problem: format!("{} lies outside the surface's domain [{low}, {high}]", values[i]),
                    fix: "build the surface on a wider domain",
                });
            }
        }
        Ok(truth.iter().zip(predicted).map(|(&y, &z)| self.at(y, z)).collect())
    }

    fn at(&self, truth: f64, predicted: f64) -> f64 {
        match (self.method, &self.splines) {
            // UBL cuts a utility surface at 1; its printed results never come near −1.
            (_, Some(splines)) => splines.at(truth, predicted).clamp(-1.0, 1.0),
            (Interpolation::InverseDistance, _) => inverse_distance(&self.known, truth, predicted),
            _ => loess::at(&self.known, truth, predicted),
        }
    }
}

impl Known {
    fn squared_distance(&self, truth: f64, predicted: f64) -> f64 {
        let (dy, dz) = (self.truth - truth, self.predicted - predicted);
        dy * dy + dz * dz
    }
}

fn inverse_distance(known: &[Known], truth: f64, predicted: f64) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for point in known {
        let distance = point.squared_distance(truth, predicted);
        if distance == 0.0 {
            return point.utility;
        }
        sum += point.utility / distance;
        weights += 1.0 / distance;
    }
    sum / weights
}
