//! Names that were misspelled.

/// The most similar known name, if one is similar at all; one letter is like every word that begins with it.
///
/// ```
/// use tailrank_models::nearest;
///
/// assert_eq!(nearest("forrest", ["cart", "forest", "svm"]), Some("forest"));
/// assert_eq!((nearest("wavelet", ["cart", "svm"]), nearest("s", ["svm"])), (None, None));
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|k| (strsim::jaro_winkler(k, name), k))
        .filter(|(likeness, _)| *likeness > 0.75 && name.chars().nth(1).is_some())
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, k)| k)
}

/// What to say of an unknown name: the nearest one, or all of them behind `list`.
pub(crate) fn hint(name: &str, known: &[&str], list: &str) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("; did you mean '{near}'?"),
        None => format!("; {list}: {}", known.join(", ")),
    }
}
