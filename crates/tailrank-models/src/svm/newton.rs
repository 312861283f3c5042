//! Newton's method on the free points: exact on the right active set, so the last digits cost almost nothing.
//!
//! A round solves the optimality conditions of the free points and of those that want to become free. Points
//! that would cross a bound are clamped there and the rest is solved again, until none crosses; only then are
//! points released. (Doing both at once diverges: clamping a dozen points moves thousands of residuals.)

use super::{
    dual::Dual,
    factor::{self, Factor, Failure},
    gram::Gram,
};
use crate::{FitContext, Result};

/// How Newton's method came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The gap is below the tolerance.
    Reached,
    /// The active set is not good enough yet.
    GaveUp,
    /// The kernel matrix of the free points has no Cholesky factor.
    Singular,
}

/// A point that takes part in a round, on the side of 0 named by `sign`.
#[derive(Clone, Copy)]
struct Member {
    point: usize,
    sign: f64,
}

/// A step, and whether it ends on a bound.
struct Step {
    point: usize,
    change: f64,
    end: f64,
}

/// Newton's method for all models of one kernel.
pub(super) struct Newton<'a> {
    pub(super) gram: Gram<'a>,
    /// That of the free points.
    pub(super) factor: Factor,
    pub(super) context: &'a FitContext,
}

impl Newton<'_> {
    /// Rounds until the gap is below `tolerance`. `rounds` counts them.
    pub(super) fn polish(&mut self, dual: &mut Dual, tolerance: f64, rounds: &mut usize) -> Result<Ended> {
        let mut short = 0;
        for _ in 0..60 {
            self.context.check()?;
            if dual.gap().width < tolerance {
                return Ok(Ended::Reached);
            }
            *rounds += 1;
            let step = match self.solve(dual, &members(dual, Some(0.45 * tolerance))) {
                Ok(Some(step)) => step,
                Ok(None) => return Ok(Ended::GaveUp),
                Err(Failure::NotPositive) => return Ok(Ended::Singular),
                Err(Failure::Memory(error)) => return Err(error),
            };
            let share = self.advance(dual, &step, false);
            if share <= 0.001 {
                return Ok(Ended::GaveUp);
            }
            short += usize::from(share < 0.8);
            if short >= 2 && dual.gap().width >= tolerance {
                return Ok(Ended::GaveUp);
            }
        }
        Ok(Ended::GaveUp)
    }

    /// One full round without releases from a point whose sums may be off; it repairs them. False, and `dual`
    /// is of no use, when that fails.
    pub(super) fn repair(&mut self, dual: &mut Dual) -> Result<bool> {
        match self.solve(dual, &members(dual, None)) {
            Ok(Some(step)) => {
                self.advance(dual, &step, true);
                Ok(dual.imbalance() < 1e-9)
            }
            Ok(None) | Err(Failure::NotPositive) => Ok(false),
            Err(Failure::Memory(error)) => Err(error),
        }
    }

    /// The step to the solution on `members` within their bounds; none when no free point is left.
    fn solve(&mut self, dual: &Dual, members: &[Member]) -> Solved {
        let (b, epsilon) = (dual.constant(), dual.epsilon);
        if members.is_empty() || !factor::is_small(members.len()) {
            return Ok(None);
        }
        self.factor.set_members(&mut self.gram, &points(members))?;

        let mut active = members.to_vec();
        let mut right: Vec<f64> = members.iter().map(|m| dual.r[m.point] - b - epsilon * m.sign).collect();
        // What the changes must add up to, so that Σβ = 0.
        let mut sum = -dual.beta.iter().sum::<f64>();
        let mut clamped: Vec<Step> = Vec::new();
        loop {
            let rhs = |column, k: usize| if column == 0 { right[k] } else { 1.0 };
            let solved = self.factor.solve(&points(&active), 2, rhs);
            let Some(change) = combine(&solved[0], &solved[1], sum) else { return Ok(None) };
            let mut crossing = Vec::new();
            let (mut kept, mut kept_right, mut kept_change) = (Vec::new(), Vec::new(), Vec::new());
            for ((member, right), change) in active.iter().zip(&right).zip(change) {
                let beta = dual.beta[member.point];
                let size = member.sign * (beta + change);
                let end = if size < 0.0 {
                    0.0
                } else if size > dual.bound(member.point) {
                    member.sign * dual.bound(member.point)
                } else {
                    kept.push(*member);
                    kept_right.push(*right);
                    kept_change.push(change);
                    continue;
                };
                crossing.push(member.point);
                sum -= end - beta;
                clamped.push(Step { point: member.point, change: end - beta, end });
            }
            if crossing.is_empty() {
                let inner = kept.iter().zip(kept_change).map(|(m, change)| {
                    let end = dual.beta[m.point] + change;
                    Step { point: m.point, change, end }
                });
                return Ok(Some(inner.chain(clamped).collect()));
            }
            if kept.is_empty() {
                return Ok(None);
            }
            let fresh = &clamped[clamped.len() - crossing.len()..];
            let moving: Vec<&Step> = fresh.iter().filter(|s| s.change != 0.0).collect();
            let moved: Vec<usize> = moving.iter().map(|s| s.point).collect();
            self.gram.for_rows(&moved, |place, row| {
                for (value, member) in kept_right.iter_mut().zip(&kept) {
                    *value -= f64::from(row[member.point]) * moving[place].change;
                }
            });
            (active, right) = (kept, kept_right);
            if !self.factor.drop_points(&crossing)? {
                self.factor.factorise(&mut self.gram, &points(&active))?;
            }
        }
    }

    /// Goes along the step as far as the objective falls (or all the way) and returns the share gone.
    fn advance(&mut self, dual: &mut Dual, step: &[Step], whole: bool) -> f64 {
        let weights: Vec<(usize, f64)> =
            step.iter().filter(|s| s.change != 0.0).map(|s| (s.point, s.change)).collect();
        let mut moved = vec![0.0; dual.r.len()];
        self.gram.add_rows(&weights, &mut moved);
        let slope: f64 = step
            .iter()
            .map(|s| {
                let sign = if s.end == 0.0 { -s.change.signum() } else { s.end.signum() };
                s.change * (dual.epsilon * sign - dual.r[s.point])
            })
            .sum();
        let curvature: f64 = weights.iter().map(|&(i, d)| d * moved[i]).sum();
        let share = if whole {
            1.0
        } else if slope >= 0.0 {
            0.0
        } else if -slope >= (1.0 - 1e-6) * curvature {
            1.0
        } else {
            -slope / curvature
        };
        if share <= 0.001 {
            return share;
        }
        for s in step {
            dual.beta[s.point] = if share == 1.0 { s.end } else { dual.beta[s.point] + share * s.change };
        }
        for (r, m) in dual.r.iter_mut().zip(&moved) {
            *r -= share * m;
        }
        let size = |i: usize| self.gram.diagonal(i).abs().max(1.0);
        dual.drift += f64::EPSILON * share * weights.iter().map(|&(i, d)| d.abs() * size(i)).sum::<f64>();
        share
    }
}

