//! R's variable-metric minimiser (Nash 1990, algorithm 21), as `nnet` calls it.

use crate::{FitContext, ModelError, Result};

/// Each rejected step is shortened by this.
const SHORTEN: f64 = 0.2;
/// Share of the predicted decrease a step must reach.
const SUFFICIENT: f64 = 1e-4;
/// Coordinates that agree after adding this count as unchanged.
const OFFSET: f64 = 10.0;

/// What is minimised.
pub(super) trait Objective {
    /// The value; as soon as it is certain to lie above `limit`, any number above that will do.
    fn value(&mut self, weights: &[f64], limit: f64) -> f64;

    /// The gradient at the weights `value` was last called with.
    fn gradient(&mut self, weights: &[f64], gradient: &mut [f64]);
}

/// An approximation of the inverse Hessian.
pub(super) trait Curvature {
    /// Back to the identity.
    fn reset(&mut self);

    /// Writes `-A·gradient`.
    fn direction(&mut self, gradient: &[f64], direction: &mut [f64]);

    /// Takes in a step, the change of gradient over it, their product (positive) and the new gradient.
    fn update(&mut self, step: &[f64], change: &[f64], product: f64, gradient: &[f64]);
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stop {
    pub(super) maxit: usize,
    pub(super) abstol: f64,
    pub(super) reltol: f64,
}

/// How a minimisation ended.
pub(super) struct Minimum {
    pub(super) value: f64,
    /// Gradient evaluations.
    pub(super) iterations: usize,
    /// False when `maxit` ended it.
    pub(super) converged: bool,
}

/// Moves `w` downhill until a stopping rule holds.
///
/// The bookkeeping is the reference's to the letter, because far from convergence every detail shows: no
/// interpolation in the line search, `w` stays at the last trial, and a retry after a stall keeps the old
/// gradient.
pub(super) fn minimise(
    objective: &mut dyn Objective,
    curvature: &mut dyn Curvature,
    w: &mut [f64],
    stop: Stop,
    context: &FitContext,
) -> Result<Minimum> {
    let mut f = objective.value(w, f64::INFINITY);
    if !f.is_finite() {
        let problem = format!("the objective at the starting weights is {f}; rescale inputs and target");
        return Err(ModelError::numerical("nnet", problem));
    }
    if stop.maxit == 0 {
        return Ok(Minimum { value: f, iterations: 0, converged: false });
    }
    let n = w.len();
    let mut best = f;
    let mut g = vec![0.0; n];
    objective.gradient(w, &mut g);
    let (mut gradients, mut last_reset) = (1, 1);
    let (mut from, mut old_g, mut t) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    loop {
        context.check()?;
        if last_reset == gradients {
            curvature.reset();
        }
        from.copy_from_slice(w);
        old_g.copy_from_slice(&g);
        curvature.direction(&g, &mut t);
        let slope = dot(&t, &g);
        let mut stalled;
        if slope < 0.0 {
            let mut step = 1.0;
            let mut rejected = None;
            loop {
                let unchanged = move_by(step, &from, &t, w);
                stalled = unchanged == n;
                if stalled {
                    break;
                }
                // Of a rejected trial only the last one's value is ever asked for: most are far too long and
                // seen to be so after a few rows.
                let limit = best + slope * step * SUFFICIENT;
                let value = objective.value(w, limit);
                if value <= limit && value.is_finite() {
                    f = value;
                    break;
                }
                rejected = Some(step);
                step *= SHORTEN;
            }
            if let (true, Some(last)) = (stalled, rejected) {
                move_by(last, &from, &t, w);
                f = objective.value(w, f64::INFINITY);
                move_by(step, &from, &t, w);
            }
            if f <= stop.abstol || (f - best).abs() <= stop.reltol * (best.abs() + stop.reltol) {
                stalled = true;
                best = f;
            }
            if !stalled {
                best = f;
                objective.gradient(w, &mut g);
                gradients += 1;
                for i in 0..n {
                    t[i] *= step;
                    old_g[i] = g[i] - old_g[i];
                }
                let product = dot(&t, &old_g);
                if product > 0.0 {
                    curvature.update(&t, &old_g, product, &g);
                } else {
                    last_reset = gradients;
                }
            } else if last_reset < gradients {
                stalled = false;
                last_reset = gradients;
            }
        } else {
            stalled = last_reset == gradients;
            last_reset = gradients;
        }
        // `iter` of the reference moves with the count of gradients.
        if gradients >= stop.maxit {
            return Ok(Minimum { value: best, iterations: gradients, converged: false });
        }
        if gradients - last_reset > 2 * n {
            last_reset = gradients;
        }
        if stalled && last_reset == gradients {
            return Ok(Minimum { value: best, iterations: gradients, converged: true });
        }
    }
}

/// Sets `w` to `from + step · t`; how many coordinates count as unchanged.
fn move_by(step: f64, from: &[f64], t: &[f64], w: &mut [f64]) -> usize {
    let mut unchanged = 0;
    for ((w, x), t) in w.iter_mut().zip(from).zip(t) {
        *w = x + step * t;
        unchanged += usize::from(OFFSET + x == OFFSET + *w);
    }
    unchanged
}

/// In index order: R's sum.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}
