//! Scores of one task: variants down, measures across.

use tailrank_engine::{run::Results, score::VariantStatus};
use tailrank_metrics::{Better, Measure};

use super::content::{Align, Cell, Table, Value, slug};

/// One row per variant, one column per measure; best and second of each measure marked. Failed variants have no scores.
pub fn scores(results: &Results, task: usize) -> Table {
    let found = &results.scores[task];
    let headings: Vec<String> = found.measures.iter().map(|m| heading(*m)).collect();
    let mut columns = vec![("variant", Align::Left), ("family", Align::Left)];
    columns.extend(headings.iter().map(|h| (h.as_str(), Align::Right)));
    columns.extend([("signals", Align::Right), ("hits", Align::Right)]);
    let name = &results.tasks[task];
    let caption = format!("Scores on {name}: {} test cases, {} events", found.cases, found.events);
    let mut table = Table::new(&format!("scores-{}-{}", task + 1, slug(name)), caption, &columns);
    let mut failed = false;
    for (v, variant) in results.variants.iter().enumerate() {
        let mut label = Cell::from(variant.label.as_str());
        if matches!(found.status[v], VariantStatus::Failed { .. } | VariantStatus::Missing) {
            failed = true;
            label.value = Value::Text(format!("{} (no fit)", variant.label));
        }
        let mut row = vec![label, variant.group.as_str().into()];
        row.extend(
            found.measures.iter().map(|&m| found.score(v, m).map_or(Value::Undefined, Value::from).into()),
        );
        let count = |n: Option<usize>| Cell::from(n.map_or(Value::Undefined, Value::Count));
        row.extend([count(found.signals[v]), count(found.hits[v])]);
        table.rows.push(row);
    }
    for (k, measure) in found.measures.iter().enumerate() {
        table.mark(k + 2, measure.better());
    }
    if table.rows.iter().flatten().any(|c| c.value == Value::Undefined) {
        table.notes.push("–: undefined, and ranked last.".to_owned());
    }
    if failed {
        table.notes.push("(no fit): the variant failed or was not fitted on this task.".to_owned());
    }
    table
}

/// A measure's symbol with an arrow towards its good end.
fn heading(measure: Measure) -> String {
    let arrow = match measure.better() {
        Better::Lower => '↓',
        Better::Higher => '↑',
    };
    format!("{} {arrow}", measure.info().symbol)
}
