//! Short ways to write a claim down, to decide it and to print its numbers.
//!
//! Every rule of a study is a function of plain numbers that gives a [`Standing`], so that each of its outcomes can be shown with
//! made-up ones. What all of them share stands here.

pub(super) use tailrank_experiment::text::digits;
use tailrank_experiment::text::{self, or_dash, two_decimals};
use tailrank_report::claims::{Claim, Standing, Tag};

/// A claim of one paper's place, waiting for its decision.
pub(super) struct ClaimBuilder<'a> {
    tag: Tag,
    /// Where the paper says it.
    source: &'a str,
    /// What it says.
    says: &'a str,
}

/// What the paper found, and what these data could have shown otherwise: `finding(source, text)`.
pub(super) fn finding<'a>(source: &'a str, says: &'a str) -> ClaimBuilder<'a> {
    ClaimBuilder { tag: Tag::Finding, source, says }
}

/// What data, models or settings the paper used.
pub(super) fn set_up<'a>(source: &'a str, says: &'a str) -> ClaimBuilder<'a> {
    ClaimBuilder { tag: Tag::SetUp, source, says }
}

/// What holds by definition or arithmetic, whatever the data.
pub(super) fn identity<'a>(source: &'a str, says: &'a str) -> ClaimBuilder<'a> {
    ClaimBuilder { tag: Tag::Identity, source, says }
}

/// A question of this project's own; `source` names the place it starts from.
pub(super) fn ours<'a>(source: &'a str, says: &'a str) -> ClaimBuilder<'a> {
    ClaimBuilder { tag: Tag::Ours, source, says }
}

impl ClaimBuilder<'_> {
    /// Decided by a rule; `evidence` states it, and what would have made it come out otherwise.
    pub(super) fn stands(
        self,
        standing: Standing,
        found: impl Into<String>,
        evidence: impl Into<String>,
    ) -> Claim {
        Claim {
            tag: self.tag,
            source: self.source.to_owned(),
            says: self.says.to_owned(),
            found: found.into(),
            evidence: evidence.into(),
            standing,
        }
    }

    /// Decided by whether a rule holds.
    pub(super) fn holds(self, rule: bool, found: impl Into<String>, evidence: impl Into<String>) -> Claim {
        self.stands(holds(rule), found, evidence)
    }

    /// These data cannot tell.
    pub(super) fn not_testable(self, why: impl Into<String>) -> Claim {
        self.stands(Standing::NotTestable, why, "not tested")
    }
}

/// Agree or differ.
pub(super) fn holds(rule: bool) -> Standing {
    if rule { Standing::Agree } else { Standing::Differ }
}

/// A value said to be above a bound: agree if its whole interval is, differ if none of it is, else too close to call.
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

/// The 95 % interval of a share (Wilson); NaN of nothing. Cases that overlap are counted as the fewer that do not.
pub(super) fn share_interval(hits: f64, cases: f64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    let (share, z2) = (hits / cases, Z * Z / cases);
    let centre = (share + z2 / 2.0) / (1.0 + z2);
    let half = (share * (1.0 - share) / cases + z2 / (4.0 * cases)).sqrt() * Z / (1.0 + z2);
    (centre - half, centre + half)
}

/// A statement of several parts: agree if all do, differ if any does, else not testable if any part is not, else too close.
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

/// "On most of them": agree if it surely holds on more than half, differ if it surely fails on at least half, else too close.
pub(super) fn most_of(parts: &[Standing]) -> Standing {
    let count = |s: Standing| parts.iter().filter(|p| **p == s).count();
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

    /// R: `prop.test(15, 50, correct = FALSE)$conf.int`.
    #[test]
    fn wilsons_interval() {
        let (low, high) = share_interval(15.0, 50.0);
        assert!(
            (low - 0.191_035_535_008_809).abs() < 1e-13 && (high - 0.437_503_504_644_534).abs() < 1e-13,
            "{low} {high}"
        );
        assert!(share_interval(0.0, 0.0).0.is_nan());
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
