//! Block SMO: solves one working set after another, keeping exact residuals of all points.

use pulp::{Arch, Simd, WithSimd};

use super::{
    dual::{Dual, Gap, kinked, shifted},
    gram::{Gram, padded},
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

// Sequential minimal optimisation of a small dense block, in vector passes.
//
// Each iteration moves two points: `i`, the best move up, and `j`, the move down that gains most with `i`
// (libsvm's second-order rule). Values are f32; the caller accounts for what moved in f64, so rounding never
// piles up.

/// Curvature below this counts as this.
const FLAT: f64 = 1e-12;

/// The points of one working set.
#[derive(Default)]
pub(super) struct Block {
    epsilon: f64,
    /// The largest size of each β.
    bounds: Vec<f64>,
    width: usize,
    kernel: Vec<f32>,
    diagonal: Vec<f32>,
    r: Vec<f32>,
    pub(super) beta: Vec<f64>,
    up: Vec<f32>,
    down: Vec<f32>,
}

impl Block {
    /// No points yet.
    pub(super) fn new(epsilon: f64) -> Self {
        Self { epsilon, ..Self::default() }
    }

    /// Makes room for `size` points, all of them to be [set](Self::set).
    pub(super) fn resize(&mut self, size: usize) {
        self.width = padded(size);
        if self.kernel.len() < size * self.width {
            self.kernel.resize(size * self.width, 0.0);
        }
        let renew = |values: &mut Vec<f32>, value: f32| {
            values.clear();
            values.resize(padded(size), value);
        };
        self.bounds.resize(size, 0.0);
        self.beta.resize(size, 0.0);
        // Padding must never be chosen.
        renew(&mut self.diagonal, 1.0);
        renew(&mut self.r, 0.0);
        renew(&mut self.up, f32::NEG_INFINITY);
        renew(&mut self.down, f32::INFINITY);
    }

    /// The kernel row of the point at `place`, to be filled.
    pub(super) fn row_mut(&mut self, place: usize) -> &mut [f32] {
        &mut self.kernel[place * self.width..(place + 1) * self.width]
    }

    /// Puts a point at `place`.
    pub(super) fn set(&mut self, place: usize, diagonal: f32, r: f64, bound: f64, beta: f64) {
        self.diagonal[place] = diagonal;
        self.r[place] = r as f32;
        self.bounds[place] = bound;
        self.beta[place] = beta;
        self.renew(place);
    }

    /// Iterates until the gap is below `target` or `limit` iterations are done; returns how many were.
    pub(super) fn run(&mut self, target: f32, limit: usize) -> usize {
        Arch::new().dispatch(Run { block: self, target, limit })
    }

    fn renew(&mut self, place: usize) {
        let (up, down) = kinked(self.beta[place], self.bounds[place], self.epsilon);
        self.up[place] = up as f32;
        self.down[place] = down as f32;
    }

    /// Moves β of `i` up and of `j` down by `wish`, or to the first kink or bound on the way; returns the
    /// step made.
    fn shift(&mut self, i: usize, j: usize, wish: f64) -> f64 {
        let (beta, bounds) = (&mut self.beta, &self.bounds);
        let step;
        (step, beta[i], beta[j]) = shifted(beta[i], beta[j], bounds[i], -bounds[j], wish);
        self.renew(i);
        self.renew(j);
        step
    }
}

struct Run<'a> {
    block: &'a mut Block,
    target: f32,
    limit: usize,
}

#[derive(Clone, Copy)]
struct Pick {
    highest: f32,
    at: usize,
    lowest: f32,
}

impl WithSimd for Run<'_> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> usize {
        let Run { block, target, limit } = self;
        let width = block.width;
        // A step of 0 only looks.
        let still = &block.kernel[..width];
        let mut pick = update(simd, still, still, 0.0, &mut block.r, &block.up, &block.down);
        for done in 0..limit {
            let Pick { highest, at: i, lowest } = pick;
            let gap = highest - lowest;
            if gap < target || gap.is_nan() {
                return done;
            }
            let row_i = &block.kernel[i * width..(i + 1) * width];
            let own = block.diagonal[i];
            let j = best_down(simd, row_i, own, highest, &block.r, &block.down, &block.diagonal);
            let gain = f64::from(highest) - f64::from(block.r[j] + block.down[j]);
            if gain <= 0.0 || gain.is_nan() {
                return done;
            }
            let curvature = f64::from(own) + f64::from(block.diagonal[j]) - 2.0 * f64::from(row_i[j]);
            let step = block.shift(i, j, gain / curvature.max(FLAT));
            let row_i = &block.kernel[i * width..(i + 1) * width];
            let row_j = &block.kernel[j * width..(j + 1) * width];
            pick = update(simd, row_i, row_j, step as f32, &mut block.r, &block.up, &block.down);
        }
        limit
    }
}

