//! `log/plan.jsonl`: the cells of the plan, for those who look on without its data.

use serde_json::Value;

use super::*;

const FILE: &str = "log/plan.jsonl";

/// The last line holds the checksum of all lines before.
const CHECKSUM: &str = "checksum";

/// One cell of the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ListedCell {
    /// The cell's key.
    pub(super) cell: String,
    /// Its task.
    pub(super) task: String,
    /// Its variant, or its family and how many.
    pub(super) model: String,
    /// Its family: forecasts of one family err alike.
    pub(super) family: String,
    /// Forecast of CPU seconds.
    pub(super) seconds: f64,
}

/// Lists the plan in the run's folder, for [`super::status`]. A worker leaves the listing to whoever started
/// the workers, unless there is none.
pub fn list_plan(plan: &Plan, store: &Store<'_>) -> Result<()> {
    let path = store.root().join(FILE);
    if store.is_worker() && path.exists() {
        return Ok(());
    }
    let mut text = Vec::new();
    for cell in &plan.cells {
        let listed = ListedCell {
            cell: cell.key.as_str().to_owned(),
            task: plan.tasks[cell.task].name.clone(),
            model: plan.cell_model(cell),
            family: cell.family.name().to_owned(),
            seconds: Some(cell.cost.cpu_seconds).filter(|s| s.is_finite()).unwrap_or(0.0),
        };
        add_json_line(&mut text, &listed)?;
    }
    // A listing that was cut at a line would pass for a smaller plan.
    let end = HashMap::from([(CHECKSUM, digest(&text))]);
    add_json_line(&mut text, &end)?;
    store.write(&path, &text)
}

pub(super) fn read_listing(store: &Store<'_>) -> Result<Vec<ListedCell>> {
    let path = store.root().join(FILE);
    let missing = format!("it has no {FILE}; `tailrank run` and `tailrank slurm` write it");
    let bytes = store.read(&path)?.ok_or_else(|| store.refuse(missing))?;
    let damaged = |e: &str| store.refuse(format!("{FILE} is damaged ({e}); `tailrank run` writes it again"));
    let end = bytes.trim_ascii_end().iter().rposition(|b| *b == b'\n').map_or(0, |place| place + 1);
    let (cells, end) = bytes.split_at(end);
    let end: Value = serde_json::from_slice(end).map_err(|_| damaged("it is cut short"))?;
    if end[CHECKSUM] != digest(cells) {
        return Err(damaged("its checksum does not match"));
    }
    let cells = serde_json::Deserializer::from_slice(cells).into_iter();
    cells.map(|cell| cell.map_err(|e| damaged(&e.to_string()))).collect()
}
