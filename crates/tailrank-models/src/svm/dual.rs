//! The dual problem of ε-support vector regression, with one variable β = α − α* per point.
//!
//! With case weights wᵢ the bound of point i is C·wᵢ (libsvm's weighted form).
//!
//! Minimise ½β'Kβ − y'β + ε Σ|β| with Σβ = 0 and |β| ≤ C. A point may move *up* or *down*; r + offset orders
//! the moves, with r = y − Kβ.

use std::sync::Arc;

use super::gram::Gram;

/// A feasible point of the dual and its residuals.
#[derive(Clone, Debug)]
pub(super) struct Dual {
    /// Half-width of the tube within which residuals are free of charge, in units of the scaled target.
    pub(super) epsilon: f64,
    pub(super) cost: f64,
    /// Case weights; none where all count alike.
    pub(super) weights: Option<Arc<[f64]>>,
    pub(super) beta: Vec<f64>,
    /// y − Kβ
    pub(super) r: Vec<f64>,
    /// Bound on the rounding that updates of `r` may have piled up.
    pub(super) drift: f64,
}

/// The best moves left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// Largest value of a move up and smallest of a move down.
    pub(super) ends: (f64, f64),
    /// Their difference: the violation of the optimality conditions, libsvm's stopping value.
    pub(super) width: f64,
}

/// Offsets of the moves up and down at `v` ∈ [−C, C], whose slope jumps by 2ε at 0.
#[inline(always)]
pub(super) fn kinked(v: f64, cost: f64, epsilon: f64) -> (f64, f64) {
    let up = if v >= 0.0 { -epsilon } else { epsilon };
    let down = if v <= 0.0 { epsilon } else { -epsilon };
    (if v >= cost { f64::NEG_INFINITY } else { up }, if v <= -cost { f64::INFINITY } else { down })
}

/// Moves a value `v` of at most `highest` up and `w` of at least `lowest` down by `wish`, or to the first
/// kink or bound on the way; the step made, and both values after it.
#[inline(always)]
pub(super) fn shifted(v: f64, w: f64, highest: f64, lowest: f64, wish: f64) -> (f64, f64, f64) {
    let ceiling = if v < 0.0 { 0.0 } else { highest };
    let floor = if w <= 0.0 { lowest } else { 0.0 };
    let step = wish.min(ceiling - v).min(w - floor);
    let risen = if step >= ceiling - v { ceiling } else { v + step };
    (step, risen, if step >= w - floor { floor } else { w - step })
}

impl Dual {
    /// The starting point without a model: β = 0.
    pub(super) fn start(y: &[f64], weights: Option<Arc<[f64]>>, epsilon: f64, cost: f64) -> Self {
        Self { epsilon, cost, weights, beta: vec![0.0; y.len()], r: y.to_vec(), drift: 0.0 }
    }

    pub(super) fn weight(&self, i: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |w| w[i])
    }

    /// The largest size of β of point `i`.
    #[inline]
    pub(super) fn bound(&self, i: usize) -> f64 {
        self.cost * self.weight(i)
    }

    /// Offsets of the moves of point `i`.
    pub(super) fn offsets(&self, i: usize) -> (f64, f64) {
        kinked(self.beta[i], self.bound(i), self.epsilon)
    }

    /// How far the optimality conditions are from holding.
    pub(super) fn gap(&self) -> Gap {
        let (mut highest, mut lowest) = (f64::NEG_INFINITY, f64::INFINITY);
        for i in 0..self.r.len() {
            let (up, down) = self.offsets(i);
            highest = highest.max(self.r[i] + up);
            lowest = lowest.min(self.r[i] + down);
        }
        Gap { ends: (highest, lowest), width: highest - lowest }
    }

    /// The constant b of the regression function, from the free points, or from the best moves where none is
    /// free.
    pub(super) fn constant(&self) -> f64 {
        let (mut sum, mut count) = (0.0, 0usize);
        for i in self.free() {
            sum += self.r[i] - self.epsilon * self.beta[i].signum();
            count += 1;
        }
        match self.gap().ends {
            _ if count > 0 => sum / count as f64,
            (high, low) if high.is_finite() && low.is_finite() => 0.5 * (high + low),
            (high, low) => [high, low].into_iter().find(|v| v.is_finite()).unwrap_or(0.0),
        }
    }

    /// Carries the solution over to another cost by stretching it, which keeps it feasible.
    pub(super) fn stretch(&mut self, y: &[f64], cost: f64) {
        let ratio = cost / self.cost;
        for (i, v) in self.beta.iter_mut().enumerate() {
            let weight = self.weights.as_ref().map_or(1.0, |w| w[i]);
            let bound = cost * weight;
            let at_bound = v.abs() >= self.cost * weight;
            *v = if at_bound { bound.copysign(*v) } else { (*v * ratio).clamp(-bound, bound) };
        }
        for (r, y) in self.r.iter_mut().zip(y) {
            *r = y - ratio * (y - *r);
        }
        self.drift *= ratio;
        self.cost = cost;
    }

    /// Computes the residuals afresh.
    pub(super) fn refresh(&mut self, y: &[f64], gram: &mut Gram<'_>) {
        let weights: Vec<(usize, f64)> =
            self.beta.iter().enumerate().filter(|(_, b)| **b != 0.0).map(|(i, b)| (i, -b)).collect();
        self.r.copy_from_slice(y);
        gram.add_rows(&weights, &mut self.r);
        self.drift = 0.0;
    }

    /// Subtracts `step` · K from the residuals.
    pub(super) fn account(&mut self, step: &[(usize, f64)], gram: &mut Gram<'_>) {
        let weights: Vec<(usize, f64)> = step.iter().map(|&(i, d)| (i, -d)).collect();
        gram.add_rows(&weights, &mut self.r);
        let size = |i: usize| gram.diagonal(i).abs().max(1.0);
        self.drift += f64::EPSILON * step.iter().map(|&(i, d)| d.abs() * size(i)).sum::<f64>();
    }

    /// Dual objective and duality gap, the latter relative to the primal objective.
    pub(super) fn objective(&self, y: &[f64]) -> (f64, f64) {
        let (b, epsilon) = (self.constant(), self.epsilon);
        let quadratic: f64 = self.beta.iter().zip(y).zip(&self.r).map(|((beta, y), r)| beta * (y - r)).sum();
        let linear: f64 = self.beta.iter().zip(y).map(|(beta, y)| beta * y).sum();
        let size: f64 = self.beta.iter().map(|v| v.abs()).sum();
        let slack: f64 =
            self.r.iter().enumerate().map(|(i, r)| self.weight(i) * ((r - b).abs() - epsilon).max(0.0)).sum();
        let dual = linear - 0.5 * quadratic - epsilon * size;
        let primal = 0.5 * quadratic + self.cost * slack;
        (dual, (primal - dual) / primal.abs().max(f64::MIN_POSITIVE))
    }

    /// Σβ, which must be 0, as a share of Σ|β|.
    pub(super) fn imbalance(&self) -> f64 {
        let size: f64 = self.beta.iter().map(|v| v.abs()).sum();
        self.beta.iter().sum::<f64>().abs() / size.max(self.cost)
    }

    /// Points strictly between their bounds.
    pub(super) fn free(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.beta.len()).filter(|&i| self.is_free(i))
    }

    /// Whether point `i` is strictly between its bounds, and has a part in the model.
    pub(super) fn is_free(&self, i: usize) -> bool {
        self.beta[i] != 0.0 && self.beta[i].abs() < self.bound(i)
    }
}
