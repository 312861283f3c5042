//! What a task predicts, as people call it.

use tailrank_data::{Dataset, Transform};

use crate::plan::Task;

/// What a task predicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name, such as `rings`.
    pub name: String,
    /// Whether it is a value of its own or a change of one.
    pub kind: TargetKind,
}

/// How a target is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TargetKind {
    /// A value in its own units.
    Value,
    /// A relative change, as a fraction.
    Return,
    /// A difference of logarithms.
    LogReturn,
    /// A difference, in the units of the series.
    Difference,
}

impl Default for Target {
    fn default() -> Self {
        Self { name: "y".to_owned(), kind: TargetKind::Value }
    }
}

impl Target {
    /// The target of a planned task.
    pub fn of_task(task: &Task) -> Self {
        let column = || task.column.clone().unwrap_or_else(|| "value".to_owned());
        let (name, kind) = match &*task.data {
            Dataset::Series(series) => match series.transform() {
                Transform::Return => ("return".to_owned(), TargetKind::Return),
                Transform::LogReturn => ("log return".to_owned(), TargetKind::LogReturn),
                Transform::Difference => (column(), TargetKind::Difference),
                _ => (column(), TargetKind::Value),
            },
            other => (other.target_name(), TargetKind::Value),
        };
        Self { name, kind }
    }
}
