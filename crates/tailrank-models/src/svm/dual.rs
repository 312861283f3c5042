//! The dual problem of ε- and ν-support vector regression, with one variable β = α − α* per point.
//!
//! With case weights wᵢ the bound of point i is C·wᵢ (libsvm's weighted form).
//!
//! ε-SVR: minimise ½β'Kβ − y'β + ε Σ|β| with Σβ = 0 and |β| ≤ C. ν-SVR: no ε, but Σα = Σα* = Cνn/2; its ε is
//! a multiplier. A point may move *up* or *down*; r + offset orders the moves, with r = y − Kβ. In ν-SVR α
//! and α* move apart from each other, in two classes, because each has its own sum to keep.

use std::sync::Arc;

use super::gram::Gram;

/// What keeps small residuals free of charge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tube {
    /// Half-width ε, in units of the scaled target.
    Epsilon(f64),
    /// Share ν of points that may lie outside.
    Nu(f64),
}

impl Tube {
    /// Classes of moves.
    pub(super) fn classes(self) -> usize {
        match self {
            Self::Epsilon(_) => 1,
            Self::Nu(_) => 2,
        }
    }
}

/// A feasible point of the dual and its residuals.
#[derive(Clone, Debug)]
pub(super) struct Dual {
    pub(super) tube: Tube,
    pub(super) cost: f64,
    /// Case weights; none where all count alike.
    pub(super) weights: Option<Arc<[f64]>>,
    pub(super) beta: Vec<f64>,
    /// α and α* of ν-SVR; empty in ε-SVR.
    pub(super) alpha: [Vec<f64>; 2],
    /// y − Kβ
    pub(super) r: Vec<f64>,
    /// Bound on the rounding that updates of `r` may have piled up.
    pub(super) drift: f64,
}

/// The best moves left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// Largest value of a move up and smallest of a move down, per class.
    pub(super) ends: [(f64, f64); 2],
    /// The largest difference: the violation of the optimality conditions, libsvm's stopping value.
    pub(super) width: f64,
}

/// The constant of the regression function and the half-width of its tube.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) b: f64,
    pub(super) epsilon: f64,
}

/// Offsets of the moves up and down at `v` ∈ [−C, C], whose slope jumps by 2ε at 0.
#[inline(always)]
pub(crate) fn kinked(v: f64, cost: f64, epsilon: f64) -> (f64, f64) {
    let up = if v >= 0.0 { -epsilon } else { epsilon };
    let down = if v <= 0.0 { epsilon } else { -epsilon };
    (if v >= cost { f64::NEG_INFINITY } else { up }, if v <= -cost { f64::INFINITY } else { down })
}

/// Offsets of the moves up and down of β by way of α (class 0) or α* (class 1).
#[inline(always)]
pub(super) fn boxed(v: f64, cost: f64, class: usize) -> (f64, f64) {
    let (grow, fall) = (v < cost, v > 0.0);
    let (up, down) = if class == 0 { (grow, fall) } else { (fall, grow) };
    (if up { 0.0 } else { f64::NEG_INFINITY }, if down { 0.0 } else { f64::INFINITY })
}

