//! Sentences made from the numbers, by rule.

use tailrank_engine::{run::Results, score::Verdict};

/// The verdict of one pair of measures over all tasks: an answer, then what stands behind it.
pub(super) struct Sentences {
    /// Yes, no, or on how many tasks.
    pub(super) answer: String,
    /// What the disagreement costs and looks like.
    pub(super) details: Vec<String>,
}

/// Puts the verdicts of one pair, task by task, into words.
pub(super) fn verdict(results: &Results, verdicts: &[&Verdict]) -> Sentences {
    let Some(first) = verdicts.first() else {
        return Sentences { answer: "No pair of measures was compared.".to_owned(), details: Vec::new() };
    };
    let (a, b) = (first.chosen_by.info().symbol, first.judged_by.info().symbol);
    let label = |v: usize| results.variants[v].label.as_str();
    let decided: Vec<(&Verdict, usize, usize)> =
        verdicts.iter().filter_map(|v| Some((*v, v.best_chosen?, v.best_judged?))).collect();
    let differ = decided.iter().filter(|(_, x, y)| x != y).count();
    let answer = match (decided.as_slice(), differ) {
        ([], _) => format!("No task has a winner by both {a} and {b}."),
        ([(_, x, y)], 1) => format!("Yes. {} is best by {a}, {} is best by {b}.", label(*x), label(*y)),
        ([(_, x, _)], _) => format!("No. {} is best by {a} and by {b}.", label(*x)),
        (all, 0) => format!("No. {a} and {b} name the same winner on all {} tasks.", all.len()),
        (all, n) if n == all.len() => format!("Yes, on {n} of {n} tasks."),
        (all, n) => format!("On {n} of {} tasks.", all.len()),
    };
    let mut details = Vec::new();
    details.extend(cost(verdicts, a, b));
    details.extend(signals(results, &decided, a));
    details.extend(agreement(verdicts));
    if verdicts.iter().any(|v| v.best_judged.is_none()) {
        let none = verdicts.iter().filter(|v| v.best_judged.is_none()).count();
        details.push(format!("On {} no variant has a defined {b}.", tasks(none)));
    }
    Sentences { answer, details }
}

fn cost(verdicts: &[&Verdict], a: &str, b: &str) -> Option<String> {
    let regrets: Vec<f64> = verdicts.iter().filter_map(|v| v.regret).collect();
    let median = median(&regrets)?;
    let lost = if median > 0.0 && median < 0.005 {
        "less than 1".to_owned()
    } else {
        format!("{:.0}", 100.0 * median)
    };
    // A cost can exceed the best score itself, where scores may be negative or errors large.
    let verb = if verdicts.first()?.judged_by.better() == tailrank_metrics::Better::Higher {
        format!("loses {lost} % of {b}")
    } else {
        format!("makes {b} {lost} % larger")
    };
    let place = if regrets.len() > 1 { " on the median task" } else { "" };
    Some(format!("Choosing by {a} instead of {b} {verb}{place}."))
}

fn signals(results: &Results, decided: &[(&Verdict, usize, usize)], a: &str) -> Option<String> {
    let counts: Vec<usize> =
        decided.iter().filter_map(|(v, chosen, _)| results.scores[v.task].signals[*chosen]).collect();
    let issued = counts.iter().filter(|&&n| n > 0).count();
    match counts.as_slice() {
        [] => None,
        [0] => Some(format!("The best model by {a} never issued a signal.")),
        [n] => Some(format!("The best model by {a} issued {n} signal{}.", if *n == 1 { "" } else { "s" })),
        all => Some(format!("The best model by {a} issued a signal on {issued} of {} tasks.", all.len())),
    }
}

fn agreement(verdicts: &[&Verdict]) -> Option<String> {
    let rhos: Vec<f64> = verdicts.iter().filter_map(|v| v.rho.as_ref()?.estimate).collect();
    let rho = median(&rhos)?;
    let words = match rho {
        r if r <= -0.3 => "run against each other",
        r if r < 0.3 => "have little in common",
        r if r < 0.7 => "agree in part",
        _ => "agree for the most part",
    };
    let name = if rhos.len() > 1 { "median ρ" } else { "ρ" };
    Some(format!("The two rankings {words} ({name} = {}).", signed(rho)))
}

/// The median; none of nothing.
pub(super) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    if n == 0 { None } else { Some((sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0) }
}

/// Two decimals with a true minus sign.
pub(super) fn signed(value: f64) -> String {
    format!("{value:.2}").replace('-', "−")
}

fn tasks(n: usize) -> String {
    if n == 1 { "1 task".to_owned() } else { format!("{n} tasks") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_is_the_mean_of_the_middle_two() {
        assert_eq!(median(&[3.0, 1.0, 2.0, 10.0]), Some(2.5));
        assert_eq!(median(&[7.0]), Some(7.0));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn a_minus_is_a_minus() {
        assert_eq!(signed(-0.683), "−0.68");
    }
}
