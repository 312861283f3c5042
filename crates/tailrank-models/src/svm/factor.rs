//! A Cholesky factor of the kernel matrix of the free points that follows their coming and going.
//!
//! Points that join are appended as rows. Points that leave stay in the factor and are projected out: with V
//! = L⁻¹E, E the unit columns of the points that left, w − V(V'V)⁻¹V'w takes the place of the half-solved
//! right-hand side w. A fresh factor is made once the changes exceed a share of it.

use super::gram::Gram;
use crate::{
    ModelError,
    linalg::{self, Right, Update, View, add_scaled, cholesky, dot, product, solve_lower, solve_upper},
};

/// Share of changes above which a fresh factor is cheaper.
const CHANGES: f64 = 0.18;
/// Columns of V solved together.
const GROUP: usize = 48;
const ABSENT: u32 = u32::MAX;

/// Largest factor that is made at all: some 6,300 points, beyond which SMO goes all the way. Not the memory
/// at hand but this number decides, so that a fit takes one road under every limit.
const LARGEST: usize = 512 << 20;

/// Why there is no factor.
#[derive(Debug)]
pub(super) enum Failure {
    /// The kernel matrix of the points is not positive definite at the working precision.
    NotPositive,
    /// It would take more memory than is allowed.
    Memory(ModelError),
}

impl From<linalg::NotPositive> for Failure {
    fn from(_: linalg::NotPositive) -> Self {
        Self::NotPositive
    }
}

/// L with LL' = K + jitter on the base points, and V for those that left.
#[derive(Default)]
pub(super) struct Factor {
    /// Column-major, `stride` rows allocated, lower triangle used.
    l: Vec<f64>,
    stride: usize,
    base: Vec<usize>,
    /// Place of each point in the base, or `ABSENT`.
    place: Vec<u32>,
    /// Size of the base when it was factorised.
    fresh: usize,
    /// Places projected out, one column of `v` each.
    left: Vec<usize>,
    v: Vec<f64>,
    /// V'V and its factor, `left.len()` square.
    inner: Vec<f64>,
    inner_factor: Vec<f64>,
    /// Added to the diagonal, relative to its mean.
    pub(super) jitter: f64,
    /// Bytes it may use.
    pub(super) memory: usize,
    /// Bytes the whole fit may use.
    pub(super) limit: usize,
}

/// Bytes a factor of `size` points needs, with room to grow.
pub(super) fn bytes(size: usize) -> usize {
    let rows = room(size);
    8 * (rows * rows + rows * ((CHANGES * size as f64) as usize + GROUP))
}

/// Whether a factor of `size` points may be made.
pub(super) fn is_small(size: usize) -> bool {
    bytes(size) <= LARGEST
}

fn room(size: usize) -> usize {
    size + (CHANGES * size as f64) as usize + 8
}

impl Factor {
    /// No points yet, of `n`.
    pub(super) fn new(n: usize) -> Self {
        Self { place: vec![ABSENT; n], jitter: 1e-9, ..Self::default() }
    }

    /// Forgets all points: the kernel has changed.
    pub(super) fn clear(&mut self) {
        self.place.fill(ABSENT);
        self.base.clear();
        self.left.clear();
        self.fresh = 0;
    }

    /// Whether there is a factor at all.
    pub(super) fn holds_points(&self) -> bool {
        !self.base.is_empty()
    }

    /// Makes `members` the active points. Those likely to leave soon should stand last.
    pub(super) fn set_members(&mut self, gram: &mut Gram<'_>, members: &[usize]) -> Result<(), Failure> {
        let mut active = vec![false; self.base.len()];
        let mut joining = Vec::new();
        for &i in members {
            match self.place[i] {
                ABSENT => joining.push(i),
                place => active[place as usize] = true,
            }
        }
        let gone = active.iter().filter(|a| !**a).count();
        let grown = self.base.len() - self.fresh + joining.len();
        if (gone + grown) as f64 > CHANGES * self.fresh as f64 {
            return self.factorise(gram, members);
        }
        self.restore(&active);
        if !joining.is_empty() && self.append(gram, &joining).is_err() {
            return self.factorise(gram, members);
        }
        let mut held = vec![false; active.len()];
        for &place in &self.left {
            held[place] = true;
        }
        let leaving = (0..active.len()).filter(|&p| !active[p] && !held[p]).collect();
        self.project_out(leaving)
    }

