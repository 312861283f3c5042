//! C ← C ± A·B in tiles of eight rows by six columns, or of 24 by six where vectors are wide.
//!
//! Twelve sums, two vectors of A and two numbers of B fill the sixteen registers of AVX2. With three vectors
//! of A and four columns the compiler keeps one of the sums in memory, and every step waits for it. AVX-512
//! has 32 registers: with eighteen sums none waits for the one before it.

use super::vectors::{LANES, Wide, run_narrow};

/// Rows of a tile: two vectors of AVX2, three of AVX-512.
const ROWS: usize = 2 * LANES;
const WIDE_ROWS: usize = 6 * LANES;
/// Columns of a tile.
const COLUMNS: usize = 6;
/// Depth of a pass: a strip of A (12 or 36 kB) stays in the near caches.
const DEPTH: usize = 192;
/// Strips of B in a pass (0.4 MB), for the second-level cache.
const STRIPS: usize = 40;

/// A matrix to read: element (i, k) is `data[i * row + k * column]`.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    data: &'a [f64],
    row: usize,
    column: usize,
}

impl<'a> View<'a> {
    /// Columns, `stride` apart.
    pub(crate) fn columns(data: &'a [f64], stride: usize) -> Self {
        Self { data, row: 1, column: stride }
    }

    pub(crate) fn transposed(self) -> Self {
        Self { row: self.column, column: self.row, ..self }
    }
}

/// B, copied into strips of [`COLUMNS`].
pub(crate) struct Right {
    depth: usize,
    columns: usize,
    /// `packed[strip * depth + k]`; columns beyond the last are zero.
    packed: Vec<[f64; COLUMNS]>,
}

impl Right {
    /// Takes `depth` × `columns` of `b`.
    pub(crate) fn new(b: View<'_>, depth: usize, columns: usize) -> Self {
        let mut packed = vec![[0.0; COLUMNS]; columns.div_ceil(COLUMNS) * depth];
        for (strip, packed) in packed.chunks_exact_mut(depth.max(1)).enumerate() {
            let first = strip * COLUMNS;
            let width = COLUMNS.min(columns - first);
            for (k, cell) in packed.iter_mut().enumerate() {
                let from = &b.data[k * b.row + first * b.column..];
                cell.iter_mut().zip(from.iter().step_by(b.column)).take(width).for_each(|(c, v)| *c = *v);
            }
        }
        Self { depth, columns, packed }
    }
}

/// What becomes of C.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Update {
    /// C ← A·B
    Replace,
    /// C ← C + A·B
    Add,
    /// C ← C − A·B
    Subtract,
}

/// Updates the `rows` of `c`, columns `stride` apart, by A·B. With `lower`, elements above the diagonal may
/// be left out.
pub(crate) fn product(
    c: &mut [f64],
    stride: usize,
    rows: usize,
    update: Update,
    a: View<'_>,
    b: &Right,
    lower: bool,
) {
    match Wide::detect() {
        Some(wide) => wide.run(
            #[inline(always)]
            || in_tiles::<WIDE_ROWS>(c, stride, rows, update, a, b, lower),
        ),
        None => run_narrow(
            #[inline(always)]
            || in_tiles::<ROWS>(c, stride, rows, update, a, b, lower),
        ),
    }
}

/// [`product`] in tiles of `R` rows, which decide nothing but the speed.
#[inline(always)]
fn in_tiles<const R: usize>(
    c: &mut [f64],
    stride: usize,
    rows: usize,
    update: Update,
    a: View<'_>,
    b: &Right,
    lower: bool,
) {
    if b.depth == 0 && update == Update::Replace {
        c.chunks_mut(stride).take(b.columns).for_each(|column| column[..rows].fill(0.0));
    }
    let strips = b.columns.div_ceil(COLUMNS);
    let mut left = vec![[0.0; R]; DEPTH.min(b.depth)];
    for first_strip in (0..strips).step_by(STRIPS) {
        for k in (0..b.depth).step_by(DEPTH) {
            let depth = DEPTH.min(b.depth - k);
            let fresh = update == Update::Replace && k == 0;
            for i in (0..rows).step_by(R) {
                let height = R.min(rows - i);
                if lower && i + height <= first_strip * COLUMNS {
                    continue;
                }
                pack(a, i, height, k, update == Update::Subtract, &mut left[..depth]);
                for strip in first_strip..strips.min(first_strip + STRIPS) {
                    let j = strip * COLUMNS;
                    if lower && i + height <= j {
                        break;
                    }
                    let width = COLUMNS.min(b.columns - j);
                    let right = &b.packed[strip * b.depth + k..][..depth];
                    let mut tile = [[0.0; R]; COLUMNS];
                    let place = |q: usize| (j + q) * stride + i;
                    if !fresh {
                        for (q, column) in tile.iter_mut().enumerate().take(width) {
                            copy(&c[place(q)..][..height], column, |v| v);
                        }
                    }
                    let tile = multiply(&left[..depth], right, tile);
                    for (q, column) in tile.iter().enumerate().take(width) {
                        let c = &mut c[place(q)..][..height];
                        match c.first_chunk_mut() {
                            Some(whole) => *whole = *column,
                            None => c.copy_from_slice(&column[..height]),
                        }
                    }
                }
            }
        }
    }
}

