//! HTML tables for the page.

use tailrank_experiment::text;
use tailrank_score::table::{Cell, Format, Table, Value};

use crate::escape::text as escape;

/// Markup in the place of a cell's text, by row and column name; none leaves the text as it is.
pub type CellMarkup<'a> = &'a dyn Fn(usize, &str) -> Option<String>;

/// What the page adds to a plain table.
#[derive(Clone, Copy, Default)]
pub struct Decoration<'a> {
    /// Class of the table.
    pub class: &'a str,
    /// Markup of its own for some cells.
    pub cell: Option<CellMarkup<'a>>,
}

/// The table in a box that scrolls; the first column heads its row, the meaning of a column stands in its title.
pub fn html(table: &Table, decoration: Decoration<'_>) -> String {
    let places = table.for_people();
    let head = |&c: &usize| {
        let column = &table.columns[c];
        let (class, meaning) = (class(column.format), escape(&column.meaning));
        format!("<th scope=\"col\"{class} title=\"{meaning}\">{}</th>", escape(&column.heading))
    };
    let heads: String = places.iter().map(head).collect();
    let mut rows = String::new();
    for (r, row) in table.rows.iter().enumerate() {
        rows.push_str("<tr>");
        for (i, &c) in places.iter().enumerate() {
            let (column, tag) = (&table.columns[c], if i == 0 { "th scope=\"row\"" } else { "td" });
            let own = decoration.cell.and_then(|cell| cell(r, &column.id));
            let text = own.unwrap_or_else(|| cell(&row[c], column.format));
            rows.push_str(&format!("<{tag}{}>{text}</{}>", class(column.format), &tag[..2]));
        }
        rows.push_str("</tr>\n");
    }
    format!(
        "<div class=\"wide\"><table class=\"{}\">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n",
        decoration.class
    )
}

fn class(format: Format) -> &'static str {
    if !format.is_text() { " class=\"n\"" } else { "" }
}

/// A cell: numbers with their full value in the title, undefined with its reason.
fn cell(cell: &Cell, format: Format) -> String {
    let text = match &cell.value {
        Value::Text(t) => escape(t),
        Value::Number(v) => {
            let short = text::true_minus(&escape(&format.print(*v)));
            format!("<span title=\"{v}\">{short}</span>")
        }
        Value::Undefined("") => text::DASH.to_owned(),
        Value::Undefined(why) => format!("<span title=\"{}\">{}</span>", escape(why), text::DASH),
    };
    super::marked(cell, &text, ["<strong>", "</strong>"], ["<em>", "</em>"], "*")
}
