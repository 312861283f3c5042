//! Markdown tables in GitHub's dialect.

use tailrank_experiment::text::{DASH, true_minus};
use tailrank_score::table::{Cell, Column, Format, Table, Value};

use super::{marked, notes};

/// The table with its caption above and its notes below.
pub fn markdown(table: &Table) -> String {
    let columns: Vec<_> = table.for_people().into_iter().map(|c| (c, &table.columns[c])).collect();
    let mut lines: Vec<Vec<String>> = vec![columns.iter().map(|(_, c)| escape(&c.heading)).collect()];
    let row = |r: &Vec<Cell>| columns.iter().map(|&(c, column)| cell(&r[c], column.format)).collect();
    lines.extend(table.rows.iter().map(row));
    let width = |i: usize| match columns[i].1.format {
        // Prose is left as long as it is; padding it would make lines of hundreds of characters.
        Format::Prose => 3,
        _ => lines.iter().map(|cells| cells[i].chars().count()).fold(3, usize::max),
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let rule = columns.iter().zip(&widths).map(|((_, column), &w)| match column.format.is_text() {
        true => "-".repeat(w),
        false => "-".repeat(w - 1) + ":",
    });
    lines.insert(1, rule.collect());
    let padded = |((text, &w), (_, column)): ((&String, &usize), &(usize, &Column))| {
        let space = " ".repeat(w.saturating_sub(text.chars().count()));
        if column.format.is_text() { text.clone() + &space } else { space + text }
    };
    let mut text = format!("**{}**\n\n", escape(&table.caption));
    for cells in &lines {
        let cells: Vec<String> = cells.iter().zip(&widths).zip(&columns).map(padded).collect();
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    let notes = notes(table, escape, "Bold: first, italic: second.");
    if !notes.is_empty() {
        text.push_str(&format!("\n{notes}\n"));
    }
    text
}

fn cell(cell: &Cell, format: Format) -> String {
    let text = match &cell.value {
        Value::Text(t) => escape(t),
        Value::Number(v) => true_minus(&format.print(*v)).replace('<', "&lt;"),
        Value::Undefined(_) => DASH.to_owned(),
    };
    marked(cell, &text, ["**", "**"], ["_", "_"], "\\*")
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
    use tailrank_score::table::Mark;

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
        let rows = [("a", Some(0.5)), ("bb", None)];
        let table = Table::of(rows)
            .column(Format::Name, "name", "name", |r| r.0)
            .column(Format::Number, "f", "F ↑", |r| r.1)
            .titled("t", "Cap");
        let expected = "**Cap**\n\n| name |   F ↑ |\n| ---- | ----: |\n| a    | 0.500 |\n| bb   |     – |\n";
        assert_eq!(markdown(&table), expected);
    }

    #[test]
    fn marks_and_small_p() {
        let best = Cell { value: Value::Number(1.0), mark: Mark::Best, significant: true };
        assert_eq!(cell(&best, Format::Number), "**1.00**\\*");
        assert_eq!(cell(&Cell::from(2e-9), Format::P), "&lt; 0.001");
        assert_eq!(cell(&Cell::from(0.04), Format::P), "0.040");
    }
}
