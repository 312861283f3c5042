//! What a task predicts, as people call it.

use tailrank_data::{Dataset, Transform};

use crate::plan::Task;

/// What a task predicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name, such as `rings`.
    pub name: String,
    /// Whether it is a value of its own (a level) or a change of one.
    pub kind: Transform,
}

impl Default for Target {
    fn default() -> Self {
        Self { name: "y".to_owned(), kind: Transform::Level }
    }
}

impl Target {
    /// The target of a planned task.
    pub fn of_task(task: &Task) -> Self {
        let column = || task.column.clone().unwrap_or_else(|| "value".to_owned());
        let (name, kind) = match &*task.data {
            Dataset::Series(series) => match series.transform() {
                kind @ Transform::Return => ("return".to_owned(), kind),
                kind @ Transform::LogReturn => ("log return".to_owned(), kind),
                kind => (column(), kind),
            },
            other => (other.target_name(), Transform::Level),
        };
        Self { name, kind }
    }
}
