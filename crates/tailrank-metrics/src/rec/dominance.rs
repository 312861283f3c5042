//! Which of two curves is above the other, and where they cross (REC05 §2: "model A dominates").

use std::cmp::Ordering;

use super::StepCurve;

/// The outcome over the whole range of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The first is nowhere below and somewhere above.
    First,
    /// The second is nowhere below and somewhere above.
    Second,
    /// The curves are the same.
    Equal,
    /// Each is above somewhere.
    Cross,
}

/// A stretch [from, to) over which one curve leads or both are level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lead {
    /// Where it begins.
    pub from: f64,
    /// Where the next one begins; infinite for the last.
    pub to: f64,
    /// `Greater`: the first curve is above; `Less`: the second; `Equal`: level.
    pub order: Ordering,
}

/// The comparison of two curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Dominance {
    /// Who dominates.
    pub verdict: Verdict,
    /// Maximal stretches, from the smallest corner of either curve on.
    pub leads: Vec<Lead>,
    /// Points at which the lead passes from one curve to the other, level stretches between them skipped.
    pub crossings: Vec<f64>,
    /// Largest height of the first curve over the second, at least zero.
    pub first_by: f64,
    /// Largest height of the second curve over the first, at least zero.
    pub second_by: f64,
}

/// Compares two curves by height; heights count as shares, so the curves may have different numbers of cases.
///
/// ```
/// use tailrank_metrics::rec::{RecError, Verdict, dominance, rec_curve};
///
/// let truth = [0.0; 3];
/// let a = rec_curve(&truth, &[0.1, 0.2, 0.9], RecError::Absolute)?;
/// let b = rec_curve(&truth, &[0.3, 0.4, 0.5], RecError::Absolute)?;
/// let result = dominance(&a, &b);
/// assert_eq!(result.verdict, Verdict::Cross);
/// assert_eq!(result.crossings, [0.5]);
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
pub fn dominance(first: &StepCurve, second: &StepCurve) -> Dominance {
    let ((ax, ac), (bx, bc)) = (first.steps(), second.steps());
    let (at, bt) = (u128::from(first.total()), u128::from(second.total()));
    let mut leads: Vec<Lead> = Vec::new();
    let (mut first_by, mut second_by) = (0.0_f64, 0.0_f64);
    let (mut i, mut j) = (0, 0);
    while i < ax.len() || j < bx.len() {
        let x = match (ax.get(i), bx.get(j)) {
            (Some(&a), Some(&b)) => a.min(b),
            (Some(&v), None) | (None, Some(&v)) => v,
            (None, None) => break,
        };
        i += usize::from(ax.get(i) == Some(&x));
        j += usize::from(bx.get(j) == Some(&x));
        let a = if i == 0 { 0 } else { ac[i - 1] };
        let b = if j == 0 { 0 } else { bc[j - 1] };
        // Cross-multiplied whole numbers: level curves compare equal without rounding.
        let order = (u128::from(a) * bt).cmp(&(u128::from(b) * at));
        let gap = first.share(a) - second.share(b);
        first_by = first_by.max(gap);
        second_by = second_by.max(-gap);
        if leads.last().is_none_or(|lead| lead.order != order) {
            if let Some(lead) = leads.last_mut() {
                lead.to = x;
            }
            leads.push(Lead { from: x, to: f64::INFINITY, order });
        }
    }
    let decided: Vec<&Lead> = leads.iter().filter(|l| l.order != Ordering::Equal).collect();
    let crossings = decided.windows(2).filter(|w| w[0].order != w[1].order).map(|w| w[1].from).collect();
    let leads_somewhere = |order| decided.iter().any(|l| l.order == order);
    let verdict = match (leads_somewhere(Ordering::Greater), leads_somewhere(Ordering::Less)) {
        (true, true) => Verdict::Cross,
        (true, false) => Verdict::First,
        (false, true) => Verdict::Second,
        (false, false) => Verdict::Equal,
    };
    Dominance { verdict, leads, crossings, first_by, second_by }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rec::{RecError, rec_curve};

    fn curve(errors: &[f64]) -> StepCurve {
        rec_curve(&vec![0.0; errors.len()], errors, RecError::Absolute).unwrap()
    }

    #[test]
    fn smaller_errors_dominate() {
        let result = dominance(&curve(&[0.1, 0.2]), &curve(&[0.2, 0.3]));
        assert_eq!(result.verdict, Verdict::First);
        assert!(result.crossings.is_empty());
        assert_eq!((result.first_by, result.second_by), (0.5, 0.0));
        assert_eq!(dominance(&curve(&[0.2, 0.3]), &curve(&[0.1, 0.2])).verdict, Verdict::Second);
    }

    #[test]
    fn the_same_distribution_is_level() {
        // Twice the cases, the same shares.
        let result = dominance(&curve(&[0.1, 0.2, 0.3]), &curve(&[0.1, 0.1, 0.2, 0.2, 0.3, 0.3]));
        assert_eq!(result.verdict, Verdict::Equal);
        assert_eq!(result.leads.len(), 1);
    }

    #[test]
    fn a_level_stretch_between_two_leads_is_one_crossing() {
        // First leads on [.1,.2), level on [.2,.4), second on [.4,.5).
        let result = dominance(&curve(&[0.1, 0.5]), &curve(&[0.2, 0.4]));
        assert_eq!(
            result.leads.iter().map(|l| l.order).collect::<Vec<_>>(),
            [Ordering::Greater, Ordering::Equal, Ordering::Less, Ordering::Equal]
        );
        assert_eq!(result.crossings, [0.4]);
    }
}
