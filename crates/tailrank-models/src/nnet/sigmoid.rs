//! The logistic function over a group of numbers, without a branch or a call.

use super::{
    lanes::{Lanes, WIDTH},
    sequential::SATURATED,
};

/// 1.5 · 2⁵²: adding it rounds to a whole number and leaves that number in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;
const LN2_HIGH: f64 = 6.931_471_803_691_238_16e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// 1/k! for k = 13 down to 0: on |r| ≤ ln 2 / 2 the truncated series errs by less than 5e-18.
const SERIES: [f64; 14] = [
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];

/// `1 / (1 + exp(-a))`, exactly 0 below -15 and exactly 1 above 15.
#[inline(always)]
pub(super) fn sigmoid(a: Lanes) -> Lanes {
    let mut out = [0.0; WIDTH];
    for l in 0..WIDTH {
        // Clamped so that the exponent below stays in range; NaN passes through.
        let x = -(if a[l] > SATURATED { SATURATED } else if a[l] < -SATURATED { -SATURATED } else { a[l] });
        let shifted = x.mul_add(std::f64::consts::LOG2_E, ROUND);
        let whole = shifted - ROUND;
        let r = whole.mul_add(-LN2_LOW, whole.mul_add(-LN2_HIGH, x));
        let mut series = SERIES[0];
        for c in &SERIES[1..] {
            series = series.mul_add(r, *c);
        }
        // Multiplies by 2^whole: the low bits of `shifted` go to the exponent.
        let exp = f64::from_bits(series.to_bits().wrapping_add(shifted.to_bits() << 52));
        let s = 1.0 / (1.0 + exp);
        out[l] = if a[l] > SATURATED { 1.0 } else if a[l] < -SATURATED { 0.0 } else { s };
    }
    out
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
            let (fast, slow) = (sigmoid([a; WIDTH])[0], sequential::sigmoid(a));
            worst = worst.max(fast.to_bits().abs_diff(slow.to_bits()));
        }
        assert!(worst <= 2, "{worst} ulp");
        let ends = [-15.000001, 15.000001, -1e300, f64::INFINITY, f64::NEG_INFINITY, -15.0, 15.0, 0.0];
        assert_eq!(sigmoid(ends)[..5], [0.0, 1.0, 0.0, 1.0, 0.0]);
        assert_eq!(sigmoid(ends)[7], 0.5);
    }
}
