//! The parts of a written date.

/// Three runs of digits between two equal separators.
pub(super) fn split_digits(text: &str) -> Option<[&str; 3]> {
    let at = text.find(['-', '/', '.'])?;
    let separator = char::from(*text.as_bytes().get(at)?);
    let (first, rest) = (&text[..at], &text[at + 1..]);
    let (second, third) = rest.split_once(separator)?;
    [first, second, third].iter().all(|p| !p.is_empty() && p.len() <= 4).then_some([first, second, third])
}

pub(super) fn split_words(text: &str) -> Option<[&str; 3]> {
    let mut parts = text.split([' ', '-', ',', '/']).filter(|p| !p.is_empty());
    let three = [parts.next()?, parts.next()?, parts.next()?];
    parts.next().is_none().then_some(three)
}

pub(super) fn number(digits: &str) -> Option<i16> {
    if digits.is_empty() || digits.len() > 4 {
        return None;
    }
    digits.bytes().try_fold(0i16, |n, b| b.is_ascii_digit().then(|| n * 10 + i16::from(b - b'0')))
}

pub(crate) fn month_of(name: &str) -> Option<i16> {
    /// English, German, French and Spanish, without accents.
    const MONTHS: [&str; 12] = [
        "january januar janvier enero",
        "february februar fevrier febrero",
        "march marz mars marzo maerz",
        "april avril abril",
        "may mai mayo",
        "june juni juin junio",
        "july juli juillet julio",
        "august aout agosto",
        "september septembre septiembre",
        "october oktober octobre octubre",
        "november novembre noviembre",
        "december dezember decembre diciembre",
    ];
    let name = without_accents(name.trim_end_matches('.'));
    // `juin` and `juillet` begin alike: what is shortened must still tell them apart.
    let fits = |month: &str| month == name || (name.len() >= 3 && name != "jui" && month.starts_with(&*name));
    let found = (1..).zip(MONTHS).find(|(_, names)| names.split(' ').any(fits));
    found.map(|(i, _)| i)
}

/// In small letters, with the accents of western Europe taken off.
pub(crate) fn without_accents(text: &str) -> String {
    let plain = |c| match c {
        'à' | 'á' | 'â' | 'ä' | 'ã' | 'å' => 'a',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'ò' | 'ó' | 'ô' | 'ö' | 'õ' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        other => other,
    };
    text.replace('ß', "ss").chars().flat_map(char::to_lowercase).map(plain).collect()
}
