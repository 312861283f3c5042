//! The BFGS inverse Hessian, kept whole: twice, in R's order of additions and in one fused sweep.

use pulp::{Arch, Simd, WithSimd};

use super::{
    bfgs::{Curvature, dot},
    lanes::{Lanes, WIDTH, sum_lanes},
};

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
/// One sweep applies the waiting update and multiplies the result by the new change of gradient and by the new gradient;
/// the next direction follows from those products by the update formula, so a step reads and writes the triangle once.
pub(super) struct FusedTriangle {
    n: usize,
    a: Vec<f64>,
    arch: Arch,
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
        Self { n, a, arch: Arch::new(), identity: true, waiting: None, next: None }
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
                self.arch.dispatch(Sweep {
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
    fn with_simd<S: Simd>(self, _simd: S) {
        let Self { a, update, v, u, av, au } = self;
        let RankTwo { s, z, alpha, beta } = update;
        let mut rest = a;
        for i in 0..v.len() {
            let (row, after) = rest.split_at_mut(i + 1);
            rest = after;
            let (alpha, beta, vi, ui) = (alpha[i], beta[i], v[i], u[i]);
            // Strictly below the diagonal each entry stands for two.
            let (row, diagonal) = row.split_at_mut(i);
            let (blocks, tail) = row.as_chunks_mut::<WIDTH>();
            let (s_blocks, s_tail) = s[..i].as_chunks::<WIDTH>();
            let (z_blocks, z_tail) = z[..i].as_chunks::<WIDTH>();
            let (v_blocks, v_tail) = v[..i].as_chunks::<WIDTH>();
            let (u_blocks, u_tail) = u[..i].as_chunks::<WIDTH>();
            let (av_before, av_rest) = av.split_at_mut(i);
            let (au_before, au_rest) = au.split_at_mut(i);
            let (av_blocks, av_tail) = av_before.as_chunks_mut::<WIDTH>();
            let (au_blocks, au_tail) = au_before.as_chunks_mut::<WIDTH>();
            let (mut row_v, mut row_u): (Lanes, Lanes) = ([0.0; WIDTH], [0.0; WIDTH]);
            for (k, block) in blocks.iter_mut().enumerate() {
                let (s, z, v, u) = (&s_blocks[k], &z_blocks[k], &v_blocks[k], &u_blocks[k]);
                let (av, au) = (&mut av_blocks[k], &mut au_blocks[k]);
                for l in 0..WIDTH {
                    let a = alpha.mul_add(s[l], beta.mul_add(z[l], block[l]));
                    block[l] = a;
                    row_v[l] = a.mul_add(v[l], row_v[l]);
                    row_u[l] = a.mul_add(u[l], row_u[l]);
                    av[l] = a.mul_add(vi, av[l]);
                    au[l] = a.mul_add(ui, au[l]);
                }
            }
            let (mut sum_v, mut sum_u) = (sum_lanes(row_v), sum_lanes(row_u));
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
            av_rest[0] = a.mul_add(vi, sum_v);
            au_rest[0] = a.mul_add(ui, sum_u);
        }
    }
}
