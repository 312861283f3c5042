//! Tables in plain text: aligned by what the eye sees, shortened to fit.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Lays out rows under headings; columns are two spaces apart, left-aligned ones shrink until a line fits `width`.
pub(crate) fn layout(headings: &[(&str, Align)], rows: &[Vec<String>], width: usize) -> String {
    let mut widths: Vec<usize> = headings
        .iter()
        .enumerate()
        .map(|(c, (h, _))| rows.iter().filter_map(|r| r.get(c)).map(|t| t.width()).max().unwrap_or(0).max(h.width()))
        .collect();
    let gaps = 2 * headings.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > width {
        let shrinkable = (0..widths.len()).filter(|&c| headings[c].1 == Align::Left && widths[c] > 8);
        match shrinkable.max_by_key(|&c| widths[c]) {
            Some(c) => widths[c] -= 1,
            None => break,
        }
    }
    let mut text = line(headings.iter().map(|(h, _)| (*h).to_owned()).collect(), headings, &widths);
    for row in rows {
        text.push('\n');
        text.push_str(&line(row.clone(), headings, &widths));
    }
    text
}

fn line(cells: Vec<String>, headings: &[(&str, Align)], widths: &[usize]) -> String {
    let padded: Vec<String> = cells
        .iter()
        .zip(headings)
        .zip(widths)
        .map(|((cell, (_, align)), &w)| {
            let cell = shorten(cell, w);
            let space = " ".repeat(w - cell.width().min(w));
            match align {
                Align::Left => cell + &space,
                Align::Right => space + &cell,
            }
        })
        .collect();
    padded.join("  ").trim_end().to_owned()
}

fn shorten(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        let w = c.width().unwrap_or(0);
        if used + w > width.saturating_sub(1) {
            break;
        }
        out.push(c);
        used += w;
    }
    out.push('…');
    out
}

/// Three significant digits, as tables print them.
pub(crate) fn digits(value: Option<f64>) -> String {
    let Some(v) = value else { return "–".to_owned() };
    if v == 0.0 {
        return "0".to_owned();
    }
    let size = v.abs().log10().floor();
    if !(-4.0..6.0).contains(&size) {
        return format!("{v:.2e}");
    }
    format!("{v:.*}", (2.0 - size).clamp(0.0, 6.0) as usize)
}

/// A p-value: three decimals, or the power of ten below.
pub(crate) fn p_value(p: Option<f64>) -> String {
    match p {
        None => "–".to_owned(),
        Some(p) if p >= 0.001 => format!("{p:.3}"),
        Some(p) if p <= 1e-99 => "<1e-99".to_owned(),
        Some(p) => format!("<1e{}", (p.log10().floor() + 1.0) as i32),
    }
}

/// A share as a whole percentage.
pub(crate) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |s| format!("{:.0} %", 100.0 * s))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_shrink() {
        let rows = vec![
            vec!["KO 3d".to_owned(), "–0.9".to_owned()],
            vec!["a very long name of a task".to_owned(), "1".to_owned()],
        ];
        let headings = [("task", Align::Left), ("ρ", Align::Right)];
        assert_eq!(layout(&headings, &rows, 18), "task             ρ\nKO 3d         –0.9\na very long…     1");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(digits(Some(0.012_345)), "0.0123");
        assert_eq!(digits(Some(123.456)), "123");
        assert_eq!(digits(Some(1.5e-9)), "1.50e-9");
        assert_eq!(digits(None), "–");
        assert_eq!(p_value(Some(3.2e-14)), "<1e-13");
        assert_eq!(p_value(Some(0.0421)), "0.042");
        assert_eq!(percent(Some(0.957)), "96 %");
    }
}
