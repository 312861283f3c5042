//! Operations on vectors, compiled for the vectors of the processor at hand. Every operation is fused and every
//! sum has one order, so the results are the same bits on every machine.

use pulp::Arch;

/// Sums of a dot product that run beside each other.
const INTERLEAVED: usize = 16;

/// `target += factor · source`, fused.
pub(crate) fn add_scaled(target: &mut [f64], factor: f64, source: &[f64]) {
    let source = &source[..target.len()];
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (t, s) in target.iter_mut().zip(source) {
                *t = factor.mul_add(*s, *t);
            }
        },
    );
}

/// Σ aᵢbᵢ in sixteen interleaved fused sums, then what is left over.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, a_rest) = a.as_chunks::<INTERLEAVED>();
    let (b, b_rest) = b.as_chunks::<INTERLEAVED>();
    Arch::new().dispatch(
        #[inline(always)]
        || {
            let mut sums = [0.0; INTERLEAVED];
            for (a, b) in a.iter().zip(b) {
                for k in 0..INTERLEAVED {
                    sums[k] = a[k].mul_add(b[k], sums[k]);
                }
            }
            let of_lane = |l: usize| (sums[l] + sums[l + 4]) + (sums[l + 8] + sums[l + 12]);
            let sum = (of_lane(0) + of_lane(2)) + (of_lane(1) + of_lane(3));
            a_rest.iter().zip(b_rest).fold(sum, |sum, (a, b)| a.mul_add(*b, sum))
        },
    )
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
