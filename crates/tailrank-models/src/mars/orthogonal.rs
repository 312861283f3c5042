//! Modified Gram–Schmidt on the basis columns, in the inner product Σ wᵢ aᵢ bᵢ of the case weights.
//!
//! The forward pass needs the orthonormal columns; backward deletion needs only the triangular factor they
//! leave behind. The factor is as accurate as a Householder one (Björck & Paige 1992), so every subset of
//! columns can be fitted on it with as many rows as there are columns, instead of on the data.

use std::borrow::Cow;

/// Columns whose partial sums are kept apart, so that the compiler can use vector registers; the order of
/// additions is fixed and the same on every machine.
const LANES: usize = 8;

/// `Σ aᵢ bᵢ`.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    sum_of_terms(a, b, |a, b| a * b)
}

/// `Σ aᵢ`.
pub(super) fn sum(a: &[f64]) -> f64 {
    sum_of_terms(a, a, |a, _| a)
}

#[inline(always)]
fn sum_of_terms(a: &[f64], b: &[f64], term: impl Fn(f64, f64) -> f64) -> f64 {
    let mut lanes = [0.0; LANES];
    let (a_blocks, a_rest) = a.as_chunks::<LANES>();
    let (b_blocks, b_rest) = b.as_chunks::<LANES>();
    for (x, y) in a_blocks.iter().zip(b_blocks) {
        for l in 0..LANES {
            lanes[l] += term(x[l], y[l]);
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(x, y)| term(*x, *y)).sum();
    let half: [f64; 4] = std::array::from_fn(|l| lanes[l] + lanes[l + 4]);
    ((half[0] + half[2]) + (half[1] + half[3])) + rest
}

/// How much each row counts in every sum; with none, each counts 1.
#[derive(Clone, Copy)]
pub(super) struct Cases<'a> {
    weights: Option<&'a [f64]>,
    /// Sum of the weights.
    pub(super) total: f64,
}

impl<'a> Cases<'a> {
    pub(super) fn new(rows: usize, weights: Option<&'a [f64]>) -> Self {
        Self { weights, total: weights.map_or(rows as f64, sum) }
    }

    pub(super) fn weight(self, row: usize) -> f64 {
        self.weights.map_or(1.0, |w| w[row])
    }

    /// `w ∘ a`: its plain products are weighted ones.
    pub(super) fn weigh<'b>(self, a: &'b [f64]) -> Cow<'b, [f64]> {
        match self.weights {
            None => Cow::Borrowed(a),
            Some(weights) => Cow::Owned(a.iter().zip(weights).map(|(a, w)| a * w).collect()),
        }
    }

    /// `Σ wᵢ aᵢ / Σ wᵢ`.
    pub(super) fn mean(self, a: &[f64]) -> f64 {
        self.weights.map_or_else(|| sum(a), |w| dot(a, w)) / self.total
    }

    /// `Σ wᵢ aᵢ²`.
    pub(super) fn square(self, a: &[f64]) -> f64 {
        dot(a, &self.weigh(a))
    }
}

/// `v -= by · q`.
pub(super) fn subtract(v: &mut [f64], by: f64, q: &[f64]) {
    for (v, q) in v.iter_mut().zip(q) {
        *v -= by * q;
    }
}

/// One orthonormal column, as the search uses it.
pub(super) struct Orthonormal {
    /// Unit norm, orthogonal to the earlier ones; all zero if the basis column lies in their span exactly.
    pub(super) q: Vec<f64>,
    /// `w ∘ q`, where there are weights.
    weighted: Option<Vec<f64>>,
    /// `w ∘ (q minus its mean)`: the mean is zero but for rounding.
    pub(super) centred: Vec<f64>,
    /// Inner product with the centred target.
    pub(super) with_target: f64,
}

/// The orthonormal columns of the active basis and their triangular factor.
pub(super) struct Orthogonal {
    pub(super) columns: Vec<Orthonormal>,
    /// `factor[j][i]`, i ≤ j: basis column j along orthonormal column i.
    pub(super) factor: Vec<Vec<f64>>,
    /// The target along each orthonormal column.
    pub(super) target: Vec<f64>,
    /// Squared norm of what is left of the target after each column.
    pub(super) remainder: Vec<f64>,
    /// What is left of the target now.
    residual: Vec<f64>,
    /// `w ∘ (target minus its mean)`.
    centred_target: Vec<f64>,
}

impl Orthogonal {
    /// The constant column alone.
    pub(super) fn constant(y: &[f64], cases: Cases<'_>) -> Self {
        let n = y.len();
        let root = cases.total.sqrt();
        let mean = cases.mean(y);
        let centred: Vec<f64> = y.iter().map(|v| v - mean).collect();
        let weighted = cases.weigh(&centred).into_owned();
        Self {
            columns: vec![Orthonormal {
                q: vec![1.0 / root; n],
                weighted: None,
                centred: vec![0.0; n],
                with_target: sum(&weighted) / root,
            }],
            factor: vec![vec![root]],
            target: vec![mean * root],
            remainder: vec![dot(&centred, &weighted)],
            residual: centred,
            centred_target: weighted,
        }
    }

    /// Orthogonalises `column` against all earlier ones and appends it.
    pub(super) fn append(&mut self, column: &[f64], cases: Cases<'_>) {
        let mut q = column.to_vec();
        let mut along: Vec<f64> = Vec::with_capacity(self.columns.len() + 1);
        for earlier in 0..self.columns.len() {
            along.push(self.remove(&mut q, earlier, cases));
        }
        let norm = cases.square(&q).sqrt();
        if norm > 0.0 {
            q.iter_mut().for_each(|v| *v /= norm);
        }
        along.push(norm);
        self.factor.push(along);

        let weighted = cases.weigh(&q);
        let along_target = dot(&weighted, &self.residual);
        subtract(&mut self.residual, along_target, &q);
        self.target.push(along_target);
        self.remainder.push(cases.square(&self.residual));

        let mean = cases.mean(&q);
        let centred: Vec<f64> = q.iter().map(|v| v - mean).collect();
        let centred = cases.weigh(&centred).into_owned();
        let with_target = dot(&self.centred_target, &q);
        let weighted = match weighted {
            Cow::Borrowed(_) => None,
            Cow::Owned(weighted) => Some(weighted),
        };
        self.columns.push(Orthonormal { q, weighted, centred, with_target });
    }

    /// Removes from `v` its projection on column `j` and returns the projection's length.
    pub(super) fn remove(&self, v: &mut [f64], j: usize, cases: Cases<'_>) -> f64 {
        if j == 0 {
            // The constant: centring keeps more digits than the inner product with 1/√n.
            let mean = cases.mean(v);
            v.iter_mut().for_each(|v| *v -= mean);
            return mean * cases.total.sqrt();
        }
        let Orthonormal { q, weighted, .. } = &self.columns[j];
        let along = dot(v, weighted.as_ref().unwrap_or(q));
        subtract(v, along, q);
        along
    }
}
