//! What choosing by one measure costs by another, over all tasks.

use tailrank_engine::run::Results;
use tailrank_metrics::Measure;

use super::content::{Align, Cell, Table, Value};

/// Median regret over the tasks: a row per measure chosen by, a column per measure judged by.
pub fn regret(results: &Results) -> Table {
    let measures: Vec<Measure> = results.scores.first().map(|s| s.measures.clone()).unwrap_or_default();
    let headings: Vec<String> = measures.iter().map(|m| format!("lost in {}", m.info().symbol)).collect();
    let mut columns = vec![("chosen by", Align::Left)];
    columns.extend(headings.iter().map(|h| (h.as_str(), Align::Right)));
    let caption = match results.tasks.len() {
        1 => "Share of the best score lost by choosing by another measure".to_owned(),
        n => format!("Share of the best score lost by choosing by another measure, median of {n} tasks"),
    };
    let mut table = Table::new("regret", caption, &columns);
    for &a in &measures {
        let mut row: Vec<Cell> = vec![a.info().symbol.into()];
        for &b in &measures {
            let found = results.regrets.iter().filter(|r| (r.chosen_by, r.judged_by) == (a, b));
            let lost: Vec<f64> = found.filter_map(|r| r.relative).collect();
            row.push(median(lost).map_or(Value::Undefined, Value::Percent).into());
        }
        if row[1..].iter().any(|c| c.value != Value::Undefined) {
            table.rows.push(row);
        }
    }
    table.notes.push("100 %: the variant chosen has no score at all, or a score of 0.".to_owned());
    table
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    if n == 0 {
        return None;
    }
    Some(0.5 * (values[(n - 1) / 2] + values[n / 2]))
}
