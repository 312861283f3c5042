//! How many rows each bump shall have: UBL's `C.perc`.

use super::bumps::Bump;
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

/// The share of each normal bump that `under` keeps; 1 for rare bumps.
pub(super) fn kept(share: Share, bumps: &[Bump]) -> Result<Vec<f64>> {
    let (rare, rare_bumps) = sizes(bumps, true);
    let (_, normal_bumps) = sizes(bumps, false);
    let of = |bump: &Bump| {
        let n = bump.rows.len() as f64;
        match share {
            _ if bump.rare => 1.0,
            Share::Balance => round(rare / normal_bumps / n, 5).min(1.0),
            Share::Extreme => round((rare / rare_bumps).powi(2) / (n * n), 5).min(1.0),
            Share::Factor(factor) => factor.min(1.0),
        }
    };
    let shares: Vec<f64> = bumps.iter().map(of).collect();
    let normal_left = bumps.iter().zip(&shares).any(|(b, c)| !b.rare && count(*c, b.rows.len()) > 0);
    if !normal_left {
        let problem = "would leave no normal row; use share = \"balance\" or a larger number";
        return Err(ModelError::step("under", problem));
    }
    Ok(shares)
}

/// How many copies `over` adds to each rare bump, as a multiple of its rows; 0 for normal bumps.
pub(super) fn copied(share: Share, bumps: &[Bump]) -> Vec<f64> {
    let (normal, normal_bumps) = sizes(bumps, false);
    let (_, rare_bumps) = sizes(bumps, true);
    let of = |bump: &Bump| {
        let n = bump.rows.len() as f64;
        match share {
            _ if !bump.rare => 0.0,
            Share::Balance => round(normal / rare_bumps / n, 5),
            Share::Extreme => round((normal / normal_bumps).powi(2) / (n * n), 5),
            Share::Factor(factor) => factor,
        }
    };
    bumps.iter().map(of).collect()
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
    let shares: Vec<f64> = bumps.iter().map(of).collect();
    let gone = |rare: bool| {
        let mut kept = bumps.iter().zip(&shares).filter(|(b, _)| b.rare == rare);
        kept.all(|(b, c)| count(*c, b.rows.len()) == 0)
    };
    for (rare, kind) in [(false, "normal"), (true, "rare")] {
        if gone(rare) {
            let problem = format!("would leave no {kind} row; use share = \"balance\"");
            return Err(ModelError::step(step, problem));
        }
    }
    Ok(shares)
}

/// ⌊share · rows⌋.
pub(super) fn count(share: f64, rows: usize) -> usize {
    (share * rows as f64) as usize
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