/// Moves a value `v` of at most `highest` up and `w` of at least `lowest` down by `wish`, or to the first kink
/// or bound on the way; the step made, and both values after it.
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
    pub(super) fn start(y: &[f64], weights: Option<Arc<[f64]>>, tube: Tube, cost: f64) -> Self {
        let (beta, alpha) = (vec![0.0; y.len()], [Vec::new(), Vec::new()]);
        let mut dual = Self { tube, cost, weights, beta, alpha, r: y.to_vec(), drift: 0.0 };
        if let Tube::Nu(nu) = tube {
            let mut left = 0.5 * cost * nu * dual.cases();
            let share = |i: usize| {
                let v = left.min(dual.bound(i)).max(0.0);
                left -= v;
                v
            };
            let alpha: Vec<f64> = (0..y.len()).map(share).collect();
            dual.alpha = [alpha.clone(), alpha];
        }
        dual
    }

    pub(super) fn weight(&self, i: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |w| w[i])
    }

    /// The largest size of β of point `i`.
    #[inline]
    pub(super) fn bound(&self, i: usize) -> f64 {
        self.cost * self.weight(i)
    }

    /// Sum of the weights.
    pub(super) fn cases(&self) -> f64 {
        self.weights.as_ref().map_or(self.r.len() as f64, |w| w.iter().sum())
    }

    /// Offsets of the moves of point `i`.
    pub(super) fn offsets(&self, class: usize, i: usize) -> (f64, f64) {
        match self.tube {
            Tube::Epsilon(epsilon) => kinked(self.beta[i], self.bound(i), epsilon),
            Tube::Nu(_) => boxed(self.alpha[class][i], self.bound(i), class),
        }
    }

    /// How far the optimality conditions are from holding.
    pub(super) fn gap(&self) -> Gap {
        let mut ends = [(f64::NEG_INFINITY, f64::INFINITY); 2];
        let mut width = f64::NEG_INFINITY;
        for class in 0..self.tube.classes() {
            let (mut highest, mut lowest) = ends[class];
            for i in 0..self.r.len() {
                let (up, down) = self.offsets(class, i);
                highest = highest.max(self.r[i] + up);
                lowest = lowest.min(self.r[i] + down);
            }
            ends[class] = (highest, lowest);
            width = width.max(highest - lowest);
        }
        Gap { ends, width }
    }

    /// b (and ε) from the free points, or from the best moves where none is free.
    pub(super) fn level(&self) -> Level {
        let gap = self.gap();
        let mut sums = [(0.0, 0usize); 2];
        for i in 0..self.r.len() {
            match self.tube {
                Tube::Epsilon(epsilon) => {
                    if self.is_free(i) {
                        sums[0].0 += self.r[i] - epsilon * self.beta[i].signum();
                        sums[0].1 += 1;
                    }
                }
                Tube::Nu(_) => {
                    for (class, sum) in sums.iter_mut().enumerate() {
                        if self.alpha[class][i] > 0.0 && self.alpha[class][i] < self.bound(i) {
                            sum.0 += self.r[i];
                            sum.1 += 1;
                        }
                    }
                }
            }
        }
        let mean = |class: usize| match (sums[class], gap.ends[class]) {
            ((sum, count), _) if count > 0 => sum / count as f64,
            (_, (high, low)) if high.is_finite() && low.is_finite() => 0.5 * (high + low),
            (_, (high, low)) => [high, low].into_iter().find(|v| v.is_finite()).unwrap_or(0.0),
        };
        match self.tube {
            Tube::Epsilon(epsilon) => Level { b: mean(0), epsilon },
            Tube::Nu(_) => {
                Level { b: 0.5 * (mean(0) + mean(1)), epsilon: (0.5 * (mean(0) - mean(1))).max(0.0) }
            }
        }
    }

    /// Carries the solution over to another cost by stretching it, which keeps it feasible.
    pub(super) fn stretch(&mut self, y: &[f64], cost: f64) {
        let ratio = cost / self.cost;
        let (old, weights) = (self.cost, self.weights.clone());
        for values in std::iter::once(&mut self.beta).chain(&mut self.alpha) {
            for (i, v) in values.iter_mut().enumerate() {
                let weight = weights.as_ref().map_or(1.0, |w| w[i]);
                let bound = cost * weight;
                let at_bound = v.abs() >= old * weight;
                *v = if at_bound { bound.copysign(*v) } else { (*v * ratio).clamp(-bound, bound) };
            }
        }
        for (r, y) in self.r.iter_mut().zip(y) {
            *r = y - ratio * (y - *r);
        }
        self.drift *= ratio;
        self.cost = cost;
    }

    /// Sets α and α* of ν-SVR to the parts of β above and below 0.
    pub(super) fn part_beta(&mut self) {
        if let Tube::Nu(_) = self.tube {
            self.alpha[0] = self.beta.iter().map(|beta| beta.max(0.0)).collect();
            self.alpha[1] = self.beta.iter().map(|beta| (-beta).max(0.0)).collect();
        }
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
        let Level { b, epsilon } = self.level();
        let quadratic: f64 = self.beta.iter().zip(y).zip(&self.r).map(|((beta, y), r)| beta * (y - r)).sum();
        let linear: f64 = self.beta.iter().zip(y).map(|(beta, y)| beta * y).sum();
        let size: f64 = self.beta.iter().map(|v| v.abs()).sum();
        let slack: f64 =
            self.r.iter().enumerate().map(|(i, r)| self.weight(i) * ((r - b).abs() - epsilon).max(0.0)).sum();
        let (charge, free) = match self.tube {
            Tube::Epsilon(_) => (epsilon * size, 0.0),
            Tube::Nu(nu) => (0.0, epsilon * nu * self.cost * self.cases()),
        };
        let dual = linear - 0.5 * quadratic - charge;
        let primal = 0.5 * quadratic + self.cost * slack + free;
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
