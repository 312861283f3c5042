//! Numbers and words as people read them: one way to write a number, a share, a p-value or a count, whoever
//! prints it.
//!
//! Numbers carry the typographic minus: commands, TOML, CSV and JSON are not written by these functions.

use std::collections::HashMap;

/// What stands for a value that is not there.
pub const DASH: &str = "–";

/// Sentences, ten at most of those that differ in the name before their first colon and in numbers alone; the
/// last line counts the others.
///
/// ```
/// use tailrank_experiment::text::ten_of_a_kind;
/// let all: Vec<String> = (0..40).map(|i| format!("S{i}: {i} % are events")).chain(["S1: short".to_owned()]).collect();
/// let shown = ten_of_a_kind(&all);
/// assert_eq!((shown.len(), shown[10].as_str(), shown[11].as_str()), (12, "S1: short", "… and 30 more of these kinds"));
/// ```
pub fn ten_of_a_kind(sentences: &[String]) -> Vec<String> {
    let (shown, left_out) = limit_repeats(sentences, |sentence| {
        let said = sentence.split_once(": ").map_or(sentence.as_str(), |(_, said)| said);
        said.chars().filter(|c| !c.is_ascii_digit()).collect()
    });
    let mut shown: Vec<String> = shown.into_iter().cloned().collect();
    if left_out > 0 {
        shown.push(format!("… and {} more of these kinds", thousands(left_out)));
    }
    shown
}

/// Ten at most of each kind, and how many are left out.
pub(crate) fn limit_repeats<T>(all: &[T], kind_of: impl Fn(&T) -> String) -> (Vec<&T>, usize) {
    const MOST: usize = 10;
    let mut kinds: HashMap<String, usize> = HashMap::new();
    let is_shown = |one: &&T| {
        let seen = kinds.entry(kind_of(one)).or_default();
        *seen += 1;
        *seen <= MOST
    };
    let shown: Vec<&T> = all.iter().filter(is_shown).collect();
    let left_out = all.len() - shown.len();
    (shown, left_out)
}

/// Three significant digits; powers of ten where decimals would not be read.
///
/// ```
/// use tailrank_experiment::text::digits;
/// assert_eq!(digits(0.0123456), "0.0123");
/// assert_eq!(digits(-1234.5), "−1234");
/// assert_eq!(digits(1.5e-7), "1.50e−7");
/// ```
pub fn digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return DASH.to_owned();
    }
    // Rounding first: 9.996 has the size of 10.
    let size = format!("{value:.2e}").split('e').nth(1).and_then(|e| e.parse::<i32>().ok()).unwrap_or(0);
    if (-4..6).contains(&size) {
        true_minus(&format!("{value:.*}", (2 - size).max(0) as usize))
    } else {
        true_minus(&format!("{value:.2e}"))
    }
}

/// Numbers that stand together: three significant digits of the largest, and more where two that differ would look alike.
///
/// ```
/// use tailrank_experiment::text::digits_together;
/// assert_eq!(digits_together(&[0.3271, 0.3268, 0.081]), ["0.3271", "0.3268", "0.0810"]);
/// assert_eq!(digits_together(&[12.5, 0.5]), ["12.5", "0.5"]);
/// ```
pub fn digits_together(values: &[f64]) -> Vec<String> {
    const MOST_MORE: i32 = 4;
    let largest = values.iter().copied().filter(|v| v.is_finite()).fold(0.0_f64, |m, v| m.max(v.abs()));
    let size = if largest > 0.0 { largest.log10().floor() as i32 } else { 0 };
    if !(-4..6).contains(&size) {
        return values.iter().map(|&v| digits(v)).collect();
    }
    let least = (2 - size).max(0);
    let print = |decimals: i32| -> Vec<String> {
        let one = |v: f64| match v {
            v if !v.is_finite() => DASH.to_owned(),
            0.0 => "0".to_owned(),
            v => fixed(v, decimals as usize),
        };
        values.iter().map(|&v| one(v)).collect()
    };
    let is_clear = |texts: &[String]| {
        let zero = |t: &str| t.chars().all(|c| matches!(c, '0' | '.' | '−'));
        let vanishes = values.iter().zip(texts).any(|(v, t)| *v != 0.0 && v.is_finite() && zero(t));
        let alike = |i: usize| (0..i).any(|j| values[i] != values[j] && texts[i] == texts[j]);
        !vanishes && !(0..values.len()).any(alike)
    };
    let more = (least..=least + MOST_MORE).map(print).find(|texts| is_clear(texts));
    more.unwrap_or_else(|| print(least))
}

