//! The bumps of a relevance function: stretches of the target around one maximum of φ, as uba cuts them.

use crate::relevance::Pchip;

/// One bump: from its left edge (a minimum of φ) to the next bump's, with one maximum and a tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bump {
    /// Left edge; −∞ for the first bump.
    pub left: f64,
    /// Where φ is largest; infinite when the maximum lies outside the control points.
    pub maximum: f64,
    /// Largest error that still earns a benefit.
    pub tolerance: f64,
}

/// The bumps of `phi`; `tloss` is the tolerance when there is only one.
///
/// Only control points whose corrected slope is exactly zero count, as in uba: `range` points with slopes
/// derived from secants are invisible inside and may leave a single bump.
pub fn bumps(phi: &Pchip, tloss: f64) -> Vec<Bump> {
    const FIRST: Bump =
        Bump { left: f64::NEG_INFINITY, maximum: f64::NEG_INFINITY, tolerance: f64::INFINITY };
    let plateaus = plateaus(phi);
    let mut bumps = vec![];
    let mut current = FIRST;
    let mut rising = true;
    for pair in plateaus.windows(2) {
        let ((y, here), (_, next)) = (pair[0], pair[1]);
        if next < here && rising {
            current.maximum = y;
            if current.left.is_finite() {
                current.tolerance = (y - current.left).abs();
            }
            rising = false;
        } else if next > here && (!rising || bumps.is_empty()) {
            bumps.push(closed(current, y));
            current = Bump { left: y, ..FIRST };
            rising = true;
        }
    }
    if bumps.is_empty() {
        return vec![Bump { tolerance: tloss, ..current }];
    }
    let end = plateaus.last().map_or(f64::NAN, |p| p.0);
    if rising {
        let tolerance = 2.0 * (end - current.left).abs();
        bumps.push(Bump { maximum: end, tolerance, ..current });
    } else {
        bumps.push(closed(current, end));
        bumps.push(Bump { left: end, maximum: f64::INFINITY, ..FIRST });
    }
    if bumps[0].maximum.is_infinite() {
        bumps[0].tolerance = bumps[1].tolerance;
    }
    let last = bumps.len() - 1;
    if bumps[last].maximum.is_infinite() {
        bumps[last].tolerance = bumps[last - 1].tolerance;
    }
    bumps
}

/// `bump` once its right edge is known: twice the shorter way from its maximum to an edge.
fn closed(bump: Bump, right: f64) -> Bump {
    if !bump.maximum.is_finite() {
        return bump;
    }
    Bump { tolerance: 2.0 * (bump.maximum - right).abs().min(bump.tolerance), ..bump }
}

/// (mean y, φ) of each run of flat control points with one φ.
fn plateaus(phi: &Pchip) -> Vec<(f64, f64)> {
    let flat = phi.control_points().iter().zip(phi.corrected_slopes()).filter(|(_, slope)| **slope == 0.0);
    let mut runs: Vec<(f64, usize, f64)> = Vec::new();
    for (point, _) in flat {
        match runs.last_mut() {
            Some((sum, count, phi)) if *phi == point.phi => {
                *sum += point.y;
                *count += 1;
            }
            _ => runs.push((point.y, 1, point.phi)),
        }
    }
    runs.into_iter().map(|(sum, count, phi)| (sum / count as f64, phi)).collect()
}
