//! How the claims are decided: functions of plain numbers, each outcome shown with made-up ones.

use tailrank_experiment::text::median;
use tailrank_report::claims::Standing;

use super::super::decide::{above, digits};

/// The middle of the tasks.
pub(super) fn middle(values: &[f64]) -> Option<f64> {
    median(values)
}

/// An interval of the median of at least 95 %: the values between which the sign test rejects nothing. None below six values,
/// which cannot bear it.
///
/// The j-th smallest and the j-th largest of n values enclose the median but with probability 2·P(B < j), B binomial(n, ½);
/// j is the largest for which that is at most 5 %. No shape of the differences is assumed.
pub(super) fn median_interval(values: &[f64]) -> Option<(f64, f64)> {
    let n = values.len();
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut term = 0.5_f64.powi(i32::try_from(n).ok()?);
    let (mut tail, mut j) = (term, 0);
    while 2.0 * tail <= 0.05 {
        j += 1;
        term *= (n + 1 - j) as f64 / j as f64;
        tail += term;
    }
    (j > 0 && sorted.iter().all(|v| v.is_finite())).then(|| (sorted[j - 1], sorted[n - j]))
}

/// Whether the median of the tasks' differences is surely above 0.
pub(super) fn rises(differences: &[f64]) -> Standing {
    effect_above(median_interval(differences))
}

/// Whether an effect is surely above 0.
pub(super) fn effect_above(interval: Option<(f64, f64)>) -> Standing {
    interval.map_or(Standing::NotTestable, |interval| above(interval, 0.0))
}

/// Whether an effect is surely below 0.
pub(super) fn effect_below(interval: Option<(f64, f64)>) -> Standing {
    effect_above(interval.map(|(from, to)| (-to, -from)))
}

/// `0.011 [0.004, 0.019], more than 0 on 7 of 8 tasks`.
pub(super) fn told(differences: &[f64]) -> String {
    let interval = median_interval(differences)
        .map_or_else(String::new, |(from, to)| format!(" [{}, {}]", digits(from), digits(to)));
    let more = differences.iter().filter(|d| **d > 0.0).count();
    let middle = middle(differences).map_or_else(String::new, digits);
    format!("{middle}{interval}, upwards on {more} of {} tasks", differences.len())
}

/// More than luck on most tasks agrees, on none differs.
pub(super) fn more_than_luck(sure: usize, tasks: usize) -> Standing {
    if 2 * sure > tasks {
        Standing::Agree
    } else if sure == 0 {
        Standing::Differ
    } else {
        Standing::TooClose
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Standing::{Agree, Differ, NotTestable, TooClose};

    fn values(n: i32) -> Vec<f64> {
        (1..=n).rev().map(f64::from).collect()
    }

    /// The places of the order statistics are those of tables of the sign test (Conover 1999, table A3 for p = ½).
    #[test]
    fn the_interval_is_that_of_the_sign_test() {
        assert_eq!(median_interval(&values(5)), None, "2/32 is more than 5 %");
        assert_eq!(median_interval(&values(6)), Some((1.0, 6.0)), "2/64");
        assert_eq!(median_interval(&values(8)), Some((1.0, 8.0)), "2·9/256 is more than 5 %");
        assert_eq!(median_interval(&values(9)), Some((2.0, 8.0)), "2·10/512");
        assert_eq!(median_interval(&values(12)), Some((3.0, 10.0)), "2·79/4096");
        assert_eq!(median_interval(&[f64::NAN; 8]), None);
        assert_eq!(median_interval(&[]), None);
    }

    #[test]
    fn every_rule_can_come_out_otherwise() {
        let shifted = |by: f64| values(12).iter().map(|v| v - by).collect::<Vec<_>>();
        assert_eq!(rises(&shifted(2.5)), Agree);
        assert_eq!(rises(&shifted(10.5)), Differ);
        assert_eq!(rises(&shifted(6.5)), TooClose);
        assert_eq!(rises(&values(3)), NotTestable);
        assert_eq!(effect_below(Some((-2.0, -1.0))), Agree);
        assert_eq!(effect_below(Some((1.0, 2.0))), Differ);
        assert_eq!(effect_below(Some((-1.0, 2.0))), TooClose);
        assert_eq!(effect_above(None), NotTestable);
        assert_eq!(told(&shifted(2.5)), "4.00 [0.500, 7.50], upwards on 10 of 12 tasks");
    }

    #[test]
    fn luck_on_most_tasks_on_some_or_on_none() {
        assert_eq!(more_than_luck(7, 12), Standing::Agree);
        assert_eq!(more_than_luck(0, 12), Standing::Differ);
        assert_eq!(more_than_luck(3, 12), Standing::TooClose);
    }
}
