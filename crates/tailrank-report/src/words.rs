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

/// `highest F`; where a baseline is ahead of every model, `highest F of the models`.
pub(crate) fn leading(better: Better, symbol: &str, is_beaten: bool) -> String {
    format!("{} {symbol}{}", end_word(better), if is_beaten { " of the models" } else { "" })
}

/// Whether a baseline is ahead of the leading model.
pub(crate) fn is_beaten(better: Better, own: Option<f64>, baseline: Option<f64>) -> bool {
    own.zip(baseline).is_some_and(|(own, baseline)| match better {
        Better::Lower => baseline < own,
        Better::Higher => baseline > own,
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_baseline_leads_the_models_are_named() {
        let told = |better, baseline| leading(better, "F", is_beaten(better, Some(0.3), baseline));
        assert_eq!(told(Better::Higher, Some(0.4)), "highest F of the models");
        assert_eq!(told(Better::Lower, Some(0.2)), "lowest F of the models");
        for baseline in [None, Some(0.3), Some(0.2)] {
            assert_eq!(told(Better::Higher, baseline), "highest F");
        }
    }
}
