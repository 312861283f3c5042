//! What the paper says, decided from what was found.

use tailrank_metrics::classification::BinaryCounts;
use tailrank_report::claims::{Claim, Standing};

use super::{
    fold::Fold,
    paper,
    results::{Model, OarpResults, SetResults, Verdict, mean},
    tables::tallies,
};
use crate::studies::Result;

pub(super) fn claims(results: &OarpResults) -> Result<Vec<Claim>> {
    let mut claims = vec![table_1(), no_bound(), misprint(), discriminating(results)];
    for (k, other) in [Model::Accuracy, Model::F].into_iter().enumerate() {
        claims.push(better_on_average(results, other, k));
        claims.push(better_everywhere(results, other)?);
        claims.push(significant(results, other, k)?);
        claims.push(corrected(results, other)?);
        claims.push(readings(results, other, k)?);
    }
    claims.push(height(results));
    Ok(claims)
}

fn claim(source: &str, says: String, found: String, evidence: &str, agrees: bool) -> Claim {
    let standing = if agrees { Standing::Agree } else { Standing::Differ };
    Claim { source: source.to_owned(), says, found, evidence: evidence.to_owned(), standing }
}

fn table_1() -> Claim {
    let line = |acc: &dyn Fn(usize) -> String| format!("OARP is {} for a, {} for b", acc(0), acc(1));
    let printed = line(&|i| format!("{:.6}", paper::TABLE_1[i].3));
    let found = line(&|i| format!("{:.6}", paper::TABLE_1[i].1.oarp()));
    let equal = paper::TABLE_1.iter().all(|(_, c, acc, _)| c.accuracy().value() == Some(*acc));
    let agrees = equal && printed == found;
    let says = format!("Equal accuracy of 0.95, but {printed}");
    claim(
        "OARP11 Table 1",
        says,
        found,
        "counter-example.csv; eq. 1–2 with the absolute value they lack",
        agrees,
    )
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
        "of all {} confusion matrices of 10 + 10 cases, {above} have OARP > accuracy and {flat} with mistakes have OARP = accuracy",
        (CASES + 1) * (CASES + 1)
    );
    let says = "OARP is below accuracy, and equal to it only for a perfect classification".to_owned();
    claim("OARP11, after eq. 5", says, found, "enumerated", above == 0 && flat == 0)
}

/// An average that the text and the table give differently.
fn misprint() -> Claim {
    let average = mean(&paper::SETS.map(|s| s.accuracy[0]));
    let says = format!(
        "The average by accuracy is {:.4} (text) or {:.4} (table)",
        paper::AVERAGE_IN_TEXT,
        paper::AVERAGE[0]
    );
    let found = format!("the column's mean is {average:.5}: the table is right, the text mistyped");
    let table_right = (average - paper::AVERAGE[0]).abs() < 6e-5;
    let text_right = (average - paper::AVERAGE_IN_TEXT).abs() < 6e-5;
    let found = if table_right && !text_right { found } else { format!("the column's mean is {average:.5}") };
    claim("OARP11, Experimental Results", says, found, "the paper's own Table 3", text_right)
}

fn discriminating(results: &OarpResults) -> Claim {
    let sets = &results.main.sets;
    let average = |count: &dyn Fn(&Fold) -> [usize; 3], k: usize| {
        mean(&sets.iter().map(|s| s.mean_count(count)[k]).collect::<Vec<_>>())
    };
    let finer = |s: &SetResults| {
        let (distinct, tied) = (s.mean_count(|f| f.distinct), s.mean_count(|f| f.tied));
        distinct[2] > distinct[0] && tied[2] < tied[0]
    };
    let agreeing = sets.iter().filter(|s| finer(s)).count();
    let found = format!(
        "in {agreeing} of {} sets; on average {:.0} different values among {} candidates instead of {:.0}, and {:.2} candidates \
         share the best instead of {:.2}",
        sets.len(),
        average(&|f| f.distinct, 2),
        results.candidates,
        average(&|f| f.distinct, 0),
        average(&|f| f.tied, 2),
        average(&|f| f.tied, 0),
    );
    let says = "OARP is more discriminating than accuracy".to_owned();
    claim("OARP11, Abstract", says, found, "discrimination.csv", agreeing == sets.len())
}

fn better_on_average(results: &OarpResults, other: Model, k: usize) -> Claim {
    let (ours, theirs) = (results.main.average(Model::Oarp), results.main.average(other));
    let says = format!(
        "Chosen by OARP, the average test accuracy is higher than by {}: {:.4} against {:.4}",
        other.name(),
        paper::AVERAGE[2],
        paper::AVERAGE[k]
    );
    let found = format!("{ours:.4} against {theirs:.4} ({:+.4})", ours - theirs);
    // What rounds to nothing in the paper's own four digits is no advantage.
    claim("OARP11 Table 3", says, found, "accuracy.csv", ours - theirs >= 5e-5)
}

