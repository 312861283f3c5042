//! Bumps: runs of the sorted target on one side of the relevance threshold.

use crate::{ModelError, Result};

/// Training rows that follow one another in the order of the target, all relevant or all not.
#[derive(Clone, Debug, PartialEq)]
pub struct Bump {
    /// Rows, in their own order.
    pub rows: Vec<usize>,
    /// Whether the mean relevance reaches the threshold.
    pub rare: bool,
}

/// The bumps of targets `y` with relevances `phi`, by increasing target.
///
/// A bump ends where φ crosses `threshold`: at least it on one side, below it on the other.
///
/// ```
/// use tailrank_models::steps::bumps;
///
/// let found = bumps("smote", &[0.1, 9.0, 0.2, 8.0], &[0.0, 1.0, 0.1, 0.9], 0.8)?;
/// assert_eq!((found[0].rows.as_slice(), found[0].rare), ([0, 2].as_slice(), false));
/// assert_eq!((found[1].rows.as_slice(), found[1].rare), ([1, 3].as_slice(), true));
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
pub fn bumps(step: &'static str, y: &[f64], phi: &[f64], threshold: f64) -> Result<Vec<Bump>> {
    let fail = |problem: String| Err(ModelError::step(step, problem));
    if y.len() != phi.len() {
        return fail(format!("{} targets but {} relevances", y.len(), phi.len()));
    }
    if let Some(i) = phi.iter().position(|p| !(0.0..=1.0).contains(p)) {
        return fail(format!("the relevance of training row {} is {}, not from 0 to 1", i + 1, phi[i]));
    }
    if let Some(i) = y.iter().position(|v| !v.is_finite()) {
        return fail(format!("training target row {} is {}", i + 1, y[i]));
    }
    // Values beside their rows: sorting by look-ups would wander through memory.
    let mut order: Vec<(f64, usize)> = y.iter().copied().zip(0..).collect();
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let order: Vec<usize> = order.into_iter().map(|(_, row)| row).collect();
    let is_high = |row: &usize| phi[*row] >= threshold;
    let runs: Vec<&[usize]> = order.chunk_by(|a, b| is_high(a) == is_high(b)).collect();
    let mut run_of = vec![0; y.len()];
    let mut found: Vec<Bump> = Vec::with_capacity(runs.len());
    for (r, run) in runs.iter().enumerate() {
        run.iter().for_each(|&row| run_of[row] = r);
        let mean = run.iter().map(|&row| phi[row]).sum::<f64>() / run.len() as f64;
        found.push(Bump { rows: Vec::with_capacity(run.len()), rare: mean >= threshold });
    }
    // Their own order without sorting once more.
    run_of.iter().enumerate().for_each(|(row, &r)| found[r].rows.push(row));
    let rare = found.iter().filter(|b| b.rare).count();
    let (every, advice) = ("the relevance of every training row is", "`threshold` or move the relevance");
    if rare == 0 {
        return fail(format!("no rare row: {every} below {threshold}; lower {advice}"));
    }
    if rare == found.len() {
        return fail(format!("no normal row: {every} at least {threshold}; raise {advice}"));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_crossing_is_a_named_error() {
        let message = |phi: &[f64]| bumps("smote", &[1.0, 2.0], phi, 0.8).unwrap_err().to_string();
        assert_eq!(
            message(&[0.1, 0.2]),
            "smote: no rare row: the relevance of every training row is below 0.8; \
             lower `threshold` or move the relevance"
        );
        assert!(message(&[0.9, 0.8]).starts_with("smote: no normal row"));
        assert!(message(&[0.9, f64::NAN]).contains("row 2 is NaN"));
        assert!(bumps("over", &[1.0, f64::INFINITY], &[0.0, 1.0], 0.8).is_err());
    }

    #[test]
    fn two_tails_are_two_rare_bumps() {
        let y = [5.0, -9.0, 0.0, 9.0, 0.5, -8.0];
        let phi = y.map(|v: f64| (v.abs() / 9.0).min(1.0));
        let found = bumps("smote", &y, &phi, 0.8).unwrap();
        let rows: Vec<_> = found.iter().map(|b| (b.rows.clone(), b.rare)).collect();
        assert_eq!(rows, [(vec![1, 5], true), (vec![0, 2, 4], false), (vec![3], true)]);
    }
}
