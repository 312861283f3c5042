//! UT08's argument without its data: one vector of errors, laid out twice. The models share MAD and MSE; the
//! one whose small errors fall on the relevant cases has positive mean utility, the other negative.
//!
//! All values are multiples of 1/16, so sums of errors and squares are exact.

use tailrank_metrics::{Relevance, utility::Ut08};

const TRUTH: [f64; 12] = [-4.0, -3.25, -2.75, -2.5, -0.5, -0.25, 0.125, 0.5, 2.5, 2.75, 3.5, 4.25];
/// Errors from small to large, signed so that no prediction loses its side.
const ERRORS: [f64; 12] = [0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375, 0.875, 1.0, 1.125, 1.25, 1.5];

fn relevance() -> Relevance {
    Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4).unwrap()
}

/// Predictions that give the smallest errors to the least (`true`) or most relevant cases.
fn model(small_errors_on_irrelevant: bool) -> Vec<f64> {
    let relevance = relevance();
    let mut order: Vec<usize> = (0..TRUTH.len()).collect();
    order.sort_by(|&a, &b| relevance.phi(TRUTH[a]).total_cmp(&relevance.phi(TRUTH[b])));
    if !small_errors_on_irrelevant {
        order.reverse();
    }
    let mut predicted = TRUTH.to_vec();
    for (&case, error) in order.iter().zip(ERRORS) {
        predicted[case] += error * TRUTH[case].signum();
    }
    predicted
}

fn mad_and_mse(predicted: &[f64]) -> (f64, f64) {
    let errors = || TRUTH.iter().zip(predicted).map(|(y, z)| (z - y).abs());
    (errors().sum::<f64>() / 12.0, errors().map(|e| e * e).sum::<f64>() / 12.0)
}

#[test]
fn equal_errors_opposite_utility() {
    let (m1, m2) = (model(true), model(false));
    assert_ne!(m1, m2);
    assert_eq!(mad_and_mse(&m1), mad_and_mse(&m2));
    for p in [0.0, 0.5, 1.0] {
        let utility = Ut08::new(1.0, 0.5, p, None).unwrap();
        let mean = |model: &[f64]| utility.mean(&TRUTH, model, &relevance()).unwrap().value().unwrap();
        assert!(mean(&m1) < -0.1, "p = {p}: {}", mean(&m1));
        assert!(mean(&m2) > 0.1, "p = {p}: {}", mean(&m2));
    }
}

/// Eq. 1 and 2 against values worked out by hand (η = ln 2, so that 1 − e^(−η) = ½).
#[test]
fn equations_1_and_2_by_hand() {
    let utility = Ut08::new(4.0, 1.0, 0.25, Some(std::f64::consts::LN_2)).unwrap();
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-15, "{a} is not {b}");
    close(utility.zeta(0.0), 2.0);
    close(utility.zeta(1.0), 0.0);
    close(utility.zeta(2.0), -2.0);
    close(utility.zeta(3.0), -3.0);
    // Within t the smaller relevance counts; beyond it ¾ φ(ŷ) + ¼ φ(y).
    close(utility.of_parts(0.8, 0.5, 0.0), 1.0);
    close(utility.of_parts(0.8, 0.4, 2.0), -2.0 * (0.75 * 0.4 + 0.25 * 0.8));
}

/// UT08 Fig. 4 (t = 15, p = 0.6): best on the relevant end of the diagonal, worst at the far corners.
#[test]
fn surface_of_figure_4() {
    let relevance = Relevance::table(&[(0.0, 0.0), (100.0, 1.0)]).unwrap();
    let utility = Ut08::new(1.0, 15.0, 0.6, None).unwrap();
    let grid: Vec<f64> = (0..=20).map(|i| f64::from(i) * 5.0).collect();
    let surface = utility.surface(&grid, &grid, &relevance).unwrap();
    assert_eq!((surface.len(), surface[0].len()), (21, 21));
    assert!((surface[20][20] - 0.9999).abs() < 1e-12);
    assert_eq!(surface[0][0], 0.0);
    // A missed event costs p, a false alarm 1 − p, up to the decay of ζ.
    assert!((surface[20][0] + 0.6).abs() < 1e-3 && (surface[0][20] + 0.4).abs() < 1e-3);
    for (i, &y) in grid.iter().enumerate() {
        for (j, &z) in grid.iter().enumerate() {
            assert_eq!(surface[i][j], utility.utilities(&[y], &[z], &relevance).unwrap()[0]);
        }
    }
}
