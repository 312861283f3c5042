//! Operations on vectors.

use pulp::{Simd, WithSimd};

use super::lanes::{LANES, sum, vectorised, with_four_lanes};

/// `target += factor · source`, fused.
pub(crate) fn add_scaled(target: &mut [f64], factor: f64, source: &[f64]) {
    let source = &source[..target.len()];
    vectorised!({
        for (t, s) in target.iter_mut().zip(source) {
            *t = factor.mul_add(*s, *t);
        }
    });
}

/// Σ aᵢbᵢ in sixteen interleaved fused sums, then what is left over.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    with_four_lanes(Dot { a, b })
}

struct Dot<'a> {
    a: &'a [f64],
    b: &'a [f64],
}

impl WithSimd for Dot<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let Self { a, b } = self;
        let whole = a.len() / (4 * LANES) * (4 * LANES);
        let (a, a_rest) = a.split_at(whole);
        let (b, b_rest) = b[..whole + a_rest.len()].split_at(whole);
        let (a, _) = S::as_simd_f64s(a);
        let (b, _) = S::as_simd_f64s(b);
        let mut sums = [simd.splat_f64s(0.0); 4];
        for (a, b) in a.chunks_exact(4).zip(b.chunks_exact(4)) {
            for k in 0..4 {
                sums[k] = simd.mul_add_f64s(a[k], b[k], sums[k]);
            }
        }
        let sums = simd.add_f64s(simd.add_f64s(sums[0], sums[1]), simd.add_f64s(sums[2], sums[3]));
        a_rest.iter().zip(b_rest).fold(sum::<S>(sums), |sum, (a, b)| a.mul_add(*b, sum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_every_length() {
        for n in 0..70 {
            let a: Vec<f64> = (0..n).map(|i| f64::from(i) - 7.0).collect();
            let b: Vec<f64> = (0..n).map(|i| f64::from(i * i % 11)).collect();
            // Small whole numbers: exact in any order.
            assert_eq!(dot(&a, &b), a.iter().zip(&b).map(|(x, y)| x * y).sum::<f64>(), "{n}");
            let mut t = a.clone();
            add_scaled(&mut t, -3.0, &b);
            let want: Vec<f64> = a.iter().zip(&b).map(|(x, y)| x - 3.0 * y).collect();
            assert_eq!(t, want, "{n}");
        }
    }
}
