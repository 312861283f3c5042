//! What the paper says, decided from what was found.

use tailrank_metrics::classification::BinaryCounts;

use super::{
    AVERAGE, AVERAGE_IN_TEXT, TABLE_1, TALLY,
    grim::SetValues,
    reaches_printed,
    results::{ACCURACY, BEST_POSSIBLE, NAMES, OARP, OTHERS, OarpResults, SetResults, Tally},
};
use crate::studies::prelude::*;

pub(super) fn claims(results: &OarpResults, printed: &[SetValues]) -> Result<Vec<Claim>> {
    let mut claims = vec![discriminating(results)];
    for other in OTHERS {
        claims.push(better_on_average(results, other)?);
        claims.push(better_everywhere(results, other)?);
        claims.push(significant(results, other)?);
    }
    claims.push(height(results));
    for other in OTHERS {
        let [_, tally] = results.readings[0].tallies(other)?;
        let [wins, none, losses] = tally;
        let words = claim("oarp/corrected").with(&[&NAMES[other]]);
        claims.push(words.stands(almost_all(tally), &[&wins, &none, &losses]));
        let tallies = results.readings[0].tallies_by_run(other)?;
        let reached = tallies.iter().filter(|tally| reaches_printed(tally)).count();
        let words = claim("oarp/ten-folds").with(&[&NAMES[other]]);
        claims.push(words.stands(often(reached, tallies.len()), &[&reached, &tallies.len()]));
    }
    claims.extend([one_run(printed), table_1(), no_bound(), misprint(results)]);
    Ok(claims)
}

pub(super) fn opening(results: &OarpResults) -> Result<String> {
    let (gain, p) = results.readings[0].average_gain(ACCURACY)?;
    let (reached, all) = (readings_that_reach(results, ACCURACY)?.len(), results.readings.len());
    let [gain, printed] = [gain, AVERAGE[OARP] - AVERAGE[ACCURACY]].map(|gain| format!("{gain:+.4}"));
    Ok(words::opening("oarp", &[&gain, &printed, &p_value(p), &reached, &all]))
}

/// The readings that get to Table 4's wins.
fn readings_that_reach(results: &OarpResults, other: usize) -> Result<Vec<&str>> {
    let mut reached = Vec::new();
    for reading in &results.readings {
        if reaches_printed(&reading.tallies(other)?[0]) {
            reached.push(reading.name.as_str());
        }
    }
    Ok(reached)
}

fn table_1() -> Claim {
    let [a, b] = TABLE_1.map(|(_, counts, _)| format!("{:.6}", counts.oarp()));
    let equal = TABLE_1.iter().all(|(_, counts, _)| counts.accuracy().value() == Some(0.95));
    let same = TABLE_1.map(|(_, _, printed)| format!("{printed:.6}")) == [a.as_str(), b.as_str()];
    claim("oarp/table-1").holds(equal && same, &[&a, &b])
}

/// AVRI is 0 wherever p₁ = r₂ and p₂ = r₁, which mistakes do not rule out.
fn no_bound() -> Claim {
    const CASES: u64 = 10;
    let (mut flat, mut above) = (0, 0);
    for (tp, tn) in (0..=CASES).flat_map(|tp| (0..=CASES).map(move |tn| (tp, tn))) {
        let c = BinaryCounts { tp, fn_: CASES - tp, tn, fp: CASES - tn };
        flat += usize::from(c.avri() == 0.0 && c.tp + c.tn < 2 * CASES);
        above += usize::from(c.oarp().value() > c.accuracy().value());
    }
    claim("oarp/no-bound").holds(above == 0 && flat == 0, &[&((CASES + 1) * (CASES + 1)), &above, &flat])
}

/// An average that the text and the table give differently.
fn misprint(results: &OarpResults) -> Claim {
    let column: Vec<f64> = results.readings[0].sets.iter().map(|s| s.set.printed[ACCURACY]).collect();
    let average = mean(&column);
    let [table, text] = [AVERAGE[ACCURACY], AVERAGE_IN_TEXT].map(|printed| (average - printed).abs() < 6e-5);
    let note = if table && !text { ": the table is right, the text mistyped" } else { "" };
    claim("oarp/misprint").holds(text, &[&average, &note])
}

/// Whether OARP tells candidates better apart than accuracy in a set: more different values, and fewer
/// candidates that share the best one.
fn finer([values, values_other]: [f64; 2], [tied, tied_other]: [f64; 2]) -> Standing {
    if values > values_other && tied < tied_other {
        Standing::Agree
    } else {
        let coarser = values < values_other || tied > tied_other;
        if coarser { Standing::Differ } else { Standing::TooClose }
    }
}

fn discriminating(results: &OarpResults) -> Claim {
    let sets = &results.readings[0].sets;
    // By OARP and by accuracy, set by set.
    let pair = |counts: [f64; 3]| [counts[OARP], counts[ACCURACY]];
    let distinct: Vec<[f64; 2]> = sets.iter().map(|s| pair(s.mean_count(|f| f.distinct))).collect();
    let tied: Vec<[f64; 2]> = sets.iter().map(|s| pair(s.mean_count(|f| f.tied))).collect();
    let average = |of: &[[f64; 2]], k: usize| mean(&of.iter().map(|s| s[k]).collect::<Vec<_>>());
    let standings: Vec<Standing> = distinct.iter().zip(&tied).map(|(d, t)| finer(*d, *t)).collect();
    claim("oarp/discriminating").stands(
        all_of(&standings),
        &[
            &count_of(&standings, Standing::Agree),
            &sets.len(),
            &average(&distinct, 0),
            &results.candidates,
            &average(&distinct, 1),
            &average(&tied, 0),
            &average(&tied, 1),
        ],
    )
}

