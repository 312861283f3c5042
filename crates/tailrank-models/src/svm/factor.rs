//! A Cholesky factor of the kernel matrix of the free points that follows their coming and going.
//!
//! Points that join are appended as rows. Points that leave stay in the factor and are projected out: with V = L⁻¹E, E the
//! unit columns of the points that left, w − V(V'V)⁻¹V'w takes the place of the half-solved right-hand side w. A fresh
//! factor is made once the changes exceed a share of it. faer does the dense work.

use faer::{
    Accum, MatMut, MatRef, Par,
    dyn_stack::{MemBuffer, MemStack},
    linalg::{
        cholesky::llt::factor::{LltParams, cholesky_in_place, cholesky_in_place_scratch},
        matmul::matmul,
        triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place},
    },
    prelude::*,
};

use super::gram::Gram;

/// Share of changes above which a fresh factor is cheaper.
const CHANGES: f64 = 0.18;
/// Columns of V solved together.
const GROUP: usize = 48;
const ABSENT: u32 = u32::MAX;

/// The kernel matrix of the points is not positive definite at the working precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct NotPositive;

/// L with LL' = K + jitter on the base points, and V for those that left.
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
}

/// Bytes a factor of `size` points needs, with room to grow.
pub(super) fn bytes(size: usize) -> usize {
    let rows = room(size);
    8 * (rows * rows + rows * ((CHANGES * size as f64) as usize + GROUP))
}

fn room(size: usize) -> usize {
    size + (CHANGES * size as f64) as usize + 8
}

impl Factor {
    /// No points yet, of `n`.
    pub(super) fn new(n: usize) -> Self {
        Self {
            l: Vec::new(),
            stride: 0,
            base: Vec::new(),
            place: vec![ABSENT; n],
            fresh: 0,
            left: Vec::new(),
            v: Vec::new(),
            inner: Vec::new(),
            inner_factor: Vec::new(),
            jitter: 1e-9,
            memory: 0,
        }
    }

    /// Forgets all points: the kernel has changed.
    pub(super) fn clear(&mut self) {
        self.place.fill(ABSENT);
        self.base.clear();
        self.left.clear();
        self.fresh = 0;
    }

    /// Whether `size` points fit into its memory.
    pub(super) fn fits(&self, size: usize) -> bool {
        bytes(size) <= self.memory
    }

    /// Whether there is a factor at all.
    pub(super) fn holds_points(&self) -> bool {
        !self.base.is_empty()
    }

    /// Makes `members` the active points. Those likely to leave soon should stand last.
    pub(super) fn set_members(&mut self, gram: &Gram<'_>, members: &[usize]) -> Result<(), NotPositive> {
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
    pub(super) fn drop_points(&mut self, points: &[usize]) -> Result<bool, NotPositive> {
        let changes = self.left.len() + points.len() + self.base.len() - self.fresh;
        // Above twice the usual share V would cost more than it saves.
        if changes as f64 > 2.0 * CHANGES * self.fresh as f64 {
            return Ok(false);
        }
        self.project_out(points.iter().map(|&i| self.place[i] as usize).collect())?;
        Ok(true)
    }

    /// Solves for several right-hand sides given as value per point; each call of `rhs(column, point)` supplies one value.
    /// `active` lists the points; the answer has one column per right-hand side, parallel to `active`.
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
        let l = MatRef::from_column_major_slice_with_stride(&self.l, m, m, self.stride);
        let mut x = MatMut::from_column_major_slice_mut(&mut w, m, columns);
        solve_lower_triangular_in_place(l, x.rb_mut(), Par::Seq);
        let k = self.left.len();
        if k > 0 {
            let v = MatRef::from_column_major_slice_with_stride(&self.v, m, k, self.stride);
            let inner = MatRef::from_column_major_slice(&self.inner_factor, k, k);
            let mut along = vec![0.0; k * columns];
            let mut along = MatMut::from_column_major_slice_mut(&mut along, k, columns);
            matmul(along.rb_mut(), Accum::Replace, v.transpose(), x.rb(), 1.0, Par::Seq);
            solve_lower_triangular_in_place(inner, along.rb_mut(), Par::Seq);
            solve_upper_triangular_in_place(inner.transpose(), along.rb_mut(), Par::Seq);
            matmul(x.rb_mut(), Accum::Add, v, along.rb(), -1.0, Par::Seq);
        }
        solve_upper_triangular_in_place(l.transpose(), x.rb_mut(), Par::Seq);
        (0..columns)
            .map(|column| active.iter().map(|&i| w[column * m + self.place[i] as usize]).collect())
            .collect()
    }

