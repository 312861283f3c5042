//! Tables and paragraphs in plain text: aligned by what the eye sees, fitted to a width.

use tailrank_score::table::Table;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::output::visible;

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A table of results as people read it.
pub(crate) fn print(table: &Table, width: usize) -> String {
    let places = table.for_people();
    let align = |c: usize| if table.columns[c].format.is_text() { Align::Left } else { Align::Right };
    let headings: Vec<(&str, Align)> =
        places.iter().map(|&c| (table.columns[c].heading.as_str(), align(c))).collect();
    let rows: Vec<Vec<String>> =
        (0..table.rows.len()).map(|r| places.iter().map(|&c| table.print(r, c)).collect()).collect();
    layout(&headings, &rows, width)
}

/// Lays out rows under headings; columns are two spaces apart, long names shrink until a line fits `width`. Columns
/// of numbers are never cut: those that do not fit follow below, with the first column repeated.
pub(crate) fn layout(headings: &[(&str, Align)], rows: &[Vec<String>], width: usize) -> String {
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| one_line(cell)).collect()).collect();
    let rows = &rows[..];
    let natural = natural_widths(headings, rows);
    let least = |c: usize| if headings[c].1 == Align::Left { natural[c].min(20) } else { natural[c] };
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    let mut used = 0;
    for c in 0..headings.len() {
        match blocks.last_mut() {
            Some(block) if used + 2 + least(c) <= width || block.len() == 1 => {
                block.push(c);
                used += 2 + least(c);
            }
            None => {
                blocks.push(vec![c]);
                used = least(c);
            }
            Some(_) => {
                blocks.push(vec![0, c]);
                used = least(0) + 2 + least(c);
            }
        }
    }
    let texts: Vec<String> = blocks
        .iter()
        .map(|block| {
            let headings: Vec<(&str, Align)> = block.iter().map(|&c| headings[c]).collect();
            let rows: Vec<Vec<String>> = rows
                .iter()
                .map(|r| block.iter().map(|&c| r.get(c).cloned().unwrap_or_default()).collect())
                .collect();
            lay_block(&headings, &rows, width)
        })
        .collect();
    texts.join("\n\n")
}

/// A cell on one line, as wide as it looks: names come from data and may hold anything.
fn one_line(cell: &str) -> String {
    visible(cell).replace('\n', "\\n").replace('\t', "\\t")
}

fn natural_widths(headings: &[(&str, Align)], rows: &[Vec<String>]) -> Vec<usize> {
    let widest = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|t| t.width()).max().unwrap_or(0);
    headings.iter().enumerate().map(|(c, (h, _))| widest(c).max(h.width())).collect()
}

fn lay_block(headings: &[(&str, Align)], rows: &[Vec<String>], width: usize) -> String {
    let mut widths = natural_widths(headings, rows);
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

/// Lays out rows whose last column is prose: it wraps in what the other columns leave, nothing is cut.
pub(crate) fn layout_prose(headings: &[&str], rows: &[Vec<String>], width: usize) -> String {
    let left: Vec<(&str, Align)> = headings.iter().map(|h| (*h, Align::Left)).collect();
    let widths = natural_widths(&left, rows);
    let last = headings.len().saturating_sub(1);
    let indent = widths[..last].iter().map(|w| w + 2).sum::<usize>();
    // On a very narrow terminal prose keeps sixteen columns and lines run over.
    let room = width.saturating_sub(indent).max(16);
    let mut lines = Vec::new();
    let heading: Vec<String> = headings.iter().map(|h| (*h).to_owned()).collect();
    for row in std::iter::once(&heading).chain(rows) {
        let mut start = String::new();
        for (cell, w) in row.iter().zip(&widths[..last]) {
            start.push_str(cell);
            start.push_str(&" ".repeat(w + 2 - cell.width().min(*w)));
        }
        for text in wrap(row.get(last).map_or("", String::as_str), room).lines() {
            lines.push(format!("{start}{text}").trim_end().to_owned());
            start = " ".repeat(indent);
        }
    }
    lines.join("\n")
}

/// Breaks paragraphs between words so that lines fit `width`; line breaks in `text` stay.
pub(crate) fn wrap(text: &str, width: usize) -> String {
    let paragraphs = text.split('\n').map(|paragraph| {
        let mut out = String::new();
        let mut used = 0;
        for word in paragraph.split(' ') {
            if used > 0 && used + 1 + word.width() > width {
                out.push('\n');
                used = 0;
            } else if used > 0 {
                out.push(' ');
                used += 1;
            }
            out.push_str(word);
            used += word.width();
        }
        out
    });
    paragraphs.collect::<Vec<_>>().join("\n")
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
        assert_eq!(
            layout(&headings, &rows, 18),
            "task             ρ\nKO 3d         –0.9\na very long…     1"
        );
    }

    #[test]
    fn columns_that_do_not_fit_follow_below() {
        let headings = [("model", Align::Left), ("MAD", Align::Right), ("RMSE", Align::Right)];
        let rows = vec![vec!["A".to_owned(), "0.123 #1".to_owned(), "0.456 #1".to_owned()]];
        assert_eq!(
            layout(&headings, &rows, 16),
            "model       MAD\nA      0.123 #1\n\nmodel      RMSE\nA      0.456 #1"
        );
    }

    #[test]
    fn prose_wraps_between_words() {
        let rows = vec![vec!["mad".to_owned(), "the mean absolute deviation of all".to_owned()]];
        assert_eq!(
            layout_prose(&["id", "meaning"], &rows, 27),
            "id   meaning\nmad  the mean absolute\n     deviation of all"
        );
        assert_eq!(wrap("one two\nthree", 5), "one\ntwo\nthree");
    }
}
