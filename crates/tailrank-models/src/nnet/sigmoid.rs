//! The logistic function of many values at once.

use super::sequential::SATURATED;

/// 1.5 · 2⁵²: adding it rounds to a whole number and leaves that number in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;
const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Chebyshev interpolant of `(exp(r) - 1 - r)/r²` on |r| ≤ ln 2 / 2, constant first: with it `exp` errs by
/// 2e-17.
const Q: [f64; 10] = [
    0.500_000_000_000_000_1,
    0.166_666_666_666_666_69,
    0.041_666_666_666_623_99,
    0.008_333_333_333_330_051,
    0.001_388_888_891_728_179_4,
    0.000_198_412_698_631_059_68,
    2.480_152_119_021_773e-5,
    2.755_726_837_868_419_2e-6,
    2.762_013_871_973_399_4e-7,
    2.510_042_415_700_506_7e-8,
];

/// `1 / (1 + exp(-a))`, exactly 0 below -15 and exactly 1 above 15.
#[inline(always)]
fn sigmoid(a: f64) -> f64 {
    // Clamped so that the exponent below stays in range; NaN passes through.
    let low = if a < -SATURATED { -SATURATED } else { a };
    let x = -(if low > SATURATED { SATURATED } else { low });
    let shifted = x.mul_add(std::f64::consts::LOG2_E, ROUND);
    let whole = shifted - ROUND;
    let r = whole.mul_add(-LN2_LOW, whole.mul_add(-LN2_HIGH, x));
    // Estrin's scheme: short chains let neighbouring values overlap.
    let (r2, pair) = (r * r, |k: usize| Q[k + 1].mul_add(r, Q[k]));
    let r4 = r2 * r2;
    let low = pair(2).mul_add(r2, pair(0));
    let high = pair(6).mul_add(r2, pair(4));
    let q = r4.mul_add(pair(8).mul_add(r4, high), low);
    let series = 1.0 + r2.mul_add(q, r);
    // Multiplies by 2^whole: the low bits of `shifted` go to the exponent.
    let exp = f64::from_bits(series.to_bits().wrapping_add(shifted.to_bits() << 52));
    let s = 1.0 / (1.0 + exp);
    let s = if a > SATURATED { 1.0 } else { s };
    if a < -SATURATED { 0.0 } else { s }
}

/// Replaces every value by its logistic function; one loop, so that the compiler vectorises it.
#[inline(always)]
pub(super) fn sigmoids(values: &mut [f64]) {
    for v in values {
        *v = sigmoid(*v);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnet::sequential;

    #[test]
    fn within_two_units_in_the_last_place_of_the_c_library() {
        let mut worst = 0;
        for i in -200_000i32..=200_000 {
            let a = f64::from(i) * 8e-5 + 1e-7 * f64::from(i % 13);
            let (fast, slow) = (sigmoid(a), sequential::sigmoid(a));
            worst = worst.max(fast.to_bits().abs_diff(slow.to_bits()));
        }
        assert!(worst <= 2, "{worst} ulp");
        let mut ends = [-15.000001, 15.000001, -1e300, f64::INFINITY, f64::NEG_INFINITY, 0.0];
        sigmoids(&mut ends);
        assert_eq!(ends, [0.0, 1.0, 0.0, 1.0, 0.0, 0.5]);
        assert!(sigmoid(f64::NAN).is_nan());
    }
}