    /// Takes further points out; false when a fresh factor is due.
    pub(super) fn drop_points(&mut self, points: &[usize]) -> Result<bool, Failure> {
        let changes = self.left.len() + points.len() + self.base.len() - self.fresh;
        // Above twice the usual share V would cost more than it saves.
        if changes as f64 > 2.0 * CHANGES * self.fresh as f64 {
            return Ok(false);
        }
        self.project_out(points.iter().map(|&i| self.place[i] as usize).collect())?;
        Ok(true)
    }

    /// Solves for several right-hand sides given as value per point; each call of `rhs(column, point)`
    /// supplies one value. `active` lists the points; the answer has one column per right-hand side, parallel
    /// to `active`.
    pub(super) fn solve(
        &self,
        active: &[usize],
        columns: usize,
        rhs: impl Fn(usize, usize) -> f64,
    ) -> Vec<Vec<f64>> {
        let m = self.base.len();
        let mut w = vec![0.0; m * columns];
        for column in 0..columns {
            for (k, &i) in active.iter().enumerate() {
                w[column * m + self.place[i] as usize] = rhs(column, k);
            }
        }
        solve_lower(&self.l, self.stride, m, &mut w, m, columns);
        let k = self.left.len();
        if k > 0 {
            for x in w.chunks_exact_mut(m) {
                let v = || self.v.chunks_exact(self.stride).take(k);
                let mut along: Vec<f64> = v().map(|v| dot(&v[..m], x)).collect();
                solve_lower(&self.inner_factor, k, k, &mut along, k, 1);
                solve_upper(&self.inner_factor, k, k, &mut along);
                v().zip(along).for_each(|(v, along)| add_scaled(x, -along, v));
            }
        }
        solve_upper(&self.l, self.stride, m, &mut w);
        (0..columns)
            .map(|column| active.iter().map(|&i| w[column * m + self.place[i] as usize]).collect())
            .collect()
    }

    /// A fresh factor of `members` alone.
    pub(super) fn factorise(&mut self, gram: &mut Gram<'_>, members: &[usize]) -> Result<(), Failure> {
        self.clear();
        let m = members.len();
        if bytes(m) > self.memory {
            // The kernel rows have the other half.
            let needed = (2 * bytes(m)).div_ceil(1 << 20);
            let error = ModelError::memory("svm", needed, self.limit, "use fewer training rows");
            return Err(Failure::Memory(error));
        }
        self.stride = room(m);
        if self.l.len() < self.stride * self.stride {
            // A new allocation comes zeroed from the system; growing would copy the old contents. What is
            // not touched takes no memory, so there may be room for the larger factors that follow.
            let rows = (2 * self.stride).min(room(self.place.len()));
            self.l = Vec::new();
            self.l = vec![0.0; rows * rows];
        }
        self.v.clear();
        self.inner.clear();
        self.inner_factor.clear();
        let lift = self.jitter * members.iter().map(|&i| gram.diagonal(i).abs()).sum::<f64>() / m as f64;
        gram.for_rows(members, |j, row| {
            let column = &mut self.l[j * self.stride..][..m];
            for (cell, &i) in column[j..].iter_mut().zip(&members[j..]) {
                *cell = f64::from(row[i]);
            }
            column[j] += lift;
        });
        cholesky(&mut self.l, self.stride, m)?;
        self.base = members.to_vec();
        self.fresh = m;
        for (place, &i) in members.iter().enumerate() {
            self.place[i] = place as u32;
        }
        Ok(())
    }

