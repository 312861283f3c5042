//! Solutions of Lx = b and L'x = b in place.

use super::{
    product::{Right, Update, View, product},
    vectors::{add_scaled, dot},
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
        for k in 0..size {
            let below = &l[k * stride + k..k * stride + size];
            for x in x.chunks_mut(x_stride).take(columns) {
                x[k] /= below[0];
                let v = x[k];
                add_scaled(&mut x[k + 1..size], -v, &below[1..]);
            }
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

/// Solves L'X = B for the columns of `x`, `size` apart.
pub(crate) fn solve_upper(l: &[f64], stride: usize, size: usize, x: &mut [f64]) {
    for i in (0..size).rev() {
        let below = &l[i * stride + i..i * stride + size];
        for x in x.chunks_exact_mut(size) {
            x[i] = (x[i] - dot(&below[1..], &x[i + 1..])) / below[0];
        }
    }
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
