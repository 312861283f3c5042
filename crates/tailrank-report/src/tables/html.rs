//! HTML tables for the page.

use maud::{Markup, html};
use tailrank_experiment::text;
use tailrank_score::table::{Column, Format, Table, Value};

/// Markup in the place of a cell's text, by row and column name; none leaves the text as it is.
pub type CellMarkup<'a> = &'a dyn Fn(usize, &str) -> Option<Markup>;

/// The table in a box that scrolls; the first column heads its row, the meaning of a column stands in its
/// title.
pub fn html(table: &Table, class: &str, own: CellMarkup<'_>) -> Markup {
    let places = table.for_people();
    let side = |column: &Column| (!column.format.is_text()).then_some("n");
    let cell = |row: usize, (i, &c): (usize, &usize)| {
        let (cell, column) = (&table.rows[row][c], &table.columns[c]);
        let shown = own(row, &column.id).unwrap_or_else(|| value(&cell.value, column.format));
        let star = if cell.significant { "*" } else { "" };
        html! {
            @if i == 0 {
                th scope="row" class=[side(column)] { (shown) (star) }
            } @else {
                td class=[side(column)] { (shown) (star) }
            }
        }
    };
    html! {
        div.wide {
            table class=(class) {
                thead {
                    tr {
                        @for column in places.iter().map(|&c| &table.columns[c]) {
                            th scope="col" class=[side(column)] title=(column.meaning) { (column.heading) }
                        }
                    }
                }
                tbody {
                    @for row in 0..table.rows.len() {
                        tr { @for place in places.iter().enumerate() { (cell(row, place)) } }
                    }
                }
            }
        }
    }
}

/// A value: numbers with their full value in the title, undefined with its reason.
fn value(value: &Value, format: Format) -> Markup {
    html! {
        @match value {
            Value::Text(text) => (text),
            Value::Number(v) => span title=(v) { (text::true_minus(&format.print(*v))) },
            Value::Undefined("") => (text::DASH),
            Value::Undefined(why) => span title=(why) { (text::DASH) },
        }
    }
}
