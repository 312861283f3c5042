//! The hybrid solver of one model: block SMO finds the active set, Newton's method finishes.

use super::{
    block::{self, Effort, log2},
    dual::Dual,
    factor,
    newton::{Ended, Newton},
};
use crate::Result;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    /// Violation of the optimality conditions, as in libsvm.
    pub(crate) tolerance: f64,
    /// SMO iterations.
    pub(super) iterations: usize,
}

/// What a model cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Report {
    pub(super) iterations: usize,
    pub(super) newton_rounds: usize,
    pub(super) converged: bool,
}

/// What the models of one kernel share.
pub(super) struct SolverState<'a> {
    pub(super) y: &'a [f64],
    pub(super) newton: Newton<'a>,
    /// SMO stops here first: the active set is then nearly right.
    pub(super) loose: f64,
    /// False once the kernel proved not to be positive definite.
    pub(super) definite: bool,
    pub(super) stop: Stop,
}

/// Speed of a factorisation in the units of [`Effort`].
const NEWTON_NS_PER_FLOP: f64 = 0.05;
/// SMO takes about this many times longer per fall of the gap near the end than before.
const SLOWDOWN: f64 = 4.0;
const LARGEST_JITTER: f64 = 1e-5;

impl SolverState<'_> {
    /// Brings `dual` to the optimum. With `near`, its active set is nearly right already and Newton's method
    /// goes first.
    pub(super) fn solve(&mut self, dual: &mut Dual, near: bool) -> Result<Report> {
        let mut report = Report::default();
        let (Stop { tolerance, iterations: limit }, context) = (self.stop, self.newton.context);
        if near {
            self.newton(dual, &mut report.newton_rounds)?;
        }
        let mut effort = Effort::default();
        let mut target = self.loose.max(tolerance);
        let mut again = 0;
        loop {
            let ended = block::descend(dual, &mut self.newton.gram, target, limit, &mut effort, context)?;
            report.iterations = effort.iterations;
            let gap = self.steady_gap(dual);
            report.converged = gap < tolerance;
            if report.converged || ended == block::Ended::Limit {
                return Ok(report);
            }
            let stalled = ended == block::Ended::Stalled;
            if !self.newton_pays(dual, gap, &effort, stalled) {
                // Fresh residuals may show a gap that rounding had hidden.
                again += usize::from(target <= tolerance);
                if stalled || again > 5 {
                    return Ok(report);
                }
                target = tolerance;
                continue;
            }
            let ended = self.newton(dual, &mut report.newton_rounds)?;
            let gap = self.steady_gap(dual);
            report.converged = gap < tolerance;
            if report.converged || (stalled && ended != Ended::Reached) {
                return Ok(report);
            }
            target = (0.3 * target.min(gap)).max(tolerance);
        }
    }

    /// Carries a solution over to a larger cost. Points at the bound go with it, and one round of Newton's
    /// method puts the free ones right; where that fails the whole solution is stretched. Returns whether it
    /// went well.
    pub(super) fn raise_cost(&mut self, dual: &mut Dual, cost: f64) -> Result<bool> {
        let old = dual.clone();
        let newton =
            self.definite && self.newton.factor.holds_points() && factor::is_small(dual.free().count());
        if newton {
            let raise = |(i, v): (usize, &f64)| {
                let step = ((cost - dual.cost) * dual.weight(i)).copysign(*v);
                (v.abs() >= dual.bound(i)).then_some((i, step))
            };
            let at_bound: Vec<(usize, f64)> = dual.beta.iter().enumerate().filter_map(raise).collect();
            dual.cost = cost;
            for &(i, d) in &at_bound {
                dual.beta[i] = dual.bound(i).copysign(d);
            }
            dual.account(&at_bound, &mut self.newton.gram);
            if self.newton.repair(dual)? {
                return Ok(true);
            }
            *dual = old;
        }
        dual.stretch(self.y, cost);
        Ok(false)
    }

    fn newton(&mut self, dual: &mut Dual, rounds: &mut usize) -> Result<Ended> {
        let before = dual.clone();
        loop {
            let ended = self.newton.polish(dual, self.stop.tolerance, rounds)?;
            let lost = !dual.r.iter().all(|v| v.is_finite()) || dual.imbalance() > 1e-9;
            if lost {
                *dual = before;
                return Ok(Ended::GaveUp);
            }
            if ended != Ended::Singular {
                return Ok(ended);
            }
            // A flat kernel matrix (linear, or many equal rows) gets a damped step, still one of descent.
            let factor = &mut self.newton.factor;
            factor.clear();
            factor.jitter *= 100.0;
            if factor.jitter > LARGEST_JITTER {
                self.definite = false;
                return Ok(ended);
            }
        }
    }

    /// Whether a factorisation (made about three times) is cheaper than going on with SMO, judged by the fall
    /// of the gap so far. Counts decide, never clocks: the same fit must take the same road everywhere.
    fn newton_pays(&self, dual: &Dual, gap: f64, effort: &Effort, stalled: bool) -> bool {
        let free = dual.free().count();
        if !self.definite || free == 0 || !factor::is_small(free) {
            return false;
        }
        if stalled || effort.fall <= 0.0 {
            return true;
        }
        // A factor at hand is mostly kept.
        let made = if self.newton.factor.holds_points() { 0.5 } else { 1.0 };
        let newton = made * NEWTON_NS_PER_FLOP * (free as f64).powi(3);
        let smo = SLOWDOWN * effort.spent / effort.fall * log2(gap / self.stop.tolerance);
        newton < smo.max(2e6)
    }

    /// The gap, after residuals whose rounding could matter at this tolerance are computed afresh.
    fn steady_gap(&mut self, dual: &mut Dual) -> f64 {
        if dual.drift > 0.01 * self.stop.tolerance {
            dual.refresh(self.y, &mut self.newton.gram);
        }
        dual.gap().width
    }
}
