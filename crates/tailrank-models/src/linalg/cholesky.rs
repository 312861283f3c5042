//! Cholesky's factor in place.

use super::{
    product::{Right, Update, View, product},
    vectors::add_scaled,
};

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
