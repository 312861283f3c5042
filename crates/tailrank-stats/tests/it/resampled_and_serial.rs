//! Diebold–Mariano and the corrected resampled t test against their formulas evaluated in R 4.2 (`acf`,
//! `var`, `pt`).

use tailrank_stats::{Alternative, LongRunVariance, corrected_resampled_t, diebold_mariano};

const X: [f64; 20] = [
    0.52, 0.11, 0.43, 0.35, 0.21, 0.66, 0.13, 0.24, 0.37, 0.48, 0.09, 0.31, 0.28, 0.57, 0.44, 0.19, 0.36,
    0.25, 0.62, 0.15,
];
const Y: [f64; 20] = [
    0.91, 0.34, 0.22, 0.85, 0.63, 0.71, 0.52, 0.12, 0.44, 0.29, 0.35, 0.48, 0.31, 0.77, 0.40, 0.42, 0.18,
    0.51, 0.83, 0.22,
];

#[test]
fn diebold_mariano_with_hln() {
    for (h, kernel, statistic, p) in [
        (1, LongRunVariance::Rectangular, -2.894959431613974, 0.009280893547906096),
        (2, LongRunVariance::Rectangular, -4.19267145489866, 0.0004934988736147658),
        (2, LongRunVariance::Bartlett, -3.248997164507295, 0.004223227192571747),
        (3, LongRunVariance::Rectangular, -3.8809055328272994, 0.0010057265716339346),
        (3, LongRunVariance::Bartlett, -3.28413035448176, 0.003902344530441251),
        (5, LongRunVariance::Rectangular, -3.688361510289778, 0.001560598906334514),
        (5, LongRunVariance::Bartlett, -3.0320669323548826, 0.006856612875988596),
    ] {
        let answer = diebold_mariano(&X, &Y, h, kernel, Alternative::TwoSided).unwrap();
        assert!((answer.statistic - statistic).abs() < 1e-12, "h {h}: {answer:?}");
        assert!((answer.p_value - p).abs() < 1e-14, "h {h}: {answer:?}");
        let less = diebold_mariano(&X, &Y, h, kernel, Alternative::Less).unwrap();
        assert!((less.p_value - 0.5 * p).abs() < 1e-14);
        let swapped = diebold_mariano(&Y, &X, h, kernel, Alternative::TwoSided).unwrap();
        assert!((swapped.statistic + statistic).abs() < 1e-12);
    }
}

#[test]
fn a_negative_rectangular_variance_is_replaced_and_named() {
    // Strictly alternating differences: γ₁ is close to −γ₀, so γ₀ + 2γ₁ < 0.
    let x: Vec<f64> = (0..20).map(|i| if i % 2 == 0 { 1.0 } else { 0.1 }).collect();
    let y = [0.5; 20];
    let answer = diebold_mariano(&x, &y, 2, LongRunVariance::Rectangular, Alternative::TwoSided).unwrap();
    assert_eq!(answer.method, "HLN, Bartlett variance (the rectangular one is not positive)");
    let bartlett = diebold_mariano(&x, &y, 2, LongRunVariance::Bartlett, Alternative::TwoSided).unwrap();
    assert_eq!(answer.p_value, bartlett.p_value);
}

#[test]
fn corrected_resampled_t_of_nadeau_and_bengio() {
    let x = [0.81, 0.84, 0.79, 0.83, 0.80, 0.86, 0.78, 0.82, 0.85, 0.81];
    let y = [0.80, 0.81, 0.79, 0.80, 0.82, 0.83, 0.77, 0.80, 0.82, 0.80];
    let answer = corrected_resampled_t(&x, &y, 900, 100, Alternative::TwoSided).unwrap();
    assert!((answer.statistic - 1.978672536164229).abs() < 1e-12, "{answer:?}");
    assert!((answer.p_value - 0.07922872637788442).abs() < 1e-13, "{answer:?}");
}
