//! Words and numbers as sentences, tables and figures write them.

use tailrank_experiment::text::digits;
use tailrank_metrics::Better;

/// Which end of a measure is the good one.
pub(crate) fn better_word(better: Better) -> &'static str {
    if better == Better::Lower { "lower" } else { "higher" }
}

/// The good end of a measure, where nothing is said of being better.
pub(crate) fn end_word(better: Better) -> &'static str {
    if better == Better::Lower { "lowest" } else { "highest" }
}

/// Three significant digits without zeros at the end.
pub(crate) fn short(value: f64) -> String {
    let text = digits(value);
    let has_decimals = text.contains('.') && !text.contains('e');
    if has_decimals { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A rank or a shared number of places: whole where it is.
pub(crate) fn places(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// The text with its first letter in upper case.
pub(crate) fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
