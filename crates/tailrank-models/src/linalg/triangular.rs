//! Cholesky's factor L, and solutions of Lx = b and L'x = b, in place.

use super::{
    product::{Right, Update, View, product},
    vectors::{add_scaled, dot, vectorised},
};

/// Sizes below which halving gains nothing.
const SMALL: usize = 32;
/// Fewest right-hand sides worth a product.
const SEVERAL: usize = 6;

/// Solves Rb = q for R given by its columns, plainly.
pub(crate) fn back_substitute(r: &[Vec<f64>], q: &[f64]) -> Vec<f64> {
    let mut b = q.to_vec();
    for j in (0..b.len()).rev() {
        b[j] /= r[j][j];
        for i in 0..j {
            b[i] -= b[j] * r[j][i];
        }
    }
    b
}

/// Solves LX = B for the columns of `x`, `x_stride` apart.
pub(crate) fn solve_lower(
    l: &[f64],
    stride: usize,
    size: usize,
    x: &mut [f64],
    x_stride: usize,
    columns: usize,
) {
    if size <= SMALL || columns < SEVERAL {
        let fours = size / 4 * 4;
        for k in (0..fours).step_by(4) {
            x.chunks_mut(x_stride).take(columns).for_each(|x| eliminate::<4>(l, stride, size, k, x));
        }
        for k in fours..size {
            x.chunks_mut(x_stride).take(columns).for_each(|x| eliminate::<1>(l, stride, size, k, x));
        }
        return;
    }
    let half = (size / 2).next_multiple_of(4);
    solve_lower(l, stride, half, x, x_stride, columns);
    let right = Right::new(View::columns(x, x_stride), half, columns);
    let below = View::columns(&l[half..], stride);
    product(&mut x[half..], x_stride, size - half, Update::Subtract, below, &right, false);
    solve_lower(&l[half * stride + half..], stride, size - half, &mut x[half..], x_stride, columns);
}

/// Unknowns `k` to `k + N` of Lx = b, and what they leave of those below, in one pass over them.
fn eliminate<const N: usize>(l: &[f64], stride: usize, size: usize, k: usize, x: &mut [f64]) {
    vectorised!({
        let (solved, rest) = x[k..size].split_at_mut(N);
        let columns: [&[f64]; N] = std::array::from_fn(|c| &l[(k + c) * stride + k..][..size - k]);
        for c in 0..N {
            solved[c] /= columns[c][c];
            for i in c + 1..N {
                solved[i] = (-solved[c]).mul_add(columns[c][i], solved[i]);
            }
        }
        let (solved, below): ([f64; N], _) =
            (std::array::from_fn(|c| -solved[c]), columns.map(|column| &column[N..N + rest.len()]));
        for (i, v) in rest.iter_mut().enumerate() {
            *v = (0..N).fold(*v, |v, c| solved[c].mul_add(below[c][i], v));
        }
    });
}

/// Solves L'X = B for the columns of `x`, `size` apart.
pub(crate) fn solve_upper(l: &[f64], stride: usize, size: usize, x: &mut [f64]) {
    for i in (0..size).rev() {
        let below = &l[i * stride + i..i * stride + size];
        for x in x.chunks_exact_mut(size) {
            x[i] = (x[i] - dot(&below[1..], &x[i + 1..])) / below[0];
        }
    }
}

/// Columns below which halving gains nothing.
const NARROW: usize = 8;

/// The matrix is not positive definite at the working precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotPositive;

/// Replaces the lower triangle of `a` by L with LL' = A; what stands above the diagonal is lost.
pub(crate) fn cholesky(a: &mut [f64], stride: usize, size: usize) -> Result<(), NotPositive> {
    panel(a, stride, size, 0, size)
}

/// Columns `from..to`, those before them already subtracted. Each half in turn, so that most work is one
/// large product.
fn panel(a: &mut [f64], stride: usize, size: usize, from: usize, to: usize) -> Result<(), NotPositive> {
    if to - from <= NARROW {
        return columns(a, stride, size, from, to);
    }
    let middle = from + ((to - from) / 2).next_multiple_of(4);
    panel(a, stride, size, from, middle)?;
    let (done, rest) = a.split_at_mut(middle * stride);
    let below = View::columns(&done[from * stride + middle..], stride);
    let right = Right::new(below.transposed(), middle - from, to - middle);
    product(&mut rest[middle..], stride, size - middle, Update::Subtract, below, &right, true);
    panel(a, stride, size, middle, to)
}

