//! What the paper says, decided from what was found.

use tailrank_metrics::classification::BinaryCounts;
use tailrank_report::claims::Claim;

use super::{
    fold::Fold,
    grim, paper,
    results::{Model, OarpResults, SetResults, mean},
    rules,
    tables::tallies,
    ten_folds,
};
use crate::studies::{
    Opening, Result,
    decide::{digits, finding, holds, identity, ours, p_value},
};

const OTHERS: [Model; 2] = [Model::Accuracy, Model::F];

pub(super) fn claims(results: &OarpResults) -> Result<Vec<Claim>> {
    let mut claims = vec![discriminating(results)];
    for (k, other) in OTHERS.into_iter().enumerate() {
        claims.push(better_on_average(results, other, k)?);
        claims.push(better_everywhere(results, other)?);
        claims.push(significant(results, other, k)?);
    }
    claims.push(height(results));
    for (k, other) in OTHERS.into_iter().enumerate() {
        claims.push(corrected(results, other)?);
        claims.push(with_ten_folds(results, other, k)?);
    }
    claims.push(one_run(results));
    claims.extend([table_1(), no_bound(), misprint()]);
    Ok(claims)
}

pub(super) fn opening(results: &OarpResults) -> Result<Opening> {
    let (gain, test) = results.main.average_gain(Model::Accuracy)?;
    let mut reached = 0;
    for reading in std::iter::once(&results.main).chain(&results.others) {
        let [paired, _] = tallies(reading, Model::Accuracy, results.level)?;
        reached += usize::from(rules::wins(paired, paper::tally(0), 0) == holds(true));
    }
    let readings = 1 + results.others.len();
    Ok(Opening {
        paper: "The paper says that Monte Carlo Sampling chosen by OARP instead of accuracy or F classifies better in all five data sets, \
                significantly in four."
            .to_owned(),
        found: format!(
            "Run again, choosing by OARP instead of accuracy changes the average test accuracy by {gain:+.4}, where the \
             paper has {:+.4}.",
            paper::AVERAGE[2] - paper::AVERAGE[0]
        ),
        sure: format!(
            "The difference from accuracy has p {} by a test that allows for shared training rows, and {reached} of {readings} readings of what \
             the paper leaves open reach its wins against accuracy; table3.md shows what its printed numbers can be made of.",
            p_value(test.map(|t| t.p_value))
        ),
    })
}

fn table_1() -> Claim {
    let line = |acc: &dyn Fn(usize) -> String| format!("OARP is {} for a, {} for b", acc(0), acc(1));
    let printed = line(&|i| format!("{:.6}", paper::TABLE_1[i].3));
    let found = line(&|i| format!("{:.6}", paper::TABLE_1[i].1.oarp()));
    let equal = paper::TABLE_1.iter().all(|(_, c, acc, _)| c.accuracy().value() == Some(*acc));
    let says = format!("Equal accuracy of 0.95, but {printed}");
    identity("OARP11 Table 1", &says).stands(
        holds(equal && same_digits(&printed, &found)),
        found,
        "counter-example.csv; eq. 1–2 with the absolute value they lack; agree to the six digits printed, differ otherwise",
    )
}

fn same_digits(printed: &str, found: &str) -> bool {
    printed == found
}

/// AVRI is 0 wherever p₁ = r₂ and p₂ = r₁, which mistakes do not rule out.
fn no_bound() -> Claim {
    const CASES: u64 = 10;
    let (mut flat, mut above) = (0, 0);
    for tp in 0..=CASES {
        for tn in 0..=CASES {
            let c = BinaryCounts { tp, fn_: CASES - tp, tn, fp: CASES - tn };
            flat += usize::from(c.avri() == 0.0 && c.tp + c.tn < 2 * CASES);
            above += usize::from(c.oarp().value() > c.accuracy().value());
        }
    }
    let found = format!(
        "Of all {} confusion matrices of 10 + 10 cases, {above} have OARP > accuracy and {flat} with mistakes have OARP = accuracy.",
        (CASES + 1) * (CASES + 1)
    );
    identity(
        "OARP11, after eq. 5",
        "OARP is below accuracy, and equal to it only for a perfect classification",
    )
    .stands(
        holds(never(above, flat)),
        found,
        "enumerated; agree if there is no such matrix, differ if there is one",
    )
}

fn never(above: usize, flat: usize) -> bool {
    above == 0 && flat == 0
}

/// An average that the text and the table give differently.
fn misprint() -> Claim {
    let average = mean(&paper::SETS.map(|s| s.accuracy[0]));
    let says = format!(
        "The average by accuracy is {:.4} (text) or {:.4} (table)",
        paper::AVERAGE_IN_TEXT,
        paper::AVERAGE[0]
    );
    let (table, text) = (as_printed(average, paper::AVERAGE[0]), as_printed(average, paper::AVERAGE_IN_TEXT));
    let note = if table && !text { ": the table is right, the text mistyped" } else { "" };
    identity("OARP11, Experimental Results", &says).stands(
        holds(text),
        format!("The column's mean is {average:.5}{note}."),
        "the paper's own Table 3; agree if the text's average is the column's mean to four digits, differ otherwise",
    )
}

