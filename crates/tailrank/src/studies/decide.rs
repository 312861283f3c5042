//! Short ways to write a claim down and to print its numbers.

pub(super) use tailrank_engine::text::digits;
use tailrank_engine::text::{self, or_dash, two_decimals};
use tailrank_report::claims::{Claim, Standing};

/// A claim of one paper's place, waiting for its decision.
pub(super) struct ClaimBuilder<'a> {
    /// Where the paper says it.
    pub(super) source: &'a str,
    /// What it says.
    pub(super) says: &'a str,
}

/// `says(source, text)`.
pub(super) fn says<'a>(source: &'a str, says: &'a str) -> ClaimBuilder<'a> {
    ClaimBuilder { source, says }
}

impl ClaimBuilder<'_> {
    /// Decided by whether a rule holds; `evidence` states the rule.
    pub(super) fn holds(self, rule: bool, found: impl Into<String>, evidence: impl Into<String>) -> Claim {
        let standing = if rule { Standing::Agree } else { Standing::Differ };
        self.with(standing, found, evidence)
    }

    /// These data cannot tell.
    pub(super) fn not_testable(self, why: impl Into<String>) -> Claim {
        self.with(Standing::NotTestable, why, "not tested")
    }

    fn with(self, standing: Standing, found: impl Into<String>, evidence: impl Into<String>) -> Claim {
        Claim {
            source: self.source.to_owned(),
            says: self.says.to_owned(),
            found: found.into(),
            evidence: evidence.into(),
            standing,
        }
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