fn columns(a: &mut [f64], stride: usize, size: usize, from: usize, to: usize) -> Result<(), NotPositive> {
    for j in from..to {
        let (done, rest) = a.split_at_mut(j * stride);
        let column = &mut rest[j..size];
        for earlier in done.chunks(stride).skip(from) {
            add_scaled(column, -earlier[j], &earlier[j..size]);
        }
        let pivot = column[0].sqrt();
        // A negative pivot has no root: NaN.
        if pivot.is_nan() || pivot <= 0.0 || pivot.is_infinite() {
            return Err(NotPositive);
        }
        column[0] = pivot;
        column[1..].iter_mut().for_each(|v| *v /= pivot);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::product::tests::noise;

    fn triangle(size: usize, stride: usize) -> Vec<f64> {
        let mut l = noise(stride * size, 9);
        for j in 0..size {
            l[j * stride + j] = 3.0 + size as f64 * 0.1;
        }
        l
    }

    #[test]
    fn lower_solutions_equal_the_plain_loop_to_the_bit() {
        for (size, columns) in [(1, 1), (31, 2), (33, 5), (33, 6), (70, 48), (257, 13), (400, 3)] {
            let (stride, x_stride) = (size + 5, size + 1);
            let l = triangle(size, stride);
            let b = noise(x_stride * columns, 4);
            let mut want = b.clone();
            for x in want.chunks_mut(x_stride) {
                for i in 0..size {
                    for k in 0..i {
                        x[i] = (-l[k * stride + i]).mul_add(x[k], x[i]);
                    }
                    x[i] /= l[i * stride + i];
                }
            }
            let mut x = b;
            solve_lower(&l, stride, size, &mut x, x_stride, columns);
            assert_eq!(x, want, "{size} {columns}");
        }
    }

    #[test]
    fn upper_solutions_solve() {
        for size in [1, 2, 17, 60, 200] {
            let stride = size + 1;
            let l = triangle(size, stride);
            let b = noise(2 * size, 5);
            let mut x = b.clone();
            solve_upper(&l, stride, size, &mut x);
            for (x, b) in x.chunks(size).zip(b.chunks(size)) {
                for i in 0..size {
                    let back: f64 = (i..size).map(|k| l[i * stride + k] * x[k]).sum();
                    assert!((back - b[i]).abs() < 1e-12, "{size} {i}: {back} {}", b[i]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests_of_cholesky {
    use super::*;
    use crate::linalg::product::tests::noise;

    #[test]
    fn equals_the_textbook_loop_to_the_bit() {
        for size in [1, 2, 7, 8, 9, 12, 23, 40, 130, 420] {
            let b = noise(size * size, size as u64);
            let stride = size + 2;
            let mut a = vec![0.0; stride * size];
            for j in 0..size {
                for i in j..size {
                    let dot: f64 = (0..size).map(|k| b[k * size + i] * b[k * size + j]).sum();
                    a[j * stride + i] = dot + if i == j { size as f64 } else { 0.0 };
                }
            }
            let mut want = a.clone();
            for j in 0..size {
                for i in j..size {
                    let mut v = want[j * stride + i];
                    for k in 0..j {
                        v = (-want[k * stride + i]).mul_add(want[k * stride + j], v);
                    }
                    want[j * stride + i] = if i == j { v.sqrt() } else { v / want[j * stride + j] };
                }
            }
            cholesky(&mut a, stride, size).unwrap();
            for j in 0..size {
                let lower = j * stride + j..j * stride + size;
                assert_eq!(a[lower.clone()], want[lower], "size {size}, column {j}");
            }
        }
    }

    #[test]
    fn what_has_no_factor_is_refused() {
        assert!(cholesky(&mut [1.0, 2.0, 2.0, 1.0], 2, 2).is_err());
        assert!(cholesky(&mut [0.0], 1, 1).is_err());
        assert!(cholesky(&mut [f64::NAN], 1, 1).is_err());
    }
}
