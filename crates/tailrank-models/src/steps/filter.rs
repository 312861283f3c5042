//! A fast look at candidates that never misses a neighbour.
//!
//! In f32 and by products, ½|b|² − a·b orders the candidates b of a row a by distance, up to a rounding error that has a
//! bound. Only candidates that could be nearer than the worst neighbour so far, bound included, are measured exactly:
//! the answer is that of measuring all. Categories are left out here, which makes the look less strict and no less safe.

use crate::{Matrix, MatrixView};

/// Candidates looked at together.
pub(super) const WIDTH: usize = 16;
/// Rows that look at them together.
pub(super) const GROUP: usize = 4;

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
    pub(super) fn new(scaled: &Matrix, categorical: &[bool]) -> Self {
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
            if square > filter.largest || square.is_nan() {
                filter.largest = square;
            }
        }
        filter
    }

    pub(super) fn blocks(&self) -> usize {
        self.halves.len()
    }

    /// What ½|b|² − a·b of row `a` may be, at most, for the squared distance to be below `square`.
    pub(super) fn limit(&self, row: usize, square: f64) -> f32 {
        // Products and sums of f32 are each off by 2⁻²⁴ of their size at most; twice that, and some to spare.
        let unit = (self.inputs + 8) as f64 * f64::from(f32::EPSILON);
        let norm = self.largest.sqrt();
        let error = unit * (self.squares[row].sqrt() * norm + self.largest);
        let limit = 0.5 * (square - self.squares[row]) + error;
        // Rounded up.
        (limit + limit.abs() * f64::from(f32::EPSILON)) as f32
    }

    /// ½|b|² − a·b of each of `GROUP` rows and the candidates of a block; the last row stands in for missing ones.
    #[inline(always)]
    pub(super) fn look(&self, block: usize, rows: &[usize]) -> [[f32; WIDTH]; GROUP] {
        let columns = &self.blocks[block * self.inputs..(block + 1) * self.inputs];
        let row = |q: usize| {
            let at = rows[q.min(rows.len() - 1)] * self.inputs;
            &self.rows[at..at + self.inputs]
        };
        let rows: [&[f32]; GROUP] = std::array::from_fn(row);
        let mut sums = [[0.0f32; WIDTH]; GROUP];
        for (k, column) in columns.iter().enumerate() {
            for q in 0..GROUP {
                let value = rows[q][k];
                for l in 0..WIDTH {
                    sums[q][l] += value * column[l];
                }
            }
        }
        let halves = &self.halves[block];
        for sums in &mut sums {
            for l in 0..WIDTH {
                sums[l] = halves[l] - sums[l];
            }
        }
        sums
    }
}

/// Whether any value may be within the limit; one that is not a number may be.
#[inline(always)]
pub(super) fn any_within(values: &[f32; WIDTH], limit: f32) -> bool {
    let mut beyond = 0;
    for v in values {
        beyond += u32::from(*v > limit);
    }
    beyond < WIDTH as u32
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
