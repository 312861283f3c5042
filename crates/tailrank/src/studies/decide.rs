//! Rules that decide claims, and short ways to print their numbers.
//!
//! Every rule of a study is a function of plain numbers that gives a [`Standing`], so that each of its
//! outcomes can be shown with made-up ones. What all of them share stands here.

pub(super) use tailrank_experiment::text::digits;
use tailrank_experiment::text::{self, or_dash, two_decimals};
use tailrank_report::claims::Standing;
pub(super) use tailrank_stats::share_interval;
use tailrank_stats::{ClusterMethod, cluster_interval};

/// Level of the tests that decide.
pub(super) const LEVEL: f64 = 0.05;

/// Agree or differ.
pub(super) fn holds(rule: bool) -> Standing {
    if rule { Standing::Agree } else { Standing::Differ }
}

/// A value said to be above a bound: agree if its whole interval is, differ if none of it is, else too close
/// to call.
pub(super) fn above(interval: (f64, f64), bound: f64) -> Standing {
    let (low, high) = interval;
    if low > bound {
        Standing::Agree
    } else if high < bound {
        Standing::Differ
    } else if low <= bound && bound <= high {
        Standing::TooClose
    } else {
        Standing::NotTestable
    }
}

/// An effect said to be above 0, by its interval if there is one.
pub(super) fn effect_above(interval: Option<(f64, f64)>) -> Standing {
    interval.map_or(Standing::NotTestable, |interval| above(interval, 0.0))
}

/// The 95 % interval of the median by the sign test; none below six values, which cannot bear it.
pub(super) fn median_interval(values: &[f64]) -> Option<(f64, f64)> {
    let interval = cluster_interval(values, ClusterMethod::Sign, 0.95).ok()?;
    Some((interval.lower, interval.upper))
}

/// A value said to be below a bound.
pub(super) fn below((low, high): (f64, f64), bound: f64) -> Standing {
    above((-high, -low), -bound)
}

/// What a test at 5 % says: agree or differ by the rule where it rejects, else too close to call.
pub(super) fn tested(rule: bool, p: f64) -> Standing {
    if p < LEVEL { holds(rule) } else { Standing::TooClose }
}

/// Two rankings said to be opposed, by the test of their τ.
pub(super) fn opposed(tau: Option<f64>, p: Option<f64>) -> Standing {
    tau.zip(p).map_or(Standing::NotTestable, |(tau, p)| tested(tau < 0.0, p))
}

/// What must hold on every task.
pub(super) fn every<T>(tasks: &[T], rule: impl Fn(&T) -> bool) -> Standing {
    if tasks.is_empty() { Standing::NotTestable } else { holds(tasks.iter().all(rule)) }
}

/// What is seen on some of them: agree on more than half, differ on none.
pub(super) fn often(seen: usize, of: usize) -> Standing {
    match seen {
        _ if 2 * seen > of => Standing::Agree,
        0 => Standing::Differ,
        _ => Standing::TooClose,
    }
}

/// A statement of several parts: agree if all do, differ if any does, else not testable if any part is not,
/// else too close.
pub(super) fn all_of(parts: &[Standing]) -> Standing {
    let any = |s: Standing| parts.contains(&s);
    if any(Standing::Differ) {
        Standing::Differ
    } else if parts.is_empty() || any(Standing::NotTestable) {
        Standing::NotTestable
    } else if any(Standing::TooClose) {
        Standing::TooClose
    } else {
        Standing::Agree
    }
}

/// "On most of them": agree if it surely holds on more than half, differ if it surely fails on at least half,
/// else too close.
pub(super) fn most_of(parts: &[Standing]) -> Standing {
    let count = |s: Standing| count_of(parts, s);
    let n = parts.len() - count(Standing::NotTestable);
    if n == 0 {
        Standing::NotTestable
    } else if 2 * count(Standing::Agree) > n {
        Standing::Agree
    } else if 2 * count(Standing::Differ) >= n {
        Standing::Differ
    } else {
        Standing::TooClose
    }
}

/// How many stand so.
pub(super) fn count_of(standings: &[Standing], wanted: Standing) -> usize {
    standings.iter().filter(|s| **s == wanted).count()
}

/// The arithmetic mean; NaN of nothing.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// `0.12 [0.03, 0.2]`; the value alone where there is no interval.
pub(super) fn with_interval(value: f64, ends: Option<(f64, f64)>, print: impl Fn(f64) -> String) -> String {
    let ends = ends.map(|(low, high)| format!(" [{}, {}]", print(low), print(high)));
    print(value) + &ends.unwrap_or_default()
}

/// Three significant digits, or a dash for what is undefined.
pub(super) fn digits_or_dash(v: Option<f64>) -> String {
    or_dash(v, digits)
}

