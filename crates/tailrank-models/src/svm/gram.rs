//! Rows of the kernel matrix in f32: all of them where memory allows, otherwise the ones used last.
//!
//! Distances and exponentials are computed in f64 and rounded once, as libsvm does, so that both solve the
//! same problem.

use super::kernel::{Kernel, Points};
use crate::{FitContext, ModelError, Result, linalg::vectorised};

/// Rows are padded to this many values, so that vector passes need no tail.
pub(super) const PAD: usize = 16;

/// Rows computed at a time.
const BATCH: usize = 64;
const ABSENT: u32 = u32::MAX;

/// Kernel rows of the training points.
pub(super) struct Gram<'a> {
    kernel: Kernel,
    points: &'a Points,
    width: usize,
    rows: Vec<f32>,
    diagonal: Vec<f64>,
    /// Where a point's row is stored, or `ABSENT`.
    slot: Vec<u32>,
    /// Which point a slot holds, and when it was last asked for.
    owner: Vec<(u32, u64)>,
    clock: u64,
}

/// `n` rounded up to whole vectors.
pub(super) fn padded(n: usize) -> usize {
    n.next_multiple_of(PAD)
}

/// Rows of `n` values that fit into half of `bytes`, at most all `n`; the other half is for the factor.
pub(super) fn capacity(n: usize, bytes: usize) -> usize {
    (bytes / 2 / (4 * padded(n))).min(n)
}

impl<'a> Gram<'a> {
    /// A matrix of all rows, or a cache of `capacity` rows, in the memory of an earlier one.
    pub(super) fn new(
        kernel: Kernel,
        points: &'a Points,
        capacity: usize,
        memory: Vec<f32>,
        context: &FitContext,
    ) -> Result<Self> {
        let n = points.len();
        let width = padded(n);
        let diagonal = kernel.diagonal(points);
        let lengths_fit = points.norms.iter().all(|v| (4.0 * v).is_finite());
        if !lengths_fit || diagonal.iter().any(|v| !(*v as f32).is_finite()) {
            let problem = "kernel values overflow; set standardise = true or rescale the inputs";
            return Err(ModelError::numerical("svm", problem));
        }
        // Fresh memory comes zeroed from the system.
        let rows = if memory.len() == capacity * width { memory } else { vec![0.0; capacity * width] };
        let mut gram = Self {
            kernel,
            points,
            width,
            rows,
            diagonal,
            slot: vec![ABSENT; n],
            owner: vec![(ABSENT, 0); capacity],
            clock: 0,
        };
        if capacity == n {
            gram.fill(context)?;
        }
        Ok(gram)
    }

    /// The memory of the rows, for the next kernel.
    pub(super) fn into_memory(self) -> Vec<f32> {
        self.rows
    }

    /// Number of points.
    pub(super) fn len(&self) -> usize {
        self.slot.len()
    }

    /// How many rows can be held at once.
    fn capacity(&self) -> usize {
        self.owner.len()
    }

    /// Gives the rows of `points` one after another, with their places, to `take`.
    pub(super) fn for_rows(&mut self, points: &[usize], mut take: impl FnMut(usize, &[f32])) {
        let portion = self.capacity();
        for (start, points) in (0..).step_by(portion).zip(points.chunks(portion)) {
            self.prepare(points);
            for (place, &i) in (start..).zip(points) {
                take(place, self.row(i));
            }
        }
    }

    /// Kernel of a point with itself.
    pub(super) fn diagonal(&self, i: usize) -> f64 {
        self.diagonal[i]
    }

    /// The row of a point that was [prepared](Self::prepare).
    pub(super) fn row(&self, i: usize) -> &[f32] {
        let slot = self.slot[i] as usize;
        &self.rows[slot * self.width..slot * self.width + self.slot.len()]
    }

    /// Computes the rows that are missing; `points` must not exceed the capacity.
    pub(super) fn prepare(&mut self, points: &[usize]) {
        if self.capacity() == self.len() {
            return;
        }
        self.clock += 1;
        let missing: Vec<usize> = points
            .iter()
            .copied()
            .filter(|&i| {
                let slot = self.slot[i];
                if slot != ABSENT {
                    self.owner[slot as usize].1 = self.clock;
                }
                slot == ABSENT
            })
            .collect();
        if missing.is_empty() {
            return;
        }
        let mut free: Vec<u32> =
            (0..self.owner.len() as u32).filter(|&s| self.owner[s as usize].1 < self.clock).collect();
        free.sort_unstable_by_key(|&s| (self.owner[s as usize].1, s));
        let mut values = vec![0.0; BATCH.min(missing.len()) * self.len()];
        for (batch, slots) in missing.chunks(BATCH).zip(free.chunks(BATCH)) {
            let values = &mut values[..batch.len() * self.slot.len()];
            self.kernel.block(&self.points.select(batch), self.points, 0, values);
            for ((&i, &slot), from) in batch.iter().zip(slots).zip(values.chunks_exact(self.slot.len())) {
                let (old, _) = self.owner[slot as usize];
                if old != ABSENT {
                    self.slot[old as usize] = ABSENT;
                }
                self.owner[slot as usize] = (i as u32, self.clock);
                self.slot[i] = slot;
                let start = slot as usize * self.width;
                round(from, &mut self.rows[start..start + from.len()]);
                self.rows[start + i] = self.diagonal[i] as f32;
            }
        }
    }

