//! The BFGS inverse Hessian, kept whole (twice: in R's order of additions and in one fused sweep) or as its
//! last steps.

use std::collections::VecDeque;

use pulp::{Simd, WithSimd};

use super::bfgs::{Curvature, dot};
use crate::linalg::{sum, with_four_lanes};

/// Lower triangle, row after row, updated and multiplied in R's order.
pub(super) struct SequentialTriangle {
    n: usize,
    a: Vec<f64>,
    z: Vec<f64>,
}

impl SequentialTriangle {
    pub(super) fn new(n: usize) -> Self {
        Self { n, a: vec![0.0; triangle(n)], z: vec![0.0; n] }
    }

    fn times(&self, v: &[f64], out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            let row = &self.a[triangle(i)..=triangle(i) + i];
            let below = (i + 1..self.n).map(|j| self.a[triangle(j) + i]);
            *out = row.iter().copied().chain(below).zip(v).fold(0.0, |sum, (a, v)| sum + a * v);
        }
    }
}

/// Where row `i` of a packed lower triangle begins.
fn triangle(i: usize) -> usize {
    i * (i + 1) / 2
}

impl Curvature for SequentialTriangle {
    fn reset(&mut self) {
        self.a.fill(0.0);
        for i in 0..self.n {
            self.a[triangle(i) + i] = 1.0;
        }
    }

    fn direction(&mut self, gradient: &[f64], direction: &mut [f64]) {
        self.times(gradient, direction);
        direction.iter_mut().for_each(|t| *t = -*t);
    }

    fn update(&mut self, s: &[f64], change: &[f64], product: f64, _gradient: &[f64]) {
        let mut z = std::mem::take(&mut self.z);
        self.times(change, &mut z);
        let e = 1.0 + dot(&z, change) / product;
        for i in 0..self.n {
            let row = &mut self.a[triangle(i)..=triangle(i) + i];
            for ((a, sj), zj) in row.iter_mut().zip(s).zip(&z) {
                *a += (e * s[i] * sj - z[i] * sj - s[i] * zj) / product;
            }
        }
        self.z = z;
    }
}

/// Lower triangle whose last update waits for the next sweep.
///
/// One sweep applies the waiting update and multiplies the result by the new change of gradient and by the
/// new gradient; the next direction follows from those products by the update formula, so a step reads and
/// writes the triangle once.
pub(super) struct FusedTriangle {
    n: usize,
    a: Vec<f64>,
    /// Still the identity but for `waiting`; `a` holds nothing yet.
    identity: bool,
    waiting: Option<RankTwo>,
    /// The direction that belongs to the last update.
    next: Option<Vec<f64>>,
}

/// `A += αs' + βz'` with α = (e·s - z)/D, β = -s/D.
struct RankTwo {
    s: Vec<f64>,
    z: Vec<f64>,
    alpha: Vec<f64>,
    beta: Vec<f64>,
}

impl FusedTriangle {
    pub(super) fn new(n: usize) -> Self {
        let a = vec![0.0; triangle(n)];
        Self { n, a, identity: true, waiting: None, next: None }
    }

    /// Bytes held for `n` weights.
    pub(super) fn bytes(n: usize) -> usize {
        triangle(n) * size_of::<f64>()
    }
}

impl Curvature for FusedTriangle {
    fn reset(&mut self) {
        self.identity = true;
        self.waiting = None;
        self.next = None;
    }

    fn direction(&mut self, gradient: &[f64], direction: &mut [f64]) {
        match self.next.take() {
            Some(next) => direction.copy_from_slice(&next),
            // Only a reset leaves no direction behind.
            None => direction.iter_mut().zip(gradient).for_each(|(t, g)| *t = -g),
        }
    }

    fn update(&mut self, s: &[f64], change: &[f64], product: f64, gradient: &[f64]) {
        let (z, mut with_gradient) = if self.identity && self.waiting.is_none() {
            (change.to_vec(), gradient.to_vec())
        } else {
            if self.identity {
                self.a.fill(0.0);
                (0..self.n).for_each(|i| self.a[triangle(i) + i] = 1.0);
                self.identity = false;
            }
            let mut products = (vec![0.0; self.n], vec![0.0; self.n]);
            if let Some(update) = self.waiting.take() {
                with_four_lanes(Sweep {
                    a: &mut self.a,
                    update: &update,
                    v: change,
                    u: gradient,
                    av: &mut products.0,
                    au: &mut products.1,
                });
            }
            products
        };
        let e = 1.0 + dot(&z, change) / product;
        let (sg, zg) = (dot(s, gradient), dot(&z, gradient));
        let alpha: Vec<f64> = s.iter().zip(&z).map(|(s, z)| (e * s - z) / product).collect();
        let beta: Vec<f64> = s.iter().map(|s| -s / product).collect();
        for ((t, a), b) in with_gradient.iter_mut().zip(&alpha).zip(&beta) {
            *t = -(*t + a * sg + b * zg);
        }
        self.next = Some(with_gradient);
        self.waiting = Some(RankTwo { s: s.to_vec(), z, alpha, beta });
    }
}

