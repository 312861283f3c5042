//! 1 − eˣ and the logistic function, written so that the compiler vectorises loops over them.
//!
//! The standard library's `exp` is one call per value. Here the argument is split as n·ln 2 + r and eʳ is the
//! quotient (q + 2r)/q of the classical minimax form (coefficients of fdlibm's `e_exp.c`), in plain
//! arithmetic without branches. No fused multiply-add is used, so every processor gives the same bits. Errors
//! stay below 3 units in the last place.

use pulp::Arch;

const LOG2_E: f64 = std::f64::consts::LOG2_E;
const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Adding 1.5·2⁵² rounds to an integer and leaves that integer in the low bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;
const P: [f64; 5] = [
    1.666_666_666_666_660_2e-1,
    -2.777_777_777_701_559_3e-3,
    6.613_756_321_437_934e-5,
    -1.653_390_220_546_525_2e-6,
    4.138_136_797_057_238_5e-8,
];

/// `x` = n·ln 2 + r as (2ⁿ, r, q) with eʳ = (q + 2r)/q; `x` is held inside ±708.
#[inline(always)]
fn split(x: f64) -> (f64, f64, f64) {
    let x = if x > 708.0 { 708.0 } else { x };
    let x = if x < -708.0 { -708.0 } else { x };
    let shifted = x * LOG2_E + ROUNDER;
    let n = shifted - ROUNDER;
    let power = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1.0f64.to_bits()));
    let r = (x - n * LN2_HIGH) - n * LN2_LOW;
    let z = r * r;
    let c = r - z * (P[0] + z * (P[1] + z * (P[2] + z * (P[3] + z * P[4]))));
    (power, r, 2.0 - c)
}

/// eˣ.
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    let (power, r, q) = split(x);
    power * ((q + 2.0 * r) / q)
}

/// 1 − eˣ, exact to the last digits also near x = 0.
#[inline(always)]
pub(crate) fn one_minus_exp(x: f64) -> f64 {
    let (power, r, q) = split(x);
    (1.0 - power) - power * (2.0 * r / q)
}

/// 1/(1 + e⁻ᵗ) with a single division.
#[inline(always)]
pub(crate) fn logistic(t: f64) -> f64 {
    let (power, r, q) = split(-t);
    q / (q + power * (q + 2.0 * r))
}

/// Writes `f` of each value of `from` to `to`, with the widest vectors this processor has.
#[inline(always)]
pub(crate) fn map_into(from: &[f64], to: &mut [f64], f: impl Fn(f64) -> f64) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (slot, &x) in to.iter_mut().zip(from) {
                *slot = f(x);
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ulps(a: f64, b: f64) -> u64 {
        a.to_bits().abs_diff(b.to_bits())
    }

    #[test]
    fn agrees_with_the_standard_library() {
        for i in -70_000..=70_000 {
            let x = f64::from(i) * 0.010_000_7;
            assert!(ulps(logistic(x), 1.0 / (1.0 + (-x).exp())) <= 4, "logistic({x})");
            assert!(ulps(exp(x), x.exp()) <= 3, "exp({x})");
        }
        for i in -4000..=4000 {
            let x = f64::from(i) * 1e-4;
            assert!((one_minus_exp(x) + x.exp_m1()).abs() <= 4e-16 * x.exp_m1().abs(), "1 - exp({x})");
        }
        assert!(logistic(f64::NAN).is_nan());
        assert_eq!(logistic(f64::INFINITY), 1.0);
        assert!(logistic(f64::NEG_INFINITY) < 1e-300);
    }
}