/// A difference said to be above zero, by its test; without any spread there is no test, and no difference
/// either.
fn better(difference: f64, p: Option<f64>) -> Standing {
    p.map_or(Standing::TooClose, |p| tested(difference > 0.0, p))
}

fn better_on_average(results: &OarpResults, other: usize) -> Result<Claim> {
    let main = &results.readings[0];
    let (gain, p) = main.average_gain(other)?;
    let words = claim("oarp/average").with(&[&NAMES[other], &format!("{:.4}", AVERAGE[other])]);
    let [ours, others] = [OARP, other].map(|model| main.average(model));
    Ok(words.stands(better(gain, p), &[&ours, &others, &gain, &p_value(p)]))
}

fn better_everywhere(results: &OarpResults, other: usize) -> Result<Claim> {
    let main = &results.readings[0];
    let (mut standings, mut better_in, mut sure) = (Vec::new(), Vec::new(), 0);
    for (set, found) in main.sets.iter().zip(main.against(other)?) {
        let p = found.corrected.map(|t| t.p_value);
        standings.push(better(found.difference, p));
        sure += usize::from(p.is_some_and(|p| p < LEVEL));
        if found.difference > 0.0 {
            better_in.push(set.set.label.as_str());
        }
    }
    Ok(claim("oarp/everywhere")
        .with(&[&NAMES[other]])
        .stands(all_of(&standings), &[&better_in.len(), &standings.len(), &listed(&better_in), &sure]))
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) }
}

fn significant(results: &OarpResults, other: usize) -> Result<Claim> {
    let mut reached = readings_that_reach(results, other)?;
    let [tally, _] = results.readings[0].tallies(other)?;
    let [wins, none, losses] = tally;
    let main = reaches_printed(&tally);
    reached.drain(..usize::from(main));
    let standing = match (main, reached.is_empty()) {
        (true, _) => Standing::Agree,
        (false, false) => Standing::TooClose,
        (false, true) => Standing::Differ,
    };
    Ok(claim("oarp/significant").with(&[&NAMES[other], &TALLY[0]]).stands(
        standing,
        &[&wins, &none, &losses, &reached.len(), &(results.readings.len() - 1), &listed(&reached)],
    ))
}

/// A clear advantage "for almost all" sets, by the corrected test: all but one.
fn almost_all([wins, none, losses]: Tally) -> Standing {
    if losses == 0 && none <= 1 && wins > 0 {
        Standing::Agree
    } else if losses > wins {
        Standing::Differ
    } else {
        Standing::TooClose
    }
}

/// Whether the printed means are those of the runs the text speaks of.
fn one_run(sets: &[SetValues]) -> Claim {
    let values: usize = sets.iter().map(|s| s.values.len()).sum();
    let one = sets.iter().flat_map(|s| &s.values).filter(|v| v.totals.is_some()).count();
    let chance: f64 = sets.iter().map(|s| s.chance).product();
    claim("oarp/one-run").stands(
        if one < values { Standing::Agree } else { tested(false, chance) },
        &[&one, &values, &digits(chance)],
    )
}

/// A printed number within the range of the runs, to the four digits printed.
fn within(by_run: &[f64], printed: f64) -> bool {
    let low = by_run.iter().copied().fold(f64::INFINITY, f64::min);
    let high = by_run.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (low - 5e-5..=high + 5e-5).contains(&printed)
}

/// Whether the numbers of Table 3 are those of this method.
fn height(results: &OarpResults) -> Claim {
    let main = &results.readings[0];
    let inside =
        [0, 1, 2].map(|k| main.sets.iter().filter(|s| within(&s.by_run(k), s.set.printed[k])).count());
    let is_beyond = |s: &&SetResults| s.set.printed[OARP] > mean(&s.by_run(BEST_POSSIBLE));
    let beyond: Vec<&str> = main.sets.iter().filter(is_beyond).map(|s| s.set.label.as_str()).collect();
    claim("oarp/height").stands(
        holds(within(&main.average_by_run(OARP), AVERAGE[OARP])),
        &[
            &inside[0],
            &main.sets.len(),
            &inside[1],
            &inside[2],
            &main.average(OARP),
            &main.average(BEST_POSSIBLE),
            &beyond.len(),
            &listed(&beyond),
        ],
    )
}

#[cfg(test)]
mod tests {
    use Standing::{Agree, Differ, TooClose};

    use super::*;

    #[test]
    fn a_difference_needs_its_test() {
        assert_eq!(better(0.02, Some(0.01)), Agree);
        assert_eq!(better(-0.02, Some(0.01)), Differ);
        assert_eq!(better(0.02, Some(0.2)), TooClose);
        assert_eq!(better(0.0, None), TooClose);
    }

    #[test]
    fn four_digits_are_within_the_runs_or_not() {
        assert!(within(&[0.80, 0.82], 0.81) && within(&[0.80, 0.82], 0.820_05));
        assert!(!within(&[0.80, 0.82], 0.85) && !within(&[], 0.85));
    }

    #[test]
    fn finer_in_values_and_ties() {
        assert_eq!(finer([400.0, 100.0], [1.0, 1.4]), Agree);
        assert_eq!(finer([90.0, 100.0], [1.0, 1.4]), Differ);
        assert_eq!(finer([400.0, 100.0], [1.0, 1.0]), TooClose);
    }

    #[test]
    fn almost_all_is_all_but_one() {
        assert_eq!(almost_all([4, 1, 0]), Agree);
        assert_eq!(almost_all([0, 3, 2]), Differ);
        assert_eq!(almost_all([1, 2, 2]), Differ);
        assert_eq!(almost_all([0, 5, 0]), TooClose);
        assert_eq!(almost_all([2, 3, 0]), TooClose);
    }
}
