//! Markdown tables in GitHub's dialect.

use super::content::{Align, Cell, Mark, Table, Value, p_exponent};
use crate::figures::style::{digits, percent};

/// The table with its caption above and its notes below.
pub fn markdown(table: &Table) -> String {
    let headings: Vec<String> = table.columns.iter().map(|c| escape(&c.heading)).collect();
    let rows: Vec<Vec<String>> = table.rows.iter().map(|r| r.iter().map(cell).collect()).collect();
    let width = |c: usize| {
        let cells = rows.iter().filter_map(|r| r.get(c)).chain([&headings[c]]);
        cells.map(|t| t.chars().count()).max().unwrap_or(0).max(3)
    };
    // Prose is left as long as it is; padding it would make lines of hundreds of characters.
    let widths: Vec<usize> = (0..headings.len())
        .map(|c| if table.columns[c].align == Align::Prose { 3 } else { width(c) })
        .collect();
    let line = |cells: &[String]| {
        let padded: Vec<String> = cells
            .iter()
            .zip(&widths)
            .zip(&table.columns)
            .map(|((text, &w), column)| {
                let space = " ".repeat(w.saturating_sub(text.chars().count()));
                if column.align == Align::Right { space + text } else { text.clone() + &space }
            })
            .collect();
        format!("| {} |\n", padded.join(" | "))
    };
    let rule: Vec<String> = table
        .columns
        .iter()
        .zip(&widths)
        .map(|(c, &w)| match c.align {
            Align::Right => format!("{}:", "-".repeat(w - 1)),
            Align::Left | Align::Prose => "-".repeat(w),
        })
        .collect();
    let mut text = format!("**{}**\n\n{}{}", escape(&table.caption), line(&headings), line(&rule));
    for row in &rows {
        text.push_str(&line(row));
    }
    let mut notes: Vec<String> = table.notes.iter().map(|n| escape(n)).collect();
    if table.rows.iter().flatten().any(|c| c.mark == Mark::Best) {
        notes.insert(0, "Bold: best, italic: second.".to_owned());
    }
    if !notes.is_empty() {
        text.push_str(&format!("\n{}\n", notes.join(" ")));
    }
    text
}

fn cell(cell: &Cell) -> String {
    let text = match &cell.value {
        Value::Text(t) => escape(t),
        Value::Number(v) => digits(*v),
        Value::Count(n) => n.to_string(),
        Value::Percent(v) => percent(*v),
        Value::P(p) if *p >= 0.001 => format!("{p:.3}"),
        Value::P(p) => format!("&lt;1e−{}", -p_exponent(*p)),
        Value::Undefined => "–".to_owned(),
    };
    let text = match cell.mark {
        Mark::None => text,
        Mark::Best => format!("**{text}**"),
        Mark::Second => format!("_{text}_"),
    };
    if cell.significant { format!("{text}\\*") } else { text }
}

/// Text in which nothing is markup: no HTML, no emphasis, no links, no end of the cell.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // As references: GitHub turns bare addresses and names of users into links.
            ':' if out.ends_with("http") || out.ends_with("https") || out.ends_with("ftp") => {
                out.push_str("&#58;");
            }
            '@' => out.push_str("&#64;"),
            '.' if out.to_ascii_lowercase().ends_with("www") => out.push_str("&#46;"),
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '~' | '#' | '!' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_markup() {
        assert_eq!(escape("a|b"), "a\\|b");
        assert_eq!(escape("<script>"), "&lt;script&gt;");
        assert_eq!(
            escape("**x** _y_ [z](http://a) `c`"),
            "\\*\\*x\\*\\* \\_y\\_ \\[z\\](http&#58;//a) \\`c\\`"
        );
        assert_eq!(escape("two\nlines"), "two lines");
    }

    #[test]
    fn a_table_lines_up() {
        let mut table = Table::new("t", "Cap", &[("name", Align::Left), ("F ↑", Align::Right)]);
        table.rows = vec![vec!["a".into(), Some(0.5).into()], vec!["bb".into(), None.into()]];
        let expected = "**Cap**\n\n| name |   F ↑ |\n| ---- | ----: |\n| a    | 0.500 |\n| bb   |     – |\n";
        assert_eq!(markdown(&table), expected);
    }

    #[test]
    fn marks_and_small_p() {
        let best = Cell { value: Value::Number(1.0), mark: Mark::Best, significant: true };
        assert_eq!(cell(&best), "**1.00**\\*");
        assert_eq!(cell(&Value::P(2e-9).into()), "&lt;1e−8");
        assert_eq!(cell(&Value::P(0.04).into()), "0.040");
    }
}
