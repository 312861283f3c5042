//! Decimals as numbers.

/// Powers of ten that floating-point numbers hold exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The number nearest to `unscaled`·10^−`scale`.
pub(super) fn nearest(unscaled: i128, scale: u32) -> f64 {
    const EXACT: i128 = 1 << f64::MANTISSA_DIGITS;
    match POWERS.get(scale as usize) {
        // Both are exact, so their quotient is the nearest number.
        Some(power) if unscaled.abs() <= EXACT => unscaled as f64 / power,
        // Texts are read to the nearest number, too.
        _ => format!("{unscaled}e-{scale}").parse().unwrap_or(f64::NAN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::excessive_precision)] // The digits of the decimals themselves.
    fn the_nearest_number_is_that_of_the_digits() {
        for (whole, scale, expected) in [
            (5050, 2, 50.50),
            (-1, 1, -0.1),
            (0, 38, 0.0),
            (i128::from(i64::MAX), 18, 9.223372036854775807),
            (1234567890123456789, 9, 1234567890.123456789),
            (99999999999999999999999999999999999999, 38, 0.99999999999999999999999999999999999999),
            (-99999999999999999999999999999999999999, 0, -99999999999999999999999999999999999999.0),
            (3, 23, 3e-23),
        ] {
            let found = nearest(whole, scale);
            assert!(found.to_bits() == f64::to_bits(expected), "{whole}e-{scale}: {found}");
        }
    }
}
