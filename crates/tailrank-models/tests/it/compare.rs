//! One comparison of numbers for all tests: it fails on NaN.

/// The largest absolute difference of two lists; a different length or a number that is not finite is a
/// failed test.
pub fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "lists of different length");
    let mut largest = 0.0;
    for (i, (x, y)) in a.iter().zip(b).enumerate() {
        let difference = (x - y).abs();
        assert!(difference.is_finite(), "place {i}: {x} and {y}");
        if difference > largest {
            largest = difference;
        }
    }
    largest
}

/// Fails unless all numbers agree to `tolerance`; says how far apart they are.
#[track_caller]
pub fn assert_close(what: &str, a: &[f64], b: &[f64], tolerance: f64) {
    let distance = largest_difference(a, b);
    assert!(distance <= tolerance, "{what}: {distance:e} apart, allowed {tolerance:e}");
}