/// Rows `i..i + height` of A from column `k` on, their sign turned for a subtraction.
#[inline(always)]
fn pack<const R: usize>(a: View<'_>, i: usize, height: usize, k: usize, negate: bool, left: &mut [[f64; R]]) {
    let sign = if negate { -1.0 } else { 1.0 };
    for (k, cell) in (k..).zip(left) {
        let from = &a.data[i * a.row + k * a.column..];
        if a.row == 1 {
            copy(&from[..height], cell, |v| sign * v);
        } else {
            for (c, v) in cell.iter_mut().zip(from.iter().step_by(a.row)).take(height) {
                *c = sign * v;
            }
        }
    }
}

/// As many of a tile's rows as there are; all of them, in most tiles, without a loop.
#[inline(always)]
fn copy<const R: usize>(from: &[f64], to: &mut [f64; R], turn: impl Fn(f64) -> f64) {
    match from.first_chunk() {
        Some(whole) => *to = whole.map(turn),
        None => to.iter_mut().zip(from).for_each(|(to, from)| *to = turn(*from)),
    }
}

#[inline(always)]
fn multiply<const R: usize>(
    left: &[[f64; R]],
    right: &[[f64; COLUMNS]],
    mut sums: [[f64; R]; COLUMNS],
) -> [[f64; R]; COLUMNS] {
    for (a, b) in left.iter().zip(right) {
        for q in 0..COLUMNS {
            for i in 0..R {
                sums[q][i] = a[i].mul_add(b[q], sums[q][i]);
            }
        }
    }
    sums
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Numbers between -1 and 1 that use all their digits.
    pub(crate) fn noise(count: usize, seed: u64) -> Vec<f64> {
        let mut state = seed;
        (0..count)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
            })
            .collect()
    }

    #[test]
    fn every_shape_equals_the_plain_loop_to_the_bit() {
        for (rows, depth, columns) in [
            (1, 1, 1),
            (12, 5, 4),
            (13, 7, 5),
            (25, 193, 9),
            (7, 400, 3),
            (40, 24, 64),
            (3, 0, 2),
            (30, 3, 250),
        ] {
            let (a, b) = (noise(rows * depth, 1), noise(depth * columns, 2));
            let stride = rows + 3;
            let c = noise(stride * columns, 3);
            for update in [Update::Replace, Update::Add, Update::Subtract] {
                for by_rows in [false, true] {
                    let left =
                        if by_rows { View::columns(&a, depth).transposed() } else { View::columns(&a, rows) };
                    let at = |i: usize, k: usize| a[i * left.row + k * left.column];
                    let mut want = c.clone();
                    for j in 0..columns {
                        for i in 0..rows {
                            let cell = &mut want[j * stride + i];
                            if update == Update::Replace {
                                *cell = 0.0;
                            }
                            for k in 0..depth {
                                let sign = if update == Update::Subtract { -1.0 } else { 1.0 };
                                *cell = (sign * at(i, k)).mul_add(b[j * depth + k], *cell);
                            }
                        }
                    }
                    let right = Right::new(View::columns(&b, depth), depth, columns);
                    let mut got = c.clone();
                    product(&mut got, stride, rows, update, left, &right, false);
                    assert_eq!(got, want, "{rows} {depth} {columns}");
                    let mut got = c.clone();
                    product(&mut got, stride, rows, update, left, &right, true);
                    for j in 0..columns.min(rows) {
                        let lower = j * stride + j..j * stride + rows;
                        assert_eq!(got[lower.clone()], want[lower], "{rows} {depth} {columns}");
                    }
                }
            }
        }
    }
}