fn better_everywhere(results: &OarpResults, other: Model) -> Result<Claim> {
    let found = results.main.against(other)?;
    let better: Vec<&str> = results
        .main
        .sets
        .iter()
        .zip(&found)
        .filter(|(_, c)| c.difference > 0.0)
        .map(|(s, _)| s.label.as_str())
        .collect();
    let said = format!("in {} of {}{}", better.len(), found.len(), listed(&better));
    let says = format!("OARP is better than {} in all five data sets", other.name());
    Ok(claim("OARP11 Table 3", says, said, "accuracy.csv", better.len() == found.len()))
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) }
}

fn significant(results: &OarpResults, other: Model, k: usize) -> Result<Claim> {
    let [[wins, none, losses], _] = tallies(&results.main, other, results.level)?;
    let printed = |v: Verdict| paper::SETS.iter().filter(|s| s.verdicts[k] == v).count();
    let (said_wins, said_losses) = (printed(Verdict::Ssw), printed(Verdict::Ssl));
    let says = format!(
        "By the paired t over ten runs OARP wins significantly against {} in {said_wins} of {} sets and never loses",
        other.name(),
        paper::SETS.len()
    );
    let found = format!("{wins} significant wins, {none} without significance, {losses} significant losses");
    let agrees = wins >= said_wins && losses <= said_losses;
    Ok(claim("OARP11 Table 4", says, found, "tests.csv", agrees))
}

fn corrected(results: &OarpResults, other: Model) -> Result<Claim> {
    let [_, [wins, none, losses]] = tallies(&results.main, other, results.level)?;
    let says = format!("The t-test shows a clear advantage over {} for almost all data sets", other.name());
    let found = format!(
        "with the variance corrected for shared training rows: {wins} wins, {none} without significance, {losses} losses"
    );
    let sets = results.main.sets.len();
    Ok(claim(
        "OARP11, Abstract, by the corrected resampled t",
        says,
        found,
        "tests.csv",
        2 * wins > sets && losses == 0,
    ))
}

/// Whether the numbers of Table 3 are those of this method.
fn height(results: &OarpResults) -> Claim {
    let within = |by_run: Vec<f64>, printed: f64| {
        let (low, high) =
            by_run.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(*v), h.max(*v)));
        // Printed with four digits.
        (low - 5e-5..=high + 5e-5).contains(&printed)
    };
    let (mut inside, mut shown, mut beyond) = ([0; 3], 0, Vec::new());
    for set in &results.main.sets {
        let Some(printed) = paper::of(&set.label) else { continue };
        shown += 1;
        for (k, model) in Model::CRITERIA.into_iter().enumerate() {
            inside[k] += usize::from(within(set.by_run(model), printed.accuracy[k]));
        }
        if printed.accuracy[2] > mean(&set.by_run(Model::BestPossible)) {
            beyond.push(set.label.as_str());
        }
    }
    let found = format!(
        "printed values within the range of the runs: {} of {shown} by Acc, {} by F, {} by OARP; the average by OARP is {:.4}, and \
         {:.4} if the test rows themselves chose; printed values by OARP above even that: {}{}",
        inside[0],
        inside[1],
        inside[2],
        results.main.average(Model::Oarp),
        results.main.average(Model::BestPossible),
        beyond.len(),
        listed(&beyond),
    );
    let says = format!("Monte Carlo Sampling by OARP reaches {:.4} on average", paper::AVERAGE[2]);
    let agrees = within(results.main.average_by_run(Model::Oarp), paper::AVERAGE[2]);
    claim("OARP11 Table 3", says, found, "accuracy.csv", agrees)
}

/// Whether another reading of what the paper leaves open would decide as the paper does.
fn readings(results: &OarpResults, other: Model, k: usize) -> Result<Claim> {
    let wanted = paper::SETS.iter().filter(|s| s.verdicts[k] == Verdict::Ssw).count();
    let (mut reached, mut most) = (Vec::new(), 0);
    for reading in std::iter::once(&results.main).chain(&results.others) {
        let [[wins, _, losses], _] = tallies(reading, other, results.level)?;
        if losses == 0 {
            most = most.max(wins);
            if wins >= wanted {
                reached.push(reading.name.as_str());
            }
        }
    }
    let found = format!(
        "{} of {} readings of the set-up reach that{}; the most is {most} wins without a loss",
        reached.len(),
        1 + results.others.len(),
        listed(&reached)
    );
    let says = format!(
        "By the paired t OARP wins significantly against {} in {wanted} sets, read in whatever way",
        other.name()
    );
    Ok(claim("OARP11 Table 4, other readings", says, found, "readings.csv", !reached.is_empty()))
}