/// Two decimals, or a dash for what is undefined.
pub(super) fn two(v: Option<f64>) -> String {
    or_dash(v, two_decimals)
}

/// A p-value, or a dash.
pub(super) fn p_value(p: Option<f64>) -> String {
    or_dash(p, text::p_value)
}

/// A share as a percentage with one decimal.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Standing::{Agree, Differ, NotTestable, TooClose};

    #[test]
    fn an_interval_decides_or_is_too_close() {
        assert_eq!(above((0.1, 0.2), 0.0), Agree);
        assert_eq!(above((-0.2, -0.1), 0.0), Differ);
        assert_eq!(above((-0.1, 0.2), 0.0), TooClose);
        // A bound that an interval touches is within it.
        assert_eq!(above((0.0, 0.2), 0.0), TooClose);
        assert_eq!(above((-0.2, 0.0), 0.0), TooClose);
        assert_eq!(above((f64::NAN, f64::NAN), 0.0), NotTestable);
    }

    /// The places of the order statistics are those of tables of the sign test (Conover 1999, table A3 for p
    /// = ½).
    #[test]
    fn an_effect_by_the_sign_test() {
        let values = |n: i32, by: f64| (1..=n).rev().map(|v| f64::from(v) - by).collect::<Vec<_>>();
        assert_eq!(median_interval(&values(5, 0.0)), None, "2/32 is more than 5 %");
        assert_eq!(median_interval(&values(6, 0.0)), Some((1.0, 6.0)), "2/64");
        assert_eq!(median_interval(&values(8, 0.0)), Some((1.0, 8.0)), "2·9/256 is more than 5 %");
        assert_eq!(median_interval(&values(9, 0.0)), Some((2.0, 8.0)), "2·10/512");
        assert_eq!(median_interval(&values(12, 0.0)), Some((3.0, 10.0)), "2·79/4096");
        assert_eq!(median_interval(&[f64::NAN; 8]), None);
        assert_eq!(median_interval(&[]), None);
        assert_eq!(effect_above(median_interval(&values(12, 2.5))), Agree);
        assert_eq!(effect_above(median_interval(&values(12, 10.5))), Differ);
        assert_eq!(effect_above(median_interval(&values(12, 6.5))), TooClose);
        assert_eq!(effect_above(median_interval(&values(3, 0.0))), NotTestable);
    }

    #[test]
    fn below_is_above_turned_round() {
        assert_eq!(below((0.0, 0.009), 0.01), Agree);
        assert_eq!(below((0.02, 0.04), 0.01), Differ);
        assert_eq!(below((0.004, 0.012), 0.01), TooClose);
        assert_eq!(below(share_interval(0.0, 0.0), 0.01), NotTestable);
        assert_eq!(below(share_interval(69.0, 56_000.0), 0.01), Agree);
    }

    #[test]
    fn a_test_decides_or_leaves_it_open() {
        assert_eq!(tested(true, 0.01), Agree);
        assert_eq!(tested(false, 0.01), Differ);
        assert_eq!(tested(true, 0.05), TooClose);
        assert_eq!(opposed(Some(-0.8), Some(1e-9)), Agree);
        assert_eq!(opposed(Some(0.8), Some(1e-9)), Differ);
        assert_eq!(opposed(Some(-0.1), Some(0.4)), TooClose);
        assert_eq!(opposed(None, None), NotTestable);
    }

    #[test]
    fn on_every_task_or_on_some() {
        assert_eq!(every(&[3, 500], |s| *s >= 3), Agree);
        assert_eq!(every(&[2, 500], |s| *s >= 3), Differ);
        assert_eq!(every(&[], |s: &u64| *s >= 3), NotTestable);
        assert_eq!(often(7, 12), Agree);
        assert_eq!(often(0, 12), Differ);
        assert_eq!(often(3, 12), TooClose);
    }

    #[test]
    fn a_statement_is_as_good_as_its_weakest_part() {
        assert_eq!(all_of(&[Agree, Agree]), Agree);
        assert_eq!(all_of(&[Agree, TooClose]), TooClose);
        assert_eq!(all_of(&[TooClose, Differ, NotTestable]), Differ);
        assert_eq!(all_of(&[Agree, NotTestable]), NotTestable);
        assert_eq!(all_of(&[]), NotTestable);
    }

    #[test]
    fn most_needs_more_than_half() {
        assert_eq!(most_of(&[Agree, Agree, Differ]), Agree);
        assert_eq!(most_of(&[Agree, Differ]), Differ);
        assert_eq!(most_of(&[Agree, TooClose, Differ]), TooClose);
        assert_eq!(most_of(&[Agree, NotTestable]), Agree);
        assert_eq!(most_of(&[NotTestable]), NotTestable);
    }
}
