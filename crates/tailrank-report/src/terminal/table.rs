//! Tables in plain text, fitted to a width.

use std::collections::HashSet;

use tailrank_experiment::text::count;
use tailrank_score::table::Table;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Line, Screen, Tone, one_line, wrap};

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Columns of text under headings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextTable {
    /// What stands above each column, and how it is aligned.
    pub headings: Vec<(String, Align)>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// Rows that stand out.
    pub strong: Vec<usize>,
    /// Columns of blanks before the first column.
    pub indent: usize,
}

impl TextTable {
    /// Rows below headings, one blank from the left. A heading that begins with `>` stands over a column of
    /// numbers.
    pub fn new<'h>(
        headings: impl IntoIterator<Item = &'h str>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Self {
        let heading = |text: &str| match text.strip_prefix('>') {
            Some(number) => (number.to_owned(), Align::Right),
            None => (text.to_owned(), Align::Left),
        };
        let headings = headings.into_iter().map(heading).collect();
        Self { headings, rows: rows.into_iter().collect(), indent: 1, ..Self::default() }
    }

    /// [`new`](Self::new) from columns of equally many cells, each below its heading.
    pub fn of_columns(columns: &[(String, Vec<String>)]) -> Self {
        let rows = columns.first().map_or(0, |(_, cells)| cells.len());
        let row = |r: usize| columns.iter().map(|(_, cells)| cells[r].clone()).collect();
        Self::new(columns.iter().map(|(heading, _)| heading.as_str()), (0..rows).map(row))
    }

    /// A table of results as people read it.
    pub fn of(table: &Table) -> Self {
        let places = table.for_people();
        let align = |c: usize| if table.columns[c].format.is_text() { Align::Left } else { Align::Right };
        Self {
            headings: places.iter().map(|&c| (table.columns[c].heading.clone(), align(c))).collect(),
            rows: (0..table.rows.len())
                .map(|r| places.iter().map(|&c| table.print(r, c)).collect())
                .collect(),
            ..Self::default()
        }
    }

    /// The lines. Long names shrink until a line fits `width`, as far as they stay apart; columns that do not
    /// fit even then are left out, and counted.
    pub fn lay_out(&self, width: usize) -> (Screen, usize) {
        let rows: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(|cell| one_line(cell)).collect()).collect();
        let mut widths = self.natural_widths(&rows);
        let least = |(c, &natural): (usize, &usize)| match self.headings[c].1 {
            Align::Left => narrowest(&rows, c, natural),
            Align::Right => natural,
        };
        let least: Vec<usize> = widths.iter().enumerate().map(least).collect();
        let mut kept = self.headings.len();
        while kept > 1 && self.indent + least[..kept].iter().sum::<usize>() + 2 * (kept - 1) > width {
            kept -= 1;
        }
        let left_out = self.headings.len() - kept;
        widths.truncate(kept);
        let gaps = self.indent + 2 * kept.saturating_sub(1);
        while widths.iter().sum::<usize>() + gaps > width {
            let shrinkable = (0..kept).filter(|&c| self.headings[c].1 == Align::Left && widths[c] > least[c]);
            match shrinkable.max_by_key(|&c| widths[c]) {
                Some(c) => widths[c] -= 1,
                None => break,
            }
        }
        let mut screen = Screen::default();
        let heads: Vec<String> = self.headings.iter().map(|(h, _)| h.clone()).collect();
        screen.push(Line::new(Tone::Dim, self.line(&heads, &widths)));
        for (r, row) in rows.iter().enumerate() {
            let tone = if self.strong.contains(&r) { Tone::Strong } else { Tone::Plain };
            screen.push(Line::new(tone, self.line(row, &widths)));
        }
        (screen, left_out)
    }

    /// The first `most` rows as far as they fit `width`. How many rows and columns are left out stands below,
    /// by what one of each is called, with `place`, which has them.
    pub fn lay_out_most(mut self, most: usize, width: usize, kinds: [&str; 2], place: &str) -> Screen {
        let left = self.rows.len().saturating_sub(most);
        self.rows.truncate(most);
        let (mut out, columns) = self.lay_out(width);
        let more = [left, columns].into_iter().zip(kinds).filter(|(n, _)| *n > 0);
        let more: Vec<String> = more.map(|(n, kind)| count(n, &format!("more {kind}"))).collect();
        if !more.is_empty() {
            out.push(Line::new(Tone::Dim, format!(" … {} {place}", more.join(" and "))));
        }
        out
    }

    /// [`lay_out`](Self::lay_out) as plain text.
    pub fn text(&self, width: usize) -> String {
        self.lay_out(width).0.text(false)
    }

    fn natural_widths(&self, rows: &[Vec<String>]) -> Vec<usize> {
        let widest = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|t| t.width()).max().unwrap_or(0);
        self.headings.iter().enumerate().map(|(c, (h, _))| widest(c).max(h.width())).collect()
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let padded: Vec<String> = cells
            .iter()
            .zip(&self.headings)
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
        format!("{}{}", " ".repeat(self.indent), padded.join("  "))
    }
}

