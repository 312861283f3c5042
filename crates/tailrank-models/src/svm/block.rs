//! Block SMO: solves one working set after another, keeping exact residuals of all points.

use super::{
    dual::{Dual, Gap},
    gram::Gram,
    smo::Block,
};
use crate::{FitContext, Result};

/// Largest working set; larger ones gain nothing and leave the cache.
const LARGEST: usize = 1536;
const SMALLEST: usize = 256;

/// What a run of SMO came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The gap is below the target.
    Reached,
    /// No step changes anything at the working precision.
    Stalled,
    /// The iteration limit was met.
    Limit,
}

/// SMO iterations, with a forecast of their cost that is the same on every machine.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effort {
    pub(super) iterations: usize,
    /// Nominal nanoseconds spent by SMO on this model.
    pub(super) spent: f64,
    /// Fall of log₂(gap) in that time.
    pub(super) fall: f64,
}

/// Runs SMO until the gap is below `target` or `limit` iterations are done in all.
pub(super) fn descend(
    dual: &mut Dual,
    gram: &mut Gram<'_>,
    target: f64,
    limit: usize,
    effort: &mut Effort,
    context: &FitContext,
) -> Result<Ended> {
    let n = gram.len();
    let mut set: Vec<usize> = Vec::new();
    let first = dual.gap();
    let mut gap = first;
    let mut block = Block::new(dual.epsilon);
    let mut idle = 0;
    let ended = loop {
        context.check()?;
        if gap.width < target {
            break Ended::Reached;
        }
        if effort.iterations >= limit {
            break Ended::Limit;
        }
        let free = dual.free().count();
        let size = (free + SMALLEST).clamp(SMALLEST, LARGEST).min(n);
        set = working_set(dual, &set, size);
        let mut sorted = set.clone();
        sorted.sort_unstable();
        copy(dual, gram, &sorted, &gap, &mut block);
        let goal = (0.1 * gap.width).max(0.5 * target) as f32;
        let done = block.run(goal, (8 * size).min(limit - effort.iterations));
        effort.iterations += done;
        let step = take(dual, &block, &sorted);
        dual.account(&step, gram);
        let (q, moved) = (set.len() as f64, step.len() as f64);
        // Rows of a large set come from beyond the second-level cache: some 2 ns a point, measured.
        effort.spent += done as f64 * (400.0 + 2.0 * q) + 2.0 * q * q + 0.5 * n as f64 * moved;
        let before = gap.width;
        gap = dual.gap();
        // f32 inside a block ends progress near its own precision.
        idle = if step.is_empty() || gap.width > 0.999 * before { idle + 1 } else { 0 };
        if step.is_empty() || idle > 50 + 4 * n / size {
            break Ended::Stalled;
        }
    };
    effort.fall += log2(first.width.max(f64::MIN_POSITIVE) / gap.width.max(f64::MIN_POSITIVE)).max(0.0);
    Ok(ended)
}

/// Half of the old set stays (free points first, then the latest), for without it the sets cycle; the rest is
/// filled with the best moves up and down.
fn working_set(dual: &Dual, old: &[usize], size: usize) -> Vec<usize> {
    let n = dual.r.len();
    if size == n {
        return (0..n).collect();
    }
    let mut taken = vec![false; n];
    let mut set = Vec::with_capacity(size);
    for wanted in [true, false] {
        for &i in old.iter().rev().filter(|&&i| dual.is_free(i) == wanted) {
            if set.len() < size / 2 {
                taken[i] = true;
                set.push(i);
            }
        }
    }
    // The latest entrants stand last, so that they are the first to stay next time.
    set.reverse();
    let share = (size - set.len()).div_ceil(2);
    for upwards in [true, false] {
        let mut moves: Vec<(f64, usize)> = (0..n)
            .filter(|&i| !taken[i])
            .map(|i| {
                let (up, down) = dual.offsets(i);
                (if upwards { -dual.r[i] - up } else { dual.r[i] + down }, i)
            })
            .filter(|m| m.0.is_finite())
            .collect();
        let count = share.min(size - set.len()).min(moves.len());
        let order = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        if count < moves.len() {
            moves.select_nth_unstable_by(count, order);
            moves.truncate(count);
        }
        moves.sort_unstable_by(order);
        for &(_, i) in moves.iter().rev() {
            taken[i] = true;
            set.push(i);
        }
    }
    set
}

fn copy(dual: &Dual, gram: &mut Gram<'_>, set: &[usize], gap: &Gap, block: &mut Block) {
    block.resize(set.len());
    // Centred residuals keep their digits in f32.
    let centre = [gap.ends.0, gap.ends.1].iter().filter(|v| v.is_finite()).sum::<f64>() / 2.0;
    gram.for_rows(set, |place, row| {
        for (cell, &j) in block.row_mut(place).iter_mut().zip(set) {
            *cell = row[j];
        }
    });
    for (place, &i) in set.iter().enumerate() {
        block.set(place, gram.diagonal(i) as f32, dual.r[i] - centre, dual.bound(i), dual.beta[i]);
    }
}

/// log₂ to 1e-6 by arithmetic alone; the C library's may differ between processors, and a choice hangs on
/// this one.
pub(super) fn log2(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = (bits >> 52) as f64 - 1023.0;
    let mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1.0_f64.to_bits());
    // ln m = 2 artanh((m − 1)/(m + 1)), here for m between 1 and 2.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let s2 = s * s;
    let series = 1.0 + s2 * (1.0 / 3.0 + s2 * (1.0 / 5.0 + s2 * (1.0 / 7.0 + s2 * (1.0 / 9.0 + s2 / 11.0))));
    exponent + 2.0 * std::f64::consts::LOG2_E * s * series
}

/// Takes the block's values over; returns the change of β.
fn take(dual: &mut Dual, block: &Block, set: &[usize]) -> Vec<(usize, f64)> {
    let mut step = Vec::new();
    for (place, &i) in set.iter().enumerate() {
        let old = dual.beta[i];
        dual.beta[i] = block.beta[place];
        if dual.beta[i] != old {
            step.push((i, dual.beta[i] - old));
        }
    }
    step
}

#[cfg(test)]
mod tests {
    use super::log2;

    #[test]
    fn logarithms_of_gaps() {
        for i in 1..4000 {
            let x = f64::from(i) * 0.37;
            assert!((log2(x) - x.log2()).abs() < 1e-6, "{x}: {}", log2(x));
            assert!((log2(1.0 / x) - (1.0 / x).log2()).abs() < 1e-6, "{x}");
        }
    }
}