/// A step, none where no free point is left, or why there is no factor.
type Solved = std::result::Result<Option<Vec<Step>>, Failure>;

fn points(members: &[Member]) -> Vec<usize> {
    members.iter().map(|m| m.point).collect()
}

/// Free points and, given a `slack`, those at a kink that gain more than it by moving.
fn members(dual: &Dual, slack: Option<f64>) -> Vec<Member> {
    let (b, epsilon) = (dual.constant(), dual.epsilon);
    let slack = slack.unwrap_or(f64::INFINITY);
    let mut list: Vec<(f64, Member)> = Vec::new();
    for (point, (&beta, &r)) in dual.beta.iter().zip(&dual.r).enumerate() {
        let sign = if beta == 0.0 {
            if r - b > epsilon + slack {
                1.0
            } else if r - b < -epsilon - slack {
                -1.0
            } else {
                continue;
            }
        } else {
            let sign = beta.signum();
            if beta.abs() >= dual.bound(point) && sign * (r - b) >= epsilon - slack {
                continue;
            }
            sign
        };
        let inside = beta.abs().min(dual.bound(point) - beta.abs());
        list.push((inside, Member { point, sign }));
    }
    // Points near a kink are the next to leave; last in the factor they are cheap to take out.
    list.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.point.cmp(&b.1.point)));
    list.into_iter().map(|(_, member)| member).collect()
}

/// Eliminates b so that the changes have the right sum: `own` are those for b = 0, `ones` what b takes away.
fn combine(own: &[f64], ones: &[f64], sum: f64) -> Option<Vec<f64>> {
    let b = (own.iter().sum::<f64>() - sum) / ones.iter().sum::<f64>();
    b.is_finite().then(|| own.iter().zip(ones).map(|(own, one)| own - b * one).collect())
}