    /// target += Σ weight · row, in f64.
    ///
    /// With a cache the rows pass through it in portions of whole eights, so any number of weights will do
    /// and the order of additions is that of the full matrix.
    pub(super) fn add_rows(&mut self, weights: &[(usize, f64)], target: &mut [f64]) {
        for portion in weights.chunks((self.capacity() / 8 * 8).max(1)) {
            let points: Vec<usize> = portion.iter().map(|w| w.0).collect();
            self.prepare(&points);
            let mut rest = portion;
            while let Some((sixteen, after)) = rest.split_first_chunk::<16>() {
                let (first, second) = (self.eight(sixteen, 0), self.eight(sixteen, 8));
                vectorised!(add_sixteen(first, second, target));
                rest = after;
            }
            if let Some((eight, after)) = rest.split_first_chunk::<8>() {
                let eight = self.eight(eight, 0);
                vectorised!(add_eight(eight, target));
                rest = after;
            }
            for &(i, weight) in rest {
                let row = self.row(i);
                vectorised!({
                    for (t, k) in target.iter_mut().zip(row) {
                        *t += weight * f64::from(*k);
                    }
                });
            }
        }
    }

    /// Eight rows from `from` on, and their weights.
    fn eight(&self, weights: &[(usize, f64)], from: usize) -> Eight<'_> {
        (std::array::from_fn(|k| self.row(weights[from + k].0)), std::array::from_fn(|k| weights[from + k].1))
    }

    /// Every row; only the upper half is computed, the lower is its mirror image.
    fn fill(&mut self, context: &FitContext) -> Result<()> {
        let n = self.len();
        for i in 0..n {
            self.slot[i] = i as u32;
        }
        let mut values = vec![0.0; BATCH.min(n) * n];
        for start in (0..n).step_by(BATCH) {
            context.check()?;
            let end = (start + BATCH).min(n);
            let across = n - start;
            let values = &mut values[..(end - start) * across];
            self.kernel.block(&self.points.slice(start, end), self.points, start, values);
            for (i, from) in (start..end).zip(values.chunks_exact(across)) {
                let row = i * self.width;
                round(from, &mut self.rows[row + start..row + n]);
                self.rows[row + i] = self.diagonal[i] as f32;
            }
            let (above, below) = self.rows.split_at_mut(end * self.width);
            let block = &above[start * self.width..];
            for (j, row) in (end..n).zip(below.chunks_exact_mut(self.width)) {
                for (b, cell) in row[start..end].iter_mut().enumerate() {
                    *cell = block[b * self.width + j];
                }
            }
        }
        Ok(())
    }
}

fn round(from: &[f64], to: &mut [f32]) {
    vectorised!({
        for (t, v) in to.iter_mut().zip(from) {
            *t = *v as f32;
        }
    });
}

type Eight<'a> = ([&'a [f32]; 8], [f64; 8]);

#[inline(always)]
fn add_eight((rows, weights): Eight<'_>, target: &mut [f64]) {
    let rows = rows.map(|row| &row[..target.len()]);
    for (t, v) in target.iter_mut().enumerate() {
        *v += sum_of_eight(rows, weights, t);
    }
}

/// Two eights, one after the other, in one pass over the target.
#[inline(always)]
fn add_sixteen((rows, weights): Eight<'_>, (more_rows, more_weights): Eight<'_>, target: &mut [f64]) {
    let (rows, more_rows) = (rows.map(|row| &row[..target.len()]), more_rows.map(|row| &row[..target.len()]));
    for (t, v) in target.iter_mut().enumerate() {
        *v = (*v + sum_of_eight(rows, weights, t)) + sum_of_eight(more_rows, more_weights, t);
    }
}

#[inline(always)]
fn sum_of_eight(rows: [&[f32]; 8], w: [f64; 8], t: usize) -> f64 {
    let [a, b, c, d, e, f, g, h] = rows.map(|row| f64::from(row[t]));
    (w[0] * a + w[1] * b + w[2] * c + w[3] * d) + (w[4] * e + w[5] * f + w[6] * g + w[7] * h)
}
