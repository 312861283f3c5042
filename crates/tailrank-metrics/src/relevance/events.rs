//! Where relevance reaches the event threshold, and whether any case does.

use super::Relevance;
use crate::{
    Result,
    error::{check_finite, check_setting},
};

/// A closed range of target values; an end may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EventRange {
    /// Lower end.
    pub from: f64,
    /// Upper end.
    pub to: f64,
}

/// Checks an event threshold t_E.
pub(crate) fn check_event_threshold(t_e: f64) -> Result<()> {
    let is_inside = (0.0..=1.0).contains(&t_e);
    check_setting(is_inside, "t_E", t_e, "the event threshold must lie within 0 to 1")
}

/// The ranges where `phi` ≥ t. `phi` is monotone between neighbouring `breaks` and straight outside them,
/// with the slopes `ends` before the first and after the last.
pub(super) fn ranges_of_pieces(
    breaks: &[f64],
    ends: (f64, f64),
    t: f64,
    phi: impl Fn(f64) -> f64,
) -> Vec<EventRange> {
    let (Some(&first), Some(&last)) = (breaks.first(), breaks.last()) else { return Vec::new() };
    let mut ranges: Vec<EventRange> = Vec::new();
    let mut add = |from: f64, to: f64| match ranges.last_mut() {
        Some(previous) if previous.to >= from => previous.to = previous.to.max(to),
        _ => ranges.push(EventRange { from, to }),
    };
    let (at_first, at_last) = (phi(first), phi(last));
    if at_first >= t {
        let reach = if ends.0 > 0.0 { first - (at_first - t) / ends.0 } else { f64::NEG_INFINITY };
        add(reach, first);
    } else if ends.0 < 0.0 {
        add(f64::NEG_INFINITY, first - (at_first - t) / ends.0);
    }
    for pair in breaks.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        match (phi(a) >= t, phi(b) >= t) {
            (true, true) => add(a, b),
            (true, false) => add(a, bisect(a, b, |y| phi(y) >= t).0),
            (false, true) => add(bisect(b, a, |y| phi(y) >= t).0, b),
            (false, false) => {}
        }
    }
    if at_last >= t {
        let reach = if ends.1 < 0.0 { last - (at_last - t) / ends.1 } else { f64::INFINITY };
        add(last, reach);
    } else if ends.1 > 0.0 {
        add(last + (t - at_last) / ends.1, f64::INFINITY);
    }
    ranges
}

/// The neighbouring values between `a` and `b` from the first of which to the second `holds` ends.
pub(super) fn bisect(mut a: f64, mut b: f64, holds: impl Fn(f64) -> bool) -> (f64, f64) {
    for _ in 0..200 {
        let middle = a + (b - a) / 2.0;
        if middle == a || middle == b {
            break;
        }
        if holds(middle) { a = middle } else { b = middle }
    }
    (a, b)
}

/// How many cases of a sample are events, found before anything is trained.
#[derive(Clone, Debug, PartialEq)]
pub struct EventCheck {
    /// Cases with φ(y) ≥ t_E.
    pub events: usize,
    warning: String,
}

impl Relevance {
    /// Counts the events of `targets` before anything is trained; `sample` names them in the warning.
    ///
    /// ```
    /// use tailrank_metrics::Relevance;
    /// let relevance = Relevance::sigmoid(None, Some(5.0), 0.5, 1e-4)?;
    /// let check = relevance.check_events("test", &[0.1, 0.4, 1.5], 0.5)?;
    /// assert_eq!(check.events, 0);
    /// assert!(check.warning().is_some_and(|w| w.contains("lower t_E")));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn check_events(&self, sample: &str, targets: &[f64], t_e: f64) -> Result<EventCheck> {
        check_finite("targets", targets)?;
        check_event_threshold(t_e)?;
        let mut phi = vec![0.0; targets.len()];
        self.phi_into(targets, &mut phi);
        let top = (0..phi.len()).fold(0, |best, i| if phi[i] > phi[best] { i } else { best });
        let change = match self {
            Self::Sigmoid(_) => "move the sigmoid's centres (`low`, `high`) towards the data or raise `k`",
            Self::Pchip(_) => {
                "lower the coefficient of the whiskers, or move the control points towards the data"
            }
            Self::Table(_) => "move the points of the relevance table towards the data",
            Self::Indicator(_) => "widen the relevant ranges",
        };
        let (cases, largest, at) = (targets.len(), phi[top], targets[top]);
        let warning = format!(
            "none of the {cases} {sample} cases is an event: the largest relevance is {largest:.4} \
             (at y = {at}), below t_E = {t_e}; lower t_E, or {change}"
        );
        Ok(EventCheck { events: phi.iter().filter(|&&p| p >= t_e).count(), warning })
    }
}

impl EventCheck {
    /// A warning that names the setting to change, when no case is an event.
    pub fn warning(self) -> Option<String> {
        (self.events == 0).then_some(self.warning)
    }
}
