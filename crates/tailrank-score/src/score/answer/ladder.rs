//! Which model to act on at which cost of a missed event.

use super::super::{TaskId, TaskScores, VariantId, alarms::frontier};

/// The cost ladder of one task, from the cheapest missed event on.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// The task.
    pub task: TaskId,
    /// The rungs, by growing cost; the first starts at 0. Empty where no model catches ten events.
    pub rungs: Vec<Rung>,
}

/// What to act on from one cost of a missed event to that of the next rung.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// The least cost of a missed event, in false alarms.
    pub from: f64,
    /// The model; none where acting costs more than it saves.
    pub model: Option<VariantId>,
    /// Events that it catches, in all repeats.
    pub caught: usize,
    /// Its false alarms, in all repeats.
    pub false_alarms: usize,
}

impl Ladder {
    pub(super) fn new(task: TaskId, scores: &TaskScores) -> Self {
        let models: Vec<Rung> = frontier(scores)
            .into_iter()
            .map(|a| Rung {
                from: a.price,
                model: Some(a.variant),
                caught: a.caught,
                false_alarms: a.false_alarms,
            })
            .collect();
        // A model without a false alarm is worth acting on at any cost.
        let none = models.first().filter(|first| first.from > 0.0).map(|_| Rung {
            from: 0.0,
            model: None,
            caught: 0,
            false_alarms: 0,
        });
        Self { task, rungs: none.into_iter().chain(models).collect() }
    }

    /// The costs between which a model is the one to act on; the upper end is none on the last rung.
    pub fn range(&self, model: VariantId) -> Option<(f64, Option<f64>)> {
        let place = self.rungs.iter().position(|r| r.model == Some(model))?;
        Some((self.rungs[place].from, self.rungs.get(place + 1).map(|next| next.from)))
    }
}
