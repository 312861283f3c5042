//! Names as messages show them, and the ones a user may have meant.

/// At most sixty characters, so that no cell or name of a file fills a message.
pub(crate) fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// In quotation marks, shortened.
pub(crate) fn quoted(text: &str) -> String {
    format!("{:?}", shortened(text))
}

/// The first dozen, quoted.
pub(crate) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    const SHOWN: usize = 12;
    let mut text = names.iter().take(SHOWN).map(|n| quoted(n.as_ref())).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    if text.is_empty() { "none".to_owned() } else { text }
}

/// `data/KO.csv.gz` is KO.
///
/// ```
/// assert_eq!(tailrank_data::symbol_of("data/BRK.B.csv.gz"), "BRK.B");
/// ```
pub fn symbol_of(file: &str) -> String {
    let mut name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    while let Some((stem, extension)) = name.rsplit_once('.') {
        if !matches!(extension.to_ascii_lowercase().as_str(), "csv" | "gz" | "parquet" | "txt")
            || stem.is_empty()
        {
            break;
        }
        name = stem;
    }
    name.to_owned()
}

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
    use super::*;

    #[test]
    fn a_symbol_may_contain_a_dot() {
        assert_eq!(symbol_of("data/BRK.B.csv.gz"), "BRK.B");
        assert_eq!(symbol_of(".csv"), ".csv");
    }

    #[test]
    fn long_names_and_lists_are_cut() {
        assert_eq!(quoted("a\"b"), "\"a\\\"b\"");
        assert_eq!(shortened(&"ä".repeat(61)), format!("{}…", "ä".repeat(60)));
        assert_eq!(listed::<&str>(&[]), "none");
        assert!(listed(&["x"; 14]).ends_with("\"x\" and 2 more"));
    }

    #[test]
    fn a_typo_finds_its_name_and_nonsense_finds_none() {
        let names = ["Date", "Open", "Close", "Adj Close"];
        assert_eq!(nearest("Clsoe", &names), ["Close"]);
        assert_eq!(nearest("adj close", &names)[0], "Adj Close");
        assert!(nearest("temperature", &names).is_empty());
    }
}