/// A number with so many decimals and the typographic minus; never a negative zero.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => rest.to_owned(),
        _ => true_minus(&text),
    }
}

/// A rate or a ratio in about two digits, without a decimal that says nothing.
///
/// ```
/// use tailrank_experiment::text::two_digits;
/// assert_eq!([14.63, 1.75, 1.04, 0.034].map(two_digits), ["15", "1.8", "1", "0.03"]);
/// ```
pub fn two_digits(value: f64) -> String {
    let decimals = match value.abs() {
        v if v >= 9.95 => 0,
        v if v >= 0.095 => 1,
        _ => 2,
    };
    let text = fixed(value, decimals);
    if decimals == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

/// Two decimals, for correlations.
pub fn two_decimals(value: f64) -> String {
    fixed(value, 2)
}

/// A share in percent: one decimal below ten, none above.
///
/// ```
/// use tailrank_experiment::text::{count, list, p_value, percent};
/// assert_eq!((percent(0.0512), percent(0.5)), ("5.1%".to_owned(), "50%".to_owned()));
/// assert_eq!((p_value(0.0421), p_value(3e-14)), ("0.042".to_owned(), "< 0.001".to_owned()));
/// assert_eq!((count(1, "task"), count(1252, "event")), ("1 task".to_owned(), "1,252 events".to_owned()));
/// assert_eq!(list(&["MAD", "Ū", "SERA"]), "MAD, Ū and SERA");
/// ```
pub fn percent(share: f64) -> String {
    let p = 100.0 * share;
    let decimals = usize::from(p != 0.0 && p.abs() < 9.95 && p.fract() != 0.0);
    format!("{}%", fixed(p, decimals))
}

/// A p-value: three decimals, `< 0.001` below them.
pub fn p_value(p: f64) -> String {
    if p >= 0.001 { format!("{p:.3}") } else { "< 0.001".to_owned() }
}

/// `p = 0.042`, `p < 0.001`.
pub fn p_is(p: f64) -> String {
    if p >= 0.001 { format!("p = {p:.3}") } else { "p < 0.001".to_owned() }
}

/// A value by `print`, or a dash.
pub fn or_dash(value: Option<f64>, print: fn(f64) -> String) -> String {
    value.map_or_else(|| DASH.to_owned(), print)
}

/// A whole number with its thousands apart.
pub fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(c);
    }
    text
}

/// `1 task`, `3 tasks`, `1,252 events`.
pub fn count(n: usize, what: &str) -> String {
    format!("{} {what}{}", thousands(n), if n == 1 { "" } else { "s" })
}

/// A rate in about two digits with its word: `1 event`, `1.8 events`; what is read as 1 is one.
pub fn about(rate: f64, what: &str) -> String {
    let number = two_digits(rate);
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// `a`, `a and b`, `a, b and c`.
pub fn list<S: AsRef<str>>(words: &[S]) -> String {
    match words {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// A number with the typographic minus sign.
pub fn true_minus(number: &str) -> String {
    number.replace('-', "−")
}

/// The median; none of nothing.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    if n == 0 { None } else { Some((sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_three() {
        let texts = [9.996, 99.96, 0.00012345, 0.000012345, 123456.0, 1234567.0, -0.5, f64::NAN].map(digits);
        assert_eq!(texts, ["10.0", "100", "0.000123", "1.23e−5", "123456", "1.23e6", "−0.500", "–"]);
    }

    #[test]
    fn shares_p_values_and_counts() {
        assert_eq!([0.0, 0.05, 0.0512, 0.5, 1.0].map(percent), ["0%", "5%", "5.1%", "50%", "100%"]);
        assert_eq!([3e-14, 0.0, 0.001, 0.0421].map(p_value), ["< 0.001", "< 0.001", "0.001", "0.042"]);
        assert_eq!([7, 999, 1000, 1234567].map(thousands), ["7", "999", "1,000", "1,234,567"]);
        assert_eq!(
            (count(1, "task"), count(1252, "event")),
            ("1 task".to_owned(), "1,252 events".to_owned())
        );
        assert_eq!([-0.683, -0.001, 1.0].map(two_decimals), ["−0.68", "0.00", "1.00"]);
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn the_median_of_an_even_number_is_the_mean_of_the_middle_two() {
        assert_eq!(median(&[3.0, 1.0, 2.0, 10.0]), Some(2.5));
        assert_eq!(median(&[7.0]), Some(7.0));
        assert_eq!(median(&[]), None);
    }
}
