//! Bradley & Terry's model: how strong each entrant is, from who beat whom.

use crate::{
    Result, StatsError,
    error::{check_finite, check_open_unit},
};

/// Log-strengths θ of entrants from pairwise wins, with mean 0: i beats j with probability 1 / (1 + exp(θ_j −
/// θ_i)).
///
/// `wins[i][j]` is how often i beat j; a tie is half a win for both. The penalty `ridge`·Σθ²/2 keeps an
/// entrant that never lost finite (Bradley & Terry 1952; the penalised likelihood of `choix` with α = ridge /
/// 2).
///
/// ```
/// use tailrank_stats::bradley_terry;
///
/// // One beats the other three times of four: the odds are 3, θ differs by ln 3.
/// let strengths = bradley_terry(&[vec![0.0, 3.0], vec![1.0, 0.0]], 1e-9)?;
/// assert!((strengths[0] - strengths[1] - 3f64.ln()).abs() < 1e-6);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
///
/// # Errors
/// A table that is not square, a number that is no count of wins, or a ridge that is not between 0 and 1.
pub fn bradley_terry(wins: &[Vec<f64>], ridge: f64) -> Result<Vec<f64>> {
    const MOST_STEPS: usize = 100;
    const TOLERANCE: f64 = 1e-12;
    check_open_unit("ridge", ridge)?;
    let n = wins.len();
    for row in wins {
        check_finite("wins", row)?;
        if row.len() != n || row.iter().any(|w| *w < 0.0) {
            let reason = "give a square table of counts of 0 or more";
            return Err(StatsError::Degenerate { what: "Bradley and Terry's strength", reason });
        }
    }
    let mut theta = vec![0.0; n];
    for _ in 0..MOST_STEPS {
        // Newton's step on the penalised log-likelihood, which is strictly concave.
        let mut gradient: Vec<f64> = theta.iter().map(|t| -ridge * t).collect();
        let mut hessian = vec![vec![0.0; n]; n];
        for i in 0..n {
            hessian[i][i] += ridge;
            for j in 0..i {
                let games = wins[i][j] + wins[j][i];
                let p = 1.0 / (1.0 + (theta[j] - theta[i]).exp());
                let pull = wins[i][j] - games * p;
                gradient[i] += pull;
                gradient[j] -= pull;
                let curvature = games * p * (1.0 - p);
                hessian[i][i] += curvature;
                hessian[j][j] += curvature;
                hessian[i][j] -= curvature;
                hessian[j][i] -= curvature;
            }
        }
        let step = solve(hessian, gradient);
        let largest = step.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
        // Far steps of a flat start are shortened, so that the next one is not worse.
        let scale = if largest > 2.0 { 2.0 / largest } else { 1.0 };
        theta.iter_mut().zip(&step).for_each(|(t, s)| *t += scale * s);
        if largest < TOLERANCE {
            break;
        }
    }
    let mean = theta.iter().sum::<f64>() / n.max(1) as f64;
    theta.iter_mut().for_each(|t| *t -= mean);
    Ok(theta)
}

/// Solves a positive definite system by Cholesky's factorisation.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for j in 0..n {
        for k in 0..j {
            let l = a[j][k];
            for row in a.iter_mut().skip(j) {
                row[j] -= row[k] * l;
            }
        }
        let root = a[j][j].sqrt();
        a[j][j] = root;
        for row in a.iter_mut().skip(j + 1) {
            row[j] /= root;
        }
    }
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| a[i][k] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i][i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| a[k][i] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i][i];
    }
    b
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// x from A·x, for A = B·Bᵀ + I, which is positive definite for any B.
        #[test]
        fn equations_are_solved(n in 1usize..7, entries in prop::collection::vec(-2.0f64..2.0, 42)) {
            let (b, x) = (|i: usize, j: usize| entries[6 * i + j], &entries[36..36 + n]);
            let product = |i: usize, j: usize| (0..n).map(|k| b(i, k) * b(j, k)).sum::<f64>() + f64::from(i == j);
            let a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| product(i, j)).collect()).collect();
            let right = a.iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect();
            for (found, x) in solve(a, right).iter().zip(x) {
                prop_assert!((found - x).abs() < 1e-9, "{found} for {x}");
            }
        }
    }

    /// `choix` 0.4 and `evalica` 0.4.2 on the same wins: `scripts/fixtures/arena.py` wrote the file.
    #[test]
    fn strengths_are_those_of_choix_and_evalica() {
        let text = include_str!("../tests/fixtures/bradley_terry.json");
        let cases: serde_json::Value = serde_json::from_str(text).unwrap();
        let numbers = |v: &serde_json::Value| -> Vec<f64> {
            v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
        };
        for case in cases.as_array().unwrap() {
            let wins: Vec<Vec<f64>> = case["wins"].as_array().unwrap().iter().map(numbers).collect();
            for (key, ridge) in [("choix", case["ridge"].as_f64().unwrap()), ("evalica", 1e-9)] {
                let found = bradley_terry(&wins, ridge).unwrap();
                for (a, b) in found.iter().zip(numbers(&case[key])) {
                    assert!((a - b).abs() < 1e-6, "{key}: {a} and {b}");
                }
            }
        }
    }

    #[test]
    fn who_never_loses_stays_finite_and_bad_tables_are_refused() {
        let strengths = bradley_terry(&[vec![0.0, 9.0], vec![0.0, 0.0]], 0.1).unwrap();
        assert!(strengths[0].is_finite() && strengths[0] > 1.0 && strengths[0] == -strengths[1]);
        assert!(bradley_terry(&[vec![0.0, 1.0]], 0.1).is_err());
        assert!(bradley_terry(&[vec![0.0, -1.0], vec![0.0, 0.0]], 0.1).is_err());
        assert_eq!(bradley_terry(&[], 0.1).unwrap(), Vec::<f64>::new());
    }

    proptest! {
        /// At the maximum, every entrant's expected wins less the penalty are its wins.
        #[test]
        fn expected_wins_are_the_wins(seed in prop::collection::vec(0.0..9.0f64, 16)) {
            let wins: Vec<Vec<f64>> =
                (0..4).map(|i| (0..4).map(|j| if i == j { 0.0 } else { seed[4 * i + j] }).collect()).collect();
            let theta = bradley_terry(&wins, 0.01).unwrap();
            for i in 0..4 {
                let expected: f64 = (0..4)
                    .filter(|j| *j != i)
                    .map(|j| (wins[i][j] + wins[j][i]) / (1.0 + (theta[j] - theta[i]).exp()))
                    .sum();
                let won: f64 = wins[i].iter().sum();
                prop_assert!((won - expected - 0.01 * theta[i]).abs() < 1e-8);
            }
        }
    }
}
