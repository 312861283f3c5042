//! Bumps, and how many rows each shall have: UBL's `C.perc`.

use crate::{ModelError, ParamValue, Params, Result};

/// What `share` asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Share {
    /// As many rows in each bump, or rare as normal ones.
    Balance,
    /// The sizes turned round: what was rare becomes frequent.
    Extreme,
    /// A factor for the bumps the step changes.
    Factor(f64),
}

impl Share {
    pub(super) fn of(params: &Params) -> Self {
        match params.get("share") {
            Some(ParamValue::Text(word)) if word == "extreme" => Self::Extreme,
            Some(ParamValue::Real(_) | ParamValue::Int(_)) => Self::Factor(params.real("share", 1.0)),
            _ => Self::Balance,
        }
    }
}

/// R's `round(value, digits)`.
fn round(value: f64, digits: i32) -> f64 {
    let unit = 10f64.powi(digits);
    (value * unit).round_ties_even() / unit
}

fn sizes(bumps: &[Bump], rare: bool) -> (f64, f64) {
    let of_kind = bumps.iter().filter(|b| b.rare == rare);
    (of_kind.clone().map(|b| b.rows.len() as f64).sum(), of_kind.count() as f64)
}

/// How many rows a step wants of each bump of the kind it changes, as a multiple of those there are: as many
/// as of the other kind, or the sizes turned round. Bumps of the other kind get `otherwise`.
fn changed(share: Share, bumps: &[Bump], rare: bool, otherwise: f64) -> Vec<f64> {
    let ((_, own_bumps), (rows, other_bumps)) = (sizes(bumps, rare), sizes(bumps, !rare));
    let of = |bump: &Bump| {
        let n = bump.rows.len() as f64;
        match share {
            _ if bump.rare != rare => otherwise,
            Share::Balance => round(rows / own_bumps / n, 5),
            Share::Extreme => round((rows / other_bumps).powi(2) / (n * n), 5),
            Share::Factor(factor) => factor,
        }
    };
    bumps.iter().map(of).collect()
}

/// The share of each normal bump that `under` keeps; 1 for rare bumps.
pub(super) fn kept(share: Share, bumps: &[Bump]) -> Result<Vec<f64>> {
    let shares: Vec<f64> = changed(share, bumps, false, 1.0).iter().map(|c| c.min(1.0)).collect();
    leave_some("under", bumps, shares)
}

/// How many copies `over` adds to each rare bump, as a multiple of its rows; 0 for normal bumps.
pub(super) fn copied(share: Share, bumps: &[Bump]) -> Vec<f64> {
    changed(share, bumps, true, 0.0)
}

/// The size each bump shall have as a multiple of its rows, for the steps that shrink some bumps and grow
/// others.
pub(super) fn resized(step: &'static str, share: Share, bumps: &[Bump]) -> Result<Vec<f64>> {
    let n: f64 = bumps.iter().map(|b| b.rows.len() as f64).sum();
    let goal = (n / bumps.len() as f64).round_ties_even();
    let sum: f64 = bumps.iter().map(|b| goal * goal / b.rows.len() as f64).sum();
    let scale = bumps.len() as f64 * goal / sum;
    let of = |bump: &Bump| {
        let size = bump.rows.len() as f64;
        match share {
            Share::Balance => goal / size,
            Share::Extreme => {
                let wanted = round(goal * goal / size * scale, 2);
                round(wanted / size, if step == "noise" { 4 } else { 1 })
            }
            Share::Factor(factor) if bump.rare => 1.0 + factor,
            Share::Factor(_) => 1.0,
        }
    };
    leave_some(step, bumps, bumps.iter().map(of).collect())
}

/// The shares, if they leave rows of both kinds.
fn leave_some(step: &'static str, bumps: &[Bump], shares: Vec<f64>) -> Result<Vec<f64>> {
    for (rare, kind) in [(false, "normal"), (true, "rare")] {
        let mut of_kind = bumps.iter().zip(&shares).filter(|(b, _)| b.rare == rare);
        if of_kind.all(|(b, c)| count(*c, b.rows.len()) == 0) {
            let problem = format!("would leave no {kind} row; use share = \"balance\" or a larger number");
            return Err(ModelError::step(step, problem));
        }
    }
    Ok(shares)
}

/// ⌊share · rows⌋.
pub(super) fn count(share: f64, rows: usize) -> usize {
    (share * rows as f64) as usize
}

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
/// A bump ends where φ crosses `threshold`: at least it on one side, below it on the other. Targets are
/// finite and relevances from 0 to 1, as [`Rows::relevances`](super::Rows::relevances) has them.
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

    fn bumps(sizes: &[(usize, bool)]) -> Vec<Bump> {
        sizes.iter().map(|&(n, rare)| Bump { rows: (0..n).collect(), rare }).collect()
    }

    #[test]
    fn extreme_that_leaves_no_normal_row_is_refused() {
        // (1/1)²/1000² rounds to 0: UBL would return the one rare row alone.
        let one_rare_row = bumps(&[(1000, false), (1, true)]);
        let message = kept(Share::Extreme, &one_rare_row).unwrap_err().to_string();
        assert!(message.starts_with("under: would leave no normal row"), "{message}");
        assert!(kept(Share::Balance, &one_rare_row).is_ok());
        let message = resized("smote", Share::Extreme, &one_rare_row).unwrap_err().to_string();
        assert!(message.starts_with("smote: would leave no normal row"), "{message}");
    }

    /// UBL rounds to five digits: (20/1)²/7² = 8.163265… for copies, (7/1)²/20² = 0.1225 for what is kept,
    /// and balance brings 7 rows to 20 and 20 to 7.
    #[test]
    fn shares_are_rounded_as_ubl_does() {
        let two = bumps(&[(20, false), (7, true)]);
        assert_eq!(copied(Share::Extreme, &two), [0.0, 8.16327]);
        assert_eq!(copied(Share::Balance, &two), [0.0, 2.85714]);
        assert_eq!(kept(Share::Extreme, &two).unwrap(), [0.1225, 1.0]);
        assert_eq!(kept(Share::Balance, &two).unwrap(), [0.35, 1.0]);
        let three = bumps(&[(3, true), (30, false), (6, true)]);
        // Rare bumps share the normal rows: 15 each. Extreme: (30/1)²/3² and (30/1)²/6².
        assert_eq!(copied(Share::Balance, &three), [5.0, 0.0, 2.5]);
        assert_eq!(copied(Share::Extreme, &three), [100.0, 0.0, 25.0]);
        assert_eq!(kept(Share::Balance, &three).unwrap(), [1.0, 0.3, 1.0]);
        // (9/2)²/30² = 0.0225 of 30 rows is none; of the 60 rows beside 12 and 6 rare ones, (18/2)²/60²
        // leaves one.
        assert!(kept(Share::Extreme, &three).is_err());
        let four = bumps(&[(12, true), (60, false), (6, true)]);
        assert_eq!(kept(Share::Extreme, &four).unwrap(), [1.0, 0.0225, 1.0]);
    }

    #[test]
    fn a_number_changes_the_bumps_in_question_only() {
        let two = bumps(&[(40, false), (10, true)]);
        assert_eq!(kept(Share::Factor(0.3), &two).unwrap(), [0.3, 1.0]);
        assert_eq!(copied(Share::Factor(2.0), &two), [0.0, 2.0]);
        assert_eq!(resized("smote", Share::Factor(2.5), &two).unwrap(), [1.0, 3.5]);
    }
}

#[cfg(test)]
mod tests_of_bumps {
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