fn as_printed(value: f64, printed: f64) -> bool {
    (value - printed).abs() < 6e-5
}

fn discriminating(results: &OarpResults) -> Claim {
    let sets = &results.main.sets;
    let average = |count: &dyn Fn(&Fold) -> [usize; 3], k: usize| {
        mean(&sets.iter().map(|s| s.mean_count(count)[k]).collect::<Vec<_>>())
    };
    let numbers = |s: &SetResults| {
        let (distinct, tied) = (s.mean_count(|f| f.distinct), s.mean_count(|f| f.tied));
        ([distinct[2], distinct[0]], [tied[2], tied[0]])
    };
    let all: Vec<_> = sets.iter().map(numbers).collect();
    let found = format!(
        "In {} of {} sets; on average {:.0} different values among {} candidates instead of {:.0}, and {:.2} candidates \
         share the best instead of {:.2}.",
        all.iter().filter(|s| rules::finer(std::slice::from_ref(s)) == holds(true)).count(),
        sets.len(),
        average(&|f| f.distinct, 2),
        results.candidates,
        average(&|f| f.distinct, 0),
        average(&|f| f.tied, 2),
        average(&|f| f.tied, 0),
    );
    finding("OARP11, Abstract", "OARP is more discriminating than accuracy").stands(
        rules::finer(&all),
        found,
        "discrimination.csv; agree if in every set there are more different values and fewer shared best ones, differ if a set has fewer \
         values or more ties",
    )
}

fn better_on_average(results: &OarpResults, other: Model, k: usize) -> Result<Claim> {
    let (gain, test) = results.main.average_gain(other)?;
    let p = test.map(|t| t.p_value);
    let says = format!(
        "Chosen by OARP, the average test accuracy is higher than by {}: {:.4} against {:.4}",
        other.name(),
        paper::AVERAGE[2],
        paper::AVERAGE[k]
    );
    let found = format!(
        "{:.4} against {:.4} ({gain:+.4}, p {}).",
        results.main.average(Model::Oarp),
        results.main.average(other),
        p_value(p)
    );
    Ok(finding("OARP11 Table 3", &says).stands(
        rules::better(gain, p, results.level),
        found,
        "accuracy.csv; corrected resampled t over the folds' averages; agree if higher and differ if lower at p < 0.05, else too close",
    ))
}

fn better_everywhere(results: &OarpResults, other: Model) -> Result<Claim> {
    let found = results.main.against(other)?;
    let numbers: Vec<(f64, Option<f64>)> =
        found.iter().map(|c| (c.difference, c.corrected.as_ref().map(|t| t.p_value))).collect();
    let better: Vec<&str> = results
        .main
        .sets
        .iter()
        .zip(&found)
        .filter(|(_, c)| c.difference > 0.0)
        .map(|(s, _)| s.label.as_str())
        .collect();
    let sure = numbers.iter().filter(|(_, p)| p.is_some_and(|p| p < results.level)).count();
    let said = format!(
        "Higher in {} of {}{}; {sure} of the differences are significant.",
        better.len(),
        found.len(),
        listed(&better)
    );
    let says = format!("OARP is better than {} in all five data sets", other.name());
    Ok(finding("OARP11 Table 3", &says).stands(
        rules::better_everywhere(&numbers, results.level),
        said,
        "tests.csv; corrected resampled t in every set; agree if all are significantly higher, differ if any is significantly lower, else \
         too close",
    ))
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) }
}

fn significant(results: &OarpResults, other: Model, k: usize) -> Result<Claim> {
    let printed = paper::tally(k);
    let mut reached = Vec::new();
    for reading in &results.others {
        let [paired, _] = tallies(reading, other, results.level)?;
        if rules::wins(paired, printed, 0) == holds(true) {
            reached.push(reading.name.as_str());
        }
    }
    let [tally, _] = tallies(&results.main, other, results.level)?;
    let [wins, none, losses] = tally;
    let says = format!(
        "By the paired t over ten runs OARP wins significantly against {} in {} of {} sets and never loses",
        other.name(),
        printed[0],
        paper::SETS.len()
    );
    let found = format!(
        "{wins} significant wins, {none} without significance, {losses} significant losses; {} of {} other readings reach what is printed{}.",
        reached.len(),
        results.others.len(),
        listed(&reached)
    );
    Ok(finding("OARP11 Table 4", &says).stands(
        rules::wins(tally, printed, reached.len()),
        found,
        "tests.csv, readings.csv; agree if at least as many wins and no more losses than printed, differ if neither the main nor any other \
         reading gets there, too close if another one does",
    ))
}

