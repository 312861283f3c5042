//! A fast look at candidates that never misses a neighbour.
//!
//! In f32 and by products, ½|b|² − a·b orders the candidates b of a row a by distance, up to a rounding error that has a
//! bound. Only candidates that could be nearer than the worst neighbour so far, bound included, are measured exactly:
//! the answer is that of measuring all. Categories are left out here, which makes the look less strict and no less safe.

use pulp::Simd;

use crate::{Matrix, MatrixView};

/// Candidates looked at together.
pub(super) const WIDTH: usize = 16;
/// Rows that look at them together: their sums fill the vector registers.
pub(super) const GROUP: usize = 8;
/// Squared norms beyond this would overflow in f32.
const TOO_LARGE: f64 = 1e36;

/// Rows of a bump, centred and packed in f32.
pub(super) struct Filter {
    inputs: usize,
    /// `blocks[block][input][candidate]`.
    blocks: Vec<[f32; WIDTH]>,
    /// Half the squared norm of each candidate; infinite beyond the last.
    halves: Vec<[f32; WIDTH]>,
    /// Centred rows, for queries.
    rows: Vec<f32>,
    squares: Vec<f64>,
    largest: f64,
}

impl Filter {
    /// None where values are too large for f32, or there is nothing but categories.
    pub(super) fn new(scaled: &Matrix, categorical: &[bool]) -> Option<Self> {
        let x = scaled.view();
        let numeric: Vec<usize> = (0..x.cols()).filter(|&j| !categorical[j]).collect();
        let inputs = numeric.len();
        let mut means = vec![0.0; inputs];
        for row in x.iter_rows() {
            means.iter_mut().zip(&numeric).for_each(|(m, &j)| *m += row[j] / x.rows() as f64);
        }
        let blocks = x.rows().div_ceil(WIDTH);
        let mut filter = Self {
            inputs,
            blocks: vec![[0.0; WIDTH]; blocks * inputs],
            halves: vec![[f32::INFINITY; WIDTH]; blocks],
            rows: Vec::with_capacity(x.rows() * inputs),
            squares: Vec::with_capacity(x.rows()),
            largest: 0.0,
        };
        for (i, row) in x.iter_rows().enumerate() {
            let (block, lane) = (i / WIDTH, i % WIDTH);
            let mut square = 0.0;
            for (k, (&j, mean)) in numeric.iter().zip(&means).enumerate() {
                let value = row[j] - mean;
                square += value * value;
                filter.rows.push(value as f32);
                filter.blocks[block * inputs + k][lane] = value as f32;
            }
            filter.halves[block][lane] = (0.5 * square) as f32;
            filter.squares.push(square);
            if square.is_nan() || square > TOO_LARGE {
                return None;
            }
            filter.largest = filter.largest.max(square);
        }
        (inputs > 0).then_some(filter)
    }

    pub(super) fn blocks(&self) -> usize {
        self.halves.len()
    }

    /// How far ½|b|² − a·b of row `a` may be from what it would be without rounding.
    pub(super) fn error(&self, row: usize) -> f64 {
        // Products and sums of f32 are each off by 2⁻²⁴ of their size at most; twice that, and some to spare.
        let unit = (self.inputs + 8) as f64 * f64::from(f32::EPSILON);
        unit * (self.squares[row].sqrt() * self.largest.sqrt() + self.largest)
    }

    /// What ½|b|² − a·b of row `a` may be, at most, for the squared distance to be below `square`.
    pub(super) fn limit(&self, row: usize, square: f64) -> f32 {
        rounded_up(0.5 * (square - self.squares[row]) + self.error(row))
    }

    /// What ½|b|² − a·b of row `a` may be, at most, for b to be as near as k others that do not exceed `value`; `error` is the
    /// row's. Without rounding theirs are at most `value` + `error`, so b's is, and with rounding one `error` more.
    pub(super) fn limit_of_looks(&self, value: f32, error: f64) -> f32 {
        rounded_up(f64::from(value) + 2.0 * error)
    }

    /// `GROUP` rows input by input; the last row stands in for missing ones.
    pub(super) fn panel(&self, rows: &[usize]) -> Vec<[f32; GROUP]> {
        let at = |k: usize, q: usize| self.rows[rows[q.min(rows.len() - 1)] * self.inputs + k];
        (0..self.inputs).map(|k| std::array::from_fn(|q| at(k, q))).collect()
    }

    /// ½|b|² − a·b of the rows a of a panel and the candidates b of a block, for rows with a candidate within their limit.
    #[inline(always)]
    pub(super) fn look<S: Simd>(
        &self,
        simd: S,
        block: usize,
        panel: &[[f32; GROUP]],
        limits: &[f32],
    ) -> Look {
        let columns = &self.blocks[block * self.inputs..(block + 1) * self.inputs];
        let halves = S::as_simd_f32s(&self.halves[block]).0;
        let mut look = Look { values: [[0.0; WIDTH]; GROUP], near: [false; GROUP] };
        for (v, half) in halves.iter().enumerate() {
            let mut sums = [simd.splat_f32s(0.0); GROUP];
            for (column, values) in columns.iter().zip(panel) {
                let candidates = S::as_simd_f32s(column).0[v];
                for q in 0..GROUP {
                    sums[q] = simd.mul_add_e_f32s(simd.splat_f32s(values[q]), candidates, sums[q]);
                }
            }
            for q in 0..GROUP {
                let value = simd.sub_f32s(*half, sums[q]);
                S::as_mut_simd_f32s(&mut look.values[q]).0[v] = value;
                let within = simd.less_than_or_equal_f32s(value, simd.splat_f32s(limits[q]));
                look.near[q] |= simd.first_true_m32s(within) < S::F32_LANES;
            }
        }
        look
    }
}

fn rounded_up(limit: f64) -> f32 {
    (limit + limit.abs() * f64::from(f32::EPSILON)) as f32
}

/// What a block looks like from the rows of a panel.
pub(super) struct Look {
    pub(super) values: [[f32; WIDTH]; GROUP],
    /// Whether any candidate is within the row's limit.
    pub(super) near: [bool; GROUP],
}

/// The squared distance of two rows, input by input.
#[inline(always)]
pub(super) fn exact(x: MatrixView<'_>, categorical: &[bool], from: usize, to: usize) -> f64 {
    let mut sum = 0.0;
    for ((a, b), categorical) in x.row(from).iter().zip(x.row(to)).zip(categorical) {
        let difference = b - a;
        sum += if *categorical { f64::from(b != a) } else { difference * difference };
    }
    sum
}
