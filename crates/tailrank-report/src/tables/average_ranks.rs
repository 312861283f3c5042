//! Average ranks over tasks, variant by variant.

use tailrank_engine::run::Results;
use tailrank_metrics::Better;

use super::content::{Align, Cell, Table};
use crate::figures::style::digits;

/// One row per variant, one column per measure; variants that Nemenyi's test does not tell from the best are flagged.
pub fn average_ranks(results: &Results, alpha: f64) -> Table {
    let across = &results.across;
    let mut columns = vec![("variant", Align::Left), ("family", Align::Left)];
    columns.extend(across.iter().map(|a| (a.measure.info().symbol, Align::Right)));
    let caption = format!("Average ranks over {} tasks (1 is best)", results.tasks.len());
    let mut table = Table::new("average-ranks", caption, &columns);
    let Some(first) = across.first() else { return table };
    for (place, &v) in first.variants.iter().enumerate() {
        let mut row: Vec<Cell> =
            vec![results.variants[v].label.as_str().into(), results.variants[v].group.as_str().into()];
        for a in across {
            let best = a.average_ranks.iter().copied().fold(f64::INFINITY, f64::min);
            let mut cell = Cell::from(Some(a.average_ranks[place]));
            cell.significant = a.critical_difference.is_some_and(|cd| a.average_ranks[place] - best > cd);
            row.push(cell);
        }
        table.rows.push(row);
    }
    for k in 0..across.len() {
        table.mark(k + 2, Better::Lower);
    }
    if table.rows.iter().flatten().any(|c| c.significant) {
        table.notes.push(format!("* significantly worse than the best (Nemenyi, α = {alpha})."));
    }
    let tests: Vec<String> = across
        .iter()
        .filter_map(|a| {
            let test = a.iman_davenport.as_ref()?;
            let p = if test.p_value < 1e-99 {
                "< 1e−99".to_owned()
            } else {
                format!("= {}", digits(test.p_value))
            };
            Some(format!("{} {} (p {p})", a.measure.info().symbol, digits(test.statistic)))
        })
        .collect();
    if let (Some(cd), false) = (first.critical_difference, tests.is_empty()) {
        table.notes.push(format!(
            "Critical difference: {}. Iman and Davenport's F: {}.",
            digits(cd),
            tests.join(", ")
        ));
    }
    table
}