/// Applies `update` to the triangle and multiplies the result by `v` and `u`.
struct Sweep<'a> {
    a: &'a mut [f64],
    update: &'a RankTwo,
    v: &'a [f64],
    u: &'a [f64],
    av: &'a mut [f64],
    au: &'a mut [f64],
}

impl WithSimd for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { a, update, v, u, av, au } = self;
        let RankTwo { s, z, alpha, beta } = update;
        let mut rest = a;
        for i in 0..v.len() {
            let (row, after) = rest.split_at_mut(i + 1);
            rest = after;
            // Strictly below the diagonal each entry stands for two.
            let (row, diagonal) = row.split_at_mut(i);
            let (av_before, av_here) = av.split_at_mut(i);
            let (au_before, au_here) = au.split_at_mut(i);
            let (blocks, tail) = S::as_mut_simd_f64s(row);
            let (s_blocks, s_tail) = S::as_simd_f64s(&s[..i]);
            let (z_blocks, z_tail) = S::as_simd_f64s(&z[..i]);
            let (v_blocks, v_tail) = S::as_simd_f64s(&v[..i]);
            let (u_blocks, u_tail) = S::as_simd_f64s(&u[..i]);
            let (av_blocks, av_tail) = S::as_mut_simd_f64s(av_before);
            let (au_blocks, au_tail) = S::as_mut_simd_f64s(au_before);

            let splat = |v: f64| simd.splat_f64s(v);
            let (alphas, betas, vi, ui) = (splat(alpha[i]), splat(beta[i]), splat(v[i]), splat(u[i]));
            let (mut row_v, mut row_u) = (splat(0.0), splat(0.0));
            let inputs = s_blocks.iter().zip(z_blocks).zip(v_blocks.iter().zip(u_blocks));
            let outputs = av_blocks.iter_mut().zip(au_blocks);
            for ((block, ((s, z), (v, u))), (av, au)) in blocks.iter_mut().zip(inputs).zip(outputs) {
                let a = simd.mul_add_f64s(alphas, *s, simd.mul_add_f64s(betas, *z, *block));
                *block = a;
                row_v = simd.mul_add_f64s(a, *v, row_v);
                row_u = simd.mul_add_f64s(a, *u, row_u);
                *av = simd.mul_add_f64s(a, vi, *av);
                *au = simd.mul_add_f64s(a, ui, *au);
            }

            let (alpha, beta, vi, ui) = (alpha[i], beta[i], v[i], u[i]);
            let (mut sum_v, mut sum_u) = (sum::<S>(row_v), sum::<S>(row_u));
            for (k, entry) in tail.iter_mut().enumerate() {
                let a = alpha.mul_add(s_tail[k], beta.mul_add(z_tail[k], *entry));
                *entry = a;
                sum_v = a.mul_add(v_tail[k], sum_v);
                sum_u = a.mul_add(u_tail[k], sum_u);
                av_tail[k] = a.mul_add(vi, av_tail[k]);
                au_tail[k] = a.mul_add(ui, au_tail[k]);
            }
            let a = alpha.mul_add(s[i], beta.mul_add(z[i], diagonal[0]));
            diagonal[0] = a;
            av_here[0] = a.mul_add(vi, sum_v);
            au_here[0] = a.mul_add(ui, sum_u);
        }
    }
}

/// Steps remembered.
const MEMORY: usize = 20;

/// Limited-memory BFGS (Nocedal 1980), for networks whose inverse Hessian would not fit: the last steps and
/// the changes of gradient over them.
#[derive(Default)]
pub(super) struct LimitedMemory {
    pairs: VecDeque<Pair>,
}

struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    product: f64,
}

impl LimitedMemory {
    /// Bytes held for `n` weights.
    pub(super) fn bytes(n: usize) -> usize {
        2 * MEMORY * n * size_of::<f64>()
    }
}

impl Curvature for LimitedMemory {
    fn reset(&mut self) {
        self.pairs.clear();
    }

    fn direction(&mut self, gradient: &[f64], direction: &mut [f64]) {
        direction.copy_from_slice(gradient);
        let mut along = Vec::with_capacity(MEMORY);
        for pair in self.pairs.iter().rev() {
            let a = dot(&pair.step, direction) / pair.product;
            direction.iter_mut().zip(&pair.change).for_each(|(d, y)| *d -= a * y);
            along.push(a);
        }
        if let Some(last) = self.pairs.back() {
            let scale = last.product / dot(&last.change, &last.change);
            direction.iter_mut().for_each(|d| *d *= scale);
        }
        for (pair, a) in self.pairs.iter().zip(along.iter().rev()) {
            let b = dot(&pair.change, direction) / pair.product;
            direction.iter_mut().zip(&pair.step).for_each(|(d, s)| *d += (a - b) * s);
        }
        direction.iter_mut().for_each(|d| *d = -*d);
    }

    fn update(&mut self, step: &[f64], change: &[f64], product: f64, _gradient: &[f64]) {
        if self.pairs.len() == MEMORY {
            self.pairs.pop_front();
        }
        self.pairs.push_back(Pair { step: step.to_vec(), change: change.to_vec(), product });
    }
}
