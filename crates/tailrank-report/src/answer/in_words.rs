//! Tables with the answer's words in place of its codes.

use tailrank_score::table::{Cell, Table, Value};

use super::{reason_of_code, verdict_of_code};

/// A table whose codes of verdicts and reasons are the words that people read.
pub(crate) fn in_words(mut table: Table) -> Table {
    let [verdict, reason, deciding] = ["verdict", "reason", "deciding"].map(|id| table.place(id));
    for row in &mut table.rows {
        let text = |row: &[Cell], place: Option<usize>| match &row[place?].value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        };
        let decides = text(row, deciding).is_none_or(|d| d == "yes");
        if let (Some(place), Some(code)) = (verdict, text(row, verdict)) {
            row[place].value = verdict_of_code(&code, decides).into();
        }
        if let (Some(place), Some(code)) = (reason, text(row, reason)) {
            row[place].value = reason_of_code(&code).into();
        }
    }
    table
}
