//! Short ways to write a claim down and to print its numbers.

use tailrank_report::claims::{Claim, Standing};

/// A claim of one paper's place, waiting for its decision.
pub(super) struct Says<'a> {
    /// Where the paper says it.
    pub(super) source: &'a str,
    /// What it says.
    pub(super) says: &'a str,
}

/// `says(source, text)`.
pub(super) fn says<'a>(source: &'a str, says: &'a str) -> Says<'a> {
    Says { source, says }
}

impl Says<'_> {
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

/// Three significant digits.
pub(super) fn digits(v: f64) -> String {
    if v == 0.0 || !v.is_finite() {
        return if v == 0.0 { "0".to_owned() } else { "–".to_owned() };
    }
    let size = v.abs().log10().floor();
    if !(-4.0..6.0).contains(&size) {
        return format!("{v:.2e}");
    }
    format!("{v:.*}", (2.0 - size).clamp(0.0, 6.0) as usize)
}

/// Three significant digits, or a dash for what is undefined.
pub(super) fn digits_or_dash(v: Option<f64>) -> String {
    v.map_or_else(|| "–".to_owned(), digits)
}

/// Two decimals, or a dash for what is undefined.
pub(super) fn two(v: Option<f64>) -> String {
    v.map_or_else(|| "–".to_owned(), |v| format!("{v:.2}"))
}

/// A p-value: three decimals, or the power of ten it stays below.
pub(super) fn p_value(p: Option<f64>) -> String {
    match p {
        None => "–".to_owned(),
        Some(p) if p >= 0.001 => format!("{p:.3}"),
        Some(p) if p <= 1e-99 => "<1e-99".to_owned(),
        Some(p) => format!("<1e{}", (p.log10().floor() + 1.0) as i32),
    }
}

/// A share as a percentage with one decimal.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
