//! How wide text will be. A static figure cannot ask the font, so Helvetica's widths stand for it, with room
//! for wider ones.

/// Widths of ASCII 32–126 in Helvetica, in thousandths of the type size.
const ASCII: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// System fonts are up to this much wider than Helvetica (DejaVu Sans is).
const WIDEST: f64 = 1.17;
/// And bold type by this much more.
pub(super) const BOLD: f64 = 1.14;

/// An upper estimate of the width of `text` set at `size`.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let units: f64 = text
        .chars()
        .map(|c| match c {
            ' '..='~' => f64::from(ASCII[c as usize - 32]),
            // Ideographs and everything beyond are as wide as high.
            '\u{1100}'.. if c >= '\u{2E80}' => 1000.0,
            _ => 600.0,
        })
        .sum();
    WIDEST * size * units / 1000.0
}

/// Cut to `room` with an ellipsis.
pub(super) fn fit(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if width(&kept, size) + size > room {
            kept.pop();
            break;
        }
    }
    kept.trim_end().to_owned() + "…"
}

/// Broken between words into lines of at most `room`.
pub(super) fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(word, size) + 0.3 * size <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(fit(word, size, room)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_fits_where_it_should() {
        assert_eq!(fit("short", 10.0, 100.0), "short");
        let cut = fit("a very long name of a variant", 10.0, 60.0);
        assert!(cut.ends_with('…') && width(&cut, 10.0) <= 62.0, "{cut}");
        let lines = wrap("one two three four five six seven", 10.0, 60.0);
        assert!(lines.len() > 1 && lines.iter().all(|l| width(l, 10.0) <= 60.0));
        assert_eq!(lines.join(" "), "one two three four five six seven");
    }
}