    fn append(&mut self, gram: &mut Gram<'_>, joining: &[usize]) -> Result<(), Failure> {
        let (m, a, stride) = (self.base.len(), joining.len(), self.stride);
        let lift = self.jitter * joining.iter().map(|&i| gram.diagonal(i).abs()).sum::<f64>() / a as f64;
        let mut w = vec![0.0; m * a];
        let mut corner = vec![0.0; a * a];
        gram.for_rows(joining, |k, row| {
            for (cell, &j) in w[k * m..(k + 1) * m].iter_mut().zip(&self.base) {
                *cell = f64::from(row[j]);
            }
            for (cell, &j) in corner[k * a..(k + 1) * a].iter_mut().zip(joining) {
                *cell = f64::from(row[j]);
            }
            corner[k * a + k] += lift;
        });
        solve_lower(&self.l, stride, m, &mut w, m, a);
        let across = View::columns(&w, m).transposed();
        let right = Right::new(View::columns(&w, m), m, a);
        product(&mut corner, a, a, Update::Subtract, across, &right, true);
        cholesky(&mut corner, a, a)?;
        let k = self.left.len();
        if k > 0 {
            // V grows by the rows of the new points: L_AA v_A = −W'v_B.
            let mut more = vec![0.0; a * k];
            let v = Right::new(View::columns(&self.v, stride), m, k);
            product(&mut more, a, a, Update::Subtract, across, &v, false);
            solve_lower(&corner, a, a, &mut more, a, k);
            let columns = View::columns(&more, a);
            let right = Right::new(columns, a, k);
            product(&mut self.inner, k, k, Update::Add, columns.transposed(), &right, false);
            for column in 0..k {
                self.v[column * stride + m..column * stride + m + a]
                    .copy_from_slice(&more[column * a..(column + 1) * a]);
            }
        }
        for j in 0..m {
            for k in 0..a {
                self.l[j * stride + m + k] = w[k * m + j];
            }
        }
        for j in 0..a {
            let start = (m + j) * stride + m;
            self.l[start + j..start + a].copy_from_slice(&corner[j * a + j..(j + 1) * a]);
        }
        for (k, &i) in joining.iter().enumerate() {
            self.place[i] = (m + k) as u32;
            self.base.push(i);
        }
        Ok(())
    }

    /// Lets points that left and are active again back in.
    fn restore(&mut self, active: &[bool]) {
        let keep: Vec<usize> = (0..self.left.len()).filter(|&c| !active[self.left[c]]).collect();
        if keep.len() == self.left.len() {
            return;
        }
        let (old, stride) = (self.left.len(), self.stride);
        for (to, &from) in keep.iter().enumerate() {
            if to != from {
                self.v.copy_within(from * stride..(from + 1) * stride, to * stride);
            }
        }
        let inner = keep.iter().flat_map(|&c| keep.iter().map(move |&r| c * old + r));
        self.inner = inner.map(|at| self.inner[at]).collect();
        self.left = keep.iter().map(|&c| self.left[c]).collect();
    }

    fn project_out(&mut self, mut places: Vec<usize>) -> Result<(), Failure> {
        let (m, stride, old) = (self.base.len(), self.stride, self.left.len());
        places.sort_unstable();
        self.v.resize((old + places.len()) * stride, 0.0);
        for (group, chosen) in places.chunks(GROUP).enumerate() {
            let first = chosen[0];
            let start = (old + group * GROUP) * stride;
            let columns = &mut self.v[start..start + chosen.len() * stride];
            columns.fill(0.0);
            for (column, &place) in columns.chunks_mut(stride).zip(chosen) {
                column[place] = 1.0;
            }
            let l = &self.l[first * stride + first..];
            solve_lower(l, stride, m - first, &mut columns[first..], stride, chosen.len());
        }
        self.left.extend(places);
        let k = self.left.len();
        let mut inner = vec![0.0; k * k];
        for column in 0..old {
            inner[column * k..column * k + old]
                .copy_from_slice(&self.inner[column * old..(column + 1) * old]);
        }
        if k > old {
            let fresh = Right::new(View::columns(&self.v[old * stride..], stride), m, k - old);
            let v = View::columns(&self.v, stride).transposed();
            product(&mut inner[old * k..], k, k, Update::Replace, v, &fresh, false);
            for column in 0..old {
                for row in old..k {
                    inner[column * k + row] = inner[row * k + column];
                }
            }
        }
        self.inner_factor.clone_from(&inner);
        self.inner = inner;
        if k > 0 {
            cholesky(&mut self.inner_factor, k, k)?;
        }
        Ok(())
    }
}
