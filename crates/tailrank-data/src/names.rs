//! The names a user may have meant.

/// Up to three of `names` that look like `wanted`, best first; case does not count.
pub(crate) fn nearest<S: AsRef<str>>(wanted: &str, names: &[S]) -> Vec<String> {
    const ENOUGH: f64 = 0.6;
    let lower = wanted.to_lowercase();
    let mut scored: Vec<(f64, &str)> = names
        .iter()
        .map(AsRef::as_ref)
        .map(|n| (strsim::normalized_damerau_levenshtein(&lower, &n.to_lowercase()), n))
        .filter(|(score, _)| *score >= ENOUGH)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored.into_iter().take(3).map(|(_, n)| n.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_typo_finds_its_name_and_nonsense_finds_none() {
        let names = ["Date", "Open", "Close", "Adj Close"];
        assert_eq!(nearest("Clsoe", &names), ["Close"]);
        assert_eq!(nearest("adj close", &names)[0], "Adj Close");
        assert!(nearest("temperature", &names).is_empty());
    }
}