/// r −= step · (row_i − row_j), and the best moves after it.
#[inline(always)]
fn update<S: Simd>(
    simd: S,
    row_i: &[f32],
    row_j: &[f32],
    step: f32,
    r: &mut [f32],
    up: &[f32],
    down: &[f32],
) -> Pick {
    let step = simd.splat_f32s(-step);
    let mut best = Best::new(simd);
    let mut lowest = simd.splat_f32s(f32::INFINITY);
    let (r, _) = S::as_mut_simd_f32s(r);
    let (up, _) = S::as_simd_f32s(up);
    let (down, _) = S::as_simd_f32s(down);
    let (row_i, _) = S::as_simd_f32s(row_i);
    let (row_j, _) = S::as_simd_f32s(row_j);
    for ((((r, up), down), ki), kj) in r.iter_mut().zip(up).zip(down).zip(row_i).zip(row_j) {
        *r = simd.mul_add_f32s(step, simd.sub_f32s(*ki, *kj), *r);
        best.offer(simd, simd.add_f32s(*r, *up));
        lowest = simd.min_f32s(lowest, simd.add_f32s(*r, *down));
    }
    let (highest, at) = best.take(simd);
    Pick { highest, at, lowest: simd.reduce_min_f32s(lowest) }
}

/// The j with the largest gain² / curvature.
#[inline(always)]
fn best_down<S: Simd>(
    simd: S,
    row_i: &[f32],
    own: f32,
    highest: f32,
    r: &[f32],
    down: &[f32],
    diagonal: &[f32],
) -> usize {
    let zero = simd.splat_f32s(0.0);
    let two = simd.splat_f32s(2.0);
    let minus_two = simd.splat_f32s(-2.0);
    let flat = simd.splat_f32s(1e-7);
    // Subtracting a float's bits from this gives its reciprocal to 12 %, one Newton step to 2 %: enough to
    // choose by.
    let magic = simd.splat_u32s(0x7EF3_11C7);
    let own = simd.splat_f32s(own);
    let highest = simd.splat_f32s(highest);
    let mut best = Best::new(simd);
    let (r, _) = S::as_simd_f32s(r);
    let (down, _) = S::as_simd_f32s(down);
    let (row_i, _) = S::as_simd_f32s(row_i);
    let (diagonal, _) = S::as_simd_f32s(diagonal);
    for (((r, down), k), kjj) in r.iter().zip(down).zip(row_i).zip(diagonal) {
        let gain = simd.max_f32s(zero, simd.sub_f32s(highest, simd.add_f32s(*r, *down)));
        let curvature = simd.max_f32s(flat, simd.mul_add_f32s(minus_two, *k, simd.add_f32s(own, *kjj)));
        let guess = simd.transmute_f32s_u32s(simd.sub_u32s(magic, simd.transmute_u32s_f32s(curvature)));
        let inverse = simd.mul_f32s(guess, simd.sub_f32s(two, simd.mul_f32s(curvature, guess)));
        best.offer(simd, simd.mul_f32s(simd.mul_f32s(gain, gain), inverse));
    }
    best.take(simd).1
}

/// Running maximum with its index, lane by lane.
#[derive(Clone, Copy)]
struct Best<S: Simd> {
    value: S::f32s,
    index: S::u32s,
    here: S::u32s,
    stride: S::u32s,
}

impl<S: Simd> Best<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        const LANES: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        let here = simd.partial_load_u32s(&LANES[..S::F32_LANES]);
        let stride = simd.splat_u32s(S::F32_LANES as u32);
        Self { value: simd.splat_f32s(f32::NEG_INFINITY), index: here, here, stride }
    }

    #[inline(always)]
    fn offer(&mut self, simd: S, value: S::f32s) {
        let better = simd.greater_than_f32s(value, self.value);
        self.value = simd.select_f32s(better, value, self.value);
        self.index = simd.select_u32s(better, self.here, self.index);
        self.here = simd.add_u32s(self.here, self.stride);
    }

    /// The largest value and where it stands, the first such place among equals.
    #[inline(always)]
    fn take(self, simd: S) -> (f32, usize) {
        let (mut values, mut indices) = ([f32::NEG_INFINITY; 16], [0u32; 16]);
        simd.partial_store_f32s(&mut values[..S::F32_LANES], self.value);
        simd.partial_store_u32s(&mut indices[..S::F32_LANES], self.index);
        let mut best = (values[0], indices[0]);
        for lane in 1..S::F32_LANES {
            let (value, index) = (values[lane], indices[lane]);
            if value > best.0 || (value == best.0 && index < best.1) {
                best = (value, index);
            }
        }
        (best.0, best.1 as usize)
    }
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
