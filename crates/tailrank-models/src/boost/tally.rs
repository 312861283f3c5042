//! Exact sums of gradients and masses.
//!
//! Gradients are rounded once to fixed point (23 to 39 bits below the largest, where other boosters keep the
//! 24 bits of an f32). From there every sum is one of integers: it does not depend on order, threads or
//! processor, and a histogram minus another is exact.

use super::mass::{LARGEST_SUM_BITS, Mass, power_of_two};

/// Gradient and mass of a row, or their sums.
pub(super) trait Tally: Copy + Default + Send + Sync {
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;

    /// The two sums, as floats without rounding.
    fn sums(self, format: Format) -> Sums;

    /// Words of the rows of a tree, for gradients at most `largest` in magnitude; how to read them.
    fn encode(gradients: &[f64], largest: f64, mass: &Mass, words: &mut Vec<Self>) -> Format;
}

/// A sum of gradients and a sum of masses, in the units of a [`Format`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sums {
    pub(super) gradient: f64,
    pub(super) mass: f64,
}

/// How words are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    /// Low bits that hold the mass, where both share a word.
    mass_bits: u32,
    /// Gradient of one unit.
    pub(super) unit: f64,
}

/// Both sums in one word: the mass in the low bits, the gradient above. Half the memory traffic.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Packed(u64);

/// Two words, for real weights and many rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pair {
    gradient: i64,
    mass: i64,
}

/// At least this many bits go to the mass, so that a gradient sum fits the mantissa of an f64.
const LEAST_MASS_BITS: u32 = 12;
/// At most this many, so that a gradient keeps 23 bits.
const MOST_MASS_BITS: u32 = 20;
/// 2⁵²: its lowest mantissa bit counts one.
const ONES: f64 = (1u64 << 52) as f64;
/// 1.5 · 2⁵²: the same for numbers with a sign.
const SIGNED_ONES: f64 = 1.5 * ONES;

fn bits_of(total: u64) -> u32 {
    u64::BITS - total.leading_zeros()
}

impl Packed {
    /// Whether rows of this mass fit.
    pub(super) fn holds(mass: &Mass) -> bool {
        !mass.is_real() && bits_of(mass.total()) <= MOST_MASS_BITS
    }
}

impl Tally for Packed {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }

    #[inline(always)]
    fn sums(self, format: Format) -> Sums {
        // Integers become mantissas, which every processor does on whole vectors; the sign bit is turned into
        // an offset.
        let offset = (1u64 << (63 - format.mass_bits)) as f64;
        let gradient = (self.0 ^ (1 << 63)) >> format.mass_bits;
        let mass = self.0 & ((1 << format.mass_bits) - 1);
        Sums {
            gradient: f64::from_bits(ONES.to_bits() | gradient) - (ONES + offset),
            mass: f64::from_bits(ONES.to_bits() | mass) - ONES,
        }
    }

    fn encode(gradients: &[f64], largest: f64, mass: &Mass, words: &mut Vec<Self>) -> Format {
        let mass_bits = bits_of(mass.total()).max(LEAST_MASS_BITS);
        let per_unit = units(largest, 63 - 2 * mass_bits);
        let word = |g: &f64| ((fixed(g * per_unit) << mass_bits) + 1) as u64;
        words.clear();
        match &mass.parts {
            Some(n) => words.extend(gradients.iter().zip(n).map(|(g, n)| Self(word(g).wrapping_mul(*n)))),
            None => words.extend(gradients.iter().map(|g| Self(word(g)))),
        }
        Format { mass_bits, unit: 1.0 / per_unit }
    }
}