fn corrected(results: &OarpResults, other: Model) -> Result<Claim> {
    let [_, tally] = tallies(&results.main, other, results.level)?;
    let [wins, none, losses] = tally;
    let says = format!(
        "The advantage over {} stays clear for almost all sets if the test allows for shared training rows",
        other.name()
    );
    Ok(ours("after OARP11, Abstract", &says).stands(
        rules::almost_all(tally),
        format!("{wins} wins, {none} without significance, {losses} losses."),
        "tests.csv, corrected resampled t; agree if all sets but one are won and none is lost, differ if more are lost than won, else too \
         close",
    ))
}

fn with_ten_folds(results: &OarpResults, other: Model, k: usize) -> Result<Claim> {
    let tallies = ten_folds::tallies(&results.main, other, results.level)?;
    let reached = ten_folds::reached(&tallies, k);
    let says = format!(
        "With the ten folds of one run as its ten records, Table 4's tally against {} comes about",
        other.name()
    );
    Ok(ours("after OARP11 Table 4", &says).stands(
        reached_often(reached, tallies.len()),
        format!("In {reached} of {} runs.", tallies.len()),
        "table3.md; agree if in more than half of the runs, differ if in none, else too close",
    ))
}

fn reached_often(reached: usize, runs: usize) -> tailrank_report::claims::Standing {
    use tailrank_report::claims::Standing;
    if 2 * reached > runs {
        Standing::Agree
    } else if reached == 0 {
        Standing::Differ
    } else {
        Standing::TooClose
    }
}

/// Whether the printed means are those of the runs the text speaks of.
fn one_run(results: &OarpResults) -> Claim {
    let rows = |label: &str| results.main.sets.iter().find(|s| s.label == label).map(|s| s.rows);
    let sets = grim::table_3(&rows);
    let values: usize = sets.iter().map(|s| s.values.len()).sum();
    let one = sets.iter().flat_map(|s| &s.values).filter(|v| v.totals.is_some()).count();
    let chance: f64 = sets.iter().map(|s| s.chance).product();
    ours("after OARP11, Experimental Setup", "Table 3 shows means over ten runs of ten-fold cross-validation").stands(
        means_of_ten_runs(one, values, chance),
        format!("{one} of {values} printed values are means that one run can give; by chance ten runs would look so with {}.", digits(chance)),
        "table3.md; differ if all values can come from one run and ten runs would hide it with a chance below 0.05, agree if some value \
         cannot come from one run, else too close",
    )
}

fn means_of_ten_runs(of_one: usize, values: usize, chance: f64) -> tailrank_report::claims::Standing {
    use tailrank_report::claims::Standing;
    if of_one < values {
        Standing::Agree
    } else if chance < 0.05 {
        Standing::Differ
    } else {
        Standing::TooClose
    }
}

/// Whether the numbers of Table 3 are those of this method.
fn height(results: &OarpResults) -> Claim {
    let (mut inside, mut shown, mut beyond) = ([0; 3], 0, Vec::new());
    for set in &results.main.sets {
        let Some(printed) = paper::of(&set.label) else { continue };
        shown += 1;
        for (k, model) in Model::CRITERIA.into_iter().enumerate() {
            inside[k] += usize::from(rules::within(&set.by_run(model), printed.accuracy[k]));
        }
        if printed.accuracy[2] > mean(&set.by_run(Model::BestPossible)) {
            beyond.push(set.label.as_str());
        }
    }
    let found = format!(
        "Printed values within the range of the runs: {} of {shown} by Acc, {} by F, {} by OARP; the average by OARP is {:.4}, and \
         {:.4} if the test rows themselves chose; printed values by OARP above even that: {}{}.",
        inside[0],
        inside[1],
        inside[2],
        results.main.average(Model::Oarp),
        results.main.average(Model::BestPossible),
        beyond.len(),
        listed(&beyond),
    );
    let says = format!("Monte Carlo Sampling by OARP reaches {:.4} on average", paper::AVERAGE[2]);
    finding("OARP11 Table 3", &says).stands(
        holds(rules::within(&results.main.average_by_run(Model::Oarp), paper::AVERAGE[2])),
        found,
        "accuracy.csv; agree if the printed average lies within the range of the ten runs, differ if outside",
    )
}

#[cfg(test)]
mod tests {
    use tailrank_report::claims::Standing::{Agree, Differ, TooClose};

    use super::*;

    #[test]
    fn printed_digits_decide() {
        assert!(as_printed(0.81678, 0.8168) && !as_printed(0.81678, 0.8186));
        assert!(same_digits("0.85", "0.85") && !same_digits("0.85", "0.86"));
        assert!(never(0, 0) && !never(0, 10) && !never(1, 0));
    }

    #[test]
    fn ten_folds_come_about_often_sometimes_or_never() {
        assert_eq!(reached_often(6, 10), Agree);
        assert_eq!(reached_often(0, 10), Differ);
        assert_eq!(reached_often(2, 10), TooClose);
    }

    #[test]
    fn means_of_one_run_or_of_ten() {
        assert_eq!(means_of_ten_runs(14, 15, 1e-6), Agree);
        assert_eq!(means_of_ten_runs(15, 15, 1e-6), Differ);
        assert_eq!(means_of_ten_runs(15, 15, 0.4), TooClose);
    }
}