/// The least width at which the texts of a column stay as different as they are in full; long ones that
/// differ late are cut.
fn narrowest(rows: &[Vec<String>], column: usize, natural: usize) -> usize {
    let different = |width: usize| {
        let texts = rows.iter().filter_map(|row| row.get(column));
        texts.map(|text| shorten(text, width)).collect::<HashSet<_>>().len()
    };
    let most = different(natural);
    (natural.min(8)..=natural.min(24)).find(|&width| different(width) == most).unwrap_or(natural.min(8))
}

/// Cut to `width` columns with an ellipsis.
pub(crate) fn shorten(text: &str, width: usize) -> String {
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

/// Rows of words with a last column of prose, which wraps below itself.
pub fn layout_prose(headings: &[&str], rows: &[Vec<String>], width: usize) -> String {
    let last = headings.len().saturating_sub(1);
    let rows: Vec<Vec<String>> = rows.iter().map(|r| r.iter().map(|c| one_line(c)).collect()).collect();
    let widest = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|t| t.width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..last).map(|c| widest(c).max(headings[c].width())).collect();
    let indent = widths.iter().map(|w| w + 2).sum::<usize>();
    // Where names leave no room for prose, lines run over.
    let room = width.saturating_sub(indent).max(16);
    let mut lines = Vec::new();
    let heading: Vec<String> = headings.iter().map(|h| (*h).to_owned()).collect();
    for row in std::iter::once(&heading).chain(&rows) {
        let mut start = String::new();
        for (cell, w) in row.iter().zip(&widths) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn table(headings: &[(&str, Align)], rows: &[&[&str]]) -> TextTable {
        TextTable {
            headings: headings.iter().map(|(h, a)| ((*h).to_owned(), *a)).collect(),
            rows: rows.iter().map(|r| r.iter().map(|c| (*c).to_owned()).collect()).collect(),
            ..TextTable::default()
        }
    }

    #[test]
    fn columns_line_up_and_shrink() {
        let found = table(
            &[("task", Align::Left), ("ρ", Align::Right)],
            &[&["KO 3d", "−0.9"], &["a very long name of a task", "1"]],
        );
        assert_eq!(found.text(18), "task             ρ\nKO 3d         −0.9\na very long…     1");
    }

    #[test]
    fn columns_that_do_not_fit_are_counted() {
        let found = table(
            &[("model", Align::Left), ("MAD", Align::Right), ("RMSE", Align::Right)],
            &[&["A", "0.123 #1", "0.456 #1"]],
        );
        let (screen, left_out) = found.lay_out(16);
        assert_eq!((screen.text(false).as_str(), left_out), ("model       MAD\nA      0.123 #1", 1));
    }

    #[test]
    fn names_stay_apart_and_measures_give_way() {
        let models: [&[&str]; 3] =
            [&["forest 100", "0.1", "0.2"], &["forest 300", "0.1", "0.2"], &["linear", "0.3", "0.4"]];
        let headings = [("model", Align::Left), ("MAD", Align::Right), ("RMSE", Align::Right)];
        let (screen, left_out) = table(&headings, &models).lay_out(19);
        assert_eq!(
            (screen.text(false).as_str(), left_out),
            ("model       MAD\nforest 100  0.1\nforest 300  0.1\nlinear      0.3", 1)
        );
    }

    #[test]
    fn prose_wraps_below_itself() {
        let rows = vec![vec!["mad".to_owned(), "the mean absolute deviation of all".to_owned()]];
        assert_eq!(
            layout_prose(&["id", "meaning"], &rows, 27),
            "id   meaning\nmad  the mean absolute\n     deviation of all"
        );
    }
}