impl Tally for Pair {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self { gradient: self.gradient + other.gradient, mass: self.mass + other.mass }
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self { gradient: self.gradient - other.gradient, mass: self.mass - other.mass }
    }

    #[inline(always)]
    fn sums(self, _: Format) -> Sums {
        let float = |v: i64| f64::from_bits((SIGNED_ONES.to_bits() as i64 + v) as u64) - SIGNED_ONES;
        Sums { gradient: float(self.gradient), mass: float(self.mass) }
    }

    fn encode(gradients: &[f64], largest: f64, mass: &Mass, words: &mut Vec<Self>) -> Format {
        words.clear();
        // Real masses are large already: gradients become fractions of the largest.
        let is_real = mass.is_real();
        let bits = if is_real { 0 } else { LARGEST_SUM_BITS - bits_of(mass.total()) };
        let per_unit = units(largest, bits);
        words.extend(gradients.iter().enumerate().map(|(i, g)| {
            let mass = mass.of(i) as i64;
            let gradient =
                if is_real { fixed(g * per_unit * mass as f64) } else { fixed(g * per_unit) * mass };
            Self { gradient, mass }
        }));
        Format { mass_bits: 0, unit: 1.0 / per_unit }
    }
}

/// The power of two that brings `largest` below 2^`bits`.
fn units(largest: f64, bits: u32) -> f64 {
    let exponent = (largest.to_bits() >> 52) as i32 - 1022;
    power_of_two(bits as i32 - exponent)
}

/// The nearest integer, for magnitudes below 2⁵¹.
#[inline(always)]
fn fixed(v: f64) -> i64 {
    (v + SIGNED_ONES).to_bits() as i64 - SIGNED_ONES.to_bits() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums_of<T: Tally>(gradients: &[f64], mass: &Mass) -> (f64, f64) {
        let largest = gradients.iter().fold(0.0_f64, |m, g| m.max(g.abs()));
        let mut words = Vec::new();
        let format = T::encode(gradients, largest, mass, &mut words);
        let all = words.iter().fold(T::default(), |sum, w| sum.plus(*w));
        // Taking one away again leaves the others.
        let others = all.minus(words[0]).sums(format);
        let first = words[0].sums(format);
        let sums = all.sums(format);
        assert_eq!(others.gradient + first.gradient, sums.gradient);
        assert_eq!(others.mass + first.mass, sums.mass);
        (sums.gradient * format.unit, sums.mass)
    }

    #[test]
    fn sums_are_exact_with_either_sign_and_any_mass() {
        let gradients = [0.75, -3.0, 0.125, 2.0];
        let negative: Vec<f64> = gradients.iter().map(|g| -g).collect();
        let unit = Mass::new(None, 4).unwrap();
        let whole = Mass::new(Some(&[1.0, 2.0, 3.0, 4.0]), 4).unwrap();
        assert_eq!(sums_of::<Packed>(&gradients, &unit), (-0.125, 4.0));
        assert_eq!(sums_of::<Packed>(&negative, &unit), (0.125, 4.0));
        assert_eq!(sums_of::<Pair>(&gradients, &unit), (-0.125, 4.0));
        assert_eq!(sums_of::<Packed>(&gradients, &whole), (3.125, 10.0));
        assert_eq!(sums_of::<Pair>(&negative, &whole), (-3.125, 10.0));
        let real = Mass::new(Some(&[0.5, 1.0, 1.5, 2.0]), 4).unwrap();
        let (gradient, mass) = sums_of::<Pair>(&gradients, &real);
        assert_eq!((gradient / real.per_unit(), mass / real.per_unit()), (3.125 / 2.0, 5.0));
    }

    #[test]
    fn the_largest_sums_fit() {
        for rows in [1usize, 4095, 4096, 5028, (1 << 20) - 1] {
            let mass = Mass::new(None, rows).unwrap();
            assert!(Packed::holds(&mass));
            for g in [1.0, -1.0, 1.0 - f64::EPSILON, 0.5 + f64::EPSILON] {
                // The rounding of one gradient, times the rows.
                let gradients = vec![g; rows];
                let (packed, n) = sums_of::<Packed>(&gradients, &mass);
                assert_eq!(n, rows as f64);
                assert!((packed - g * rows as f64).abs() <= rows as f64 * 2f64.powi(-23), "{rows} {g}");
                let (pair, n) = sums_of::<Pair>(&gradients, &mass);
                assert_eq!(n, rows as f64);
                assert!((pair - g * rows as f64).abs() <= rows as f64 * 2f64.powi(-29), "{rows} {g}");
            }
        }
        assert!(!Packed::holds(&Mass::new(None, 1 << 20).unwrap()));
    }
}