    /// A fresh factor of `members` alone.
    pub(super) fn factorise(&mut self, gram: &Gram<'_>, members: &[usize]) -> Result<(), NotPositive> {
        self.clear();
        let m = members.len();
        self.stride = room(m);
        if self.l.len() < self.stride * self.stride {
            // A new allocation comes zeroed from the system; growing would copy the old contents.
            self.l = Vec::new();
            self.l = vec![0.0; self.stride * self.stride];
        }
        self.v.clear();
        self.inner.clear();
        self.inner_factor.clear();
        let lift = self.jitter * members.iter().map(|&i| gram.diagonal(i).abs()).sum::<f64>() / m as f64;
        for (j, column) in self.l.chunks_mut(self.stride).take(m).enumerate() {
            let row = gram.row(members[j]);
            for (cell, &i) in column[j..m].iter_mut().zip(&members[j..]) {
                *cell = f64::from(row[i]);
            }
            column[j] += lift;
        }
        let l = MatMut::from_column_major_slice_with_stride_mut(&mut self.l, m, m, self.stride);
        cholesky(l, m)?;
        self.base = members.to_vec();
        self.fresh = m;
        for (place, &i) in members.iter().enumerate() {
            self.place[i] = place as u32;
        }
        Ok(())
    }

    fn append(&mut self, gram: &Gram<'_>, joining: &[usize]) -> Result<(), NotPositive> {
        let (m, a, stride) = (self.base.len(), joining.len(), self.stride);
        let lift = self.jitter * joining.iter().map(|&i| gram.diagonal(i).abs()).sum::<f64>() / a as f64;
        let mut w = vec![0.0; m * a];
        let mut corner = vec![0.0; a * a];
        for (k, &i) in joining.iter().enumerate() {
            let row = gram.row(i);
            for (cell, &j) in w[k * m..(k + 1) * m].iter_mut().zip(&self.base) {
                *cell = f64::from(row[j]);
            }
            for (cell, &j) in corner[k * a..(k + 1) * a].iter_mut().zip(joining) {
                *cell = f64::from(row[j]);
            }
            corner[k * a + k] += lift;
        }
        let l = MatRef::from_column_major_slice_with_stride(&self.l, m, m, stride);
        let mut w_view = MatMut::from_column_major_slice_mut(&mut w, m, a);
        solve_lower_triangular_in_place(l, w_view.rb_mut(), Par::Seq);
        let mut corner_view = MatMut::from_column_major_slice_mut(&mut corner, a, a);
        matmul(corner_view.rb_mut(), Accum::Add, w_view.rb().transpose(), w_view.rb(), -1.0, Par::Seq);
        cholesky(corner_view.rb_mut(), a)?;
        let k = self.left.len();
        if k > 0 {
            // V grows by the rows of the new points: L_AA v_A = −W'v_B.
            let mut more = vec![0.0; a * k];
            let mut more_view = MatMut::from_column_major_slice_mut(&mut more, a, k);
            let v = MatRef::from_column_major_slice_with_stride(&self.v, m, k, stride);
            matmul(more_view.rb_mut(), Accum::Replace, w_view.rb().transpose(), v, -1.0, Par::Seq);
            solve_lower_triangular_in_place(corner_view.rb(), more_view.rb_mut(), Par::Seq);
            let inner = MatMut::from_column_major_slice_mut(&mut self.inner, k, k);
            matmul(inner, Accum::Add, more_view.rb().transpose(), more_view.rb(), 1.0, Par::Seq);
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

    fn project_out(&mut self, mut places: Vec<usize>) -> Result<(), NotPositive> {
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
            let l = MatRef::from_column_major_slice_with_stride(&self.l, m, m, stride);
            let l = l.submatrix(first, first, m - first, m - first);
            let v = MatMut::from_column_major_slice_with_stride_mut(columns, stride, chosen.len(), stride);
            solve_lower_triangular_in_place(l, v.submatrix_mut(first, 0, m - first, chosen.len()), Par::Seq);
        }
        self.left.extend(places);
        let k = self.left.len();
        let mut inner = vec![0.0; k * k];
        for column in 0..old {
            inner[column * k..column * k + old]
                .copy_from_slice(&self.inner[column * old..(column + 1) * old]);
        }
        if k > old {
            let v = MatRef::from_column_major_slice_with_stride(&self.v, m, k, stride);
            let fresh = v.submatrix(0, old, m, k - old);
            let cross =
                MatMut::from_column_major_slice_mut(&mut inner, k, k).submatrix_mut(0, old, k, k - old);
            matmul(cross, Accum::Replace, v.transpose(), fresh, 1.0, Par::Seq);
            for column in 0..old {
                for row in old..k {
                    inner[column * k + row] = inner[row * k + column];
                }
            }
        }
        self.inner_factor.clone_from(&inner);
        self.inner = inner;
        if k > 0 {
            cholesky(MatMut::from_column_major_slice_mut(&mut self.inner_factor, k, k), k)?;
        }
        Ok(())
    }
}

fn cholesky(matrix: MatMut<'_, f64>, size: usize) -> Result<(), NotPositive> {
    let params: faer::Spec<LltParams, f64> = faer::Spec::default();
    let mut memory = MemBuffer::new(cholesky_in_place_scratch::<f64>(size, Par::Seq, params));
    cholesky_in_place(matrix, Default::default(), Par::Seq, MemStack::new(&mut memory), params)
        .map(|_| ())
        .map_err(|_| NotPositive)
}
